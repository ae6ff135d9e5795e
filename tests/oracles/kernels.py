# SPDX-License-Identifier: Apache-2.0
"""What ran on the device, and who launched it, from one Kineto trace.

usage: kernels.py FILE.json --report kern|mem_time|mem_size|api|stream|operator|launch|queue|bandwidth|gpu|api_gpu|nvtx|
                               annotation|grid|gb|exec|collectives
       kernels.py --self-test

kern, mem_time, mem_size, api: the columns of nsys' cuda_gpu_kern_sum, cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum
(bytes) and cuda_api_sum. Times are nanoseconds, StdDev is the sample's (0 for one). Copies are told apart by direction.
stream: per stream, union = time in which something ran. operator: device time by the innermost cpu_op on the launching
thread that the API call begins in, else by "External id". launch: device begin - API end (0 if negative: "gap") and
device begin - API begin ("delay"). queue: per stream, how many of its spans have been launched and have not ended, at
each launch, the new one included. gpu, api_gpu, nvtx (annotations of PyTorch), gb, exec: nsys' cuda_gpu_sum,
cuda_api_gpu_sum, nvtx_sum, cuda_gpu_kern_gb_sum, cuda_kern_exec_sum. annotation: the work whose call lies within an
annotation of that name on the call's thread, and that whose innermost annotation (the last to begin) has it. grid:
kernels by name and all that their arguments say of the launch. bandwidth: NCCL's bus bandwidth, bytes per nanosecond = GB/s.
"""
import argparse
import re
import sys
from bisect import bisect_right
from fractions import Fraction

from trace_spans import API_CATS, Span, Trace, by, link, load_kineto, natural, total, union, write

STATS = ["Avg", "Med", "Min", "Max", "StdDev"]
DIRECTION = {"HtoD": "Host-to-Device", "DtoH": "Device-to-Host", "DtoD": "Device-to-Device", "PtoP": "Peer-to-Peer",
             "HtoH": "Host-to-Host", "AtoH": "Array-to-Host", "HtoA": "Host-to-Array", "AtoA": "Array-to-Array",
             "AtoD": "Array-to-Device", "DtoA": "Device-to-Array"}
SIZES = {"float": 4, "double": 8, "half": 2, "bfloat16": 2, "byte": 1, "char": 1, "bool": 1, "int": 4, "long": 8,
         "short": 2, "float8_e4m3fn": 1, "float8_e5m2": 1, "complexfloat": 8, "complexdouble": 16}


def stats(xs):
    """Avg, Med, Min, Max, StdDev."""
    xs, n, s = sorted(xs), len(xs), sum(xs)
    med = (xs[(n - 1) // 2] + xs[n // 2]) / 2
    var = Fraction(n * sum(x * x for x in xs) - s * s, n * (n - 1)) if n > 1 else 0
    return [s / n, med, xs[0], xs[-1], float(var) ** 0.5]


def summary(groups):
    """Rows of a summary by name, the longest total first."""
    everything = sum(map(sum, groups.values()))
    for name, xs in sorted(groups.items(), key=lambda p: (-sum(p[1]), p[0])):
        yield [sum(xs) * 100 / everything if everything else None, sum(xs), len(xs), *stats(xs), name]


def lengths(spans, key):
    return {k: [s.length for s in v] for k, v in by(spans, key).items()}


def direction(span):
    if span.kind == "gpu_memset":
        return "[CUDA memset]"
    m = re.search(r"\b([A-Z]to[A-Z])\b", span.name)
    return f"[CUDA memcpy {DIRECTION.get(m.group(1), m.group(1)) if m else span.name}]"


def copies(t):
    return [s for s in t.device if s.kind in ("gpu_memcpy", "gpu_memset")]


def kern(t):
    return summary(lengths([s for s in t.device if s.kind == "kernel"], lambda s: s.name))


def mem_time(t):
    return summary(lengths(copies(t), direction))


def mem_size(t):
    """A copy whose size the trace does not have is counted aside."""
    for name, spans in sorted(by(copies(t), direction).items()):
        xs = [int(s.args["bytes"]) for s in spans if s.args.get("bytes") is not None]
        yield [sum(xs), len(xs), *(stats(xs) if xs else [None] * 5), name, len(spans) - len(xs)]


def api(t):
    return summary(lengths([s for s in t.host if s.kind in API_CATS], lambda s: s.name))


def stream(t):
    for name, spans in sorted(by(t.device, lambda s: s.thread).items(), key=lambda p: natural(p[0])):
        kinds = [sum(s.kind == k for s in spans) for k in ("kernel", "gpu_memcpy", "gpu_memset")]
        work = [s for s in spans if s.category != "SYNC"]
        yield [name, *kinds, sum(s.length for s in work), total(union(work))]


class Operators:
    """The cpu_ops of a trace: the innermost around a moment on a thread, and by external id."""

    def __init__(self, host):
        ops = [s for s in host if s.kind == "cpu_op"]
        self.threads = by(sorted(ops, key=lambda s: (s.begin, -s.end)), lambda s: s.thread)
        self.begins = {k: [s.begin for s in v] for k, v in self.threads.items()}
        self.external = {s.args["External id"]: s for s in ops if "External id" in s.args}

    def around(self, call):
        ops = self.threads.get(call.thread, [])
        for i in range(bisect_right(self.begins.get(call.thread, []), call.begin) - 1, -1, -1):
            if call.begin < ops[i].end:
                return ops[i]
        return None

    def of(self, span):
        """The operator and how it was found."""
        if span.api and (op := self.around(span.api)):
            return op.name, "thread"
        op = self.external.get(span.args.get("External id"))
        return (op.name, "external id") if op else ("", "none")


def work(t):
    return [s for s in t.device if s.category != "SYNC"]


def operator(t):
    ops = Operators(t.host)
    for (name, how), spans in sorted(by(work(t), ops.of).items()):
        yield [name, how, len(spans), sum(s.length for s in spans)]


def launch(t):
    known = [s for s in work(t) if s.api]
    groups = sorted(by(known, lambda s: s.thread).items(), key=lambda p: natural(p[0])) + [("all", known)]
    for name, spans in groups:
        if spans:
            gaps, delays = [max(0, s.begin - s.api.end) for s in spans], [s.begin - s.api.begin for s in spans]
            yield [name, len(spans), *(f(z) for z in (gaps, delays) for f in (min, lambda x: sum(x) / len(x), max))]


def queue(t):
    known = [s for s in work(t) if s.api]
    for name, spans in sorted(by(known, lambda s: s.thread).items(), key=lambda p: natural(p[0])):
        launches, ends = sorted(s.launch for s in spans), sorted(s.end for s in spans)
        xs = [bisect_right(launches, s.launch) - bisect_right(ends, s.launch) for s in spans]
        yield [name, len(xs), min(xs), sum(xs) / len(xs), max(xs)]


def bus(span):
    """Collective, ranks, the bytes S and the factor of nccl-tests' PERFORMANCE.md. S is the whole buffer: an
    all-gather's is what a rank ends up with, the others' is what it puts in."""
    a = span.args
    name, n = str(a.get("Collective name", "")).lower().strip("_"), a.get("Group size")
    size = SIZES.get(str(a.get("dtype", "")).lower())
    if not name or not n or size is None or a.get("In msg nelems") is None:
        return None
    n, s = int(n), int(a["In msg nelems"]) * size
    if "allreduce" in name or "all_reduce" in name:
        return name, n, s, Fraction(2 * (n - 1), n)
    if "gather" in name and "all" in name:
        return name, n, s * n, Fraction(n - 1, n)
    if any(k in name for k in ("reduce_scatter", "reducescatter", "all_to_all", "alltoall")):
        return name, n, s, Fraction(n - 1, n)
    return (name, n, s, Fraction(1)) if any(k in name for k in ("broadcast", "reduce", "send", "recv")) else None


def bandwidth(t):
    for s in sorted((s for s in t.device if s.category == "COMM"), key=lambda s: s.begin):
        if (b := bus(s)) and s.length:
            yield [s.begin, s.length, s.thread, *b[:3], b[2] / s.length, float(b[2] * b[3] / s.length)]


def gpu(t, with_api=False):
    """Kernels, copies, calls in one table; the name carries its category."""
    groups = {("CUDA_KERNEL", k): v for k, v in lengths([s for s in t.device if s.kind == "kernel"], lambda s: s.name).items()}
    groups |= {("MEMORY_OPER", k): v for k, v in lengths(copies(t), direction).items()}
    if with_api:
        groups |= {("CUDA_API", k): v for k, v in lengths([s for s in t.host if s.kind in API_CATS], lambda s: s.name).items()}
    for row in summary(groups):
        yield [*row[:-1], " ".join(row[-1])]


def annotations_of(t):
    return [s for s in t.host if s.kind == "user_annotation"]


def nvtx(t):
    return summary(lengths(annotations_of(t), lambda s: s.name))


def annotation(t):
    ranges = by(annotations_of(t), lambda s: s.name)
    threads = by(annotations_of(t), lambda s: s.thread)
    device, own, n = dict.fromkeys(ranges, 0), dict.fromkeys(ranges, 0), dict.fromkeys(ranges, 0)
    for s in work(t):
        inside = [a for a in threads.get(s.api.thread, []) if a.begin <= s.api.begin and s.api.end <= a.end] if s.api else []
        for name in {a.name for a in inside}:
            device[name] += s.length
            n[name] += 1
        if inside:
            own[max(inside, key=lambda a: (a.begin, -a.end)).name] += s.length
    everything = sum(s.length for s in work(t))
    for name, spans in sorted(ranges.items()):
        yield [device[name] * 100 / everything if everything else None, device[name], own[name], n[name], len(spans),
               sum(s.length for s in spans), name]


def triple(args, key):
    xs = args.get(key)
    return "x".join(map(str, xs)) if isinstance(xs, list) and len(xs) == 3 else ""


def grid(t):
    def config(s):
        a = s.args
        occupancy = a.get("est. achieved occupancy %")
        return (s.name, triple(a, "grid"), triple(a, "block"), str(a.get("registers per thread", "")),
                str(a.get("shared memory", "")), "" if occupancy is None else str(float(occupancy)))
    for row in summary(lengths([s for s in t.device if s.kind == "kernel"], config)):
        yield [*row[:-1], "|".join(row[-1])]


def gb(t):
    def config(s):
        return s.name, *(" ".join("%4d" % x for x in s.args[k]) if triple(s.args, k) else "" for k in ("grid", "block"))
    for row in summary(lengths([s for s in t.device if s.kind == "kernel"], config)):
        yield [*row[:-1], "|".join(row[-1])]


def launched(t):
    """TID, device, call and kernel of each row, and four spreads: total, call, queue, kernel."""
    known = [s for s in t.device if s.kind == "kernel" and s.api]
    for key, spans in by(known, lambda s: (s.api.thread.split("/")[1], s.thread.split("/")[0], s.api.name, s.name)).items():
        queues = [s.begin - s.api.end for s in spans if s.begin > s.api.end]
        columns = [stats([max(s.end, s.api.end) - s.api.begin for s in spans]), stats([s.api.length for s in spans]),
                   stats(queues) if queues else [None] * 5, stats([s.length for s in spans])]
        yield ["|".join(key), len(spans), len(queues), *(x for c in columns for x in c)]


def collectives(t):
    """Kernels of collectives by name, of one rank. What is gathered is known only of gatherings that say it."""
    for name, spans in sorted(by([s for s in t.device if s.kind == "kernel" and s.args.get("Collective name")], lambda s: s.name).items()):
        sized = [(s, *bus(s)[2:]) for s in spans if bus(s) and s.length and
                 ("gather" not in bus(s)[0] or s.args.get("Out msg nelems") is not None)]
        size, least = sum(x[1] for x in sized), sum(x[0].length for x in sized)
        yield [sum(s.length for s in spans), len(spans), len(sized), size if sized else None, least if sized else None,
               size / least if sized else None, float(sum(x[1] * x[2] for x in sized) / least) if sized else None, name]


TIMES = ["Time (%)", "Total Time (ns)", "Instances", *(f"{x} (ns)" for x in STATS)]
REPORTS = {
    "kern": (kern, [*TIMES, "Name"]), "mem_time": (mem_time, [*TIMES, "Operation"]),
    "mem_size": (mem_size, ["Total", "Count", *STATS, "Operation", "unknown"]),
    "api": (api, [*TIMES[:2], "Num Calls", *TIMES[3:], "Name"]),
    "stream": (stream, ["stream", "kernels", "copies", "sets", "total", "union"]),
    "operator": (operator, ["operator", "found_by", "count", "device_time"]),
    "launch": (launch, ["stream", "count", "gap_min", "gap_avg", "gap_max", "delay_min", "delay_avg", "delay_max"]),
    "queue": (queue, ["stream", "launches", "min", "mean", "max"]),
    "gpu": (gpu, [*TIMES, "Operation"]), "api_gpu": (lambda t: gpu(t, True), [*TIMES, "Operation"]),
    "nvtx": (nvtx, [*TIMES, "Range"]), "grid": (grid, [*TIMES, "config"]), "gb": (gb, [*TIMES, "config"]),
    "annotation": (annotation, ["device %", "device", "own", "work", "count", "host", "annotation"]),
    "exec": (launched, ["key", "Count", "QCount", *(f"{k}{x} (ns)" for k in "TAQK" for x in STATS)]),
    "collectives": (collectives, ["total", "count", "sized", "bytes", "least", "alg", "bus", "name"]),
    "bandwidth": (bandwidth, ["begin", "length", "stream", "collective", "ranks", "bytes", "algbw", "busbw"])}


def self_test():
    def host(b, e, kind, name, corr=None, ext=None, thread="1/1"):
        args = {k: v for k, v in (("correlation", corr), ("External id", ext)) if v is not None}
        return Span(0, thread, False, b, e, "", name, kind=kind, args=args)

    def dev(b, e, corr, name="k", kind="kernel", cat="COMP", **args):
        return Span(0, "0/7", True, b, e, cat, name, kind=kind, args={"correlation": corr, **args})

    spans = [dev(10, 20, 1), dev(20, 50, 2),
             dev(50, 52, 3, "Memcpy HtoD (Pinned -> Device)", "gpu_memcpy", "MEM", bytes=8),
             dev(60, 70, 9, "j", **{"External id": 5})]
    calls = [host(0, 100, "cpu_op", "outer"), host(4, 8, "cpu_op", "inner", ext=5), host(5, 7, "cuda_runtime", "L", 1),
             host(9, 25, "cuda_runtime", "L", 2), host(20, 21, "cuda_runtime", "C", 3)]
    t = Trace(0, spans, calls)
    link(spans, calls)
    assert list(kern(t)) == [[80.0, 40, 2, 20.0, 20.0, 10, 30, 200 ** 0.5, "k"],
                             [20.0, 10, 1, 10.0, 10.0, 10, 10, 0.0, "j"]]
    assert list(mem_size(t)) == [[8, 1, 8.0, 8.0, 8, 8, 0.0, "[CUDA memcpy Host-to-Device]", 0]]
    assert list(operator(t)) == [["inner", "external id", 1, 10], ["inner", "thread", 1, 10],
                                 ["outer", "thread", 2, 32]]
    # gaps 3, 0 (20 - 25), 29; delays 5, 11, 30.
    assert list(launch(t))[-1] == ["all", 3, 0, 32 / 3, 29, 5, 46 / 3, 30], list(launch(t))
    # Launched at 5, 9 and 20; the first has ended at 20 itself.
    assert list(queue(t)) == [["0/7", 3, 1, 5 / 3, 2]], list(queue(t))
    gather = dev(0, 10, 1, "nccl", **{"Collective name": "_allgather_base", "dtype": "BFloat16", "Group size": 4,
                                      "In msg nelems": 100})
    assert bus(gather) == ("allgather_base", 4, 800, Fraction(3, 4))
    print("kernels: ok", file=sys.stderr)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("file", nargs="?")
    p.add_argument("--report", choices=REPORTS, default="kern")
    p.add_argument("--self-test", action="store_true")
    a = p.parse_args()
    if a.self_test:
        return self_test()
    rows, header = REPORTS[a.report]
    return write(sys.stdout, header, rows(load_kineto(a.file)))


if __name__ == "__main__":
    sys.exit(main())
