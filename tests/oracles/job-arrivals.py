# SPDX-License-Identifier: Apache-2.0
"""Who comes late to the collectives of a training job, from the Horovod timelines in its directory alone.

usage: job-arrivals.py DIRECTORY

Prints, as `tracetool imbalance --show collectives --format csv --unit ns` does, sorted: calls, ranks, sum, least, greatest
skew, paid, the latest rank, how often it was that, what it cost, the function. Clocks of hosts are aligned by the end of
the last Sync: the one instant that all ranks share.
"""
import glob
import json
import os
import re
import sys
from decimal import Decimal


def text_of(path):
    with open(path, encoding="utf-8") as stream:
        text = stream.read().rstrip().rstrip(",")
    return text if text.endswith("]") else text + "]"


def waits_of(path):
    """[(function, begin, end)] in us: the waits in Sync that begin together are one, as long as the first; those that a
    stock Horovod writes stand with their tensor."""
    names, open_waits, syncs, found = {}, {}, {}, []
    for event in json.loads(text_of(path), parse_float=Decimal):
        pid = event.get("pid")
        if event["ph"] == "M" and event["name"] == "process_name" and event["args"].get("name"):
            names[pid] = event["args"]["name"]
        elif event["ph"] == "B":
            open_waits.setdefault(pid, []).append((event["name"], event["ts"]))
        elif event["ph"] == "E" and open_waits.get(pid):
            word, begin = open_waits[pid].pop(0 if names.get(pid) == "Sync" else -1)
            tensor = re.sub(r"_\d+$", "", names.get(pid, "").rsplit(".", 1)[-1])
            if names.get(pid) == "Sync":
                syncs.setdefault(begin, []).append((word, event["ts"]))
            elif word.startswith("NEGOTIATE"):
                found.append((f"Comm.{tensor}.{word}", begin, event["ts"]))
    for begin, of in syncs.items():
        ids = "+".join(sorted((re.sub(r"_\d+$", "", word.rsplit(".", 1)[-1]) for word, _ in of), key=int))
        found.append((f"Comm.{ids}.Sync", begin, of[0][1]))
    return found


def main():
    ranks, last = {}, {}
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "host*", "*", "comm.json"))):
        host, local = path.split(os.sep)[-3:-1]
        ranks[host, int(local)] = waits_of(path)
        last[host] = max(last.get(host, 0), max(end for _, _, end in ranks[host, int(local)]))
    first_host = min(last)
    calls = {}
    for rank, key in enumerate(sorted(ranks)):
        shift = last[first_host] - last[key[0]]
        count = {}
        for function, begin, end in sorted(ranks[key], key=lambda wait: wait[1]):
            k = count[function] = count.get(function, -1) + 1
            calls.setdefault(function, {}).setdefault(k, {})[rank] = (begin + shift, end + shift)
    for function in sorted(calls):
        skews, paid, times, cost = [], 0, {}, {}
        for part in calls[function].values():
            first, latest = min(p[0] for p in part.values()), max(p[0] for p in part.values())
            who = min(rank for rank in part if part[rank][0] == latest)
            lost = sum(max(0, min(latest, p[1]) - p[0]) for p in part.values())
            skews.append(latest - first)
            paid += lost
            if latest > first:
                times[who] = times.get(who, 0) + 1
                cost[who] = cost.get(who, 0) + lost
        worst = min(times, key=lambda rank: (-cost[rank], rank)) if times else ""
        sums = [int(us * 1000) for us in (sum(skews), min(skews), max(skews), paid)]
        print(len(skews), max(len(p) for p in calls[function].values()), *sums, worst, times.get(worst, 0),
              int(cost.get(worst, 0) * 1000), function, sep=",")


main()
