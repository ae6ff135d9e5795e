# SPDX-License-Identifier: Apache-2.0
"""The viewers by name: each takes the path of a trace and gives a View."""
import catapult_json
import catapult_real
import perfetto_json
import perfetto_real

VIEWERS = {
    "perfetto-model": perfetto_json.load,
    "catapult-model": catapult_json.load,
    "perfetto": perfetto_real.load,
    "catapult": catapult_real.load,
}
MODELS = {"perfetto-model": "perfetto", "catapult-model": "catapult"}
