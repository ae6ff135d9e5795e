#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What perf itself says of a recording of its own, as lines for tests/oracles/perf_sched.py:

    perf_sched.py perf.data NAME... >TABLE

    run TID END US   a stretch of a thread called NAME (or NAME-...) on a processor, by `perf sched timehist`, and
    delay TID US     how long it had been ready before that one
    irq CPU NUMBER BEGIN END, softirq CPU NUMBER BEGIN END, block SECTOR WORD BEGIN END   by `perf script`, ns
"""
import re
import subprocess
import sys

data, names = sys.argv[1], sys.argv[2:]


def perf(*words):
    return subprocess.run(["perf", *words, "-i", data], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=True).stdout.splitlines()


def us(text):
    seconds, micro = text.split(".")
    return int(seconds) * 10**6 + int(micro.ljust(6, "0"))


for line in perf("sched", "timehist"):
    row = re.match(r"\s*([\d.]+) \[\d+\]\s+(.*?)\[(\d+)(?:/\d+)?\]\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s*$", line)
    if row and any(row[2] == name or row[2].startswith(name + "-") for name in names):
        print("run", row[3], us(row[1]), round(float(row[6]) * 1000), sep="\t")
        print("delay", row[3], round(float(row[5]) * 1000), sep="\t")

begun = {}
for line in perf("script", "--ns", "-F", "cpu,time,event,trace"):
    row = re.match(r"\s*\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(\w+):(\w+): (.*)$", line)
    if not row:
        continue
    cpu, at, event, rest = int(row[1]), int(row[2]) * 10**9 + int(row[3]), row[5], row[6]
    number = re.match(r"(?:irq|vec)=(\d+)", rest)
    if event in ("irq_handler_entry", "softirq_entry"):
        begun[event, cpu, number[1]] = at
    elif event in ("irq_handler_exit", "softirq_exit"):
        kind = event.split("_")[0]
        begin = begun.pop((event.replace("exit", "entry"), cpu, number[1]), None)
        if begin is not None:
            print(kind, cpu, number[1], begin, at, sep="\t")
    elif event in ("block_rq_issue", "block_rq_complete"):
        flags, sector = re.match(r"\d+,\d+ (\w+) .*\(\) (\d+) \+", rest).groups()
        word = "DISCARD" if "D" in flags else "WRITE" if "W" in flags else "READ" if "R" in flags else "FLUSH"
        if event == "block_rq_issue":
            begun[sector] = at
        elif sector in begun:
            print("block", sector, word, begun.pop(sector), at, sep="\t")
