#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Three ranks whose calls of gloo cross each other: what each pays, every moment of it once.

    crossing.py write SEED                     crossing0.json ... here
    crossing.py judge SEED < ranks.csv         of imbalance --show ranks --unit ns

The k-th calls by begin belong together, and no rank is done before all have come.
"""
import csv, json, random, sys

def spans(seed):
    rnd = random.Random(int(seed))
    begins, now = [], [1000] * 3
    for _ in range(30):
        now = [t + rnd.randint(1, 300) for t in now]
        begins.append(now)
    return [[(begin[rank], max(begin) + rnd.randint(1, 900)) for begin in begins] for rank in range(3)]

ranks = spans(sys.argv[2])
if sys.argv[1] == "write":
    for rank, calls in enumerate(ranks):
        events = [{"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 50 + rank, "tid": 7, "ts": b, "dur": e - b, "args": {}}
                  for b, e in calls]
        with open("crossing%d.json" % rank, "w") as out:
            json.dump({"schemaVersion": 1, "distributedInfo": {"rank": rank, "backend": "gloo"}, "baseTimeNanoseconds": 0, "traceEvents": events}, out)
else:
    shared = 0
    told = {int(row["rank"]): row for row in csv.DictReader(sys.stdin)}
    for rank, calls in enumerate(ranks):
        moments, total = set(), 0
        for k, (begin, end) in enumerate(calls):
            until = min(end, max(r[k][0] for r in ranks))
            total += max(until - begin, 0)
            moments.update(range(begin, until))
        shared += total - len(moments)
        assert int(told[rank]["paid_ns"]) == 1000 * len(moments), (rank, told[rank], len(moments), total)
    assert sum(int(row["caused_ns"]) for row in told.values()) == sum(int(row["paid_ns"]) for row in told.values())
    assert shared > 0
    print("# %d us in several calls" % shared)
