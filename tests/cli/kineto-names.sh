#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PyTorch (Kineto) traces: every name that the oracle has from the source's own programs, also those that no example has.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracle=$SRCDIR/tests/oracles/kineto.py

if ! command -v python3 >/dev/null; then
    skip 'every name' 'python3 is not here'
    finish
    exit
fi
python3 "$oracle" names >"$scratch/names.json" && run 0 --db "$scratch/trace.db" import "$scratch/names.json" &&
    python3 "$oracle" "$scratch/trace.db" "$scratch/names.json"
result $? 'every name of calls, copies, kernels and collectives'
finish
