#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""communicators.py COLLECTIVES EVENTS TRUTH: are the parts of each call those of mpi_simulator.py's truth?

COLLECTIVES: CSV of comm,function,ordinal,pid,event; EVENTS: CSV of pid,id, in the order in which each process
enters them. Prints how many calls of ranks are right, wrong and undecided, of functions in which nobody leaves before
all have come.
"""
import collections
import csv
import json
import sys

KINDS = ("barrier", "allreduce", "alltoall")


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def main():
    number, n_of = {}, collections.Counter()
    for pid, event in rows(sys.argv[2]):
        number[event] = (int(pid.removeprefix("node")), n_of[pid])
        n_of[pid] += 1
    with open(sys.argv[3], encoding="utf-8") as file:
        truth = json.load(file)
    members = {each["comm"]: each["members"] for each in truth["communicators"]}
    true = {}
    for call in truth["collectives"]:
        if call["kind"] in KINDS:
            parts = frozenset(zip(members[call["comm"]], call["spans"]))
            true.update((part, parts) for part in parts)
    ours, counts = collections.defaultdict(set), collections.Counter(right=0, wrong=0, undecided=0)
    for comm, function, ordinal, _, event in rows(sys.argv[1]):
        if number[event] not in true:
            continue
        if comm == "":
            counts["undecided"] += 1
        else:
            ours[comm, function, ordinal].add(number[event])
    for parts in ours.values():
        for part in parts:
            counts["right" if true[part] == parts else "wrong"] += 1
    print(*(f"{key} {counts[key]}" for key in ("right", "wrong", "undecided")))
    sys.exit(counts["right"] == 0)


main()
