#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recordings of data/recorded/mpi by clocks that are wrong, judged by the recording as it is.

  skew_recorded.py make RECORDING FOLDER OFFSET_US [PPM [JUMP_US]]
      copies tau.trc.gz and tau.edf.gz. The clock of rank r is ahead by OFFSET_US times FACTORS[r], drifts by PPM times
      that, and is set by JUMP_US times that in the middle of the run; rank 0's is right
  skew_recorded.py same TRUE SKEWED [PERCENT]
      what `waits` and `critical-path` say of the recording and of its copy: prefixes of files PREFIX.waits
      (--by rank,kind --format csv), PREFIX.causes (--show causes --format csv) and PREFIX.path (--format json), all in ns
      and without --top. Each wait and cost may differ by PERCENT (2) of all waits, of a tenth of the path at the least; each
      operation on the path by that of the path. Waits in calls with a root are one, for the trace does not name the root.
  skew_recorded.py known DATABASE OFFSET_US [PPM]
      how far the view `clock` says that a clock may be wrong is no less than it is, at the begin and the end of each rank
  skew_recorded.py possible DATABASE
      the times of the views break no rule: a message is received after it was sent, and nobody leaves a barrier,
      allreduce or fence before all have come. Then the recording may have been so: it does not tell that it was not
"""
import collections
import csv
import gzip
import json
import os
import shutil
import sqlite3
import struct
import sys

RECORD = struct.Struct("<iHHqQ")
FACTORS = (0, 1, -1, 0.5, -0.5, 0.75, -0.25)


def make(recording, folder, offset, ppm=0, jump=0):
    with gzip.open(os.path.join(recording, "tau.trc.gz")) as file:
        records = [list(record) for record in RECORD.iter_unpack(file.read())]
    times = [record[4] for record in records if record[4] > 10**6]
    first, last = min(times), max(times)
    moved = []
    for record in records:
        factor, true = FACTORS[record[1] % len(FACTORS)], record[4]
        if true > 10**6:
            record[4] = round(true + factor * (offset + (true - first) * ppm / 1e6 +
                                               (jump if true > (first + last) // 2 else 0)))
        moved.append(record)
    moved.sort(key=lambda record: record[4])
    os.makedirs(folder)
    with gzip.open(os.path.join(folder, "tau.trc.gz"), "wb") as file:
        for record in moved:
            file.write(RECORD.pack(*record))
    shutil.copy(os.path.join(recording, "tau.edf.gz"), folder)


ROOTED = "early reduce", "late broadcast", "wait in sync"


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read(prefix):
    """What is compared: tables of sums, each with the whole of which a part is told."""
    waits, causes, path = collections.Counter(), collections.Counter(), collections.Counter()
    for row in rows(prefix + ".waits"):
        waits[row["rank"], "rooted" if row["kind"] in ROOTED else row["kind"]] += int(row["wait_ns"])
    for row in rows(prefix + ".causes"):
        causes[row["pid"], row["path"]] += int(row["cost_ns"])
    with open(prefix + ".path", encoding="utf-8") as file:
        told = json.load(file)
    for row in told["ops"]:
        path[row["name"]] += row["time_ns"]
    length = round(told["path_us"] * 1000)
    whole = max(sum(waits.values()), length / 10)
    return {"waits": (waits, whole), "causes": (causes, whole), "path": (path, length)}


def same(true_prefix, skewed_prefix, percent=2.0):
    true, skewed, bad = read(true_prefix), read(skewed_prefix), False
    for name, (table, whole) in true.items():
        other = skewed[name][0]
        off = sorted(((abs(other[key] - table[key]) * 100 / max(whole, 1), key) for key in set(table) | set(other)), reverse=True)
        bad |= off[0][0] > percent if off else name == "path"
        print(f"{name} {off[0][0] if off else 0:.2f} %", "" if not off else off[0][1])
    return bad


def known(path, offset, ppm=0):
    """Clocks that nothing ties to those before are not told, and neither is how far what is tied to them may be off node0."""
    database, bad, told = sqlite3.connect(path), False, 0
    ranks = database.execute("SELECT pid, min(own_ts_ns), max(own_ts_ns + ifnull(own_dur_ns, 0)) FROM event GROUP BY pid").fetchall()
    first = min(rank[1] for rank in ranks)
    clocks = {row[0]: row[1:] for row in
              database.execute("SELECT pid, offset_ns, drift_ns, residual_ns, bounds FROM clock")}
    apart = any(residual is None and bounds > 0 for _, _, residual, bounds in clocks.values())
    for pid, begin, end in ranks:
        shift, drift, residual, _ = clocks[pid]
        if residual is None or apart:
            continue
        factor, told = FACTORS[int(pid.removeprefix("node")) % len(FACTORS)], told + 1
        off = max(abs(shift + grown + factor * (offset * 1000 + (at - first) * ppm / 1e6))
                  for at, grown in ((begin, 0), (end, drift)))
        bad |= off > residual + 2000  # TAU has whole microseconds
        print(f"{pid} is off by {off:.0f} ns, told {residual}")
    return bad or told + apart == 0


def possible(path):
    database = sqlite3.connect(path)
    early = [row[0] - row[1] for row in database.execute("SELECT send_ns, recv_ns FROM message")]
    calls = collections.defaultdict(list)
    for function, comm, ordinal, begin, length in database.execute(
            "SELECT c.function, c.comm, c.ordinal, e.ts_ns, e.dur_ns FROM collective c JOIN event e ON e.id = c.event "
            "WHERE c.function IN ('MPI_Barrier', 'MPI_Allreduce', 'MPI_Win_fence') "
            "AND c.comm IS NOT NULL"):  # else it is not known who takes part
        calls[function, comm, ordinal].append((begin, begin + length))
    for members in calls.values():
        early += [max(member[0] for member in members) - end for _, end in members]
    print(len(early), "bounds, broken:", [ns for ns in early if ns > 0])
    return any(ns > 0 for ns in early)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3], *map(float, sys.argv[4:]))
    elif sys.argv[1] == "known":
        sys.exit(known(sys.argv[2], *map(float, sys.argv[3:])))
    elif sys.argv[1] == "possible":
        sys.exit(possible(sys.argv[2]))
    else:
        sys.exit(same(sys.argv[2], sys.argv[3], *map(float, sys.argv[4:])))
