#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Strict check of a trace in Perfetto's own format, and whether it says what a Chrome trace of the same run says.

check-perfetto.py PFTRACE JSON
Decodes the protobuf by the numbers of the public schema, sorts the packets by time as Perfetto's trace processor does,
keeps a stack for each track, and compares spans, instants, counters, arrows and names with the JSON. Prints how many of
each there are; exits 1 with the first faults on standard error.
"""
import collections
import decimal
import gzip
import json
import struct
import sys

MAX_DEPTH = 512
faults = []


def fault(text):
    faults.append(text)


# -- protobuf -------------------------------------------------------------------------------------------


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) in order: int of a varint, 8 bytes of a fixed64, memory of the others."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = bytes(data[at : at + 8]), at + 8
        elif tag & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
            if len(value) != length:
                raise ValueError("a field is cut off")
        else:
            raise ValueError(f"wire type {tag & 7}")
        yield tag >> 3, value


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def text(value):
    return bytes(value).decode("utf-8")


# -- the trace ------------------------------------------------------------------------------------------


class Trace:
    def __init__(self, data):
        self.texts = collections.defaultdict(dict)
        self.tracks = {}  # uuid: fields
        self.names = collections.Counter()  # of processes and threads
        self.events = []
        is_first = True
        for number, packet in fields(data):
            if number != 1:
                fault(f"field {number} in the trace")
            self.read_packet(dict(fields(packet)), is_first)
            is_first = False

    def read_packet(self, packet, is_first):
        flags = packet.get(13, 0)
        if packet.get(10) != 1 or (flags & 1 == 1) != is_first:
            fault("a packet without its sequence, or whose state is cleared")
        for table, entry in fields(packet.get(12, b"")):
            entry = dict(fields(entry))
            if entry[1] in self.texts[table]:
                fault(f"number {entry[1]} of texts {table} twice")
            self.texts[table][entry[1]] = text(entry[2])
        if 60 in packet:
            self.read_track(dict(fields(packet[60])))
        if 11 in packet:
            self.read_event(packet, list(fields(packet[11])))

    def read_track(self, track):
        uuid = track[1]
        if uuid in self.tracks:
            fault(f"track {uuid} twice")
        if 5 in track and track[5] not in self.tracks:
            fault(f"track {uuid} comes before the one that it belongs to")
        self.tracks[uuid] = track
        if 3 in track:
            process = dict(fields(track[3]))
            self.names["process", text(process[6])] += 1
            if process[1] == 0:
                fault("pid 0")
        if 4 in track:
            thread = dict(fields(track[4]))
            self.names["thread", text(thread[5])] += 1

    def annotation(self, data):
        """(name, value)"""
        name = value = None
        items, members = [], {}
        for number, field in fields(data):
            if number == 1:
                name = self.texts[3][field]
            elif number == 10:
                name = text(field)
            elif number == 2:
                value = bool(field)
            elif number == 3:
                value = field
            elif number == 4:
                value = signed(field)
            elif number == 5:
                value = struct.unpack("<d", field)[0]
            elif number == 6:
                value = text(field)
            elif number == 17:
                value = self.texts[29][field]
            elif number == 11:
                key, member = self.annotation(field)
                members[key] = member
            elif number == 12:
                items.append(self.annotation(field)[1])
            else:
                fault(f"field {number} in an annotation")
        return name, members or items or value

    def read_event(self, packet, event):
        found = {"args": {}, "flows": [], "ts": packet[8], "name": None, "cat": None}
        for number, value in event:
            if number == 9:
                found["type"] = value
            elif number == 11:
                found["track"] = value
            elif number == 10:
                found["name"] = self.texts[2][value]
            elif number == 23:
                found["name"] = text(value)
            elif number == 3:
                found["cat"] = self.texts[1][value]
            elif number == 22:
                found["cat"] = text(value)
            elif number == 4:
                key, arg = self.annotation(value)
                if key in found["args"]:
                    fault(f"argument {key} twice")
                found["args"][key] = arg
            elif number == 47:
                found["flows"].append(struct.unpack("<Q", value)[0])
            elif number == 30:
                found["value"] = signed(value)
            elif number == 44:
                found["value"] = struct.unpack("<d", value)[0]
            else:
                fault(f"field {number} in an event")
        if found["track"] not in self.tracks:
            fault(f"an event on a track that is not there: {found['track']}")
        self.events.append(found)


def play(trace):
    """Slices as the trace processor gets them: sorted by time, those of one time in the order of the file."""
    stacks = collections.defaultdict(list)
    slices, counts = [], []
    for event in sorted(trace.events, key=lambda event: event["ts"]):
        stack = stacks[event["track"]]
        if event["type"] == 1:
            stack.append(event)
            slices.append(event)
            if len(stack) > MAX_DEPTH:
                fault(f"a slice at depth {len(stack)}")
        elif event["type"] == 2:
            if not stack:
                fault(f"an end at {event['ts']} with nothing open")
                continue
            begun = stack.pop()
            begun["dur"] = event["ts"] - begun["ts"]
        elif event["type"] == 3:
            event["dur"] = None
            slices.append(event)
        else:
            counts.append(event)
    if any(stacks.values()):
        fault("slices without an end")
    return slices, counts


# -- comparison -----------------------------------------------------------------------------------------


def plain(value):
    """JSON as annotations have it."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return [plain(item) for item in value] or "[]"
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()} or "{}"
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, int) and not isinstance(value, bool) and not -(1 << 63) <= value < 1 << 64:
        return float(value)
    return value


def ns(value):
    return int(decimal.Decimal(value) * 1000)


def key_of(name, cat, ts, dur, args):
    return name, cat, ts, dur, json.dumps(args, sort_keys=True)


def is_ours(key):
    return key in ("message_sent", "message_received")


def compare(what, mine, others):
    for item in list((mine - others).elements())[:5]:
        fault(f"{what} only in the trace: {item}")
    for item in list((others - mine).elements())[:5]:
        fault(f"{what} only in the JSON: {item}")


def chrome_events(events, ticks):
    """Spans and instants, counters, number of arrows, names; @ticks: pids whose times are ticks."""
    shown, counts, names = collections.Counter(), collections.Counter(), collections.Counter()
    arrows = 0
    for event in events:
        kind = event["ph"]
        scale = int if event["pid"] in ticks else ns
        if kind in "XinbC":
            ts = scale(event["ts"])
        if kind == "C":
            counts[event["name"], ts, float(event["args"]["value"])] += 1
        elif kind in "Xin" and event["cat"] != "arrow":
            dur = scale(event["dur"]) if kind == "X" else None
            shown[key_of(event["name"], event["cat"], ts, dur, plain(event["args"]))] += 1
        elif kind == "b":
            shown[event["name"], event["cat"], ts, "async"] += 1
        elif kind == "s":
            arrows += 1
        elif kind == "M" and event["name"] == "process_name":
            names["process", event["args"]["name"]] += 1
        elif kind == "M" and event["name"] == "thread_name":
            names["thread", event["args"]["name"]] += 1
    return shown, counts, arrows, names


def check_arrows(slices):
    ends = collections.defaultdict(list)
    for one in slices:
        for flow in one["flows"]:
            ends[flow].append(one)
    for flow, pair in ends.items():
        if len(pair) != 2:
            fault(f"flow {flow} has {len(pair)} ends")
    return len(ends)


def open_file(path):
    with open(path, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def main(pftrace, chrome):
    document = json.loads(open_file(chrome), parse_float=decimal.Decimal)
    events = document["traceEvents"]
    ticks = {e["pid"] for e in events if e["name"] == "process_name" and e["args"]["name"].endswith(" [ticks]")}
    trace = Trace(memoryview(open_file(pftrace)))
    slices, counts = play(trace)
    shown, counters, arrows, names = chrome_events(events, ticks)

    mine = collections.Counter()
    for one in slices:
        if one["cat"] == "arrow":
            continue
        args = {key: value for key, value in one["args"].items() if not is_ours(key)}
        if "async" in str(args.get("flags", "")).split(",") and one["dur"] is not None:
            mine[one["name"], one["cat"], one["ts"], "async"] += 1
        else:
            mine[key_of(one["name"], one["cat"], one["ts"], one["dur"], args)] += 1
    compare("event", mine, shown)
    values = collections.Counter((text(trace.tracks[c["track"]][2]), c["ts"], float(c["value"])) for c in counts)
    compare("counter", values, counters)
    flows = check_arrows(slices)
    if flows != arrows:
        fault(f"{flows} arrows, and {arrows} in the JSON")
    # Further lines of a thread are tracks here and threads there.
    for kind, name in set(trace.names) ^ set(names):
        fault(f"{kind} '{name}' is only in one of both")
    print(f"events {sum(mine.values())}, counters {len(counts)}, arrows {flows}")
    for line in faults[:20]:
        print(line, file=sys.stderr)
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:3]))
