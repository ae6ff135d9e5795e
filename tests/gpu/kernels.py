#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the kernels of kernels.cl with `probe run`, and computes their results anew. Prints "ok KERNEL" or what differs.

    kernels.py TRACETOOL MODULE.ptx SEED [KERNEL...]
"""
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

M32, M64 = 2**32 - 1, 2**64 - 1


def s32(x):
    x &= M32
    return x - 2**32 if x >> 31 else x


def s64(x):
    x &= M64
    return x - 2**64 if x >> 63 else x


def f32(x):
    """To the nearest f32; by way of f64, which is exact for +, -, *, / and sqrt of f32."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def exact(value, fmt):
    """A fraction to the nearest f32 or f64, halves to even."""
    digits, least = (24, -149) if fmt == "f" else (53, -1074)
    if value == 0:
        return 0.0
    power = 0
    n, d = abs(value.numerator), value.denominator
    power = n.bit_length() - d.bit_length()
    if Fraction(n, d) < Fraction(2) ** power:
        power -= 1
    unit = Fraction(2) ** max(power - digits + 1, least)
    return float(round(value / unit) * unit)


def fma(a, b, c, fmt):
    return exact(Fraction(a) * Fraction(b) + Fraction(c), fmt)


def quotient(a, b):
    """As C has it: towards zero."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


class Runner:
    def __init__(self, tracetool, module, seed):
        self.tracetool, self.module = tracetool, module
        self.folder = tempfile.TemporaryDirectory()
        self.random = random.Random(seed)
        self.n = 0

    def path(self, data=None):
        self.n += 1
        path = os.path.join(self.folder.name, str(self.n))
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
        return path

    def given(self, fmt, values):
        return "in:" + self.path(struct.pack(f"<{len(values)}{fmt}", *values))

    def run(self, kernel, grid, block, arguments, outputs=(), extra=()):
        """Arguments as --arg has them; ("out", fmt, n) for what is returned."""
        command = [self.tracetool, "probe", "run", "--kernel", kernel, "--grid", grid, "--block", block]
        taken = []
        for argument in arguments:
            if isinstance(argument, tuple):
                path = self.path()
                size = struct.calcsize(f"<{argument[2]}{argument[1]}")
                taken.append((path, argument[1], argument[2]))
                argument = f"out:{path}:{size}"
            command += ["--arg", argument]
        result = subprocess.run(command + [self.module], capture_output=True, text=True)
        if result.returncode != 0 or "instructions of wa" not in result.stdout:
            raise SystemExit(f"{kernel}: {result.stderr}{result.stdout}")
        lists = []
        for path, fmt, n in taken:
            with open(path, "rb") as file:
                lists.append(list(struct.unpack(f"<{n}{fmt}", file.read())))
        return lists


def same(got, expected):
    for i, (a, b) in enumerate(zip(got, expected)):
        if a != b and not (a != a and b != b):
            return f"[{i}] is {a}, not {b}"
    return None if len(got) == len(expected) else "another number of values"


def add(r):
    n, rand = r.random.randint(1, 600), r.random
    a, b = ([f32(rand.uniform(-1e3, 1e3)) for _ in range(n)] for _ in range(2))
    got, = r.run("add", "5", "128", [r.given("f", a), r.given("f", b), ("out", "f", n), f"u32:{n}"])
    return same(got, [f32(x + y) for x, y in zip(a, b)])


def stencil(r):
    n = r.random.randint(3, 300)
    a = [r.random.uniform(-1, 1) for _ in range(n)]
    got, = r.run("stencil", "10", "33", [r.given("d", a), ("out", "d", n), f"s32:{n}"])
    want = [0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1] if 0 < i < n - 1 else a[i] for i in range(n)]
    return same(got, want)


def multiply(r):
    n = 32
    a, b = ([f32(r.random.uniform(-1, 1)) for _ in range(n * n)] for _ in range(2))
    got, = r.run("multiply", "2,2", "16,16", [r.given("f", a), r.given("f", b), ("out", "f", n * n), f"s32:{n}"])
    want = []
    for row in range(n):
        for column in range(n):
            sum_ = 0.0
            for k in range(n):
                sum_ = fma(a[row * n + k], b[k * n + column], sum_, "f")
            want.append(sum_)
    return same(got, want)


def total(r):
    n = r.random.randint(1, 2000)
    a = [r.random.randint(-2**31, 2**31 - 1) for _ in range(n)]
    got, = r.run("total", "2", "256", [r.given("i", a), ("out", "i", 1), f"u32:{n}"])
    return same(got, [s32(sum(a))])


def histogram(r):
    n = r.random.randint(1, 3000)
    a = [min(255, int(r.random.expovariate(0.02))) for _ in range(n)]
    got, = r.run("histogram", "3", "96", [r.given("B", a), ("out", "I", 256), f"u32:{n}"])
    return same(got, [a.count(i) for i in range(256)])


def collatz(r):
    a = [r.random.randint(1, 100000) for _ in range(128)]
    got, = r.run("collatz", "2", "64", [r.given("I", a), ("out", "I", 128)])
    want = []
    for x in a:
        n = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            n += 1
        want.append(n)
    return same(got, want)


PRIMES = [2, 3, 5, 7, 11, 13, 17, 19]


def walk(a, b, c, table, depth):
    stack = [c[i % 3] * i + table[i] for i in range(8)]
    if depth > 0:
        return walk(a + stack[depth & 7], b, c, table, depth - 1) + 1
    return a + int(b) + stack[a & 7]


def calls(r):
    a, b = r.random.randint(-1000, 1000), r.random.uniform(-1000, 1000)
    c = [r.random.randint(-100, 100) for _ in range(3)]
    parts = struct.pack("<iidhhhh", a, 0, b, *c, 0).hex()
    got, = r.run("calls", "2", "40", [("out", "i", 80), "bytes:" + parts])
    table = [100 * i + PRIMES[i] for i in range(8)]
    return same(got, [s32(walk(a + t, b, c, table, t % 5)) for t in range(40)] * 2)


def reverse(x):
    return int(f"{x & M64:064b}"[::-1], 2)


def whole(r):
    n = 64
    edges = [0, 1, -1, 2**63 - 1, -2**63, 2**31, -2**31, 2**32 - 1, 255, -128]
    a = [r.random.choice(edges) if r.random.random() < 0.3 else r.random.getrandbits(64) - 2**63 for _ in range(2 * n)]
    got, = r.run("whole", "2", "32", [r.given("q", a), ("out", "Q", 16 * n)])
    want = []
    for i in range(n):
        a_, b = a[2 * i], a[2 * i + 1]
        x, y, u, v, ua, ub = s32(a_), s32(b), a_ & M32, b & M32, a_ & M64, b & M64
        rows = [
            0 if b == 0 else quotient(a_, b | 1),
            ua % (ub | 1),
            x - quotient(x, y | 1) * (y | 1),
            u // (v | 1),
            ua * ub >> 64,
            x * y,
            bin(ua).count("1") + 64 * (32 - u.bit_length()),
            reverse(ua),
            (a_ >> (b & 63)) ^ (ua << (v & 63)) ^ (ua >> (u & 63)),
            min(a_, b) + max(u, v),
            ((u & 255) ^ 128) - 128 + (v & 255) + ((v & 65535) ^ 32768) - 32768,
            (u << (v & 31) | u >> (-v & 31)) & M32,
            [a_, b * 3, a_ ^ b, ~a_, PRIMES[v & 7], 77, 77][u % 7],
            0, 0, 0,
        ]
        want += [x & M64 for x in rows]
    return same(got, want)


def real(r):
    n = 64
    a = []
    for _ in range(2 * n):
        kind = r.random.random()
        a.append(f32(r.random.uniform(-100, 100) if kind < 0.6 else math.ldexp(r.random.uniform(-1, 1), r.random.randint(-149, 30))) or 1.0)
    got, wide = r.run("real", "2", "32", [r.given("f", a), ("out", "f", 8 * n), ("out", "d", 4 * n)])
    want, wanted = [], []
    for i in range(n):
        x, y = a[2 * i], a[2 * i + 1]
        whole_x = f32(float(int(x))) if abs(x) < 2**31 else math.copysign(2.0**31, x)
        want += [
            exact(Fraction(x) / Fraction(y), "f") if abs(Fraction(x) / Fraction(y)) < Fraction(2) ** 127 else f32(x / y),
            f32(math.sqrt(abs(x))),
            fma(x, y, x, "f"),
            x if x < y else -y,
            whole_x,
            f32(x * y + 1),
            f32(math.floor(x) + math.ceil(y)),
            f32(f32(float(int(abs(y)))) - f32(float(int(x)))),
        ]
        wanted += [exact(Fraction(x) / Fraction(y), "d"), math.sqrt(x * x + y * y), fma(x, y, y, "d"), float(int(x * 1000)) - x]
    return same(got, want) or same(wide, wanted)


def warps(r):
    a = [r.random.randint(-2**31, 2**31 - 1) for _ in range(128)]
    got, = r.run("warps", "2", "64", [r.given("i", a), ("out", "i", 512)])
    want = [0] * 512
    for i in range(128):
        first = i // 32 * 32
        warp = a[first:first + 32]
        want[4 * i] = s32(sum(warp))
        want[4 * i + 1] = a[i - 3] if i % 32 >= 3 else a[i]
        want[4 * i + 2] = s32(sum(1 << lane for lane in range(32) if warp[lane] > 0))
        want[4 * i + 3] = warp[i * 7 % 32]
    return same(got, want)


def nothing(r):
    r.run("nothing", "3", "7", [])
    return None


KERNELS = [add, stencil, multiply, total, histogram, collatz, calls, whole, real, warps, nothing]

if __name__ == "__main__":
    runner = Runner(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    wanted_names = sys.argv[4:]
    status = 0
    for kernel in KERNELS:
        if wanted_names and kernel.__name__ not in wanted_names:
            continue
        difference = kernel(runner)
        print("ok" if difference is None else "DIFFERS", kernel.__name__, difference or "")
        status |= difference is not None
    sys.exit(status)
