#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs products of matrices that Triton compiled for tensor cores, and computes them anew: which thread has which elements
Triton knows by itself. Prints "ok NAME" or what differs.

    dot.py TRACETOOL SEED MODULE.ptx...

The modules are of this function, with M = N = BK = 32 and four warps, for sm_80; K is 96 here:

    @triton.jit
    def dot(a_ptr, b_ptr, c_ptr, K, M: tl.constexpr, N: tl.constexpr, BK: tl.constexpr):
        m = tl.arange(0, M); n = tl.arange(0, N); k = tl.arange(0, BK)
        acc = tl.zeros((M, N), dtype=tl.float32)
        for at in range(0, K, BK):
            a = tl.load(a_ptr + m[:, None] * K + at + k[None, :])
            b = tl.load(b_ptr + (at + k[:, None]) * N + n[None, :])
            acc = tl.dot(a, b, acc)
        tl.store(c_ptr + m[:, None] * N + n[None, :], acc)

In dot-half.ptx sums are of f16, too.
"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

SIZE, DEPTH = 32, 96


def packed(kind, values):
    if kind in ("fp16", "half"):
        return struct.pack(f"<{len(values)}e", *values)
    words = struct.pack(f"<{len(values)}f", *values)
    return words if kind == "fp32" else b"".join(words[i + 2:i + 4] for i in range(0, len(words), 4))


def judge(tracetool, module, rand, folder):
    kind = re.search(r"dot-(\w+)", module)[1]
    # Whole numbers, or quarters, so small that all types and sums hold them exactly.
    a, b = ([rand.randint(-4, 4) if kind == "half" else rand.randint(-60, 60) / 4 for _ in range(SIZE * DEPTH)] for _ in range(2))
    sums, size = ("e", 2) if kind == "half" else ("f", 4)
    paths = []
    for name, values in (("a", a), ("b", b)):
        paths.append(os.path.join(folder, name))
        with open(paths[-1], "wb") as file:
            file.write(packed(kind, values))
    out = os.path.join(folder, "c")
    with open(module, encoding="utf-8") as file:
        text = file.read()
    n_params = text[text.index(".entry"):text.index(")", text.index(".entry"))].count(".param")
    command = [tracetool, "probe", "run", "--block", "128", "--shared", "16384"]
    for argument in ["in:" + paths[0], "in:" + paths[1], f"out:{out}:{size * SIZE * SIZE}", f"s32:{DEPTH}"] + ["u64:0"] * (n_params - 4):
        command += ["--arg", argument]
    result = subprocess.run(command + [module], capture_output=True, text=True)
    if result.returncode != 0:
        return result.stderr
    with open(out, "rb") as file:
        got = struct.unpack(f"<{SIZE * SIZE}{sums}", file.read())
    for row in range(SIZE):
        for column in range(SIZE):
            want = sum(a[row * DEPTH + k] * b[k * SIZE + column] for k in range(DEPTH))
            if got[row * SIZE + column] != want:
                return f"[{row}][{column}] is {got[row * SIZE + column]}, not {want}"
    return None


if __name__ == "__main__":
    status, rand = 0, random.Random(int(sys.argv[2]))
    with tempfile.TemporaryDirectory() as scratch:
        for path in sys.argv[3:]:
            difference = judge(sys.argv[1], path, rand, scratch)
            print("ok" if difference is None else "DIFFERS", os.path.basename(path), difference or "")
            status |= difference is not None
    sys.exit(status)
