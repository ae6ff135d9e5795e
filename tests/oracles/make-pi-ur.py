#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a native recording of Unified Runtime calls, by the description in formats/pi/native.h: make-pi-ur.py DIRECTORY"""
import os
import struct
import sys

QUEUE, KERNEL, EVENT, CONTEXT, DEVICE = 0xa000, 0xb000, 0xe000, 0xc000, 0xd000
IDS = {"urQueueCreate": 92, "urEnqueueKernelLaunch": 17, "urEventWait": 42, "urEventRelease": 44, "urQueueFinish": 97,
       "urFromTomorrow": 9001}
# name, arguments as (size, value), result, blocks before and after: (parameter, bytes)
CALLS = (
    ("urQueueCreate", [(8, CONTEXT), (8, DEVICE), (8, 0), (8, 0x10)], 0, [], [(3, struct.pack("<Q", QUEUE))]),
    ("urEnqueueKernelLaunch", [(8, QUEUE), (8, KERNEL), (4, 2), (8, 0), (8, 0x20), (8, 0), (4, 0), (8, 0), (8, 0x30)], 0,
     [(4, struct.pack("<QQ", 512, 3))], [(8, struct.pack("<Q", EVENT))]),
    ("urEventWait", [(4, 1), (8, 0x40)], 4, [(1, struct.pack("<Q", EVENT))], []),
    ("urFromTomorrow", [(8, 5), (4, 6)], 0, [], []),
    ("urEventRelease", [(8, EVENT)], 0, [], []),
    ("urQueueFinish", [(8, QUEUE)], 0, [], []),
)


def padded(data):
    return data + bytes(-len(data) % 8)


def record(kind, count, body):
    body = padded(body)
    return struct.pack("<IHH", len(body) + 8, kind, count) + body


def blocks(some):
    return b"".join(struct.pack("<BBHIQ", param, 1, 0, len(data), len(data)) + padded(data) for param, data in some)


def main():
    os.makedirs(sys.argv[1])
    out = b"TTPICALL" + struct.pack("<IIQQII", 1, 64, 0, 0, 100, 100) + b"main".ljust(16, b"\0") + bytes(8)
    for index, (name, arguments, _, _, _) in enumerate(CALLS):
        out += record(1, 0, struct.pack("<IIBBHI", index, IDS[name], 1, len(arguments), len(name), 0) +
                      bytes(size for size, _ in arguments) + name.encode())
    for index, (name, arguments, result, before, after) in enumerate(CALLS):
        packed = b"".join(value.to_bytes(size, "little") for size, value in arguments)
        start = 1000 * index + 250
        out += record(2, len(before), struct.pack("<IhHQQ", index, -1, len(packed), index, start) + padded(packed) + blocks(before))
        out += record(3, len(after), struct.pack("<iIQQ", result, 0, index, start + 500) + blocks(after))
    with open(os.path.join(sys.argv[1], "main.ttpi"), "wb") as file:
        file.write(out)


main()
