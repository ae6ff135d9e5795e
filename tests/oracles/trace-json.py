#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plain imports of trace-event JSON (--format chrome) against an independent reading of the file.

    trace-json.py DATABASE TRACE : the latest run of DATABASE is the import of just this file

Pairs begins with ends, ties points of flows to spans and names counters slowly, from the whole file, by the rules of
docs/formats.md. Compares every span, instant, counter value and flow, the arguments, and what each name sums up to.
Prints the differences and ends with 1 if there are any.
"""
import collections
import gzip
import json
import sqlite3
import sys
from decimal import ROUND_HALF_UP, Decimal

SPAN_OR_INSTANT = "XBEbeSFnTpiIRP"
EMPTY = (None, "", {}, [])


def read_text(path):
    opened = gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")
    with opened as file:
        return file.read().decode("utf-8", "replace")


def parse(text):
    return json.loads(text, parse_float=Decimal, strict=False)


def read_events(path):
    """The events of the file; of one that is cut, after an object, whatever makes it whole."""
    text = read_text(path)
    for end in ("", "]", "]}"):
        try:
            document = parse(text if end == "" else text.rstrip().rstrip(",") + end)
            break
        except ValueError:
            continue
    events = document["traceEvents"] if isinstance(document, dict) else document
    events = [event for event in events if isinstance(event, dict) and isinstance(event.get("ph"), str) and event["ph"]]
    if isinstance(document, dict):
        add_stacks(events, document.get("stackFrames", {}), document.get("samples", []))
    return events


def add_stacks(events, frames, samples):
    """Samples as events of their thread; stacks as arguments, by the names of their frames."""
    def names(frame):
        told, seen = [], set()
        while frame is not None and str(frame) not in seen:
            seen.add(str(frame))
            told.insert(0, frames[str(frame)]["name"])
            frame = frames[str(frame)].get("parent")
        return told

    pids = {}
    for event in events:
        if "tid" in event and event["ph"] in SPAN_OR_INSTANT + "stfC":
            pids.setdefault(text_of(event["tid"]), event.get("pid", 0))
    for sample in samples:
        args = {key: sample[key] for key in ("cpu", "weight") if key in sample}
        pid = pids.get(text_of(sample["tid"]), sample["tid"])
        events.append({key: value for key, value in sample.items() if key not in args} | {"ph": "P", "pid": pid, "args": args})
    for event in events:
        for key, whole in (("sf", "stack"), ("esf", "estack")):
            as_key = "estack" if event["ph"] in "EeF" else whole
            if whole in event:
                event["args"] = event.get("args", {}) | {as_key: event[whole]}
            elif key in event:
                known = str(event[key]) in frames
                event["args"] = event.get("args", {}) | ({as_key: names(event[key])} if known else {key: event[key]})


def nanoseconds(value):
    if isinstance(value, bool) or value is None:
        return None
    try:
        scaled = Decimal(str(value)) * 1000
        return int(scaled.to_integral_value(rounding=ROUND_HALF_UP))
    except ArithmeticError:
        return None


def text_of(value):
    """As it stands in the file, but for a text."""
    return value if isinstance(value, str) else json.dumps(value, default=str)


class Span:
    def __init__(self, place, name, ts, dur, args):
        self.place, self.name, self.ts, self.dur, self.args = place, name, ts, dur, args

    def row(self):
        args = self.args
        if args is not None and not isinstance(args, dict):
            args = {"args": args}
        return (*self.place, self.name, self.ts, self.dur, plain(args))


class Begin:
    """Of a pair. What says that its end was lost: when the first span around it ended, what came last before that, when the
    first of its name began that ended, ends of no begin while it was the innermost."""
    def __init__(self, ts, place, name, args, clock):
        self.ts, self.place, self.name, self.args, self.clock = ts, place, name, args, clock
        self.around = self.inside = self.again = None
        self.alone = []


def plain(args):
    return None if args in EMPTY else json.dumps(args, sort_keys=True, default=str)


class Trace:
    def __init__(self, path):
        self.spans, self.instants, self.counters = [], [], []
        self.lines = collections.defaultdict(list)  # of events with begins and ends, by thread
        self.keys = collections.defaultdict(list)  # the same of asynchronous ones
        self.points = []
        self.bound = collections.defaultdict(list)  # by bind_id: time, number, kind, consumes, produces
        self.cpu = []
        self.last = {}  # of each thread
        self.order = {}  # of threads, by first sight
        for number, event in enumerate(read_events(path)):
            self.take(event, number)
        self.pair(self.lines.values())
        self.pair(self.keys.values())
        self.sums = collections.defaultdict(lambda: [0, 0])
        for span in self.spans:
            self.sums[span.name][0] += 1
            self.sums[span.name][1] += span.dur
        self.flows = self.pair_flows()

    def take(self, event, number):
        ph, ts = event["ph"], nanoseconds(event.get("ts"))
        if ph == "M" and event.get("name") in ("thread_name", "thread_sort_index"):
            self.order.setdefault(self.place(event), len(self.order))
        if ts is None or ph not in SPAN_OR_INSTANT + "stfC":
            return
        place = self.place(event)
        self.order.setdefault(place, len(self.order))
        name = event.get("name")
        name = None if name is None else text_of(name).strip()
        end = ts
        if ph == "X":
            dur = nanoseconds(event.get("dur"))
            dur = nanoseconds(event.get("tdur")) if dur is None else dur
            end = ts + max(dur or 0, 0)
            self.bind(event, ts, number)
            cpu = nanoseconds(event.get("tdur"))
            if cpu is not None:
                self.cpu.append((*place, name or "", ts, cpu))
            self.add_span(place, name or "", ts, end - ts, event.get("args"))
        elif ph in "BE":
            if ph == "B":
                self.bind(event, ts, number)
            self.lines[place].append((ts, number, ph == "B", place, name, event.get("args"), nanoseconds(event.get("tts"))))
        elif ph in "beSF":
            key = (ph in "be", event.get("cat"), self.id_of(event, place), event.get("scope"))
            self.keys[key].append((ts, number, ph in "bS", place, name, event.get("args"), None))
        elif ph == "C":
            self.take_counter(event, place, ts)
            return
        elif ph in "stf":
            key = (event.get("cat"), event.get("name"), self.id_of(event, place), event.get("scope"))
            is_next = ph == "f" and event.get("bp") != "e"
            self.points.append((ts, number, ph, place, key, is_next, event.get("cat") or name))
        else:
            args = event.get("args")
            if ph in "iIR" and event.get("s") in ("p", "g") and (args is None or isinstance(args, dict)):
                args = (args or {}) | {"scope": event["s"]}
            self.instants.append(Span(place, name or "", ts, None, args))
        self.last[place] = max(self.last.get(place, end), end)

    def place(self, event):
        pid, tid = (0 if event.get(key) is None else event[key] for key in ("pid", "tid"))
        return text_of(pid), text_of(tid)

    @staticmethod
    def id_of(event, place):
        id2 = event.get("id2")
        if isinstance(id2, dict):
            return (id2["local"], place[0]) if "local" in id2 else id2.get("global")
        return event.get("id")

    def add_span(self, place, name, ts, dur, args):
        self.spans.append(Span(place, name, ts, dur, args))

    def take_counter(self, event, place, ts):
        args, counter = event.get("args"), text_of(event.get("name"))
        name = counter + (f"[{text_of(event['id'])}]" if event.get("id") is not None else "")
        for key, value in args.items() if isinstance(args, dict) else ():
            try:
                number = Decimal(int(value) if isinstance(value, bool) else str(value))
            except ArithmeticError:
                continue
            is_plain = len(args) == 1 and key in ("value", counter)
            self.counters.append((*place, name if is_plain else f"{name}/{key}", ts, float(number)))

    def pair(self, lines):
        """An end closes the latest open begin of its name, one without a name the latest of any. A begin without an end is
        open to its thread's last time; where other pairs say that it ended before, its duration has bounds."""
        for line in lines:
            open_ones, nested, latest = [], set(), None
            for ts, _, is_begin, place, name, args, clock in sorted(line, key=lambda event: event[:2]):
                if is_begin:
                    open_ones.append(Begin(ts, place, name, args, clock))
                else:
                    self.take_end(open_ones, nested, latest, Begin(ts, place, name, args, clock))
                latest = ts
            for begin in open_ones:
                self.add_unended(begin, nested)

    def take_end(self, open_ones, nested, latest, end):
        fitting = [i for i, one in enumerate(open_ones) if end.name is None or one.name == end.name]
        if not fitting:
            if end.name is not None:
                self.instants.append(Span(end.place, end.name, end.ts, None, end.args))
            if open_ones:
                open_ones[-1].alone.append(end.ts)
            return
        begin, inside = open_ones.pop(fitting[-1]), open_ones[fitting[-1]:]
        if end.clock is not None and begin.clock is not None:
            self.cpu.append((*begin.place, begin.name or "", begin.ts, end.clock - begin.clock))
        self.add_span(begin.place, begin.name or "", begin.ts, end.ts - begin.ts, {**(begin.args or {}), **(end.args or {})})
        for one in inside:
            if one.around is None:
                one.around, one.inside = end.ts, max(latest, one.ts)
        if begin.again is not None:
            nested.add(begin.name)
        same = [one for one in open_ones[:fitting[-1]] if one.name == begin.name]
        if same and same[-1].again is None:
            same[-1].again = begin.ts

    def add_unended(self, begin, nested):
        again = None if begin.name in nested else begin.again
        known = [ts for ts in (*begin.alone, begin.inside, again) if ts is not None]
        if not known:
            self.add_span(begin.place, begin.name or "", begin.ts, self.last[begin.place] - begin.ts, begin.args)
            return
        dur = max(min(known) - begin.ts, 0)
        longest = max((self.last[begin.place] if begin.around is None else begin.around) - begin.ts, dur)
        self.add_span(begin.place, begin.name or "", begin.ts, dur, {**(begin.args or {}), "dur_between_ns": [0, longest]})

    # -- flows ---------------------------------------------------------------------------------------------

    def bind(self, event, ts, number):
        consumes, produces = (bool(event.get(key)) for key in ("flow_in", "flow_out"))
        if event.get("bind_id") is not None and (consumes or produces):
            kind = event.get("cat") or event.get("name")
            self.bound[str(event["bind_id"])].append((ts, number, kind, consumes, produces))

    def pair_bound(self, found):
        """Each consumer with the last producer before it; what does both produces only if it had one."""
        for points in self.bound.values():
            producer = None
            for ts, _, kind, consumes, produces in sorted(points):
                if consumes and producer is not None:
                    found[producer[0], producer[1], ts] += 1
                if produces and (not consumes or producer is not None):
                    producer = kind, ts

    def pair_flows(self):
        """Consecutive points of a chain that a span is tied to."""
        lines = collections.defaultdict(list)
        for index, span in enumerate(self.spans):
            lines[span.place].append((span.ts, -span.dur, index, span))
        for line in lines.values():
            line.sort(key=lambda one: one[:3])
        chains = collections.defaultdict(list)
        for ts, number, ph, place, key, is_next, kind in self.points:
            if self.is_tied(lines[place], ts, is_next):
                chains[key].append((ts, self.order[place], number, ph, kind))
        found = collections.Counter()
        for points in chains.values():
            before = None
            for ts, _, _, ph, kind in sorted(points):
                if ph != "s" and before is not None:
                    found[kind, before, ts] += 1
                before = ts if ph == "s" or before is not None else None
        self.pair_bound(found)
        return found

    @staticmethod
    def is_tied(line, ts, is_next):
        if is_next:
            return any(span.ts >= ts for _, _, _, span in line)
        return any(span.ts <= ts and (span.ts + span.dur > ts or span.ts == ts) for _, _, _, span in line)


def stored_args(text):
    return plain(json.loads(text, parse_float=Decimal)) if text else None


def differences(what, wanted, found):
    wanted, found = collections.Counter(wanted), collections.Counter(found)
    missing, extra = wanted - found, found - wanted
    for word, rows in (("lacks", missing), ("has besides", extra)):
        for row in list(rows)[:5]:
            print(f"# {what}: {word} {row}")
    return sum(missing.values()) + sum(extra.values())


def compare(database, trace):
    events = database.execute("select pid, tid, raw_name, ts_ns, dur_ns, args from event").fetchall()
    events = [(*row[:5], stored_args(row[5])) for row in events]
    faults = differences("spans", [span.row() for span in trace.spans], [row for row in events if row[4] is not None])
    faults += differences(
        "instants", [instant.row() for instant in trace.instants], [row for row in events if row[4] is None]
    )
    sums = database.execute(
        "select raw_name, count(*), sum(dur_ns) from event where dur_ns is not null group by raw_name"
    )
    faults += differences("sums", [(name, *two) for name, two in trace.sums.items()], sums.fetchall())
    counters = database.execute("select pid, tid, series, ts_ns, value from counter").fetchall()
    faults += differences("counters", trace.counters, [(*row[:4], float(row[4])) for row in counters])
    flows = database.execute("select kind, count(*) from flow group by kind").fetchall()
    wanted = collections.Counter()
    for (kind, _, _), n in trace.flows.items():
        wanted[kind] += n
    faults += differences("flows", list(wanted.items()), flows)
    if trace.bound:
        ends = "from flow join event a on a.id = from_event join event b on b.id = to_event"
        flows = database.execute(f"select kind, a.ts_ns, b.ts_ns {ends}").fetchall()
        faults += differences("ends of flows", list(trace.flows.elements()), flows)
    cpu = database.execute(
        "select pid, tid, raw_name, ts_ns, inclusive from metric join event e on e.id = event where metric.name = 'cpu_time'"
    )
    return faults + differences("CPU times", trace.cpu, cpu.fetchall())


def main():
    database, path = sys.argv[1:]
    trace = Trace(path)
    if not (trace.spans or trace.instants or trace.counters):
        sys.exit("# no event was read: nothing is compared")
    faults = compare(sqlite3.connect(database), trace)
    if not trace.spans and not trace.instants and not trace.counters:
        print("# no events: there is nothing to compare")
        faults += 1
    print(
        f"# {path.rsplit('/', 1)[-1]}: {len(trace.spans)} spans, {len(trace.instants)} instants,"
        f" {len(trace.counters)} counter values, {sum(trace.flows.values())} flows"
    )
    sys.exit(1 if faults else 0)


main()
