#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The callbacks of a TAU trace as tests/formats/tau-print.c prints them, decoded a second time.

tau-callbacks.py TRACE.trc TRACE.edf [HABITS]
"""
import os
import re
import struct
import sys

QUOTED, GROUPS = 1, 2


def layout_of(data):
    found = [(order, size) for order in "<>" for size, at in ((24, 8), (32, 16))
             if struct.unpack_from(order + "q", data, at)[0] == 3]
    return found[0] if len(found) == 1 else ("<", 24)


def records(data):
    order, size = layout_of(data)
    shape = struct.Struct(order + ("iHHqQ" if size == 24 else "qHH4xqQ"))
    return shape.iter_unpack(data[:len(data) // size * size])


def definitions(text, habits, out):
    kinds, groups, told = {}, {}, set()
    for line in text.split(b"\n")[1:]:
        row = re.match(rb'\s*(-?\d+) +(\S+) +(-?\d+) +(".*")\s*(\w+)\s*$', line)
        if row is None or int(row[1]) in kinds:
            continue
        number, tag, name, params = int(row[1]), int(row[3]), row[4], row[5]
        is_first = row[2] not in groups
        group = groups.setdefault(row[2], len(groups) + 1)
        if habits & QUOTED and name.count(b'"') > 2:
            params = b"none"
        kinds[number] = {b"par": tag, b"none": name.strip(b'" ')}.get(params, params)
        if params == b"EntryExit":
            if is_first if habits & GROUPS else group not in told:
                out.write(b"GROUP %d %s\n" % (group, row[2]))
            told.add(group)
            out.write(b"STATE %d %d %s\n" % (number, group, name))
        elif params == b"TriggerValue":
            out.write(b"UEVENT %d %d %s\n" % (number, tag, name))
    return kinds


def main():
    out = sys.stdout.buffer
    habits = int(sys.argv[3]) if len(sys.argv) > 3 else QUOTED | GROUPS
    with open(sys.argv[1], "rb") as trace, open(sys.argv[2], "rb") as rows:
        data, text = trace.read(), rows.read()
    out.write(b"CLK 9.9999999999999995e-07\n")
    kinds, seen, closed, first = None, set(), set(), None
    for event, node, tid, par, ti in records(data):
        first = ti if first is None else first
        kinds = definitions(text, habits, out) if kinds is None else kinds
        if event not in kinds:
            out.write(b"LAST -1\n")
            return
        if (node, tid) not in seen:
            seen.add((node, tid))
            out.write(b"THREAD %d %d process %d:%d\n" % (node, tid, node, tid))
        kind, time = kinds[event], ti - first
        if kind == b"EntryExit" and par in (1, -1):
            out.write(b"%s %d %d %d %d\n" % (b"ENTER" if par == 1 else b"LEAVE", time, node, tid, event))
        elif kind == b"TriggerValue":
            out.write(b"TRIG %d %d %d %d %d\n" % (time, node, tid, event, par))
        elif kind in (-7, -8):
            bits = par & (1 << 64) - 1
            peer = bits >> 24 & 0xff | bits >> 48 & 0xff00
            ends = (node, tid, peer, 0) if kind == -7 else (peer, 0, node, tid)
            out.write(b"%s %d %d %d %d %d size=%d tag=%d comm=%d\n" % (
                b"SEND" if kind == -7 else b"RECV", time, *ends, bits & 0xffff | bits >> 16 & 0x3ff0000,
                bits >> 16 & 0xff | bits >> 40 & 0xff00, bits >> 42 & 0x3f))
        elif kind == b"FLUSH_CLOSE" and par == 0:
            closed.add((node, tid))
        elif kind == b"WALL_CLOCK" and par not in (1, -1) and (node, tid) in closed:
            out.write(b"END %d %d\n" % (node, tid))
    out.write(b"LAST 0\n")


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(1)
