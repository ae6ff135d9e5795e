#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Strict check of a Chrome trace: what the viewers ask for, and what tracetool promises on top.

check-chrome.py [--template] [--part] FILE    (--part: filtered or cut to a size, so cnt may have gaps)
Prints the number of events of each kind; exits 1 with the first faults on standard error.
"""
import collections
import decimal
import gzip
import json
import sys

faults = []


def fault(where, text):
    faults.append(f"{where}: {text}")


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        fault("object", f"key twice in {keys}")
    return dict(pairs)


def no_constant(word):
    raise ValueError(f"{word} is not JSON")


def is_number(value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def is_id(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def ns(value):
    """Microseconds to a whole number of nanoseconds."""
    exact = decimal.Decimal(value) * 1000
    if exact != int(exact):
        fault("time", f"{value} us is no whole number of ns")
    return int(exact)


REQUIRED = {
    "X": {"name", "cat", "ts", "dur", "pid", "tid", "args"},
    "b": {"name", "cat", "ts", "pid", "tid", "args", "id2"},
    "e": {"name", "cat", "ts", "pid", "tid", "args", "id2"},
    "n": {"name", "cat", "ts", "pid", "tid", "args", "id2"},
    "i": {"name", "cat", "ts", "pid", "tid", "args", "s"},
    "C": {"name", "ts", "pid", "tid", "args"},
    "s": {"name", "cat", "ts", "pid", "tid", "args", "id"},
    "f": {"name", "cat", "ts", "pid", "tid", "args", "id", "bp"},
    "M": {"name", "pid", "args"},
}
METADATA = {
    "process_name": ("name", str),
    "process_sort_index": ("sort_index", int),
    "thread_name": ("name", str),
    "thread_sort_index": ("sort_index", int),
}
CATEGORIES = {"operator", "Comm", "I/O", "ServerOp"}


def check_fields(where, event, template):
    phase = event.get("ph")
    if phase not in REQUIRED or (template and phase != "X"):
        fault(where, f"phase {phase!r}")
        return False
    missing = REQUIRED[phase] - event.keys()
    if missing:
        fault(where, f"{phase} without {sorted(missing)}")
        return False
    allowed = REQUIRED[phase] | {"ph", "cname"} | ({"id"} if phase == "C" else set()) | ({"tid"} if phase == "M" else set())
    if event.keys() - allowed:
        fault(where, f"unknown fields {sorted(event.keys() - allowed)}")
    if not isinstance(event["name"], str) or not isinstance(event["args"], dict):
        fault(where, "name or args of the wrong type")
        return False
    for key in ("pid", "tid"):
        if key in event and not (isinstance(event[key], str) if template else is_id(event[key])):
            fault(where, f"{key} {event[key]!r}")
    if phase == "M":
        return True
    if not is_number(event["ts"]) or ("dur" in event and (not is_number(event["dur"]) or event["dur"] < 0)):
        fault(where, "ts or dur is no number")
        return False
    if "cat" in event and (not isinstance(event["cat"], str) or (template and event["cat"] not in CATEGORIES)):
        fault(where, f"cat {event['cat']!r}")
    return True


class Checker:
    def __init__(self, template, part):
        self.template, self.part = template, part
        self.process_names, self.thread_names = {}, {}
        self.spans = collections.defaultdict(list)
        self.used = set()
        self.begins, self.ends = {}, {}
        self.counts = collections.defaultdict(list)
        self.series = {}
        self.n = collections.Counter()
        self.lane, self.lanes = None, collections.defaultdict(list)
        self.last = None

    def metadata(self, where, event):
        name = event["name"]
        if name not in METADATA or not isinstance(event["args"].get(METADATA[name][0]), METADATA[name][1]):
            fault(where, f"metadata {name!r} with {event['args']}")
            return
        if name.startswith("thread") != ("tid" in event):
            fault(where, f"tid of {name}")
        if name == "process_name":
            if event["pid"] in self.process_names:
                fault(where, f"pid {event['pid']} named twice")
            self.process_names[event["pid"]] = event["args"].get("pid")
            if not event["args"]["name"]:
                fault(where, "process without a name")
        if name == "thread_name":
            key = event["pid"], event["tid"]
            if key in self.thread_names:
                fault(where, f"thread {key} named twice")
            self.thread_names[key] = event["args"].get("tid")
            if not event["args"]["name"]:
                fault(where, "thread without a name")
            if event["tid"] == 0 and event["pid"] != 0:
                fault(where, "tid 0 of a pid that is not 0: Perfetto makes it the pid")

    def span(self, where, event):
        args, key = event["args"], (event["pid"], event["tid"])
        begin = ns(event["ts"])
        if event["ph"] == "X":
            self.spans[key].append((begin, begin + ns(event["dur"]), where))
        if event["cat"] == "arrow" and not self.template:
            self.n["X"] -= 1
            if event["dur"] != 0:
                fault(where, "what an arrow is tied to has a length")
            return
        if not is_id(args.get("cnt")) or not isinstance(args.get("name"), str):
            fault(where, "args without cnt or name")
            return
        if args["name"] != event["name"] and not args["name"].startswith(event["name"] + "~>"):
            fault(where, f"args.name {args['name']!r} of {event['name']!r}")
        if "step" in args and not is_number(args["step"]):
            fault(where, "step is no number")
        if self.template:
            self.counts[event["pid"], args["name"]].append(args["cnt"])
            return
        self.counts[event["pid"], args.get("op_long_name")].append(args["cnt"])
        if args.get("op_long_name") != f"{self.process_names.get(event['pid'])}->{args['name']}":
            fault(where, f"op_long_name {args.get('op_long_name')!r}")

    def flow(self, where, event):
        key = event["cat"], event["name"], event["id"]
        place = ns(event["ts"]), (event["pid"], event["tid"]), where
        is_message = event["cat"] == event["name"] == "message"
        if not is_id(event["id"]) or event["cat"] != event["name"] or event["id"] % 2 == is_message:
            fault(where, f"id {event['id']!r} of {event['name']!r}")
        if event["ph"] == "s":
            if key in self.begins:
                fault(where, f"arrow {key} begins twice")
            self.begins[key] = place
            return
        if event["bp"] != "e":
            fault(where, "arrow does not bind to the enclosing span")
        if key not in self.begins:
            fault(where, f"arrow {key} ends before it begins in the file")
        elif self.begins[key][0] > place[0]:
            fault(where, f"arrow {key} goes back in time")
        if key in self.ends:
            fault(where, f"arrow {key} ends twice")
        self.ends[key] = place

    def counter(self, where, event):
        if not event["args"] or not all(is_number(value) for value in event["args"].values()):
            fault(where, f"counter values {event['args']}")
        # A viewer draws one line per process, name and id.
        key = event["pid"], event["name"], event.get("id")
        if self.series.setdefault(key, event["tid"]) != event["tid"]:
            fault(where, f"counter {key} comes from several threads")

    def event(self, where, event):
        if not isinstance(event, dict) or not check_fields(where, event, self.template):
            return
        phase = event["ph"]
        self.n[phase] += 1
        if phase == "M":
            self.metadata(where, event)
            return
        self.used.add((event["pid"], event["tid"]))
        if phase == "e":
            self.lane_end(where, event)
            return
        if self.last is not None and event["ts"] < self.last:
            fault(where, "not in the order of time")
        self.last = event["ts"]
        if phase in "Xb":
            self.span(where, event)
            self.lane = event
        elif phase == "n":
            if not is_id(event["id2"].get("local")):
                fault(where, f"id {event['id2']!r} of an instant")
        elif phase in "sf":
            self.flow(where, event)
        elif phase == "C":
            self.counter(where, event)
        elif event["s"] not in ("t", "p", "g"):
            fault(where, f"scope {event['s']!r}")

    def lane_end(self, where, event):
        """The end of an asynchronous span stands right after its begin; spans of a lane nest."""
        begin = self.lane
        if begin is None or begin["ph"] != "b" or any(begin[key] != event[key] for key in ("id2", "name", "cat", "pid", "tid")):
            fault(where, "end of an asynchronous span that did not begin just before")
            return
        self.lane = None
        self.lanes[event["id2"].get("local")].append((ns(begin["ts"]), ns(event["ts"]), where))

    def nesting(self, key, spans):
        open_ends = []
        for begin, end, where in spans:
            if len(open_ends) >= 512:
                fault(where, f"deeper on {key} than Perfetto shows")
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            if open_ends and end > open_ends[-1]:
                fault(where, f"span of {key} overlaps the one around it")
            open_ends.append(end)

    def binding(self):
        """An arrow's ends lie in a span of their thread, before its very end."""
        points = collections.defaultdict(list)
        for place in list(self.begins.values()) + list(self.ends.values()):
            points[place[1]].append(place)
        for key, places in points.items():
            spans, i, open_ends = self.spans.get(key, []), 0, []
            for ts, _, where in sorted(places):
                while i < len(spans) and spans[i][0] <= ts:
                    if spans[i][1] == spans[i][0] == ts:
                        open_ends.insert(0, ts + 1)  # nothing can be before the end of an empty span
                    open_ends.append(spans[i][1])
                    i += 1
                open_ends = [end for end in open_ends if end > ts]
                if not open_ends:
                    fault(where, f"arrow at {ts} is in no span of {key}")

    def finish(self):
        if self.begins.keys() != self.ends.keys():
            fault("arrows", f"without partner: {sorted(self.begins.keys() ^ self.ends.keys())[:3]}")
        for key, spans in self.spans.items():
            if not self.template:
                self.nesting(key, spans)
        for key, spans in self.lanes.items():
            self.nesting(f"lane {key}", spans)
        self.binding()
        if not self.template:
            for pid, tid in sorted(self.used):
                if pid not in self.process_names or (pid, tid) not in self.thread_names:
                    fault("metadata", f"thread {pid}, {tid} has no name")
        for key, counts in self.counts.items():
            if any(a >= b for a, b in zip(counts, counts[1:])):
                fault(key, "cnt does not rise")
            elif not self.part and counts != list(range(len(counts))):
                fault(key, "cnt has gaps")


def main():
    words = sys.argv[1:]
    template, part = "--template" in words, "--part" in words
    path = words[-1]
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as file:
        text = file.read().decode("utf-8")
    document = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant, parse_float=decimal.Decimal)
    if not isinstance(document, dict) or not isinstance(document.get("traceEvents"), list):
        fault("file", "no traceEvents")
        events = []
    else:
        events = document["traceEvents"]
        lines = text.split("\n")
        if len(lines) < len(events) + 2:
            fault("file", "more than one event a line")
        if not template and document.get("displayTimeUnit") != "ns":
            fault("file", "displayTimeUnit")
    checker = Checker(template, part)
    for i, event in enumerate(events):
        checker.event(f"event {i + 1}", event)
    checker.finish()
    n = checker.n
    if not part and not any(n[kind] for kind in "XbniC"):
        fault("file", "no events")
    print(f"spans {n['X'] + n['b']} instants {n['i'] + n['n']} counters {n['C']} arrows {n['s']} metadata {n['M']}")
    for text in faults[:10]:
        print(f"{path}: {text}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
