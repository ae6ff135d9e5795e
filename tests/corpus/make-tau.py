#!/usr/bin/env python3
"""Writes the seeds in tests/corpus/tau-trc, tau-edf and tau-api: make-tau.py [FOLDER].

Records use the definitions in tests/fuzz/fuzz-tau-trc.c and, nearly the same, tests/fuzz/fuzz-tau-api.c.
"""

import os
import struct
import sys

LAYOUTS = {"24le": "<iHHqQ", "24be": ">iHHqQ", "32le": "<qHH4xqQ", "32be": ">qHH4xqQ"}
INIT, SEND, RECV, CLOSE, CLOCK, FLUSH = 3, 13, 14, 7, 8, 6


def records(layout, rows, magic=True):
    head = [(INIT, 0, 0, 3, 100)] if magic else []
    return b"".join(struct.pack(LAYOUTS[layout], *row) for row in head + rows)


def message(peer, tag, size, comm=0):
    p = (peer & 255) << 24 | (peer >> 8) << 56 | (tag & 255) << 16 | (tag >> 8) << 48
    p |= size & 0xFFFF | (size >> 16 & 0x3FF) << 32 | comm << 42
    return p - (1 << 64) if p >> 63 else p


def plain():
    rows = [(CLOCK, 0, 0, 1700000000, 100), (1, 0, 0, 1, 101), (4, 0, 0, 1, 102), (2, 0, 0, 1, 103)]
    rows += [(SEND, 0, 0, message(1, 70000 % 65536, 5 << 20), 104), (2, 0, 0, -1, 105)]
    rows += [(9, 0, 0, v, 106) for v in (0, 750, 0)] + [(10, 0, 0, v, 107) for v in (0, 1, 0)]
    rows += [(2, 1, 0, 1, 103), (RECV, 1, 0, message(0, 4464, 5 << 20), 108), (2, 1, 0, -1, 109)]
    rows += [(4, 0, 0, -1, 110), (1, 0, 0, -1, 111), (CLOSE, 0, 0, 0, 112), (CLOCK, 0, 0, 1700000001, 112)]
    return rows


def metrics():
    rows = []
    for i, (event, par) in enumerate([(1, 1), (5, 1), (5, -1), (1, -1)]):
        rows += [(event, 0, 0, par, 200 + i), (11, 0, 0, 1000 * i, 200 + i)]
        if i == 1:
            rows += [(FLUSH, 0, 0, 1, 201), (FLUSH, 0, 0, -1, 209)]
        rows += [(12, 0, 0, 77 * i, 200 + i)]
    return rows + [(CLOSE, 0, 0, 0, 210)]


def odd():
    rows = [(1, 65535, 9, 1, 5), (2, 65535, 9, 2, 4), (1, 65535, 9, 1, 3), (4, 65535, 9, -1, 2), (99, 0, 0, 0, 1)]
    rows += [(21, 0, 0, 1, 8), (22, 0, 0, 0, 9), (23, 0, 0, 0, 9), (20, 0, 0, -5, 9), (24, 0, 0, 1, 9), (10, 0, 0, 1, 9)]
    rows += [(15, 0, 1, 4096, 20), (17, 0, 1, 7, 20), (18, 0, 1, 99, 20), (16, 0, 2, -1, 21), (17, 0, 2, 7, 21), (18, 0, 2, 99, 21)]
    rows += [(15, 0, 1, 1, 22), (1, 0, 1, 1, 22), (18, 0, 1, 1, 22), (19, 0, 1, 1, 23), (17, 0, 1, 2, 23), (18, 0, 1, 3, 23)]
    rows += [(9, 0, 3, v, 30) for v in (0, 0, 0, 5, 0, 6, 7, 0, 0)] + [(25, 0, 3, v, 31) for v in (0, 1, 0)]
    return rows


HEADER = '%d dynamic_trace_events\n# FunctionId Group Tag "Name Type" Parameters\n'
ROWS = """0 TAUEVENT 0 ".TAU <unknown event>" TriggerValue
2 TAU_DEFAULT 0 "main [{/src/a.cpp} {160,0}] " EntryExit
3 MPI 0 "MPI_Init()  " EntryExit
5 TAUEVENT 1 "PAPI_FP_OPS" TriggerValue
7 TAUEVENT 0 "loop "quoted" value" TriggerValue
60001 TRACER 0 "FLUSH" EntryExit
60007 TAU_MESSAGE -7 "MESSAGE_SEND" par
"""
NAMES = """8 TAU_CALLPATH 0 "A [{a b.c} {1,1}-{9,1}] => f(int, char *) int (int, char *) [{b.c} {17}]" EntryExit
9 OpenMP 0 "parallelfor (loop body) [OpenMP location: file:/x.c <91, 101>] " EntryExit
10 TAU_USER 0 "[UNWIND] a.c.17 [@] foo [{a.c} {17}]" EntryExit
11 TAU_USER 0 "main int (int, char **)" EntryExit
12 TAU_USER 0 "std::function<void (int)>::operator()(int) const [{x}" EntryExit
13 TAUEVENT 0 "Command Line | a
b c" TriggerValue
13 TAU_USER 0 "again" EntryExit
14 TAU_USER 0 "again" Unknown
16 TAU_USER 0 "f*(int)" EntryExit
15 TAU_USER 0 "bytes \xff\xfe here" EntryExit
"""


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def main():
    top = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    trc, edf, api = (os.path.join(top, name) for name in ("tau-trc", "tau-edf", "tau-api"))
    for layout in LAYOUTS:
        write(trc, "plain-" + layout, records(layout, plain()))
    write(trc, "metrics", records("24le", metrics()))
    write(trc, "odd", records("24le", odd()))
    write(trc, "odd-strict", records("24le", odd()) + b"x")
    write(trc, "no-magic", records("32be", plain(), magic=False))
    write(trc, "tie", records("32le", [(1, 3, 0, 1, 101), (1, 3, 0, -1, 102)]))
    write(trc, "late", records("24le", [(1, 0, 0, 1, 1 << 63)]))
    text = lambda *parts: "".join(parts).encode("latin-1")
    write(edf, "rows", b"\x20" + text(HEADER % 8, ROWS))
    write(edf, "names", b"\x01" + text(HEADER % 16, ROWS, NAMES))
    write(edf, "crlf", b"\xff" + text(HEADER % 7, ROWS).replace(b"\n", b"\r\n")[:-2])
    write(edf, "cut", b"\x04" + text(HEADER % 7, ROWS)[:-30])
    write(edf, "static", b"\x04" + text("7\n", ROWS.replace('"', "")))
    write(edf, "nul", b"\x04" + text(HEADER % 7, "1 A 0 \"a\0b\" none\n"))
    write(edf, "huge", b"\x04" + text(HEADER % (1 << 62), "9223372036854775808 A 0 \"a\" none\n"))
    # What is read and where to go, from the last byte back: read, seek, read, announce again ...
    steps = bytes([0x3e, 0xc5, 0x02, 0xfc, 0x41, 0x9e, 0x04, 0xfe, 0x06, 0x82, 0x10, 0x44, 0x02])
    for layout in LAYOUTS:
        write(api, "plain-" + layout, records(layout, plain()) + steps)
        write(api, "own-" + layout, records(layout, plain()) + text("\n@\n", HEADER % 8, ROWS, "#") + steps + b"\x01")
    write(api, "odd", records("24le", odd()) + steps)
    write(api, "no-magic", records("32be", plain(), magic=False) + steps)
    write(api, "names", records("24le", plain()) + text("\n@\n", HEADER % 16, ROWS, NAMES, "#") + steps + b"\x01")
    write(api, "empty", b"\x02")


if __name__ == "__main__":
    main()
