#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges `waits --by name,rank --format csv --unit ns --top 0` of a training job over Sync: DATABASE WAITS.csv

From the spans alone: the k-th Sync of a group is one call of all ranks; who has come waits until the last comes, at most to
the own end.
"""
import collections
import csv
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
calls = collections.defaultdict(lambda: collections.defaultdict(list))
for pid, name, begin, length in database.execute(
        "SELECT pid, name, ts_ns, dur_ns FROM event WHERE name LIKE 'Comm.%.Sync' ORDER BY ts_ns"):
    calls[name][pid].append((begin, begin + length))
ranks = dict(database.execute("SELECT pid, rank FROM rank"))
wanted = collections.Counter()
for name, parts in calls.items():
    for members in zip(*parts.values()):
        last = max(begin for begin, _ in members)
        for pid, (begin, end) in zip(parts, members):
            wanted[name, ranks[pid]] += max(min(last, end) - begin, 0)
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    told = {(row["name"], row["rank"]): int(row["wait_ns"]) for row in csv.DictReader(file) if row["name"].endswith(".Sync")}
wanted = {key: ns for key, ns in wanted.items() if ns > 0}
print(len(wanted), "rows,", sum(wanted.values()), "ns; told", sum(told.values()))
sys.exit(wanted != told or not told)
