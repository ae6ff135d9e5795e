# SPDX-License-Identifier: Apache-2.0
"""Whether `tracetool kernels --show REPORT --format csv` says what the tables of an export of Nsight Systems say.

usage: nsys-reports.py REPORT OUTPUT EXPORT.sqlite
       nsys-reports.py --vary EXPORT.sqlite NEW.sqlite

Reads the export alone, after NVIDIA's description of its tables and reports. Differently from nsys, an import leaves out
a call that another one with its correlation id tells already, and what the profiler notes of itself; a graph that is
recorded as a whole is a kernel. A range that is never popped is left out on both sides, and so are process ids, of which
an import makes ranks. --vary: a copy in which everything that need not nest takes another time.
"""
import csv
import re
import shutil
import sqlite3
import sys
from collections import defaultdict

from kernels import STATS, stats

TIMES = ["Time (%)", "Total Time (ns)", "Instances", *(f"{x} (ns)" for x in STATS)]
NVTX = {59: "PushPop", 70: "PushPop", 60: "StartEnd", 71: "StartEnd"}
MPI = {"MPI_P2P_EVENTS": "p2p", "MPI_COLLECTIVES_EVENTS": "collectives", "MPI_START_WAIT_EVENTS": "start-wait",
       "MPI_OTHER_EVENTS": "other"}


class Export:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.tables = {name for name, in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.strings = dict(self.db.execute("SELECT id, value FROM StringIds"))

    def rows(self, table):
        if table not in self.tables:
            return
        cursor = self.db.execute(f"SELECT * FROM {table}")
        names = [c[0] for c in cursor.description]
        for row in cursor:
            yield defaultdict(lambda: None, zip(names, row))

    def text(self, row, column="nameId"):
        return re.sub(r"_v\d{4,}$", "", self.strings[row[column]])


def kernels(e):
    for r in e.rows("CUPTI_ACTIVITY_KIND_KERNEL"):
        yield r["end"] - r["start"], e.text(r, "demangledName")
    for r in e.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE"):
        yield r["end"] - r["start"], f"CUDA graph {r['graphId']}"


LABELS = ["Unknown", "Host-to-Device", "Device-to-Host", "Host-to-Array", "Array-to-Host", "Array-to-Array",
          "Array-to-Device", "Device-to-Array", "Device-to-Device", "Host-to-Host", "Peer-to-Peer",
          "Unified Host-to-Device", "Unified Device-to-Host", "Unified Device-to-Device"]


def memory(e, column=None):
    for r in e.rows("CUPTI_ACTIVITY_KIND_MEMCPY"):
        yield r["bytes"] if column else r["end"] - r["start"], f"[CUDA memcpy {LABELS[r['copyKind']]}]"
    for r in e.rows("CUPTI_ACTIVITY_KIND_MEMSET"):
        yield r["bytes"] if column else r["end"] - r["start"], "[CUDA memset]"


def told_once(e):
    calls = list(e.rows("CUPTI_ACTIVITY_KIND_RUNTIME"))
    same = defaultdict(list)
    for r in calls:
        same[r["globalTid"], r["correlationId"]].append(r)
    return [r for r in calls if r["end"] - r["start"] == min(c["end"] - c["start"] for c in same[r["globalTid"], r["correlationId"]])]


def calls(e):
    for r in told_once(e):
        yield r["end"] - r["start"], e.text(r)


def nvtx(e, styles):
    domains = {(r["globalTid"] >> 24, r["domainId"]): r["text"] or e.strings[r["textId"]] for r in e.rows("NVTX_EVENTS")
               if r["eventType"] == 75}
    for r in e.rows("NVTX_EVENTS"):
        style = NVTX.get(r["eventType"])
        if style in styles and r["end"] is not None:
            domain = domains.get((r["globalTid"] >> 24, r["domainId"]), "")
            text = r["text"] or e.strings.get(r["textId"], "")
            yield r["end"] - r["start"], ((style,) if len(styles) > 1 else ()) + (f"{domain}:{text}",)


def mpi(e):
    for table, source in MPI.items():
        for r in e.rows(table):
            yield r["end"] - r["start"], (source, e.text(r, "textId"))


def osrt(e):
    for r in e.rows("OSRT_API"):
        if "profiling started" in e.text(r):
            continue
        yield r["end"] - r["start"], e.text(r)


def tagged(tag, rows):
    return ((x, (tag, name)) for x, name in rows)


def gpu(e):
    yield from tagged("CUDA_KERNEL", kernels(e))
    yield from tagged("MEMORY_OPER", memory(e))


def api_gpu(e):
    yield from gpu(e)
    yield from tagged("CUDA_API", calls(e))


def grids(e):
    for r in e.rows("CUPTI_ACTIVITY_KIND_KERNEL"):
        yield (r["end"] - r["start"], tuple(" ".join("%4d" % r[k + c] for c in "XYZ") for k in ("grid", "block")) +
               (e.text(r, "demangledName"),))
    for r in e.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE"):
        yield r["end"] - r["start"], ("", "", f"CUDA graph {r['graphId']}")


# Of each report: what it sums up, the column of the count, the columns of the key.
SUMMARIES = {
    "cuda_gpu_kern_sum": (kernels, "Instances", ["Name"]), "cuda_gpu_mem_time_sum": (memory, "Count", ["Operation"]),
    "cuda_gpu_sum": (gpu, "Instances", ["Category", "Operation"]),
    "cuda_api_gpu_sum": (api_gpu, "Instances", ["Category", "Operation"]), "cuda_api_sum": (calls, "Num Calls", ["Name"]),
    "cuda_gpu_kern_gb_sum": (grids, "Instances", ["GridXYZ", "BlockXYZ", "Name"]),
    "nvtx_sum": (lambda e: nvtx(e, ("PushPop", "StartEnd")), "Instances", ["Style", "Range"]),
    "nvtx_pushpop_sum": (lambda e: nvtx(e, ("PushPop",)), "Instances", ["Range"]),
    "nvtx_startend_sum": (lambda e: nvtx(e, ("StartEnd",)), "Instances", ["Range"]),
    "mpi_event_sum": (mpi, "Instances", ["Source", "Name"]), "osrt_sum": (osrt, "Num Calls", ["Name"])}


def group(pairs):
    groups = defaultdict(list)
    for value, key in pairs:
        groups[key if isinstance(key, tuple) else (key,)].append(value)
    return groups


def summary(e, report):
    source, count, keys = SUMMARIES[report]
    groups = group(source(e))
    everything = sum(map(sum, groups.values()))
    header = [*TIMES[:2], count, *TIMES[3:], *keys]
    return header, {k: [sum(v) * 100 / everything, sum(v), len(v), *stats(v)] for k, v in groups.items() if k[-1] != ":serve"}


def sizes(e):
    groups = group(memory(e, "bytes"))
    header = ["Total (MB)", "Count", *(f"{x} (MB)" for x in STATS), "Operation"]
    return header, {k: [sum(v) / 1e6, len(v), *(x / 1e6 for x in stats(v))] for k, v in groups.items()}


def execs(e):
    launch = {(r["globalTid"] >> 24, r["correlationId"]): r for r in told_once(e)}
    groups = defaultdict(list)
    for r in [*e.rows("CUPTI_ACTIVITY_KIND_KERNEL"), *e.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE")]:
        call = launch.get((r["globalPid"] >> 24, r["correlationId"]))
        if call is None:
            continue
        name = e.text(r, "demangledName") if r["graphId"] is None else f"CUDA graph {r['graphId']}"
        key = (str(call["globalTid"] & 0xffffff), str(r["deviceId"]), e.text(call), name)
        groups[key].append((max(call["end"], r["end"]) - call["start"], call["end"] - call["start"],
                            r["start"] - call["end"] if r["start"] > call["end"] else None, r["end"] - r["start"]))
    header = ["PID", "TID", "DevId", "Count", "QCount", *(f"{k}{x} (ns)" for k in "TAQK" for x in STATS), "API Name", "Kernel Name"]
    rows = {}
    for key, v in groups.items():
        columns = [[x for x in c if x is not None] for c in zip(*v)]
        rows[key] = [len(v), len(columns[2]), *(x for c in columns for x in (stats(c) if c else [None] * 5))]
    return header, rows


def exec_trace(e, output):
    """Kernel by kernel, in order; where times begin is ours to choose."""
    launch = {(r["globalTid"] >> 24, r["correlationId"]): r for r in told_once(e)}
    wanted = []
    for r in [*e.rows("CUPTI_ACTIVITY_KIND_KERNEL"), *e.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE")]:
        call = launch.get((r["globalPid"] >> 24, r["correlationId"]))
        if call is None:
            continue
        waits, is_graph = r["start"] >= call["end"], r["graphId"] is not None
        wanted.append((call["start"], call["end"] - call["start"], call["end"] if waits else None,
                       r["start"] - call["end"] if waits else None, r["start"], r["end"] - r["start"],
                       max(call["end"], r["end"]) - call["start"], str(call["globalTid"] & 0xffffff), str(r["deviceId"]),
                       e.text(call), *(" ".join("%4d" % r[k + c] for c in "XYZ") if not is_graph else "" for k in ("grid", "block")),
                       f"CUDA graph {r['graphId']}" if is_graph else e.text(r, "demangledName")))
    with open(output, newline="", encoding="utf-8") as f:
        header, *rows = csv.reader(f)
    assert header == [*(f"{x} (ns)" for x in ("API Start", "API Dur", "Queue Start", "Queue Dur", "Kernel Start", "Kernel Dur",
                                              "Total Dur")), "PID", "TID", "DevId", "API Function", "GridXYZ", "BlockXYZ",
                      "Kernel Name"], header
    starts = [(int(row[0]), int(row[4])) for row in rows]
    assert starts == sorted(starts)
    begin = min(w[0] for w in wanted) - starts[0][0]
    wanted = [tuple(x - begin if i in (0, 2, 4) and x is not None else x for i, x in enumerate(w)) for w in wanted]
    found = [(*(int(x) if x else None for x in row[:7]), *row[8:]) for row in rows]
    key = lambda row: tuple((x is None, x or 0) if i < 7 else x for i, x in enumerate(row))
    assert sorted(found, key=key) == sorted(wanted, key=key)
    print(f"{len(wanted)} rows")
    return 0


def vary(path, new):
    shutil.copy(path, new)
    db = sqlite3.connect(new)
    tables = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in ("OSRT_API", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME",
                  "MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS", "NVTX_EVENTS"):
        if table in tables:
            nests = " WHERE eventType IN (60, 71)" if table == "NVTX_EVENTS" else ""
            db.execute(f"UPDATE {table} SET end = start + (end - start) * (1 + rowid * 7 % 11) / 11{nests}")
    db.commit()


def main():
    if sys.argv[1] == "--vary":
        return vary(*sys.argv[2:])
    report, output, path = sys.argv[1:]
    e = Export(path)
    if report == "cuda_kern_exec_trace":
        return exec_trace(e, output)
    header, wanted = sizes(e) if report == "cuda_gpu_mem_size_sum" else execs(e) if report == "cuda_kern_exec_sum" else \
        summary(e, report)
    with open(output, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    assert rows[0] == header, (rows[0], header)
    if header[0] == "PID":
        header, rows = header[1:], [row[1:] for row in rows]
    words = [i for i, c in enumerate(header) if c in ("TID", "DevId", "Name", "Operation", "Category", "Style", "Range",
                                                      "Source", "GridXYZ", "BlockXYZ", "API Name", "Kernel Name")]
    found = {}
    for row in rows[1:]:
        key = tuple(row[i] for i in words)
        assert key not in found, key
        found[key] = [x for i, x in enumerate(row) if i not in words]
    found.pop(next((k for k in found if k[-1] == ":serve"), None), None)
    assert set(found) == set(wanted), (set(found) ^ set(wanted))
    for key, values in wanted.items():
        for i, (ours, theirs) in enumerate(zip(found[key], values)):
            if header[i] == "Time (%)" and report.startswith("nvtx"):
                continue  # the range that is never popped is in the whole
            assert (ours == "") == (theirs is None), (key, i, ours, theirs)
            assert theirs is None or abs(float(ours) - theirs) <= 1e-9 * max(1.0, abs(theirs)), (key, header[i], ours, theirs)
    order = [float(r[1 if report != "cuda_gpu_mem_size_sum" else 0]) for r in rows[1:]] if report != "cuda_kern_exec_sum" else []
    assert order == sorted(order, reverse=True), order
    print(f"{len(wanted)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
