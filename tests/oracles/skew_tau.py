#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives the ranks of a TAU trace clocks that are wrong, and judges what a reader makes of them.

  skew_tau.py make FOLDER OUTPUT RANK=OFFSET_US[:PPM[:JUMP_US]]...
      copies the per-rank files of FOLDER; each named rank's times are moved by the offset, grow by the drift from the
      run's first time on, and jump in the middle of the run
  skew_tau.py judge TRUE.db CORRECTED.db LATENCY_NS
      compares the begin of each span in two databases of the same trace, the first from the files that nobody changed:
      rank by rank, after the median difference of the first rank, which keeps its time. Prints what is wrong; exits
      with 1 where a rank is off by more than the latency.
"""
import os
import shutil
import sqlite3
import statistics
import struct
import sys

RECORD = struct.Struct("<iHHqQ")


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return [list(RECORD.unpack_from(data, at)) for at in range(0, len(data), RECORD.size)]


def make(folder, output, changes):
    skews = {}
    for change in changes:
        rank, values = change.split("=")
        skews[int(rank)] = [float(v) for v in values.split(":")] + [0, 0]
    os.makedirs(output)
    streams = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith("tautrace."):
            streams[name] = read(os.path.join(folder, name))
        elif name.startswith("events."):
            shutil.copy(os.path.join(folder, name), output)
    times = [r[4] for records in streams.values() for r in records if r[4] > 10**6]
    first, last = min(times), max(times)
    for name, records in streams.items():
        offset, ppm, jump = skews.get(int(name.split(".")[1]), [0, 0, 0])[:3]
        with open(os.path.join(output, name), "wb") as file:
            for record in records:
                true = record[4]
                if true > 10**6:
                    record[4] = round(true + offset + (true - first) * ppm / 1e6 +
                                      (jump if true > (first + last) // 2 else 0))
                file.write(RECORD.pack(*record))


def begins(path):
    rows = sqlite3.connect(path).execute(
        "SELECT pid, id, ts_ns FROM event WHERE dur_ns IS NOT NULL ORDER BY pid, tid, own_ts_ns, id")
    times = {}
    for pid, _, ns in rows:
        times.setdefault(pid, []).append(ns)
    return times


def judge(true_path, corrected_path, latency):
    true, corrected = begins(true_path), begins(corrected_path)
    ranks = sorted(true)
    base = statistics.median(b - a for a, b in zip(true[ranks[0]], corrected[ranks[0]]))
    bad = 0
    for rank in ranks:
        off = sorted(b - a - base for a, b in zip(true[rank], corrected[rank]))
        worst = max(-off[0], off[-1])
        bad += worst > latency
        print(f"{rank}\t{worst:.0f} ns off at most, {statistics.median(off):.0f} in the median")
    return 1 if bad else 0


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(judge(sys.argv[2], sys.argv[3], int(sys.argv[4])))
