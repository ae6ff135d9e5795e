#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A simulator of jobs over parameter servers (BytePS): writes what a job would have traced, and what is true of it.

  server_simulator.py --seed S --out DIR                DIR/ and DIR.json: the job, and the iteration as it is and with each what-if
  server_simulator.py --jobs 20 --out DIR [--first S]   DIR/job-01 and DIR/job-01.json ...
  server_simulator.py --judge TRACETOOL --out DIR       how far predictions are from the truths in DIR
  server_simulator.py --check                           the simulator itself, on cases that can be worked out by hand

Written from these definitions, not from what a predictor makes of traces. Events are taken in the order of their times; a what-if
is a change of the job, simulated again with the same noise. Times are us, sizes bytes, bandwidths bytes per us.

BytePS (github.com/bytedance/byteps, f5df52fe of February 2022), each rule beside where it stands:
    Partition  a tensor is cut into parts of BYTEPS_PARTITION_BYTES, rounded up to pages times GPUs of a worker (global.cc, Init); the last
               is what is left (operations.cc, InitTensor and PartitionTensor).
    Server     a part is of the server that the hash of its key says (global.cc, EncodeDefaultKey): a fixed place, however many workers there
               are, but for BYTEPS_ENABLE_MIXED_MODE. Here the hash is noise.
    Push       a part goes through COORDINATE_REDUCE ... COPYD2H to PUSH (operations.cc, GetPushQueueList). By default (no
               BYTEPS_SCHEDULING_CREDIT) nothing holds it back (scheduled_queue.cc; core_loops.cc, RunPushLoopOnce). Here the parts of a tensor
               are ready at once, some us after all GPUs of the worker have its gradient.
    Answer     a server answers a push without waiting for what it asks its engine for (server.cc, BytePSHandler: SendPushResponse). Then
               the worker asks for the sum (core_loops.cc: FinishOrProceed leads from PUSH to PULL).
    Engine     a part is of one of BYTEPS_SERVER_ENGINE_THREAD threads, for good: the one that had least to do by bytes when the part was first
               pushed, the first of those (server.h, GetThreadID). Each push after the first is added (SUM_RECV); with the last the
               engine is asked to let the sum out, too (ALL_RECV). A thread takes what it is asked for in turn, but for
               BYTEPS_SERVER_ENABLE_SCHEDULE (queue.h, PriorityQueue: heaps only then).
    Copies     one of both, by the release (the job's "copies"):
               first    since August 2020 the first push is copied by the engine (COPY_FIRST), and ALL_RECV copies nothing. No program that
                        traces such servers is known: here ALL_RECV is traced as COPY_MERGED.
               merged   before, and in the one that traces servers (github.com/chenyu-jiang/byteps, byteprofile, ca284a7, server.cc,
                        LogServerTrace: copy_first, sum, copy_merged): the handler keeps the first push where it is, which takes it no
                        time and waits for no thread, and the engine copies the sum (COPY_MERGED). Traces have whole us.
               The handler is thread 0 in traces, those of the engine are 1 and more.
    Pull       answered when the sum is out, in the order of requests; until then a request waits in the server (q_pull_reqmeta_).
    Update     when all parts of a tensor have come back; with --barrier of all tensors.

ps-lite (github.com/bytedance/ps-lite, a848f53d): a connection for each worker and server, both ways at once, messages of a way follow each
    other (zmq_van.h: a DEALER of the worker, and the server answers over its ROUTER). A request to pull has a key, and an answer to a push
    nothing, or a key (kv_app.h, Send and Response).

Network. A NIC a machine, full duplex, workers and servers on machines of their own. Sharing, by the job:
    ports    what leaves a machine shares its NIC, and what comes to one: max-min fair over all
    links    each connection has a bandwidth of its own (a slow transport: no NIC is ever full)
    A message takes latency + bytes / share; requests to pull and answers to pushes have none. The latency, by the job:
    held     holds the connection: one message at a time is under way
    piped    overlaps the next message; then spans of a connection overlap too

What a trace shows of a message: from when the connection begins to send it until it is there; on some jobs from when it was handed
over ("queued"), with what it waited behind others.

What-ifs: bandwidth=F, nic-bandwidth=F: NICs, or connections; latency=F; compression=R: tensors have R of their bytes on the way, and on the
servers they are as large as before (BytePS' compressors are undone there); compute=F: all that computes, servers as well; gpus=N: more or
fewer workers of as many GPUs, with noise of their own; servers stay.
"""
import argparse
import importlib.util
import json
import math
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
from functools import lru_cache

HERE = os.path.dirname(os.path.abspath(__file__))


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# Events and max-min fair links, and the files of a job, which are no part of what is judged here.
simulator = load("job_simulator", os.path.join(HERE, "job-simulator.py"))
files = load("job_files", os.path.join(HERE, "..", "..", "data", "generators", "job.py"))


@lru_cache(maxsize=None)
def noise(*key):
    return random.Random(repr(key)).random()


def spec_of(seed):
    r = random.Random("servers %d" % seed)
    spec = {"seed": seed, "hosts": r.choice([2, 2, 3, 4, 4, 6]), "gpus": r.choice([1, 1, 2]), "servers": r.choice([1, 2, 2, 3, 4]),
            "threads": r.choice([2, 4]), "layers": r.randint(6, 14), "part_bytes": r.choice([512000, 1024000, 4096000]),
            "bandwidth_out": round(r.choice([1200, 3000, 6000, 12000]) * r.uniform(0.8, 1.2)), "latency_out": round(r.uniform(4, 60), 1),
            "sharing": r.choice(["ports", "ports", "ports", "links"]), "latency_is": r.choice(["held", "piped"]),
            "queued": r.random() < 0.3, "barrier": r.random() < 0.3, "jitter": r.choice([0.01, 0.03, 0.08]), "compute": round(r.choice([0.15, 0.4, 1, 2]) * r.uniform(0.8, 1.2), 2),
            "wide": r.choice([1, 1, 2]), "compression": 1.0, "steps": r.choice([6, 10]), "add": r.choice([8000, 20000]), "call": 3.0,
            "copies": r.choice(["first", "merged"])}
    return spec


def what_ifs(spec):
    found = ["bandwidth=0.5", "bandwidth=2", "bandwidth=4", "nic-bandwidth=2", "latency=0.25", "latency=4", "compression=0.25",
             "bandwidth=2,latency=0.5,compute=1.5", "gpus=%d" % (2 * spec["hosts"] * spec["gpus"]), "gpus=%d" % ((spec["hosts"] + 1) * spec["gpus"])]
    if spec["hosts"] > 2:
        found.append("gpus=%d" % ((spec["hosts"] - 1) * spec["gpus"]))
    if spec["servers"] > 1:
        found.append("gpus=%d,bandwidth=2" % (2 * spec["hosts"] * spec["gpus"]))
    return found


def changed(spec, what):
    spec = dict(spec)
    for one in what.split(","):
        name, _, value = one.partition("=")
        if name in ("bandwidth", "nic-bandwidth"):
            spec["bandwidth_out"] *= float(value)
        elif name == "latency":
            spec["latency_out"] *= float(value)
        elif name == "compression":
            spec["compression"] = float(value)
        elif name == "gpus":
            spec["hosts"] = int(value) // spec["gpus"]
        elif name == "compute":
            spec["faster"] = float(value)
            spec["add"] *= float(value)
            spec["call"] /= float(value)
    return spec


# That the handler notes where a push is.
KEPT = 0.2


def whole(span):
    """A span as of a clock of whole us."""
    *what, begin, us = span
    return *what, math.floor(begin), math.floor(begin + us) - math.floor(begin)


class Connection:
    """One way between a worker and a server: messages in the order in which they were handed over."""

    def __init__(self, job, source, target):
        self.job, self.source, self.target, self.queue, self.busy = job, source, target, [], False
        self.links = ("%s out" % source, "%s in" % target) if job.spec["sharing"] == "ports" else ("%s to %s" % (source, target),)

    def send(self, what, name, part, size, key, done):
        self.queue.append((self.job.engine.now, what, name, part, size, key, done))
        self.next()

    def next(self):
        if self.busy or not self.queue:
            return
        self.busy = True
        asked, what, name, part, size, key, done = self.queue.pop(0)
        job, engine = self.job, self.job.engine
        begin, latency = engine.now, job.spread(job.spec["latency_out"], "latency", what, *key)
        size = job.spread(size, "bytes", what, *key)

        def out():
            engine.at(engine.now + latency, there)
            if job.spec["latency_is"] == "piped":
                self.busy = False
                self.next()

        def there():
            since = asked if job.spec["queued"] else begin
            job.links.append((self.source, self.target, name, part, what, since, engine.now - since))
            if job.spec["latency_is"] == "held":
                self.busy = False
            done()
            self.next()
        job.network.start(self.links, size, math.inf, out)


class Engine:
    """A thread of a server."""

    def __init__(self, job, server, thread):
        self.job, self.server, self.thread, self.free, self.load = job, server, thread, 0.0, 0

    def work(self, what, name, part, us, done):
        engine = self.job.engine
        begin = max(engine.now, self.free)
        self.free = begin + us
        self.job.works.append((self.server, self.thread, name, part, what, begin, us))
        engine.at(begin + us, done)


class Job(files.Job):
    def __init__(self, spec):
        self.spec = spec
        parser = argparse.Namespace(**{**dict(
            kind="byteps", fuse=1, graph="metadata", scale=1.0, latency_in=2.0, bandwidth_in=1e4, stall=0.0, slow=None, waits=False, late=False,
            channels=1, slices=1, loops=1, chunks=1, skew=0, out=None, truth=None), **{k: spec[k] for k in (
                "hosts", "gpus", "layers", "steps", "servers", "threads", "part_bytes", "seed", "jitter", "latency_out", "bandwidth_out", "barrier")}})
        super().__init__(parser)
        self.threads, self.thread_of = {}, {}

    def spread(self, value, *key):
        return value * (1 + self.spec["jitter"] * (2 * noise(self.spec["seed"], *key) - 1))

    def shape(self, tensor):
        return [256 * self.spec["wide"], 256 * (1 + int(24 * noise(self.spec["seed"], "shape", tensor) ** 3))]

    def about(self, us):
        """Of operators: in the order of a rank's own, whichever ranks there are besides."""
        self.n_op = self.n_op + 1
        return round(self.spread(us * self.spec["compute"] / self.spec.get("faster", 1), "op", self.k, self.n_op), 3)

    def compute(self, k, t0):
        """Of one rank after the other, so that the noise of a rank is its own."""
        gradients, free, n = [], [], self.n
        for r in range(n):
            self.k, self.n_op, self.n = (k, r), 0, 1
            keep = self.ops, self.io
            self.ops, self.io = [keep[0][r]], [keep[1][r]]
            g, f = super().compute(k, t0)
            self.ops, self.io = keep
            self.n = n
            factor = 1 + 0.05 * noise(self.spec["seed"], "rank", r)
            gradients.append({i: files.Task(task.name, task.begin, t0 + (task.end - t0) * factor, None) for i, task in g[0].items()})
            free.append((t0 + (f[0][0] - t0) * factor, None))
            mine = self.ops[r]
            for i, (step, name, kind, t, d) in enumerate(mine):
                if step == k:
                    mine[i] = (step, name, kind, t0 + (t - t0) * factor, d * factor)
        return gradients, free

    def parts(self, group):
        unit = 4096 * self.a.gpus
        size, bound = self.bytes_of(group), -(-self.a.part_bytes // unit) * unit
        return [(p, min(bound, size - p * bound)) for p in range(-(-size // bound))]

    def engine_thread(self, server, group, p, sent):
        """Of a part: chosen when it is first pushed."""
        if (group[0], p) not in self.thread_of:
            mine = [self.threads.setdefault((server, t), Engine(self, server, 1 + t)) for t in range(self.spec["threads"])]
            thread = self.thread_of[group[0], p] = min(mine, key=lambda one: one.load)
            thread.load += sent
        return self.thread_of[group[0], p]

    def servers(self, k, gradients, free):
        spec, hosts = self.spec, self.a.hosts
        self.engine = simulator.Engine()
        self.network = simulator.Network(self.engine, lambda link: spec["bandwidth_out"], "fair")
        connections = {}
        updates, pulled, missing, states = [[] for _ in range(self.n)], {w: [] for w in range(hosts)}, {}, {}
        device = [files.Device() for _ in range(self.n)]
        for r in range(self.n):
            device[r].free = free[r][0]

        def connection(source, target):
            return connections.setdefault((source, target), Connection(self, source, target))

        def push(w, group, p, size):
            name, number = "+".join(map(str, group)), int(noise("hash", group[0], p) * spec["servers"])
            worker, server = "worker_%d" % w, "server_%d" % number
            state = states.setdefault((group[0], p), {"come": 0, "done": False, "asked": []})
            key, sent = (k, w, group[0], p), size * spec["compression"]

            def there():
                nth = state["come"]
                state["come"] += 1
                thread = self.engine_thread(number, group, p, sent)
                if nth == 0 and spec["copies"] == "merged":
                    self.works.append((number, 0, name, p, "COPY_FIRST", self.engine.now, KEPT))
                else:
                    us = self.spread(spec["call"] + size / spec["add"], "add", nth, *key[2:], k)
                    thread.work("COPY_FIRST" if nth == 0 else "SUM", name, p, us, lambda: None)
                if nth + 1 == hosts:
                    copied = size / spec["add"] / 2 if spec["copies"] == "merged" else 0
                    thread.work("COPY_MERGED", name, p, self.spread(spec["call"] + copied, "merge", *key[2:], k), merged)
                connection(server, worker).send("PUSH", name, p, 0, key, answered)

            def answered():
                self.engine.at(self.engine.now + 4, connection(worker, server).send, "PULL", name, p, 0, key, asked)

            def asked():
                if state["done"]:
                    reply()
                else:
                    state["asked"].append(reply)

            def merged():
                state["done"] = True
                for one in state["asked"]:
                    one()

            def reply():
                connection(server, worker).send("PULL", name, p, sent, key, got)

            def got():
                missing[w, group[0]] -= 1
                if missing[w, group[0]] == 0:
                    all_there(w, group)
            connection(worker, server).send("PUSH", name, p, sent, key, there)

        def all_there(w, ids):
            pulled[w].append(ids)
            if self.a.barrier:
                if len(pulled[w]) < len(self.groups):
                    return
                ids = range(self.a.layers)
            for r in range(w * self.a.gpus, (w + 1) * self.a.gpus):
                for i in reversed(ids):
                    self.k, self.n_op = (k, r, "update"), i
                    updates[r].append(self.update(k, r, i, self.engine.now + 6, None, device[r]))

        for w in range(hosts):
            for group in self.groups:
                ranks, parts = range(w * self.a.gpus, (w + 1) * self.a.gpus), self.parts(group)
                missing[w, group[0]] = len(parts)
                last = max(gradients[r][i].end for r in ranks for i in group)
                self.engine.at(last + 12, lambda w=w, group=group, parts=parts: [push(w, group, p, size) for p, size in parts])
        self.engine.run()
        return updates

    def simulate(self):
        t = 0.0
        for k in range(self.a.steps):
            t = self.step(k, t)
        return sum(self.iterations) / len(self.iterations)

    def write_all(self, out):
        self.a.out, self.a.truth = out, os.path.join(out, ".truth.json")
        for r in range(self.n):
            self.write_rank(r)
        if self.spec["copies"] == "merged":
            self.links, self.works = [whole(x) for x in self.links], [whole(x) for x in self.works]
        self.write_servers()
        first, edges = os.path.join(self.prefix() + "0", "0"), self.graph()
        self.write_graph(list(dict.fromkeys(x for edge in edges for x in edge)), edges, first)
        self.write("gradient_name_list.json", {"gradient_name_list": [
            "gradient_tape/model/dense_%d/MatMul_1:0" % i for i in range(self.a.layers)], "model_name": "mlp"}, first)


def generate(seed, out):
    spec = spec_of(seed)
    job = Job(spec)
    truth = {"spec": spec, "iteration_us": job.simulate(), "what_if": {}}
    job.write_all(out)
    for what in what_ifs(spec):
        truth["what_if"][what] = Job(changed(spec, what)).simulate()
    noise.cache_clear()
    with open(out + ".json", "w") as f:
        json.dump(truth, f, indent=1)
        f.write("\n")


# -- predictions beside the truth -----------------------------------------------------------------------------

def judge(tool, out):
    jobs, by_what, n_bad = sorted(x[:-5] for x in os.listdir(out) if x.endswith(".json")), {}, 0
    for name in jobs:
        truth = json.load(open(os.path.join(out, name + ".json")))
        with tempfile.TemporaryDirectory() as temporary:
            db = os.path.join(temporary, "x.db")
            subprocess.run([tool, "--db", db, "import", "-q", os.path.join(out, name)], check=True, capture_output=True)
            base, rows = simulator.predict(tool, db, []), []
            error = 100 * (base.get("predicted_us", math.nan) / truth["iteration_us"] - 1)
            rows.append(("baseline", error, simulator.inside(base, truth["iteration_us"]), base))
            for what, true in truth["what_if"].items():
                got = simulator.predict(tool, db, ["--" + x for x in what.split(",")])
                if "predicted_us" not in got:
                    print("%s: %s: %s" % (name, what, got["error"]))
                    n_bad += 1
                    continue
                error = 100 * (got["predicted_us"] / base["predicted_us"] / (true / truth["iteration_us"]) - 1)
                rows.append((what, error, simulator.inside(got, true), got))
        spec = truth["spec"]
        print("%s  %d x %d, %d servers, %s, %s%s, jitter %g, %g MB/s, %g us, parts of %d" % (
            name, spec["hosts"], spec["gpus"], spec["servers"], spec["sharing"], spec["latency_is"], ", queued" if spec["queued"] else "", spec["jitter"],
            spec["bandwidth_out"], spec["latency_out"], spec["part_bytes"]))
        print("    " + "  ".join("%s %+.1f%s" % (what, error, "" if held else " OUTSIDE") for what, error, held, _ in rows))
        for what, error, held, got in rows:
            kind = "two at once" if "," in what else what.partition("=")[0]
            half = 50 * (got["high_us"] - got["low_us"]) / got["predicted_us"]
            by_what.setdefault(kind, []).append((abs(error), held, half))
    print("%-16s %4s %8s %8s %8s %10s %10s %12s" % ("|error| in %", "n", "median", "90 %", "worst", "inside %", "half width", "5 % and out"))
    by_what["all"] = [x for kind, of in by_what.items() if kind != "baseline" for x in of]
    for kind, of in by_what.items():
        sizes, widths = sorted(x[0] for x in of), sorted(x[2] for x in of)
        bad = sum(error > 5 and not held for error, held, _ in of)
        print("%-16s %4d %8.2f %8.2f %8.2f %10.0f %10.1f %12d" % (kind, len(of), sizes[len(of) // 2], sizes[int(0.9 * len(of))], sizes[-1],
                                                                100 * sum(x[1] for x in of) / len(of), widths[len(of) // 2], bad))
        n_bad += bad if kind != "all" else 0
    return n_bad


def check():
    """One tensor, no noise: what the definitions say of it."""
    def took(**changes):
        spec = dict(spec_of(1), hosts=1, gpus=1, servers=1, threads=1, layers=1, part_bytes=10 ** 9, bandwidth_out=1000, latency_out=10.0,
                    sharing="ports", latency_is="held", queued=False, barrier=False, jitter=0.0, compute=1.0, wide=1, steps=1, add=10000, call=3.0,
                    copies="first")
        spec.update(changes)
        job = Job(spec)
        job.simulate()
        begin = min(x[5] for x in job.links)
        return max(x[5] + x[6] for x in job.links) - begin, job.bytes_of([0])

    failed = 0

    def near(text, got, wanted):
        nonlocal failed
        good = abs(got - wanted) < 1e-6 * wanted
        failed += not good
        print("%s %s: %.3f us, by hand %.3f us" % ("ok" if good else "WRONG", text, got, wanted))
    # Push; then the work of the server beside the answer and the request, 24 us; then the pull.
    us, size = took()
    near("one worker", us, 2 * (10 + size / 1000) + max(3 + size / 10000 + 3, 24))
    us, size = took(copies="merged")
    near("one worker, an older server", us, 2 * (10 + size / 1000) + max(3 + size / 20000, 24))
    us, size = took(bandwidth_out=2000)
    near("twice the bandwidth", us, 2 * (10 + size / 2000) + max(6 + size / 10000, 24))
    us, size = took(latency_is="piped", compression=0.5)
    near("half of the bytes", us, 2 * (10 + size / 2000) + max(6 + size / 10000, 24))
    # Of two GPUs parts are of as many bytes as both have pages.
    parts = [size for _, size in Job(dict(spec_of(1), gpus=2, part_bytes=512000, wide=4)).parts([0])]
    near("the first part of several", parts[0] if len(parts) > 1 else 0, 63 * 2 * 4096)
    return failed


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--out")
    p.add_argument("--seed", type=int)
    p.add_argument("--jobs", type=int)
    p.add_argument("--first", type=int, default=1)
    p.add_argument("--workers", type=int, default=1)
    p.add_argument("--judge", metavar="TRACETOOL")
    p.add_argument("--check", action="store_true")
    a = p.parse_args()
    if a.check:
        raise SystemExit(check() > 0)
    if not a.out:
        p.error("--out is needed")
    if a.judge:
        raise SystemExit(judge(a.judge, a.out) > 0)
    if a.jobs:
        os.makedirs(a.out, exist_ok=True)
        with multiprocessing.Pool(a.workers) as pool:
            pool.starmap(generate, [(s, os.path.join(a.out, "job-%02d" % s)) for s in range(a.first, a.first + a.jobs)], 1)
    elif a.seed is not None:
        generate(a.seed, a.out)
    else:
        p.error("--seed, --jobs, --judge or --check is needed")


if __name__ == "__main__":
    main()
