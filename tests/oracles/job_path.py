#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges the measured path of a training job over a ring: job_path.py JOB SEGMENTS.csv OFFSET_US...

SEGMENTS.csv is `critical-path --show segments --format csv --unit us --top 0`; OFFSET_US how much the clock of each host is
ahead. Reads the job's files by itself and holds each piece of the path against the definitions of the framework-jobs format
(sections 6 and 7): the pieces and latencies cover the run; each is the own time of a span of its name on its rank, which begins
when the last of what the span needs, or what ran before on its device, was done; and from there the path goes on.
Prints the share that is in no span; says each piece that is none of these, and exits with 1.
"""
import collections
import csv
import glob
import gzip
import json
import os
import re
import sys

KERNELS = ("MEMCPY_IN_FUSION_BUFFER", "MEMCPY_OUT_FUSION_BUFFER")


def ns(us):
    return round(us * 1000)


class Span:
    def __init__(self, rank, name, begin, end):
        self.rank, self.name, self.begin, self.end = rank, name, begin, end

    def __repr__(self):
        return "%s->%s [%d, %d]" % (self.rank, self.name, self.begin, self.end)


class Job:
    def __init__(self, folder, offsets):
        self.spans = collections.defaultdict(list)  # (rank, name) -> in time order
        self.device = collections.defaultdict(list)
        self.groups, self.previous, self.ranks = set(), {}, []
        for path in sorted(glob.glob(os.path.join(folder, "*", "*", "trace.json.gz"))):
            where = os.path.dirname(path)
            host, gpu = where.split(os.sep)[-2:]
            offset = ns(offsets[int(re.sub(r"\D", "", host))]) if offsets else 0
            rank = "%s.rank%s" % (host, gpu)
            self.ranks.append(rank)
            self.read_operators(rank, path, offset)
            self.read_input(rank, os.path.join(where, "io.json"), offset)
            self.read_detail(rank, os.path.join(where, "comm_detail.json"), offset)
            self.read_ring(len(self.ranks) - 1, os.path.join(where, "nccl_rank_graph.json"))
        for rank in self.ranks:
            host, gpu = rank.split(".rank")
            offset = ns(offsets[int(re.sub(r"\D", "", host))]) if offsets else 0
            self.read_communication(rank, os.path.join(folder, host, gpu, "comm.json"), offset)
        self.read_graph(glob.glob(os.path.join(folder, "*", "*", "dag.gml"))[0])
        for lists in (self.spans, self.device):
            for spans in lists.values():
                spans.sort(key=lambda span: (span.end, span.begin))
        self.channels = self.find_channels()

    def add(self, rank, name, begin, end, device):
        span = Span(rank, name, begin, end)
        self.spans[rank, name].append(span)
        if device is not None:
            self.device[rank, device].append(span)

    @staticmethod
    def standard(raw):
        return ("BW." if raw.startswith("gradient_tape") else "UPDATE_." if raw.startswith("SGD") else "FW.") + raw

    def read_operators(self, rank, path, offset):
        for event in json.load(gzip.open(path))["traceEvents"]:
            if event.get("ph") == "X" and event["tid"] == 20:
                raw = event["args"]["long_name"].split(":")[0].split("/", 1)[1]
                begin = ns(event["ts"]) - offset
                self.add(rank, self.standard(raw), begin, begin + ns(event["dur"]), "operators")

    def read_input(self, rank, path, offset):
        for event in json.load(open(path))["traceEvents"]:
            begin = ns(event["ts"]) - offset
            self.add(rank, event["name"], begin, begin + ns(event["dur"]), "I/O")

    def read_detail(self, rank, path, offset):
        for event in json.load(open(path))["traceEvents"]:
            args, (_, group, sub_op) = event["args"], event["name"].split(".")
            ids = tuple(args[x] for x in ("loopId", "channelId", "chunkId", "sliceId"))
            begin = ns(event["ts"]) - offset
            self.groups.add(group)
            self.add(rank, "Comm.%s.%s~>%d_%d_%d_%d" % (group, sub_op, *ids), begin, begin + ns(event["dur"]), (sub_op, ids[1]))

    def read_communication(self, rank, path, offset):
        process, open_spans = {}, collections.defaultdict(list)
        for event in json.load(open(path)):
            if event["ph"] == "M":
                if event["name"] == "process_name" and "name" in event["args"]:
                    process[event["pid"]] = event["args"]["name"]
            elif event["ph"] == "B":
                open_spans[event["pid"]].append(event)
            elif event["ph"] == "E":
                first = open_spans[event["pid"]].pop()
                what = process[event["pid"]]
                tensor, sub_op = (first["name"], "Sync") if what == "Sync" else (re.search(r"\.(\d+)_", what)[1], first["name"])
                group = next(g for g in self.groups if tensor in g.split("+"))
                begin, end = ns(first["ts"]) - offset, ns(event["ts"]) - offset
                if not any((x.begin, x.end) == (begin, end) for x in self.spans[rank, "Comm.%s.%s" % (group, sub_op)]):
                    self.add(rank, "Comm.%s.%s" % (group, sub_op), begin, end, "kernels" if sub_op in KERNELS else None)

    def read_ring(self, number, path):
        for channel, text in json.load(open(path))["RealRing"].items():
            for a, b in re.findall(r"(\d+)\[\w+\] -> (\d+)\[", text):
                self.previous[int(channel), int(b)] = int(a)

    def read_graph(self, path):
        text = open(path).read()
        label = dict(re.findall(r'node\s*\[\s*id (\d+)\s*label "([^"]*)"', text))
        self.needs, self.gradients, self.waiting = collections.defaultdict(set), collections.defaultdict(set), collections.defaultdict(set)
        for a, b in re.findall(r"edge\s*\[\s*source (\d+)\s*target (\d+)", text):
            a, b = label[a], label[b]
            tensors = [re.search(r"HorovodAllreduce\.(\d+)_", x) for x in (a, b)]
            if tensors[1]:
                self.gradients[tensors[1][1]].add(self.standard(a))
            elif tensors[0]:
                self.waiting[self.standard(b)].add(tensors[0][1])
            else:
                self.needs[self.standard(b)].add(self.standard(a))

    def find_channels(self):
        """Whether a rank ever sends over two channels at once."""
        for rank in self.ranks:
            sends = sorted(((x.begin, x.end, d[1]) for (r, d), spans in self.device.items() if r == rank and d[0] == "SEND" for x in spans))
            for (_, end, a), (begin, _, b) in zip(sends, sends[1:]):
                if begin < end and a != b:
                    return True
        return False

    # -- what a span waits for --------------------------------------------------------------------------------

    @staticmethod
    def last(spans, until):
        """All of the last to end by then: several may at once."""
        ends = [x.end for x in spans if x.end <= until]
        return [x for x in spans if ends and x.end == max(ends)]

    def lane(self, rank, sub_op, channel):
        return [x for (r, d), spans in self.device.items()
                if r == rank and d[0] == sub_op and isinstance(d, tuple) and (d[1] == channel or not self.channels) for x in spans]

    def transfer_causes(self, span, group, sub_op, ids):
        loop, channel, t, piece = map(int, ids.split("_"))
        number = self.ranks.index(span.rank)
        causes = [(x.end, x) for x in self.last([x for x in self.lane(span.rank, sub_op, channel) if x is not span], span.begin)]

        def of(rank, what, until):
            causes.extend((x.end, x) for x in self.last(self.spans[rank, what], until))

        if sub_op == "SEND":
            if t > 0:
                of(span.rank, "Comm.%s.RECV~>%d_%d_%d_%d" % (group, loop, channel, t - 1, piece), span.begin)
            of(span.rank, "Comm.%s.MEMCPY_IN_FUSION_BUFFER" % group, span.begin)
            if t == 0 and loop > 0:
                causes.extend((x.end, x) for x in self.last(self.lane(span.rank, "RECV", channel), span.begin))
        else:
            peer = self.ranks[self.previous[channel, number]]
            of(peer, "Comm.%s.SEND~>%s" % (group, ids), span.end)
            of(span.rank, "Comm.%s.MEMCPY_IN_FUSION_BUFFER" % group, span.end)
        return causes

    def communication_causes(self, span, group, sub_op):
        def of(rank, what, until):
            return [(x.end, x) for x in self.last(self.spans[rank, what], until)]

        kernels = [(x.end, x) for x in self.last([x for x in self.device[span.rank, "kernels"] if x is not span],
                                                 span.end if sub_op == "QUEUE" else span.begin)]
        if sub_op == "Sync":
            peers = [x for rank in self.ranks if rank != span.rank for x in self.spans[rank, span.name] if span.begin < x.begin <= span.end]
            if peers:
                return [(x.begin, x) for x in peers if x.begin == max(y.begin for y in peers)]
            return kernels + [y for i in group.split("+") for name in self.gradients[i] for y in of(span.rank, name, span.begin)]
        if sub_op == "QUEUE":
            return kernels + [y for rank in self.ranks for y in of(rank, "Comm.%s.Sync" % group, span.end)]
        if sub_op == "MEMCPY_IN_FUSION_BUFFER":
            return kernels + of(span.rank, "Comm.%s.QUEUE" % group, span.begin)
        received = [x for (r, d), spans in self.device.items() if r == span.rank and d[0] == "RECV" for x in spans
                    if x.name.startswith("Comm.%s.RECV" % group)]
        return kernels + [(x.end, x) for x in self.last(received, span.begin)]

    def causes(self, span):
        """(when it was done, what) of all that may have held the span."""
        match = re.match(r"Comm\.([^.]*)\.(\w+)(?:~>(.*))?$", span.name)
        if match and match[3]:
            return self.transfer_causes(span, *match.groups())
        if match:
            return self.communication_causes(span, match[1], match[2])
        own, operators = self.device[span.rank, "I/O" if span.name.startswith("I/O") else "operators"], self.device[span.rank, "operators"]
        causes = self.last([x for x in own if x is not span], span.begin)
        if span.name.startswith("I/O"):
            causes += self.last(operators, span.begin)
        needed = [y for name in self.needs[span.name] for y in self.last(self.spans[span.rank, name], span.begin)]
        if span.name.startswith("FW.") and not needed:
            causes += self.last(self.device[span.rank, "I/O"], span.begin)
        if span.name.startswith("UPDATE_"):
            causes += self.last(self.device[span.rank, "kernels"], span.begin)
        return [(x.end, x) for x in causes + needed]

    def names_of(self, span):
        """A fused group stands under the names of its tensors, too."""
        match = re.match(r"Comm\.([^.~]*)\.(QUEUE|MEMCPY\w+)$", span.name)
        return {span.name} | ({"Comm.%s.%s" % (i, match[2]) for i in match[1].split("+")} if match else set())

    def find(self, rank, name, begin, end):
        return [x for (r, _), spans in self.spans.items() if r == rank for x in spans
                if x.begin <= begin and end <= x.end and name in self.names_of(x)]


def judge(job, rows):
    """What is wrong with the path."""
    everything = [x for spans in job.spans.values() for x in spans]
    first, last = min(x.begin for x in everything), max(x.end for x in everything)
    pieces, now = [], first
    for row in rows:
        begin = first + ns(float(row["begin_us"]))
        if begin - ns(float(row["transfer_in_us"])) != now:
            yield "the path has a hole before %s" % row
        now = begin + ns(float(row["time_us"]))
        pieces.append((row, begin, now, first + ns(float(row["begin_us"])) - ns(float(row["transfer_in_us"]))))
    if now != last:
        yield "the path ends at %d, the run at %d" % (now, last)
    for i, (row, begin, end, came_ns) in enumerate(pieces):
        if row["name"].startswith("("):
            continue
        found = job.find(row["pid"], row["name"], begin, end)
        if not found:
            yield "no such span: %s" % row
            continue
        before = i - 1
        if before >= 0 and pieces[before][0]["name"].startswith("("):
            came_ns = pieces[before][1]
            before -= 1
        problems = [problem for problem in (check(job, span, begin, came_ns, pieces[before] if before >= 0 else None) for span in found)]
        if all(problems):
            yield "%s: %s" % (row, problems[0])


def check(job, span, begin, came_ns, before):
    """None: the piece from @begin on is the span's own time, and the path came from what held it."""
    causes = job.causes(span)
    if not causes:
        return None if before is None else "%s waits for nothing, but the path came from %s" % (span, before[0])
    moment = max(ns_done for ns_done, _ in causes)
    if max(moment, span.begin) != begin and not (before and before[0]["came_by"] == "collective"):
        return "%s goes on at %d, not at %d" % (span, max(moment, span.begin), begin)
    if before is None:
        return None if begin == came_ns else "%s is not the first" % span
    if came_ns != moment:
        return "%s was held until %d, not %d" % (span, moment, came_ns)
    held_by = [x for ns_done, x in causes if ns_done == moment]
    if not any(x.rank == before[0]["pid"] and before[0]["name"] in job.names_of(x) for x in held_by):
        return "%s was held by %s, not by %s" % (span, held_by[0], before[0]["name"])
    return None


def main():
    job = Job(sys.argv[1], [float(x) for x in sys.argv[3:]])
    rows = list(csv.DictReader(open(sys.argv[2])))
    problems = list(judge(job, rows))
    for problem in problems[:5]:
        print(problem)
    total = sum(ns(float(row["time_us"])) + ns(float(row["transfer_in_us"])) for row in rows)
    outside = sum(ns(float(row["time_us"])) for row in rows if row["name"].startswith("("))
    print("%d pieces, %d wrong, %.2f %% in no span" % (len(rows), len(problems), 100 * outside / total if total else 100))
    sys.exit(bool(problems) or len(rows) < 100)


main()
