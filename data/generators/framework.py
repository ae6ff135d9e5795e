#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the small example traces of frameworks: framework.py OUTPUT-DIRECTORY. The same bytes every time."""
import json
import os
import sys

EPOCH = 1700000000000000


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="\n") as out:
        out.write(text)


def dump(path, events, **header):
    lines = ",\n".join(json.dumps(e) for e in events)
    head = "".join("%s: %s,\n" % (json.dumps(k), json.dumps(v)) for k, v in header.items())
    write(path, "{" + head + '"traceEvents": [\n' + lines + "\n]}\n")


def process(pid, name):
    return {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}


def thread(pid, tid, name):
    return {"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}}


# -- TensorFlow ------------------------------------------------------------------------------------

# name, type, inputs; "helper" has no name of an update but lies behind the sum of a gradient
OPS = [
    ("dense/MatMul", "MatMul", []),
    ("dense/Relu", "Relu", ["dense/MatMul"]),
    ("loss", "Mean", ["dense/Relu"]),
    ("gradients/loss_grad", "Mul", ["loss:0"]),
    ("side/Square", "Square", ["^gradients/loss_grad"]),
    ("gradients/dense/MatMul_grad", "MatMul", ["gradients/loss_grad"]),
    ("Optimizer_Allreduce/HorovodAllreduce.7_0", "HorovodAllreduce", ["gradients/dense/MatMul_grad"]),
    ("helper/Cast", "Cast", ["Optimizer_Allreduce/HorovodAllreduce.7_0"]),
    ("train/ApplyAdam", "ApplyAdam", ["helper/Cast"]),
]


def tensorflow(out, text_pids):
    names = ["Allocators", "/job:localhost/replica:0/task:0/device:CPU:0 Compute",
             "/job:localhost/replica:0/task:0/device:GPU:0 Compute", "/device:GPU:0/stream:all Compute",
             "/device:GPU:0/stream:12 Compute", "/device:GPU:0/memcpy Compute", "/device:GPU:0/stream:13 Compute",
             "/device:GPU:0/stream:all Tensors"]
    events = [] if text_pids else [process(i, n) for i, n in enumerate(names)]

    def pid(i):
        return names[i] if text_pids else i

    def op(where, tid, name, kind, ts, dur, inputs=()):
        args = {"name": name, "op": kind}
        args.update({"input%d" % k: v for k, v in enumerate(inputs)})
        events.append({"ph": "X", "cat": "Op", "name": kind, "pid": pid(where), "tid": tid, "ts": ts, "dur": dur,
                       "args": args})

    t = EPOCH
    for step in range(2):
        op(1, 0, "_SOURCE", "NoOp", t, 5)
        op(5, 0, "edge_1_x", "MEMCPYHtoD", t + 1, 3)
        op(6, 0, "edge_1_x", "MEMCPYHtoD", t + 1, 3)
        for k, (name, kind, inputs) in enumerate(OPS):
            at = t + 10 + 20 * k
            op(2, k % 2, name, kind, at, 6, inputs)
            for part in range(2 if kind == "Mean" else 1):
                op(3, 0, name, kind, at + 2 + 5 * part, 4 + k)
                op(4, 0, name, kind, at + 2 + 5 * part, 4 + k)
        op(4, 0, "only/here", "Kernel", t + 900, 7)
        start, end = t + 10 + 6, t + 30
        events.append({"ph": "s", "cat": "DataFlow", "name": "dense/MatMul", "pid": pid(2), "tid": 0, "ts": start,
                       "id": step})
        events.append({"ph": "t", "cat": "DataFlow", "name": "dense/MatMul", "pid": pid(2), "tid": 1, "ts": end,
                       "id": step})
        t += 1000
    events.append({"ph": "C", "cat": "Memory", "name": "GPU_0_bfc", "pid": pid(0), "ts": EPOCH, "args": {"bytes": 512}})
    events.append({"ph": "O", "cat": "Tensor", "name": "x", "pid": pid(7), "tid": 0, "ts": EPOCH, "id": 1,
                   "args": {"snapshot": {}}})
    dump(out, events)


def profiler(out):
    events = [process(1, "/device:GPU:0"), thread(1, 10, "Stream #17(Compute)"), thread(1, 11, "Stream #18(MemcpyH2D)"),
              thread(1, 20, "TensorFlow Ops"), process(701, "/host:CPU"), thread(701, 5, "python3")]
    for step in range(2):
        t = EPOCH + 1000 * step
        group = 5 + 2 * step
        for k, (name, kind) in enumerate([("model/dense/MatMul", "MatMul"), ("gradient_tape/model/dense/MatMul_1", "MatMul"),
                                          ("SGD/SGD/update_0/ResourceApplyGradientDescent", "ResourceApply")]):
            ts = t + 50 * k
            long_name = "StatefulPartitionedCall/%s:%s" % (name, kind)
            for part in range(2):
                events.append({"ph": "X", "pid": 1, "tid": 20, "name": kind, "ts": ts + 10 * part, "dur": 8.5,
                               "args": {"group_id": group, "long_name": long_name}})
            events.append({"ph": "X", "pid": 1, "tid": 10, "name": "kernel_%d" % k, "ts": ts, "dur": 18.125, "args": {}})
        events.append({"ph": "X", "pid": 1, "tid": 11, "name": "MemcpyH2D", "ts": t, "dur": 2, "args": {}})
        events.append({"ph": "X", "pid": 701, "tid": 5, "name": "std::launch::async", "ts": t, "dur": 300, "args": {}})
    dump(out, events + [{}], displayTimeUnit="ns", metadata={"highres-ticks": True})
    folder = os.path.dirname(out)
    write(os.path.join(folder, "gradient_name_list.json"),
          json.dumps({"gradient_name_list": ["gradient_tape/model/dense/MatMul_1:0"], "model_name": "mlp"}) + "\n")
    write(os.path.join(folder, "metadata.json"), json.dumps({
        "gradient_tape/model/dense/MatMul_1": {
            "op": "MatMul", "input": [],
            "output": [{"name": "gradient_tape/model/dense/MatMul_1:0", "shape": [64, 32], "dtype": "float32"}]},
        "SGD/SGD/update_0/ResourceApplyGradientDescent": {
            "op": "ResourceApplyGradientDescent",
            "input": [{"name": "gradient_tape/model/dense/MatMul_1:0", "shape": [64, 32], "dtype": "float32"}],
            "output": []}}, indent=1) + "\n")


# -- XLA's profiler --------------------------------------------------------------------------------------

def xprof(folder):
    def span(pid, tid, name, ts, dur, **args):
        return {"ph": "X", "pid": pid, "tid": tid, "ts": ts, "dur": dur, "name": name} | ({"args": args} if args else {})

    def lines(pid, name, *threads):
        return [process(pid, name)] + [thread(pid, tid, text) for tid, text in threads]

    def host(step, at):
        return [span(701, 5, "train", at, 900, step_num=str(step)), span(701, 5, "PjitFunction(step)", at + 10, 200)]

    # A GPU: kernels on the line of a stream; steps, modules, scopes and operations name them.
    gpu = lines(1, "/device:GPU:0", (1, "Steps"), (2, "XLA Modules"), (3, "XLA Ops"), (4, "Framework Name Scope"),
                (20, "Stream #20(Compute,MemcpyH2D)")) + lines(701, "/host:CPU", (5, "python"))
    for step in range(2):
        t = 1000.0 * step
        gpu += host(step, t)
        gpu.append(span(1, 1, str(step), t + 100, 700, group_id=str(step)))
        gpu.append(span(1, 2, "jit_step(7)", t + 100, 650, run_id=str(step), program_id="7"))
        gpu.append(span(1, 4, "jit(step)", t + 100, 600))
        for k, (hlo, kernel, dur) in enumerate((("dot.3", "ampere_sgemm_128x64_nn", 300.25),
                                                ("all-reduce.1", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 200))):
            number = str(100 + 10 * step + k)
            told = {"correlation_id": number, "hlo_op": hlo, "hlo_module": "jit_step"}
            gpu.append(span(701, 5, "cuLaunchKernel", t + 20 + 10 * k, 5, correlation_id=number))
            gpu.append(span(1, 20, kernel, t + 120 + 310 * k, dur, kernel_details="regs:32 grid:4,1,1", **told))
            gpu.append(span(1, 3, hlo, t + 120 + 310 * k, dur, **told))
        gpu.append(span(701, 5, "cuMemcpyHtoDAsync_v2", t + 15, 2, correlation_id=str(105 + 10 * step)))
        gpu.append(span(1, 20, "MemcpyH2D", t + 105, 10, correlation_id=str(105 + 10 * step),
                        memcpy_details="kind_src:pinned kind_dst:device size:4096 dest:0 async:1"))
    dump(os.path.join(folder, "gpu.trace.json"), gpu + [{}], displayTimeUnit="ns", metadata={"highres-ticks": True})

    # A TPU has no streams: its operations are what it did.
    tpu = lines(1, "/device:TPU:0", (1, "Steps"), (2, "XLA Modules"), (3, "XLA Ops"))
    for step in range(2):
        t = 1000.0 * step
        tpu.append(span(1, 1, str(step), t, 500))
        tpu.append(span(1, 2, "jit_step(7)", t, 480))
        tpu.append(span(1, 3, "fusion.5", t + 10, 300, hlo_category="loop fusion", **{"bytes accessed": "4096"}))
        tpu.append(span(1, 3, "all-reduce.1", t + 320, 100.5, hlo_category="all-reduce"))
    dump(os.path.join(folder, "tpu.trace.json"), tpu + [{}], displayTimeUnit="ns", metadata={"highres-ticks": True})

    # The CPU: operations run on threads of the host.
    cpu = lines(701, "/host:CPU", (5, "python"), (6, "tf_XLAEigen/123"))
    for step in range(2):
        cpu += host(step, 1000.0 * step)
        cpu.append(span(701, 5, "$api.py:12 step", 1000.0 * step + 5, 400))
        cpu.append(span(701, 6, "dot", 1000.0 * step + 300, 250, hlo_op="dot", hlo_module="jit_step", run_id=str(step)))
    dump(os.path.join(folder, "cpu.trace.json"), cpu + [{}], displayTimeUnit="ns", metadata={"highres-ticks": True})


# -- MXNet -------------------------------------------------------------------------------------------

BIG = 3060606181218273969
TID = 17343844709549807314

SYMBOL = """Symbol Outputs:
\toutput[0]=softmax(0)
Variable:data
Variable:conv0_weight
--------------------
Op:Convolution, Name=conv0_fwd
Inputs:
\targ[0]=data(0) version=0
\targ[1]=conv0_weight(0) version=0
--------------------
Op:Pooling, Name=pool0_fwd
Inputs:
\targ[0]=conv0_fwd(0)
Variable:softmax_label
--------------------
Op:SoftmaxOutput, Name=softmax
Inputs:
\targ[0]=pool0_fwd(0)
\targ[1]=softmax_label(0) version=0
"""


def mxnet(out, symbol):
    events = [process(0, "cpu/0"), process(32, "gpu/0"), process(849786139768988538, "MXNET_C_API"),
              process(BIG, "operator"), process(9785678402843609691, "Device Storage")]

    def op(name, ts, dur, told_twice=True):
        rest = {"cat": "operator", "tid": TID}
        if told_twice is not None:
            events.append(dict(rest, ph="B", name=name, ts=ts, pid=32))
            events.append(dict(rest, ph="E", name=name, ts=ts + dur, pid=32))
        if told_twice is not False:
            events.append(dict(rest, ph="b", name=name, ts=ts + 1, pid=BIG, id=TID))
            events.append(dict(rest, ph="e", name=name, ts=ts + dur - 1, pid=BIG, id=TID))

    t = EPOCH
    for step in range(2):
        op("CopyCPU2GPU", t, 10)
        op("conv0_fwd", t + 20, 30)
        op("conv0_fwd", t + 52, 8)
        op("pool0_fwd", t + 70, 20)
        op("softmax", t + 95, 10)
        op("mean", t + 110, 5)
        op("copy_loss", t + 120, 6)
        op("softmax_backward", t + 140, 12)
        op("pool0_backward", t + 160, 20)
        op("conv0_backward", t + 190, 40)
        op("add_n", t + 235, 5)
        op("dot", t + 245, 5)
        op("sgd_mom_update", t + 260, 7)
        op("sgd_mom_update", t + 270, 7)
        op("DeleteVariable", t + 280, 3, told_twice=False)
        t += 400
    op("late_imperative", t, 9, told_twice=None)
    api = {"cat": "MXNET_C_API", "pid": 849786139768988538, "tid": 5}
    for k, name in enumerate(["MXImperativeInvokeEx", "MXNDArrayWaitAll"]):
        events.append(dict(api, ph="C", name="MXNet C API Calls", ts=EPOCH + 10 * k, args={"MXNet C API Calls": k + 1}))
        events.append(dict(api, ph="b", name=name, ts=EPOCH + 10 * k, id=5))
        events.append(dict(api, ph="e", name=name, ts=EPOCH + 10 * k + 8, id=5))
    dump(out, events, displayTimeUnit="ms")
    if not symbol:
        return
    folder = os.path.dirname(out)
    write(os.path.join(folder, "symbol_debug_str.txt"), SYMBOL)
    write(os.path.join(folder, "gradient_name_list.txt"),
          "conv0_weight;shape=(8, 3, 3, 3);dtype=float16\nconv0_bias;shape=(8,);dtype=float16\nfc_weight\nfc_bias\n")
    write(os.path.join(folder, "info.json"), json.dumps({"opt_aggregate_num": 2}) + "\n")


# -- Horovod, NCCL -----------------------------------------------------------------------------------

def horovod(folder):
    stock = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": EPOCH}},
             process(1, "DistributedOptimizer_Allreduce/HorovodAllreduce_grads_0"),
             {"name": "process_sort_index", "ph": "M", "pid": 1, "args": {"sort_index": 1}}]
    for k in range(2):
        t = 100 + 500 * k
        for name, at, dur in (("NEGOTIATE_ALLREDUCE", t, 60), ("ALLREDUCE", t + 70, 200)):
            stock.append({"ph": "B", "name": name, "ts": at, "pid": 1})
            if name == "NEGOTIATE_ALLREDUCE":
                stock += [{"ph": "X", "name": str(r), "ts": at + 10 * r, "pid": 1, "dur": 0} for r in range(2)]
            else:
                stock.append({"ph": "B", "name": "QUEUE", "ts": at + 1, "pid": 1})
                stock.append({"ph": "E", "ts": at + 20, "pid": 1})
            stock.append({"ph": "E", "ts": at + dur, "pid": 1})
        stock.append({"ph": "i", "name": "CYCLE_START", "ts": t + 300, "pid": 0, "s": "g"})
    # A timeline that was cut: no closing bracket, a comma at the end.
    write(os.path.join(folder, "stock.json"), "[\n" + ",\n".join(json.dumps(e) for e in stock) + ",\n")

    patched = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": EPOCH}},
               process(1, "Sync"), process(2, "Tape_Allreduce/HorovodAllreduce.10_0"),
               process(3, "Tape_Allreduce/HorovodAllreduce.9_0")]
    for k in range(2):
        t = EPOCH + 1000 * k
        patched += [{"ph": "B", "name": n, "ts": t, "pid": 1} for n in ("10", "none", "9")]
        patched += [{"ph": "E", "ts": t + e, "pid": 1} for e in (40, 41, 42)]
        for pid in (2, 3):
            for n, (name, at, dur) in enumerate((("QUEUE", 50, 10), ("MEMCPY_IN_FUSION_BUFFER", 61, 9),
                                                 ("NCCL_ALLREDUCE", 71, 100), ("MEMCPY_OUT_FUSION_BUFFER", 172, 8))):
                patched.append({"ph": "B", "name": name, "ts": t + at, "pid": pid})
                patched.append({"ph": "E", "ts": t + at + dur, "pid": pid})
    write(os.path.join(folder, "patched.json"), "[\n" + ",\n".join(json.dumps(e) for e in patched) + "\n]\n")


def nccl(out):
    events = []
    for chunk in range(2):
        for sub_op, shift in (("SEND", 0), ("RECV", 12)):
            name = "Tape_Allreduce.10<<3>>+9.%s" % sub_op
            events.append({"ph": "X", "name": name, "pid": "comm_detail_r3_lr1", "tid": "none", "cat": "Comm",
                           "ts": EPOCH + 100 * chunk + shift, "dur": 10,
                           "args": {"name": name, "chunkId": chunk, "sliceId": 0, "channelId": 1, "loopId": 0}})
    events.append({"ph": "i", "name": "Tape_Allreduce.10+9.SEND", "pid": "comm_detail_r3_lr1", "tid": "none", "s": "p",
                   "ts": EPOCH + 300})
    dump(out, events, displayTimeUnit="ms")


# The example profiler plugin as NCCL 2.28 has it: a tree in the order of the file, words without quotes, times that
# were never taken as 0, and kernels that all have id 0.
def nccl_profiler(folder, rank):
    pid = 4000 + rank
    lines = ["["]

    def line(name, cat, ph, number, us, args=None):
        told = ', "args": {%s}' % args if args else ""
        lines.append('{"name": "%s", "cat": "%s", "ph": "%s", "id": %d, "pid": %d, "tid": 1, "ts": %.6f%s},' %
                     (name, cat, ph, number, pid, us, told))

    def proxy(number, side, at, wait):
        op = '"Channel": 0, "Peer": %d, "Steps": 1, "ChunkSize": 131072, "transSize": 65536' % (1 - rank)
        line("Schedule" + side, "PROXY", "b", number, at, op)
        line("Schedule" + side, "PROXY", "e", number, at + 10)
        line("Progress" + side, "PROXY", "b", number, at + 10, op)
        for k, step in enumerate(wait):
            line(step, "NET", "b", number, at + 20 + 10 * k, '"Step": 0')
            line(step, "NET", "e", number, at + 30 + 10 * k)
        line("Progress" + side, "PROXY", "e", number, at + 60)

    stream = "0x7f5200aa0000" if rank == 0 else "(nil)"
    line("Group API", "GROUP_API", "b", 0, 100, '"groupApiId": 0, "groupDepth":1')
    line("KernelLaunch", "KERNEL_LAUNCH", "b", 0, 0, '"groupId": 0, "Stream": ' + stream)
    line("KernelLaunch", "KERNEL_LAUNCH", "e", 0, 115)
    line("AllReduce", "COLL_API", "b", 0, 0,
         '"count": 1024, "datatype": ncclFloat32, "root": 0, "GraphCaptured":0, "Stream": ' + stream)
    line("AllReduce", "COLL", "b", 0, 110,
         '"SeqNum": 0, "CommHash": 12379813738877118345, "Rank": %d, "Count": 1024, "Datatype": "ncclFloat32", '
         '"Algorithm": "RING", "Protocol": "LL", "nChannels": 2' % rank)
    line("KernelCh", "GPU", "b", 0, 120, '"Channel": 0, "StartGpuClk": 1000, "StopGpuClk": 2000')
    proxy(0, "Send", 130, ("SendGpuWait", "SendPeerWait", "SendWait"))
    line("KernelCh", "GPU", "e", 0, 240)
    line("KernelCh", "GPU", "b", 0, 125, '"Channel": 1, "StartGpuClk": 1005, "StopGpuClk": 2050')
    proxy(1, "Recv", 135, ("RecvWait", "RecvFlushWait", "RecvGpuWait"))
    line("KernelCh", "GPU", "e", 0, 250)
    line("AllReduce", "COLL", "e", 0, 300)
    line("AllReduce", "COLL_API", "e", 0, 310)
    line("Group API", "GROUP_API", "e", 0, 320)
    line("Idle", "PROXY", "b", 0, 400)
    line("Idle", "PROXY", "e", 0, 0)
    lines.append("{}]\n")
    write(os.path.join(folder, "dump_12379813738877118345_%d.json" % rank), "\n".join(lines))


# -- BytePS --------------------------------------------------------------------------------------------

def byteps(folder):
    worker = []
    for k in range(2):
        t = EPOCH + 500 * k
        worker.append({"ph": "X", "name": "Comm.byteps.gradient_0", "cat": "Comm", "pid": "Comm.byteps.gradient_0",
                       "tid": "total", "ts": t, "dur": 400})
        for key in ("65536", "65537"):
            for n, op in enumerate(("COPYD2H", "PUSH", "PULL", "COPYH2D")):
                worker.append({"ph": "X", "name": "Comm.byteps.gradient_0." + op, "cat": "Comm",
                               "pid": "Comm.byteps.gradient_0", "tid": key, "ts": t + 10 + 90 * n, "dur": 80})
    dump(os.path.join(folder, "worker.json"), worker, displayTimeUnit="ms")
    write(os.path.join(folder, "key_dict.txt"), "byteps.gradient_0: 65536 65537\nbyteps.gradient_1: 131072\n")

    links, comm = ["worker_0 -> server_0", "server_0 -> worker_0", "worker_1 -> server_0", "server_0 -> worker_1"], []
    comm += [process(i, n) for i, n in enumerate(links)]
    for pid in range(4):
        # Requests overlap: the second of a kind begins before the first ends. Pushes have an initial one.
        for op, base, n in (("PUSH", 0, 3), ("PULL", 500, 2)):
            for k in range(n):
                t = EPOCH + base + 1000 * k + 7 * pid
                comm.append({"ph": "B", "name": "byteps.3_4~PART0." + op, "pid": pid, "tid": 0, "ts": t})
                comm.append({"ph": "E", "name": "byteps.3_4~PART0." + op, "pid": pid, "tid": 0, "ts": t + 1200})
    dump(os.path.join(folder, "comm_timeline.json"), comm, displayTimeUnit="ms")

    server = [process(0, "server_0")]
    for k in range(2):
        t = EPOCH + 300 + 1000 * k
        for tid, (op, at) in enumerate((("COPY_FIRST", 0), ("SUM", 100), ("SUM", 200), ("COPY_MERGED", 300))):
            server.append({"ph": "B", "name": "byteps.3_4.%s" % op, "pid": 0, "tid": tid // 2, "ts": t + at})
            server.append({"ph": "E", "name": "byteps.3_4.%s" % op, "pid": 0, "tid": tid // 2, "ts": t + at + 50})
    dump(os.path.join(folder, "server_timeline.json"), server, displayTimeUnit="ms")


def main():
    out = sys.argv[1]
    tensorflow(os.path.join(out, "tensorflow", "timeline.json"), False)
    tensorflow(os.path.join(out, "tensorflow", "timeline-names.json"), True)
    profiler(os.path.join(out, "tensorflow-profiler", "trace.json"))
    xprof(os.path.join(out, "xprof"))
    mxnet(os.path.join(out, "mxnet", "temp.json"), True)
    mxnet(os.path.join(out, "mxnet-imperative", "dump.json"), False)
    horovod(os.path.join(out, "horovod"))
    nccl(os.path.join(out, "nccl", "comm_detail.json"))
    nccl_profiler(os.path.join(out, "nccl-profiler"), 0)
    nccl_profiler(os.path.join(out, "nccl-profiler"), 1)
    byteps(os.path.join(out, "byteps"))


main()
