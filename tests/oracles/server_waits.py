#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs of BytePS with one part and one server, whose workers wait for each other and for the server.

    server_waits.py judge DATABASE WAITS.csv   WAITS: `waits --by rank,cause --format csv --unit ns --top 0`
    server_waits.py pause FOLDER US            all stands still for that long at each COPY_MERGED's end, which so lasts longer

The server answers a pull when all have pushed and it has summed. The pause of a worker's operators before its first update is
waiting for the worker that pushed last until that push had arrived, then for the server until it begins to answer.
"""
import collections
import csv
import glob
import gzip
import json
import os
import sqlite3
import sys


def wanted(path):
    spans = collections.defaultdict(list)
    for pid, name, step, begin, length in sqlite3.connect(path).execute("SELECT pid, name, step, ts_ns, dur_ns FROM event ORDER BY ts_ns"):
        spans[pid].append((name, step, begin, begin + length))
    ranks = sorted(pid for pid in spans if pid.startswith("traces_"))
    found = collections.Counter()

    def nth(pid, what, step):
        return next((begin, end) for name, of, begin, end in spans[pid] if of == step and name.endswith(what))
    for step in sorted({step for _, step, _, _ in spans[ranks[0]] if step is not None}):
        pushed = [nth(f"worker_{w}::server_0", ".PUSH_REQ", step)[1] for w in range(len(ranks))]
        server = next(pid for pid in spans if pid.startswith("server_0_t") and any(n.endswith("COPY_MERGED") for n, *_ in spans[pid]))
        last = max(range(len(ranks)), key=lambda w: pushed[w])
        for w, pid in enumerate(ranks):
            own = [span for span in spans[pid] if span[1] == step and not span[0].startswith("I/O")]
            at = next(i for i, span in enumerate(own) if span[0].startswith("UPDATE_"))
            begin, update = own[at - 1][3], own[at][2]
            answer = nth(f"server_0::worker_{w}", ".PULL_RES", step)[0]
            if last != w:
                found[str(w), str(last)] += max(min(pushed[last], update) - begin, 0)
            # Who asked after the server was done waits for nobody.
            if nth(f"worker_{w}::server_0", ".PULL_REQ", step)[1] <= nth(server, "COPY_MERGED", step)[1]:
                found[str(w), server] += max(min(answer, update) - max(begin, pushed[last]), 0)
    return +found


def judge(path, waits):
    true = wanted(path)
    with open(waits, encoding="utf-8", newline="") as file:
        told = {(row["rank"], row["cause"]): int(row["wait_ns"]) for row in csv.DictReader(file)}
    print(len(true), "pairs,", sum(true.values()), "ns; told", sum(told.values()))
    for key in sorted(set(true) | set(told)):
        if true[key] != told.get(key):
            print(*key, told.get(key), "in truth", true[key])
    return true != told or not true


def pause(folder, us):
    with open(os.path.join(folder, "server_timeline.json"), encoding="utf-8") as file:
        ends = sorted(e["ts"] for e in json.load(file)["traceEvents"] if e["ph"] == "E" and e["name"].endswith("COPY_MERGED"))
    for path in glob.glob(os.path.join(folder, "**", "*.json*"), recursive=True):
        opener = gzip.open if path.endswith(".gz") else open
        with opener(path, "rt", encoding="utf-8") as file:
            trace = json.load(file)
        if not isinstance(trace, dict) or "traceEvents" not in trace:
            continue
        for event in trace["traceEvents"]:
            if "ts" in event:
                event["ts"] = round(event["ts"] + us * sum(end <= event["ts"] for end in ends), 3)
        with opener(path, "wt", encoding="utf-8") as file:
            json.dump(trace, file)


if __name__ == "__main__":
    if sys.argv[1] == "judge":
        sys.exit(judge(*sys.argv[2:]))
    pause(sys.argv[2], float(sys.argv[3]))
