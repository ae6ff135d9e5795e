#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Random training programs of PyTorch, run as CUDA and autograd are defined, and what they would take if something were
otherwise: by running them otherwise. Written from these definitions, not from tracetool.

  host      a thread does one thing after the other. A call that launches returns at once; a call that synchronises returns
            when the work that it is about is done. The backward pass runs on a thread of its own, and the thread that
            called it waits for its end.
  queue     (a CUDA stream) does its work in the order of its launches, one after the other. Work begins when it was
            launched and the launch has got through, what was before it on its queue is done, and what its queue waits for
            (cudaStreamWaitEvent) is done: that is what was on the other queue when the event was recorded.
  NCCL      a collective's kernel waits for what its queue waits for, and then for the kernels of all ranks; they end together.

Writes DIR/rankN.json, as Kineto does, and DIR/truth.json: what a step takes on average, from the begin of the first until
the host is through the last and all that it launched is done; likewise for each what-if, whose key are options of `simulate`.
"""
import argparse
import json
import os
import random
import sys

BASE_US = 4147200000000
NCCL = 20
sys.setrecursionlimit(100000)


class Program:
    """What one step does, with times in ns; the same on all ranks."""

    def __init__(self, seed, n_ranks):
        self.random = random.Random(seed)
        r = self.random
        self.n_ranks = n_ranks
        self.n_layers = r.randint(3, 9)
        self.n_steps = r.randint(3, 5)
        self.host_scale = r.choice([0.3, 1, 1, 2])
        self.kernels, self.ops = {}, {}
        self.queues = [7] + [13, 14][: r.randint(0, 2)]
        self.step = []
        self.add_input()
        for layer in range(self.n_layers):
            self.add_forward(layer)
        self.add_loss()
        self.step.append(("backward", [a for layer in reversed(range(self.n_layers)) for a in self.backward_of(layer)]))
        self.gap()
        if n_ranks > 1:
            self.step.append(("join", 7, NCCL))
        self.step.append(("op", "Optimizer.step#SGD.step", self.host(20, 60), [self.kernel("update", 20, 90, 7)], self.host(5, 20)))
        if r.random() < 0.5:
            self.gap()
            self.step.append(("sync", "device"))
        self.gap()

    def host(self, low, high):
        return int(1000 * self.host_scale * self.random.uniform(low, high))

    def gap(self, low=5, high=60):
        self.step.append(("between", self.host(low, high)))

    def kernel(self, name, low, high, queue):
        self.kernels.setdefault(name, int(1000 * self.random.uniform(low, high)))
        return ("launch", name, queue)

    def add_input(self):
        self.step.append(("op", "aten::copy_", self.host(5, 30), [("launch", "Memcpy HtoD (Pinned -> Device)", 7)], 1000))
        self.kernels["Memcpy HtoD (Pinned -> Device)"] = int(1000 * self.random.uniform(10, 60))
        self.gap()

    def add_forward(self, layer):
        r, queue = self.random, self.random.choice(self.queues)
        inner = [self.kernel("gemm_%d" % layer, 10, 200, queue)]
        if r.random() < 0.5:
            inner.append(("op", "aten::add%d" % layer, self.host(2, 15), [self.kernel("add_%d" % layer, 5, 60, queue)], self.host(1, 5)))
        if queue != 7:
            self.step.append(("join", queue, 7))
        self.step.append(("op", "aten::lin%d" % layer, self.host(5, 40), inner, self.host(2, 15)))
        if queue != 7 or r.random() < 0.3:
            self.step.append(("join", 7, queue))
        self.gap()
        if r.random() < 0.15:
            self.step.append(("sync", r.choice(self.queues)))

    def add_loss(self):
        self.step.append(("op", "aten::loss", self.host(5, 20), [self.kernel("loss", 5, 30, 7)], self.host(2, 10)))
        if self.random.random() < 0.5:
            self.kernels.setdefault("Memcpy DtoH (Device -> Pinned)", 2500)
            self.step.append(("op", "aten::item", self.host(2, 8), [("launch", "Memcpy DtoH (Device -> Pinned)", 7), ("sync", 7)], 1500))
        self.gap()

    def backward_of(self, layer):
        inner = [self.kernel("gemm_grad_%d" % layer, 20, 300, 7)]
        yield ("op", "autograd::engine::evaluate_function: LinBackward%d" % layer, self.host(5, 20),
               [("op", "LinBackward%d" % layer, self.host(3, 20), inner, self.host(2, 10))], self.host(2, 10))
        if self.n_ranks > 1 and self.random.random() < 0.6:
            name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"
            self.kernels.setdefault(name, 0)
            yield ("collective", name, int(1000 * self.random.uniform(30, 300)))
        yield ("between", self.host(1, 5))


class Work:
    """Work on a queue. Its times are known once what it needs is."""

    def __init__(self, name, queue, ready, before, needs, duration, gap, collective, rank):
        self.name, self.queue, self.ready, self.needs = name, queue, ready, [n for n in [before] + needs if n is not None]
        self.duration, self.gap, self.collective, self.rank = duration, gap, collective, rank
        self.start = self.finish = None
        if collective is not None:
            collective.append(self)

    def begins(self):
        if self.start is None:
            ends = [need.end() for need in self.needs]
            if None not in ends:
                self.start = max([self.ready] + [end + self.gap for end in ends])
        return self.start

    def end(self):
        if self.finish is None and self.begins() is not None:
            if self.collective is None:
                self.finish = self.start + self.duration
            else:
                starts = [member.begins() for member in self.collective]
                if len(starts) == self.collective.n_ranks and None not in starts:
                    self.finish = max(starts) + self.duration
        return self.finish


class Collective(list):
    n_ranks = 0


class Rank:
    """Runs the program; yields while it waits for work that hangs on other ranks."""

    def __init__(self, program, number, seed, changes, collectives):
        self.program, self.number, self.changes, self.collectives = program, number, changes, collectives
        self.random = random.Random("%s %s" % (seed, number))
        self.tid, self.now, self.correlation, self.n_collectives = 4000, 0, 100, 0
        self.speed = self.random.uniform(0.9, 1.1)
        self.last, self.waits, self.works, self.spans, self.flows, self.marks = {}, {}, [], [], [], []
        self.steps = []

    # What changes. Jitter is drawn whatever changes, so that it is the same.
    def host_ns(self, name, ns):
        ns = ns * self.speed * self.random.uniform(0.9, 1.1)
        return int(ns * self.changes.get("op", {}).get(name, 1))

    def kernel_ns(self, name, ns):
        ns = ns * self.random.uniform(0.95, 1.05)
        if not name.startswith(("nccl", "Mem")):
            ns = ns / self.changes.get("compute", 1)
            ns = ns * self.changes.get("straggler", {}).get(self.number, 1)
        ns = ns * self.changes.get("op", {}).get(name, 1) + self.changes.get("delay", {}).get(name, 0)
        return int(0 if name in self.changes.get("remove", ()) else ns)

    def span(self, cat, name, begin, **args):
        self.spans.append((cat, name, self.tid, begin, self.now, args))

    def call(self, name, ns):
        begin = self.now
        self.now += int(ns * self.random.uniform(0.9, 1.1))
        self.correlation += 1
        self.span("cuda_runtime", name, begin, correlation=self.correlation)

    def launch(self, name, queue, ns, collective=None):
        self.call("cudaMemcpyAsync" if name.startswith("Mem") else "cudaLaunchKernel", 5000)
        work = Work(name, queue, self.now + self.random.randint(2000, 4000), self.last.get(queue), self.waits.pop(queue, []),
                    self.kernel_ns(name, ns), self.random.randint(800, 1200), collective, self.number)
        work.correlation, work.step = self.correlation, len(self.steps)
        self.works.append(work)
        self.last[queue] = work

    def join(self, queue, other):
        """@queue waits for what is on @other now."""
        self.call("cudaEventRecord", 2000)
        recorded = self.correlation
        self.call("cudaStreamWaitEvent", 2000)
        if other in self.last:
            self.waits.setdefault(queue, []).append(self.last[other])
        self.marks.append(("Stream Wait Event", queue, self.now - 1500, self.now - 500, self.correlation,
                           {"wait_on_stream": other, "wait_on_cuda_event_record_corr_id": recorded, "wait_on_cuda_event_id": 1}))

    def synchronize(self, queue):
        begin = self.now
        self.now += 1500
        works = [work for q, work in self.last.items() if queue in ("device", q)]
        while any(work.end() is None for work in works):
            yield
        self.now = max([self.now] + [work.end() for work in works]) + 2000
        self.correlation += 1
        self.span("cuda_runtime", "cudaDeviceSynchronize" if queue == "device" else "cudaStreamSynchronize", begin, correlation=self.correlation)
        self.marks.append(("Context Sync" if queue == "device" else "Stream Sync", -1 if queue == "device" else queue, begin + 500, self.now - 500,
                           self.correlation, {}))

    def do(self, action):
        kind = action[0]
        if kind == "between":
            self.now += self.host_ns(None, action[1])
        elif kind == "launch":
            self.launch(action[1], action[2], self.program.kernels[action[1]])
        elif kind == "join":
            self.join(action[1], action[2])
        elif kind == "sync":
            yield from self.synchronize(action[1])
        elif kind == "op":
            _, name, pre, inner, post = action
            begin = self.now
            self.now += self.host_ns(name, pre)
            for one in inner:
                yield from self.do(one)
            self.now += self.host_ns(name, post)
            self.span("cpu_op", name, begin)
            for word, way in (("aten::lin", "s"), ("LinBackward", "f")):
                if name.startswith(word):
                    self.flows.append((way, len(self.steps) * 1000 + int(name[len(word):]) + 1, self.tid, begin))
        elif kind == "collective":
            begin = self.now
            self.now += self.host_ns(None, 4000)
            self.join(NCCL, 7)
            members = self.collectives.setdefault(self.n_collectives, Collective())
            members.n_ranks = self.program.n_ranks
            self.n_collectives += 1
            self.launch(action[1], NCCL, action[2], members)
            members[0].duration = max(member.duration for member in members)
            for member in members:
                member.duration = members[0].duration
            self.now += self.host_ns(None, 3000)
            self.span("cpu_op", "c10d::allreduce_", begin)
        elif kind == "backward":
            self.now += 4000
            self.tid = 4001
            for one in action[1]:
                yield from self.do(one)
            self.tid = 4000
            self.now += 3000

    def run(self):
        self.now = 50000 * self.number
        for step in range(self.program.n_steps):
            begin = self.now
            for action in self.program.step:
                yield from self.do(action)
            self.steps.append((begin, self.now))
            self.span("user_annotation", "ProfilerStep#%d" % step, begin)
        while any(work.end() is None for work in self.works):
            yield

    def iteration_ns(self):
        end = max([self.steps[-1][1]] + [work.end() for work in self.works])
        return (end - self.steps[0][0]) / len(self.steps)


def simulate(program, seed, changes):
    collectives = {}
    ranks = [Rank(program, number, seed, changes, collectives) for number in range(program.n_ranks)]
    running = [rank.run() for rank in ranks]
    while running:
        running = [one for one in running if next(one, "done") != "done"]
    return ranks


def iteration_us(ranks):
    return sum(rank.iteration_ns() for rank in ranks) / len(ranks) / 1000


def us(ns):
    return "%d.%03d" % (BASE_US + ns // 1000, ns % 1000)


def write(rank, n_ranks, with_marks, path):
    gpu = rank.number
    lines = []

    def add(**facts):
        text = json.dumps({key: value for key, value in facts.items() if key not in ("ts", "dur")})
        if "ts" in facts:
            text = text[:-1] + ', "ts": ' + us(facts["ts"]) + (', "dur": %d.%03d' % divmod(facts["dur"], 1000) if "dur" in facts else "") + "}"
        lines.append(text)

    for pid, label in ((4000 + rank.number, "CPU"), (gpu, "GPU %d" % gpu)):
        add(name="process_name", ph="M", pid=pid, tid=0, ts=0, args={"name": "python"})
        add(name="process_labels", ph="M", pid=pid, tid=0, ts=0, args={"labels": label})
    for cat, name, tid, begin, end, args in rank.spans:
        add(ph="X", cat=cat, name=name, pid=4000 + rank.number, tid=tid, ts=begin, dur=end - begin, args=args)
        if "correlation" in args and cat == "cuda_runtime" and ("Launch" in name or "Memcpy" in name):
            add(ph="s", id=args["correlation"], pid=4000 + rank.number, tid=tid, ts=begin, cat="ac2g", name="ac2g")
    for way, number, tid, ns in rank.flows:
        add(ph=way, id=number, pid=4000 + rank.number, tid=tid, ts=ns, cat="fwdbwd", name="fwdbwd", **({"bp": "e"} if way == "f" else {}))
    for work in rank.works:
        args = {"device": gpu, "stream": work.queue, "correlation": work.correlation}
        if work.collective is not None:
            args.update({"Collective name": "allreduce", "Process Group Name": "0", "Process Group Ranks": str(list(range(n_ranks))),
                         "In msg nelems": 4096, "Out msg nelems": 4096, "Group size": n_ranks, "dtype": "Float"})
        cat = "gpu_memcpy" if work.name.startswith("Mem") else "kernel"
        add(ph="X", cat=cat, name=work.name, pid=gpu, tid=work.queue, ts=work.start, dur=work.finish - work.start, args=args)
        add(ph="f", id=work.correlation, pid=gpu, tid=work.queue, ts=work.start, cat="ac2g", name="ac2g", bp="e")
    for kind, queue, begin, end, correlation, more in rank.marks if with_marks else []:
        args = dict({"cuda_sync_kind": kind, "stream": 4294967295 if queue < 0 else queue, "correlation": correlation, "device": gpu}, **more)
        add(ph="X", cat="cuda_sync", name=kind, pid=gpu, tid=queue, ts=begin, dur=end - begin, args=args)
    head = {"schemaVersion": 1, "deviceProperties": [{"id": gpu, "name": "Imaginary"}], "displayTimeUnit": "ms", "baseTimeNanoseconds": 1735632360000000000}
    if n_ranks > 1:
        head["distributedInfo"] = {"backend": "nccl", "rank": rank.number, "world_size": n_ranks, "pg_count": 1, "nccl_version": "2.21.5"}
    with open(path, "w") as out:
        out.write(json.dumps(head)[:-1] + ', "traceEvents": [\n' + ",\n".join(lines) + "\n]}\n")


def what_ifs(program, r):
    kernels = sorted(name for name in program.kernels if not name.startswith(("nccl", "Mem")))
    longest = max(kernels, key=lambda name: program.kernels[name])
    some, layer = r.choice(kernels), r.randrange(program.n_layers)
    yield "--compute 2", {"compute": 2}
    yield "--compute 0.5", {"compute": 0.5}
    yield "--op COMP.%s=0.3" % longest, {"op": {longest: 0.3}}
    yield "--op COMP.%s=3" % some, {"op": {some: 3}}
    yield "--remove COMP.%s" % longest, {"remove": {longest}}
    yield "--delay COMP.%s=100" % some, {"delay": {some: 100000}}
    yield "--op *.aten::lin%d=4" % layer, {"op": {"aten::lin%d" % layer: 4}}
    yield "--op *.Optimizer*=0.1", {"op": {"Optimizer.step#SGD.step": 0.1}}
    yield "--straggler %d=1.6" % (program.n_ranks - 1), {"straggler": {program.n_ranks - 1: 1.6}}
    yield "--compute 3 --op *.LinBackward*=0.2", {"compute": 3, "op": {"LinBackward%d" % i: 0.2 for i in range(program.n_layers)}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--no-marks", action="store_true", help="the trace does not say which queues and calls wait for what")
    parser.add_argument("-o", dest="out", required=True)
    options = parser.parse_args()
    program = Program(options.seed, options.ranks)
    ranks = simulate(program, options.seed, {})
    truth = {"baseline": iteration_us(ranks), "what_if": {}}
    os.makedirs(options.out, exist_ok=True)
    for rank in ranks:
        write(rank, options.ranks, not options.no_marks, os.path.join(options.out, "rank%d.json" % rank.number))
    for words, changes in what_ifs(program, random.Random(options.seed)):
        truth["what_if"][words] = iteration_us(simulate(program, options.seed, changes))
    with open(os.path.join(options.out, "truth.json"), "w") as out:
        json.dump(truth, out, indent=1)


main()
