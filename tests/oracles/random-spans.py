# SPDX-License-Identifier: Apache-2.0
"""Writes a Chrome trace of one source: spans of two processes and five threads in each other, of few names, so that many are inside another
of their own, some of no length. 'crossed': a few cross others.

    random-spans.py SEED N [crossed]
"""

import json
import random
import sys


def fill(events, n, thread, begin, end, depth):
    at = begin
    while at < end and len(events) < n:
        until = min(end, at + random.choice([0, 1, 2, 5, 20, 200, 3000]))
        if random.random() < 0.5:
            events.append({"ph": "X", "pid": thread % 2, "tid": thread, "name": "n%d" % random.randint(0, 6), "ts": at, "dur": until - at})
            if until > at and depth < 15:
                fill(events, n, thread, at, until, depth + 1)
        at = until + random.choice([0, 0, 1, 3, 50])


def main():
    random.seed(int(sys.argv[1]))
    n = int(sys.argv[2])
    events = []
    for thread in range(5):
        fill(events, n * (thread + 1) // 5, thread, random.randint(0, 500), 10**7, 0)
    if sys.argv[3:] == ["crossed"]:
        for i in range(20):
            events.append({"ph": "X", "pid": 1, "tid": 1, "name": "n%d" % (i % 7), "ts": 37 * i, "dur": 90})
    json.dump({"traceEvents": events}, sys.stdout)


main()
