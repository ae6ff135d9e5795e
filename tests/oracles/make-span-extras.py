#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a random trace of spans with flows that they name and the clock of their thread: make-span-extras.py SEED

No two spans begin at one time, so that an order of events of one time does not matter.
"""
import json
import random
import sys

rng = random.Random(int(sys.argv[1]))
events, now = [], {"ts": 0}


def decorate(event):
    if rng.random() < 0.7:
        event["bind_id"] = rng.choice(["0x%x" % rng.randint(1, 6), rng.randint(1, 3)])
        for key in ("flow_in", "flow_out"):
            if rng.random() < 0.6:
                event[key] = rng.choice([True, True, True, False])
    return event


def make(tid, clock, depth):
    """A span and those inside it; returns the clock of the thread after it."""
    begin, first = now["ts"], clock
    event = decorate({"name": "n%d" % rng.randint(1, 9), "pid": 1, "tid": tid, "ts": begin})
    now["ts"] += rng.randint(1, 4)
    clock += rng.choice([0, 0.5, 1.25])
    for _ in range(rng.randint(0, 3) if depth < 4 else 0):
        clock = make(tid, clock, depth + 1) + rng.choice([0, 0.75])
        now["ts"] += rng.randint(1, 3)
    knows = rng.random() < 0.8
    if rng.random() < 0.5:
        event.update(ph="X", dur=now["ts"] - begin, **({"tts": first, "tdur": clock - first} if knows else {}))
    else:
        event.update(ph="B", **({"tts": first} if knows else {}))
        end = {"name": event["name"], "ph": "E", "pid": 1, "tid": tid, "ts": now["ts"]}
        events.append(end | ({"tts": clock} if rng.random() < 0.9 else {}))
    events.append(event)
    return clock


for tid in (1, 2, 3):
    clock = 5
    for _ in range(4):
        clock = make(tid, clock, 0)
        now["ts"] += 2
rng.shuffle(events)
json.dump({"traceEvents": events}, sys.stdout)
