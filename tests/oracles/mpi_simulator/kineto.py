# SPDX-License-Identifier: Apache-2.0
"""Traces as the profiler of PyTorch writes them, rank0.json ...: a rank is a GPU. What it computes are kernels on one
stream, its collectives kernels of NCCL on another, from its own entry to its end; the host launches each a little before.
In the truth of such a run a span is the number of the kernel on its rank, and a call path the name of the kernel."""
import json
import os

COMPUTE, NCCL = 7, 20
NAMES = {"allreduce": ("allreduce", "all_reduce", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
         "alltoall": ("all_to_all", "all_to_all", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)")}
CALLS = {f"MPI_{kind.capitalize()}()": names for kind, names in NAMES.items()}
LEAD_NS = 3000  # of the host


def kernel_name(name):
    return CALLS[name][2] if name in CALLS else name


def group(collective, names):
    members = collective.members
    return {"Collective name": CALLS[collective.entered[members[0]].name][0], "In msg nelems": collective.size // 4,
            "Out msg nelems": collective.size // 4, "Group size": len(members), "dtype": "Float", "In split size": "[]",
            "Out split size": "[]", "Process Group Name": str(collective.comm),
            "Process Group Description": names[collective.comm], "Process Group Ranks": json.dumps(members)}


class Trace:
    def __init__(self, rank, clock, base_ns, resolution_ns):
        self.rank, self.clock, self.base_ns, self.resolution_ns = rank, clock, base_ns, resolution_ns
        self.events, self.host, self.device = [], 1000 + rank.number, rank.number % 8

    def ticks(self, true_ns):
        return (self.clock.reads(true_ns) - self.base_ns) // self.resolution_ns * self.resolution_ns

    def us(self, ns):
        return float(f"{ns // 1000}.{ns % 1000:03d}")

    def span(self, cat, name, begin, end, tid=None, **args):
        begin, end = self.ticks(begin), self.ticks(end)
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": self.host if tid is None else self.device,
                            "tid": self.host if tid is None else tid, "ts": self.us(begin),
                            "dur": self.us(end - begin), "args": args})

    def name(self, name, pid, tid, text):
        self.events.append({"ph": "M", "name": name, "pid": pid, "tid": tid, "ts": self.us(self.ticks(0)), "args": {"name": text}})

    def launch(self, number, name, begin, end, stream, **args):
        self.span("cuda_runtime", "cudaLaunchKernel", begin - LEAD_NS + 500, begin - LEAD_NS + 1500,
                  **{"External id": number, "cbid": 211, "correlation": number})
        flow = {"id": number, "cat": "ac2g", "name": "ac2g"}
        self.events.append({"ph": "s", **flow, "pid": self.host, "tid": self.host,
                            "ts": self.us(self.ticks(begin - LEAD_NS + 500))})
        self.span("kernel", name, begin, end, stream, **{"External id": number, "queued": 0, "device": self.device,
                  "context": 1, "stream": stream, "correlation": number, "grid": [132, 1, 1], "block": [256, 1, 1]}, **args)
        self.events.append({"ph": "f", **flow, "pid": self.device, "tid": stream, "ts": self.us(self.ticks(begin)), "bp": "e"})

    def fill(self, names):
        for pid, label in ((self.host, "CPU"), (self.device, f"GPU {self.device}")):
            self.name("process_name", pid, 0, "python")
            self.events.append({"ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "ts": self.us(self.ticks(0)),
                                "args": {"labels": label}})
        self.name("thread_name", self.host, self.host, f"thread {self.host} (python)")
        for stream in (COMPUTE, NCCL):
            self.name("thread_name", self.device, stream, f"stream {stream} ")
        calls = {call.segment: call for call in self.rank.calls}
        for number, (begin, end, path, is_mpi) in enumerate(self.rank.segments):
            host = begin - LEAD_NS, begin - LEAD_NS + 2000
            name, args = path[-1], {"External id": number + 1}
            if not is_mpi:
                self.span("cpu_op", "aten::" + name, *host, **args)
                self.launch(number + 1, name, begin, end, COMPUTE)
                continue
            collective = calls[number].collective
            params = group(collective, names)
            self.span("cpu_op", "record_param_comms", *host, **args, **{"Seq": collective.number, **params})
            self.span("user_annotation", "nccl:" + CALLS[name][1], *host, **args)
            self.launch(number + 1, kernel_name(name), begin, end, NCCL, **params)


def write(run, clocks, resolution_ns, folder, names, _hosts):
    for rank, clock in zip(run.ranks, clocks):
        base_ns = clock.epoch_ns - 1_000_000_000
        trace = Trace(rank, clock, base_ns, resolution_ns)
        trace.fill(names)
        groups = [{"pg_name": str(n), "pg_desc": name, "backend_config": "cuda:nccl", "pg_size": len(members), "ranks": members}
                  for n, (name, members) in enumerate(zip(names, run.comms)) if rank.number in members]
        whole = {"schemaVersion": 1, "deviceProperties": [{"id": trace.device, "name": "NVIDIA H100 80GB HBM3"}],
                 "distributedInfo": {"backend": "nccl", "rank": rank.number, "world_size": len(run.ranks),
                                     "pg_count": len(groups), "pg_config": groups, "nccl_version": "2.19.3"},
                 "displayTimeUnit": "ms", "baseTimeNanoseconds": base_ns, "traceEvents": trace.events}
        with open(os.path.join(folder, f"rank{rank.number}.json"), "w", encoding="ascii") as f:
            json.dump(whole, f, separators=(",", ":"))


def rename(run, truth):
    """the truth in terms of such a trace"""
    segments = [{call.span: call.segment for call in rank.calls} for rank in run.ranks]
    for wait in truth["waits"]:
        wait.update(span=segments[wait["rank"]][wait["span"]], name=kernel_name(wait["name"]),
                    cause_span=segments[wait["because_of"]][wait["cause_span"]])
        del wait["leave"]
    for row in truth["delays"] + truth["critical_path"]:
        row["path"] = [kernel_name(row["path"][-1])]
    for row in truth["critical_path"]:
        row["name"] = row["path"][0]
    for row in truth["collectives"]:
        members = truth["communicators"][row["comm"]]["members"]
        row["spans"] = [segments[rank][span] for rank, span in zip(members, row["spans"])]
        row["done"] = [segments[rank][span] for rank, span in zip(members, row["done"])]
    return truth
