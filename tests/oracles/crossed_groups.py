#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TAU traces of ranks in rows and columns whose calls cross, and who is said to take part in them.

  crossed_groups.py make FOLDER SEED ROWS COLUMNS SKEW_US NOISE_US
      MPI_Allreduce in rows (one to three times) and columns, twice. Each rank leaves a call NOISE_US after the last has come,
      in the mean, some much later; clocks are ahead or behind by up to SKEW_US
  crossed_groups.py judge DATABASE SEED ROWS COLUMNS SKEW_US NOISE_US
      prints how many calls are with those that they were made with (right) or not (wrong), and of each how many are marked as
      doubtful; nobody knows of those that are open
"""
import collections
import os
import random
import sqlite3
import struct
import sys

RECORD = struct.Struct("<iHHqQ")
EVENTS = """5 dynamic_trace_events
# FunctionId Group Tag "Name Type" Parameters
2 TAU_USER 0 "main " EntryExit
7 MPI 0 "MPI_Comm_split()  " EntryExit
8 TAU_USER 0 "work " EntryExit
9 MPI 0 "MPI_Allreduce()  " EntryExit
12 MPI 0 "MPI_Finalize()  " EntryExit
"""


def call(chance, noise, events, times, members, function):
    last = max(times[rank] for rank in members)
    for rank in members:
        end = last + 20 + int(chance.expovariate(1 / noise))
        if chance.random() < .1:
            end += chance.randint(0, 8 * noise)
        events[rank] += [(function, 1, times[rank]), (function, -1, end)]
        times[rank] = end + chance.randint(1, 10)


def program(rows, columns):
    """Of each rank, what it calls: ('row', 0), ('column', 2) ..."""
    result = []
    for rank in range(rows * columns):
        row, column = divmod(rank, columns)
        halves = [[("row", row)] * (row % 3 + 1), [("column", column)]]
        result.append([group for _ in range(2) for half in (halves if row % 2 == 0 else halves[::-1]) for group in half])
    return result


def simulate(seed, rows, columns, skew, noise):
    chance, calls, n = random.Random(seed), program(rows, columns), rows * columns
    times = [10000 + chance.randint(0, 50) for _ in range(n)]
    events = [[(2, 1, 0)] for _ in range(n)]
    for _ in range(2):
        call(chance, noise, events, times, range(n), 7)
    late, done = chance.randrange(n), [0] * n
    events[late] += [(8, 1, times[late]), (8, -1, times[late] + 60000)]
    times[late] += 60001
    while any(done[rank] < len(calls[rank]) for rank in range(n)):
        waiting = collections.defaultdict(list)
        for rank in range(n):
            if done[rank] < len(calls[rank]):
                waiting[calls[rank][done[rank]]].append(rank)
        for group, members in sorted(waiting.items()):
            if len(members) < (columns if group[0] == "row" else rows):
                continue
            for rank in members:
                length = chance.randint(1, 40)
                events[rank] += [(8, 1, times[rank]), (8, -1, times[rank] + length)]
                times[rank] += length + 1
                done[rank] += 1
            call(chance, noise, events, times, members, 9)
    for rank in range(n):
        events[rank] += [(12, 1, times[rank] + 5), (12, -1, max(times) + 3000), (2, -1, max(times) + 6000)]
    ahead = [chance.randint(-skew, skew) if rank else 0 for rank in range(n)]
    return sorted(((event, rank, 0, value, 10**15 + 10**5 + at + ahead[rank])
                   for rank in range(n) for event, value, at in events[rank]), key=lambda record: record[4])


def make(folder, *options):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "tau.trc"), "wb") as file:
        for record in simulate(*options):
            file.write(RECORD.pack(*record))
    with open(os.path.join(folder, "tau.edf"), "w", encoding="ascii") as file:
        file.write(EVENTS)


def judge(path, _seed, rows, columns, *_):
    database, found, sizes = sqlite3.connect(path), collections.defaultdict(list), collections.Counter()
    told = collections.Counter()
    for rank, calls in enumerate(program(rows, columns)):
        counts, answers = collections.Counter(), database.execute(
            "SELECT c.comm, c.ordinal, coalesce(c.flags = 'inferred,doubtful', 0) FROM collective c "
            "JOIN event e ON e.id = c.event "
            "WHERE c.function = 'MPI_Allreduce' AND c.pid = ? ORDER BY e.own_ts_ns", (f"node{rank}",)).fetchall()
        assert len(answers) == len(calls)
        for (comm, ordinal, is_doubtful), group in zip(answers, calls):
            true = group, counts[group]
            counts[group] += 1
            sizes[true] += 1
            if comm is None:
                told["open"] += 1
            else:
                found[comm, ordinal].append((true, bool(is_doubtful)))
    for members in found.values():
        true = {member[0] for member in members}
        is_right = len(true) == 1 and len(members) == sizes[next(iter(true))]
        for _, is_doubtful in members:
            told["right" if is_right else "wrong"] += 1
            told["right_doubtful" if is_right else "wrong_doubtful"] += is_doubtful
    print(*(f"{name}={told[name]}" for name in ("right", "right_doubtful", "wrong", "wrong_doubtful", "open")))


if __name__ == "__main__":
    (make if sys.argv[1] == "make" else judge)(sys.argv[2], *map(int, sys.argv[3:]))
