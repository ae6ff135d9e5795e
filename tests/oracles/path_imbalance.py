#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""path_imbalance.py TRUTH EVENTS IMBALANCE [PERCENT]: whether the critical-path imbalance and the impact of operations are
those of a simulated run, within PERCENT (0) of the path times the ranks.

TRUTH is truth.json of mpi_simulator.py with --format tau --resolution ns, whose times TAU's reader takes for
microseconds, and tells the critical path and the waits; EVENTS what `query --format csv "SELECT pid, raw_name, ts_ns,
dur_ns FROM event"` prints of its trace, of which come the self times; IMBALANCE what `critical-path --show imbalance
--format csv --unit ns --top 0` prints.

After D. Boehme, F. Wolf, B. R. de Supinski, M. Schulz, M. Geimer, "Scalable Critical-Path Based Performance Analysis",
and the description of Scalasca's metrics: the imbalance of an activity is what it takes of the critical path beyond its
mean over processes; what a process waits is mapped onto the activities whose time on the path is longer than its own, in
proportion; the part that is between partitions onto those that it never does.
"""
import collections
import csv
import json
import sys
from fractions import Fraction


def plain(name):
    name = name.strip()
    return name.split(".", 1)[1].split(".", 1)[0] if "." in name[1:] else name.removesuffix("()").replace(".TAU", "_TAU")


def self_times(path):
    """{rank: {name: ns}}"""
    spans, times = collections.defaultdict(list), collections.defaultdict(collections.Counter)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            begin = int(row["ts_ns"])
            spans[int(row["pid"].removeprefix("node"))].append((begin, begin + int(row["dur_ns"]), plain(row["raw_name"])))
    for rank, all_of in spans.items():
        stack = []
        for begin, end, name in sorted(all_of, key=lambda span: (span[0], -span[1])):
            while stack and stack[-1][1] <= begin:
                stack.pop()
            times[rank][name] += end - begin
            if stack:
                times[rank][stack[-1][2]] -= end - begin
            stack.append((begin, end, name))
    return times


def impact(on_path, ranks):
    """{name: {column: number}}"""
    rows = collections.defaultdict(collections.Counter)
    names = set(on_path).union(*ranks.values())
    length = sum(on_path.values())
    for name in names:
        mean = Fraction(sum(own[name] for own in ranks.values()), len(ranks))
        rows[name]["mean"] = mean
        rows[name]["on_path"] = on_path[name]
        rows[name]["imbalance"] = max(on_path[name] - mean, 0)
    for own in ranks.values():
        excess = {name: max(on_path[name] - own[name], 0) for name in names}
        never = {name: on_path[name] for name in names if own[name] == 0}
        waits = length - sum(own.values())
        left = length - sum(max(own[name], on_path[name]) for name in names if own[name] > 0)
        for name in names:
            rows[name]["activity"] += min(on_path[name], own[name])
            rows[name]["other"] += max(own[name] - on_path[name], 0)
            if waits > 0 and excess[name] > 0:
                rows[name]["cost"] += Fraction(excess[name] * waits, sum(excess.values()))
            if left > 0 and never.get(name, 0) > 0:
                rows[name]["inter_partition"] += Fraction(never[name] * left, sum(never.values()))
    for row in rows.values():
        row["intra_partition"] = row["cost"] - row["inter_partition"]
    return rows


def main():
    truth = json.load(open(sys.argv[1], encoding="ascii"))
    ranks = self_times(sys.argv[2])
    on_path = collections.Counter()
    for row in truth["critical_path"]:
        on_path[plain(row["name"])] += row["ns"] * 1000
    for wait in truth["waits"]:
        ranks[wait["rank"]][plain(wait["name"])] -= wait["ns"] * 1000
    assert len(ranks) == truth["ranks"], ranks.keys()
    true = impact(on_path, ranks)
    percent = Fraction(sys.argv[4]) if len(sys.argv) > 4 else 0
    bound = len(ranks) + 1 + percent * truth["run_ns"] * 10 * len(ranks)
    n_wrong = n = 0
    seen = set()
    for row in csv.DictReader(open(sys.argv[3], encoding="utf-8")):
        name = plain(row["name"])
        seen.add(name)
        for column in ("imbalance", "on_path", "mean", "cost", "intra_partition", "inter_partition", "activity", "other"):
            ours, n = Fraction(row[column + "_ns"]), n + 1
            if abs(ours - true[name][column]) > bound:
                n_wrong += 1
                print("#", name, column, float(ours), "in truth", float(true[name][column]))
    missing = {name for name, row in true.items() if row["on_path"] > bound} - seen
    print(n, "numbers,", n_wrong, "wrong", *(["missing:", *sorted(missing)] if missing else []))
    sys.exit(bool(n_wrong or missing) or n < 8)


main()
