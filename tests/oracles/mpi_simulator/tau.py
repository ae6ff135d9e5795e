# SPDX-License-Identifier: Apache-2.0
"""Traces as TAU writes them: tautrace.RANK.0.0.trc and events.RANK.edf. Communicators are not in them. A receive is
recorded at the end of the call that completes it, the size of a gather on its root."""
import os
import struct

RECORD = struct.Struct("<iHHqQ")
INIT, FLUSH_CLOSE, WALL_CLOCK, SEND, RECEIVE = 60000, 60003, 60005, 60007, 60008
SPECIAL = f"""{INIT} TRACER 0 "EV_INIT" none
60001 TRACER 0 "FLUSH" EntryExit
{FLUSH_CLOSE} TRACER 0 "FLUSH_CLOSE" none
60004 TRACER 0 "FLUSH_INITM" none
{WALL_CLOCK} TRACER 0 "WALL_CLOCK" none
60006 TRACER 0 "CONT_EVENT" none
{SEND} TAU_MESSAGE -7 "MESSAGE_SEND" par
{RECEIVE} TAU_MESSAGE -8 "MESSAGE_RECV" par
"""
SENT = "Message size sent to all nodes"
SIZES = {"allreduce": "all-reduce", "iallreduce": "all-reduce", "alltoall": "all-to-all", "bcast": "broadcast",
         "ibcast": "broadcast", "reduce": "reduce", "ireduce": "reduce", "gather": "gather", "scatter": "scatter"}


def pack_message(peer, tag, size):
    packed = (peer >> 8 & 0xFF) << 56 | (tag >> 8 & 0xFF) << 48 | (size >> 16 & 0x3FF) << 32
    packed |= (peer & 0xFF) << 24 | (tag & 0xFF) << 16 | size & 0xFFFF
    return packed - (1 << 64) if packed >> 63 else packed


class Stream:
    """of a rank"""

    def __init__(self, rank, clock, resolution_ns):
        self.rank, self.clock, self.resolution_ns = rank, clock, resolution_ns
        self.records, self.ids = bytearray(), {}

    def add(self, event, parameter, true_ns):
        at = self.clock.reads(true_ns) // self.resolution_ns
        self.records += RECORD.pack(event, self.rank.number, 0, parameter, at)

    def id(self, name, group, kind):
        return self.ids.setdefault((name, group, kind), len(self.ids) + 1)

    def state(self, name):
        if name.startswith("MPI_"):
            return self.id(name + "  ", "MPI", "EntryExit")
        return self.id(name + " ", "TAU_DEFAULT" if name.startswith(".") else "TAU_USER", "EntryExit")

    def value(self, name, value, true_ns):
        event = self.id(name, "TAUEVENT", "TriggerValue")
        for each in (0, value, 0):
            self.add(event, each, true_ns)

    def fill(self, host):
        self.add(INIT, 3, self.rank.start)
        self.add(WALL_CLOCK, self.clock.reads(self.rank.start) // 1_000_000_000, self.rank.start)
        if host is not None:
            self.value("Hostname | " + host, 1, self.rank.start)
        for at, kind, what in self.rank.events:
            if kind == "enter":
                self.add(self.state(what), 1, at)
            elif kind == "leave":
                self.add(self.state(what), -1, at)
            elif kind == "send":
                self.value(SENT, what.size, at)
                self.add(SEND, pack_message(what.dst, what.tag, what.size), at)
            elif kind == "receive":
                self.add(RECEIVE, pack_message(what.src, what.tag, what.size), at)
            elif what.kind != "gather" or what.root == self.rank.number:
                self.value("Message size for " + SIZES[what.kind], what.size, at)
        self.add(FLUSH_CLOSE, 0, self.rank.now)
        self.add(WALL_CLOCK, self.clock.reads(self.rank.now) // 1_000_000_000, self.rank.now)

    def definitions(self):
        rows = ['0 TAUEVENT 0 ".TAU <unknown event>" TriggerValue\n']
        rows += [f'{number} {group} 0 "{name}" {kind}\n' for (name, group, kind), number in self.ids.items()]
        head = f'{len(rows) + SPECIAL.count(chr(10)) + 1} dynamic_trace_events\n# FunctionId Group Tag "Name Type" Parameters\n'
        return head + "".join(rows) + SPECIAL


def write(run, clocks, resolution_ns, folder, _names, hosts):
    for rank, clock in zip(run.ranks, clocks):
        stream = Stream(rank, clock, resolution_ns)
        stream.fill(hosts and hosts[rank.number])
        with open(os.path.join(folder, f"tautrace.{rank.number}.0.0.trc"), "wb") as f:
            f.write(stream.records)
        with open(os.path.join(folder, f"events.{rank.number}.edf"), "w", encoding="ascii") as f:
            f.write(stream.definitions())
