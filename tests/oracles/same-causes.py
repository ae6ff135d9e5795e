#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same-causes.py TRUTH CAUSES [PERCENT]: whether delays cost what they do in a simulated run, within PERCENT (0) of all waits.

TRUTH is truth.json of mpi_simulator.py with --format tau --resolution ns, whose times TAU's reader takes for
microseconds; CAUSES what `waits --show causes --format csv --unit ns --top 0` prints of its trace."""
import collections
import csv
import json
import sys

with open(sys.argv[1], encoding="ascii") as file:
    truth = json.load(file)
percent = float(sys.argv[3]) if len(sys.argv) > 3 else 0
true, ours = collections.Counter(), collections.Counter()
for delay in truth["delays"]:
    path = " > ".join(delay["path"])
    true["node%d" % delay["rank"], path, "direct"] += delay["direct_ns"]
    true["node%d" % delay["rank"], path, "propagated"] += delay["propagated_ns"]
for delay in truth["unexplained"]:
    true["node%d" % delay["rank"], "(not in computation)", "direct"] += delay["direct_ns"]
    true["node%d" % delay["rank"], "(not in computation)", "propagated"] += delay["propagated_ns"]
with open(sys.argv[2], encoding="utf-8") as file:
    for row in csv.DictReader(file):
        ours[row["pid"], row["path"], "direct"] += int(row["direct_ns"])
        ours[row["pid"], row["path"], "propagated"] += int(row["propagated_ns"])
# Whole numbers of 1/1000 ns are shared out otherwise than those of ns.
bound = truth["waiting_ns"] * percent / 100 + len(truth["waits"])
wrong = [(key, ours[key] / 1000, true[key]) for key in set(true) | set(ours) if abs(ours[key] / 1000 - true[key]) > bound]
for key, is_ours, is_true in sorted(wrong):
    print("#", *key, f"{is_ours:.0f} ns, in truth {is_true}")
print(len(truth["delays"]), "delays,", len(wrong), "wrong")
sys.exit(bool(wrong) or not truth["delays"])
