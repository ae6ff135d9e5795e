#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a small training job: data/generators/job-2x1.py DIRECTORY

Two hosts with one GPU each train a model of three layers for two steps with TensorFlow, Horovod and NCCL, as a tracer leaves
it. The clock of host1 is 2 ms ahead. Besides what a plain run has: an operator in two pieces, one that is not in the graph,
events of the CPU and of kernels, communication before the first operator, instants among the chunks.
"""
import json
import os
import struct
import sys
import zlib

OUT = sys.argv[1]
EPOCH = 1700000000000000
SKEW = (0, 2000)
GROUPS = ([2], [0, 1])
LAYERS = 3
STEPS = 2
ALLREDUCE = "DistributedGradientTape_Allreduce/HorovodAllreduce.%d_0"
UPDATE = "SGD/SGD/update_%d/ResourceApplyGradientDescent"

state = 1


def spread(base):
    """About base, the same in every run."""
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return base + state // 65536 % (base // 4 + 1)


def write(rank, name, text):
    path = os.path.join(OUT, "host%d" % rank, "0", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def gzipped(text):
    """Stored, not deflated, so that no version of zlib makes other bytes of it."""
    data = text.encode()
    blocks = b""
    for at in range(0, len(data), 65535):
        piece = data[at:at + 65535]
        blocks += struct.pack("<BHH", at + 65535 >= len(data), len(piece), len(piece) ^ 0xFFFF) + piece
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + blocks + struct.pack("<II", zlib.crc32(data), len(data) % 2**32)


def step(k, start, ops, io, comm, detail):
    """One step in true time from start; returns its end."""
    t = [start + spread(20) for _ in SKEW]
    ends = [{} for _ in SKEW]
    for r in range(2):
        d = spread(80)
        io[r].append((t[r], d))
        t[r] += d + 3
        for i in range(LAYERS):
            for op in ("MatMul", "Relu"):
                d = spread(60 if op == "MatMul" else 20)
                name = "model/dense_%d/%s" % (i, op)
                if r == 1 and i == 1 and op == "MatMul":
                    ops[r].append((k, name, op, t[r], d / 2))
                    ops[r].append((k, name, op, t[r] + d / 2 + .25, d / 2 - .25))
                else:
                    ops[r].append((k, name, op, t[r], d))
                t[r] += d + 1
        if r == 1:
            ops[r].append((k, "model/not_in_the_graph", "Identity", t[r], .5))
        for i in reversed(range(LAYERS)):
            for op in ("ReluGrad", "MatMul_1"):
                d = spread(70 if op == "MatMul_1" else 20)
                ops[r].append((k, "gradient_tape/model/dense_%d/%s" % (i, op), op, t[r], d))
                t[r] += d + 1
            ends[r][i] = t[r] - 1
    done = [0, 0]
    for group in GROUPS:
        begin = [max(max(ends[r][i] for i in group), done[r]) + spread(10) for r in range(2)]
        end = max(begin) + 8
        for r in range(2):
            comm[r].append(("Sync", group, begin[r], end))
            t0 = end + 2
            for what, d in (("QUEUE", spread(5)), ("MEMCPY_IN_FUSION_BUFFER", spread(9))):
                comm[r].append((what, group, t0, t0 + d))
                t0 += d + 1
            last = t0
            for chunk in range(2):
                d = spread(30)
                detail[r].append(("SEND", group, chunk, last, d))
                detail[r].append(("RECV", group, chunk, last + 1, d + 4))
                last += d + 6
            comm[r].append(("NCCL_ALLREDUCE", group, t0, last + 1))
            comm[r].append(("MEMCPY_OUT_FUSION_BUFFER", group, last + 2, last + 11))
            done[r] = last + 11
    for r in range(2):
        t[r] = max(t[r], done[r]) + 4
        for i in range(LAYERS):
            d = spread(12)
            ops[r].append((k, UPDATE % i, "ResourceApplyGradientDescent", t[r], d))
            t[r] += d + 1
    return max(t) + 30


def profile(r, ops):
    def name(pid, text, tid=None):
        event = {"ph": "M", "pid": pid, "name": "process_name" if tid is None else "thread_name", "args": {"name": text}}
        if tid is not None:
            event["tid"] = tid
        return event

    events = [name(1, "/device:GPU:0"), name(1, "TensorFlow Ops", 20), name(1, "Stream #1(Compute)", 10),
              name(701, "/host:CPU"), name(701, "python3", 5)]
    for k, raw, op, t, d in ops:
        events.append({"ph": "X", "pid": 1, "tid": 20, "ts": t, "dur": d, "name": op,
                       "args": {"group_id": k + 7, "long_name": "StatefulPartitionedCall/%s:%s" % (raw, op)}})
    k, raw, op, t, d = ops[0]
    events.append({"ph": "X", "pid": 1, "tid": 10, "ts": t, "dur": d, "name": "kernel"})
    events.append({"ph": "X", "pid": 701, "tid": 5, "ts": t, "dur": 9.5, "name": "Executor"})
    return gzipped(compact({"displayTimeUnit": "ns", "traceEvents": events + [{}]}))


def timeline(r, comm):
    out = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": EPOCH}}]
    pids = {}
    for what, group, begin, end in comm:
        for i in group:
            process, word = ("Sync", str(i)) if what == "Sync" else (ALLREDUCE % i, what)
            if process not in pids:
                pids[process] = len(pids) + 1
                out.append({"name": "process_name", "ph": "M", "pid": pids[process], "args": {"name": process}})
            out.append({"ph": "B", "name": word, "ts": begin, "pid": pids[process]})
            out.append({"ph": "E", "ts": end, "pid": pids[process]})
    # As a killed run leaves it.
    return "[\n" + "".join(compact(e) + ",\n" for e in out)


def chunks(r, detail):
    events = []
    for sub_op, group, chunk, t, d in detail:
        ids = "+".join(str(i) for i in reversed(group))
        name = "DistributedGradientTape_Allreduce.%s.%s" % (ids, sub_op)
        events.append({"ph": "X", "name": name, "pid": "comm_detail_r%d_lr0" % r, "tid": "none", "cat": "Comm", "ts": t, "dur": d,
                       "args": {"name": name, "chunkId": chunk, "sliceId": 0, "channelId": 0, "loopId": 0}})
    events.append({"ph": "i", "name": "end", "pid": "comm_detail_r%d_lr0" % r, "ts": detail[-1][3]})
    return compact({"traceEvents": events, "displayTimeUnit": "ms"})


def graph():
    edges = []
    before = None
    for i in range(LAYERS):
        if before:
            edges.append((before, "model/dense_%d/MatMul" % i))
        before = "model/dense_%d/Relu" % i
        edges.append(("model/dense_%d/MatMul" % i, before))
    for i in reversed(range(LAYERS)):
        grad = "gradient_tape/model/dense_%d/" % i
        edges += [(before, grad + "ReluGrad"), (grad + "ReluGrad", grad + "MatMul_1"), (grad + "MatMul_1", ALLREDUCE % i),
                  (ALLREDUCE % i, UPDATE % i)]
        before = grad + "ReluGrad"
    nodes = list(dict.fromkeys(n for edge in edges for n in edge))
    lines = ["graph [", "  directed 1"]
    lines += ['  node [ id %d label "%s" ]' % (i, n) for i, n in enumerate(nodes)]
    lines += ["  edge [ source %d target %d ]" % (nodes.index(a), nodes.index(b)) for a, b in edges]
    return "\n".join(lines + ["]", ""])


def connections(r):
    links = "%d[1000] -> %d[1000] [receive] via NET/Socket/0,%d[1000] -> %d[1000] [send] via NET/Socket/0" % (
        1 - r, r, r, 1 - r)
    tree = "[0] 1/-1/-1->0->-1|-1->0->1/-1/-1" if r == 0 else "[0] -1/-1/-1->1->0|0->1->-1/-1/-1"
    return compact({"Tree": {"-1": tree}, "Ring": {"0": links}, "RealRing": {"0": links}, "displayTimeUnit": "ms"})


def main():
    ops, io, comm, detail = ([], []), ([], []), ([], []), ([], [])
    for r in range(2):
        comm[r].append(("QUEUE", [0], EPOCH - 500, EPOCH - 490))
    t = EPOCH
    for k in range(STEPS):
        t = step(k, t, ops, io, comm, detail)
    for r in range(2):
        off = SKEW[r]
        write(r, "trace.json.gz", profile(r, [(k, n, op, b + off, d) for k, n, op, b, d in ops[r]]))
        write(r, "io.json", compact({"traceEvents": [
            {"name": "I/O_0", "ph": "X", "ts": b + off, "dur": d, "cat": "I/O", "pid": "io", "tid": "I/O",
             "args": {"name": "I/O_0"}} for b, d in io[r]]}))
        write(r, "comm.json", timeline(r, [(w, g, b + off, e + off) for w, g, b, e in comm[r]]))
        write(r, "comm_detail.json", chunks(r, [(s, g, c, b + off, d) for s, g, c, b, d in detail[r]]))
        write(r, "nccl_rank_graph.json", connections(r))
    write(0, "dag.gml", graph())
    write(0, "gradient_name_list.json", compact({
        "gradient_name_list": ["gradient_tape/model/dense_%d/MatMul_1:0" % i for i in range(LAYERS)], "model_name": "small"}))
    meta = {}
    for i in range(LAYERS):
        gradient = "gradient_tape/model/dense_%d/MatMul_1" % i
        tensor = {"name": gradient + ":0", "shape": [8, 8 + i], "dtype": "float32"}
        meta[gradient] = {"op": "BW_MatMul", "input": [], "output": [tensor]}
        meta[UPDATE % i] = {"op": "ResourceApplyGradientDescent", "input": [tensor], "output": []}
    write(0, "metadata.json", compact(meta))


main()
