#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fat binary, as CUDA's compilers wrap modules: PTX for an old machine, the one that is given, and machine code; past: text that
is packed in more bytes than there are.

    fat-binary.py plain|packed|past|zstd|zstd-past|zstd-short|code PTX OUTPUT
"""
import struct
import sys

kind, source, output = sys.argv[1:4]
with open(source, "rb") as file:
    text = file.read()


def pack(data):
    """An LZ4 block: matches of what came before, found by their first four bytes."""
    out, at, start, seen = bytearray(), 0, 0, {}

    def put(literals, match):
        first = min(len(literals), 15)
        out.append(first << 4 | (min(match - 4, 15) if match else 0))
        if first == 15:
            out.extend(b"\xff" * ((len(literals) - 15) // 255) + bytes([(len(literals) - 15) % 255]))
        out.extend(literals)

    while at < len(data) - 12:
        key = data[at:at + 4]
        found = seen.get(key, -1)
        seen[key] = at
        if found < 0 or at - found > 65535:
            at += 1
            continue
        n = 4
        while at + n < len(data) - 5 and data[found + n] == data[at + n]:
            n += 1
        put(data[start:at], n)
        out.extend(struct.pack("<H", at - found))
        if n - 4 >= 15:
            out.extend(b"\xff" * ((n - 19) // 255) + bytes([(n - 19) % 255]))
        at += n
        start = at
    put(data[start:], 0)
    return bytes(out)


def frame(data):
    """A zstd frame of blocks that are as they were, at most 128 KiB each."""
    out, n = bytearray(struct.pack("<IBI", 0xFD2FB528, 0xA0, len(data))), 1 << 16
    for at in range(0, len(data), n):
        piece = data[at:at + n]
        out += struct.pack("<I", int(at + n >= len(data)) | len(piece) << 3)[:3] + piece
    return bytes(out)


def entry(kind, arch, data, flags=0x11, whole=0, more=0):
    payload = data + b"\0" * (-len(data) % 8)
    return struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, 64, len(payload), len(data) + more if whole else 0, 0, 0, 7, arch, 0, 0, flags, 0,
                       whole) + payload


entries = entry(1, 50, b".version 7.0\n.target sm_50\n") + entry(2, 90, b"\x7fELF" + b"\0" * 60)
if kind == "code":
    entries = entry(2, 90, b"\x7fELF" + b"\0" * 60)
elif kind == "plain":
    entries += entry(1, 80, text)
elif kind in ("packed", "past"):
    entries += entry(1, 80, pack(text + b"\0"), 0x2011, len(text) + 1, 8 if kind == "past" else 0)
else:
    whole = text + b"\0"
    # short: the text is longer than it is said to be.
    more = {"zstd": 0, "zstd-past": 8, "zstd-short": 0}[kind]
    entries += entry(1, 80, frame(whole), 0x8011, len(whole) - (kind == "zstd-short"), more)
with open(output, "wb") as file:
    file.write(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entries)) + entries)
