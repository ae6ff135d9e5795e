# SPDX-License-Identifier: Apache-2.0
"""Made-up PyTorch traces of some ranks: steps, operators in operators, annotations, pauses, kernels, collectives that each
rank reaches at a time of its own.

usage: random-ranks.py SEED FOLDER     writes FOLDER/rank0.json ...
"""
import json
import random
import sys


def us(ns):
    return float(f"{ns // 1000}.{ns % 1000:03d}")


class Rank:
    def __init__(self, seed, rank, n_steps):
        self.random = random.Random(f"{seed} {rank}")
        self.rank, self.n_steps = rank, n_steps
        self.events, self.at, self.device = [], 1_000_000 + self.random.randrange(20_000), {7: 0, 20: 0}
        self.correlation = 0

    def span(self, cat, name, begin, end, tid=100, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if tid < 100 else 100 + self.rank, "tid": tid,
                            "ts": us(begin), "dur": us(end - begin), "args": args})

    def work(self, depth):
        """something on the host, with what is inside"""
        r, begin = self.random, self.at
        self.at += r.choice([0, 700, 2000])
        kind = r.choice(["op", "op", "annotation", "launch", "collective", "sync"])
        if kind in ("launch", "collective"):
            self.correlation += 1
            name, stream = ("gemm", 7) if kind == "launch" else ("ncclDevKernel_AllReduce_Sum_f32", 20)
            start = max(self.device[stream], self.at + 500) + r.choice([0, 900, 8000])
            self.device[stream] = start + r.choice([1000, 9000, 40_000])
            self.span("kernel", name, start, self.device[stream], stream, stream=stream, correlation=self.correlation)
            self.at += 900
            self.span("cuda_runtime", "cudaLaunchKernel", begin, self.at, correlation=self.correlation)
            return
        for _ in range(r.randrange(3) if depth < 4 else 0):
            self.work(depth + 1)
        self.at += r.choice([0, 0, 1300, 25_000])
        if kind == "annotation":
            self.span("user_annotation", r.choice(["load", "forward", "pause"]), begin, self.at)
        elif kind == "sync":
            self.span("cuda_runtime", "cudaDeviceSynchronize", begin, self.at)
        else:
            self.span("cpu_op", r.choice(["aten::mm", "aten::add", "aten::copy_"]), begin, self.at)

    def background(self):
        """a thread that heeds no step"""
        at = 1_000_000
        while at < self.at:
            at += self.random.choice([0, 3000, 60_000])
            begin, at = at, at + self.random.choice([2000, 30_000, 400_000])
            self.span("cpu_op", "aten::to", begin, at, 101)

    def write(self, path):
        for step in range(self.n_steps):
            begin = self.at
            for _ in range(self.random.randrange(12)):
                self.work(0)
                self.at += self.random.choice([0, 400, 15_000])
            self.at += 100
            if self.random.random() < 0.9:
                self.span("user_annotation", f"ProfilerStep#{step}", begin, self.at)
        self.background()
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"schemaVersion": 1, "distributedInfo": {"rank": self.rank}, "traceEvents": self.events}, f)


def main():
    seed, folder = int(sys.argv[1]), sys.argv[2]
    r = random.Random(seed)
    n_steps = r.randrange(1, 5)
    for rank in range(r.randrange(2, 6)):
        Rank(seed, rank, n_steps).write(f"{folder}/rank{rank}.json")


main()
