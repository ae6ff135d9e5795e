# SPDX-License-Identifier: Apache-2.0
"""The scenarios. A scenario writes the programs of all ranks in one global order of communications: a rank that carries
its own out in this order cannot be in a deadlock, for the earliest that is not done has all that it needs. What is posted
early and waited for later has its wait after both of its sides."""
import random

SMALL, LARGE = 1024, 262144
WORLD = 0


class Builder:
    def __init__(self, n_ranks, n_operations, seed, only_nxn):
        self.n, self.n_operations, self.only_nxn = n_ranks, n_operations, only_nxn
        self.random = random.Random(f"program {seed}")
        self.programs = [[] for _ in range(n_ranks)]
        self.comms, self.names = [list(range(n_ranks))], ["world"]
        self.n_tags = 0

    def comm(self, name, members):
        self.comms.append(list(members))
        self.names.append(name)
        return len(self.comms) - 1

    def add(self, rank, *operation):
        self.programs[rank].append(operation)

    def all(self, comm, *operation):
        for rank in self.comms[comm]:
            self.add(rank, *operation)

    def compute(self, rank, name, ns):
        self.add(rank, "compute", name, ns)

    def tag(self):
        """that no other message under way has"""
        self.n_tags += 1
        return self.n_tags % 32000

    def rounds(self, per_round):
        return range(max(1, self.n_operations // per_round))

    def uneven(self, ns):
        return self.random.randrange(ns // 2, ns * 3 // 2)

    def pairs(self):
        return [(rank, rank + 1) for rank in range(0, self.n - 1, 2)]


def halo(b, ranks, size, work):
    """each exchanges with its neighbours in the list while it computes"""
    tag, n = b.tag(), len(ranks)
    for i, rank in enumerate(ranks):
        near = sorted({ranks[i - 1], ranks[(i + 1) % n]} - {rank})
        for other in near:
            b.add(rank, "irecv", ("in", other), other, tag)
        for other in near:
            b.add(rank, "isend", ("out", other), other, tag, size)
        b.compute(rank, "inner", work(rank))
    for i, rank in enumerate(ranks):
        near = sorted({ranks[i - 1], ranks[(i + 1) % n]} - {rank})
        b.add(rank, "waitall", [("in", other) for other in near] + [("out", other) for other in near])


def balanced(b):
    for _ in b.rounds(3 if b.only_nxn else 8):
        for rank in range(b.n):
            b.compute(rank, "solve", 50_000)
        if not b.only_nxn:
            halo(b, range(b.n), SMALL, lambda rank: 20_000)
        b.all(WORLD, "allreduce", WORLD, 8)


def late_sender(b):
    for _ in b.rounds(2):
        for src, dst in b.pairs():
            b.compute(src, "produce", b.uneven(80_000))
            b.compute(dst, "consume", b.uneven(30_000))
            size = b.random.choice([8, SMALL, LARGE])
            b.add(src, "send", dst, 1, size)
            b.add(dst, "recv", src, 1)


def chain(b):
    """rank 0 is late, so that each of the others is"""
    for _ in b.rounds(3):
        for rank in range(b.n):
            if rank > 0:
                b.add(rank, "recv", rank - 1, 1)
            b.compute(rank, "stage", 200_000 if rank == 0 else b.uneven(10_000))
            if rank < b.n - 1:
                b.add(rank, "send", rank + 1, 1, SMALL)


def late_receiver(b):
    for i in b.rounds(2):
        for src, dst in b.pairs():
            b.compute(src, "produce", b.uneven(30_000))
            b.compute(dst, "consume", b.uneven(80_000))
            b.add(src, *(("ssend", dst, 1, SMALL) if i % 2 else ("send", dst, 1, LARGE)))
            b.add(dst, "recv", src, 1)


def wrong_order(b):
    for _ in b.rounds(4):
        for src, dst in b.pairs():
            tags = [b.tag() for _ in range(3)]
            b.compute(dst, "consume", b.uneven(20_000))
            for tag in tags:
                b.compute(src, "produce", b.uneven(40_000))
                b.add(src, "send", dst, tag, SMALL)
            for tag in reversed(tags):
                b.add(dst, "recv", src, tag)


def barrier(b):
    for _ in b.rounds(2):
        for rank in range(b.n):
            b.compute(rank, "solve", b.uneven(60_000))
        b.all(WORLD, "barrier", WORLD, 0)


def nxn(b):
    for i in b.rounds(2):
        for rank in range(b.n):
            b.compute(rank, "solve", b.uneven(60_000))
        b.all(WORLD, "alltoall" if i % 3 == 2 else "allreduce", WORLD, SMALL)


def late_broadcast(b):
    for i in b.rounds(2):
        root = i % b.n
        for rank in range(b.n):
            b.compute(rank, "read" if rank == root else "solve", b.uneven(90_000 if rank == root else 40_000))
        b.all(WORLD, "scatter" if i % 3 == 2 else "bcast", WORLD, SMALL, root)


def early_reduce(b):
    for i in b.rounds(2):
        root = i % b.n
        for rank in range(b.n):
            b.compute(rank, "solve", b.uneven(30_000 if rank == root else 70_000))
        b.all(WORLD, "gather" if i % 3 == 2 else "reduce", WORLD, SMALL, root)


def grid_comms(b):
    width = next(w for w in range(int(b.n ** 0.5), 0, -1) if b.n % w == 0)
    rows = [b.comm(f"row {i}", range(i * width, (i + 1) * width)) for i in range(b.n // width)]
    columns = [b.comm(f"column {i}", range(i, b.n, width)) for i in range(width)]
    return rows, columns


def grid(b):
    rows, columns = grid_comms(b)
    for i in b.rounds(4):
        for comms, name in ((rows, "x"), (columns, "y")):
            for rank in range(b.n):
                b.compute(rank, "solve_" + name, b.uneven(60_000))
            for comm in comms:
                kind = "allreduce" if b.only_nxn or i % 2 else "barrier"
                b.all(comm, kind, comm, 0 if kind == "barrier" else SMALL)


def halves(b):
    """two halves that call a different number of times before all meet"""
    middle = max(1, b.n // 3)
    sides = [b.comm("first", range(middle)), b.comm("second", range(middle, b.n))]
    for i in b.rounds(12):
        for side, comm in enumerate(sides):
            for _ in range(3 + 2 * side if i % 2 else 4):
                for rank in b.comms[comm]:
                    b.compute(rank, "part", b.uneven(40_000))
                b.all(comm, "allreduce", comm, SMALL)
        kind = "allreduce" if b.only_nxn else "barrier"
        b.all(WORLD, kind, WORLD, 0 if kind == "barrier" else 8)


def propagated(b):
    """What rank 0 is late by reaches its neighbour, then the next ones, and all that compute the same at the end."""
    for _ in b.rounds(10):
        for rank in range(b.n):
            b.add(rank, "enter", "iterate")
            b.compute(rank, "setup", 150_000 if rank == 0 else 20_000)
        for rank in range(b.n - 1):
            if b.only_nxn:
                break
            b.add(rank, "send", rank + 1, 2, SMALL)
            b.add(rank + 1, "recv", rank, 2)
            b.compute(rank + 1, "solve", 20_000)
        b.all(WORLD, "allreduce", WORLD, 8)
        for rank in range(b.n):
            b.compute(rank, "finish", b.uneven(8_000))
            b.add(rank, "leave")


def nonblocking(b):
    for i in b.rounds(12):
        for rank in range(b.n):
            b.compute(rank, "solve", b.uneven(50_000))
        halo(b, range(b.n), SMALL if i % 2 else LARGE, lambda rank: b.uneven(30_000))
        for rank in range(b.n):
            b.add(rank, "iallreduce", "sum", WORLD, 8)
            b.compute(rank, "overlap", b.uneven(30_000))
        b.all(WORLD, "wait", "sum")


def nonblocking_roots(b):
    for i in b.rounds(6):
        root = i % b.n
        for rank in range(b.n):
            b.compute(rank, "solve", b.uneven(50_000 if rank == root else 20_000))
            b.add(rank, "ibcast" if i % 2 else "ireduce", "all", WORLD, SMALL, root)
            b.compute(rank, "overlap", b.uneven(5_000))
        b.all(WORLD, "wait", "all")


# -- at random ----------------------------------------------------------------------------------------

REGIONS = ["solve", "assemble", "exchange", "update", "io"]


def some_work(b, rank):
    r = b.random
    ns = r.choice([5_000, 10_000, 20_000, 20_000, 100_000])
    if b.only_nxn or r.random() < 0.8:
        b.compute(rank, r.choice(REGIONS), b.uneven(ns))
    else:
        b.add(rank, "enter", r.choice(REGIONS))
        b.add(rank, "work", b.uneven(ns))
        b.compute(rank, r.choice(REGIONS), b.uneven(ns))
        b.add(rank, "leave")


def random_message(b):
    r = b.random
    src, dst = r.sample(range(b.n), 2)
    if r.random() < 0.6:  # mostly near
        dst = (src + r.choice([1, -1])) % b.n
        if src == dst:
            return
    size, tag = r.choice([0, 8, SMALL, LARGE]), r.randrange(40_000, 40_003)
    some_work(b, src)
    some_work(b, dst)
    how = r.randrange(8)
    if how == 0 and size <= SMALL:
        tags = [b.tag(), b.tag()]
        for each in tags:
            b.add(src, "send", dst, each, size)
            some_work(b, src)
        b.add(dst, "recv", src, tags[1])
        b.add(dst, "recv", src, tags[0])
    elif how in (1, 2):
        request, tag = b.tag(), b.tag()
        b.add(dst, "irecv", request, src, tag)
        some_work(b, dst)
        b.add(src, r.choice(["send", "ssend"]), dst, tag, size)
        b.add(dst, "wait", request)
    elif how in (3, 4):
        request, tag = b.tag(), b.tag()
        b.add(src, "isend", request, dst, tag, size)
        some_work(b, src)
        b.add(dst, "recv", src, tag)
        b.add(src, "wait", request)
    elif how == 5:
        tag = b.tag()
        b.add(src, "send", dst, tag, size)
        b.add(dst, "probe", src, tag)
        b.add(dst, "recv", src, tag)
    else:
        b.add(src, "ssend" if how == 6 else "send", dst, tag, size)
        b.add(dst, "recv", src, tag)


def random_collective(b, comms):
    r = b.random
    comm = r.choice(comms)
    for rank in b.comms[comm]:
        if r.random() < 0.7:
            some_work(b, rank)
    kinds = ["allreduce", "alltoall"] if b.only_nxn else \
        ["barrier", "allreduce", "alltoall", "bcast", "scatter", "reduce", "gather", "iallreduce"]
    kind = r.choice(kinds)
    if kind == "iallreduce":
        request = b.tag()
        b.all(comm, "iallreduce", request, comm, 8)
        for rank in b.comms[comm]:
            if r.random() < 0.7:
                some_work(b, rank)
        b.all(comm, "wait", request)
    elif kind in ("bcast", "scatter", "reduce", "gather"):
        b.all(comm, kind, comm, r.choice([8, SMALL]), r.choice(b.comms[comm]))
    else:
        b.all(comm, kind, comm, 0 if kind == "barrier" else r.choice([8, SMALL]))


def anything(b):
    """about as many operations a rank as asked for"""
    r = b.random
    rows, columns = grid_comms(b)
    middle = r.randrange(1, b.n)
    comms = rows + columns + [b.comm("first", range(middle)), b.comm("second", range(middle, b.n)), WORLD]
    comms = [comm for comm in comms if len(b.comms[comm]) > 1]
    rate = 1.0 if b.only_nxn else len(comms) / (len(comms) + 2.0 * b.n)
    while sum(map(len, b.programs)) < b.n * b.n_operations:
        if r.random() < rate:
            random_collective(b, comms)
        elif r.random() < 0.1:
            ranks = r.choice([b.comms[comm] for comm in comms])
            halo(b, ranks, r.choice([8, SMALL, LARGE]), lambda rank: b.uneven(20_000))
        else:
            random_message(b)


def ring(b, least_ns=1_000):
    """a token goes round: of each two neighbours messages go one way only"""
    for _ in b.rounds(3):
        for rank in range(b.n):
            b.add(rank, "send", (rank + 1) % b.n, 1, 8)
            b.add((rank + 1) % b.n, "recv", rank, 1)
            b.compute((rank + 1) % b.n, "work", b.random.randrange(least_ns, 3 * least_ns))


def slow_ring(b):
    """the same for so long that drifts show"""
    ring(b, 1_000_000)


SCENARIOS = {
    "balanced": balanced, "late-sender": late_sender, "chain": chain, "late-receiver": late_receiver,
    "wrong-order": wrong_order, "barrier": barrier, "nxn": nxn, "late-broadcast": late_broadcast,
    "early-reduce": early_reduce, "grid": grid, "halves": halves, "propagated": propagated,
    "nonblocking": nonblocking, "nonblocking-roots": nonblocking_roots, "random": anything, "ring": ring,
    "slow-ring": slow_ring,
}
KINETO_SCENARIOS = ["balanced", "nxn", "grid", "halves", "random"]


def plain(program):
    """the same with what blocks instead of MPI_Ssend and of collectives that return at once, and without MPI_Probe"""
    begun = set()
    for name, *rest in program:
        if name in ("iallreduce", "ibcast", "ireduce"):
            begun.add(rest[0])
            yield name[1:], *rest[1:]
        elif name == "wait" and rest[0] in begun:
            begun.remove(rest[0])
        elif name != "probe":
            yield "send" if name == "ssend" else name, *rest


def build(scenario, n_ranks, n_operations, seed, only_nxn=False):
    builder = Builder(n_ranks, n_operations, f"{scenario} {seed}", only_nxn)
    builder.all(WORLD, "enter", "main")
    SCENARIOS[scenario](builder)
    builder.all(WORLD, "leave")
    return builder
