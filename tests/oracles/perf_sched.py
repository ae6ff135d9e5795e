#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the rows of a database with what perf says of the same recording (data/recorded/perf_sched.py).

    perf_sched.py DATABASE TABLE

perf's table of the scheduler has microseconds: a stretch may differ by one. The rest is equal to the nanosecond.
"""
import json
import sqlite3
import sys

ROWS = """SELECT p.label, t.tid, n.op_name, n.sub_op, e.ts_ns, e.dur_ns, (SELECT v.args FROM event v WHERE v.id = e.id) FROM event_row e JOIN thread_row t ON t.id = e.thread
  JOIN process_row p ON p.id = t.process JOIN name_row n ON n.id = e.name"""

ended, ready, spans = {}, {}, set()
n_instants = n_placed = 0
for label, tid, op, sub, begin, took, args in sqlite3.connect(sys.argv[1]).execute(ROWS):
    if took is None:
        # The kernel's own word for the thread that was interrupted or that acted; of the idle one 0, which is one of each processor.
        actor = json.loads(args)["common_pid"]
        n_placed += tid == (str(actor) if actor else "cpu " + tid[4:])
        n_instants += 1
        continue
    if sub == "running":
        ended[tid, (begin + took) // 1000] = (begin, took)
    elif sub == "ready":
        ready[tid, begin + took] = took
    elif op in ("irq", "softirq"):
        number = json.loads(args)["irq" if op == "irq" else "vec"]
        spans.add((op, int(tid.split()[1]), number, begin, begin + took))
    elif op == "block":
        spans.add((op, json.loads(args)["sector"], sub, begin, begin + took))

n_right, wrong, last = {}, [], None
for line in open(sys.argv[2]):
    kind, *rest = line.rstrip("\n").split("\t")
    if kind == "run":
        tid, end, us = rest[0], int(rest[1]), int(rest[2])
        last = next((ended[tid, at] for at in (end, end - 1, end + 1) if (tid, at) in ended), None)
        # perf gives no length to the first stretch of a thread that ran before the recording began.
        is_right = last is not None and (us == 0 or abs(last[1] / 1000 - us) <= 1.1)
    elif kind == "delay":
        is_right = last is not None and abs(ready.get((rest[0], last[0]), 0) / 1000 - int(rest[1])) <= 1.1
    else:
        number = int(rest[1]) if kind != "block" else rest[1]
        is_right = (kind, int(rest[0]), number, int(rest[2]), int(rest[3])) in spans
    n_right[kind] = n_right.get(kind, 0) + is_right
    if not is_right:
        wrong.append(line.rstrip("\n"))

if n_placed != n_instants:
    wrong.append(f"{n_placed} of {n_instants} events are on the thread that common_pid says")
n_right["instant"] = n_placed
print(" ".join(f"{kind} {n}" for kind, n in sorted(n_right.items())))
for line in wrong:
    print("wrong:", line)
sys.exit(bool(wrong))
