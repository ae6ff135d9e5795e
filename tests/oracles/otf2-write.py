#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a random OTF2 archive with libotf2 (Debian's python3-otf2): records of every kind that importers meet.

    otf2-write.py DIRECTORY SEED [RANKS [STEPS]]

Two threads and a stream of an accelerator a rank, communicators of all, of halves and between them, receives that complete out of
order, metrics of each sort, files, windows, locks, tasks, parameters, attributes, samples, markers; ids of locations that are
mapped to others, and clocks with measured offsets.
"""
import random
import sys

import _otf2
import otf2
from otf2.enums import (CollectiveOp, GroupType, InterruptGeneratorMode, IoAccessMode, IoOperationFlag, IoOperationMode,
                        IoParadigmClass, IoParadigmFlag, LocationGroupType, LocationType, LockType, MetricMode,
                        MetricOccurrence, Paradigm, ParameterType, RegionRole, RmaAtomicType, RmaSyncLevel, RmaSyncType, SystemTreeDomain,
                        Type)

RESOLUTIONS = [10**9, 2095197216, 10**6, 3 * 10**9 + 7, 1000]


class World:
    def __init__(self, trace, n, rng):
        self.rng, self.n = rng, n
        d = trace.definitions
        self.d = d
        machine = d.system_tree_node("cluster", class_name="machine")
        self.nodes = []
        for i in range((n + 1) // 2):
            node = d.system_tree_node(f"host{i}", class_name="node", parent=machine)
            self.nodes.append(node)
        self.main, self.extra, self.streams = [], [], []
        for i in range(n):
            group = d.location_group(f"MPI Rank {i}", system_tree_parent=self.nodes[i // 2])
            device = d.location_group(f"GPU of {i}", location_group_type=LocationGroupType.ACCELERATOR,
                                      system_tree_parent=self.nodes[i // 2], creating_location_group=group)
            self.main.append(d.location("Master thread", group=group))
            self.extra.append(d.location("OMP thread 1", group=group))
            self.streams.append(d.location("CUDA[0:7]", type=LocationType.ACCELERATOR_STREAM, group=device))
        mpi = dict(paradigm=Paradigm.MPI)
        locations = d.group("", group_type=GroupType.COMM_LOCATIONS, members=self.main, **mpi)
        everyone = d.group("", group_type=GroupType.COMM_GROUP, members=list(self.main), **mpi)
        self.world = d.comm("MPI_COMM_WORLD", everyone)
        self.halves = []
        for half in range(2):
            members = self.main[half::2] or self.main[:1]
            self.halves.append((d.comm(f"half {half}", d.group("", group_type=GroupType.COMM_GROUP, members=members, **mpi),
                                       parent=self.world), members))
        self.define_regions(d)
        self.define_others(d)
        del locations

    def define_regions(self, d):
        def mpi(name, role):
            return d.region(name, region_role=role, paradigm=Paradigm.MPI, source_file="MPI")
        self.user = [d.region(f"f{i}<std::vector<int>>", canonical_name=f"_Zf{i}", region_role=RegionRole.FUNCTION,
                              paradigm=Paradigm.COMPILER, source_file="app.cc", begin_line_number=10 * i + 1,
                              end_line_number=10 * i + 9) for i in range(5)]
        self.send, self.recv = mpi("MPI_Send", RegionRole.POINT2POINT), mpi("MPI_Recv", RegionRole.POINT2POINT)
        self.isend, self.irecv = mpi("MPI_Isend", RegionRole.POINT2POINT), mpi("MPI_Irecv", RegionRole.POINT2POINT)
        self.wait = mpi("MPI_Wait", RegionRole.POINT2POINT)
        self.collectives = [(mpi("MPI_Allreduce", RegionRole.COLL_ALL2ALL), CollectiveOp.ALLREDUCE, False),
                            (mpi("MPI_Bcast", RegionRole.COLL_ONE2ALL), CollectiveOp.BCAST, True),
                            (mpi("MPI_Barrier", RegionRole.BARRIER), CollectiveOp.BARRIER, False)]
        self.started = [(mpi("MPI_Iallreduce", RegionRole.COLL_ALL2ALL), CollectiveOp.ALLREDUCE, False),
                        (mpi("MPI_Ibcast", RegionRole.COLL_ONE2ALL), CollectiveOp.BCAST, True)]
        self.parallel = d.region("!$omp parallel @app.cc:3", region_role=RegionRole.PARALLEL, paradigm=Paradigm.OPENMP)
        self.barrier = d.region("!$omp implicit barrier @app.cc:9", region_role=RegionRole.IMPLICIT_BARRIER,
                                paradigm=Paradigm.OPENMP)
        self.fence = mpi("MPI_Win_fence", RegionRole.RMA)
        self.operations = mpi("MPI_Fetch_and_op", RegionRole.RMA)
        self.kernel = d.region("saxpy", region_role=RegionRole.FUNCTION, paradigm=Paradigm.CUDA)
        self.read = d.region("read", region_role=RegionRole.FILE_IO, paradigm=Paradigm.USER)

    def define_others(self, d):
        cycles = d.metric_member("PAPI_TOT_CYC", metric_mode=MetricMode.ACCUMULATED_START, value_type=Type.UINT64)
        signed = d.metric_member("drift", metric_mode=MetricMode.ACCUMULATED_START, value_type=Type.INT64, unit="us")
        power = d.metric_member("power", metric_mode=MetricMode.ABSOLUTE_POINT, value_type=Type.DOUBLE, unit="W")
        level = d.metric_member("level", metric_mode=MetricMode.ABSOLUTE_POINT, value_type=Type.UINT64)
        self.strict = d.metric_class([cycles, signed], occurrence=MetricOccurrence.SYNCHRONOUS_STRICT)
        self.loose = d.metric_class([power], occurrence=MetricOccurrence.ASYNCHRONOUS)
        self.point = d.metric_class([level], occurrence=MetricOccurrence.SYNCHRONOUS)
        self.attribute = d.attribute("label", type=Type.STRING)
        self.number = d.attribute("count", type=Type.UINT64)
        self.parameters = [d.parameter("size", parameter_type=ParameterType.INT64),
                           d.parameter("mode", parameter_type=ParameterType.STRING)]
        self.window = d.rma_win("window", self.world)
        self.windows = {comm: d.rma_win(f"window {i}", comm) for i, comm in enumerate([self.world] + [c for c, _ in self.halves])}
        posix = d.io_paradigm("POSIX", "POSIX I/O", io_paradigm_class=IoParadigmClass.SERIAL,
                              io_paradigm_flags=IoParadigmFlag.OS)
        file = d.io_regular_file("/data/in.h5", scope=self.nodes[0])
        self.handle = d.io_handle("", file=file, io_paradigm=posix)
        line = d.source_code_location("app.cc", 77)
        outer = d.calling_context(self.user[0], source_code_location=line, parent=None)
        self.context = d.calling_context(self.user[1], source_code_location=line, parent=outer)
        self.generator = d.interrupt_generator("timer", interrupt_generator_mode=InterruptGeneratorMode.TIME, period=1000)


class Rank:
    """One location's clock, stack and writer."""

    def __init__(self, world, trace, location):
        self.world, self.writer, self.rng = world, trace.event_writer_from_location(location), world.rng
        self.now, self.cycles = world.rng.randrange(1000, 5000), 0
        self.stack, self.requests = [], 0

    def tick(self):
        self.now += self.rng.choice([0, 1, 1, 7, 1000, 123457])
        return self.now

    def measure(self):
        if self.measures:
            self.cycles += self.rng.randrange(10**6)
            self.writer.metric(self.now, self.world.strict, [self.cycles, -self.cycles])

    measures = False

    def enter(self, region, **attributes):
        self.tick()
        self.measure()
        self.writer.enter(self.now, region, **attributes)
        self.stack.append(region)

    def leave(self):
        self.tick()
        self.measure()
        self.writer.leave(self.now, self.stack.pop())

    def request(self):
        self.requests += 1
        return self.requests


def exchange(world, ranks, comm, members):
    """Everyone sends two messages to its right, receives them non-blocking and completes them in any order."""
    rng, n = world.rng, len(members)
    tag = rng.randrange(3)
    posted = []
    for i, rank in enumerate(members):
        requests = []
        for _ in range(2):
            rank.enter(world.irecv)
            requests.append(rank.request())
            rank.writer.mpi_irecv_request(rank.tick(), requests[-1])
            rank.leave()
        posted.append(requests)
    sent = [[] for _ in members]
    sizes = [[rng.randrange(1 << 40) for _ in range(2)] for _ in members]
    for i, rank in enumerate(members):
        for k in range(2):
            is_blocking = rng.random() < 0.5
            rank.enter(world.send if is_blocking else world.isend)
            if is_blocking:
                rank.writer.mpi_send(rank.tick(), (i + 1) % n, comm, tag, sizes[i][k])
            else:
                rank.writer.mpi_isend(rank.tick(), (i + 1) % n, comm, tag, sizes[i][k], rank.request())
                sent[i].append(rank.requests)
            rank.leave()
    for i, rank in enumerate(members):
        for request in sent[i]:
            rank.enter(world.wait)
            rank.writer.mpi_isend_complete(rank.tick(), request)
            rank.leave()
        order = [0, 1]
        rng.shuffle(order)
        for k in order:
            rank.enter(world.wait)
            rank.writer.mpi_irecv(rank.tick(), (i - 1) % n, comm, tag, sizes[(i - 1) % n][k], posted[i][k])
            rank.leave()


def meet(world, comm, members):
    region, operation, has_root = world.rng.choice(world.collectives)
    root = world.rng.randrange(len(members)) if has_root else 0xffffffff
    for rank in members:
        rank.enter(region)
        rank.writer.mpi_collective_begin(rank.now)
        rank.writer.mpi_collective_end(rank.tick(), operation, comm, root, 8, 8)
        rank.leave()


def start_and_meet(world, comm, members):
    """Two collectives that do not block, which complete in any order."""
    started = {rank: [] for rank in members}
    for region, operation, has_root in world.rng.choices(world.started, k=2):
        root = world.rng.randrange(len(members)) if has_root else 0xffffffff
        for rank in members:
            rank.enter(region)
            started[rank].append((operation, root, rank.request()))
            rank.writer.non_blocking_collective_request(rank.tick(), started[rank][-1][2])
            rank.leave()
    for rank in members:
        world.rng.shuffle(started[rank])
        for operation, root, request in started[rank]:
            rank.enter(world.wait)
            rank.writer.non_blocking_collective_complete(rank.tick(), operation, comm, root, 8, 8, request)
            rank.leave()


def expose(world, comm, members):
    """A window between two fences, with puts, gets and atomic operations."""
    rng = world.rng
    window = world.windows[comm]
    for turn in range(2):
        for rank in members:
            rank.enter(world.fence)
            rank.writer.rma_collective_begin(rank.now)
            rank.writer.rma_collective_end(rank.tick(), CollectiveOp.BARRIER, RmaSyncLevel.PROCESS, window, 0xffffffff, 0, 0)
            rank.leave()
        for rank in members if turn == 0 else []:
            for matching in range(rng.randrange(4)):
                rank.enter(world.operations)
                remote, size = rng.randrange(len(members)), rng.randrange(1 << 30)
                what = rng.randrange(3)
                if what == 0:
                    rank.writer.rma_put(rank.tick(), window, remote, size, matching)
                elif what == 1:
                    rank.writer.rma_get(rank.tick(), window, remote, size, matching)
                else:
                    rank.writer.rma_atomic(rank.tick(), window, remote, RmaAtomicType.FETCH_AND_ADD, 8, rng.choice([0, 8]),
                                           matching)
                rank.writer.rma_op_complete_non_blocking(rank.tick(), window, matching)
                rank.leave()


def rarities(world, rank):
    """One record of each kind that no other part writes."""
    writer, now = rank.writer, rank.tick
    rank.enter(world.user[2], attributes={world.attribute: "née \"x\"", world.number: 2**63 + 5})
    writer.parameter_int(now(), world.parameters[0], -42)
    writer.parameter_string(now(), world.parameters[1], "fast")
    writer.calling_context_sample(now(), world.context, 1, world.generator)
    writer.rma_win_create(now(), world.window)
    writer.rma_put(now(), world.window, 0, 4096, 1)
    writer.rma_op_complete_blocking(now(), world.window, 1)
    writer.rma_sync(now(), world.window, 0, RmaSyncType.MEMORY)
    writer.rma_win_destroy(now(), world.window)
    writer.mpi_request_test(now(), 77)
    writer.metric(now(), world.point, [rank.rng.randrange(100)])
    rank.leave()
    rank.enter(world.read)
    writer.io_create_handle(now(), world.handle, IoAccessMode.READ_ONLY, 0, 0)
    writer.io_operation_begin(now(), world.handle, IoOperationMode.READ, IoOperationFlag.NONE, 1 << 20, 5)
    writer.io_operation_complete(now(), world.handle, 1000, 5)
    rank.leave()
    writer.metric(now(), world.loose, [rank.rng.random() * 300])


def threads(world, main, extra):
    main.enter(world.parallel)
    main.writer.thread_fork(main.tick(), Paradigm.OPENMP, 2)
    extra.now = max(extra.now, main.now)
    for rank in (main, extra):
        rank.enter(world.user[3])
        rank.writer.thread_acquire_lock(rank.tick(), Paradigm.OPENMP, 3, 1)
        rank.writer.thread_release_lock(rank.tick(), Paradigm.OPENMP, 3, 1)
        rank.leave()
        rank.enter(world.barrier)
        rank.leave()
    main.now = max(main.now, extra.now)
    main.writer.thread_join(main.tick(), Paradigm.OPENMP)
    main.leave()


def device(world, stream):
    stream.writer.rma_get(stream.tick(), world.window, 0, 1 << 20, 9)
    stream.writer.rma_op_complete_blocking(stream.tick(), world.window, 9)
    stream.enter(world.kernel)
    stream.leave()


def write_local(trace, location, rng, n_regions):
    """Clock offsets, and two regions whose local ids are the other's."""
    handle = _otf2.Archive_GetDefWriter(trace.handle, location._ref)
    ids = list(range(n_regions))
    ids[1], ids[3] = ids[3], ids[1]
    table = _otf2.IdMap_CreateFromUint32Array(len(ids), ids, rng.random() < 0.5)
    _otf2.DefWriter_WriteMappingTable(handle, otf2.enums.MappingType.REGION, table)
    for time in (0, 10**7, 3 * 10**8):
        _otf2.DefWriter_WriteClockOffset(handle, time, rng.randrange(-500, 500), 0.5)


def main():
    directory, seed = sys.argv[1], int(sys.argv[2])
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else 12
    rng = random.Random(seed)
    with otf2.writer.open(directory, timer_resolution=RESOLUTIONS[seed % len(RESOLUTIONS)],
                          chunk_size_events=256 * 1024) as trace:
        world = World(trace, n, rng)
        ranks = [Rank(world, trace, location) for location in world.main]
        extras = [Rank(world, trace, location) for location in world.extra]
        streams = [Rank(world, trace, location) for location in world.streams]
        for rank in ranks:
            rank.measures = seed % 2 == 0
            rank.enter(world.user[0])
        for _ in range(steps):
            i = rng.randrange(n)
            comm, members = rng.choice([(world.world, world.main)] + world.halves)
            chosen = [ranks[world.main.index(m)] for m in members]
            what = rng.randrange(7)
            if what == 0:
                exchange(world, ranks, comm, chosen)
            elif what == 1:
                meet(world, comm, chosen)
            elif what == 2:
                rarities(world, ranks[i])
            elif what == 3:
                threads(world, ranks[i], extras[i])
            elif what == 5:
                expose(world, comm, chosen)
            elif what == 4:
                start_and_meet(world, comm, chosen)
            else:
                device(world, streams[i])
        for rank in ranks:
            rank.leave()
        if seed % 3 == 0:
            for location in world.main:
                write_local(trace, location, rng, 17)
        markers = _otf2.Archive_GetMarkerWriter(trace.handle)
        _otf2.MarkerWriter_WriteDefMarker(markers, 0, "group", "category", 2)
        _otf2.MarkerWriter_WriteMarker(markers, 2000, 500, 0, 0, 0, "look here")
        _otf2.Archive_CloseMarkerWriter(trace.handle, markers)


main()
