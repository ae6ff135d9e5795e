#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The original's listing of PI calls and the times of functions, from the description of the files alone.

  pi-print.py generate SEED DIRECTORY     a random trace (what the last recorder writes), with ties
  pi-print.py classic DIRECTORY [thread] [verbose] [perf]   the listing, on standard output
  pi-print.py perf DIRECTORY TABLE.csv [thread]             checks the table of `pi print --perf --format csv`

Threads stand in the order of their names' numbers: main, main_0, main_0_0, main_1.
"""
import csv
import os
import random
import struct
import sys
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
HANDLES = {"pi_platform", "pi_device", "pi_context", "pi_queue", "pi_mem", "pi_program", "pi_kernel", "pi_event",
           "pi_sampler"}
INT32, INT64, POINTER, STRING = 0, 1, 4, 5


def read_api():
    functions = {}
    with open(os.path.join(HERE, "..", "..", "data", "pi-api.tsv"), encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["id"].isdigit():
                name, arguments = functions.setdefault(int(row["id"]), (row["name"], []))
                arguments.append((row["arg_type"], int(row["arg_size"])))
    return functions


# -- writing ------------------------------------------------------------------------------------------------

def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def is_pointer(kind):
    return kind in HANDLES or "*" in kind or kind.startswith("const")


def random_argument(rng, kind, size):
    if is_pointer(kind):
        value = rng.choice((0, rng.getrandbits(47), rng.getrandbits(64)))
        return number(1, POINTER) + number(2, value)
    value = rng.choice((0, 1, 0x902, 0x102b, rng.getrandbits(8 * size), (1 << 8 * size) - 1, (1 << 64) - 5))
    return (number(1, INT64) if size == 8 else b"") + number(2, value)


def random_call(rng, functions, function, start, end):
    body = number(1, function) if function else b""
    body += (number(2, start) if start else b"") + (number(3, end) if end else b"")
    result = rng.choice((0, 0, 0, 0, -30, -61, -1102))
    if result:
        body += number(4, result & 0xffffffff)
    for kind, size in functions[function][1]:
        body += text(5, random_argument(rng, kind, size))
    for _ in range(rng.choice((0, 0, 1, 2))):
        body += text(7, bytes(rng.getrandbits(8) for _ in range(rng.choice((1, 4, 8, 20)))))
    if rng.random() < 0.1:
        body += text(9, b"main_%d.mem" % rng.getrandbits(10))
    if rng.random() < 0.1:
        body += text(77, b"of a later version")
    return struct.pack("<I", len(body)) + body


def descriptor(rng):
    body = number(1, 2) + number(2, 4) + number(3, rng.randrange(4)) + text(4, b"spir64_gen") + text(6, b"-l x")
    for i in range(rng.randrange(3)):
        body += text(7, number(1, rng.getrandbits(40)) + text(2, b"_ZTS%dk%d" % (2, i)) + number(3, i))
    for _ in range(rng.randrange(3)):
        sets = text(1, b"SYCL/some")
        for kind in range(4):
            sets += text(2, text(1, b"name%d" % kind) + number(2, kind) + text(3, b"v%d" % kind))
        body += text(8, sets)
    return struct.pack("<Q", len(body)) + body


def generate(seed, directory):
    rng = random.Random(seed)
    functions = read_api()
    teardown = max(functions)
    os.makedirs(os.path.join(directory, "buffers"))
    for i in range(rng.randrange(3)):
        with open(os.path.join(directory, f"{i}.desc"), "wb") as file:
            file.write(descriptor(rng))
    for thread in ("main", "main_0", "main_0_0", "main_1", "main_10", "main_2"):
        now = 0
        with open(os.path.join(directory, thread + ".pi_trace"), "wb") as file:
            calls = rng.randrange(400) if thread != "main" else 300
            for i in range(calls):
                function = rng.choice(list(functions))
                if thread == "main" and i in (0, calls - 1):
                    function = 0 if i == 0 else teardown
                now += rng.choice((0, 0, 1, 5))
                end = now + rng.choice((0, 0, 1, 3, 1000000))
                file.write(random_call(rng, functions, function, now, end))
                now = end if rng.random() < 0.999 or end - now > 100 else now


# -- reading ----------------------------------------------------------------------------------------------

def fields(data):
    at = 0

    def take():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value & (1 << 64) - 1

    while at < len(data):
        key = take()
        value = take()
        if key & 7 == 2:
            at += value
            value = data[at - value:at]
        yield key >> 3, value


class Call:
    def __init__(self, data):
        self.id = self.start = self.end = self.result = self.outputs = 0
        self.arguments = []
        for field, value in fields(data):
            if field == 1:
                self.id = value
            elif field == 2:
                self.start = value
            elif field == 3:
                self.end = value
            elif field == 4:
                self.result = value
            elif field == 5:
                argument = dict(fields(value))
                self.arguments.append((argument.get(1, 0), argument.get(2, argument.get(3, 0))))
            elif field in (7, 9):
                self.outputs += 1
        self.duration = max(self.end - self.start, 0)


def thread_key(name):
    parts = name.split("_")
    return parts[0] != "main", parts[0], [int(part) for part in parts[1:]]


def read_calls(directory):
    threads = {}
    names = [name[:-9] for name in os.listdir(directory) if name.endswith(".pi_trace")]
    for name in sorted(names, key=thread_key):
        with open(os.path.join(directory, name + ".pi_trace"), "rb") as file:
            data = file.read()
        at, calls = 0, threads.setdefault(name, [])
        while at < len(data):
            size, = struct.unpack_from("<I", data, at)
            calls.append(Call(data[at + 4:at + 4 + size]))
            at += 4 + size
    return threads


def merged(threads):
    """By start, thread, record; a start that goes back stays behind the record before it."""
    heads = {name: 0 for name in threads}
    while True:
        left = [name for name in threads if heads[name] < len(threads[name])]
        if not left:
            return
        name = min(left, key=lambda one: (threads[one][heads[one]].start, list(threads).index(one)))
        yield name, threads[name][heads[name]]
        heads[name] += 1


# -- printing -----------------------------------------------------------------------------------------------

def print_image(directory, name):
    path = os.path.join(directory, name)
    with open(path, "rb") as file:
        data = file.read()[8:]
    first = {}
    for field, value in fields(data):
        first.setdefault(field, value)
    show = lambda field: first.get(field, b"").decode()
    print(f"Image desc: {path}\nVersion: {first.get(1, 0)}\nKind: {first.get(2, 0)}")
    print("Format: " + ("None", "Native", "SPIR-V", "LLVM IR Bitcode")[first.get(3, 0)])
    print(f"Device target: {show(4)}\nCompile options: {show(5)}\nLink options: {show(6)}")
    entries = [dict(fields(value)) for field, value in fields(data) if field == 7]
    print(f"Offload entries [{len(entries)}]:")
    for entry in entries:
        print(f"     Address: {entry.get(1, 0)}\n     Name: {entry.get(2, b'').decode()}\n     Size: {entry.get(3, 0)}")
    sets = [value for field, value in fields(data) if field == 8]
    print(f"Property sets [{len(sets)}]:")
    for one in sets:
        print("     Name: " + dict(fields(one)).get(1, b"").decode())
        properties = [dict(fields(value)) for field, value in fields(one) if field == 2]
        print(f"     Properties [{len(properties)}]:")
        for item in properties:
            kind, value = item.get(2, 0), item.get(3, b"")
            print(f"          Name: {item.get(1, b'').decode()}\n          Size: {len(value)}")
            print("          Type: " + ("UNKNOWN", "uint32", "byte array", "string")[kind])
            if kind == 3:
                print("          Value: " + value.decode())
    print()


def signed(kind, value):
    """INT32 takes the low 32 bits of the number."""
    bits = {INT32: 32, INT64: 64}.get(kind)
    if bits is None:
        return value
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def print_call(functions, name, call, has_thread, is_verbose):
    if has_thread:
        print("THREAD : " + name)
    if is_verbose:
        print("\n>" + "~" * 35 + f"\n\nThread ID          : {name}\nCall duration      : {call.duration}")
        print(f"Captured outputs   : {call.outputs}\n")
    print("----> " + functions[call.id][0] + "(")
    for kind, value in call.arguments:
        label = "<unknown ptr>" if kind == POINTER else "<string>" if kind == STRING else "<unknown>"
        print(f"{label:>20} : " + (hex(value) if kind == POINTER else str(signed(kind, value))))
    print(f") : {call.result}")
    if is_verbose:
        print("\n<" + "~" * 35)


def print_classic(directory, words):
    functions, threads = read_api(), read_calls(directory)
    print("Binary images:\n")
    descriptors = [name for name in os.listdir(directory) if name.endswith(".desc")]
    for name in sorted(descriptors, key=lambda one: int(one[:-5])):
        print_image(directory, name)
    print("-" * 42)
    if "thread" in words:
        threads = {name: calls for name, calls in threads.items() if calls}
        for name, calls in threads.items():
            print(f"~START THREAD : {name}\n")
            for call in calls:
                print_call(functions, name, call, False, "verbose" in words)
            if name != list(threads)[-1]:
                print(f"~END THREAD : {name}\n")
    else:
        for name, call in merged(threads):
            print_call(functions, name, call, True, "verbose" in words)
    if "perf" in words:
        print("Performance summary:\n" + " " * 35 +
              " |      Calls      |    Min time     |    Max time     |    Avg time     |")
        times = {}
        for calls in threads.values():
            for call in calls:
                times.setdefault(call.id, []).append(call.duration)
        for function in sorted(times):
            some = times[function]
            print(f"{functions[function][0]:>35} | {len(some):>15} | {min(some):>13}us | {max(some):>13}us | "
                  f"{sum(some) // len(some):>13}us |")
    if "thread" in words and threads:
        print(f"~END THREAD : {list(threads)[-1]}\n")


# -- times -----------------------------------------------------------------------------------------------------

def is_probing(name, result):
    return result == 2 ** 32 - 30 and name.endswith("Info") and "Get" in name


def check_perf(directory, table, by_thread):
    functions, threads = read_api(), read_calls(directory)
    groups, everything = {}, 0
    for thread, calls in threads.items():
        for call in calls:
            name = functions[call.id][0]
            times = groups.setdefault((thread, name) if by_thread else (name,), [[], 0])
            times[0].append(call.duration)
            times[1] += call.result != 0 and not is_probing(name, call.result)
            everything += call.duration
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert groups and len(rows) == len(groups), (len(rows), len(groups))
    order = []
    for row in rows:
        key = (row["thread"], row["function"]) if by_thread else (row["function"],)
        times, errors = groups[key]
        times.sort()
        n = len(times)
        wanted = {"calls": n, "total_us": sum(times), "min_us": times[0], "avg_us": Fraction(sum(times), n),
                  "median_us": times[n // 2], "p95_us": times[-(-95 * n // 100) - 1],
                  "p99_us": times[-(-99 * n // 100) - 1], "max_us": times[-1], "errors": errors,
                  "share_percent": Fraction(100 * sum(times), everything)}
        for column, value in wanted.items():
            got = Fraction(row[column])
            assert abs(got - value) <= abs(value) / 10 ** 12, (key, column, row[column], value)
        order.append(((thread_key(key[0]) if by_thread else ()), -sum(times)))
    assert order == sorted(order)
    assert abs(sum(Fraction(row["share_percent"]) for row in rows) - 100) < Fraction(1, 10 ** 9)


def main():
    mode, words = sys.argv[1], sys.argv[2:]
    if mode == "generate":
        generate(int(words[0]), words[1])
    elif mode == "classic":
        print_classic(words[0], words[1:])
    elif mode == "perf":
        check_perf(words[0], words[1], "thread" in words[2:])
    else:
        sys.exit(__doc__)


main()
