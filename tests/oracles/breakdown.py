# SPDX-License-Identifier: Apache-2.0
"""Where the time of each rank went.

usage: breakdown.py FILE... [--per step|stream] [--common] [--self-test]

FILE is a Kineto trace (.json, .json.gz) or a CSV of spans (.csv). Times are nanoseconds.
"""
import argparse
import sys
from bisect import bisect_right

from trace_spans import Span, Trace, by, clip, innermost, load, minus, natural, total, union, write

KERNEL_WAIT = 30_000
WAITS = ("host_wait", "kernel_wait", "other_wait", "unknown")
PARTS = ("compute", "communication", "exposed", "memory", "synchronisation", "other")


def device_parts(spans, begin, end):
    """The parts of [begin, end) by what ran, and the set of time in which something did."""
    cats = by(spans, lambda s: s.category if s.category in ("COMP", "COMM", "MEM", "SYNC") else "other")
    sets = {c: clip(union(cats[c]), begin, end) for c in ("COMP", "COMM", "MEM", "SYNC", "other")}
    out, seen = {"communication": total(sets["COMM"])}, []
    for part, cat in zip(("compute", "exposed", "memory", "synchronisation", "other"), sets):
        out[part] = total(minus(sets[cat], seen))
        seen = union(seen + sets[cat])
    return out, seen


def overlap(parts):
    c = parts["communication"]
    return (c - parts["exposed"]) * 100 / c if c else None


def judge(gap_begin, gap_length, launch):
    if launch is None:
        return "unknown"
    if launch > gap_begin:
        return "host_wait"
    return "kernel_wait" if gap_length < KERNEL_WAIT else "other_wait"


def idle_split(spans, begin, end):
    """Idle time of [begin, end) by the reason for it. A span without length ends a gap, too, and begins one."""
    starts = by(spans, lambda s: s.begin)
    out = dict.fromkeys(WAITS, 0)
    for gap_begin, gap_end in minus([(begin, end)], union(spans)):
        ends = sorted({s.begin for s in spans if gap_begin < s.begin <= gap_end})
        for b, e in zip([gap_begin] + ends, ends):
            launches = [s.launch for s in starts[e] if s.launch is not None]
            out[judge(b, e - b, min(launches, default=None))] += e - b
    return out


def device_rank(t):
    spans = t.device
    begin, end = min(s.begin for s in spans), max(s.end for s in spans)
    parts, seen = device_parts(spans, begin, end)
    idle = end - begin - total(seen)
    waits = idle_split(spans, begin, end)
    assert sum(waits.values()) == idle
    return [t.rank, "device", begin, end - begin, *(parts[p] for p in PARTS), 0, idle, overlap(parts),
            *(waits[w] for w in WAITS)]


def host_class(category):
    return category if category in ("COMM", "MEM", "SYNC", "IO", "RT") else "COMP"


def host_rank(t, begin, end):
    spans = [s for s in t.spans if not s.is_device]
    pieces = [p for thread in by(spans, lambda s: s.thread).values() for p in innermost(thread)]
    cats = by(pieces, lambda p: host_class(p[0].category))
    out, seen, union_of = [], [], {}
    for cat in ("COMP", "COMM", "MEM", "SYNC", "IO", "RT"):
        union_of[cat] = union((b, e) for _, b, e in cats[cat])
        out.append(total(minus(union_of[cat], seen)))
        seen = union(seen + union_of[cat])
    parts = {"communication": total(union_of["COMM"]), "exposed": out[1]}
    return [t.rank, "host", begin, end - begin, out[0], parts["communication"], out[1], out[2], out[3], out[5], out[4],
            end - begin - total(seen), overlap(parts), *[None] * 4]


def per_rank(traces, common=False):
    limits = {t.rank: (min(s.begin for s in t.spans), max(s.end for s in t.spans)) for t in traces if t.spans}
    if common and limits:
        whole = min(b for b, _ in limits.values()), max(e for _, e in limits.values())
        limits = dict.fromkeys(limits, whole)
    return [device_rank(t) if t.device else host_rank(t, *limits[t.rank]) for t in traces if t.spans]


def stream_rows(t):
    """The gaps between consecutive spans of each stream, as HTA looks at them."""
    work = [s for s in t.device if s.category != "SYNC"]
    for stream, spans in sorted(by(work, lambda s: s.thread).items(), key=lambda p: natural(p[0])):
        spans.sort(key=lambda s: (s.begin, s.end))
        waits = dict.fromkeys(WAITS, 0)
        for a, b in zip(spans, spans[1:]):
            gap = max(0, b.begin - a.end)
            launches = [s.launch for s in spans if s.begin == b.begin and s.launch is not None]
            waits[judge(a.end, gap, min(launches, default=None))] += gap
        yield [t.rank, stream, len(spans), sum(waits.values()), *waits.values()]


class Steps:
    """Which step (an index into the trace's steps) a moment belongs to: the last to begin of those it is in."""

    def __init__(self, steps):
        self.steps = steps
        self.begins = [b for _, b, _ in steps]

    def at(self, time):
        for i in range(bisect_right(self.begins, time) - 1, -1, -1):
            if time < self.steps[i][2]:
                return i
        return None


def step_rows(t):
    if not t.steps:
        return
    find = Steps(t.steps)
    own = by(t.device, lambda s: find.at(s.begin if s.launch is None else s.launch))
    for i, (number, begin, end) in enumerate(t.steps):
        end = max([end] + [s.end for s in own[i]])
        parts, seen = device_parts(own[i], begin, end)
        foreign = clip(union(s for j, spans in own.items() if j != i for s in spans), begin, end)
        others = total(minus(foreign, seen))
        idle = end - begin - total(seen) - others
        yield [t.rank, number, begin, end - begin, *(parts[p] for p in PARTS), others, idle, overlap(parts),
               len(own[i])]


HEADERS = {
    None: ["rank", "view", "begin", "window", *PARTS, "io", "idle", "overlap_percent", *WAITS],
    "step": ["rank", "step", "begin", "window", *PARTS, "other_steps", "idle", "overlap_percent", "spans"],
    "stream": ["rank", "stream", "spans", "idle", *WAITS]}


def self_test():
    def dev(b, e, cat, launch=None, thread="0/7"):
        return Span(0, thread, True, b, e, cat, cat, launch=launch)

    us = 1000
    t = Trace(0, [dev(0, 10 * us, "COMP", -5), dev(5 * us, 20 * us, "COMM", -4, "0/8"),
                  dev(18 * us, 24 * us, "MEM", -3, "0/9"), dev(30 * us, 40 * us, "COMP", 26 * us),
                  dev(50 * us, 60 * us, "COMP", 40 * us), dev(90 * us, 91 * us, "COMP", 3),
                  dev(92 * us, 94 * us, "SYNC"), dev(100 * us, 101 * us, "COMP")],
              steps=[(1, -10, 30), (2, 30, 45 * us)])
    row = dict(zip(HEADERS[None], per_rank([t])[0]))
    want = {"window": 101, "compute": 32, "communication": 15, "exposed": 10, "memory": 4, "synchronisation": 2,
            "other": 0, "idle": 53, "host_wait": 6, "kernel_wait": 10, "other_wait": 30, "unknown": 7}
    assert {k: row[k] for k in want} == {k: v * us for k, v in want.items()}, row
    assert abs(row["overlap_percent"] - 100 / 3) < 1e-9
    # Stream 7: 20 us before the kernel launched at 26 us (host wait), then 10 (launch at the very end of the
    # one before: not after it, so kernel wait), 30 (other wait), 9 (unknown). A SYNC span is no work.
    rows = {r[1]: r[2:] for r in stream_rows(t)}
    assert rows["0/7"] == [5, 69 * us, 20 * us, 10 * us, 30 * us, 9 * us], rows
    # Step 1 has the spans launched at -5, -4, -3, 3; step 2 those launched at 26 us and 40 us; the last two spans
    # have no launch and begin in no step. Step 2 runs to 60 us: own 20 us, others 24 us (0.03 before it begins).
    one, two = (dict(zip(HEADERS["step"], r)) for r in step_rows(t))
    assert (one["window"], one["compute"], one["exposed"], one["memory"]) == (91010, 11000, 10000, 4000), one
    assert (one["other_steps"], one["idle"]) == (20000, 46010), one
    assert (two["window"], two["compute"], two["other_steps"], two["idle"]) == (59970, 20000, 23970, 16000), two
    h = Trace(1, [Span(1, "a", False, 0, 100, "PYTHON", "x"), Span(1, "a", False, 10, 60, "COMM", "x", depth=1),
                  Span(1, "a", False, 20, 30, "COMP", "x", depth=2), Span(1, "b", False, 50, 55, "IO", "x"),
                  Span(1, "b", False, 110, 120, "MEM", "x")])
    got = per_rank([h])[0]
    assert got[3:12] == [120, 60, 40, 40, 10, 0, 0, 0, 10], got
    i = Trace(2, [Span(2, "a", False, -30, -10, "IO", "x")])
    assert [r[2:4] + r[11:12] for r in per_rank([h, i], True)] == [[-30, 150, 40], [-30, 150, 130]]
    print("breakdown: ok", file=sys.stderr)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("files", nargs="*")
    p.add_argument("--per", choices=["step", "stream"])
    p.add_argument("--common", action="store_true", help="host view: one window for all ranks")
    p.add_argument("--self-test", action="store_true")
    a = p.parse_args()
    if a.self_test:
        return self_test()
    traces = load(a.files)
    per = {None: lambda: per_rank(traces, a.common),
           "step": lambda: [r for t in traces for r in step_rows(t)],
           "stream": lambda: [r for t in traces for r in stream_rows(t)]}
    return write(sys.stdout, HEADERS[a.per], per[a.per]())


if __name__ == "__main__":
    sys.exit(main())
