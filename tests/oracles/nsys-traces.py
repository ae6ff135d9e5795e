# SPDX-License-Identifier: Apache-2.0
"""Whether `tracetool kernels --show REPORT --format csv` lists what an export of Nsight Systems or a Kineto trace holds.

usage: nsys-traces.py cuda_gpu_trace|cuda_api_trace|nvtx_pushpop_trace|nvtx_kern_sum OUTPUT TRACE

Reads TRACE alone. Where times begin is the writer's to choose, and so are the numbers of ranges: parents and stacks are
compared by what they mean. Columns that an import has nothing for are checked to be empty: priorities, green contexts.
Bandwidths are exact here (nsys rounds 10^9 / duration down first), and ranges that end on another thread count (nsys
leaves them out of nvtx_kern_sum). Of ranges that are never popped nsys makes some that
end with the last; they are left out on both sides (":serve" of our example).
"""
import csv
import importlib.util
import pathlib
import re
import sys
from collections import defaultdict

from kernels import DIRECTION, annotations_of, copies, stats
from trace_spans import API_CATS, load_kineto

GPU = ["Start (ns)", "Duration (ns)", "CorrId", "GrdX", "GrdY", "GrdZ", "BlkX", "BlkY", "BlkZ", "Reg/Trd", "StcSMem (MB)",
       "DymSMem (MB)", "Bytes (MB)", "Throughput (MB/s)", "SrcMemKd", "DstMemKd", "Device", "Ctx", "GreenCtx", "Strm", "Name"]
API = ["Start (ns)", "Duration (ns)", "Name", "Result", "CorrID", "Pid", "Tid", "T-Pri", "Thread Name"]
RANGES = ["Start (ns)", "End (ns)", "Duration (ns)", "DurChild (ns)", "DurNonChild (ns)", "Name", "PID", "TID", "Lvl",
          "NumChild", "RangeId", "ParentId", "RangeStack", "NameTree"]
KERNELS = ["NVTX Range", "Style", "PID", "TID", "NVTX Inst", "Kern Inst", "Total Time (ns)", "Avg (ns)", "Med (ns)",
           "Min (ns)", "Max (ns)", "StdDev (ns)", "Kernel Name"]


class Nsys:
    def __init__(self, path):
        here = pathlib.Path(__file__).parent
        spec = importlib.util.spec_from_file_location("nsys_reports", here / "nsys-reports.py")
        self.reports = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.reports)
        self.e = self.reports.Export(path)
        self.kinds = {r["id"]: r["label"] for r in self.e.rows("ENUM_CUDA_MEM_KIND")}
        self.gpus = {r["id"]: r["name"] for r in self.e.rows("TARGET_INFO_GPU")}
        self.names = {r["globalTid"]: self.e.strings[r["nameId"]] for r in self.e.rows("ThreadNames")}
        # A program's device is the one of its number, or the one that it is told to be.
        self.devices = {(r["pid"], r["cudaId"]): self.gpus.get(r["gpuId"]) for r in self.e.rows("TARGET_INFO_CUDA_DEVICE")}

    def row(self, r, name, grid=None, block=None, registers=None, shared=None, size=None, memory=(None, None)):
        gpu = self.devices.get((r["globalPid"] >> 24 & 0xffffff if r["globalPid"] else None, r["deviceId"]))
        return dict(start=r["start"], length=r["end"] - r["start"], corr=r["correlationId"], grid=grid, block=block,
                    registers=registers, shared=shared, bytes=size, memory=memory, gpu=gpu, device=r["deviceId"],
                    context=r["contextId"], stream=r["streamId"], name=name)

    def work(self):
        for r in self.e.rows("CUPTI_ACTIVITY_KIND_KERNEL"):
            yield self.row(r, self.e.text(r, "demangledName"), [r["grid" + c] for c in "XYZ"], [r["block" + c] for c in "XYZ"],
                           r["registersPerThread"], (r["staticSharedMemory"], r["dynamicSharedMemory"]))
        for r in self.e.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE"):
            yield self.row(r, f"CUDA graph {r['graphId']}")
        for r in self.e.rows("CUPTI_ACTIVITY_KIND_MEMCPY"):
            label = self.reports.LABELS[r["copyKind"]]
            memory = ("?", "?") if "Unified" in label else (self.kinds.get(r["srcKind"]), self.kinds.get(r["dstKind"]))
            yield self.row(r, f"[CUDA memcpy {label}]", size=r["bytes"], memory=memory)
        for r in self.e.rows("CUPTI_ACTIVITY_KIND_MEMSET"):
            yield self.row(r, "[CUDA memset]", size=r["bytes"], memory=(self.kinds.get(r["memKind"], "?"), None))

    def calls(self):
        for r in self.reports.told_once(self.e):
            yield (r["start"], r["end"] - r["start"], self.e.text(r), str(r["returnValue"] or 0), str(r["correlationId"]),
                   str(r["globalTid"] & 0xffffff), self.names.get(r["globalTid"], ""))

    def ranges(self, styles=("PushPop",)):
        domains = {(r["globalTid"] >> 24, r["domainId"]): r["text"] or self.e.strings[r["textId"]]
                   for r in self.e.rows("NVTX_EVENTS") if r["eventType"] == 75}
        for r in self.e.rows("NVTX_EVENTS"):
            style = self.reports.NVTX.get(r["eventType"])
            if style in styles and r["end"] is not None:
                domain = domains.get((r["globalTid"] >> 24, r["domainId"]), "")
                text = r["text"] or self.e.strings.get(r["textId"], "")
                yield r["start"], r["end"], f"{domain}:{text}", r["globalTid"], str(r["globalTid"] & 0xffffff), style

    def launched(self):
        """Kernels with the moments of their calls, the thread of these, and the name."""
        launch = {(r["globalTid"] >> 24, r["correlationId"]): r for r in self.reports.told_once(self.e)}
        for r in [*self.e.rows("CUPTI_ACTIVITY_KIND_KERNEL"), *self.e.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE")]:
            call = launch.get((r["globalPid"] >> 24, r["correlationId"]))
            if call is not None:
                name = self.e.text(r, "demangledName") if r["demangledName"] is not None else f"CUDA graph {r['graphId']}"
                yield (r["end"] - r["start"], call["start"], call["end"], call["globalTid"], str(call["globalTid"] & 0xffffff),
                       name)


class Kineto:
    def __init__(self, path):
        self.t = load_kineto(path)

    def work(self):
        for s in [s for s in self.t.device if s.kind == "kernel"] + copies(self.t):
            a = s.args
            name, memory, grid, block = s.name, (None, None), a.get("grid"), a.get("block")
            if s.kind != "kernel":
                grid = block = None
                way = re.search(r"\b([HDPA]to[HDPA])\b", name)
                inside = re.search(r"\(([^()]*)\)$", name)
                memory = tuple(inside[1].split(" -> ")) if inside else (None, None)
                memory = (*memory, None)[:2]
                name = "[CUDA memset]" if s.kind == "gpu_memset" else f"[CUDA memcpy {DIRECTION[way[1]]}]" if way else None
            three = lambda x: x if isinstance(x, list) and len(x) == 3 else None
            yield dict(start=s.begin, length=s.length, corr=a.get("correlation"), grid=three(grid), block=three(block),
                       registers=a.get("registers per thread"), shared=None, bytes=a.get("bytes"), memory=memory, gpu=None,
                       device=a.get("device"), context=a.get("context"), stream=a.get("stream"), name=name)

    def calls(self):
        for s in self.t.host:
            if s.kind in API_CATS:
                yield (s.begin, s.length, s.name, "", str(s.args.get("correlation", "")), s.thread.split("/")[1], None)

    def ranges(self, styles=("PushPop",)):
        for s in annotations_of(self.t):
            yield s.begin, s.end, s.name, s.thread, s.thread.split("/")[1], "PushPop"

    def launched(self):
        for s in self.t.device:
            if s.kind == "kernel" and s.api:
                yield s.length, s.api.begin, s.api.end, s.api.thread, s.api.thread.split("/")[1], s.name


def near(ours, theirs):
    return ours == "" if theirs is None else ours != "" and abs(float(ours) - theirs) <= 1e-9 * max(1.0, abs(theirs))


def shift(rows, wanted):
    """What our times are later by; rows are in the order of their begins."""
    starts = [int(row[0]) for row in rows]
    assert starts == sorted(starts)
    return min(wanted) - starts[0]


def gpu_trace(source, rows):
    wanted = list(source.work())
    assert wanted
    assert len(rows) == len(wanted), (len(rows), len(wanted))
    begin = shift(rows, [w["start"] for w in wanted])
    text = lambda x: "" if x is None else str(x)
    wanted.sort(key=lambda w: (w["start"], -w["length"], str(w["corr"]), w["name"] or "", str(w["stream"])))
    rows.sort(key=lambda r: (int(r[0]), -int(r[1]), r[2], r[20], r[19]))
    for row, w in zip(rows, wanted):
        exact = [w["start"] - begin, w["length"], w["corr"], *(w["grid"] or [None] * 3), *(w["block"] or [None] * 3), w["registers"]]
        assert row[:10] == [text(x) for x in exact], (row, w)
        static, dynamic = w["shared"] or (None, None)
        assert near(row[10], None if static is None else static / 1e6) and near(row[11], None if dynamic is None else dynamic / 1e6), (row, w)
        assert near(row[12], None if w["bytes"] is None else w["bytes"] / 1e6), (row, w)
        assert near(row[13], w["bytes"] / w["length"] * 1e3 if w["bytes"] is not None and w["length"] else None), (row, w)
        if w["memory"][0] != "?":
            assert row[14:16] == [text(x) for x in w["memory"]], (row, w)
        assert w["gpu"] is None or row[16] == f"{w['gpu']} ({w['device']})", (row, w)
        assert row[16] and row[18] == "" and row[17] == text(w["context"]) and row[19] == text(w["stream"]), (row, w)
        assert w["name"] is None or row[20] == w["name"], (row, w)


def api_trace(source, rows):
    wanted = list(source.calls())
    assert wanted
    begin = shift(rows, [w[0] for w in wanted])
    assert all(row[7] == "" and row[5] for row in rows)
    found = sorted((int(r[0]) + begin, int(r[1]), *r[2:5], r[6], *([r[8]] if wanted[0][6] is not None else [])) for r in rows)
    assert found == sorted(w if w[6] is not None else w[:6] for w in wanted), set(found) ^ set(w[:len(found[0])] for w in wanted)


def pushpop_trace(source, rows):
    """By intervals: the parent is the innermost that holds it, of those the one that begins last."""
    ranges = sorted(source.ranges(), key=lambda r: (r[0], -r[1]))
    if not ranges:
        assert not rows
        return
    rows = [r for r in rows if r[5] != ":serve"]
    assert len(rows) == len(ranges), (len(rows), len(ranges))
    begin = shift(rows, [r[0] for r in ranges])
    threads, parents = defaultdict(list), []
    for i, r in enumerate(ranges):
        around = [p for p in threads[r[3]] if ranges[p][1] >= r[1]]
        parents.append(around[-1] if around else None)
        threads[r[3]].append(i)
    wanted = []
    for i, r in enumerate(ranges):
        inside = [c for c, p in enumerate(parents) if p == i]
        stack, at = [], i
        while at is not None:
            stack, at = [(ranges[at][0] - begin, ranges[at][2]), *stack], parents[at]
        children = sum(ranges[c][1] - ranges[c][0] for c in inside)
        wanted.append((r[0] - begin, r[1] - begin, r[1] - r[0], children, r[1] - r[0] - children, r[2], r[4],
                       len(stack) - 1, len(inside), tuple(stack)))
    ids = {row[10]: row for row in rows}
    found = []
    for row in rows:
        stack = [ids[x] for x in row[12].strip(":").split(":")]
        assert row[6] and stack[-1] is row and row[11] == (stack[-2][10] if len(stack) > 1 else ""), row
        # A text that begins with a dash is shielded from spreadsheets.
        assert row[13].lstrip("'") == "--" * (len(stack) - 1) + row[5], row
        found.append((*map(int, row[:5]), row[5], row[7], int(row[8]), int(row[9]), tuple((int(s[0]), s[5]) for s in stack)))
    assert sorted(found) == sorted(wanted), set(found) ^ set(wanted)


def kern_sum(source, rows):
    ranges = list(source.ranges(("PushPop", "StartEnd")))
    groups = defaultdict(list)
    for number, (length, begin, end, thread, tid, name) in enumerate(source.launched()):
        inside = [(i, r) for i, r in enumerate(ranges) if r[3] == thread and r[0] <= begin and end <= r[1]]
        for i, r in inside or [(None, (0, 0, "", thread, tid, ""))]:
            groups[r[2], r[5], tid, name].append((i, number, length))
    found = {(r[0], r[1], r[3], r[12]): r for r in rows if r[0] != ":serve"}
    assert set(found) == set(groups), set(found) ^ set(groups)
    assert len(found) == len([r for r in rows if r[0] != ":serve"])
    for key, parts in groups.items():
        row, lengths = found[key], [x[2] for x in parts]
        assert row[2] and int(row[4]) == len({x[0] for x in parts if x[0] is not None}), (row, parts)
        assert int(row[5]) == len({x[1] for x in parts}) and int(row[6]) == sum(lengths), (row, parts)
        assert all(near(ours, theirs) for ours, theirs in zip(row[7:12], stats(lengths))), (row, stats(lengths))
    order = [(r[0], r[3], -int(r[6])) for r in rows]
    assert [r[0] for r in rows] == sorted(r[0] for r in rows), order


REPORTS = {"cuda_gpu_trace": (GPU, gpu_trace), "cuda_api_trace": (API, api_trace), "nvtx_pushpop_trace": (RANGES, pushpop_trace),
           "nvtx_kern_sum": (KERNELS, kern_sum)}


def main():
    report, output, path = sys.argv[1:]
    header, judge = REPORTS[report]
    with open(output, newline="", encoding="utf-8") as f:
        first, *rows = csv.reader(f)
    assert first == header, first
    source = Nsys(path) if path.endswith(".sqlite") else Kineto(path)
    judge(source, rows)
    print(f"{len(rows)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
