#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wait_comms.py TRUTH WAITS: whether `waits --by communicator --format csv` says of allreduces what data/recorded/mpi_causes.c
did: in which order its ranks call those of rows, columns and halves, of which the stamps in TRUTH tell when. Waits of each
communicator within 2 % and 200 us."""
import collections
import csv
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    truth = json.load(file)


def sub_communicators(rank):
    row, column = divmod(rank, 4)
    for i in range(2):
        for half in range(2):
            for n in range(row + 1) if (row + half) % 2 == 0 else range(1):
                yield ("row", row, i, n) if (row + half) % 2 == 0 else ("column", column, i, n)


def two_halves(rank):
    for i in range(0, 5 if rank < 3 else 2, 2):
        yield "half", rank // 3, i, 0


calls, order = collections.defaultdict(list), {"sub-communicators": sub_communicators, "two-halves": two_halves}[truth["cause"]]
for rank in range(truth["ranks"]):
    own = [call for call in truth["calls"] if call["rank"] == rank and call["operation"] == "MPI_Allreduce()"]
    keys = list(order(rank))
    assert len(own) == len(keys), (rank, len(own), len(keys))
    for key, call in zip(keys, own):
        calls[key].append(call)
true, members = collections.Counter(), collections.defaultdict(set)
for (kind, number, _, _), parts in calls.items():
    last = max(part["begin"] for part in parts)
    for part in parts:
        true[kind, number] += max(min(last, part["end"]) - part["begin"], 0)
        members[kind, number].add(part["rank"])


def parse(text):
    ranks = set()
    for piece in text.split(": ranks ")[1].removesuffix(" (inferred)").split(","):
        first, _, last = piece.partition("-")
        ranks.update(range(int(first), int(last or first) + 1))
    return frozenset(ranks)


with open(sys.argv[2], encoding="utf-8", newline="") as file:
    ours = {parse(row["communicator"]): int(row["wait_ns"]) for row in csv.DictReader(file)}
bad = {frozenset(ranks) for ranks in members.values()} != set(ours)
for key, ns in sorted(true.items()):
    told = ours.get(frozenset(members[key]), 0)
    print("#", *key, sorted(members[key]), told, "ns, in truth", ns)
    bad |= abs(told - ns) > 0.02 * ns + 200000
sys.exit(bad)
