#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what an import made of an OTF2 archive with what otf2-print, libotf2's own program, prints of it.

    otf2-printed.py ANCHOR DATABASE TRACETOOL

Spans, messages, collectives, counters and metrics are made again from the printed text, event by event, by the rules of
docs/otf2.md alone. Prints "N spans, ..." or the first difference, and exits with 1.
"""
import collections
import csv
import datetime
import io
import re
import subprocess
import sys

ANCHOR, DATABASE, TRACETOOL = sys.argv[1:4]

REFERENCE = re.compile(r'"(.*?)" <(\d+)>')


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode("utf-8", "replace")


def query(sql):
    text = run(TRACETOOL, "--db", DATABASE, "query", "--format", "csv", sql)
    rows = list(csv.reader(io.StringIO(text)))
    return rows[1:]


def fail(what, ours, theirs):
    print(f"{what}: only in the database {list(ours)[:3]}, only in otf2-print {list(theirs)[:3]}")
    sys.exit(1)


class Definitions:
    def __init__(self):
        self.resolution, self.offset, self.realtime = 1, 0, None
        self.groups, self.locations, self.members, self.comms, self.modes = {}, {}, {}, {}, {}
        self.occurrence, self.class_of = {}, {}
        self.windows = {}
        for line in run("otf2-print", "-G", ANCHOR).splitlines():
            self.take(line)
        taken = collections.Counter()
        self.pids = {}
        for number, name in self.groups.items():
            self.pids[number] = f"{name} ({number})" if taken[name] else name
            taken[name] += 1
        order = collections.Counter()
        self.places = {}
        for location, (group, _, kind) in sorted(self.locations.items()):
            self.places[location] = (self.pids[group], str(order[group]))
            order[group] += 1

    def take(self, line):
        kind = line.split(" ", 1)[0]
        number = re.match(r"\S+ +(\d+) ", line)
        number = int(number.group(1)) if number else None
        name = re.search(r'Name: "((?:[^"\\]|\\.)*)"', line)
        name = name.group(1) if name else None
        if kind == "CLOCK_PROPERTIES":
            self.resolution = int(re.search(r"Ticks per Seconds: (\d+)", line).group(1))
            self.offset = int(re.search(r"Global Offset: (\d+)", line).group(1))
            date = re.search(r"Date: (\d+-\d+-\d+) (\d+:\d+:\d+)\.(\d+) \+0000", line)
            if date:
                when = datetime.datetime.fromisoformat(f"{date.group(1)}T{date.group(2)}+00:00")
                self.realtime = int(when.timestamp()) * 10**9 + int(date.group(3))
        elif kind == "LOCATION_GROUP":
            self.groups[number] = name
        elif kind == "LOCATION":
            group = int(re.search(r"Group: .*<(\d+)>$", line).group(1))
            self.locations[number] = (group, name, re.search(r"Type: (\w+)", line).group(1))
        elif kind == "GROUP":
            members = line.split(" Member", 1)[1]
            sort = re.search(r"Type: (\w+)", line).group(1)
            values = [int(n) for n in re.findall(r"<(\d+)>", members)]
            self.members[number] = (sort, values)
        elif kind == "COMM":
            self.comms[number] = int(re.search(r'Group: "[^"]*" <(\d+)>', line).group(1))
        elif kind == "RMA_WIN":
            self.windows[number] = int(re.search(r'Communicator: "[^"]*" <(\d+)>', line).group(1))
        elif kind == "METRIC_MEMBER":
            self.modes[number] = re.search(r"Mode: (\w+)", line).group(1)
        elif kind == "METRIC_CLASS":
            self.occurrence[number] = re.search(r"Occurrence: (\w+)", line).group(1)
        elif kind == "METRIC_INSTANCE":
            self.class_of[number] = int(re.search(r"Class: (\d+)", line).group(1))

    def ns(self, ticks):
        if self.realtime is None:
            return ticks * 10**9 // self.resolution
        return self.realtime + (ticks - self.offset) * 10**9 // self.resolution


class Replay:
    """The events in the order of otf2-print, each location for itself."""

    def __init__(self, definitions):
        self.definitions = definitions
        self.spans, self.collectives, self.counters, self.metrics = [], [], [], []
        self.onesided, self.flows, self.begun = [], [], {}
        self.sends = collections.defaultdict(list)  # channel -> (order, ns, bytes)
        self.receives = collections.defaultdict(list)
        self.stacks = collections.defaultdict(list)
        self.held, self.started = {}, {}
        self.posts = collections.defaultdict(dict)
        self.order = 0
        for line in run("otf2-print", ANCHOR).splitlines():
            match = re.match(r"([A-Z_]+) +(\d+) +(\d+)  (.*)$", line)
            if match:
                self.order += 1
                self.take(match.group(1), int(match.group(2)), int(match.group(3)), match.group(4))

    def take(self, kind, location, ticks, text):
        ns = self.definitions.ns(ticks)
        if kind == "METRIC":
            self.held.setdefault(location, []).append((ticks, ns, text))
            return
        self.let_go(location, ticks if kind in ("ENTER", "LEAVE") else None)
        if kind in ("ENTER", "LEAVE"):
            region = REFERENCE.search(text).group(1)
            span = None
            if kind == "ENTER":
                span = [region, ns, {}, location]
                self.stacks[location].append(span)
            elif self.stacks[location] and self.stacks[location][-1][0] == region:
                span = self.stacks[location].pop()
                self.spans.append((*self.definitions.places[location], region, span[1], ns - span[1]))
            self.measure(location, span, kind == "LEAVE")
        elif kind in ("MPI_SEND", "MPI_ISEND", "MPI_RECV", "MPI_IRECV"):
            if kind in ("MPI_ISEND", "MPI_IRECV"):
                self.follow(location, text, kind == "MPI_IRECV")
            self.message(kind, location, ns, text)
        elif kind in ("RMA_GET", "RMA_PUT") and self.definitions.locations[location][2] == "ACCELERATOR_STREAM":
            self.stacks[location].append(["copy to device" if kind == "RMA_GET" else "copy from device", ns])
        elif kind in ("RMA_GET", "RMA_PUT", "RMA_ATOMIC"):
            self.transfer(kind, location, ns, text)
        elif kind == "RMA_COLLECTIVE_END":
            window = int(re.search(r'Window: "[^"]*" <(\d+)>', text).group(1))
            self.collective(self.stacks[location][-1][0], location, text, self.definitions.windows[window])
        elif kind.startswith("RMA_OP_COMPLETE") and self.definitions.locations[location][2] == "ACCELERATOR_STREAM":
            name, begin = self.stacks[location].pop()
            self.spans.append((*self.definitions.places[location], name, begin, ns - begin))
        elif kind == "MPI_ISEND_COMPLETE":
            self.follow(location, text, True)
        elif kind == "MPI_IRECV_REQUEST":
            self.follow(location, text, False)
            self.posts[location][int(re.search(r"Request: (\d+)", text).group(1))] = self.order
        elif kind == "MPI_COLLECTIVE_END":
            self.collective(self.stacks[location][-1][0], location, text)
        elif kind == "NON_BLOCKING_COLLECTIVE_REQUEST":
            self.follow(location, text, False)
            self.started[location, re.search(r"Request: (\d+)", text).group(1)] = self.stacks[location][-1][0]
        elif kind == "NON_BLOCKING_COLLECTIVE_COMPLETE":
            self.follow(location, text, True)
            self.collective(self.started.pop((location, re.search(r"Request: (\d+)", text).group(1))), location, text)

    def follow(self, location, text, is_end):
        """From the call of a request to that of its completion."""
        request = int(re.search(r"Request: (\d+)", text).group(1))
        call = tuple(self.stacks[location][-1][:2])
        if not is_end:
            self.begun[location, request] = call
        elif (location, request) in self.begun:
            self.flows.append((*self.definitions.places[location], *self.begun.pop((location, request)), *call))

    def transfer(self, kind, location, ns, text):
        window = int(re.search(r'Window: "[^"]*" <(\d+)>', text).group(1))
        comm = self.definitions.windows[window]
        own = self.definitions.places[location][0]
        peer = self.process_of(comm, int(re.search(r"Remote: (\d+)", text).group(1)), location)
        sizes = [int(n) for n in re.findall(r"(?:Bytes|Sent|Received): (\d+)", text)]
        if kind != "RMA_GET" and sizes[0] > 0 or kind == "RMA_PUT":
            self.onesided.append((own, peer, window, comm + 1, ns, None, sizes[0]))
        if kind != "RMA_PUT" and sizes[-1] > 0 or kind == "RMA_GET":
            self.onesided.append((peer, own, window, comm + 1, None, ns, sizes[-1]))

    def collective(self, region, location, text, comm=None):
        if comm is None:
            comm = int(re.search(r'Communicator: "[^"]*" <(\d+)>', text).group(1))
        root = re.search(r"Root: (\w+)", text).group(1)
        pid = self.process_of(comm, int(root), location) if root.isdigit() else ""
        self.collectives.append((*self.definitions.places[location], region, comm + 1, pid))

    def metric_values(self, text):
        metric = int(re.match(r'Metric: (?:"[^"]*" <)?(\d+)', text).group(1))
        klass = self.definitions.class_of.get(metric, metric)
        is_sync = self.definitions.occurrence[klass].startswith("SYNCHRONOUS")
        for name, member, sort, value in re.findall(r'\("(.*?)" <(\d+)>; (\w+); ([^)]*)\)', text):
            grows = self.definitions.modes[int(member)].startswith("ACCUMULATED")
            yield name, is_sync and grows and sort != "DOUBLE", six(value)

    def measure(self, location, span, is_leave):
        for _, ns, text in self.held.pop(location, []):
            for name, of_span, value in self.metric_values(text):
                if not of_span:
                    self.counters.append((*self.definitions.places[location], name, ns, value))
                elif span is not None and not is_leave:
                    span[2][name] = value
                elif span is not None and name in span[2]:
                    self.metrics.append((*self.definitions.places[location], span[0], span[1], name, int(value) - int(span[2][name])))

    def let_go(self, location, but_of=None):
        """What was measured at another time than that of the enter or leave that comes."""
        held = self.held.pop(location, [])
        self.held[location] = [h for h in held if h[0] == but_of]
        for _, ns, text in [h for h in held if h[0] != but_of]:
            for name, _, value in self.metric_values(text):
                self.counters.append((*self.definitions.places[location], name, ns, value))

    def finish(self):
        for location in list(self.held):
            self.let_go(location)

    def process_of(self, comm, rank, location):
        sort, values = self.definitions.members[self.definitions.comms[comm]]
        if sort == "COMM_SELF":
            return self.definitions.places[location][0]
        return self.definitions.places[values[rank]][0]

    def message(self, kind, location, ns, text):
        peer = int(re.search(r"(?:Receiver|Sender): (\d+)", text).group(1))
        comm = int(re.search(r'Communicator: "[^"]*" <(\d+)>', text).group(1))
        tag = int(re.search(r"Tag: (\d+)", text).group(1))
        size = int(re.search(r"Length: (\d+)", text).group(1))
        size = None if size == 2**64 - 1 else size
        own, other = self.definitions.places[location][0], self.process_of(comm, peer, location)
        if "SEND" in kind:
            self.sends[own, other, tag, comm + 1].append((self.order, ns, size))
            return
        order = self.order
        if kind == "MPI_IRECV":
            order = self.posts[location].pop(int(re.search(r"Request: (\d+)", text).group(1)), order)
        self.receives[other, own, tag, comm + 1].append((order, ns, size))

    def messages(self):
        for channel in set(self.sends) | set(self.receives):
            sends, receives = sorted(self.sends[channel]), sorted(self.receives[channel])
            for i in range(max(len(sends), len(receives))):
                send = sends[i] if i < len(sends) else (0, None, None)
                receive = receives[i] if i < len(receives) else (0, None, None)
                yield (*channel, send[1], receive[1], send[2] if send[2] is not None else receive[2])


def compare(what, ours, theirs):
    ours, theirs = collections.Counter(ours), collections.Counter(theirs)
    if ours != theirs:
        fail(what, (ours - theirs).elements(), (theirs - ours).elements())
    return f"{sum(ours.values())} {what}"


def six(text):
    """As many digits as otf2-print shows of a double; integers have all."""
    return text if re.fullmatch(r"-?\d+", text) else f"{float(text):g}"


def number(text):
    return None if text == "" else int(text)


def main():
    definitions = Definitions()
    replay = Replay(definitions)
    replay.finish()
    done = [
        compare(
            "spans",
            [(p, t, n, int(b), int(d)) for p, t, n, b, d in query(
                "SELECT pid, tid, raw_name, own_ts_ns, own_dur_ns FROM event WHERE dur_ns IS NOT NULL AND tid <> 'markers'")],
            replay.spans),
        compare(
            "messages",
            [(a, b, int(t), int(c), number(s), number(r), number(n)) for a, b, t, c, s, r, n in query(
                "SELECT src_pid, dst_pid, tag, comm, own_send_ns, own_recv_ns, bytes FROM message WHERE ifnull (flags, '') <> 'onesided'")],
            replay.messages()),
        compare(
            "one-sided transfers",
            [(a, b, int(t), int(c), number(s), number(r), number(n)) for a, b, t, c, s, r, n in query(
                "SELECT src_pid, dst_pid, tag, comm, own_send_ns, own_recv_ns, bytes FROM message WHERE flags = 'onesided'")],
            replay.onesided),
        compare(
            "requests",
            [(p, t, f, int(b), g, int(c)) for p, t, f, b, g, c in query(
                "SELECT f.pid, f.tid, f.raw_name, f.own_ts_ns, t.raw_name, t.own_ts_ns FROM flow JOIN event f ON f.id = flow.from_event"
                " JOIN event t ON t.id = flow.to_event WHERE flow.kind = 'request'")],
            replay.flows),
        compare(
            "collectives",
            [(p, t, f, int(c), r) for p, t, f, c, r in query(
                "SELECT c.pid, c.tid, e.raw_name, c.comm, ifnull (c.root, '') FROM collective c"
                " JOIN event e ON e.id = c.event WHERE c.comm > 0 AND c.flags IS NULL")],
            replay.collectives),
        compare(
            "counter values",
            [(p, t, s, int(n), six(v)) for p, t, s, n, v in query("SELECT pid, tid, series, own_ts_ns, value FROM counter")],
            replay.counters),
        compare(
            "metrics",
            [(p, t, n, int(b), m, int(v)) for p, t, n, b, m, v in query(
                "SELECT e.pid, e.tid, e.raw_name, e.own_ts_ns, m.name, m.inclusive FROM metric m JOIN event e"
                " ON e.id = m.event")],
            replay.metrics),
    ]
    print(", ".join(done))


main()
