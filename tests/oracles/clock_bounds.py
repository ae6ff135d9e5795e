#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges what `info --format json` says of the bounds of clocks: DATABASE INFO.json [TEXT], of a run of MPI with a thread a rank;
TEXT: of info or waits, which tells by how much any two clocks may differ.

A message is received after it was sent. Nobody leaves a barrier or an allreduce before all have come, or TAU's barrier in
it. Counts must be these; how far a clock may be wrong must be no less than the bounds allow (differences that all of them
allow, by R. Floyd's algorithm), and that where no clock is corrected.
"""
import json
import re
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
with open(sys.argv[2], encoding="utf-8") as file:
    told = {clock["pid"]: clock for clock in json.load(file)["clocks"]}
spans = {row[0]: row[1:] for row in database.execute(
    "SELECT id, pid, raw_name, own_ts_ns, own_dur_ns, ts_ns, dur_ns FROM event WHERE dur_ns IS NOT NULL")}


def sync_of(event):
    pid, _, begin, length, _, _ = spans[event]
    inner = [span for span in spans.values() if span[0] == pid and span[1].strip().startswith("MPI Collective Sync")
             and begin <= span[2] and span[2] + span[3] <= begin + length]
    return inner[0] if inner else spans[event]


bounds = []  # cause's pid, effect's pid; cause and effect by own clocks; by corrected ones
for row in database.execute("SELECT src_pid, dst_pid, own_send_ns, own_recv_ns, send_ns, recv_ns FROM message"):
    bounds.append(row)
n_effects = {pid: sum(bound[1] == pid for bound in bounds) for pid in told}
calls = {}
for function, ordinal, event in database.execute(
        "SELECT function, ordinal, event FROM collective WHERE function IN ('MPI_Allreduce', 'MPI_Barrier')"):
    calls.setdefault((function, ordinal), []).append(sync_of(event))
ends = []  # pid, too early by own clocks, too early by corrected ones
for members in calls.values():
    for pid, _, own, own_length, begin, length in members:
        n_effects[pid] += 1
        ends.append((pid, max(m[2] for m in members) - own - own_length, max(m[4] for m in members) - begin - length))
        for other in members:
            if other[0] != pid:
                bounds.append((other[0], pid, other[2], own + own_length, other[4], begin + length))
for bound in bounds[:sum(n_effects.values()) - len(ends)]:
    ends.append((bound[1], bound[2] - bound[3], bound[4] - bound[5]))

bad = not told or not bounds
for pid, clock in told.items():
    violated = sum(early > 0 for who, early, _ in ends if who == pid)
    bad |= (clock["bounds"], clock["violated"]) != (n_effects[pid], violated)
    print(pid, n_effects[pid], violated, clock)
bad |= any(early > 0 for _, _, early in ends)
print("violated after the correction:", sum(early > 0 for _, _, early in ends))

# most[a, b]: how much clock b can be behind what it shows, of that of a: effect - cause >= 0 with both corrected.
pids = sorted(told)
most = {(a, b): 0 if a == b else float("inf") for a in pids for b in pids}
for source, target, _, _, cause, effect in bounds:
    if source != target:
        most[target, source] = min(most[target, source], effect - cause)
for k in pids:
    for a in pids:
        for b in pids:
            most[a, b] = min(most[a, b], most[a, k] + most[k, b])
is_corrected = any(clock["offset_ns"] or clock["drift_ns"] for clock in told.values())
for pid, clock in told.items():
    doubt = max(most[pids[0], pid], most[pid, pids[0]])
    print(pid, "may be off by", doubt, "ns, told", clock.get("residual_ns"))
    bad |= (doubt == float("inf")) != ("residual_ns" not in clock)
    bad |= "residual_ns" in clock and clock["residual_ns"] < doubt and clock["offset_ns"] == 0 and clock["drift_ns"] == 0
    bad |= not is_corrected and clock.get("residual_ns", doubt) != doubt
if len(sys.argv) > 3:  # what info or waits says of all clocks: any two may differ by so much
    words = re.search(r"(?:differ by|clocks: known to) ([\d.,]+) (ns|us|ms|s)\b", " ".join(open(sys.argv[3]).read().split()))
    told_ns = float(words[1].replace(",", "")) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[words[2]]
    apart = max(most.values())
    print("two may differ by", apart, "ns, told", told_ns)
    bad |= not apart * 0.995 <= told_ns <= 2 * apart  # three digits are told
sys.exit(bad)
