#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges the measured path of several PyTorch ranks.

    rank_path.py move OFFSET_US TRACE OUT.json      a copy of a trace whose clock is ahead by that
    rank_path.py planted DATABASE SEGMENTS.csv RANK NAME [BEFORE]
    rank_path.py simulated TRUTH.json RANKS.csv OPS.csv PERCENT

planted: what rank RANK of a real recording did under NAME, or, with BEFORE, between the end of NAME and the begin of the next
BEFORE, made the others wait; so each of these stretches lies on the path, on that rank, to 98 %. Segments are in us.
simulated: path times by rank and by operation are within PERCENT of the run of those of mpi_simulator.py. Tables are in ns.
"""
import collections
import csv
import gzip
import json
import sqlite3
import sys


def move(offset_us, source, target):
    trace = json.load((gzip.open if source.endswith(".gz") else open)(source, "rt"), parse_float=str)
    trace["baseTimeNanoseconds"] += offset_us * 1000
    for event in trace["traceEvents"]:
        for key in ("ts", "dur"):
            if isinstance(event.get(key), str):
                event[key] = float(event[key])
    with open(target, "w", encoding="ascii") as file:
        json.dump(trace, file)


def stretches(db, rank, name, before):
    rows = db.execute("SELECT name, ts_ns, dur_ns FROM event WHERE pid LIKE ? AND dur_ns IS NOT NULL AND name IN (?, ?) ORDER BY ts_ns",
                      ("rank%s.%%" % rank, name, before)).fetchall()
    if before is None:
        return [(ts, ts + dur) for _, ts, dur in rows]
    return [(a[1] + a[2], b[1]) for a, b in zip(rows, rows[1:]) if (a[0], b[0]) == (name, before)]


def planted(database, segments, rank, name, before=None):
    db = sqlite3.connect("file:%s?mode=ro" % database, uri=True)
    first, = db.execute("SELECT min(ts_ns) FROM event WHERE id NOT IN (SELECT event FROM activity WHERE role = 'tracer')").fetchone()
    pieces = [(first + round(float(row["begin_us"]) * 1000), round(float(row["time_us"]) * 1000))
              for row in csv.DictReader(open(segments)) if row["pid"].startswith("rank%s." % rank)]
    wanted = stretches(db, rank, name, before)
    shares = []
    for begin, end in wanted:
        on_path = sum(max(0, min(end, at + ns) - max(begin, at)) for at, ns in pieces)
        shares.append(on_path / (end - begin))
    total = sum(end - begin for begin, end in wanted) / 1e6
    print("%d stretches of %.1f ms, on the path by at least %.2f %%" % (len(wanted), total, 100 * min(shares, default=0)))
    return len(wanted) > 0 and total > 50 and min(shares) > 0.98


def simulated(truth, ranks, ops, percent):
    truth = json.load(open(truth))
    wanted, found = collections.Counter(), collections.Counter()
    for row in truth["critical_path"]:
        wanted["rank", row["rank"]] += row["ns"]
        wanted["op", row["name"]] += row["ns"]
    for row in csv.DictReader(open(ranks)):
        found["rank", int(row["pid"].split(".")[0][4:])] += int(float(row["time_ns"]))
    for row in csv.DictReader(open(ops)):
        for _, name in [key for key in wanted if key[0] == "op"]:
            if row["name"] == "COMP." + name or row["name"].startswith("Comm." + name):
                found["op", name] += int(float(row["time_ns"]))
    worst = max(abs(wanted[key] - found[key]) for key in {*wanted, *found}) * 100 / truth["run_ns"]
    print("wrong by %.2f %% of the run at most" % worst)
    return worst <= float(percent) and len(wanted) > 2


if __name__ == "__main__":
    if sys.argv[1] == "move":
        move(int(sys.argv[2]), *sys.argv[3:])
    else:
        sys.exit(not {"planted": planted, "simulated": simulated}[sys.argv[1]](*sys.argv[2:]))
