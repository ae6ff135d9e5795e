#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same-waits.py [--within PERCENT] [--ns] TRUTH WAITS [KIND...]: whether the waits of each kind are, to the nanosecond, those of a simulated run.
And those of each rank, cause, name, cause's name and call path, as far as WAITS has columns of them.

TRUTH is truth.json of mpi_simulator.py with --format tau --resolution ns, whose times TAU's reader takes for
microseconds, or (--ns) of one whose times are taken as they are; WAITS what `waits --format csv --unit ns --top 0` prints of its trace. KINDs are left out."""
import collections
import csv
import json
import sys

percent = 0
if sys.argv[1] == "--within":
    percent = int(sys.argv[2])
    del sys.argv[1:3]
unit_ns = 1000
if sys.argv[1] == "--ns":
    unit_ns = 1
    del sys.argv[1]
with open(sys.argv[1], encoding="ascii") as file:
    waits = json.load(file)["waits"]
true, ours = collections.Counter(), collections.Counter()


def plain(name):
    """of the trace and of us"""
    return name.split(".", 1)[1].split(".", 1)[0] if "." in name[1:] else name.removesuffix("()").replace(".TAU", "_TAU")


TRUE = {"rank": lambda wait: str(wait["rank"]), "cause": lambda wait: str(wait["because_of"]), "name": lambda wait: plain(wait["name"]),
        "cause_name": lambda wait: plain(wait["cause_name"]), "path": lambda wait: " => ".join(map(plain, wait["path"]))}
OURS = {"rank": str, "cause": str, "name": plain, "cause_name": plain, "path": lambda path: " => ".join(map(plain, path.split(" => ")))}
with open(sys.argv[2], encoding="utf-8") as file:
    rows = csv.DictReader(file)
    keys = [key for key in TRUE if key in rows.fieldnames]
    for row in rows:
        ours[(row["kind"], *(OURS[key](row[key]) for key in keys))] += int(row["wait_ns"]) // unit_ns
for wait in waits:
    true[(wait["kind"], *(TRUE[key](wait) for key in keys))] += wait["ns"]
kinds = {key for key in set(true) | set(ours) if key[0] not in sys.argv[3:]}
wrong = [f"{kind}: {ours[kind]} ns, in truth {true[kind]}" for kind in sorted(kinds) if abs(ours[kind] - true[kind]) * 100 > percent * true[kind]]
print(len(waits), "waits,", len(wrong), "kinds wrong", *wrong, sep="\n# " if wrong else " ")
sys.exit(bool(wrong) or not waits or not kinds)
