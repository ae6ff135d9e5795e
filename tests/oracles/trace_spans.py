# SPDX-License-Identifier: Apache-2.0
"""Spans of a Kineto JSON trace or of a CSV, in whole nanoseconds, and arithmetic on sets of time.

A time is an int. A set of time is a list of disjoint [begin, end) pairs in order. A span without length
covers no time.
"""
import csv
import gzip
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal

DEVICE_CATS = {"kernel": "COMP", "gpu_memcpy": "MEM", "gpu_memset": "MEM"}
API_CATS = {"cuda_runtime", "cuda_driver"}
COMM_NAME = re.compile(r"nccl|rccl|oneccl", re.I)
STEP_NAME = re.compile(r"ProfilerStep\s*#\s*(\d+)$")


@dataclass(eq=False)
class Span:
    rank: int
    thread: str
    is_device: bool
    begin: int
    end: int
    category: str
    name: str
    step: str = ""
    launch: int = None          # begin of the host call that launched it
    depth: int = 0
    kind: str = ""              # Kineto's cat
    args: dict = field(default_factory=dict)
    api: "Span" = None

    @property
    def length(self):
        return self.end - self.begin


@dataclass
class Trace:
    rank: int
    spans: list                 # device spans and, from a CSV, host spans
    host: list = field(default_factory=list)     # Kineto's host spans: API calls, operators, annotations
    steps: list = field(default_factory=list)    # (number, begin, end)

    @property
    def device(self):
        return [s for s in self.spans if s.is_device]


def nanoseconds(us):
    """Microseconds (a Decimal) as whole nanoseconds; a fraction of one is rounded, a half to even."""
    return int((us * 1000).to_integral_value(ROUND_HALF_EVEN))


def from_event(e, rank):
    """One complete event of a Kineto file. The end is begin + duration before anything is rounded."""
    ts, dur, kind = Decimal(str(e["ts"])), Decimal(str(e.get("dur", 0))), e.get("cat", "")
    args, name = e.get("args") or {}, str(e.get("name", ""))
    thread = f"{e.get('pid')}/{e.get('tid')}"
    category = DEVICE_CATS.get(kind, "")
    if kind == "kernel" and COMM_NAME.search(name):
        category = "COMM"
    if category:
        thread = f"{args.get('device', e.get('pid'))}/{args.get('stream', e.get('tid'))}"
    return Span(rank, thread, bool(category), nanoseconds(ts), nanoseconds(ts + dur), category, name, kind=kind,
                args=args)


def link(device, host):
    """Gives every device span the API call of the same correlation id (the first, should there be several)."""
    calls = {}
    for s in sorted((s for s in host if s.kind in API_CATS), key=lambda s: s.begin):
        if s.args.get("correlation") is not None:
            calls.setdefault(s.args["correlation"], s)
    for s in device:
        s.api = calls.get(s.args.get("correlation"))
        s.launch = s.api.begin if s.api else None


def load_kineto(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as f:
        doc = json.load(f, parse_float=Decimal)
    rank = (doc.get("distributedInfo") or {}).get("rank", 0)
    spans = [from_event(e, rank) for e in doc["traceEvents"] if e.get("ph") == "X"]
    device = [s for s in spans if s.is_device]
    host = [s for s in spans if not s.is_device and s.kind not in ("gpu_user_annotation", "cuda_sync")]
    link(device, host)
    steps = [(int(m.group(1)), s.begin, s.end) for s in host
             if s.kind == "user_annotation" and (m := STEP_NAME.match(s.name))]
    return Trace(rank, device, host, sorted(steps, key=lambda s: s[1]))


def load_csv(path):
    """One trace per rank, in order of rank."""
    ranks = defaultdict(list)
    with open(path, newline="", encoding="utf-8") as f:
        for r in csv.DictReader(f):
            launch = int(r["launch_begin_ns"]) if r["launch_begin_ns"] else None
            ranks[r["rank"]].append(Span(
                r["rank"], r["thread"], r["is_device"] not in ("", "0", "false"), int(r["begin_ns"]),
                int(r["end_ns"]), r["category"], r["name"], r["step"], launch, int(r["depth"] or 0)))
    return [Trace(rank, spans) for rank, spans in sorted(ranks.items(), key=lambda p: natural(p[0]))]


def load(paths):
    traces = [t for p in paths for t in (load_csv(p) if p.endswith(".csv") else [load_kineto(p)])]
    ranks = [t.rank for t in traces]
    if len(set(ranks)) != len(ranks):
        raise SystemExit(f"two files of one rank: {sorted(ranks)}")
    return sorted(traces, key=lambda t: natural(t.rank))


def union(spans):
    """The set of time the spans (or pairs) cover."""
    out = []
    pairs = [s if isinstance(s, tuple) else (s.begin, s.end) for s in spans]
    for b, e in sorted(p for p in pairs if p[0] < p[1]):
        if out and b <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], e))
        else:
            out.append((b, e))
    return out


def minus(a, b):
    """What of the set a is not in the set b."""
    out, j = [], 0
    for begin, end in a:
        while j < len(b) and b[j][1] <= begin:
            j += 1
        k = j
        while begin < end and k < len(b) and b[k][0] < end:
            if begin < b[k][0]:
                out.append((begin, b[k][0]))
            begin = max(begin, b[k][1])
            k += 1
        if begin < end:
            out.append((begin, end))
    return out


def clip(a, begin, end):
    return [(max(b, begin), min(e, end)) for b, e in a if max(b, begin) < min(e, end)]


def total(a):
    return sum(e - b for b, e in a)


def innermost(spans):
    """(span, begin, end) pieces of one thread: who is innermost when. The spans must nest."""
    out, stack, at = [], [], None
    order = sorted((s for s in spans if s.length > 0), key=lambda s: (s.begin, -s.end, s.depth))

    def advance(to):
        nonlocal at
        while stack and stack[-1].end <= to:
            top = stack.pop()
            if at < top.end:
                out.append((top, at, top.end))
            at = max(at, top.end)
        if stack and at < to:
            out.append((stack[-1], at, to))
        at = to

    for s in order:
        advance(s.begin)
        if stack and s.end > stack[-1].end:
            raise SystemExit(f"spans of thread {s.thread} of rank {s.rank} cross at {s.begin}: {s.name}")
        stack.append(s)
    if order:
        advance(max(s.end for s in order))
    return out


def by(items, key):
    out = defaultdict(list)
    for i in items:
        out[key(i)].append(i)
    return out


def natural(text):
    """Sorts 'stream 7' before 'stream 20'."""
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.split(r"(\d+)", str(text)) if p]


def write(out, header, rows):
    w = csv.writer(out, lineterminator="\n")
    w.writerow(header)
    w.writerows([[f"{v:.6f}" if isinstance(v, float) else "" if v is None else v for v in row] for row in rows])


def self_test():
    """python3 trace_spans.py"""
    assert nanoseconds(Decimal("2413669097444.592")) == 2413669097444592
    e = {"ph": "X", "cat": "kernel", "name": "ncclKernel_X", "ts": 1, "dur": Decimal("0.0015"), "pid": 0, "tid": 7}
    s = from_event({**e, "args": {"device": 0, "stream": 9}}, 3)
    assert (s.begin, s.end, s.category, s.thread, s.rank) == (1000, 1002, "COMM", "0/9", 3)
    assert not from_event({**e, "cat": "cpu_op", "args": {"stream": 0}}, 3).is_device
    assert union([(5, 9), (1, 3), (3, 4), (8, 12), (20, 20)]) == [(1, 4), (5, 12)]
    assert minus([(0, 10), (12, 20)], [(2, 3), (5, 14), (19, 30)]) == [(0, 2), (3, 5), (14, 19)]
    assert clip([(0, 5), (8, 9)], 3, 8) == [(3, 5)]
    assert natural("0/7") < natural("0/20")
    nest = [Span(0, "a", False, b, e, n, n) for b, e, n in ((0, 10, "p"), (2, 5, "q"), (5, 5, "z"), (5, 10, "r"))]
    assert [(s.name, b, e) for s, b, e in innermost(nest)] == [("p", 0, 2), ("q", 2, 5), ("r", 5, 10)]
    print("trace_spans: ok")


if __name__ == "__main__":
    self_test()
