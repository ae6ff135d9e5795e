#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A reading of PI traces of its own, to compare with tests/pi-calls.

  pi.py read DIRECTORY LAYOUT          prints the calls, thread by thread
  pi.py compare PI-CALLS DIRECTORY LAYOUT
                                              thread by thread and merged; exit status 1 where they differ
  pi.py random DIRECTORY LAYOUT SEED [CALLS]
                                              writes a random recording: any functions, arguments, outputs, results
  pi.py pack DIRECTORY FILE            packs a directory, each file one zstd frame of stored blocks

LAYOUT: doc, g0, g1, g2, g3. Parameters and ids come from data/pi-api.tsv and pi-ids.tsv; numbering of summer 2021.
"""
import csv
import os
import random
import struct
import subprocess
import sys

DATA = os.environ.get("TRACETOOL_DATA", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data"))
INFO = {"piPlatformGetInfo", "piDeviceGetInfo", "piContextGetInfo", "piKernelGetInfo", "piKernelGetGroupInfo"}
MEMORY = {"piEnqueueMemBufferMap", "piEnqueueMemBufferRead", "piextUSMEnqueueMemcpy"}
SPECIAL = INFO | MEMORY | {"piPlatformsGet", "piDevicesGet", "piextDeviceSelectBinary", "piProgramBuild", "piKernelCreate"}
IN_PLACE = {"piProgramBuild", "piKernelCreate"}
KEPT = 65536


def read_functions():
    params, names = {}, {}
    with open(os.path.join(DATA, "pi-api.tsv"), encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            params.setdefault(row["name"], []).append((row["arg_name"], row["arg_type"], int(row["arg_size"])))
    with open(os.path.join(DATA, "pi-ids.tsv"), encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["id_2021_summer"]:
                names[int(row["id_2021_summer"])] = row["name"]
    return params, names


PARAMS, NAMES = read_functions()
IDS = {name: id for id, name in NAMES.items()}


class Call:
    def __init__(self, thread, record, offset):
        self.thread, self.record, self.offset = thread, record, offset
        self.id = self.start = self.end = self.result = self.flags = 0
        self.backend, self.args, self.outputs, self.memory = -1, [], [], ""

    def name(self):
        return NAMES.get(self.id, f"pi#{self.id}")

    def line(self):
        outputs = ",".join(f"{len(o)}:{o[:64].hex()}" for o in self.outputs)
        return "\t".join(map(str, (self.thread, self.record, self.offset, self.id, self.name(), self.backend,
                                   self.start * 1000, self.end * 1000, self.result, self.flags,
                                   ",".join(self.args), outputs, self.memory)))


# -- generation 3 ----------------------------------------------------------------------------------


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value & (1 << 64) - 1, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            width = 8 if key & 7 == 1 else 4
            value, at = None, at + width
        yield key >> 3, value


def read_g3(data, thread):
    at = record = 0
    while at < len(data):
        size = struct.unpack_from("<I", data, at)[0]
        call = Call(thread, record, at)
        for number, value in fields(data[at + 4:at + 4 + size]):
            if number == 1:
                call.id = value & 0xffffffff
            elif number == 2:
                call.start = value
            elif number == 3:
                call.end = value
            elif number == 4:
                call.result = struct.unpack("<i", struct.pack("<I", value & 0xffffffff))[0]
            elif number == 5:
                inner = dict(fields(value))
                call.args.append("t" + inner[3].hex() if 3 in inner else str(inner.get(2, 0)))
            elif number == 7:
                call.outputs.append(value)
            elif number == 9:
                call.memory = value.decode()
        at += 4 + size
        record += 1
        yield call


# -- raw generations ---------------------------------------------------------------------------------


def values(name, data, text_at=None, text=None):
    out, at = [], 0
    for i, (_, kind, size) in enumerate(PARAMS[name]):
        if i == text_at:
            out.append("t" + text.hex())
            at += len(text) + 1
            continue
        signed = kind == "pi_int32"
        value = int.from_bytes(data[at:at + size], "little", signed=signed)
        out.append(str(value & (1 << 64) - 1))
        at += size
    return out


def read_raw(data, thread, layout, prefix):
    """prefix: of functions whose arguments begin with it; 0 for doc."""
    at = record = 0
    while at < len(data):
        call = Call(thread, record, at)
        call.id = struct.unpack_from("<I", data, at)[0]
        p = at + 4
        if layout in ("doc", "g1"):
            call.backend = data[p]
            p += 1
        if layout == "g0":
            n_outputs, total = struct.unpack_from("<QQ", data, p)
            p += 16
        else:
            if len(data) - p == 8:
                call.start = call.end = struct.unpack_from("<Q", data, p)[0]
                call.flags = 1
                yield call
                return
            call.start, call.end, _, n_outputs, total = struct.unpack_from("<QQQQQ", data, p)
            p += 40
        name = call.name()
        texts = [i for i, (_, kind, _) in enumerate(PARAMS[name]) if kind == "const char *"]
        packed = sum(size for _, _, size in PARAMS[name])
        skip = 0 if layout == "doc" or name in SPECIAL else prefix
        body = data[p + skip:p + total]
        if not texts:
            call.args = values(name, body)
            p += total
        elif layout == "doc" or name in IN_PLACE:
            before = sum(size for _, _, size in PARAMS[name][:texts[0]])
            length = len(body) - (packed - 8) - 1
            call.args = values(name, body, texts[0], body[before:before + length])
            p += total
        else:
            # The text is counted as 8 bytes: it ends with LF, and the random texts have none inside.
            before = sum(size for _, _, size in PARAMS[name][:texts[0]])
            begin = p + skip
            end = data.index(b"\n", begin + before)
            rest = sum(size for _, _, size in PARAMS[name][texts[0] + 1:])
            call.args = values(name, data[begin:end + 1 + rest], texts[0], data[begin + before:end])
            p = end + 1 + rest
        if name in INFO and layout != "doc":
            n_outputs = sum(value != "0" for value in call.args[-2:])
        for _ in range(n_outputs):
            size = struct.unpack_from("<Q", data, p)[0]
            call.outputs.append(data[p + 8:p + 8 + size])
            p += 8 + size
        call.result = struct.unpack_from("<i", data, p)[0]
        at = p + 4
        record += 1
        yield call


def prefix_of(layout):
    """The recorders that the examples and the shared data are made after: 104 functions."""
    return {"doc": 0, "g0": 0, "g1": 864, "g2": 856, "g3": 0}[layout]


def order(name):
    parts = name.split("_")
    return (parts[0] != "main", [(int(p) if p.isdigit() else -1, p) for p in parts])


def read_directory(directory, layout):
    """The calls by thread, in the order of their names."""
    suffix = ".pi_trace" if layout == "g3" else "trace.data" if layout == "g0" else ".trace"
    threads = {}
    for name in os.listdir(directory):
        if name.endswith(suffix):
            with open(os.path.join(directory, name), "rb") as file:
                data = file.read()
            thread = "main" if layout == "g0" else name[:-len(suffix)]
            threads[thread] = list(read_g3(data, thread) if layout == "g3" else
                                   read_raw(data, thread, layout, prefix_of(layout)))
    return [threads[name] for name in sorted(threads, key=order)]


def compare(program, directory, layout, what):
    threads = read_directory(directory, layout)
    merged = sorted((call.start, i, call.record, call) for i, calls in enumerate(threads) for call in calls)
    failed = not merged
    if failed:
        print(f"{what}: no calls: there is nothing to compare")
    for option, calls in ((["--threads"], [call for calls in threads for call in calls]),
                          ([], [entry[3] for entry in merged])):
        got = subprocess.run([program] + option + [what], capture_output=True, text=True, check=False)
        lines = [line for line in got.stdout.split("\n") if line and not line.startswith("# ")]
        wanted = [call.line() for call in calls]
        if lines != wanted or got.returncode != 0:
            failed = True
            print(f"{what} {option}: exit status {got.returncode}, {len(lines)} calls, {len(wanted)} wanted; {got.stderr}")
            for a, b in zip(lines, wanted):
                if a != b:
                    print(f"  got    {a[:400]}\n  wanted {b[:400]}")
                    break
    return not failed


# -- random recordings --------------------------------------------------------------------------------


def put_varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def put_bytes(number, data):
    return put_varint(number << 3 | 2) + put_varint(len(data)) + data


def random_text(rng):
    return bytes(rng.choice(b"abcdefgh -_=./\xc3\xa9\x1b\"\\") for _ in range(rng.choice([0, 1, 6, 7, 8, 30, 300])))


def random_outputs(rng, name, args):
    def block():
        return bytes(rng.randrange(256) for _ in range(rng.choice([0, 1, 4, 8, 31, 200])))
    if name in INFO:
        return [block() for value in args[-2:] if value != 0]
    if name in MEMORY and rng.random() < 0.5:
        return [bytes(rng.choice([3, 100000]))]
    if name in ("piPlatformsGet", "piDevicesGet", "piextDeviceSelectBinary") and args[-1] != 0:
        return [block()]
    return []


def random_call(rng, name):
    args = []
    for _, kind, size in PARAMS[name]:
        if kind == "const char *":
            args.append(random_text(rng))
        elif kind == "pi_int32":
            args.append(rng.randrange(-5, 1 << 31))
        elif "bool" in kind:
            args.append(rng.randrange(2))
        else:
            args.append(rng.choice([0, rng.randrange(1 << rng.randrange(1, 8 * size)), (1 << 8 * size) - 1]))
    return args


def put_g3(rng, name, start, end, result, args, outputs):
    body = b""
    for number, value in ((1, IDS[name]), (2, start), (3, end), (4, result & 0xffffffff)):
        if value:
            body += put_varint(number << 3) + put_varint(value)
    for (_, kind, size), value in zip(PARAMS[name], args):
        if isinstance(value, bytes) and rng.random() < 0.5:
            body += put_bytes(5, b"\x08\x05" + put_bytes(3, value))
            continue
        value = 0x7f0000001000 if isinstance(value, bytes) else value
        body += put_bytes(5, (b"\x08\x04" if "*" in kind else b"\x08\x01" if size == 8 else b"") + b"\x10" + put_varint(value))
    if rng.random() < 0.1:
        body += put_bytes(100, b"new") + put_varint(101 << 3) + put_varint(7) + put_varint(102 << 3 | 1) + bytes(8)
    if name in MEMORY:
        body += put_bytes(9, b"main_7.mem")
    else:
        body += b"".join(put_bytes(7, output) for output in outputs)
    return struct.pack("<I", len(body)) + body


def put_raw(rng, layout, name, start, end, result, args, outputs):
    packed, counted = b"", 0
    for (_, _, size), value in zip(PARAMS[name], args):
        if isinstance(value, bytes):
            packed += value + (b"\0" if layout == "doc" else b"\n")
            counted += len(value) + 1 if layout == "doc" or name in IN_PLACE else 8
        else:
            packed += (value & (1 << 8 * size) - 1).to_bytes(size, "little")
            counted += size
    skip = 0 if name in SPECIAL else prefix_of(layout)
    n_outputs = 1 if name in INFO and layout != "doc" else len(outputs)
    head = struct.pack("<I", IDS[name])
    if layout in ("doc", "g1"):
        head += bytes([rng.randrange(1, 7)])
    if layout != "g0":
        head += struct.pack("<QQQ", start, end, 0)
    head += struct.pack("<QQ", n_outputs, skip + counted)
    blocks = b"".join(struct.pack("<Q", len(output)) + output for output in outputs)
    return head + bytes(rng.randrange(256) for _ in range(skip)) + packed + blocks + struct.pack("<i", result)


def random_directory(directory, layout, seed, n_calls=None):
    rng = random.Random(f"{layout} {seed}")
    names = [name for name in sorted(IDS, key=IDS.get)]
    os.makedirs(directory)
    threads = ["main"] if layout == "g0" else ["main", "main_0", "main_0_0", "main_10", "main_2", "worker x"]
    for thread in threads[:rng.randrange(1, 7)]:
        clock, out = rng.randrange(50), b""
        n = n_calls or rng.randrange(40, 120)
        for i in range(n):
            # What tells a numbering by its fit: every function once in a while, and the last one of a run.
            name = rng.choice(names)
            if thread == "main" and i in (0, n - 1):
                name = "piPlatformsGet" if i == 0 else "piTearDown"
            args = random_call(rng, name)
            outputs = random_outputs(rng, name, args)
            start = 0 if layout == "g0" else clock + rng.randrange(4)
            end = 0 if layout == "g0" else start + rng.choice([0, 1, 20, 100000])
            clock = end
            result = rng.choice([0, 0, 0, -30, -61, -999])
            put = put_g3 if layout == "g3" else put_raw
            out += (put(rng, name, start, end, result, args, outputs) if layout == "g3" else
                    put(rng, layout, name, start, end, result, args, outputs))
        if layout in ("g1", "g2") and rng.random() < 0.5:
            out += struct.pack("<I", 74) + (b"\1" if layout == "g1" else b"") + struct.pack("<Q", clock)
        file = "trace.data" if layout == "g0" else thread + (".pi_trace" if layout == "g3" else ".trace")
        with open(os.path.join(directory, file), "wb") as opened:
            opened.write(out)


# -- packed archives --------------------------------------------------------------------------------


def frame(data):
    out = b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", len(data))
    pieces = [data[i:i + 100000] for i in range(0, len(data), 100000)] or [b""]
    for i, piece in enumerate(pieces):
        out += struct.pack("<I", (i == len(pieces) - 1) | len(piece) << 3)[:3] + piece
    return out


def pack(directory, path):
    with open(path, "wb") as out:
        out.write(b"\0")
        for root, folders, files in os.walk(directory):
            folders.sort()
            below = os.path.relpath(root, directory)
            if below != ".":
                out.write(b"\0" + struct.pack("<Q", len(below)) + below.encode())
            for name in sorted(files):
                inside = os.path.normpath(os.path.join(below, name))
                with open(os.path.join(root, name), "rb") as file:
                    packed = frame(file.read())
                out.write(b"\1" + struct.pack("<Q", len(inside)) + inside.encode() + struct.pack("<Q", len(packed)) + packed)


def main(words):
    if words[:1] == ["read"] and len(words) == 3:
        for calls in read_directory(words[1], words[2]):
            for call in calls:
                print(call.line())
    elif words[:1] == ["compare"] and len(words) == 4:
        return 0 if compare(words[1], words[2], words[3], words[2]) else 1
    elif words[:1] == ["compare-packed"] and len(words) == 5:
        return 0 if compare(words[1], words[2], words[3], words[4]) else 1
    elif words[:1] == ["random"] and len(words) in (4, 5):
        random_directory(words[1], words[2], *map(int, words[3:]))
    elif words[:1] == ["pack"] and len(words) == 3:
        pack(words[1], words[2])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
