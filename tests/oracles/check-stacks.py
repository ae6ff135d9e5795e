#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks exported call stacks against the database, by brute force.

check-stacks.py DATABASE FOLDED SPEEDSCOPE [WHERE]

WHERE: a condition on the view `event` that does what the export's filter did. The parent of each span is looked for
among all spans of its thread; every call path, every value, every interval and who contains it must agree.
"""
import json
import re
import sqlite3
import sys
from collections import Counter, defaultdict


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(1)


def clean(text):
    return "".join(":" if c == ";" else " " if ord(c) < 32 or ord(c) == 127 else c for c in text)


def describe(kind, name, label):
    label = (label or "").strip()
    base = f"{kind} {name}" if name.lstrip("-").isdigit() else name
    if not label:
        return clean(base)
    return clean(label if name in label else f"{base} ({label})")


class Span:
    def __init__(self, row):
        (self.id, self.source, self.pid, self.tid, self.name, self.suffix, self.file, self.line, self.ts, self.dur,
         self.own, self.depth, flags, self.clock, self.selected) = row
        self.end = self.ts + self.dur
        self.flags = set((flags or "").split(","))
        self.parent = None
        self.label = self.name + (f"~>{self.suffix}" if self.suffix is not None else "")


def find_parents(spans):
    """Of the spans of one thread and source; those of their own (asynchronous) have none."""
    spans = [span for span in spans if "async" not in span.flags]
    crossed = any("overlap" in span.flags for span in spans)
    for span in spans:
        around = [other for other in spans
                  if other.id > span.id and other.ts <= span.ts and other.end >= span.end]
        if not crossed:
            around = [other for other in around if other.depth == span.depth - 1]
            span.parent = min(around, key=lambda other: other.id, default=None)
            if span.depth > 0 and span.parent is None:
                fail(f"event {span.id} has depth {span.depth}, but nothing contains it")
        else:
            around = [other for other in around if other.selected]
            span.parent = max(around, key=lambda other: (other.ts, -other.end, -other.id), default=None)
    for span in spans:
        while span.parent is not None and not span.parent.selected:
            span.parent = span.parent.parent


def read_spans(db, where):
    rows = db.execute(
        "SELECT e.id, e.source, e.pid, e.tid, e.name, e.suffix, e.file, e.line, e.ts_ns, e.dur_ns, e.self_ns, e.depth,"
        f" e.flags, s.clock, ({where}) FROM event e JOIN source s ON s.id = e.source WHERE e.dur_ns IS NOT NULL")
    threads = defaultdict(list)
    for row in rows:
        span = Span(row)
        threads[span.source, span.pid, span.tid].append(span)
    for spans in threads.values():
        find_parents(spans)
    return [span for spans in threads.values() for span in spans if span.selected]


def path_of(span, process, thread):
    frames = []
    while True:
        frames.append(clean(span.label) or "(no name)")
        if "async" in span.flags or "overlap" in span.flags:
            frames.append("(async)" if "async" in span.flags else "(overlap)")
            break
        if span.parent is None:
            break
        span = span.parent
    return ";".join([process, thread] + frames[::-1])


def check_folded(path, spans, processes, threads):
    wanted = Counter()
    for span in spans:
        wanted[path_of(span, processes[span.pid], threads[span.pid, span.tid])] += span.own
    got, keys = {}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            stack, value = line.rstrip("\n").rsplit(" ", 1)
            if stack in got:
                fail(f"{path}: twice: {stack}")
            got[stack] = int(value)
            keys.append([frame.encode() for frame in stack.split(";")])
    if got != dict(wanted):
        for stack in sorted(set(got) | set(wanted)):
            if got.get(stack) != wanted.get(stack):
                fail(f"{path}: {stack}: {got.get(stack)} instead of {wanted.get(stack)}")
    if keys != sorted(keys):
        fail(f"{path}: the lines are not in the order of their frames")
    return len(got), sum(got.values())


def read_profile(profile, frames):
    """The intervals of a profile, each with the one that contains it."""
    stack, intervals, last = [], [], profile["startValue"]
    for event in profile["events"]:
        if event["at"] < last:
            fail(f"{profile['name']}: {event} after {last}")
        last = event["at"]
        if event["type"] == "O":
            stack.append([event["frame"], event["at"], None, stack[-1] if stack else None])
            intervals.append(stack[-1])
        elif not stack or stack[-1][0] != event["frame"]:
            fail(f"{profile['name']}: {event} closes what is not on top")
        else:
            stack.pop()[2] = event["at"]
    if stack or last > profile["endValue"]:
        fail(f"{profile['name']}: it does not end")

    def tell(interval):
        frame = frames[interval[0]]
        return frame["name"], frame.get("file"), frame.get("line"), interval[1], interval[2]

    return [(tell(interval), tell(interval[3]) if interval[3] else None) for interval in intervals]


def check_format(document):
    """What speedscope's file-format-schema.json demands of evented profiles."""
    frames, profiles = document["shared"]["frames"], document["profiles"]
    units = "bytes microseconds milliseconds nanoseconds none seconds".split()
    allowed = {"name": str, "file": str, "line": int, "col": int}
    if document["$schema"] != "https://www.speedscope.app/file-format-schema.json" or not isinstance(profiles, list):
        fail("the document does not say what it is")
    for frame in frames:
        if "name" not in frame or any(type(value) is not allowed.get(key) for key, value in frame.items()):
            fail(f"no frame: {frame}")
    for profile in profiles:
        if set(profile) != {"type", "name", "unit", "startValue", "endValue", "events"} or profile["type"] != "evented" or \
                profile["unit"] not in units or type(profile["name"]) is not str or \
                any(type(profile[key]) is not int for key in ("startValue", "endValue")):
            fail(f"no profile: {profile.get('name')}")
        for event in profile["events"]:
            if set(event) != {"type", "at", "frame"} or event["type"] not in ("O", "C") or type(event["at"]) is not int or \
                    type(event["frame"]) is not int or not 0 <= event["frame"] < len(frames):
                fail(f"no event: {event}")


def check_speedscope(path, spans, processes, threads, firsts):
    with open(path, encoding="utf-8") as text:
        document = json.load(text)
    check_format(document)

    def tell(span):
        first = firsts[span.clock]
        line = span.line if span.file is not None and (span.line or 0) > 0 else None
        return span.label or "(no name)", span.file, line, span.ts - first, span.end - first

    wanted, parents = defaultdict(Counter), defaultdict(set)
    for span in spans:
        title = f"{processes[span.pid]} / {threads[span.pid, span.tid]}"
        wanted[title, "async" in span.flags][tell(span)] += 1
        parents[title].add((tell(span), tell(span.parent) if span.parent is not None else None))
    sources = defaultdict(set)
    for span in spans:
        sources[span.pid, span.tid].add(span.source)
    # Spans of two files need not nest either.
    crossed = {f"{processes[span.pid]} / {threads[span.pid, span.tid]}" for span in spans
               if "overlap" in span.flags or len(sources[span.pid, span.tid]) > 1}
    got = defaultdict(Counter)
    for profile in document["profiles"]:
        title = profile["name"]
        number = re.fullmatch(r"(.*?)( \((?:(async)(?: \d+)?|\d+)\))?", title, re.DOTALL)
        key = next((key for key in ((title, False), (number[1], number[3] is not None)) if key in wanted), None)
        if key is None:
            fail(f"{path}: no thread is called {title}")
        is_first = title == key[0]
        for interval, outer in read_profile(profile, document["shared"]["frames"]):
            got[key][interval] += 1
            if outer is not None and (interval, outer) not in parents[key[0]]:
                fail(f"{title}: {interval} is not inside {outer}")
            if outer is None and is_first and key[0] not in crossed and (interval, None) not in parents[key[0]]:
                fail(f"{title}: {interval} is inside of none")
        if not is_first and not key[1] and key[0] not in crossed:
            fail(f"{title}: its thread has no spans that cross")
    if got != wanted:
        for key in wanted.keys() | got.keys():
            missing = wanted[key] - got[key], got[key] - wanted[key]
            if any(missing):
                fail(f"{path}: {key}: missing {list(missing[0])[:3]}, too many {list(missing[1])[:3]}")
    return len(document["profiles"])


def main():
    database, folded, speedscope = sys.argv[1:4]
    where = sys.argv[4] if len(sys.argv) > 4 else "1"
    db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    processes = {pid: describe("process", pid, label) for pid, label in db.execute("SELECT pid, label FROM process")}
    threads = {(pid, tid): describe("thread", tid, label) for pid, tid, label in db.execute(
        "SELECT p.pid, t.tid, t.label FROM thread t JOIN process p ON p.id = t.process")}
    firsts = dict(db.execute(
        "SELECT s.clock, min(e.ts_ns) FROM source s JOIN event e ON e.source = s.id GROUP BY s.clock"))
    if len(firsts) == 1:
        firsts = {clock: db.execute(
            "SELECT min(ts) FROM (SELECT min(ts_ns) AS ts FROM event UNION ALL SELECT min(ts_ns) FROM counter"
            " UNION ALL SELECT min(send_ns) FROM message UNION ALL SELECT min(recv_ns) FROM message)").fetchone()[0]
            for clock in firsts}
    spans = read_spans(db, where)
    n_paths, total = check_folded(folded, spans, processes, threads)
    asked = db.execute(
        f"SELECT sum(self_ns) FROM event WHERE dur_ns IS NOT NULL AND ({where})").fetchone()[0]
    if total != (asked or 0):
        fail(f"{folded}: the values add up to {total} instead of {asked}")
    n_profiles = check_speedscope(speedscope, spans, processes, threads, firsts)
    print(f"{len(spans)} spans, {n_paths} paths, {n_profiles} profiles")


main()
