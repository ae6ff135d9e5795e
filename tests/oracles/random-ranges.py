# SPDX-License-Identifier: Apache-2.0
"""Writes a Kineto trace of ranges that overlap as they like, with calls and kernels; or of many inside each other.

    random-ranges.py SEED TRACE
    random-ranges.py nested N TRACE : N ranges of one name, each in the one before, and N kernels in all of them
    random-ranges.py distinct N TRACE : the same of N names
    random-ranges.py outlasted N TRACE : as nested, and a call with a kernel that outlasts all of them
"""
import json
import random
import sys


def call(events, thread, ts, dur, number, name, begin, length):
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": thread, "ts": ts, "dur": dur,
                   "args": {"correlation": number}})
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": begin, "dur": length,
                   "args": {"correlation": number, "stream": 7, "device": 0}})


def annotation(events, thread, name, ts, dur):
    events.append({"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": thread, "ts": ts, "dur": dur})


def some(rng):
    events, number = [], 0
    for thread in (1, 2, 3):
        for _ in range(rng.randrange(1, 60)):
            annotation(events, thread, f"r{rng.randrange(6)}", rng.randrange(500), rng.randrange(200))
        ts = 0
        for _ in range(rng.randrange(80)):
            number += 1
            ts += rng.randrange(12)
            call(events, thread, ts, rng.choice([0, 1, 2, 5, 60]) if rng.random() < 0.2 else 1, number,
                 f"k{rng.randrange(5)}", ts + 3 + rng.randrange(20), rng.randrange(9))
    rng.shuffle(events)
    return events


def nested(n, is_distinct):
    events = []
    for i in range(n):
        annotation(events, 1, f"r{i}" if is_distinct else "r", i, 12 * n - 2 * i)
    for k in range(n):
        call(events, 1, n + k * 10, 2, k + 1, f"k{k % 7}", n + k * 10 + 3, 1 + k % 5)
    return events


def main():
    how = sys.argv[1]
    if how in ("nested", "distinct", "outlasted"):
        n = int(sys.argv[2])
        events = nested(n, how == "distinct")
        if how == "outlasted":
            call(events, 1, n - 1, 20 * n, n + 1, "long", 13 * n, 5)
    else:
        events = some(random.Random(int(how)))
    with open(sys.argv[-1], "w") as file:
        json.dump({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}, file)


main()
