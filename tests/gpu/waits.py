#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes each s_nop, and each s_waitcnt that stands at no barrier, out of LLVM's kernels in turn, and runs what is left:
each is there for a reason, which must be told. Prints how many were taken out, and those that nobody misses.

    waits.py TRACETOOL MODULE.s FOLDER EVERY

EVERY: 1 takes all, 4 every fourth.
"""
import os
import random
import re
import struct
import subprocess
import sys

tracetool, module, folder = sys.argv[1:4]
every = int(sys.argv[4])
rand = random.Random(1)


def given(name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return "in:" + path


ANY = given("any", rand.randbytes(65536))
SMALL = given("small", struct.pack("<128I", *[rand.randint(1, 500) for _ in range(128)]))
MIXED = given("mixed", struct.pack("<256q", *[rand.choice([rand.randint(1, 99), rand.randint(-2**60, 2**60)]) for _ in range(256)]))
KERNELS = {
    "add": ("2", "32", [ANY, ANY, "zero:4096", "u32:40"]),
    "stencil": ("2", "32", [ANY, "zero:4096", "s32:40"]),
    "multiply": ("1,1", "16,16", [ANY, ANY, "zero:4096", "s32:16"]),
    "total": ("2", "128", [ANY, "zero:4", "u32:700"]),
    "histogram": ("1", "128", [ANY, "zero:1024", "u32:300"]),
    "collatz": ("1", "64", [SMALL, "zero:4096"]),
    "whole": ("2", "64", [MIXED, "zero:16384"]),
    "real": ("2", "32", [ANY, "zero:4096", "zero:4096"]),
}
with open(module, encoding="utf-8") as file:
    lines = file.read().split("\n")
kernel, n, seen, status = None, 0, 0, 0
for i, line in enumerate(lines):
    label = re.fullmatch(r"(\w+):", line)
    kernel = label[1] if label else kernel
    word = line.split()[:1]
    if kernel not in KERNELS or word not in (["s_nop"], ["s_waitcnt"]) or lines[i + 1].split()[:1] == ["s_barrier"]:
        continue
    seen += 1
    if seen % every:
        continue
    cut = os.path.join(folder, "cut.s")
    with open(cut, "w", encoding="utf-8") as file:
        file.write("\n".join(lines[:i] + [""] + lines[i + 1:]))
    grid, block, arguments = KERNELS[kernel]
    command = [tracetool, "probe", "run", "-k", kernel, "-g", grid, "-b", block]
    for argument in arguments:
        command += ["-a", argument]
    result = subprocess.run(command + [cut], capture_output=True, text=True)
    n += 1
    if result.returncode != 1 or "is missing" not in result.stderr:
        print(f"{kernel}, line {i + 1}: {line.strip()} is not missed: {result.stderr.strip()}")
        status = 1
print(n, "waits")
sys.exit(status)
