#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent decoder of TAU traces, to hold tracetool's answers against.

    tau.py table INPUT...               statistics by process and function, tab separated
    tau.py counts INPUT...              how many there are of what, as JSON
    tau.py compare DATABASE INPUT...    every row that the trace must have given
    tau.py compare-stats DATABASE JSON INPUT...
                       what `tracetool stats --by op_long_name --format json --unit ns --top 0` printed
    tau.py compare-profile DIR INPUT...
                       calls and sums of each function and thread in the profiles of DIR, of time and of each metric
    tau.py same DATABASE DATABASE [--rows]
                                               equal statistics, or with --rows equal rows

INPUT is a directory of per-rank files, or a .trc with its .edf of the same name. Written from the
description of the format alone; shares nothing with the importer.
"""

import json
import os
import re
import sqlite3
import struct
import sys
from collections import defaultdict

LAYOUTS = {
    "24le": struct.Struct("<iHHqQ"),
    "24be": struct.Struct(">iHHqQ"),
    "32le": struct.Struct("<qHH4xqQ"),
    "32be": struct.Struct(">qHH4xqQ"),
}
COLLECTIVE = re.compile(
    r"MPI_I?(Allreduce|Barrier|Bcast|Reduce|Gatherv?|Scatterv?|Allgatherv?|Alltoall[vw]?|Scan|Exscan"
    r"|Reduce_scatter(_block)?)\b"
)


class Row:
    """A line of an EDF."""

    def __init__(self, group, tag, name, params):
        self.group, self.tag, self.name, self.params = group, tag, name, params


def read_edf(path):
    with open(path, "rb") as file:
        lines = file.read().replace(b"\r\n", b"\n").split(b"\n")
    if not re.match(rb"\s*[0-9]+\s+dynamic_trace_events", lines[0]):
        raise SystemExit("oracle: %s: no header" % path)
    rows, pending = {}, None
    for line in lines[1:]:
        if pending is not None:
            line, pending = pending + b"\n" + line, None
        if not line.strip() or line.lstrip().startswith(b"#"):
            continue
        match = re.match(rb'\s*(-?[0-9]+)\s+(\S+)\s+(-?[0-9]+)\s+"(.*)"\s*([^"]*)$', line, re.S)
        if match is None:
            pending = line
            continue
        number, group, tag, name, params = match.groups()
        text = lambda b: b.decode("utf-8", "replace").strip()
        rows.setdefault(int(number), Row(text(group), int(tag), text(name), text(params)))
    return rows


def plausible(data, layout, rows):
    """How many of the first records have a known id."""
    size = LAYOUTS[layout].size
    n = min(len(data) // size, 500)
    good = 0
    for i in range(n):
        event, _nid, _tid, _par, ti = LAYOUTS[layout].unpack_from(data, i * size)
        good += event in rows and ti < 1 << 62
    return good / n if n else 0


def find_layout(data, rows):
    scores = []
    for name, layout in LAYOUTS.items():
        if len(data) < layout.size:
            continue
        event, _nid, _tid, par, _ti = layout.unpack_from(data, 0)
        magic = par == 3 and event in rows and rows[event].name == "EV_INIT"
        scores.append((magic, plausible(data, name, rows), len(data) % layout.size == 0, name))
    scores.sort(reverse=True)
    return scores[0][3]


def sound_times(records, rows):
    """A lone enter or leave whose time is far outside of those around it on its thread lies in their middle."""
    threads = defaultdict(list)
    for i, record in enumerate(records):
        threads[record[1:3]].append(i)
    times = [record[4] for record in records]
    for places in threads.values():
        for before, at, after in zip(places, places[1:], places[2:]):
            low, high = times[before], records[after][4]
            off = max(low - times[at], times[at] - high)
            if low <= high and off > max(1000, 16 * (high - low)) and rows[records[at][0]].params == "EntryExit":
                times[at] = (low + high) // 2
    return times


class Span:
    def __init__(self, name, begin, depth):
        self.name, self.begin, self.depth = name, begin, depth
        self.end = None
        self.children = 0
        self.flags = set()
        self.values = {}  # metric -> value at enter, then (inclusive, exclusive)
        self.child_values = defaultdict(int)
        self.metrics = {}


class Thread:
    def __init__(self):
        self.stack = []
        self.spans = []
        self.last = None
        self.last_span = None  # (span, entered?, time) that a metric belongs to
        self.run = []  # consecutive records of one user event: (row, time, value)
        self.sent = 0  # size of the message that comes next, as TAU counted it
        self.onesided = None  # half without its id yet: [is_send, time, bytes, first part of the id]


class Trace:
    def __init__(self):
        self.threads = {}
        self.counters = []  # (pid, tid, name, time, value)
        self.metadata = {}  # (pid, tid, key) -> value
        self.sends = defaultdict(list)
        self.receives = defaultdict(list)

    # -- reading ------------------------------------------------------------------------------

    def read(self, trc, edf):
        rows = read_edf(edf)
        with open(trc, "rb") as file:
            data = file.read()
        layout = LAYOUTS[find_layout(data, rows)]
        records = [layout.unpack_from(data, i * layout.size) for i in range(len(data) // layout.size)]
        records = [r for r in records if any(r) and r[0] in rows]
        for (event, nid, tid, par, _ti), ti in zip(records, sound_times(records, rows)):
            self.record(rows[event], nid, tid, par, ti * 1000)
        for key in list(self.threads):
            self.end_run(key, self.threads[key])

    def record(self, row, nid, tid, par, time):
        key = (nid, tid)
        thread = self.threads.setdefault(key, Thread())
        is_onesided = row.name.startswith("ONESIDED_MESSAGE")
        is_trigger = row.params == "TriggerValue" and row.tag == 0 and not is_onesided
        # The tracer's own flush comes between any two records of the program.
        if row.name != "FLUSH" and thread.run and not (is_trigger and thread.run[0][0] is row):
            self.end_run(key, thread)
        is_metric = row.params == "TriggerValue" and row.tag != 0 and not is_onesided
        if not is_metric and row.name != "FLUSH":
            thread.last_span = None
        if is_onesided:
            self.onesided(thread, nid, tid, row.name, par, time)
        elif row.params == "EntryExit" and par in (1, -1):
            (self.enter if par == 1 else self.leave)(thread, row, time)
        elif is_trigger:
            thread.run.append((row, time, par))
            if row.name == "Message size sent to all nodes" and par != 0:
                thread.sent = par
        elif row.params == "TriggerValue":
            # A metric comes right after its enter or leave, with the same time; else it is a counter.
            if thread.last_span is not None and thread.last_span[2] == time:
                self.metric(thread, row.name, par)
            else:
                self.counters.append((nid, tid, row.name, time, par))
        elif row.params == "par" and row.tag in (-7, -8):
            self.message(thread, nid, tid, row.tag == -7, par & (1 << 64) - 1, time)
        if thread.last is None or time > thread.last:
            thread.last = time

    def enter(self, thread, row, time):
        span = Span(row.name, time, len(thread.stack))
        if any(open_span.name == span.name for open_span in thread.stack):
            span.flags.add("recursive")
        thread.stack.append(span)
        if row.name != "FLUSH":
            thread.last_span = (span, True, time)

    def leave(self, thread, row, time):
        if row.name not in [span.name for span in thread.stack]:
            if row.name != "FLUSH":
                thread.last_span = None
            return
        while thread.stack[-1].name != row.name:
            # Its leave was lost: it was open when something was last seen, and is not any more.
            top = thread.stack[-1]
            top.flags.update(("unclosed", "inferred"))
            self.close(thread, max(min(thread.last, time), top.begin))
        span = self.close(thread, time)
        if row.name != "FLUSH":
            thread.last_span = (span, False, time)

    @staticmethod
    def close(thread, time):
        span = thread.stack.pop()
        if time < span.begin:
            span.flags.add("end_before_start")
        span.end = max(time, span.begin)
        span.dur = span.end - span.begin
        span.self = max(0, span.dur - span.children)
        if thread.stack:
            thread.stack[-1].children += span.dur
        thread.spans.append(span)
        return span

    @staticmethod
    def metric(thread, name, value):
        span, entered, _time = thread.last_span
        if entered:
            span.values[name] = value
        elif name in span.values:
            inclusive = value - span.values[name]
            span.metrics[name] = (inclusive, inclusive - span.child_values[name])
            # The stack is as the leave left it: its top is the parent.
            if thread.stack:
                thread.stack[-1].child_values[name] += inclusive

    def message(self, thread, nid, tid, is_send, p, time):
        peer = p >> 24 & 0xFF | (p >> 56 & 0xFF) << 8
        tag = p >> 16 & 0xFF | (p >> 48 & 0xFF) << 8
        length = p & 0xFFFF | (p >> 32 & 0x3FF) << 16
        comm = p >> 42 & 0x3F
        # A record has 26 bits of the size.
        if is_send and thread.sent >= 1 << 26 and thread.sent % (1 << 26) == length:
            length = thread.sent
        thread.sent = 0
        half = (time, tid, length, thread.stack[-1] if thread.stack else None)
        if is_send:
            self.sends[nid, peer, tag, comm].append(half)
        else:
            self.receives[peer, nid, tag, comm].append(half)

    def onesided(self, thread, nid, tid, name, par, time):
        """Three records make a half: direction and size, then the two parts of the id."""
        if name.endswith("_TriggerValueT1"):
            if thread.onesided is not None:
                thread.onesided.append(par)
        elif name.endswith("_TriggerValueT2"):
            if thread.onesided is not None and len(thread.onesided) == 4:
                is_send, when, size, first = thread.onesided
                half = (when, tid, None if size < 0 else size, thread.stack[-1] if thread.stack else None)
                (self.sends if is_send else self.receives)[nid, nid, first, par].append(half)
            thread.onesided = None
        elif name.endswith(("_SEND", "_RECV")):
            thread.onesided = [name.endswith("_SEND"), time, par]

    def end_run(self, key, thread):
        """A value stands between two zeros; what does not is a trigger of its own."""
        run, thread.run = thread.run, []
        i = 0
        while i < len(run):
            row, time, value = run[i]
            if i + 2 < len(run) and value == 0 and run[i + 2][2] == 0:
                row, time, value = run[i + 1]
                i += 2
            i += 1
            if " | " in row.name + " " and value == 1:
                name, text = (row.name + " ").split(" | ", 1)
                self.metadata[key + (name.strip(),)] = text.strip()
            else:
                self.counters.append(key + (row.name, time, value))

    def finish(self):
        for thread in self.threads.values():
            while thread.stack:
                thread.stack[-1].flags.add("unclosed")
                self.close(thread, thread.last)

    # -- what follows from it -------------------------------------------------------------------

    def statistics(self):
        """(node, name) -> dict of the columns of the table `statistic`."""
        groups = defaultdict(list)
        for (nid, _tid), thread in self.threads.items():
            for span in thread.spans:
                groups[nid, span.name].append(span)
        return {key: summary(spans) for key, spans in groups.items()}

    def messages(self):
        rows = []
        for key in set(self.sends) | set(self.receives):
            sends, receives = self.sends[key], self.receives[key]
            for i in range(max(len(sends), len(receives))):
                send = sends[i] if i < len(sends) else None
                receive = receives[i] if i < len(receives) else None
                rows.append(
                    key
                    + (
                        i,
                        send and send[0],
                        receive and receive[0],
                        (send or receive)[2],
                        send and send[3] and (send[3].name, send[3].begin),
                        receive and receive[3] and (receive[3].name, receive[3].begin),
                    )
                )
        return sorted(rows, key=repr)


def summary(spans):
    durations = sorted(span.dur for span in spans)
    n = len(durations)
    total = sum(durations)
    # Those whose leave was lost are in no extreme and quantile.
    measured = sorted(span.dur for span in spans if not {"unclosed", "inferred"} <= span.flags) or durations
    m = len(measured)
    # Population variance times n^2, exact in integers.
    spread = n * sum(d * d for d in durations) - total * total
    return {
        "count": n,
        "total_ns": sum(span.dur for span in spans if "recursive" not in span.flags),
        "self_ns": sum(span.self for span in spans),
        "sum_ns": total,
        "avg_ns": total / n,
        "min_ns": measured[0],
        "max_ns": measured[-1],
        "median_ns": measured[m // 2],
        "p95_ns": measured[-(-95 * m // 100) - 1],
        "p99_ns": measured[-(-99 * m // 100) - 1],
        "stddev_ns": spread**0.5 / n,
    }


def numbers(name):
    return [int(part) for part in re.findall("[0-9]+", name)]


def read_inputs(paths):
    trace = Trace()
    for path in paths:
        if os.path.isdir(path):
            names = [n for n in os.listdir(path) if re.fullmatch(r"tautrace\.\d+\.\d+\.\d+\.trc", n)]
            for name in sorted(names, key=numbers):
                edf = "events.%d.edf" % numbers(name)[0]
                trace.read(os.path.join(path, name), os.path.join(path, edf))
        elif path.endswith(".trc"):
            edfs = [p for p in paths if p.endswith(".edf")]
            trace.read(path, edfs[0] if len(edfs) == 1 else path[:-4] + ".edf")
    trace.finish()
    return trace


# -- comparing ----------------------------------------------------------------------------------


class Comparison:
    def __init__(self):
        self.n_wrong = 0

    def some(self, what, rows):
        """Two readings that found nothing would agree."""
        if not rows:
            self.n_wrong += 1
            print("# no %s: there is nothing to compare" % what)

    def rows(self, what, expected, found):
        expected, found = sorted(expected, key=repr), sorted(found, key=repr)
        if expected == found:
            print("# %s: %d rows agree" % (what, len(found)))
            return
        self.n_wrong += 1
        print("# %s: %d rows expected, %d found" % (what, len(expected), len(found)))
        left, right = defaultdict(int), defaultdict(int)
        for row in expected:
            left[row] += 1
        for row in found:
            right[row] += 1
        for row in [r for r in expected if left[r] > right[r]][:5]:
            print("#   expected, not found: %r" % (row,))
        for row in [r for r in found if right[r] > left[r]][:5]:
            print("#   found, not expected: %r" % (row,))

    def number(self, what, expected, found, tolerance=0):
        if found is None or abs(expected - found) > tolerance:
            self.n_wrong += 1
            if self.n_wrong < 20:
                print("# %s: expected %r, found %r" % (what, expected, found))


def pid_text(nid):
    return "node%d" % nid


def strip(text):
    return None if text is None else text.strip()


def compare_spans(check, trace, db):
    expected, found = [], []
    for (nid, tid), thread in trace.threads.items():
        for s in thread.spans:
            expected.append((pid_text(nid), str(tid), s.name, s.begin, s.dur, s.self, s.depth))
    query = "select pid, tid, raw_name, ts_ns, dur_ns, self_ns, depth from event where dur_ns is not null"
    for row in db.execute(query):
        found.append((row[0], str(row[1]), strip(row[2])) + row[3:])
    check.rows("spans", expected, found)

    words = {"recursive", "unclosed", "inferred"}
    expected = [
        (pid_text(nid), str(tid), s.name, s.begin, s.dur, tuple(sorted(s.flags & words)))
        for (nid, tid), thread in trace.threads.items()
        for s in thread.spans
        if s.flags & words
    ]
    found = []
    for row in db.execute("select pid, tid, raw_name, ts_ns, dur_ns, flags from event where dur_ns is not null"):
        flags = set((row[5] or "").split(",")) & words
        if flags:
            found.append((row[0], str(row[1]), strip(row[2]), row[3], row[4], tuple(sorted(flags))))
    check.rows("flags", expected, found)


def compare_messages(check, trace, db):
    expected = []
    for src, dst, tag, comm, ordinal, send, receive, size, send_span, receive_span in trace.messages():
        expected.append(
            (pid_text(src), pid_text(dst), tag, comm, ordinal, send, receive, size, send_span, receive_span)
        )
    query = """select src_pid, dst_pid, tag, comm, ordinal, send_ns, recv_ns, bytes,
                      s.raw_name, s.ts_ns, r.raw_name, r.ts_ns
               from message m left join event s on s.id = m.send_event left join event r on r.id = m.recv_event"""
    found, first = [], {}
    for row in db.execute(query):
        key = row[:4]
        first[key] = min(first.get(key, row[4]), row[4])
        found.append(row)
    span = lambda name, ts: None if name is None else (strip(name), ts)
    found = [
        row[:4] + (row[4] - first[row[:4]],) + row[5:8] + (span(*row[8:10]), span(*row[10:12])) for row in found
    ]
    check.rows("messages", expected, found)


def compare_rest(check, trace, db):
    expected = [(pid_text(n), str(t), name, time, value) for n, t, name, time, value in trace.counters]
    found = [
        (row[0], str(row[1]), strip(row[2]), row[3], row[4])
        for row in db.execute("select pid, tid, series, ts_ns, value from counter")
    ]
    check.rows("counters", expected, found)

    expected = [
        (pid_text(nid), str(tid), s.name, s.begin, name) + values
        for (nid, tid), thread in trace.threads.items()
        for s in thread.spans
        for name, values in s.metrics.items()
    ]
    query = """select e.pid, e.tid, e.raw_name, e.ts_ns, m.name, m.inclusive, m.exclusive
               from metric m join event e on e.id = m.event"""
    found = [(r[0], str(r[1]), strip(r[2]), r[3], strip(r[4]), r[5], r[6]) for r in db.execute(query)]
    check.rows("metrics", expected, found)

    expected = [(pid_text(nid), key, value) for (nid, _tid, key), value in trace.metadata.items()]
    found = [(row[0], strip(row[1]), strip(row[2])) for row in db.execute("select process, key, value from metadata")]
    if found and not isinstance(found[0][0], str):
        names = dict(db.execute("select id, pid from process"))
        found = [(names[row[0]],) + row[1:] for row in found]
    check.rows("metadata", set(expected), set(found))

    expected = defaultdict(int)
    for (nid, _tid), thread in trace.threads.items():
        for s in thread.spans:
            if COLLECTIVE.match(s.name):
                expected[pid_text(nid)] += 1
    found = defaultdict(int)
    query = "select c.pid, e.raw_name from collective c join event e on e.id = c.event"
    for pid, name in db.execute(query):
        if COLLECTIVE.match(name):
            found[pid] += 1
    check.rows("collectives", expected.items(), found.items())


def compare_statistics(check, trace, rows, raw_names):
    """@rows: dicts of the statistics; @raw_names: op_long_name -> raw name."""
    expected = trace.statistics()
    found = {}
    for row in rows:
        key = (row["pid"], raw_names.get(row["op_long_name"]))
        found[key] = row
    check.rows("statistics", [(pid_text(nid), name) for nid, name in expected], list(found))
    for (nid, name), values in expected.items():
        row = found.get((pid_text(nid), name))
        if row is None:
            continue
        for column, value in values.items():
            if column in row:
                tolerance = 1 + 1e-9 * value if column in ("avg_ns", "stddev_ns") else 0
                check.number("%s of %s on node %d" % (column, name, nid), value, row[column], tolerance)


def raw_names_of(db):
    query = "select distinct op_long_name, raw_name from event where dur_ns is not null"
    return {long_name: strip(raw) for long_name, raw in db.execute(query)}


def open_database(path):
    db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    db.row_factory = None
    return db


def compare(path, inputs):
    check, trace, db = Comparison(), read_inputs(inputs), open_database(path)
    check.some("spans", trace.statistics())
    compare_spans(check, trace, db)
    compare_messages(check, trace, db)
    compare_rest(check, trace, db)
    columns = "op_long_name pid count total_ns self_ns avg_ns min_ns max_ns median_ns p95_ns p99_ns stddev_ns".split()
    rows = [dict(zip(columns, row)) for row in db.execute("select %s from statistic" % ", ".join(columns))]
    compare_statistics(check, trace, rows, raw_names_of(db))
    return check.n_wrong


STATS_KEYS = {
    "count": "count",
    "total_ns": "total_ns",
    "self_ns": "self_ns",
    "avg_ns": "avg_ns",
    "min_ns": "min_ns",
    "max_ns": "max_ns",
    "med_ns": "median_ns",
    "p95_ns": "p95_ns",
    "p99_ns": "p99_ns",
    "stddev_ns": "stddev_ns",
}


def compare_stats(path, answer, inputs):
    """What `stats` printed: the numbers themselves, and the share of time, which sums to 100."""
    check, trace, db = Comparison(), read_inputs(inputs), open_database(path)
    with open(answer, encoding="utf-8") as file:
        data = json.load(file)
    check.some("statistics", data)
    all_self = sum(values["self_ns"] for values in trace.statistics().values())
    rows = []
    for row in data:
        found = {"op_long_name": row["op_long_name"], "pid": row["op_long_name"].split("->")[0]}
        for key, column in STATS_KEYS.items():
            found[column] = row[key]
        share = 100 * row["self_ns"] / all_self if all_self else 0
        check.number("time_percent of %s" % row["op_long_name"], share, row["time_percent"], 0.006)
        rows.append(found)
    compare_statistics(check, trace, rows, raw_names_of(db))
    return check.n_wrong


def read_profiles(folder):
    """(metric or "", node, thread, name) -> (calls, exclusive, inclusive), as the files have them"""
    rows = {}
    for root, _folders, files in os.walk(folder):
        for file in files:
            _profile, node, _context, thread = file.split(".")
            with open(os.path.join(root, file), encoding="utf-8", errors="surrogateescape") as lines:
                metric = re.match(r"\d+ templated_functions(?:_MULTI_)?(.*)", next(lines)).group(1)
                place = "MULTI__" + metric if metric else os.path.basename(folder)
                assert os.path.basename(root) == place, (root, metric)
                for line in lines:
                    row = re.match(r'"(.*)" (\d+) (\d+) (\S+) (\S+) 0 GROUP="', line)
                    if row:
                        key = (metric, int(node), int(thread), row.group(1).strip())
                        rows[key] = (int(row.group(2)), row.group(4), row.group(5))
    return rows


def compare_profile(folder, inputs):
    """Inclusive sums are those of spans that lie in none of their name."""
    check, trace = Comparison(), read_inputs(inputs)
    metrics = {name for thread in trace.threads.values() for span in thread.spans for name in span.metrics}
    time_name = "" if not metrics else "TIME" if "GET_TIME_OF_DAY" in metrics else "GET_TIME_OF_DAY"
    expected = defaultdict(lambda: [0, 0, 0])
    for (nid, tid), thread in trace.threads.items():
        for span in thread.spans:
            times = {time_name: (span.dur // 1000, span.self // 1000)}
            values = {name: span.metrics.get(name, (0, 0)) for name in metrics}
            for metric, (inclusive, exclusive) in {**times, **values}.items():
                row = expected[metric, nid, tid, span.name.strip()]
                row[0] += 1
                row[1] += exclusive
                row[2] += 0 if "recursive" in span.flags else inclusive
    rows = [key + (calls, str(exclusive), str(inclusive)) for key, (calls, exclusive, inclusive) in expected.items()]
    check.some("functions", rows)
    check.rows("profiles", rows, [key + row for key, row in read_profiles(folder).items()])
    return check.n_wrong


def table_rows(db, name, skip=()):
    cursor = db.execute("select * from %s" % name)
    columns = [c[0] for c in cursor.description]
    keep = [i for i, c in enumerate(columns) if c not in skip]
    return [tuple(row[i] for i in keep) for row in cursor]


def same(first, second, with_rows):
    check = Comparison()
    a, b = open_database(first), open_database(second)
    if with_rows:
        for name in ("event", "message", "counter", "metric", "collective", "process", "thread", "metadata", "statistic"):
            check.rows(name, table_rows(a, name), table_rows(b, name))
        check.some("events", table_rows(a, "event"))
        return check.n_wrong
    rows = []
    for db in (a, b):
        raw = raw_names_of(db)
        query = """select op_long_name, pid, count, total_ns, self_ns, avg_ns, min_ns, max_ns, median_ns, p95_ns,
                          p99_ns, stddev_ns from statistic"""
        rows.append([(raw.get(row[0]),) + row[1:] for row in db.execute(query)])
    check.some("statistics", rows[0])
    check.rows("statistics", rows[0], rows[1])
    return check.n_wrong


def counts(trace):
    spans = [span for thread in trace.threads.values() for span in thread.spans]
    return {
        "processes": len({nid for nid, _tid in trace.threads}),
        "threads": len(trace.threads),
        "spans": len(spans),
        "open": sum("unclosed" in span.flags for span in spans),
        "sends": sum(map(len, trace.sends.values())),
        "receives": sum(map(len, trace.receives.values())),
        "triggers": len(trace.counters),
        "metadata": len(trace.metadata),
        "metric_values": 2 * sum(len(span.metrics) for span in spans),
    }


def main(arguments):
    if len(arguments) >= 2 and arguments[0] == "counts":
        print(json.dumps(counts(read_inputs(arguments[1:])), indent=2))
        return 0
    if len(arguments) >= 2 and arguments[0] == "table":
        trace = read_inputs(arguments[1:])
        columns = list(next(iter(trace.statistics().values()), {}))
        print("\t".join(["pid", "name"] + columns))
        for (nid, name), values in sorted(trace.statistics().items()):
            print("\t".join([pid_text(nid), name] + [str(values[c]) for c in columns]))
        return 0
    if len(arguments) >= 3 and arguments[0] == "compare":
        return 1 if compare(arguments[1], arguments[2:]) else 0
    if len(arguments) >= 4 and arguments[0] == "compare-stats":
        return 1 if compare_stats(arguments[1], arguments[2], arguments[3:]) else 0
    if len(arguments) >= 3 and arguments[0] == "compare-profile":
        return 1 if compare_profile(arguments[1], arguments[2:]) else 0
    if len(arguments) >= 3 and arguments[0] == "same":
        return 1 if same(arguments[1], arguments[2], "--rows" in arguments[3:]) else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
