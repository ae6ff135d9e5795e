# SPDX-License-Identifier: Apache-2.0
"""Traces as OTF2 archives, written by libotf2 (Debian's python3-otf2). Roots and communicators of all collectives are told,
of non-blocking ones where they complete; a receive is recorded at the end of the call that completes it."""
import os

import otf2
from otf2.enums import CollectiveOp, GroupType, Paradigm, RegionRole

UNDEFINED = 0xFFFFFFFF
KINDS = {"barrier": (CollectiveOp.BARRIER, RegionRole.BARRIER), "bcast": (CollectiveOp.BCAST, RegionRole.COLL_ONE2ALL),
         "scatter": (CollectiveOp.SCATTER, RegionRole.COLL_ONE2ALL), "gather": (CollectiveOp.GATHER, RegionRole.COLL_ALL2ONE),
         "reduce": (CollectiveOp.REDUCE, RegionRole.COLL_ALL2ONE),
         "allreduce": (CollectiveOp.ALLREDUCE, RegionRole.COLL_ALL2ALL),
         "ibcast": (CollectiveOp.BCAST, RegionRole.COLL_ONE2ALL), "ireduce": (CollectiveOp.REDUCE, RegionRole.COLL_ALL2ONE),
         "iallreduce": (CollectiveOp.ALLREDUCE, RegionRole.COLL_ALL2ALL),
         "alltoall": (CollectiveOp.ALLTOALL, RegionRole.COLL_ALL2ALL)}


class Definitions:
    def __init__(self, trace, run, names, hosts):
        self.d = trace.definitions
        machine = self.d.system_tree_node("machine", class_name="machine")
        nodes = {host: self.d.system_tree_node(host or "host", class_name="node", parent=machine)
                 for host in hosts or [None]}
        self.locations = [self.d.location("Master thread", group=self.d.location_group(
            f"node{rank.number}", system_tree_parent=nodes[hosts and hosts[rank.number]])) for rank in run.ranks]
        self.d.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=self.locations)
        self.comms = [self.d.comm(name, self.d.group("", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                                                     members=[self.locations[rank] for rank in members]))
                      for name, members in zip(names, run.comms)]
        self.regions = {}

    def region(self, name):
        if name not in self.regions:
            plain = name.removesuffix("()")
            kind = plain.removeprefix("MPI_").lower() if plain.startswith("MPI_") else None
            role = KINDS[kind][1] if kind in KINDS else RegionRole.POINT2POINT if kind else RegionRole.FUNCTION
            self.regions[name] = self.d.region(plain, region_role=role, paradigm=Paradigm.MPI if kind else Paradigm.COMPILER)
        return self.regions[name]


class Location:
    def __init__(self, run, rank, clock, writer, definitions):
        self.run, self.rank, self.clock, self.writer, self.definitions = run, rank, clock, writer, definitions
        self.calls = {call.span: call for call in rank.calls}
        self.requests, self.ended = {}, {}
        for collective in run.collectives.values():
            if rank.number in collective.done:
                self.ended.setdefault(id(collective.done[rank.number]), []).append(collective)
        self.posted = {}
        for message in run.messages.values():
            if message.dst == rank.number and message.post is not None:
                self.posted[id(message.post)] = message

    def request(self, what):
        return self.requests.setdefault(id(what), len(self.requests) + 1)

    def end_collective(self, at, call, collective):
        members = collective.members
        root = UNDEFINED if collective.root is None else members.index(collective.root)
        told = [at, KINDS[collective.kind][0], self.definitions.comms[collective.comm], root, collective.size, collective.size]
        if collective.entered[self.rank.number] is call:
            self.writer.mpi_collective_end(*told)
        else:
            self.writer.non_blocking_collective_complete(*told, self.request(collective))

    def leave(self, at, call):
        message = call and self.posted.get(id(call))
        if message and message.done is not call:
            self.writer.mpi_irecv_request(at, self.request(message))
        for collective in call and self.ended.get(id(call), ()) or ():
            self.end_collective(at, call, collective)

    def fill(self):
        number, stack, world = 0, [], self.definitions.comms[0]
        for true_ns, kind, what in self.rank.events:
            at = self.clock.reads(true_ns)
            if kind == "enter":
                stack.append((what, self.calls.get(number)))
                number += 1
                self.writer.enter(at, self.definitions.region(what))
            elif kind == "leave":
                self.leave(at, stack[-1][1])
                self.writer.leave(at, self.definitions.region(stack.pop()[0]))
            elif kind == "send":
                self.writer.mpi_send(at, what.dst, world, what.tag, what.size)
            elif kind == "receive":
                if what.done is what.post:
                    self.writer.mpi_recv(at, what.src, world, what.tag, what.size)
                else:
                    self.writer.mpi_irecv(at, what.src, world, what.tag, what.size, self.request(what))
            elif what.entered[self.rank.number] is what.done[self.rank.number]:
                self.writer.mpi_collective_begin(at)
            else:
                self.writer.non_blocking_collective_request(at, self.request(what))


def write(run, clocks, _resolution_ns, folder, names, hosts):
    with otf2.writer.open(os.path.join(folder, "archive"), timer_resolution=10**9) as trace:
        definitions = Definitions(trace, run, names, hosts)
        for rank, clock, location in zip(run.ranks, clocks, definitions.locations):
            Location(run, rank, clock, trace.event_writer_from_location(location), definitions).fill()
