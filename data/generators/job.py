#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a training job and what is true of it: data/generators/job.py DIRECTORY [OPTION...]; see --help.

A schedule of its own, event by event: what is generated is not what tracetool's model makes of it. A step is an input, forward
and backward of each layer, then the gradients over rings or trees of NCCL (Horovod) or parameter servers (BytePS), then updates.
Transfers take latency + bytes / bandwidth. With --jitter 0 all steps are alike.

Beside the job's files: what is true of it, as JSON: the iteration, nodes and edges of the graph of a step; of NCCL how long each
transfer took on average, of BytePS the path that bounds the last step.
"""
import argparse
import gzip
import heapq
import json
import os
import random

EPOCH = 1000000000
ALLREDUCE = "DistributedGradientTape_Allreduce/HorovodAllreduce.%d_0"
UPDATE = "SGD/SGD/update_%d/ResourceApplyGradientDescent"


class Device:
    """One thing at a time, in the order of asking."""

    def __init__(self):
        self.free, self.last = 0.0, None


class Task:
    def __init__(self, name, begin, end, cause):
        self.name, self.begin, self.end, self.cause = name, begin, end, cause


class Clock:
    def __init__(self):
        self.heap, self.n = [], 0

    def at(self, time, call):
        heapq.heappush(self.heap, (time, self.n, call))
        self.n += 1

    def run(self):
        while self.heap:
            time, _, call = heapq.heappop(self.heap)
            call(time)


class Job:
    def __init__(self, a):
        self.a, self.rng = a, random.Random(a.seed)
        self.n = a.hosts * a.gpus
        rest, self.groups = list(range(a.layers - 1, -1, -1)), []
        while rest:
            size = a.fuse if self.groups else 1
            self.groups.append(sorted(rest[:size]))
            rest = rest[size:]
        self.ops = [[] for _ in range(self.n)]
        self.io = [[] for _ in range(self.n)]
        self.comm = [[] for _ in range(self.n)]
        self.detail = [[] for _ in range(self.n)]
        self.links, self.works, self.tasks = [], [], {}
        self.iterations, self.took = [], {}

    # -- what things take ------------------------------------------------------------------------------

    def about(self, us):
        return round(us * (1 + self.rng.uniform(-self.a.jitter, self.a.jitter)) * self.a.scale, 3)

    def host(self, rank):
        return rank // self.a.gpus

    def pid(self, rank):
        return "%s%d.rank%d" % (self.prefix(), self.host(rank), rank % self.a.gpus)

    def prefix(self):
        return "traces_" if self.a.kind == "byteps" else "host"

    def shape(self, tensor):
        return [256, 256 * (1 + (tensor * 7) % 5)]

    def bytes_of(self, group):
        return sum(4 * self.shape(i)[0] * self.shape(i)[1] for i in group)

    def transfer(self, from_host, to_host, size):
        if from_host == to_host:
            return self.about(self.a.latency_in + size / self.a.bandwidth_in)
        return self.about(self.a.latency_out + size / self.a.bandwidth_out)

    # -- computing ----------------------------------------------------------------------------------------

    def compute(self, k, t0):
        """Up to the last gradient; by rank the end of each tensor's, and when the GPU is free."""
        gradients, free = [], []
        for r in range(self.n):
            slow = 1 + 0.013 * ((r * 5) % 7)
            t, before, ends = t0 + 7 * r % 11, None, {}

            def op(name, kind, us):
                nonlocal t, before
                d = self.about(us * slow) + self.planted(r, name)
                before = Task("%s->%s" % (self.pid(r), self.standard(name)), t, t + d, before)
                self.ops[r].append((k, name, kind, t, d))
                t += d + 2
                return before

            d = self.about(150) + self.planted(r, "I/O_0")
            self.io[r].append((t, d))
            before = Task("%s->I/O_0" % self.pid(r), t, t + d, None)
            t += d + 3
            before = None
            for i in range(self.a.layers):
                op("model/dense_%d/MatMul" % i, "MatMul", 90 + 12 * i)
                op("model/dense_%d/Relu" % i, "Relu", 25)
            t += self.a.stall
            for i in reversed(range(self.a.layers)):
                op("gradient_tape/model/dense_%d/ReluGrad" % i, "ReluGrad", 30)
                op("gradient_tape/model/dense_%d/MatMul" % i, "MatMul", 100 + 9 * i)
                ends[i] = op("gradient_tape/model/dense_%d/MatMul_1" % i, "MatMul", 110 + 9 * i)
            gradients.append(ends)
            free.append((t, before))
        return gradients, free

    def planted(self, rank, name):
        """How much longer the operation takes on this rank, because it was asked for."""
        if not self.a.slow:
            return 0
        who, what, us = self.a.slow.split(":")
        return float(us) if int(who) == rank and what == name else 0

    def standard(self, raw):
        return ("BW." if raw.startswith("gradient_tape") else "UPDATE_." if raw.startswith("SGD") else "FW.") + raw

    def update(self, k, r, i, ready, cause, device):
        begin = max(ready, device.free)
        d = self.about(20) + self.planted(r, UPDATE % i)
        if begin > ready:
            cause = device.last
        task = Task("%s->%s" % (self.pid(r), self.standard(UPDATE % i)), begin, begin + d, cause)
        self.ops[r].append((k, UPDATE % i, "ResourceApplyGradientDescent", begin, d))
        device.free, device.last = begin + d + 1, task
        return task

    def step(self, k, t0):
        gradients, free = self.compute(k, t0)
        first = [min(t for s, _, _, t, _ in self.ops[r] if s == k) for r in range(self.n)]
        updates = self.servers(k, gradients, free) if self.a.kind == "byteps" else self.nccl(k, gradients, free)
        last = [max(updates[r], key=lambda task: task.end) for r in range(self.n)]
        self.iterations.append(sum(last[r].end - first[r] for r in range(self.n)) / self.n)
        self.last = max(last, key=lambda task: task.end)
        return self.last.end + 60

    # -- NCCL ------------------------------------------------------------------------------------------------

    def nccl(self, k, gradients, free):
        kernel = [0.0] * self.n
        for group in self.groups if self.n > 1 else []:
            needs = range(self.a.layers) if self.a.late else group
            arrive = [max(gradients[r][i].end for i in needs) + 8 for r in range(self.n)]
            if not self.a.waits:
                arrive = [max(arrive[r], kernel[r] + 8) for r in range(self.n)]
            there = max(arrive) + 30
            start = []
            for r in range(self.n):
                self.comm[r].append(("Sync", group, arrive[r], there))
                t = there + 3
                for what, us in (("QUEUE", 10), ("MEMCPY_IN_FUSION_BUFFER", 15 * len(group))):
                    d = self.about(us)
                    if what == "QUEUE" and self.a.waits:
                        d = max(d, kernel[r] + 1 - t)
                    self.comm[r].append((what, group, t, t + d))
                    t += d + 1
                start.append(t)
            done = self.ring(group, start) if self.a.kind == "ring" else self.tree(group, start)
            for r in range(self.n):
                d = self.about(15 * len(group))
                self.comm[r].append(("NCCL_ALLREDUCE", group, start[r], done[r] + 1))
                self.comm[r].append(("MEMCPY_OUT_FUSION_BUFFER", group, done[r] + 2, done[r] + 2 + d))
                kernel[r] = done[r] + 2 + d
        updates = []
        for r in range(self.n):
            device = Device()
            ready = max(kernel[r], free[r][0]) + 9
            updates.append([self.update(k, r, i, ready, None, device) for i in range(self.a.layers)])
        return updates

    def send(self, group, ids, begin, a, b, size, lanes):
        """From rank a to b; lanes: what a has for sending and b for receiving. Returns when b has it."""
        name = "+".join(map(str, group))
        out, into = lanes
        begin = max(begin, out.free)
        d = self.transfer(self.host(a), self.host(b), size)
        out.free = begin + d
        post = max(begin, into.free)
        end = max(begin + d + 4, post + 1)
        into.free = end
        self.detail[a].append(("SEND", name, ids, begin, d))
        self.detail[b].append(("RECV", name, ids, post, end - post))
        way = "_%d_%d" % (a, b) if self.a.kind == "tree" else ""
        for rank, sub_op, took in ((a, "SEND", d), (b, "RECV", end - post)):
            self.took.setdefault("%s->Comm.%s.%s~>%d_%d_%d_%d%s" % ((self.pid(rank), name, sub_op) + ids + (way,)), []).append(took)
        return end

    def ring(self, group, start):
        a, n, done = self.a, self.n, list(start)
        size = self.bytes_of(group) / (n * a.channels * a.slices * a.loops)
        for channel in range(a.channels):
            out, into = [Device() for _ in range(n)], [Device() for _ in range(n)]
            begin = list(start)
            for loop in range(a.loops):
                have = {}
                for t in range(2 * (n - 1)):
                    for s in range(a.slices):
                        for r in range(n):
                            b = (r + 1) % n
                            have[b, t, s] = self.send(group, (loop, channel, t, s), have.get((r, t - 1, s), begin[r]), r, b, size,
                                                      (out[r], into[b]))
                begin = [max(have[r, 2 * (n - 1) - 1, s] for s in range(a.slices)) for r in range(n)]
            done = [max(done[r], begin[r]) for r in range(n)]
        return done

    def parent(self, channel, rank):
        """GPUs of a host in a row, the first ones of hosts in a binary tree; of odd channels counted backwards."""
        g, hosts = self.a.gpus, self.a.hosts
        if rank % g:
            return rank - 1
        h = rank // g if channel % 2 == 0 else hosts - 1 - rank // g
        if h == 0:
            return None
        up = (h - 1) // 2
        return (up if channel % 2 == 0 else hosts - 1 - up) * g

    def children(self, channel, rank):
        return [r for r in range(self.n) if self.parent(channel, r) == rank]

    def tree(self, group, start):
        """Up to the root, adding, then down again; each way has its own lanes, chunk behind chunk."""
        a, n, done = self.a, self.n, list(start)
        size = self.bytes_of(group) / (a.channels * a.slices * a.chunks * a.loops)
        for channel in range(a.channels):
            root = next(r for r in range(n) if self.parent(channel, r) is None)
            down_first, queue = [], [root]
            while queue:
                r = queue.pop(0)
                down_first.append(r)
                queue += self.children(channel, r)
            up = {r: (Device(), Device()) for r in range(n)}
            down = {r: (Device(), Device()) for r in range(n)}
            begin = list(start)
            for loop in range(a.loops):
                for c in range(a.chunks):
                    for s in range(a.slices):
                        ids, have = (loop, channel, c, s), {}
                        for r in reversed(down_first):
                            if r == root:
                                continue
                            ready = max([begin[r]] + [have[x] for x in self.children(channel, r)])
                            p = self.parent(channel, r)
                            have[r] = self.send(group, ids, max(ready, begin[p]), r, p, size, (up[r][0], Device()))
                        got = {root: max([begin[root]] + [have[x] for x in self.children(channel, root)])}
                        for r in down_first:
                            for x in self.children(channel, r):
                                got[x] = self.send(group, ids, got[r], r, x, size, (down[r][0], down[x][1]))
                        done = [max(done[r], got[r]) for r in range(n)]
        return done

    # -- parameter servers ----------------------------------------------------------------------------------

    def parts(self, group):
        n = max(1, -(-self.bytes_of(group) // self.a.part_bytes))
        return [(p, self.bytes_of(group) / n) for p in range(n)]

    def place(self, number, group, part):
        return (number + part) % self.a.servers, (number * 3 + part) % self.a.threads

    def servers(self, k, gradients, free):
        a, clock = self.a, Clock()
        devices, updates = {}, [[] for _ in range(self.n)]
        gpus = [Device() for _ in range(self.n)]
        pulled = {w: [] for w in range(a.hosts)}
        for r in range(self.n):
            gpus[r].free, gpus[r].last = free[r]

        def ask(time, place, us, name, cause, then):
            """Whoever asks a device first gets it first."""
            device = devices.setdefault(place, Device())
            begin = max(time, device.free)
            if begin > time:
                cause = device.last
            task = Task(name, begin, begin + us, cause)
            device.free, device.last = begin + us, task
            clock.at(begin + us, lambda now: then(now, task))
            return task

        def move(time, source, target, what, name, part, us, cause, then):
            place = "%s::%s" % (source, target)
            task = ask(time, place, us, "%s->Comm.%s.%s~>%s::%d" % (place, name, what, place, part), cause, then)
            self.links.append((source, target, name, part, what[:4], task.begin, us))

        def work(time, server, thread, what, nth, name, part, us, cause, then):
            pid = "server_%d_t%d" % (server, thread)
            task = ask(time, pid, us, "%s->ServerOp.%s.%s~>%s::%d::~PART%d" % (pid, name, what, pid, nth, part), cause, then)
            self.works.append((server, thread, name, part, what, task.begin, us))

        def all_pulled(w, ids, now, task):
            """Updates of these tensors, or of all after the last group."""
            pulled[w].append((ids, task))
            if a.barrier:
                if sum(len(x) for x, _ in pulled[w]) < a.layers:
                    return
                ids = range(a.layers)
            for r in range(w * a.gpus, (w + 1) * a.gpus):
                for i in reversed(ids):
                    updates[r].append(self.update(k, r, i, now + 6, task, gpus[r]))

        def part_of(number, group, part, size):
            name = "+".join(map(str, group))
            server, thread = self.place(number, group, part)
            state = {"come": 0, "merged": None, "waiting": []}
            node = "server_%d" % server

            def push(w, now, cause):
                move(now, "worker_%d" % w, node, "PUSH_REQ", name, part, self.about(a.latency_out + size / a.bandwidth_out), cause,
                     lambda t, task: arrived(w, t, task))

            def arrived(w, now, task):
                nth = state["come"]
                state["come"] += 1
                us = self.about(5 + size / 20000)
                what = "COPY_FIRST" if nth == 0 else "SUM"
                clock.at(now + 2, lambda t: work(t, server, thread, what, max(nth - 1, 0), name, part, us, task, lambda t2, done: None))
                if nth + 1 == a.hosts:
                    clock.at(now + 2, lambda t: work(t, server, thread, "COPY_MERGED", 0, name, part, self.about(5 + size / 40000), task,
                                                     merged))
                clock.at(now + 3, lambda t: move(t, node, "worker_%d" % w, "PUSH_RES", name, part, self.about(a.latency_out), task,
                                                 lambda t2, done: answered(w, t2, done)))

            def answered(w, now, task):
                clock.at(now + 5, lambda t: move(t, "worker_%d" % w, node, "PULL_REQ", name, part, self.about(a.latency_out), task,
                                                 lambda t2, done: asked(w, t2, done)))

            def asked(w, now, task):
                if state["merged"] is None:
                    state["waiting"].append(w)
                else:
                    reply(w, now, task)

            def merged(now, task):
                state["merged"] = task
                for w in state["waiting"]:
                    reply(w, now, task)

            def reply(w, now, cause):
                clock.at(now + 2, lambda t: move(t, node, "worker_%d" % w, "PULL_RES", name, part,
                                                 self.about(a.latency_out + size / a.bandwidth_out), cause,
                                                 lambda t2, done: got(w, t2, done)))

            def got(w, now, task):
                missing[w, number] -= 1
                if missing[w, number] == 0:
                    all_pulled(w, group, now, task)

            return push

        missing = {}
        for number, group in enumerate(self.groups):
            parts = self.parts(group)
            pushes = [part_of(number, group, p, size) for p, size in parts]
            for w in range(a.hosts):
                ranks = range(w * a.gpus, (w + 1) * a.gpus)
                last = max((gradients[r][i] for r in ranks for i in group), key=lambda task: task.end)
                missing[w, number] = len(parts)
                clock.at(last.end + 12, lambda now, w=w, pushes=pushes, last=last: [push(w, now, last) for push in pushes])
        clock.run()
        return updates

    # -- what is true ------------------------------------------------------------------------------------------

    def model_truth(self):
        """Nodes and edges of the operators."""
        local, nodes, edges = self.graph(), [], []
        for r in range(self.n):
            names = list(dict.fromkeys(x for e in local for x in e if "BytePS" not in x and "Horovod" not in x))
            nodes += ["%s->%s" % (self.pid(r), self.standard(x)) for x in names]
            edges += [("%s->%s" % (self.pid(r), self.standard(x)), "%s->%s" % (self.pid(r), self.standard(y)))
                      for x, y in local if x in names and y in names]
            edges += [("%s->%s" % (self.pid(r), self.standard(UPDATE % i)), "END") for i in range(self.a.layers)]
        return nodes, edges

    def nccl_truth(self):
        """Nodes and edges by the rules, and how long each transfer took."""
        nodes, edges = self.model_truth()

        def own(r, sub_op):
            return "%s->Comm.%s.%s" % (self.pid(r), name, sub_op)

        for group in self.groups if self.n > 1 else []:
            name = "+".join(map(str, group))
            for r in range(self.n):
                nodes += [own(r, x) for x in ("Sync", "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "MEMCPY_OUT_FUSION_BUFFER")]
                edges += [(own(r, "Sync"), own(x, "QUEUE")) for x in range(self.n)]
                edges.append((own(r, "QUEUE"), own(r, "MEMCPY_IN_FUSION_BUFFER")))
                for i in group:
                    edges.append(("%s->BW.gradient_tape/model/dense_%d/MatMul_1" % (self.pid(r), i), own(r, "Sync")))
                    edges.append((own(r, "MEMCPY_OUT_FUSION_BUFFER"), "%s->%s" % (self.pid(r), self.standard(UPDATE % i))))
            of_group = [x for x in self.took if "->Comm.%s." % name in x]
            nodes += of_group
            for x in of_group:
                pid, ids = x.split("->")[0], [int(i) for i in x.split("~>")[1].split("_")]
                # Not to the last RECV of a ring: that is how the rules are written.
                if self.a.kind == "tree" or ".SEND~" in x or ids[2] < 2 * (self.n - 1) - 1:
                    edges.append(("%s->Comm.%s.MEMCPY_IN_FUSION_BUFFER" % (pid, name), x))
                edges += self.tree_edges(x, name, ids) if self.a.kind == "tree" else self.ring_edges(x, name, pid, ids)
        return {"nodes": sorted(nodes + ["END"]), "edges": sorted(map(list, set(edges))),
                "took_ms": {x: sum(all_of) / len(all_of) / 1000 for x, all_of in self.took.items()}}

    def ring_edges(self, node, name, pid, ids):
        loop, channel, t, piece = ids
        rank = next(r for r in range(self.n) if self.pid(r) == pid)
        if ".SEND~" in node:
            return [(node, "%s->Comm.%s.RECV~>%d_%d_%d_%d" % (self.pid((rank + 1) % self.n), name, *ids))]
        if t == 2 * (self.n - 1) - 1:
            return [(node, "%s->Comm.%s.MEMCPY_OUT_FUSION_BUFFER" % (pid, name))]
        return [(node, "%s->Comm.%s.SEND~>%d_%d_%d_%d" % (pid, name, loop, channel, t + 1, piece))]

    def tree_edges(self, node, name, ids):
        *piece, a, b = ids
        channel = piece[1]
        if ".SEND~" in node:
            return [(node, "%s->Comm.%s.RECV~>%d_%d_%d_%d_%d_%d" % (self.pid(b), name, *ids))]
        out = "%s->Comm.%s.MEMCPY_OUT_FUSION_BUFFER" % (self.pid(b), name)
        parent, children = self.parent(channel, b), self.children(channel, b)
        is_up = self.parent(channel, a) == b
        to = [parent] if is_up and parent is not None else children
        edges = [(node, "%s->Comm.%s.SEND~>%d_%d_%d_%d_%d_%d" % (self.pid(b), name, *piece, b, x)) for x in to]
        return edges if is_up and parent is not None else edges + [(node, out)]

    def byteps_truth(self):
        """Nodes and edges by the rules, and the path that bounds the last step."""
        nodes, edges = self.model_truth()
        for number, group in enumerate(self.groups):
            name = "+".join(map(str, group))
            for part, _ in self.parts(group):
                server, thread = self.place(number, group, part)
                pid = "server_%d_t%d" % (server, thread)
                chain = ["%s->ServerOp.%s.%s~>%s::%d::~PART%d" % (pid, name, what, pid, nth, part) for what, nth in
                         [("COPY_FIRST", 0)] + [("SUM", i) for i in range(self.a.hosts - 1)] + [("COPY_MERGED", 0)]]
                nodes += chain
                edges += list(zip(chain, chain[1:]))
                for w in range(self.a.hosts):
                    out, back = "worker_%d::server_%d" % (w, server), "server_%d::worker_%d" % (server, w)
                    link = ["%s->Comm.%s.%s~>%s::%d" % (p, name, what, p, part) for p, what in
                            ((out, "PUSH_REQ"), (back, "PUSH_RES"), (out, "PULL_REQ"), (back, "PULL_RES"))]
                    nodes += link
                    edges += list(zip(link, link[1:])) + [(chain[-1], link[-1])]
                    for r in range(w * self.a.gpus, (w + 1) * self.a.gpus):
                        for i in group:
                            edges.append(("%s->BW.gradient_tape/model/dense_%d/MatMul_1" % (self.pid(r), i), link[0]))
                            edges.append((link[-1], "%s->%s" % (self.pid(r), self.standard(UPDATE % i))))
        path, task = [], self.last
        while task is not None:
            path.insert(0, task.name)
            task = task.cause
        return {"nodes": sorted(nodes + ["END"]), "edges": sorted(map(list, set(edges))), "path": path}

    # -- files -------------------------------------------------------------------------------------------------

    def graph(self):
        edges, before = [], None
        for i in range(self.a.layers):
            if before:
                edges.append((before, "model/dense_%d/MatMul" % i))
            before = "model/dense_%d/Relu" % i
            edges.append(("model/dense_%d/MatMul" % i, before))
        for i in reversed(range(self.a.layers)):
            grad = "gradient_tape/model/dense_%d/" % i
            edges += [(before, grad + "ReluGrad"), (grad + "ReluGrad", grad + "MatMul"), (grad + "ReluGrad", grad + "MatMul_1")]
            before = grad + "MatMul"
            comm = ALLREDUCE % i
            if self.a.kind == "byteps":
                comm = "BytePSPushPull.%s" % "_".join(map(str, next(g for g in self.groups if i in g)))
            edges += [(grad + "MatMul_1", comm), (comm, UPDATE % i)]
        return edges

    def write(self, name, value, folder=None):
        path = os.path.join(self.a.out, *([folder] if folder else []), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        if name.endswith(".gz"):
            with gzip.GzipFile(path, "wb", mtime=0) as f:
                f.write(text.encode())
        else:
            with open(path, "w") as f:
                f.write(text)

    def write_rank(self, r):
        folder = os.path.join("%s%d" % (self.prefix(), self.host(r)), str(r % self.a.gpus))
        off = EPOCH + self.a.skew * self.host(r) if self.a.kind != "byteps" else EPOCH
        events = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
                  {"ph": "M", "pid": 1, "tid": 20, "name": "thread_name", "args": {"name": "TensorFlow Ops"}}]
        for k, raw, op, t, d in self.ops[r]:
            events.append({"ph": "X", "pid": 1, "tid": 20, "ts": round(t + off, 3), "dur": d, "name": op,
                           "args": {"group_id": k, "long_name": "StatefulPartitionedCall/%s:%s" % (raw, op)}})
        self.write("trace.json.gz", {"displayTimeUnit": "ns", "traceEvents": events}, folder)
        self.write("io.json", {"traceEvents": [{"name": "I/O_0", "ph": "X", "ts": round(t + off, 3), "dur": d, "cat": "I/O", "pid": "io",
                                                "tid": "I/O", "args": {"name": "I/O_0"}} for t, d in self.io[r]]}, folder)
        if self.a.kind == "byteps" or self.n == 1:
            return
        rows, pids = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": EPOCH}}], {}
        for what, group, begin, end in sorted(self.comm[r], key=lambda row: row[2]):
            for i in group:
                process, word = ("Sync", str(i)) if what == "Sync" else (ALLREDUCE % i, what)
                if process not in pids:
                    pids[process] = len(pids) + 1
                    rows.append({"name": "process_name", "ph": "M", "pid": pids[process], "args": {"name": process}})
                rows += [{"ph": "B", "name": word, "ts": round(begin + off, 3), "pid": pids[process]},
                         {"ph": "E", "ts": round(end + off, 3), "pid": pids[process]}]
        self.write("comm.json", rows, folder)
        events = []
        for sub_op, name, (loop, channel, chunk, piece), t, d in sorted(self.detail[r], key=lambda row: row[3]):
            name = "DistributedGradientTape_Allreduce.%s.%s" % (name, sub_op)
            events.append({"ph": "X", "name": name, "pid": "comm_detail_r%d_lr%d" % (r, r % self.a.gpus), "tid": "none", "cat": "Comm",
                           "ts": round(t + off, 3), "dur": round(d, 3),
                           "args": {"name": name, "loopId": loop, "channelId": channel, "chunkId": chunk, "sliceId": piece}})
        self.write("comm_detail.json", {"traceEvents": events, "displayTimeUnit": "ms"}, folder)
        self.write("nccl_rank_graph.json", self.connections(r), folder)

    def connections(self, r):
        if self.a.kind == "tree":
            text = []
            for c in range(self.a.channels):
                down = (self.children(c, r) + [-1] * 3)[:3]
                up = self.parent(c, r)
                down, up = "/".join(map(str, down)), -1 if up is None else up
                text.append("[%d] %s->%d->%d|%d->%d->%s" % (c, down, r, up, up, r, down))
            return {"Tree": {"-1": " ".join(text)}, "Ring": {}, "RealRing": {}}
        before, after = (r - 1) % self.n, (r + 1) % self.n

        def link(a, b, what):
            if self.host(a) == self.host(b):
                return "%d[1000] -> %d[1000] via direct shared memory" % (a, b)
            return "%d[1000] -> %d[1000] [%s] via NET/Socket/0" % (a, b, what)

        parts = [link(before, r, "receive")] if self.host(before) != self.host(r) else []
        parts.append(link(r, after, "send"))
        ring = {str(c): ",".join(parts) for c in range(self.a.channels)}
        return {"Tree": {}, "Ring": ring, "RealRing": ring}

    def write_servers(self):
        def timeline(name, spans, process_of, event_of):
            rows, pids = [], {}
            for span in sorted(spans, key=lambda span: span[5]):
                process, tid = process_of(span)
                if process not in pids:
                    pids[process] = len(pids)
                    rows.append({"ph": "M", "name": "process_name", "pid": pids[process], "args": {"name": process}})
                for ph, t in (("B", span[5]), ("E", span[5] + span[6])):
                    rows.append({"ph": ph, "name": event_of(span), "pid": pids[process], "tid": tid, "ts": round(t + EPOCH, 3)})
            self.write(name, {"traceEvents": rows, "displayTimeUnit": "ms"})

        # Before the first step each worker pushes the initial values.
        first = []
        for source, target, name, part, what, _, us in self.links:
            key = (source, target, name, part)
            if what == "PUSH" and source.startswith("worker") and key not in first:
                first.append(key)
        early = [(*key, "PUSH", -5000.0 + 10 * i, 5.0) for i, key in enumerate(first)]
        early += [(b, a, name, part, "PUSH", t + 6, 1.0) for a, b, name, part, _, t, _ in early]
        timeline("comm_timeline.json", early + self.links, lambda s: ("%s -> %s" % s[:2], 0),
                 lambda s: "byteps.%s~PART%d.%s" % (s[2].replace("+", "_"), s[3], s[4]))
        timeline("server_timeline.json", self.works, lambda s: ("server_%d" % s[0], s[1]),
                 lambda s: "byteps.%s~PART%d.%s" % (s[2].replace("+", "_"), s[3], s[4]))

    def write_graph(self, nodes, edges, folder):
        """The model's graph in one of its languages; metadata.json has at least shapes and updates."""
        def tensor(name):
            layer = name.split("dense_")[1].split("/")[0] if "MatMul_1" in name else "0"
            return {"name": name + ":0", "shape": self.shape(int(layer)), "dtype": "float32"}

        kind, used = self.a.graph, edges
        if kind == "gml":
            self.write("dag.gml", "\n".join(["graph [", "  directed 1"] + ['  node [ id %d label "%s" ]' % n for n in enumerate(nodes)] + [
                "  edge [ source %d target %d ]" % (nodes.index(x), nodes.index(y)) for x, y in edges] + ["]", ""]), folder)
        elif kind == "graphdef":
            # Inputs by output number, and as control edges.
            inputs = {y: ["^" + x if len(x) % 3 == 0 else x + ":%d" % (len(x) % 2) if len(x) % 2 else x for x, z in edges if z == y]
                      for y in nodes}
            self.write("final_graph.json", {"versions": {"producer": 440}, "node": [
                {"name": x, "op": "Op", "input": inputs[x], "attr": {"T": {"type": "DT_FLOAT"}}} for x in reversed(nodes)],
                "library": {"function": []}}, folder)
        if kind == "metadata-bare":
            # Without communication: updates take the gradients themselves.
            comm = {y: x for x, y in edges if "llreduce" in y or "PushPull" in y}
            used = [(comm.get(x, x), y) for x, y in edges if y not in comm]
            nodes = [x for x in nodes if x not in comm]
        if kind == "gml" or kind == "graphdef":
            used = [("gradient_tape/model/dense_%d/MatMul_1" % i, UPDATE % i) for i in range(self.a.layers)]
            nodes = [x for edge in used for x in edge]
        self.write("metadata.json", {y: {"op": "BW_MatMul" if "MatMul_1" in y else "Op", "input": [
            tensor(x) for x, z in used if z == y] + [{"name": "a/variable:0", "shape": [], "dtype": "float32"}],
            "output": [tensor(y)]} for y in nodes}, folder)

    def run(self):
        t = 0.0
        for k in range(self.a.steps):
            t = self.step(k, t)
        for r in range(self.n):
            self.write_rank(r)
        truth = {"iteration_us": round(sum(self.iterations) / len(self.iterations), 3)}
        if self.a.kind == "byteps":
            self.write_servers()
            truth.update(self.byteps_truth())
        else:
            truth.update(self.nccl_truth())
        first = os.path.join(self.prefix() + "0", "0")
        edges = self.graph()
        nodes = list(dict.fromkeys(x for edge in edges for x in edge))
        self.write_graph(nodes, edges, first)
        self.write("gradient_name_list.json", {"gradient_name_list": [
            "gradient_tape/model/dense_%d/MatMul_1:0" % i for i in range(self.a.layers)], "model_name": "mlp"}, first)
        with open(self.a.truth or os.path.join(self.a.out, ".truth.json"), "w") as f:
            json.dump(truth, f, indent=1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--kind", choices=("ring", "tree", "byteps"), default="ring")
    p.add_argument("--graph", choices=("gml", "graphdef", "metadata", "metadata-bare"), default="gml", help="how the model's graph is written")
    p.add_argument("--truth", help="file for what is true (default: .truth.json in the directory)")
    for name, value in (("hosts", 2), ("gpus", 2), ("layers", 6), ("steps", 4), ("fuse", 2), ("channels", 2), ("slices", 1), ("loops", 1),
                        ("chunks", 4), ("servers", 2), ("threads", 4), ("part_bytes", 1000000), ("seed", 7), ("skew", 1500)):
        p.add_argument("--" + name.replace("_", "-"), type=int, default=value)
    for name, value in (("jitter", 0.08), ("scale", 1.0), ("latency_in", 2.0), ("latency_out", 8.0), ("bandwidth_in", 10000.0),
                        ("bandwidth_out", 4000.0), ("stall", 0.0)):
        p.add_argument("--" + name.replace("_", "-"), type=float, default=value)
    p.add_argument("--slow", metavar="RANK:NAME:US", help="an operator or I/O_0 that takes longer on one rank, in each step")
    p.add_argument("--waits", action="store_true",
                   help="groups are negotiated while others are sent, and their QUEUE ends when the group before has ended, as in Horovod")
    p.add_argument("--late", action="store_true", help="no group is negotiated before the last gradient")
    p.add_argument("--barrier", action="store_true", help="BytePS: no update before everything is pulled")
    Job(p.parse_args()).run()


if __name__ == "__main__":
    main()
