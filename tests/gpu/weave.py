#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Weaves probes into kernels, runs them, and computes the records anew. Prints "ok WHAT" or what differs.

    weave.py TRACETOOL KERNELS.ptx SEED
"""
import os
import struct
import subprocess
import sys

import kernels

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = 0x7E0000000000  # where memory begins
PRIMES = 32  # bytes of the variable that kernels.cl has there


def places(sizes, base=BASE):
    """Addresses of memories that are allocated in turn."""
    for size in sizes:
        yield base
        base += (size + 65536 + 255) // 256 * 256


class Weaving:
    def __init__(self, tracetool, module, probe, seed):
        self.runner = kernels.Runner(tracetool, None, seed)
        self.tracetool = tracetool
        self.woven = self.runner.path() + ".ptx"
        result = subprocess.run([tracetool, "probe", "weave", module, os.path.join(HERE, "probes", probe), "-o", self.woven],
                                capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"{probe}: {result.stderr}")
        self.runner.module = self.woven

    def run(self, kernel, grid, block, arguments):
        """The records of each map: lists by unit of bytes."""
        folder = self.runner.path()
        command = [self.tracetool, "probe", "run", "--kernel", kernel, "--grid", grid, "--block", block, "--trace", folder]
        for argument in arguments:
            command += ["--arg", argument]
        result = subprocess.run(command + [self.woven], capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"{kernel}: {result.stderr}")
        self.said = result.stderr
        with open(os.path.join(folder, "result", "0.000000.bin"), "rb") as file:
            data = file.read()
        head = struct.unpack("<8I", data[:32])
        n_blocks, n_threads = head[0] * head[1] * head[2], head[3] * head[4] * head[5]
        maps = []
        for i in range(head[7]):
            size, divisor, offset = struct.unpack("<IIQ", data[32 + 16 * i:48 + 16 * i])
            units = n_blocks * -(-n_threads // divisor)
            maps.append([data[offset + u * size:offset + (u + 1) * size] for u in range(units)])
        end = offset + units * size
        if end != len(data):
            raise SystemExit(f"{kernel}: {len(data)} bytes, not {end}")
        return maps


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def records(fmt, data):
    size = struct.calcsize("<" + fmt)
    return [struct.unpack("<" + fmt, data[i:i + size]) for i in range(0, len(data), size)]


def judge_bytes(w):
    n, grid, block = w.runner.random.randint(1, 200), 5, 48
    a = [kernels.f32(w.runner.random.uniform(-9, 9)) for _ in range(n)]
    got, = w.run("add", str(grid), str(block), [w.runner.given("f", a), w.runner.given("f", a), f"zero:{4 * n}", f"u32:{n}"])
    at = list(places([PRIMES] + [4 * n] * 3))[1:]
    want = [(at[2] + 4 * i, 8, 4) if i < n else (0, 0, 0) for i in range(grid * block)]
    return kernels.same([records("QQQ", unit)[0] for unit in got], want)


def judge_accesses(w):
    n, grid, block = w.runner.random.randint(1, 200), 2, 100
    a, b = ([kernels.f32(w.runner.random.uniform(-9, 9)) for _ in range(n)] for _ in range(2))
    loads, stores = w.run("add", str(grid), str(block), [w.runner.given("f", a), w.runner.given("f", b), f"zero:{4 * n}", f"u32:{n}"])
    at = list(places([PRIMES] + [4 * n] * 3))[1:]
    for i in range(grid * block):
        want = [(at[0] + 4 * i, bits(a[i]), 1), (at[1] + 4 * i, bits(b[i]), 2)] if i < n else [(0, 0, 0)] * 2
        if sorted(records("QII", loads[i])) != sorted(want):
            # The compiler may load b first.
            other = [(at[1] + 4 * i, bits(b[i]), 1), (at[0] + 4 * i, bits(a[i]), 2)] if i < n else want
            if sorted(records("QII", loads[i])) != sorted(other):
                return f"loads of thread {i}: {records('QII', loads[i])}, not {want}"
        want = [(at[2] + 4 * i, bits(kernels.f32(a[i] + b[i]))), (0, 0)] if i < n and i % 2 == 0 else [(0, 0)] * 2
        if records("QQ", stores[i]) != want:
            return f"stores of thread {i}: {records('QQ', stores[i])}, not {want}"
    return None


def judge_caps(w):
    """No load of 32 bits is counted twice, and what is not there is zero."""
    got = w.run("collatz", "1", "32", [w.runner.given("I", [1] * 32), "zero:128"])
    at = list(places([PRIMES] + [128] * 2))[1:]
    want = [(at[1] + 4 * i, 0) if i % 2 == 0 else (0, 0) for i in range(32)]
    return kernels.same([records("QQ", unit)[0] for unit in got[1]], want)


def judge_seed(w):
    n = 700
    a = [1] * n
    got, = w.run("total", "2", "256", [w.runner.given("i", a), "zero:4", f"u32:{n}"])
    # Barriers: one after the loop, one in each of 8 rounds.
    for unit in got:
        took, count = struct.unpack("<QI", unit)
        if count != 7 + 9 or not 20 < took < 100000:
            return f"{took} {count}"
    return None


def judge_lanes(w):
    n, grid, block = w.runner.random.randint(1, 240), 5, 48
    a = [0.0] * n
    got, = w.run("add", str(grid), str(block), [w.runner.given("f", a), w.runner.given("f", a), f"zero:{4 * n}", f"u32:{n}"])
    want = []
    for i in range(grid * block):
        t = i % block
        first = i - t % 32
        last = min(first + 32, i - t + block)
        mask = sum(1 << (j - first) for j in range(first, last) if j < n) if i < n else 0
        want.append((t % 32, t // 32, i // block, mask))
    return kernels.same([records("IIII", unit)[0] for unit in got], want)


def judge_histogram(w):
    n, grid, block = w.runner.random.randint(1, 240), 5, 48
    a, b = ([kernels.f32(w.runner.random.uniform(-9, 9)) for _ in range(n)] for _ in range(2))
    got, = w.run("add", str(grid), str(block), [w.runner.given("f", a), w.runner.given("f", b), f"zero:{4 * n}", f"u32:{n}"])
    at = list(places([PRIMES] + [4 * n] * 3))[1:]

    def wanted(i, loads):
        first = i - i % block + i % block // 32 * 32
        lanes = [j for j in range(first, min(first + 32, i - i % block + block)) if j < n]
        total, counts, seen = 1, [0] * 4, 0
        for base, values in loads if i < n else []:
            seen = sum(1 << (j - first) for j in lanes if (base + 4 * j) // 4 % 3 == 0)
            counts[(base + 4 * i) // 4 % 4] += seen.bit_count() + 1
            if seen:
                counts[3] = total.bit_count()
            signed = bits(values[i])
            total = (total + signed - (signed >> 31 << 32)) % (1 << 64)
        own = i - first
        return (total, *counts, counts[own] if own < 4 else 0, seen)

    for i in range(grid * block):
        # The compiler may load b first.
        want = [wanted(i, order) for order in ([(at[0], a), (at[1], b)], [(at[1], b), (at[0], a)])]
        if records("QIIIIII", got[i])[0] not in want:
            return f"thread {i}: {records('QIIIIII', got[i])}, not {want}"
    return None


def cut(value, least, most):
    if value != value:
        return 0
    return most if value >= most else least if value <= least else int(value)


def judge_floats(w):
    """Numbers of all kinds, cut to integers and compared."""
    n, grid, block = w.runner.random.randint(60, 240), 5, 48
    edges = [0.0, -0.0, 0.1, kernels.f32(0.1), -3.0, -2.5, 7.5, 2.0**31, -2.0**31, 2.0**32 - 256, 2.0**32, 2.0**63, 2.0**64, 1e38,
             float("inf"), float("-inf"), float("nan"), 1e-45, -1e-45, 1.5]
    a, b = ([kernels.f32(w.runner.random.choice(edges + [w.runner.random.uniform(-9, 9)])) for _ in range(n)] for _ in range(2))
    got, = w.run("add", str(grid), str(block), [w.runner.given("f", a), w.runner.given("f", b), f"zero:{4 * n}", f"u32:{n}"])

    def wanted(x):
        word = bits(x) << 32 | 5
        y, = struct.unpack("<d", word.to_bytes(8, "little"))
        how = int(x < kernels.f32(0.1)) | int(x >= -3) << 1 | int(x != x) << 2 | int(x != 0) << 3 | int(y <= 4.5 or y > 1e300) << 4
        how |= int(not how & 1 or x == 7.5) << 5
        return (cut(x, 0, 2**64 - 1), cut(x, -(2**31), 2**31 - 1) % 2**64, word, cut(y, 0, 2**64 - 1), bits(x), cut(x, 0, 2**32 - 1),
                cut(y, 0, 2**32 - 1), how)

    for i in range(grid * block):
        want = [wanted(a[i]), wanted(b[i])] if i < n else [(0,) * 8] * 2
        # The compiler may load b first.
        if records("QQQQIIII", got[i]) not in (want, want[::-1]):
            return f"thread {i}: {records('QQQQIIII', got[i])}, not {want}"
    return None


def judge_guards(w):
    n = 64
    a = [kernels.f32(w.runner.random.choice([0.0, 1.5, -2.25])) for _ in range(4 * n)]
    seen, leaders = w.run("guarded", "1", str(n), [w.runner.given("f", a), f"zero:{4 * n + 256}"])
    at = list(places([16 * n]))
    for i in range(n):
        even = i % 2 == 0
        first = a[4 * i] if even else a[4 * i + 2]
        want = (at[0] if i <= 40 else 1, 2 if even else bits(first), 0 if even else at[0] + 16 * i + 8, 4 * i, 16 if even else 4,
                int(bits(first) != 0) if even else 5, 1)
        got = struct.unpack("<QQQIIII", seen[i])
        if got != want:
            return f"thread {i}: {got}, not {want}"
    # Lane 0 is even.
    return kernels.same([struct.unpack("<II", unit) for unit in leaders], [(1, 0)] * 2)


if __name__ == "__main__":
    tracetool, module, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    status = 0
    for judge, probe, text in [(judge_bytes, "bytes.py", module), (judge_accesses, "accesses.py", module),
                               (judge_caps, "accesses.py", module), (judge_seed, "seed.py", module), (judge_lanes, "lanes.py", module), (judge_histogram, "histogram.py", module),
                               (judge_floats, "floats.py", module),
                               (judge_guards, "guards.py", os.path.join(HERE, "guarded.ptx"))]:
        difference = judge(Weaving(tracetool, text, probe, seed))
        print("ok" if difference is None else "DIFFERS", judge.__name__, difference or "")
        status |= difference is not None
    sys.exit(status)
