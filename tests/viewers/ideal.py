# SPDX-License-Identifier: Apache-2.0
"""An export as the rules want it, written from the database alone, and the same with planted errors: what the rules are
tested with. It shows a way to satisfy both viewers, not the only one, and cares for no size.

Every end of an arrow is an empty slice of its own whose flow is bound by bind_id, so that neither the order of events
at one time nor the begins of the spans around it matter.
"""
import collections
import json

MAX_NESTED = 400  # of what begins at one time or is open at one time on one track


def microseconds(ns):
    return ns // 1000 if ns % 1000 == 0 else ns / 1000


class Lanes:
    """Tracks of one thread: a slice goes on the first on which it nests and is not too deep."""

    def __init__(self):
        self.open = []

    def place(self, ts, dur):
        for lane, ends in enumerate(self.open):
            while ends and (ends[-1][1] < ts or (ends[-1][1] == ts and not (ends[-1] == (ts, ts) and dur == 0))):
                ends.pop()
            if len(ends) < MAX_NESTED and (not ends or ts + dur <= ends[-1][1]):
                break
        else:
            lane, ends = len(self.open), []
            self.open.append(ends)
        ends.append((ts, ts + dur))
        return lane


class Export:
    def __init__(self, database, tick_ns=1000):
        self.database, self.tick_ns, self.events, self.flows = database, tick_ns, [], 0
        self.lanes = [Lanes() for _ in database.threads]
        self.tids, self.lane_of_event = {}, {}
        pieces = []
        for number, event in database.events.items():
            scale = self.scale(event.clock)
            pieces.append((event.ts * scale, -(event.dur or 0) * scale, 1, number))
        arrows = self.plan_arrows()
        for ts, thread, name, words in arrows:
            pieces.append((ts, 0, 2, (thread, name, words)))
        pieces.sort(key=lambda piece: piece[:3])
        for ts, negative, kind, what in pieces:
            if kind == 1:
                self.write_event(what, ts, -negative)
            else:
                thread, name, words = what
                self.write("X", name, "arrow", ts, thread, dur=0, **words)
        homonyms = collections.Counter((counter.process, counter.name) for counter in database.counters)
        for counter in database.counters:
            self.write_counter(counter, homonyms[counter.process, counter.name] > 1)
        self.write_names()

    def scale(self, clock):
        return self.tick_ns if clock == "ticks" else 1

    def write(self, phase, name, category, ts, thread, lane=None, **words):
        if lane is None:
            lane = self.lanes[thread].place(ts, 0)
        record = {"name": name, "cat": category, "ph": phase, "ts": microseconds(ts),
                  "pid": self.database.threads[thread].process + 1, "tid": self.tid(thread, lane)}
        if "dur" in words:
            words["dur"] = microseconds(words["dur"])
        self.events.append(dict(record, **words))

    def tid(self, thread, lane):
        return self.tids.setdefault((thread, lane), 1000 + len(self.tids))

    def write_event(self, number, ts, dur):
        event = self.database.events[number]
        args = dict(self.nested(event.args), op_long_name=event.op_long_name)
        if event.is_async:
            id2 = {"local": f"{number}"}
            for phase, at in (("b", ts), ("e", ts + dur)):
                self.write(phase, event.name, event.op_cat, at, event.thread, 0, id2=id2,
                           **({"args": args} if phase == "b" else {}))
            return
        lane = self.lanes[event.thread].place(ts, dur)
        self.write("X", event.name, event.op_cat, ts, event.thread, lane, dur=dur, args=args)

    @staticmethod
    def nested(flat):
        """Names with dots in them are flat again when the viewer has read them."""
        return {key: str(value) if isinstance(value, int) and abs(value) >= 2**63 else value
                for key, value in flat.items()}

    def plan_arrows(self):
        database, planned = self.database, []

        def plan(source, source_ns, target, target_ns, kind):
            self.flows += 1
            words = {"bind_id": self.flows}
            planned.append((source_ns, source, f"{kind}: send", dict(words, flow_out=True)))
            planned.append((target_ns, target, f"{kind}: receive", dict(words, flow_in=True)))

        for message in database.messages:
            if message.is_whole and message.send_ns <= message.recv_ns:
                plan(message.source, message.send_ns * self.scale(message.send_clock), message.target,
                     message.recv_ns * self.scale(message.recv_clock), "message")
        for from_event, to_event, kind in database.flows:
            source, target = database.events[from_event], database.events[to_event]
            begin, end = source.ts * self.scale(source.clock), target.end * self.scale(target.clock)
            if begin <= end:
                plan(source.thread, begin, target.thread, max(begin, target.ts * self.scale(target.clock)), kind)
        return planned

    def write_counter(self, counter, has_homonyms):
        """A counter is of a process: those of several threads need names of their own."""
        name = f"{counter.name} of {counter.tid}" if has_homonyms else counter.name
        for ts, value in counter.samples:
            self.events.append({"name": name, "ph": "C", "ts": microseconds(ts), "pid": counter.process + 1,
                                "tid": 999, "args": {counter.unit or "value": value}})

    def write_names(self):
        database = self.database
        order = sorted(range(len(database.processes)), key=lambda i: (
            database.processes[i].rank is None, database.processes[i].rank or 0,
            database.processes[i].sort_index is None, database.processes[i].sort_index or 0,
            not database.processes[i].is_host, not database.processes[i].is_device, i))
        for sort_index, i in enumerate(order):
            process = database.processes[i]
            words = [word.strip() for word in (process.label, process.pid) if (word or "").strip()]
            if "ticks" in process.clocks:
                words.append("ticks")
            self.name("process_name", i, None, name=" ".join(words) or "process")
            self.name("process_sort_index", i, None, sort_index=sort_index)
        for (thread, _), tid in self.tids.items():
            record = database.threads[thread]
            words = [word.strip() for word in (record.label, record.tid) if (word or "").strip()]
            self.name("thread_name", record.process, tid, name=" ".join(words) or "thread")

    def name(self, what, process, tid, **args):
        record = {"name": what, "ph": "M", "pid": process + 1, "args": args}
        self.events.append(record if tid is None else dict(record, tid=tid))


def first(events, **words):
    return next(event for event in events if all(event.get(key) == value for key, value in words.items()))


# Each spoils the events and names the rules of which one must notice; None: there is nothing to spoil.


def spans_of(events):
    return [event for event in events if event["ph"] == "X" and event["cat"] != "arrow"]


def longest(events):
    return max(spans_of(events), key=lambda event: event["dur"])


def arrows_of(events):
    return [event for event in events if event.get("cat") == "arrow"]


def lose_span(events):
    events.remove(longest(events))
    return ("spans",)


def repeat_span(events):
    events.append(dict(spans_of(events)[-1], tid=998))
    return ("nothing else",)


def move_span(events):
    longest(events)["ts"] += 0.001
    return ("spans",)


def change_category(events):
    spans_of(events)[0]["cat"] = "x" + spans_of(events)[0]["cat"]
    return ("categories",)


def lose_arg(events):
    spoilt = [event for event in spans_of(events) if len(event["args"]) > 1]
    if not spoilt:
        return None
    del spoilt[0]["args"][next(iter(spoilt[0]["args"]))]
    return ("args",)


def empty_name(events):
    first(events, name="process_name", pid=spans_of(events)[0]["pid"])["args"]["name"] = ""
    return ("process names",)


def merge_processes(events):
    if len({event["pid"] for event in spans_of(events)}) < 2:
        return None
    for event in events:
        event["pid"] = 1
    return ("processes",)


def merge_threads(events):
    names = {}
    for event in events:
        if event["name"] == "thread_name":
            names.setdefault(event["pid"], set()).add(event["args"]["name"])
    pid = next((pid for pid, several in sorted(names.items()) if len(several) > 1), None)
    if pid is None:
        return None
    for event in events:
        if event["pid"] == pid and "tid" in event:
            event["tid"] = 1
    return ("threads",)


def lose_counter_value(events):
    counters = [event for event in events if event["ph"] == "C"]
    if not counters:
        return None
    events.remove(counters[-1])
    return ("counters",)


def lose_arrow(events):
    if not arrows_of(events):
        return None
    del arrows_of(events)[0]["bind_id"]
    return ("messages", "flows")


def turn_arrow(events):
    arrows = arrows_of(events)
    if not arrows:
        return None
    for event in arrows:
        if event["bind_id"] == arrows[0]["bind_id"]:
            is_target = event.pop("flow_in", False)
            event.pop("flow_out", None)
            event["flow_out" if is_target else "flow_in"] = True
    return ("messages", "flows")


def cross_arrows(events):
    targets = [event for event in arrows_of(events) if event.get("flow_in")]
    other = next((event for event in targets if (event["pid"], event["tid"]) !=
                  (targets[0]["pid"], targets[0]["tid"])), None)
    if other is None:
        return None
    targets[0]["bind_id"], other["bind_id"] = other["bind_id"], targets[0]["bind_id"]
    return ("messages", "flows")


FAULTS = (lose_span, repeat_span, move_span, change_category, lose_arg, empty_name, merge_processes, merge_threads,
          lose_counter_value, lose_arrow, turn_arrow, cross_arrows)


def write(events, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"traceEvents": events}, file, ensure_ascii=False, indent=None)
