#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A random trace of trace-event JSON whose spans nest, cross, touch and have no length: crossing-trace.py SEED FILE"""
import json
import random
import sys


def complete(rng, pid, tid):
    """Whole spans, some of which cross."""
    for _ in range(rng.randrange(1, 40)):
        yield {"ph": "X", "pid": pid, "tid": tid, "name": rng.choice("abcde;\n"), "ts": rng.randrange(0, 30),
               "dur": rng.choice([0, 1, 2, 5, 10, rng.randrange(0, 30)])}


def nested(rng, pid, tid, begin, end, depth):
    """Begins and ends that nest."""
    at = begin
    while at < end and rng.random() < 0.8:
        first = rng.randrange(at, end)
        last = rng.randrange(first, end + 1)
        name = rng.choice("abcfg")
        yield {"ph": "B", "pid": pid, "tid": tid, "name": name, "ts": first}
        if depth < 6:
            yield from nested(rng, pid, tid, first, last, depth + 1)
        yield {"ph": "E", "pid": pid, "tid": tid, "name": name, "ts": last}
        at = last


def asynchronous(rng, pid, tid):
    for number in range(rng.randrange(0, 8)):
        begin = rng.randrange(0, 30)
        for phase, ts in (("b", begin), ("e", begin + rng.randrange(0, 20))):
            yield {"ph": phase, "cat": "x", "id": number, "pid": pid, "tid": tid, "name": "later", "ts": ts}


def main():
    rng = random.Random(int(sys.argv[1]))
    events = [{"ph": "i", "s": "t", "pid": 1, "tid": 1, "name": "now", "ts": 3}]
    for pid in range(1, rng.randrange(2, 4)):
        for tid in range(1, rng.randrange(2, 5)):
            kind = rng.randrange(3)
            if kind != 1:
                events += complete(rng, pid, tid)
            if kind != 0:
                events += nested(rng, pid, tid, 0, 40, 0)
            events += asynchronous(rng, pid, tid)
    if rng.random() < 0.5:
        events.append({"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "work;er 1"}})
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(events, file)


main()
