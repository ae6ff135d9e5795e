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
            A wait that no work has taken up yet is part of what an event records.
  NCCL      a collective's kernel waits for what its queue waits for, and then for the kernels of all ranks of its group;
            they end together, as long after the last begin as NCCL's tuner says (nccl_times.py), give or take 2 %. The
            protocol is chosen for each call as the tuner does. A faster network is one of faster links (--bandwidth) or
            of links that cost less to cross (--latency); what GPUs and hosts add or allow stays. --compression scales the
            bytes of all-reduces and reduce-scatters; then, too, the protocol is chosen anew. Other hosts ("hosts" of truth.json): more or
            fewer ranks, on hosts with as many, or the same on hosts with more; the NICs faster; programs and tensors stay.

Programs of several ranks are of one of these styles:
  ddp       all-reduces of buckets of gradients in the backward pass, perhaps a broadcast of buffers before the forward pass
  fsdp      all-gathers of a layer's parameters before it, reduce-scatters of its gradients after, perhaps in two halves
            that know nothing of each other
  hsdp      as fsdp in halves, and an all-reduce of each reduced part across the halves

Writes DIR/rankN.json, as Kineto does, and DIR/truth.json: what a step takes on average, from the begin of the first until
the host is through the last and all that it launched is done; likewise for each what-if, whose key are options of `simulate`.
"kernels_on_path_us" of truth.json is how much of the whole run computing on devices makes up: by how much the run would be longer if
all kernels took a little longer.
"waits_ns" is how long the kernels of each rank waited for those of others, and its host for devices.
With --only-rank, only that rank is written and the truth is its own, with the others at work. "network" of truth.json says
what the network is and what each call of a rank took without waiting.
"""
import argparse
import copy
import json
import os
import random
import re
import sys

from nccl_times import Nccl

BASE_US = 4147200000000
NCCL = {"all": 20, "halves": 20, "across": 21}
MIB = 1 << 20
WORDS = {  # In Kineto, in c10d, in NCCL's kernels, in NCCL's tuner.
    "allreduce": ("allreduce", "c10d::allreduce_", "AllReduce_Sum_", "ALLREDUCE"),
    "reduce_scatter": ("_reduce_scatter_base", "c10d::_reduce_scatter_base_", "ReduceScatter_Sum_", "REDUCE_SCATTER"),
    "allgather": ("_allgather_base", "c10d::_allgather_base_", "AllGather_", "ALLGATHER"),
    "broadcast": ("broadcast", "c10d::broadcast_", "Broadcast_", "BCAST"),
}
TYPES = {"Float": (4, "f32_"), "BFloat16": (2, "bf16_")}
sys.setrecursionlimit(100000)


class Network:
    """The ranks' hosts and links, and what they send: drawn apart from what they compute."""

    def __init__(self, seed, n_ranks, n_layers):
        self.random = random.Random("%s network" % seed)
        r = self.random
        self.n_ranks, self.seed = n_ranks, seed
        self.hosts = r.choice([hosts for hosts in range(1, n_ranks + 1) if n_ranks % hosts == 0])
        self.link = r.choice(["NVLINK", "NVLINK", "PCI"])
        self.channels = r.choice([2, 4]) if self.link == "PCI" else r.choice([4, 8, 12, 16])
        self.intra = round(r.uniform(10, 25) if self.link == "PCI" else r.uniform(20, 200), 1)
        self.inter = round(r.uniform(5, 50), 1)
        self.algorithm, self.gpu, self.cpu = r.choice(["RING", "RING", "TREE"]), r.choice(["ampere", "hopper"]), r.choice(["intel", "amd"])
        self.style = r.choice(["ddp", "ddp", "fsdp", "fsdp", "hsdp"] if n_ranks % 4 == 0 else ["ddp", "fsdp"])
        self.split = "halves" if self.style == "hsdp" or (self.style == "fsdp" and n_ranks % 4 == 0 and r.random() < 0.4) else "all"
        self.next_to = r.random() < 0.5
        half = n_ranks // 2
        self.groups = {"all": [list(range(n_ranks))]}
        if self.split == "halves":
            near, far = [list(range(half)), list(range(half, n_ranks))], [list(range(i, n_ranks, 2)) for i in (0, 1)]
            self.groups["halves"] = near if self.next_to else far
            self.groups["across"] = [list(pair) for pair in zip(*self.groups["halves"])]
        self.prefetch, self.gathers_again = r.random() < 0.5, r.random() < 0.6
        self.draw_sizes(n_layers)
        self.scale, self.compute = 1, 1
        self.tuners = {}

    def draw_sizes(self, n_layers):
        r = self.random
        self.same = r.random() < 0.6
        self.dtype = {"reduce": r.choice(["Float", "BFloat16"])}
        self.dtype["gather"] = self.dtype["reduce"] if self.same else r.choice(["Float", "BFloat16"])

        def large():
            return int(MIB * 50 ** r.random())

        def small():
            return int(2048 * 8 ** r.random())
        if self.same:
            self.sizes = [large() if r.random() < 0.8 else int(65536 * 16 ** r.random())] * n_layers
        else:
            self.sizes = [large() if r.random() < 0.6 else small() for _ in range(n_layers)]
            self.sizes[0] = large()
        has_bucket = [layer == 0 or r.random() < 0.6 for layer in range(n_layers)]
        self.buckets = [layer for layer in range(n_layers) if has_bucket[layer]]
        self.broadcast = small() if self.style == "ddp" and r.random() < 0.3 else None

    def queues(self):
        return sorted({NCCL[split] for split in ({"all"} if self.split == "all" else {"halves", "across"} if self.style == "hsdp" else {"halves"})})

    def number_of(self, split, rank):
        return next(i for i, ranks in enumerate(self.groups[split]) if rank in ranks)

    def name_of(self, split, number):
        return "0" if split == "all" else str(number + {"halves": 1, "across": 3}[split])

    def elements(self, kind, n_bytes, dtype, split, changes):
        """Of the whole message, a multiple of the ranks."""
        size = len(self.groups[split][0])
        by = self.scale * (changes.get("compression", 1) if kind in ("allreduce", "reduce_scatter") else 1)
        return size * max(1, round(n_bytes * by / TYPES[dtype][0] / size))

    def tuner(self, split, number):
        ranks = self.groups[split][number]
        hosts = len({rank * self.hosts // self.n_ranks for rank in ranks})
        return Nccl(len(ranks), hosts, self.intra, self.inter, self.channels, link=self.link, algorithm=self.algorithm, gpu=self.gpu, cpu=self.cpu)

    def call(self, kind, n_bytes, dtype, split, number, count, changes):
        """The @count-th call of a group: its time, its kernel and the facts that Kineto writes of it."""
        elements, ranks = self.elements(kind, n_bytes, dtype, split, changes), self.groups[split][number]
        size, word = TYPES[dtype]
        kineto, _, kernel, tuner = WORDS[kind]
        key = (split, number)
        if key not in self.tuners:
            self.tuners[key] = self.tuner(*key)
        ns, algorithm, protocol = self.tuners[key].time(tuner, elements * size, changes.get("bandwidth", 1), changes.get("latency", 1))
        ns *= random.Random("%s %s %s %s" % (self.seed, split, number, count)).uniform(0.98, 1.02)
        name = "ncclDevKernel_%s%s%s_%s(ncclDevKernelArgsStorage<4096ul>)" % (kernel, word if "Sum" in kernel else "", algorithm, protocol)
        facts = {"Collective name": kineto, "In msg nelems": elements // (len(ranks) if kind == "allgather" else 1),
                 "Out msg nelems": elements // (len(ranks) if kind == "reduce_scatter" else 1), "Group size": len(ranks),
                 "dtype": dtype, "Process Group Name": self.name_of(split, number), "Process Group Ranks": str(ranks)}
        return ns, name, facts, elements * size

    def facts(self):
        return {key: getattr(self, key) for key in ("style", "algorithm", "hosts", "link", "channels", "intra", "inter", "gpu", "cpu", "same", "groups")}


class Program:
    """What one step does, with times in ns; the same on all ranks."""

    def __init__(self, seed, n_ranks):
        self.random = random.Random(seed)
        r = self.random
        self.n_ranks, self.forgets_waits = n_ranks, False
        self.n_layers = r.randint(3, 9)
        self.n_steps = r.randint(3, 5)
        self.host_scale = r.choice([0.3, 1, 1, 2])
        self.kernels, self.ops = {}, {}
        self.queues = [7] + [13, 14][: r.randint(0, 2)]
        self.network = Network(seed, n_ranks, self.n_layers) if n_ranks > 1 else None
        self.step = []
        self.add_input()
        if self.network and self.network.broadcast:
            self.step += [self.send("broadcast", self.network.broadcast, "Float", "all"), ("join", 7, NCCL["all"])]
        for layer in range(self.n_layers):
            self.step += self.gathers(layer, layer + 1, layer == 0)
            self.add_forward(layer)
        self.add_loss()
        self.step.append(("backward", [a for layer in reversed(range(self.n_layers)) for a in self.backward_of(layer)]))
        self.gap()
        if self.network:
            self.step += [("join", 7, queue) for queue in self.network.queues()]
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

    def send(self, kind, n_bytes, dtype, split, after=7):
        return ("collective", kind, n_bytes, dtype, split, after)

    def gathers(self, layer, following, is_first):
        """What gets @layer its parameters, and those of the @following if it comes before its time."""
        net = self.network
        if not net or net.style == "ddp":
            return []
        queue, early = NCCL[net.split], net.prefetch and 0 <= following < self.n_layers
        gather = [self.send("allgather", net.sizes[i], net.dtype["gather"], net.split) for i in (layer, following if early else layer)]
        first = [gather[0]] if is_first or not net.prefetch else []
        return first + [("join", 7, queue)] + ([gather[1]] if early else [])

    def reduces(self, layer):
        """What sends the gradients of @layer."""
        net = self.network
        if not net or (net.style == "ddp" and layer not in net.buckets):
            return []
        if net.style == "ddp":
            return [self.send("allreduce", net.sizes[layer], net.dtype["reduce"], "all")]
        scatter = [self.send("reduce_scatter", net.sizes[layer], net.dtype["reduce"], net.split)]
        if net.style == "hsdp":
            part = net.sizes[layer] / len(net.groups["halves"][0])
            scatter.append(self.send("allreduce", part, net.dtype["reduce"], "across", NCCL["halves"]))
        return scatter

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
        early = self.network and self.network.style != "ddp" and self.network.prefetch
        if self.network and self.network.gathers_again:
            gathers = self.gathers(layer, layer - 1, layer == self.n_layers - 1)
            # Before its time, but after the layer before has got what it waits for.
            cut = gathers.index(("join", 7, NCCL[self.network.split])) + 1 if gathers else 0
            yield from gathers[:cut]
            if early and layer + 1 < self.n_layers:
                yield from self.reduces(layer + 1)
            yield from gathers[cut:]
        elif early and layer + 1 < self.n_layers:
            yield from self.reduces(layer + 1)
        inner = [self.kernel("gemm_grad_%d" % layer, 20, 300, 7)]
        yield ("op", "autograd::engine::evaluate_function: LinBackward%d" % layer, self.host(5, 20),
               [("op", "LinBackward%d" % layer, self.host(3, 20), inner, self.host(2, 10))], self.host(2, 10))
        if not early or layer == 0:
            yield from self.reduces(layer)
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
        # Gives up at the first that is not known: to ask all of them, each time, takes time without end.
        if self.start is None and all(need.end() is not None for need in self.needs):
            self.start = max([self.ready] + [need.end() + self.gap for need in self.needs])
        return self.start

    def end(self):
        if self.finish is None and self.begins() is not None:
            if self.collective is None:
                self.finish = self.start + self.duration
            elif len(self.collective) == self.collective.n_ranks and all(member.begins() is not None for member in self.collective):
                self.finish = max(member.begins() for member in self.collective) + self.duration
        return self.finish


class Collective(list):
    def __init__(self, n_ranks, ns, name, facts, n_bytes):
        super().__init__()
        self.n_ranks, self.ns, self.name, self.facts, self.n_bytes = n_ranks, ns, name, facts, n_bytes


class Rank:
    """Runs the program; yields while it waits for work that hangs on other ranks."""

    def __init__(self, program, number, seed, changes, collectives):
        self.program, self.number, self.changes, self.collectives = program, number, changes, collectives
        self.random = random.Random("%s %s" % (seed, number))
        self.tid, self.now, self.correlation, self.n_collectives = 4000, 0, 100, {}
        self.speed = self.random.uniform(0.9, 1.1)
        self.last, self.waits, self.works, self.spans, self.flows, self.marks = {}, {}, [], [], [], []
        self.steps, self.host_wait = [], 0

    # What changes. Jitter is drawn whatever changes, so that it is the same.
    def host_ns(self, name, ns):
        ns = ns * self.speed * self.random.uniform(0.9, 1.1)
        return int(ns * self.changes.get("op", {}).get(name, 1))

    def kernel_ns(self, name, ns):
        if name.startswith("nccl"):
            return ns
        ns = ns * self.random.uniform(0.95, 1.05)
        if not name.startswith("Mem"):
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

    def on(self, queue):
        work = [self.last[queue]] if queue in self.last else []
        return work + ([] if self.program.forgets_waits else self.waits.get(queue, []))

    def join(self, queue, other):
        """@queue waits for what is on @other now."""
        self.call("cudaEventRecord", 2000)
        recorded = self.correlation
        self.call("cudaStreamWaitEvent", 2000)
        self.waits.setdefault(queue, []).extend(self.on(other))
        self.marks.append(("Stream Wait Event", queue, self.now - 1500, self.now - 500, self.correlation,
                           {"wait_on_stream": other, "wait_on_cuda_event_record_corr_id": recorded, "wait_on_cuda_event_id": 1}))

    def synchronize(self, queue):
        begin = self.now
        self.now += 1500
        works = [work for q in set(self.last) | set(self.waits) if queue in ("device", q) for work in self.on(q)]
        while any(work.end() is None for work in works):
            yield
        self.host_wait += max([0] + [work.end() - begin for work in works])
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
            self.collective(*action[1:])
        elif kind == "backward":
            self.now += 4000
            self.tid = 4001
            for one in action[1]:
                yield from self.do(one)
            self.tid = 4000
            self.now += 3000

    def collective(self, kind, n_bytes, dtype, split, after):
        begin, network = self.now, self.program.network
        self.now += self.host_ns(None, 4000)
        self.join(NCCL[split], after)
        number = network.number_of(split, self.number)
        count = self.n_collectives[split] = self.n_collectives.get(split, 0) + 1
        key = (split, number, count)
        if key not in self.collectives:
            call = network.call(kind, n_bytes, dtype, split, number, count, self.changes)
            self.collectives[key] = Collective(len(network.groups[split][number]), *call)
        members = self.collectives[key]
        self.launch(members.name, NCCL[split], int(members.ns), members)
        self.now += self.host_ns(None, 3000)
        self.span("cpu_op", WORDS[kind][1], begin)

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


def iteration_us(ranks, only=None):
    ranks = [rank for rank in ranks if only in (None, rank.number)]
    return sum(rank.iteration_ns() for rank in ranks) / len(ranks) / 1000


def waits_ns(rank):
    works = [work for work in rank.works if work.collective is not None]
    return {"ranks": sum(max(member.begins() for member in work.collective) - work.begins() for work in works), "host": rank.host_wait}


def kernels_on_path_us(program, seed, ranks):
    def length(ranks):
        return max(max([rank.steps[-1][1]] + [work.end() for work in rank.works]) for rank in ranks)

    return (length(simulate(program, seed, {"compute": 1 / 1.002})) - length(ranks)) / 0.002 / 1000


def share(ranks):
    """Of a step, what its collectives take without waiting."""
    rank = ranks[0]
    return sum(work.collective.ns for work in rank.works if work.collective is not None) / rank.iteration_ns() / len(rank.steps)


def balance(program, seed):
    """Makes collectives 10 to 70 % of a step, by how much there is to compute, and to send if hosts are too slow for that."""
    net, n_steps, kernels = program.network, program.n_steps, dict(program.kernels)
    aim, program.n_steps = net.random.uniform(0.12, 0.65), 1

    def share_at(by):
        net.compute = by
        program.kernels = {name: ns if name.startswith("Mem") else int(ns * by) for name, ns in kernels.items()}
        return share(simulate(program, seed, {}))

    while share_at(0.02) < 0.12:
        net.scale *= 2
    low, high = 0.02, 200
    while high > low * 1.05:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if share_at(middle) > aim else (low, middle)
    share_at(low)
    program.n_steps = n_steps


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
            args.update(work.collective.facts)
        cat = "gpu_memcpy" if work.name.startswith("Mem") else "kernel"
        add(ph="X", cat=cat, name=work.name, pid=gpu, tid=work.queue, ts=work.start, dur=work.finish - work.start, args=args)
        add(ph="f", id=work.correlation, pid=gpu, tid=work.queue, ts=work.start, cat="ac2g", name="ac2g", bp="e")
    for kind, queue, begin, end, correlation, more in rank.marks if with_marks else []:
        args = dict({"cuda_sync_kind": kind, "stream": 4294967295 if queue < 0 else queue, "correlation": correlation, "device": gpu}, **more)
        add(ph="X", cat="cuda_sync", name=kind, pid=gpu, tid=queue, ts=begin, dur=end - begin, args=args)
    head = {"schemaVersion": 1, "deviceProperties": [{"id": gpu, "name": "Imaginary"}], "displayTimeUnit": "ms", "baseTimeNanoseconds": 1735632360000000000}
    if n_ranks > 1:
        head["distributedInfo"] = {"backend": "nccl", "rank": rank.number, "world_size": n_ranks, "pg_count": 1, "nccl_version": "2.30.7"}
    with open(path, "w") as out:
        out.write(json.dumps(head)[:-1] + ', "traceEvents": [\n' + ",\n".join(lines) + "\n]}\n")


def what_ifs(program, r, slowed):
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
    yield "--straggler %d=1.6" % slowed, {"straggler": {slowed: 1.6}}
    yield "--compute 3 --op *.LinBackward*=0.2", {"compute": 3, "op": {"LinBackward%d" % i: 0.2 for i in range(program.n_layers)}}
    if program.network:
        for by in (2, 0.5, 4):
            yield "--bandwidth %g" % by, {"bandwidth": by}
        for by in (0.5, 4):
            yield "--latency %g" % by, {"latency": by}
        yield "--compression 0.25", {"compression": 0.25}
        yield "--bandwidth 2 --latency 0.5 --compute 1.5", {"bandwidth": 2, "latency": 0.5, "compute": 1.5}


def host_what_ifs(net):
    """Of the links between hosts, and of other hosts; which ranks share one is told."""
    per_host = net.n_ranks // net.hosts
    told = "--ranks-per-host %d " % per_host
    if net.hosts > 1:
        for by in (0.5, 2):
            yield told + "--nic-bandwidth %g" % by, {"nic": by}
    if net.split == "all":
        yield told + "--gpus %d" % (2 * net.n_ranks), {"ranks": 2 * net.n_ranks, "hosts": 2 * net.hosts}
        if net.hosts > 2:
            yield told + "--gpus %d" % (net.n_ranks // 2), {"ranks": net.n_ranks // 2, "hosts": net.hosts // 2}
        if net.hosts > 1:
            yield told + "--gpus-per-host %d" % (2 * per_host), {"ranks": net.n_ranks, "hosts": net.hosts // 2}


def on_hosts(program, changes):
    """The program on other hosts: tensors have as many bytes, links are as fast."""
    if not changes.keys() & {"nic", "ranks", "hosts"}:
        return program
    changed = copy.copy(program)
    net = changed.network = copy.copy(program.network)
    net.tuners, net.inter = {}, net.inter * changes.get("nic", 1)
    if "ranks" in changes:
        changed.n_ranks = net.n_ranks = changes["ranks"]
        net.hosts, net.groups = changes["hosts"], {"all": [list(range(net.n_ranks))]}
    return changed


def calls(rank):
    return [dict(collective=work.collective.facts["Collective name"], group=work.collective.facts["Process Group Name"], bytes=work.collective.n_bytes,
                 kernel=work.name.split("(")[0], us=round(work.collective.ns / 1000, 3)) for work in rank.works if work.collective is not None]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--no-marks", action="store_true", help="the trace does not say which queues and calls wait for what")
    parser.add_argument("--only-rank", type=int, metavar="RANK", help="write the file of this rank alone; the truth is its own")
    parser.add_argument("--forget-waits", action="store_true", help="events record no waits that work has yet to take up; those of CUDA do")
    parser.add_argument("--one-kernel-name", action="store_true", help="name kernels as NCCL does, after LL whatever the protocol")
    parser.add_argument("-o", dest="out", required=True)
    options = parser.parse_args()
    only = options.only_rank
    if only is not None and not 0 <= only < options.ranks:
        parser.error("no rank %d" % only)
    program = Program(options.seed, options.ranks)
    program.forgets_waits = options.forget_waits
    if program.network:
        balance(program, options.seed)
    ranks = simulate(program, options.seed, {})
    truth = {"baseline": iteration_us(ranks, only), "what_if": {}, "kernels_on_path_us": kernels_on_path_us(program, options.seed, ranks)}
    if program.network:
        seen = ranks[only or 0]
        truth["waits_ns"] = {str(rank.number): waits_ns(rank) for rank in ranks}
        truth["network"] = dict(program.network.facts(), share=round(share(ranks), 3), calls=calls(seen))
    os.makedirs(options.out, exist_ok=True)
    for rank in ranks:
        if only in (None, rank.number):
            if options.one_kernel_name:
                for work in rank.works:
                    work.name = re.sub("_(LL128|SIMPLE)\\(", "_LL(", work.name)
            write(rank, options.ranks, not options.no_marks, os.path.join(options.out, "rank%d.json" % rank.number))
    slowed = options.ranks - 1 if only is None else only
    for words, changes in what_ifs(program, random.Random(options.seed), slowed):
        truth["what_if"][words] = iteration_us(simulate(program, options.seed, changes), only)
    truth["hosts"] = {}
    for words, changes in host_what_ifs(program.network) if program.network and only is None else []:
        truth["hosts"][words] = iteration_us(simulate(on_hosts(program, changes), options.seed, changes))
    with open(os.path.join(options.out, "truth.json"), "w") as out:
        json.dump(truth, out, indent=1)


main()
