# SPDX-License-Identifier: Apache-2.0
"""Pairs of runs to compare.

usage: compare-pairs.py SEED A.tsv B.tsv     made-up spans, as tests/store/load-events reads them
       compare-pairs.py stretch NAME NS TRACE.json OUT.json

stretch: in a trace of tracetool in Chrome's format every span of that name lasts NS longer, and with it what it is in;
what follows on its thread is later. Nothing else changes.
"""
import json
import random
import sys
from bisect import bisect_right
from collections import defaultdict
from decimal import Decimal

NAMES = ["COMP\tf\t", "COMP\tg\t", "COMP\th<int>\t", "Comm\tMPI_Send\tSEND", "Comm\tMPI_Recv\tRECV", "SYNC\tw\t",
         "I/O\tread\t", "FW\tlayer 1\t", "BW\tlayer 1\t", "COMP\t\"quoted\", too\t"]


def lengths(r, like):
    """Durations of one operation in one run; @like: those of the other run, or None."""
    n = r.choice([0, 1, 1, 2, 2, 3, 5, 20, 300])
    kind = r.randrange(5)
    if kind == 0 and like:
        return [x + r.choice([0, 0, 0, 1]) for x in like]
    if kind == 1:
        return [r.choice([0, 7, 1000])] * n
    if kind == 2:
        return [10**15 + r.randrange(3) for _ in range(n)]
    if kind == 3:
        mean = 10 ** r.randrange(1, 10)
        return [max(0, int(r.gauss(mean, mean / 10))) for _ in range(n)]
    return [int(r.expovariate(1e-6)) for _ in range(n)]


def made_up(seed, paths):
    r = random.Random(seed)
    runs = [[], []]
    for name in r.sample(NAMES, r.randrange(2, len(NAMES) + 1)):
        like = None
        for run in runs:
            like = lengths(r, like)
            at = 0
            for length in like:
                run.append(f"p{r.randrange(3)}\tt{len(run)}\t{name}\t\t{at}\t{length}\t\n")
                at += length + 1
    for path, lines in zip(paths, runs):
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(lines or ["p0\tt\tCOMP\tonly\t\t\t0\t1\t\n"])


def stretch(name, extra, source, target):
    with open(source, encoding="utf-8") as f:
        trace = json.load(f, parse_float=Decimal)
    events = [e for e in trace["traceEvents"] if e.get("ph") == "X"]
    ends = defaultdict(list)
    for e in events:
        if e["name"] == name:
            ends[e["pid"], e["tid"]].append(Decimal(e["ts"]) + Decimal(e["dur"]))
    for es in ends.values():
        es.sort()
    for e in events:
        thread = ends[e["pid"], e["tid"]]
        begin, end = Decimal(e["ts"]), Decimal(e["ts"]) + Decimal(e["dur"])
        begin, end = (t + Decimal(extra * bisect_right(thread, t)) / 1000 for t in (begin, end))
        e["ts"], e["dur"] = begin, end - begin
    trace["traceEvents"] = [e for e in trace["traceEvents"] if e.get("ph") in ("X", "M")]
    with open(target, "w", encoding="utf-8") as f:
        # Decimals as they are: no double has nanoseconds since 1970.
        f.write(json.dumps(trace, default=lambda d: f"@{d}@").replace('"@', "").replace('@"', ""))
    print(sum(len(es) for es in ends.values()))


if __name__ == "__main__":
    if sys.argv[1] == "stretch":
        stretch(sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
    else:
        made_up(int(sys.argv[1]), sys.argv[2:])
