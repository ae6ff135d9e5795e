#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same-waits.py [--within PERCENT] TRUTH WAITS [KIND...]: whether the waits of each kind are, to the nanosecond, those of a simulated run.

TRUTH is truth.json of mpi_simulator.py with --format tau --resolution ns, whose times TAU's reader takes for
microseconds; WAITS what `waits --format csv --unit ns --top 0` prints of its trace. KINDs are left out."""
import collections
import csv
import json
import sys

percent = 0
if sys.argv[1] == "--within":
    percent = int(sys.argv[2])
    del sys.argv[1:3]
with open(sys.argv[1], encoding="ascii") as file:
    waits = json.load(file)["waits"]
true, ours = collections.Counter(), collections.Counter()
for wait in waits:
    true[wait["kind"]] += wait["ns"]
with open(sys.argv[2], encoding="utf-8") as file:
    for row in csv.DictReader(file):
        ours[row["kind"]] += int(row["wait_ns"]) // 1000
kinds = (set(true) | set(ours)) - set(sys.argv[3:])
wrong = [f"{kind}: {ours[kind]} ns, in truth {true[kind]}" for kind in sorted(kinds) if abs(ours[kind] - true[kind]) * 100 > percent * true[kind]]
print(len(waits), "waits,", len(wrong), "kinds wrong", *wrong, sep="\n# " if wrong else " ")
sys.exit(bool(wrong) or not waits or not kinds)
