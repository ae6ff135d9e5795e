# SPDX-License-Identifier: Apache-2.0
"""A made-up PyTorch trace: steps, launches, streams that overlap, work that ends after its step, idle of every cause.

usage: random-devices.py SEED >trace.json
"""
import json
import random
import sys


def us(ns):
    return float(f"{ns // 1000}.{ns % 1000:03d}")


def complete(cat, name, tid, begin, end, pid=100, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": us(begin), "dur": us(end - begin),
            "args": args}


def make(seed):
    r = random.Random(seed)
    events, at, correlation = [], 1_000_000, 1
    free = dict.fromkeys((7, 20, 21), at)
    kinds = [("kernel", "gemm"), ("kernel", "ncclDevKernel_AllReduce"), ("gpu_memcpy", "Memcpy HtoD"), ("kernel", "add")]
    for step in range(r.randrange(1, 5)):
        begin = at
        for _ in range(r.randrange(0, 40)):
            at += r.choice([500, 3000, 20_000, 60_000])
            cat, name = r.choice(kinds)
            stream = r.choice(list(free))
            correlation += 1
            has_call = r.random() < 0.9
            if has_call:
                events.append(complete("cuda_runtime", "cudaLaunchKernel", 100, at, at + 400, correlation=correlation))
            start = max(free[stream], at + 400) + r.choice([0, 0, 700, 10_000, 45_000])
            free[stream] = start + r.choice([0, 900, 5000, 30_000])
            events.append(complete(cat, name, stream, start, free[stream], pid=0, stream=stream, device=0,
                                   correlation=correlation if has_call else 0))
        at += r.choice([1000, 40_000])
        events.append(complete("user_annotation", f"ProfilerStep#{step}", 100, begin, at))
        at += r.choice([0, 100])
    return {"schemaVersion": 1, "distributedInfo": {"rank": 3, "world_size": 4}, "traceEvents": events}


if __name__ == "__main__":
    json.dump(make(int(sys.argv[1])), sys.stdout)
