#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks that lock windows of each other, written as Score-P does by libotf2 (Debian's python3-otf2), and what they wait.

    window_locks.py make DIRECTORY SEED     an archive in DIRECTORY/archive, the truth in DIRECTORY/truth.json
    window_locks.py judge TRUTH WAITS       WAITS: `waits --by rank,cause,name --format csv --unit ns --top 0`

As Scalasca defines lock contention: who enters MPI_Win_lock while others hold the lock so that both cannot waits from the
enter until the last of these lets it go. Locks are had in the order in which they were asked for; some are shared.
"""
import collections
import csv
import json
import os
import random
import sys

N_RANKS, N_ROUNDS, START_NS, GRANT_NS, CALL_NS = 5, 30, 1_000_000, 200, 1_000


def simulate(rng):
    """(rank, target, is_shared, lock call, had, unlock call, let go) of each epoch, and waits (rank, cause, ns)"""
    free = [rng.randrange(START_NS, 2 * START_NS) for _ in range(N_RANKS)]
    epochs, waits = [], collections.Counter()
    held = collections.defaultdict(list)  # target -> epochs, in the order in which they were asked for
    for _ in range(N_ROUNDS * N_RANKS):
        rank = min(range(N_RANKS), key=lambda r: (free[r], r))
        target, is_shared, begin = rng.randrange(2), rng.random() < 0.4, free[rank]
        before = [e for e in held[target] if e["let_go"] > begin and not (is_shared and e["is_shared"])]
        had = begin + GRANT_NS
        if before:
            last = max(before, key=lambda e: e["let_go"])
            waits[rank, last["rank"]] += last["let_go"] - begin
            had = last["let_go"] + GRANT_NS
        # In order: nobody has it before who asked earlier.
        had = max([had] + [e["had"] + 1 for e in held[target]])
        unlock = had + CALL_NS + rng.choice([500, 5_000, 40_000])
        epoch = {"rank": rank, "target": target, "is_shared": is_shared, "begin": begin, "had": had, "unlock": unlock,
                 "let_go": unlock + 300}
        held[target].append(epoch)
        epochs.append(epoch)
        free[rank] = unlock + CALL_NS + rng.choice([700, 10_000, 60_000])
    return epochs, waits


def write(folder, epochs):
    import otf2  # pylint: disable=C0415
    from otf2.enums import GroupType, LockType, Paradigm, RegionRole  # pylint: disable=C0415
    mpi = {"paradigm": Paradigm.MPI}
    with otf2.writer.open(os.path.join(folder, "archive"), timer_resolution=10**9) as trace:
        d = trace.definitions
        node = d.system_tree_node("host", class_name="node", parent=d.system_tree_node("machine", class_name="machine"))
        ranks = [d.location("Master thread", group=d.location_group(f"MPI Rank {i}", system_tree_parent=node)) for i in range(N_RANKS)]
        d.group("", group_type=GroupType.COMM_LOCATIONS, members=ranks, **mpi)
        world = d.comm("MPI_COMM_WORLD", d.group("", group_type=GroupType.COMM_GROUP, members=ranks, **mpi))
        window = d.rma_win("window", world)
        lock, unlock = (d.region(name, region_role=RegionRole.RMA, **mpi) for name in ("MPI_Win_lock", "MPI_Win_unlock"))
        work, main = (d.region(name, region_role=RegionRole.FUNCTION, paradigm=Paradigm.USER) for name in ("work", "main"))
        for rank, location in enumerate(ranks):
            writer = trace.event_writer_from_location(location)
            writer.enter(START_NS, main)
            for e in (e for e in epochs if e["rank"] == rank):
                kind = LockType.SHARED if e["is_shared"] else LockType.EXCLUSIVE
                writer.enter(e["begin"], lock)
                writer.rma_request_lock(e["begin"], window, e["target"], 0, kind)
                writer.rma_acquire_lock(e["had"], window, e["target"], 0, kind)
                writer.leave(e["had"] + 50, lock)
                writer.enter(e["had"] + 100, work)
                writer.leave(e["unlock"] - 100, work)
                writer.enter(e["unlock"], unlock)
                writer.rma_release_lock(e["let_go"], window, e["target"], 0)
                writer.leave(e["unlock"] + CALL_NS, unlock)
            writer.leave(max(e["let_go"] for e in epochs) + 10 * CALL_NS, main)


def judge(truth, waits):
    with open(truth, encoding="ascii") as file:
        true = {(rank, cause, "RT.MPI_Win_lock"): ns for rank, cause, ns in json.load(file)}
    with open(waits, encoding="utf-8", newline="") as file:
        ours = {(int(row["rank"]), int(row["cause"]), row["name"]): int(row["wait_ns"]) for row in csv.DictReader(file)}
    print(len(true), "pairs,", sum(true.values()), "ns; told", sum(ours.values()))
    return true != ours or not true


if __name__ == "__main__":
    if sys.argv[1] == "judge":
        sys.exit(judge(*sys.argv[2:]))
    planned, lost = simulate(random.Random(f"window locks {sys.argv[3]}"))
    os.makedirs(sys.argv[2])
    write(sys.argv[2], planned)
    with open(os.path.join(sys.argv[2], "truth.json"), "w", encoding="ascii") as out:
        json.dump([(rank, cause, ns) for (rank, cause), ns in sorted(lost.items())], out)
