#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A simulator of training jobs over Horovod and NCCL: writes what a job would have traced, and what is true of it.

  job-simulator.py --seed S --out DIR [--write-truth FILE] [--no-what-ifs] [--what-if WHAT]
  job-simulator.py --jobs 50 --out DIR [--first S]       DIR/job-01 ... and DIR/job-01.json ...
  job-simulator.py --judge TRACETOOL --out DIR           how far predictions are from the truths in DIR: of a job as it is the error in %
                                                         of its iteration, of a what-if that of the ratio to the job as it is
  job-simulator.py --check                               the simulator itself, on cases that can be worked out by hand

It is written from the definitions below, not from what a predictor makes of traces. Events are taken in the order of their times; a
what-if is a change of the job, simulated again with the same noise. Times are us, sizes bytes, bandwidths bytes per us (= MB/s).

Operators. FW, BW and UPDATE of a GPU run on one stream in the order in which the host issues them, so UPDATEs come after all BWs.
    Durations vary by rank (fixed), and by rank and step (--jitter). The host leaves gaps of a few us, and may stall: between
    steps, after FW (a loss that is read), or before UPDATE.

Horovod (docs/timeline.rst, docs/tensor-fusion.rst, common/operations.cc, common/controller.cc, common/ops/nccl_operations.cc,
common/ops/gpu_operations.cc):
    Cycles   A background thread wakes HOROVOD_CYCLE_TIME after it last woke, or when it is done if that is later (RunLoopOnce).
             All ranks exchange what is ready; a tensor is ready when all ranks have enqueued it. What comes later waits for the
             next cycle. Ranks are in step, because the exchange is collective: there is one clock of cycles.
    Fusion   (FuseResponses) in the order in which tensors got ready; what fits into HOROVOD_FUSION_THRESHOLD is added, and the
             ones behind a tensor that does not fit are still looked at. Threshold 0: no fusion.
    Lanes    Sync: from the time at which this rank has enqueued the last tensor of the group to the response.
             QUEUE: from there until the stream has done what was enqueued before: events are recorded on the stream, and a stream is
             FIFO (InitGPUQueue, WaitForEvents). One stream (HOROVOD_NUM_NCCL_STREAMS=1).
             MEMCPY_IN_FUSION_BUFFER, MEMCPY_OUT_FUSION_BUFFER: only of groups of two tensors or more (Execute: entries.size () > 1).
             NCCL_ALLREDUCE: from the begin of the kernel to its end on this rank.
             The operation after it needs the callback of the finalizer thread, some us later.

NCCL (src/device/all_reduce.h, prims_simple.h, enqueue.cc, graph/trees.cc, graph/paths.cc, transport/net.cc), protocol Simple:
    Ring     2 (N - 1) steps per loop; a loop moves channels x N chunks of at most NCCL_BUFFSIZE / 2; a chunk is two slices. A
             channel is one block of threads on each GPU: it takes slices in order, waits for what it receives, then sends.
             The chunk of step t at position p of the ring is (p - 1 - t) mod N; the last chunk may be smaller.
    Tree     a double binary tree over hosts (ncclGetDtree; the second one for the second half of channels), GPUs of a host
             in a chain behind the first. Reduction up and broadcast down run side by side (runTreeSplit). Chunks shrink with the
             depth of the tree (enqueue.cc, computeColl).
    NVLS     (RunWorkColl of NVLS and NVLS_TREE, transport/nvls.cc, connectNvls, calcCollChunking) of GPUs that a switch with NVLink SHARP
             connects. Each GPU of a host is the head of a part. A block of each GPU copies its data into a buffer of eight chunks a
             head (scatter), one copies what heads wrote out of it (gather). A head's block lets the switch read a chunk from all
             GPUs and add it up, and write the sum to all: out of all GPUs, into the head; out of it, into all. On several hosts
             sums go up a double binary tree of the heads of one number, and down again. 16 channels of their own; chunks by the
             rule of enqueue.cc. The switch reaches a part of the bandwidth (nvlsEfficiency of graph/tuning.cc: 0.85, 0.74).
    Links    within a host the kernel itself writes to the peer and waits until that is done: the latency holds the block. Between hosts
             a proxy sends: the block copies into a buffer and goes on, slices of a connection follow each other on the wire,
             the latency of one overlaps the next. At most 4 slices of a connection are in flight (NCCL_STEPS 8, slices of 2).
             A proxy sends only what the receiver has posted a buffer for.
    Topology NVL: each GPU has a bandwidth out and in. PIX/PXB/PHB/SYS: one PCI bus per host for all that passes
             within it (host bridge, shared memory); on some jobs also for what goes to the NIC. NICs: full duplex, channel c uses NIC c mod n.

Network. A transfer takes latency + bytes / share. Shares are max-min fair over all links of its path (fluid), or FIFO: one transfer
    at a time holds all of its links. A channel may have a limit of its own (what one block of threads can copy).

What SEND and RECV show. Within a host: the time in which the block sends, or waits to receive. Between hosts: SEND from when the proxy's
    request is accepted to its completion; RECV from when it was posted (on some jobs: from when its SEND begins) to its completion.
    Slices wait behind each other within these spans.

Where reality is ambiguous, chosen here:
    - Tensors are enqueued when their gradient is done on the GPU, and there are no WAIT_FOR lanes. On some jobs they are enqueued ahead,
      when the kernel is launched: then the background thread waits (PerformOperation), in WAIT_FOR_DATA until the tensor's gradient is
      done, in WAIT_FOR_OTHER_TENSOR_DATA until all of the group are; meanwhile nobody negotiates.
    - Collectives and operators do not slow each other on the GPU. Protocols LL and LL128 are not used.
    - bandwidth=F: all links (NIC, PCI, NVLink), not the limit of a channel. nic-bandwidth=F: NICs alone. latency=F: all links.
    - nics=N: channels stay, and are spread over the NICs. gpus=N: hosts keep their GPUs, new ranks have noise of their own; batches
      per GPU stay (weak scaling); negotiation gets longer with log2 (N).
    - compression=R: tensors have R of their bytes from the enqueueing on; to compress costs nothing.
    - no-overlap: gradients are enqueued when all of them are done. overlap: as they get done.
    - The iteration is from the begin of a step's first operator to the end of its last one, mean over ranks and steps; "period"
      is from a step's begin to the next one's, stalls between steps and input included.
"""
import argparse
import copy
import gzip
import heapq
import json
import math
import multiprocessing
import os
import random
import re
import subprocess
import tempfile
from collections import deque
from functools import lru_cache

EPOCH = 1000000000
ALLREDUCE = "DistributedGradientTape_Allreduce/HorovodAllreduce.%d_0"
UPDATE = "SGD/SGD/update_%d/ResourceApplyGradientDescent"
CREDITS = 4
KIB, MIB = 1024, 1024 * 1024
PIECES = 5000


@lru_cache(maxsize=None)
def noise(*key):
    """The same number from 0 to 1 for the same key, whatever else is simulated."""
    return random.Random(repr(key)).random()


# -- time and links ------------------------------------------------------------------------------------------

class Engine:
    def __init__(self):
        self.now, self.heap, self.count = 0.0, [], 0

    def at(self, time, call, *args):
        heapq.heappush(self.heap, (time, self.count, call, args))
        self.count += 1

    def run(self):
        while self.heap:
            self.now, _, call, args = heapq.heappop(self.heap)
            call(*args)


class Route:
    """Transfers over the same links share alike: each has been served as much as the others since it began."""

    def __init__(self, links, limit):
        self.links, self.limit = links, limit
        self.waiting, self.served, self.rate, self.since, self.version = [], 0.0, 0.0, 0.0, 0

    def catch_up(self, now):
        self.served += (now - self.since) * self.rate
        self.since = now


class Network:
    def __init__(self, engine, capacity, sharing):
        self.engine, self.capacity, self.sharing = engine, capacity, sharing
        self.routes, self.users, self.free, self.count = {}, {}, {}, 0

    def start(self, links, size, limit, done):
        if size <= 0:
            self.engine.at(self.engine.now, done)
        elif self.sharing == "fifo":
            self.start_in_turn(links, size, limit, done)
        else:
            route = self.routes.setdefault(links, Route(links, limit))
            route.catch_up(self.engine.now)
            if not route.waiting:
                route.served = 0.0
                for link in links:
                    self.users.setdefault(link, {})[route] = None
            self.count += 1
            heapq.heappush(route.waiting, (route.served + size, self.count, done))
            self.share(route)

    def start_in_turn(self, links, size, limit, done):
        begin = max([self.engine.now] + [self.free.get(link, 0.0) for link in links])
        end = begin + size / min([limit] + [self.capacity(link) for link in links])
        for link in links:
            self.free[link] = end
        self.engine.at(end, done)

    def finish(self, route, version):
        if route.version != version:
            return
        route.catch_up(self.engine.now)
        served, _, done = heapq.heappop(route.waiting)
        route.served = max(route.served, served)
        self.share(route)
        if not route.waiting:
            for link in route.links:
                del self.users[link][route]
        done()

    def connected(self, route):
        found, todo = {route: None}, [route]
        while todo:
            for link in todo.pop().links:
                for other in self.users[link]:
                    if other not in found:
                        found[other] = None
                        todo.append(other)
        return list(found)

    def share(self, changed):
        now = self.engine.now
        routes = self.connected(changed)
        for route, rate in zip(routes, self.max_min(routes)):
            if rate != route.rate or route is changed:
                route.catch_up(now)
                route.rate = rate
                route.version += 1
                if route.waiting:
                    self.engine.at(now + max(route.waiting[0][0] - route.served, 0.0) / rate, self.finish, route, route.version)

    def max_min(self, routes):
        """The most for those that have least, then for the next ones."""
        if len(routes) == 1:
            route = routes[0]
            return [min([route.limit] + [self.capacity(x) / max(len(route.waiting), 1) for x in route.links])]
        left, on = {}, {}
        for route in routes:
            for link in route.links:
                left.setdefault(link, self.capacity(link))
                on[link] = on.get(link, 0) + len(route.waiting)
        rates, todo = {}, [r for r in routes if r.waiting]
        while todo:
            share, link = min((left[x] / on[x], x) for x in on if on[x])
            tight = min(todo, key=lambda r: r.limit)
            if tight.limit < share:
                share, fixed = tight.limit, [r for r in todo if r.limit == tight.limit]
            else:
                fixed = [r for r in todo if link in r.links]
            for route in fixed:
                rates[route] = share
                todo.remove(route)
                for x in route.links:
                    left[x] = max(left[x] - share * len(route.waiting), 0.0)
                    on[x] -= len(route.waiting)
        return [rates.get(r, 0.0) for r in routes]


# -- NCCL ----------------------------------------------------------------------------------------------------

NVLS_STEPS, NVLS_CHANNELS = 8, 16


class Connection:
    """One way from a GPU to another in a channel."""

    def __init__(self, collective, a, b, channel):
        self.collective, self.a, self.b = collective, a, b
        self.links, self.latency, self.net = collective.job.route(a, b, channel)
        self.sent = self.arrived = self.taken = self.queued = 0
        self.posted, self.queue, self.busy = [], deque(), False
        self.sender = self.receiver = None
        self.credits = CREDITS

    def can_send(self):
        return self.sent - self.taken < self.credits

    def send(self, size, ids, done):
        """done: the block may go on."""
        engine, job = self.collective.job.engine, self.collective.job
        self.sent += 1
        if not self.net:
            begin = engine.now

            def written():
                engine.at(engine.now + self.latency, self.complete, begin, ids, done)
            job.network.start(self.links, size, job.spec["channel_limit"], written)
            return
        copied = engine.now + size / job.spec["copy_bandwidth"]
        engine.at(copied, self.queue_up, size, ids)
        engine.at(copied, done)

    def queue_up(self, size, ids):
        self.queue.append((size, ids, self.collective.job.engine.now, self.queued))
        self.queued += 1
        self.inject()

    def inject(self):
        if self.busy or not self.queue or self.queue[0][3] >= len(self.posted):
            return
        job = self.collective.job
        size, ids, asked, index = self.queue.popleft()
        self.busy = True
        accepted = max(asked, self.posted[index]) if job.spec["net_spans"] == "posted" else job.engine.now

        def out():
            self.busy = False
            job.engine.at(job.engine.now + self.latency, self.complete, accepted, ids, None)
            self.inject()
        job.network.start(self.links, size, job.spec["channel_limit"], out)

    def complete(self, begin, ids, done):
        job = self.collective.job
        self.collective.detail("SEND", self.a, ids, begin, job.engine.now)
        job.engine.at(job.engine.now + job.spec["poll_us"], self.arrive, begin, ids)
        if done:
            done()

    def arrive(self, send_begin, ids):
        if self.net:
            post = self.posted[self.arrived]
            begin = post if self.collective.job.spec["net_spans"] == "posted" else max(post, send_begin)
            self.collective.detail("RECV", self.b, ids, begin, self.collective.job.engine.now)
        self.arrived += 1
        self.receiver.advance()

    def take(self):
        self.taken += 1
        self.posted.append(self.collective.job.engine.now)
        if self.net:
            self.inject()
        self.sender.advance()

    def post_first(self):
        self.posted = [self.collective.job.engine.now] * self.credits
        self.inject()


class Block:
    """The threads of a channel on a GPU: a list of (from, to, bytes, ids, ids of what comes)."""

    def __init__(self, collective, rank):
        self.collective, self.rank, self.ops = collective, rank, []
        self.at, self.since, self.running, self.started = 0, None, False, False

    def add(self, receive, send, size, ids, coming=None):
        self.ops.append((receive, send, size, ids, coming if coming is not None else ids))
        for c in receive:
            c.receiver = self
        for c in send:
            c.sender = self

    def start(self):
        self.started = True
        self.advance()

    def advance(self):
        if self.running or not self.started or self.at == len(self.ops):
            return
        job = self.collective.job
        receive, send, size, ids, coming = self.ops[self.at]
        if self.since is None:
            self.since = job.engine.now
        if any(c.arrived <= c.taken for c in receive) or not all(c.can_send() for c in send):
            return
        self.running = True
        for c in receive:
            if not c.net:
                self.collective.detail("RECV", self.rank, coming, self.since, job.engine.now)
        job.engine.at(job.engine.now + job.spec["slice_us"], self.transfer)

    def transfer(self):
        job = self.collective.job
        receive, send, size, ids, _ = self.ops[self.at]
        self.open = len(send)
        if not send:
            self.open = 1
            job.engine.at(job.engine.now + size / job.spec["copy_bandwidth"], self.sent)
        for c in send:
            c.send(size, ids, self.sent)

    def sent(self):
        self.open -= 1
        if self.open:
            return
        receive = self.ops[self.at][0]
        self.at, self.since, self.running = self.at + 1, None, False
        for c in receive:
            c.take()
        if self.at == len(self.ops):
            self.collective.block_done(self.rank)
        self.advance()


class Fan:
    """What a head reads of all GPUs of its host, or writes to all of them, through the switch."""
    net = False

    def __init__(self, collective, head, ranks, is_read):
        self.collective, self.is_read, self.taken, self.sent, self.written = collective, is_read, 0, 0, 0
        self.copied, self.copiers = dict.fromkeys(ranks, 0), []
        ways = [("nvl", r, "out" if is_read else "in") for r in ranks]
        self.links = tuple(ways) + (("nvl", head, "in" if is_read else "out"),)

    @property
    def arrived(self):
        return min(self.copied.values())

    def can_send(self):
        return self.sent - min(self.copied.values()) < NVLS_STEPS

    def can_copy(self, rank):
        return self.copied[rank] - self.taken < NVLS_STEPS if self.is_read else self.written > self.copied[rank]

    def copy(self, rank):
        self.copied[rank] += 1
        (self.receiver if self.is_read else self.sender).advance()

    def flow(self, size, done):
        job = self.collective.job

        def through():
            job.engine.at(job.engine.now + job.spec["intra_latency"], done)
        job.network.start(self.links, size / job.spec["nvls_efficiency"], job.spec["channel_limit"], through)

    def send(self, size, ids, done):
        self.sent += 1

        def written():
            self.written += 1
            done()
            for copier in self.copiers:
                copier.advance()
        self.flow(size, written)

    def take(self):
        self.taken += 1
        for copier in self.copiers:
            copier.advance()


class Head(Block):
    """What a head reads is written, or sent to another host, as it comes, but a proxy sends only whole chunks."""

    def transfer(self):
        receive, send, size, ids, _ = self.ops[self.at]
        reads, writes = [c for c in receive if isinstance(c, Fan)], [c for c in send if isinstance(c, Fan)]
        rest = [c for c in send if not isinstance(c, Fan)]
        self.open = len(reads) + len(send)

        def read():
            for c in rest:
                c.send(size, ids, self.sent)
            if reads:
                self.sent()
        for c in writes:
            c.send(size, ids, self.sent)
        if reads:
            reads[0].flow(size, read)
        else:
            read()


class Copier:
    """A block that copies into the buffers of all heads, or out of them, chunk by chunk."""

    def __init__(self, collective, rank, fans, sizes):
        self.collective, self.rank, self.fans, self.sizes = collective, rank, fans, sizes
        self.at, self.running, self.started = 0, False, False
        for fan in fans:
            fan.copiers.append(self)

    def start(self):
        self.started = True
        self.advance()

    def advance(self):
        if self.running or not self.started or self.at == len(self.sizes) or not all(f.can_copy(self.rank) for f in self.fans):
            return
        job = self.collective.job
        self.running = True
        job.engine.at(job.engine.now + job.spec["slice_us"] + sum(self.sizes[self.at]) / job.spec["copy_bandwidth"], self.done)

    def done(self):
        self.running, self.at = False, self.at + 1
        for fan in self.fans:
            fan.copy(self.rank)
        if self.at == len(self.sizes):
            self.collective.block_done(self.rank)
        self.advance()


def nvls_chunk(size, channels, heads, hosts):
    """calcCollChunking in enqueue.cc, for NVLS on one host, for NVLS_TREE on several; before Blackwell."""
    chunk = 64 * KIB if hosts >= 4 else 128 * KIB
    for times, most in (((64, 64 * KIB), (8, 32 * KIB), (2, 16 * KIB)) if hosts == 1 else ((4, 64 * KIB), (1, 32 * KIB))):
        if size < times * channels * heads * chunk and chunk > most:
            chunk = most
    return chunk


def btree(rank, n):
    """ncclGetBtree: parent and children."""
    bit = 1
    while bit < n and not bit & rank:
        bit <<= 1
    if rank == 0:
        return -1, [bit >> 1] if n > 1 else []
    up = (rank ^ bit) | (bit << 1)
    if up >= n:
        up = rank ^ bit
    low = bit >> 1
    down = [rank - low] if low else []
    while low and rank + low >= n:
        low >>= 1
    return up, down + ([rank + low] if low else [])


def dtree(which, rank, n):
    """ncclGetDtree: the second tree is the first one shifted or mirrored."""
    if which == 0:
        return btree(rank, n)
    if n % 2:
        up, down = btree((rank - 1 + n) % n, n)
        back = lambda x: (x + 1) % n
    else:
        up, down = btree(n - 1 - rank, n)
        back = lambda x: n - 1 - x
    return (back(up) if up != -1 else -1), [back(x) for x in down]


class Collective:
    def __init__(self, job, step, group, size):
        self.job, self.step, self.group, self.size = job, step, group, size
        self.name = "+".join(str(i) for i in sorted(group))
        self.blocks = [[] for _ in range(job.n)]
        self.into = [[] for _ in range(job.n)]
        self.open, self.begin, self.fans = [0] * job.n, {}, []
        {"ring": self.ring, "tree": self.tree, "nvls": self.nvls}[job.spec["algo"]]()

    def connection(self, a, b, channel):
        c = Connection(self, a, b, channel)
        self.into[b].append(c)
        return c

    def ring(self):
        job, n, channels = self.job, self.job.n, self.job.spec["channels"]
        most = job.spec["buffer"] // 2
        loops, offset = [], 0
        while offset < self.size or not loops:
            chunk = min(most, -(-(self.size - offset) // (channels * n)))
            loops.append((offset, -(-chunk // 4096) * 4096))
            offset += channels * n * loops[-1][1]
        for channel in range(channels):
            order = job.ring_order(channel)
            ways = [self.connection(order[p], order[(p + 1) % n], channel) for p in range(n)]
            for p in range(n):
                block = Block(self, order[p])
                for loop, (offset, chunk) in enumerate(loops):
                    for t in range(2 * (n - 1) + 1):
                        size = min(max(self.size - offset - (channel * n + (p - 1 - t) % n) * chunk, 0), chunk)
                        for s, part in enumerate(self.slices(size, chunk)):
                            block.add([ways[p - 1]] if t else [], [ways[p]] if t < 2 * (n - 1) else [], part,
                                      (loop, channel, t, s), (loop, channel, t - 1, s))
                self.blocks[order[p]].append(block)

    def slices(self, size, chunk):
        count = self.job.spec["slices"]
        each = -(-chunk // count)
        return [min(max(size - s * each, 0), each) for s in range(count)]

    def tree(self):
        job, channels = self.job, self.job.spec["channels"]
        chunk = self.tree_chunk()
        for channel in range(channels):
            up = {r: self.connection(r, job.parent(channel, r), channel) for r in range(job.n) if job.parent(channel, r) != -1}
            down = {r: self.connection(job.parent(channel, r), r, channel) for r in up}
            sizes, offset = [], channel * chunk
            while offset < self.size or not sizes:
                sizes.append(max(min(chunk, self.size - offset), 0))
                offset += channels * chunk
            for r in range(job.n):
                below = [x for x in range(job.n) if job.parent(channel, x) == r]
                ups = [up[x] for x in below]
                downs = [down[x] for x in below]
                pairs = [(ups, downs)] if r not in up else [(ups, [up[r]]), ([down[r]], downs)]
                for receive, send in pairs:
                    block = Block(self, r)
                    for k, size in enumerate(sizes):
                        block.add(receive, send, size, (0, channel, k, 0))
                    self.blocks[r].append(block)

    def tree_chunk(self):
        job = self.job
        hosts = job.spec["hosts"]
        depth = max(job.spec["gpus"] - 1 + int(math.log2(hosts)), 1)
        chunk = job.spec["buffer"] // 8
        for times, least in ((8, 128 * KIB), (4, 64 * KIB), (1, 32 * KIB)):
            while self.size // (job.spec["channels"] * chunk) < depth * times and chunk > least:
                chunk //= 2
        return chunk

    def nvls(self):
        job, hosts, heads = self.job, self.job.spec["hosts"], self.job.spec["gpus"]
        channels = job.spec["nvls_channels"]
        chunk, align = nvls_chunk(self.size, channels, heads, hosts), 16 * KIB if hosts == 1 else 16
        for channel in range(channels):
            part = self.size * (channel + 1) // channels - self.size * channel // channels
            rows, offset = [], 0
            while offset < part or not rows:
                left = part - offset
                each = chunk if left >= heads * chunk else -(-(-(-left // heads)) // align) * align
                rows.append([min(max(left - h * each, 0), each) for h in range(heads)])
                offset += heads * chunk
            tree = [dtree(int(channel >= channels // 2), host, hosts) for host in range(hosts)]
            for h in range(heads):
                self.nvls_heads(channel, h, tree, [row[h] for row in rows])
            for rank in range(job.n):
                mine = [(reads, writes) for ranks, reads, writes in self.fans if rank in ranks]
                self.blocks[rank] += [Copier(self, rank, [r for r, _ in mine], rows), Copier(self, rank, [w for _, w in mine], rows)]
            self.fans = []

    def nvls_heads(self, channel, head, tree, sizes):
        """The blocks of the heads of one number, and what they are connected by."""
        gpus = self.job.spec["gpus"]
        ups, downs = {}, {}
        for host, (parent, _) in enumerate(tree):
            if parent != -1:
                ups[host] = self.connection(host * gpus + head, parent * gpus + head, channel)
                downs[host] = self.connection(parent * gpus + head, host * gpus + head, channel)
        for c in list(ups.values()) + list(downs.values()):
            c.credits = NVLS_STEPS
        for host, (parent, children) in enumerate(tree):
            rank, ranks = host * gpus + head, range(host * gpus, (host + 1) * gpus)
            reads, writes = Fan(self, rank, ranks, True), Fan(self, rank, ranks, False)
            self.fans.append((ranks, reads, writes))
            below = ([reads] + [ups[x] for x in children], [writes] + [downs[x] for x in children])
            for receive, send in [below] if parent == -1 else [(below[0], [ups[host]]), ([downs[host]], below[1])]:
                block = Head(self, rank)
                for k, size in enumerate(sizes):
                    block.add(receive, send, size, (0, channel, k, 0))
                self.blocks[rank].append(block)

    def join(self, rank):
        for c in self.into[rank]:
            c.post_first()
        self.open[rank] = len(self.blocks[rank])
        for block in self.blocks[rank]:
            block.start()

    def block_done(self, rank):
        self.open[rank] -= 1
        if self.open[rank] == 0:
            self.job.kernel_done(rank, self)

    def detail(self, what, rank, ids, begin, end):
        if self.job.details is not None:
            self.job.details[rank].append((what, self.name, ids, begin, end))


# -- a job ---------------------------------------------------------------------------------------------------

def operators(spec):
    """(name, type, us) of FW and BW in their order, UPDATEs by tensor; the tensor that a BW finishes."""
    fw, bw, update, gradient = [], [], [], {}
    for i, layer in enumerate(spec["layers"]):
        fw += [("model/dense_%d/MatMul" % i, "MatMul", layer["fw"]), ("model/dense_%d/Relu" % i, "Relu", layer["relu"])]
        update.append((UPDATE % i, "ResourceApplyGradientDescent", layer["update"]))
    for i in reversed(range(len(spec["layers"]))):
        layer, grad = spec["layers"][i], "gradient_tape/model/dense_%d/" % i
        bw += [(grad + "ReluGrad", "ReluGrad", layer["relu"]), (grad + "MatMul", "MatMul", layer["fw"]),
               (grad + "MatMul_1", "MatMul", layer["bw"])]
        gradient[grad + "MatMul_1"] = i
    return fw, bw, update, gradient


class Job:
    def __init__(self, spec, record=False):
        self.spec, self.n = spec, spec["hosts"] * spec["gpus"]
        self.engine = Engine()
        self.network = Network(self.engine, self.capacity, spec["sharing"])
        self.fw, self.bw, self.update, self.gradient = operators(spec)
        self.tensors = len(self.update)
        ranks = range(self.n)
        self.ops, self.io, self.comm = [[] for _ in ranks], [[] for _ in ranks], [[] for _ in ranks]
        self.details = [[] for _ in ranks] if record else None
        self.spans = [{} for _ in ranks]
        self.enqueued, self.computed, self.waiting, self.ready = {}, {}, {}, []
        self.last_cycle, self.cycle_end, self.cycle_set = -spec["cycle_us"] * noise(spec["seed"], "cycle"), 0.0, False
        self.stream, self.stream_busy = [deque() for _ in ranks], [False] * self.n
        self.updates = [None] * self.n
        self.groups = []
        self.parents = {}

    # -- the machine

    def capacity(self, link):
        spec = self.spec
        if link[0] == "nic":
            slow = spec["slow_nic"] if link[1] == spec["slow_host"] else 1.0
            return spec["nic_bandwidth"] * slow
        return spec["intra_bandwidth"]

    def host(self, rank):
        return rank // self.spec["gpus"]

    def route(self, a, b, channel):
        spec, x, y = self.spec, self.host(a), self.host(b)
        if x == y:
            links = (("nvl", a, "out"), ("nvl", b, "in")) if spec["intra"] == "nvlink" else (("pci", x),)
            return links, spec["intra_latency"], False
        nic = channel % spec["nics"]
        links = (("nic", x, nic, "out"), ("nic", y, nic, "in"))
        if spec["intra"] == "pci" and spec["nic_on_pci"]:
            links += (("pci", x), ("pci", y))
        return links, spec["nic_latency"], True

    def ring_order(self, channel):
        gpus = self.spec["gpus"]
        turn = channel % gpus if self.spec["turned_rings"] else 0
        return [h * gpus + (g + turn) % gpus for h in range(self.spec["hosts"]) for g in range(gpus)]

    def parent(self, channel, rank):
        key = (channel, rank)
        if key not in self.parents:
            gpus, channels = self.spec["gpus"], self.spec["channels"]
            if rank % gpus:
                up = rank - 1
            else:
                up, _ = dtree(int(channels > 1 and channel >= channels // 2), rank // gpus, self.spec["hosts"])
                up = up * gpus if up != -1 else -1
            self.parents[key] = up
        return self.parents[key]

    # -- operators

    def varied(self, us, rank, *key):
        spec = self.spec
        fixed = 1 + spec["rank_spread"] * (2 * noise(spec["seed"], "rank", rank) - 1)
        step = 1 + spec["jitter"] * (2 * noise(spec["seed"], rank, *key) - 1)
        slow = spec["stragglers"].get(str(rank), 1.0)
        return us * fixed * step * slow * spec["op_factors"].get(key[1], 1.0) * spec["compute"]

    def gap(self, rank, *key):
        return self.spec["gap_us"] * (0.5 + noise(self.spec["seed"], "gap", rank, *key))

    def stall(self, where, rank, step):
        if self.spec["stall"] != where:
            return 0.0
        return self.spec["stall_us"] * (0.9 + 0.2 * noise(self.spec["seed"], "stall", rank, step))

    def begin_step(self, rank, step):
        t = self.engine.now
        if self.spec["io_us"]:
            took = self.spec["io_us"] * (1 + self.spec["jitter"] * (2 * noise(self.spec["seed"], rank, step, "io") - 1))
            self.io[rank].append((step, t, took))
            t += took + 5
        first = t
        for name, kind, us in self.fw:
            t = self.operator(rank, step, name, kind, us, t)
        t += self.stall("after_fw", rank, step)
        for name, kind, us in self.bw:
            t = self.operator(rank, step, name, kind, us, t)
            if name in self.gradient:
                self.computed[rank, step, self.gradient[name]] = done = self.ops[rank][-1][4]
                if self.spec["overlap"]:
                    self.engine.at(max(done - self.spec["ahead_us"], first), self.enqueue, rank, step, self.gradient[name])
        self.engine.at(t, self.end_bw, rank, step, first)

    def operator(self, rank, step, name, kind, us, begin):
        end = begin + self.varied(us, rank, step, name)
        self.ops[rank].append((step, name, kind, begin, end))
        return end + self.gap(rank, step, name)

    def end_bw(self, rank, step, first):
        if not self.spec["overlap"]:
            for name, _, _ in self.bw:
                if name in self.gradient:
                    self.enqueue(rank, step, self.gradient[name])
        got = self.updates[rank]["got"] if self.updates[rank] else []
        self.updates[rank] = {"step": step, "first": first, "got": got, "free": self.engine.now, "done": 0, "stalled": False}
        if self.n == 1:
            got += range(self.tensors)
        self.run_updates(rank)

    def tensor_done(self, rank, tensors):
        if not self.updates[rank]:
            self.updates[rank] = {"step": None, "got": []}
        self.updates[rank]["got"] += tensors
        self.run_updates(rank)

    def run_updates(self, rank):
        u = self.updates[rank]
        if u["step"] is None or (self.spec["update_barrier"] and len(u["got"]) < self.tensors):
            return
        step = u["step"]
        if not u["stalled"]:
            u["stalled"] = True
            u["free"] = max(u["free"], self.engine.now) + self.stall("before_update", rank, step)
        while u["done"] < len(u["got"]):
            name, kind, us = self.update[u["got"][u["done"]]]
            u["free"] = self.operator(rank, step, name, kind, us, max(u["free"], self.engine.now))
            u["done"] += 1
        if u["done"] == self.tensors:
            end = self.ops[rank][-1][4]
            self.spans[rank][step] = (u["first"], end)
            self.updates[rank] = None
            if step + 1 < self.spec["steps"]:
                self.engine.at(end + self.spec["between_us"] + self.stall("between", rank, step), self.begin_step, rank, step + 1)

    # -- Horovod

    def enqueue(self, rank, step, tensor):
        if self.n == 1:
            return
        self.enqueued[rank, step, tensor] = self.engine.now
        key = (step, tensor)
        self.waiting[key] = self.waiting.get(key, 0) + 1
        if self.waiting[key] == self.n:
            del self.waiting[key]
            self.ready.append(key)
            self.set_cycle()

    def set_cycle(self):
        if self.cycle_set or not self.ready:
            return
        self.cycle_set = True
        period = self.spec["cycle_us"]
        passed = max(math.ceil((self.engine.now - self.last_cycle) / period), 1)
        self.engine.at(max(self.last_cycle + passed * period, self.cycle_end, self.engine.now), self.cycle)

    def cycle(self):
        spec, now = self.spec, self.engine.now
        self.cycle_set, self.last_cycle = False, now
        took = (spec["negotiate_us"] + spec["negotiate_log_us"] * math.log2(self.n)) * (0.8 + 0.4 * noise(spec["seed"], "cycle", round(now)))
        groups = self.fuse()
        self.ready = []
        heard = [now + took + spec["response_us"] * noise(spec["seed"], "response", rank, round(now)) for rank in range(self.n)]
        thread = list(heard)
        for step, group in groups:
            collective = Collective(self, step, group, sum(self.bytes_of(i) for i in group))
            self.groups.append((step, collective.name))
            for rank in range(self.n):
                self.lane(rank, step, "Sync", group, max(self.enqueued[rank, step, i] for i in group), heard[rank])
                thread[rank] = self.wait_for_data(rank, step, group, thread[rank]) + spec["launch_us"]
                self.engine.at(thread[rank], self.launch, rank, collective)
        self.cycle_end = max(thread)
        self.engine.at(self.cycle_end, self.set_cycle)

    def wait_for_data(self, rank, step, group, now):
        """The background thread waits for the gradients of a group (PerformOperation)."""
        computed = {i: max(self.computed[rank, step, i], now) for i in group}
        ready = max(computed.values())
        if self.spec["ahead_us"]:
            for i in group:
                self.lane(rank, step, "WAIT_FOR_DATA", [i], now, computed[i])
                if len(group) > 1:
                    self.lane(rank, step, "WAIT_FOR_OTHER_TENSOR_DATA", [i], computed[i], ready)
        return ready

    def bytes_of(self, tensor):
        return int(self.spec["layers"][tensor]["bytes"] * self.spec["compression"])

    def fuse(self):
        groups, left = [], list(self.ready)
        while left:
            step, tensor = left.pop(0)
            group, size, rest = [tensor], self.bytes_of(tensor), []
            for key in left:
                if key[0] == step and size + self.bytes_of(key[1]) <= self.spec["fusion"]:
                    group.append(key[1])
                    size += self.bytes_of(key[1])
                else:
                    rest.append(key)
            left = rest
            groups.append((step, group))
        return groups

    def lane(self, rank, step, what, group, begin, end):
        self.comm[rank].append((step, what, sorted(group), begin, end))

    def launch(self, rank, collective):
        self.stream[rank].append((collective, self.engine.now))
        self.run_stream(rank)

    def run_stream(self, rank):
        if self.stream_busy[rank] or not self.stream[rank]:
            return
        self.stream_busy[rank] = True
        collective, asked = self.stream[rank].popleft()
        now = self.engine.now + 1.0
        self.lane(rank, collective.step, "QUEUE", collective.group, asked, now)
        if len(collective.group) > 1:
            end = now + self.memcpy(collective)
            self.lane(rank, collective.step, "MEMCPY_IN_FUSION_BUFFER", collective.group, now, end)
            now = end
        collective.begin[rank] = now
        self.engine.at(now + self.spec["kernel_us"], collective.join, rank)

    def memcpy(self, collective):
        return self.spec["memcpy_us"] * len(collective.group) + collective.size / self.spec["memcpy_bandwidth"]

    def kernel_done(self, rank, collective):
        now = self.engine.now + 2.0
        self.lane(rank, collective.step, "NCCL_ALLREDUCE", collective.group, collective.begin[rank], now)
        if len(collective.group) > 1:
            end = now + self.memcpy(collective)
            self.lane(rank, collective.step, "MEMCPY_OUT_FUSION_BUFFER", collective.group, now, end)
            now = end
        self.engine.at(now, self.end_stream, rank)
        self.engine.at(now + self.spec["callback_us"], self.tensor_done, rank, sorted(collective.group))

    def end_stream(self, rank):
        self.stream_busy[rank] = False
        self.run_stream(rank)

    # -- all of it

    def run(self):
        for rank in range(self.n):
            self.engine.at(20 * noise(self.spec["seed"], "start", rank), self.begin_step, rank, 0)
        self.engine.run()
        missing = [r for r in range(self.n) if len(self.spans[r]) != self.spec["steps"]]
        if missing:
            raise RuntimeError("ranks %s did not end all steps" % missing)
        return self

    def result(self):
        steps = range(self.spec["steps"])
        times = [sum(self.spans[r][k][1] - self.spans[r][k][0] for r in range(self.n)) / self.n for k in steps]
        period = [sum(self.spans[r][k + 1][0] - self.spans[r][k][0] for r in range(self.n)) / self.n for k in steps[:-1]]
        return {"iteration_us": round(sum(times) / len(times), 3), "period_us": round(sum(period) / max(len(period), 1), 3),
                "steps_us": [round(x, 3) for x in times]}


# -- what if ---------------------------------------------------------------------------------------------------

def changed(spec, what):
    """The spec under a what-if such as bandwidth=2 or op=NAME=0.5; several are joined by a comma."""
    spec = copy.deepcopy(spec)
    for one in what.split(","):
        name, _, value = one.partition("=")
        CHANGES[name](spec, value)
    return spec


def scale(*keys):
    def change(spec, value):
        for key in keys:
            spec[key] *= float(value)
    return change


def put(key, kind):
    return lambda spec, value: spec.update({key: kind(value)})


def put_gpus(spec, value):
    n = int(value)
    spec["gpus"] = min(spec["gpus"], n)
    spec["hosts"] = n // spec["gpus"]


def put_gpus_per_host(spec, value):
    n = spec["hosts"] * spec["gpus"]
    spec["gpus"] = min(int(value), n)
    spec["hosts"] = n // spec["gpus"]


def put_channels(spec, value):
    spec["channels"] = spec["nvls_channels"] = int(value)


def put_factor(key):
    def change(spec, value):
        name, _, factor = value.rpartition("=")
        spec[key][name] = spec[key].get(name, 1.0) * float(factor)
    return change


CHANGES = {
    "bandwidth": scale("nic_bandwidth", "intra_bandwidth"), "nic-bandwidth": scale("nic_bandwidth"),
    "latency": scale("nic_latency", "intra_latency"), "nics": put("nics", int), "channels": put_channels,
    "algo": put("algo", str), "fusion": put("fusion", int), "no-overlap": lambda spec, _: spec.update(overlap=False),
    "overlap": lambda spec, _: spec.update(overlap=True), "op": put_factor("op_factors"),
    "straggler": put_factor("stragglers"), "gpus": put_gpus, "gpus-per-host": put_gpus_per_host, "compression": scale("compression"),
    "compute": lambda spec, value: spec.update(compute=spec["compute"] / float(value)),
}


def what_ifs(spec):
    rng = random.Random("what if %d" % spec["seed"])
    n, biggest = spec["hosts"] * spec["gpus"], max(range(len(spec["layers"])), key=lambda i: spec["layers"][i]["bw"])
    bw = "gradient_tape/model/dense_%d/MatMul_1" % biggest
    found = ["bandwidth=2", "bandwidth=0.5", "latency=%s" % rng.choice(("0.25", "4")), "compute=1.5",
             "channels=%d" % (spec["channels"] * 2 if spec["channels"] < 3 else spec["channels"] // 2),
             "algo=tree" if spec["algo"] == "ring" else "algo=ring", "fusion=%d" % rng.choice((0, spec["fusion"] // 4, spec["fusion"] * 4)),
             "no-overlap" if spec["overlap"] else "overlap", "op=%s=%s" % (bw, rng.choice(("0.5", "2"))),
             "straggler=%d=%s" % (rng.randrange(n), rng.choice(("1.2", "1.5"))), "compression=0.5", "bandwidth=2,compute=1.5"]
    if spec["hosts"] > 1:
        found += ["nic-bandwidth=2", "nics=%d" % (2 if spec["nics"] == 1 else 1), "gpus=%d" % (2 * n)]
    if spec["gpus"] > 1 and spec["intra"] == "nvlink":
        found.append("algo=nvls")
    fewer = spec["gpus"] * (spec["hosts"] // 2) or n // 2
    return found + (["gpus=%d" % fewer] if fewer > 1 else [])


# -- jobs ------------------------------------------------------------------------------------------------------

SHAPES = ((2, 2), (1, 4), (2, 1), (4, 1), (2, 4), (1, 2), (4, 2), (1, 8), (3, 2), (2, 2), (8, 1), (4, 4))
NICS = (1250, 3125, 6250, 12500, 3125)


def spec_of(seed):
    rng = random.Random("job %d" % seed)
    hosts, gpus = SHAPES[seed % len(SHAPES)]
    n = hosts * gpus
    spec = {"seed": seed, "hosts": hosts, "gpus": gpus}
    spec.update(compute=1.0, op_factors={}, stragglers={}, compression=1.0, rank_spread=0.01, gap_us=2.0, between_us=60.0)
    # Horovod
    spec.update(cycle_us=rng.choice((500.0, 1000.0, 1000.0, 2500.0)), negotiate_us=25.0, negotiate_log_us=12.0, response_us=3.0,
                launch_us=15.0, callback_us=rng.choice((10.0, 30.0)), memcpy_us=3.0, memcpy_bandwidth=300000.0, kernel_us=6.0)
    # NCCL
    spec.update(algo="tree" if seed % 9 == 4 and n > 2 else "ring", channels=1 if n > 8 else rng.choice((1, 2, 2, 4)),
                slices=1 if n > 8 else 2, buffer=4 * MIB, turned_rings=bool(gpus > 2 and rng.random() < 0.5), slice_us=1.0, poll_us=1.0,
                copy_bandwidth=150000.0, channel_limit=math.inf if seed % 16 else 6000.0, net_spans=rng.choice(("posted", "wire")))
    # links
    pci = seed % 3 == 1
    spec.update(intra="pci" if pci else "nvlink", intra_bandwidth=11000.0 if pci else rng.choice((40000.0, 120000.0)),
                intra_latency=4.0 if pci else 2.0, nic_on_pci=bool(pci and rng.random() < 0.5), nics=1 if rng.random() < 0.8 else 2,
                nic_bandwidth=float(rng.choice(NICS)), nic_latency=rng.choice((6.0, 15.0, 60.0)), sharing="fifo" if seed % 10 == 6 else "fair",
                slow_nic=0.5 if seed % 13 == 7 and hosts > 1 else 1.0, slow_host=hosts - 1)
    # the model, and what disturbs it
    layers = rng.randint(4, 10 if n <= 8 else 6)
    speed = spec["nic_bandwidth"] * spec["nics"] if hosts > 1 else spec["intra_bandwidth"] / 2
    compute = rng.uniform(4000.0, 25000.0)
    total = speed * compute * rng.uniform(0.15, 1.1)
    total = min(total, (60 if n <= 4 else 30) * MIB * spec["channels"])
    spec["layers"] = layers_of(rng, layers, compute, total)
    spec.update(jitter=(0.02, 0.08, 0.25, 0.05, 0.15)[seed % 5], io_us=rng.choice((0.0, 200.0)), overlap=seed % 6 != 2,
                ahead_us=rng.choice((800.0, 3000.0)) if seed % 11 == 3 else 0.0, update_barrier=rng.random() < 0.3,
                fusion=int(rng.choice((0, total / 6, total / 3, 64 * MIB))), stall=None, stall_us=0.0)
    if seed % 4 == 3:
        spec.update(stall=("between", "after_fw", "before_update")[seed // 4 % 3], stall_us=800.0)
    if seed % 7 == 5:
        spec["stragglers"] = {str(rng.randrange(n)): rng.choice((1.15, 1.3))}
    spec.update(skew=rng.choice((0, 1500)), whole_us=rng.random() < 0.5, partial_metadata=seed % 17 == 9, xml=seed % 2 == 0)
    bound_size(spec, total, rng.randint(3, 8))
    spec.update(nvls_channels=NVLS_CHANNELS, nvls_efficiency=random.Random("nvls %d" % seed).choice((0.74, 0.85, 0.85, 1.0)))
    return spec


def bound_size(spec, total, steps):
    """As many steps, and pieces, as make some thousands of transfers."""
    n, groups = spec["hosts"] * spec["gpus"], min(max(total / max(spec["fusion"], 1), 3), len(spec["layers"]))

    def pieces():
        if spec["algo"] == "tree":
            return groups * 2 * (n - 1) * max(total / groups / (128 * KIB), spec["channels"])
        loops = max(total / groups / (spec["channels"] * n * spec["buffer"] / 2), 1)
        return groups * spec["channels"] * spec["slices"] * 2 * (n - 1) * n * loops
    while spec["channels"] > 1 and 3 * pieces() > PIECES and spec["algo"] == "ring":
        spec["channels"] //= 2
    if 3 * pieces() > PIECES:
        spec["slices"] = 1
    spec["steps"] = max(min(steps, int(PIECES / pieces())), 3)


def layers_of(rng, count, compute, total):
    weights = [rng.uniform(0.3, 1.0) for _ in range(count)]
    sizes = [rng.random() ** 2 + 0.02 for _ in range(count)]
    found = []
    for w, s in zip(weights, sizes):
        us = compute * w / sum(weights)
        columns = max(int(total * s / sum(sizes)) // (4 * 64), 16)
        found.append({"fw": us * 0.3, "relu": us * 0.03, "bw": us * 0.34, "update": 4 + columns * 64 * 12 / 700000.0,
                      "bytes": columns * 64 * 4, "shape": [64, columns]})
    return found


# -- files -----------------------------------------------------------------------------------------------------

class Writer:
    def __init__(self, job, top):
        self.job, self.spec, self.top = job, job.spec, top

    def write(self, folder, name, value):
        path = os.path.join(self.top, folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        if name.endswith(".gz"):
            with open(path, "wb") as raw, gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as f:
                f.write(text.encode())
        else:
            with open(path, "w") as f:
                f.write(text)

    def span(self, begin, end):
        """Begin and end as the recorder keeps them: whole us, or ns."""
        if self.spec["whole_us"]:
            return int(begin), max(int(end), int(begin))
        return round(begin, 3), round(end, 3)

    def all(self):
        for r in range(self.job.n):
            self.rank(r)
        if self.spec["xml"]:
            self.write("", "nccl_topo.xml", self.topology())
            self.write("", "nccl_graph.xml", self.graphs())

    def rank(self, r):
        host, local = self.job.host(r), r % self.spec["gpus"]
        folder, off = os.path.join("host%d" % host, str(local)), EPOCH + host * self.spec["skew"]
        self.write(folder, "trace.json.gz", {"displayTimeUnit": "ns", "traceEvents": self.operators(r, local, off)})
        if self.job.io[r]:
            self.write(folder, "io.json", {"traceEvents": [
                {"name": "I/O_0", "ph": "X", "ts": round(t + off, 3), "dur": round(d, 3), "cat": "I/O", "tid": "I/O", "pid": "io",
                 "args": {"name": "I/O_0"}} for _, t, d in self.job.io[r]]})
        self.write(folder, "comm.json", self.timeline(r, off))
        self.write(folder, "comm_detail.json", {"traceEvents": self.pieces(r, local, off), "displayTimeUnit": "ms"})
        self.write(folder, "nccl_rank_graph.json", self.connections(r))
        edges = self.graph()
        self.write(folder, "metadata.json", self.metadata(edges))
        if not self.spec["partial_metadata"]:
            self.write(folder, "dag.gml", gml(edges))
        self.write(folder, "gradient_name_list.json", {"model_name": "mlp", "gradient_name_list": [
            "gradient_tape/model/dense_%d/MatMul_1:0" % i for i in range(self.job.tensors)]})

    def operators(self, r, local, off):
        events = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:%d" % local}},
                  {"ph": "M", "pid": 1, "tid": 20, "name": "thread_name", "args": {"name": "TensorFlow Ops"}}]
        for step, name, kind, begin, end in sorted(self.job.ops[r], key=lambda op: op[3]):
            begin, end = round(begin + off, 3), round(end + off, 3)
            events.append({"ph": "X", "pid": 1, "tid": 20, "ts": begin, "dur": round(end - begin, 3), "name": kind,
                           "args": {"group_id": step, "long_name": "StatefulPartitionedCall/%s:%s" % (name, kind), "tf_op": name}})
        return events

    def timeline(self, r, off):
        rows = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": EPOCH}}]
        pids = {}
        for _, what, group, begin, end in sorted(self.job.comm[r], key=lambda row: row[3:]):
            begin, end = self.span(begin + off, end + off)
            for i in group:
                process, word = ("Sync", str(i)) if what == "Sync" else (ALLREDUCE % i, what)
                if process not in pids:
                    pids[process] = len(pids) + 1
                    rows.append({"name": "process_name", "ph": "M", "pid": pids[process], "args": {"name": process}})
                rows += [{"ph": "B", "name": word, "ts": begin, "pid": pids[process]}, {"ph": "E", "ts": end, "pid": pids[process]}]
        return rows

    def pieces(self, r, local, off):
        events = []
        for what, name, (loop, channel, chunk, piece), begin, end in sorted(self.job.details[r], key=lambda row: row[3:]):
            begin, end = self.span(begin + off, end + off)
            name = "DistributedGradientTape_Allreduce.%s.%s" % (name, what)
            events.append({"ph": "X", "name": name, "pid": "comm_detail_r%d_lr%d" % (r, local), "tid": "none", "cat": "Comm", "ts": begin,
                           "dur": round(end - begin, 3),
                           "args": {"name": name, "loopId": loop, "channelId": channel, "chunkId": chunk, "sliceId": piece}})
        return events

    def connections(self, r):
        job, channels = self.job, range(self.spec["channels"])
        if self.spec["algo"] == "tree":
            text = []
            for c in channels:
                down = ([x for x in range(job.n) if job.parent(c, x) == r] + [-1] * 3)[:3]
                down, up = "/".join(map(str, down)), job.parent(c, r)
                text.append("[%d] %s->%d->%d|%d->%d->%s" % (c, down, r, up, up, r, down))
            return {"Tree": {"-1": " ".join(text)}, "Ring": {}, "RealRing": {}}
        ring = {}
        for c in channels:
            order = job.ring_order(c)
            p = order.index(r)
            before, after = order[p - 1], order[(p + 1) % job.n]
            parts = [self.link(before, r, "receive", c)] if job.host(before) != job.host(r) else []
            ring[str(c)] = ",".join(parts + [self.link(r, after, "send", c)])
        return {"Tree": {}, "Ring": ring, "RealRing": ring}

    def link(self, a, b, what, channel):
        bus = lambda x: "%d[%d000]" % (x, 2 + x % self.spec["gpus"])
        if self.job.host(a) != self.job.host(b):
            return "%s -> %s [%s] via NET/IB/%d" % (bus(a), bus(b), what, channel % self.spec["nics"])
        return "%s -> %s via %s" % (bus(a), bus(b), "P2P/IPC" if self.spec["intra"] == "nvlink" else "direct shared memory")

    def graph(self):
        edges, before = [], None
        for i in range(self.job.tensors):
            if before:
                edges.append((before, "model/dense_%d/MatMul" % i))
            before = "model/dense_%d/Relu" % i
            edges.append(("model/dense_%d/MatMul" % i, before))
        for i in reversed(range(self.job.tensors)):
            grad = "gradient_tape/model/dense_%d/" % i
            edges += [(before, grad + "ReluGrad"), (grad + "ReluGrad", grad + "MatMul"), (grad + "ReluGrad", grad + "MatMul_1"),
                      (grad + "MatMul_1", ALLREDUCE % i), (ALLREDUCE % i, UPDATE % i)]
            before = grad + "MatMul"
        return edges

    def metadata(self, edges):
        kinds = {name: kind for name, kind, _ in self.job.fw + self.job.bw + self.job.update}
        inputs = {}
        for a, b in edges:
            inputs.setdefault(b, []).append(a)

        def shape(name):
            if name.startswith("gradient_tape") and name.endswith("MatMul_1"):
                return self.spec["layers"][int(name.split("dense_")[1].split("/")[0])]["shape"]
            return [32, 64]
        tensor = lambda name: {"name": name + ":0", "shape": shape(name), "dtype": "float32"}
        listed = {}
        for k, (name, kind) in enumerate(kinds.items()):
            if self.spec["partial_metadata"] and k % 4:
                continue
            grads = [x if x in kinds else next(a for a, b in edges if b == x) for x in inputs.get(name, [])]
            listed[name] = {"op": kind, "input": [tensor(x) for x in grads], "output": [] if name.startswith("SGD") else [tensor(name)]}
        return listed

    # -- what NCCL_TOPO_DUMP_FILE and NCCL_GRAPH_DUMP_FILE have, of host 0

    def topology(self):
        spec, rows = self.spec, ['<system version="1">', '  <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="85">']
        rows.append('    <pci busid="0000:10:00.0" class="0x060400" link_speed="8.0 GT/s PCIe" link_width="16">')
        for g in range(spec["gpus"]):
            rows.append('      <pci busid="0000:%02x:00.0" class="0x030200" link_speed="8.0 GT/s PCIe" link_width="16">' % (0x20 + g))
            rows.append('        <gpu dev="%d" sm="70" rank="%d" gdr="1"%s>' % (g, g, "" if spec["intra"] == "nvlink" and spec["gpus"] > 1 else "/"))
            if rows[-1].endswith('/>'):
                rows.append('      </pci>')
                continue
            for peer in range(spec["gpus"]):
                if peer != g:
                    count = max(int(spec["intra_bandwidth"] / 20000 / (spec["gpus"] - 1)), 1)
                    rows.append('          <nvlink target="0000:%02x:00.0" count="%d" tclass="0x030200"/>' % (0x20 + peer, count))
            rows += ['        </gpu>', '      </pci>']
        for nic in range(spec["nics"]):
            rows.append('      <pci busid="0000:%02x:00.0" class="0x020700" link_speed="8.0 GT/s PCIe" link_width="16">' % (0x40 + nic))
            rows.append('        <nic>\n          <net name="mlx5_%d" dev="%d" speed="%d" port="1" latency="0.000000" guid="0x%x" maxconn="131072" gdr="1"/>'
                        '\n        </nic>' % (nic, nic, round(spec["nic_bandwidth"] * 8), nic + 1))
            rows.append('      </pci>')
        return "\n".join(rows + ['    </pci>', '  </cpu>', '</system>', ''])

    def graphs(self):
        spec, rows = self.spec, ['<graphs version="1">']
        kind = "NVL" if spec["intra"] == "nvlink" else "PHB"
        speeds = tuple("%g" % (spec[k] / 1000 / spec["channels"]) for k in ("intra_bandwidth", "nic_bandwidth"))
        for number, pattern in ((0, 4), (1, 3)):
            rows.append('  <graph id="%d" pattern="%d" crossnic="0" nchannels="%d" speedintra="%s" speedinter="%s" latencyinter="0" '
                        'typeintra="%s" typeinter="PIX" samechannels="0">' % ((number, pattern, spec["channels"]) + speeds + (kind,)))
            for c in range(spec["channels"]):
                net = ['      <net dev="%d"/>' % (c % spec["nics"])] if spec["hosts"] > 1 else []
                gpus = ['      <gpu dev="%d"/>' % g for g in self.job.ring_order(c)[:spec["gpus"]]]
                rows += ['    <channel>'] + net + gpus + net + ['    </channel>']
            rows.append('  </graph>')
        return "\n".join(rows + ['</graphs>', ''])


def gml(edges):
    nodes = {}
    for pair in edges:
        for x in pair:
            nodes.setdefault(x, len(nodes))
    rows = ["graph [", "  directed 1"]
    rows += ['  node [\n    id %d\n    label "%s"\n  ]' % (i, x) for x, i in nodes.items()]
    rows += ["  edge [\n    source %d\n    target %d\n  ]" % (nodes[a], nodes[b]) for a, b in edges]
    return "\n".join(rows + ["]", ""])


def truth_of(job, asked):
    spec = job.spec
    truth = {"spec": {k: v if v != math.inf else None for k, v in spec.items()}, "baseline": job.result(), "what_if": {}}
    truth["groups"] = [list(x) for x in job.groups]
    truth["transfers"] = sum(len(rows) for rows in job.details) // 2
    for what in asked:
        truth["what_if"][what] = Job(changed(spec, what)).run().result()
    return truth


def generate(seed, out, truth_path, ask, asked=None):
    job = Job(spec_of(seed), record=True).run()
    Writer(job, out).all()
    if truth_path:
        with open(truth_path, "w") as f:
            json.dump(truth_of(job, asked or (what_ifs(job.spec) if ask else [])), f, indent=1)
            f.write("\n")


def generate_one(seed, out, ask):
    name = os.path.join(out, "job-%02d" % seed)
    generate(seed, name, name + ".json", ask)
    noise.cache_clear()


# -- predictions beside the truth ----------------------------------------------------------------------------

def options(what, known):
    """The what-if as options of `simulate`, or None if it has none for it."""
    found = []
    for one in what.split(","):
        name, _, value = one.partition("=")
        if name == "op":
            op, _, factor = value.rpartition("=")
            option = "--op=BW.%s=%s" % (op, factor) if "--op=" in known else "--scale=name=BW.%s:%s" % (op, factor)
        elif not re.search("--%s(=|\\s|$)" % name, known):
            return None
        else:
            option = "--" + name + ("=" + value if value else "")
        found.append(option)
    return found


def predict(tool, database, more):
    run = subprocess.run([tool, "--db", database, "simulate", "--format", "json"] + more, capture_output=True, text=True, timeout=300)
    try:
        return json.loads(run.stdout)
    except ValueError:
        return {"error": (run.stderr.strip().splitlines() or ["exit status %d" % run.returncode])[-1]}


def judge_job(tool, known, folder, truth):
    """what-if -> (error in %, its interval holds it), with 'baseline'."""
    with tempfile.TemporaryDirectory() as temporary:
        database = os.path.join(temporary, "x.db")
        subprocess.run([tool, "--db", database, "import", "-q", folder], check=True, capture_output=True)
        base, base_truth = predict(tool, database, []), truth["baseline"]["iteration_us"]
        found = {"baseline": (100 * (base.get("predicted_us", math.nan) / base_truth - 1), inside(base, base_truth))}
        if abs(base.get("measured_us", base_truth) / base_truth - 1) > 0.02:
            print("%s: measured %.1f us, %.1f in truth" % (folder, base["measured_us"], base_truth))
        for what, true in truth["what_if"].items():
            more = options(what, known)
            if more is None or "predicted_us" not in base:
                continue
            got = predict(tool, database, more)
            if "predicted_us" not in got:
                print("%s: %s: %s" % (folder, what, got["error"]))
                continue
            ratio = true["iteration_us"] / base_truth
            found[what] = (100 * (got["predicted_us"] / base["predicted_us"] / ratio - 1), inside(got, true["iteration_us"]))
    return found


def inside(prediction, truth):
    low, high = prediction.get("low_us"), prediction.get("high_us")
    return None if low is None or high is None else low <= truth <= high


def summary(name, errors, allowed):
    sizes = sorted(abs(e) for e, _ in errors)
    held = [x for _, x in errors if x is not None]
    text = "%5.0f %% in their interval" % (100.0 * sum(held) / len(held)) if held else ""
    print("%-16s %4d %8.2f %8.2f %8.2f %7d %s" % (name, len(sizes), sizes[len(sizes) // 2], sizes[int(len(sizes) * 0.9)], sizes[-1],
                                                 sum(x > allowed for x in sizes), text))


def judge(tool, out, only):
    known = subprocess.run([tool, "simulate", "--help"], capture_output=True, text=True).stdout
    jobs = sorted(x[:-5] for x in os.listdir(out) if x.endswith(".json") and os.path.isdir(os.path.join(out, x[:-5])))
    by_what, rows = {}, []
    for job in jobs:
        if only and job not in only:
            continue
        truth = json.load(open(os.path.join(out, job + ".json")))
        found = judge_job(tool, known, os.path.join(out, job), truth)
        rows.append((job, truth["spec"], found))
        for what, error in found.items():
            name = "two at once" if "," in what else what.partition("=")[0]
            by_what.setdefault(name, []).append(error)
    for job, spec, found in rows:
        print("%s  %s\n    %s" % (job, traits(spec), "  ".join("%s %+.1f" % (short(x), e) for x, (e, _) in found.items())))
    print("\n%-16s %4s %8s %8s %8s %7s" % ("|error| in %", "jobs", "median", "90 %", "worst", "beyond"))
    for name, errors in by_what.items():
        summary(name, [x for x in errors if x[0] == x[0]], 3.0 if name == "baseline" else 5.0)
    skipped = {w.partition("=")[0] for _, _, f in rows for w in json.load(open(os.path.join(out, rows[0][0] + ".json")))["what_if"] if options(w, known) is None}
    print("without an option: %s" % (", ".join(sorted(skipped)) or "none"))


def short(what):
    return what.replace("gradient_tape/model/", "").replace("/MatMul_1", "")


def traits(spec):
    found = ["%d x %d" % (spec["hosts"], spec["gpus"]), spec["algo"], spec["intra"], "%d ch" % spec["channels"], "jitter %g" % spec["jitter"],
             "nic %g MB/s %g us" % (spec["nic_bandwidth"], spec["nic_latency"])]
    found += [x for x, y in (("no overlap", not spec["overlap"]), ("ahead", spec["ahead_us"]), ("stall " + str(spec["stall"]), spec["stall"]),
                             ("straggler", spec["stragglers"]), ("slow nic", spec["slow_nic"] != 1), ("fifo", spec["sharing"] == "fifo"),
                             ("channel limit", spec["channel_limit"]), ("partial metadata", spec["partial_metadata"]),
                             ("barrier", spec["update_barrier"]), ("turned rings", spec["turned_rings"]), ("2 nics", spec["nics"] == 2),
                             ("nic on pci", spec["nic_on_pci"]), ("no fusion", spec["fusion"] == 0)) if y]
    return ", ".join(found)


# -- the simulator itself, where the time can be worked out by hand ---------------------------------------------

def alone(algo, size, hosts, gpus):
    """How long a single collective takes: links of 100 GB/s and 2 us within hosts, of 10 GB/s and 10 us between them."""
    spec = spec_of(1)
    spec.update(algo=algo, hosts=hosts, gpus=gpus, intra="nvlink", intra_bandwidth=1e5, intra_latency=2.0, nic_bandwidth=1e4, nic_latency=10.0,
                nvls_efficiency=1.0, channel_limit=math.inf, sharing="fair", channels=4, slices=2, slow_nic=1.0, nics=1, turned_rings=False,
                nic_on_pci=False)
    job = Job(spec)
    ends = {}
    job.kernel_done = lambda rank, _: ends.update({rank: job.engine.now})
    collective = Collective(job, 0, [0], size)
    for rank in range(job.n):
        collective.join(rank)
    job.engine.run()
    assert len(ends) == job.n
    return max(ends.values())


def check():
    """Large collectives are bound by the link that most bytes pass, small ones by the latencies on the longest way."""
    size, ring, failed = 64 * MIB, lambda n: 2 * (n - 1) / n, 0
    cases = [("ring", size, 1, 8, size * ring(8) / 1e5, 0.15), ("ring", size, 4, 1, size * ring(4) / 1e4, 0.05),
             ("tree", size, 2, 8, size / 1e4, 0.05), ("tree", size, 4, 1, 2 * size / 1e4, 0.05),
             ("nvls", size, 1, 8, size * (1 + 1 / 8) / 1e5, 0.05), ("nvls", size, 1, 2, size * (1 + 1 / 2) / 1e5, 0.15),
             ("nvls", size, 2, 8, size / 1e4, 0.05), ("nvls", size, 4, 2, 2 * size / 1e4, 0.05),
             # Of 1 KiB: 14 steps of two slices of 2 us and 1 more each; four hops of 10 us; two copies, and a switch of 2 us.
             ("ring", KIB, 1, 8, 14 * 2 * 3 + 1, 0.05), ("tree", KIB, 4, 1, 4 * 12 + 1, 0.05), ("nvls", KIB, 1, 8, 5, 0.05)]
    for algo, bytes_, hosts, gpus, us, off in cases:
        took = alone(algo, bytes_, hosts, gpus)
        good = us * 0.999 <= took <= us * (1 + off)
        failed += not good
        print("%s %s of %d bytes on %d x %d GPUs: %.1f us, by hand %.1f" % ("ok" if good else "WRONG", algo, bytes_, hosts, gpus, took, us))
    return failed


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--out")
    p.add_argument("--check", action="store_true")
    p.add_argument("--seed", type=int)
    p.add_argument("--write-truth")
    p.add_argument("--what-if", action="append", default=[], metavar="WHAT", help="this one, instead of the usual ones; repeatable")
    p.add_argument("--no-what-ifs", action="store_true", help="truth of the job as it is only")
    p.add_argument("--jobs", type=int)
    p.add_argument("--first", type=int, default=1, help="seed of the first of --jobs")
    p.add_argument("--judge", metavar="TRACETOOL")
    p.add_argument("--only", action="append", default=[], help="judge this job alone; repeatable")
    p.add_argument("--workers", type=int, default=1)
    a = p.parse_args()
    if a.check:
        raise SystemExit(check() > 0)
    if not a.out:
        p.error("--out is needed")
    if a.judge:
        judge(a.judge, a.out, a.only)
    elif a.jobs:
        os.makedirs(a.out, exist_ok=True)
        with multiprocessing.Pool(a.workers) as pool:
            pool.starmap(generate_one, [(seed, a.out, not a.no_what_ifs) for seed in range(a.first, a.first + a.jobs)], 1)
    elif a.seed is not None:
        generate(a.seed, a.out, a.write_truth, not a.no_what_ifs, a.what_if)
    else:
        p.error("--seed or --jobs is needed")


if __name__ == "__main__":
    main()
