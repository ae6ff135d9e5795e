# SPDX-License-Identifier: Apache-2.0
"""What a database of tracetool says of its latest run, by the public views of docs/schema.md alone.

Times are counted from the first time of their clock, as an export counts them. Ids of events are those of the database,
threads and processes are positions in their lists.
"""
import dataclasses
import json
import pathlib
import sqlite3

from view import Pairs, flatten

WORK_ROLES = ("kernel", "copy", "set")


@dataclasses.dataclass
class Process:
    pid: str
    label: str | None
    rank: int | None
    is_device: bool = False
    is_host: bool = False
    sort_index: int | None = None  # of the source
    clocks: set = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Thread:
    process: int
    tid: str
    label: str | None
    clocks: set = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Event:
    thread: int
    op_cat: str
    name: str
    op_long_name: str
    ts: int
    dur: int | None
    args: dict
    is_async: bool
    clock: str

    @property
    def end(self):
        return self.ts + (self.dur or 0)

    @property
    def is_wide(self):
        """An instant that marks its process or everything: viewers have lines of their own for those."""
        return self.dur is None and self.args.get("scope") in ("p", "g")


@dataclasses.dataclass
class Message:
    source: int | None  # thread
    target: int | None
    send_ns: int | None
    recv_ns: int | None
    send_clock: str | None
    recv_clock: str | None
    send_event: int | None
    recv_event: int | None
    text: str

    @property
    def is_whole(self):
        return self.send_ns is not None and self.recv_ns is not None


@dataclasses.dataclass
class Counter:
    process: int | None
    tid: str | None
    name: str
    unit: str | None
    samples: list


class Database:
    def __init__(self, path):
        uri = f"{pathlib.Path(path).resolve().as_uri()}?mode=ro"
        self.sql = sqlite3.connect(uri, uri=True)
        self.run = self.sql.execute("SELECT max(id) FROM run").fetchone()[0]
        self.processes, self.threads, self.events = [], [], {}
        self.process_of_pid, self.thread_of = {}, {}
        self.read_threads()
        self.clocks = dict(self.rows("SELECT id, clock FROM source WHERE run = ?"))
        self.read_clocks()
        self.read_events()
        self.read_roles()
        self.messages = self.read_messages()
        self.flows = self.rows("SELECT from_event, to_event, kind FROM flow WHERE run = ? "
                               "AND from_event IS NOT NULL AND to_event IS NOT NULL ORDER BY 1, 2, 3")
        self.counters = self.read_counters()
        self.sql.close()

    def rows(self, sql):
        return self.sql.execute(sql, (self.run,)).fetchall()

    def read_threads(self):
        ids = {}
        for number, pid, label, rank in self.rows("SELECT id, pid, label, rank FROM process WHERE run = ? ORDER BY id"):
            ids[number] = self.process_of_pid[pid] = len(self.processes)
            self.processes.append(Process(pid, label, rank))
        for number, value in self.rows("SELECT m.process, m.value FROM metadata m JOIN process p ON p.id = m.process "
                                       "WHERE p.run = ? AND m.thread IS NULL AND m.key = 'process_sort_index'"):
            if value.removeprefix("-").isdecimal():
                self.processes[ids[number]].sort_index = int(value)
        for process, tid, label in self.rows("SELECT process, tid, label FROM thread WHERE run = ? ORDER BY id"):
            self.thread_of[self.processes[ids[process]].pid, tid] = len(self.threads)
            self.threads.append(Thread(ids[process], tid, label))

    def read_clocks(self):
        """The span of each clock in each process and thread, and the first time of each clock."""
        self.spans = {}
        for pid, tid, source, first, last in self.rows(
                "SELECT pid, tid, source, min(ts_ns), max(ts_ns + ifnull(dur_ns, 0)) FROM event WHERE run = ? "
                "GROUP BY pid, tid, source"):
            for place in ((pid, tid), pid, None):
                spans = self.spans.setdefault(place, {})
                low, high = spans.get(self.clocks[source], (first, last))
                spans[self.clocks[source]] = min(low, first), max(high, last)
            self.processes[self.process_of_pid[pid]].clocks.add(self.clocks[source])
            self.threads[self.thread_of[pid, tid]].clocks.add(self.clocks[source])
        self.first = {clock: low for clock, (low, _) in self.spans.get(None, {}).items()}
        for sql in ("SELECT pid, tid, min(ts_ns) FROM counter WHERE run = ? GROUP BY pid, tid",
                    "SELECT src_pid, src_tid, min(send_ns) FROM message WHERE run = ? GROUP BY src_pid, src_tid",
                    "SELECT dst_pid, dst_tid, min(recv_ns) FROM message WHERE run = ? GROUP BY dst_pid, dst_tid"):
            for pid, tid, ts_ns in self.rows(sql):
                if ts_ns is not None:
                    clock = self.clock_at(pid, tid, ts_ns)
                    self.first[clock] = min(self.first.get(clock, ts_ns), ts_ns)

    def clock_at(self, pid, tid, ts_ns):
        """The clock of a time that has no source: that of its thread or process whose events are nearest."""
        spans = self.spans.get((pid, tid)) or self.spans.get(pid) or self.spans.get(None)
        if not spans:
            return next(iter(self.clocks.values()), "relative")
        return min(sorted(spans), key=lambda clock: max(spans[clock][0] - ts_ns, ts_ns - spans[clock][1], 0))

    def since_first(self, pid, tid, ts_ns):
        """(time from the first of its clock, clock)"""
        if ts_ns is None:
            return None, None
        clock = self.clock_at(pid, tid, ts_ns)
        return ts_ns - self.first[clock], clock

    def read_events(self):
        for row in self.rows("SELECT id, source, pid, tid, op_cat, name, op_long_name, ts_ns, dur_ns, args, flags "
                             "FROM event WHERE run = ? ORDER BY ts_ns, depth, id"):
            number, source, pid, tid, op_cat, name, op_long_name, ts_ns, dur_ns, args, flags = row
            clock = self.clocks[source]
            known = dict(flatten(json.loads(args, object_pairs_hook=Pairs))) if args else {}
            self.events[number] = Event(self.thread_of[pid, tid], op_cat, name, op_long_name, ts_ns - self.first[clock],
                                        dur_ns, known, "async" in (flags or "").split(","), clock)

    def read_roles(self):
        for role, event, launch in self.rows("SELECT role, event, launch FROM activity WHERE run = ?"):
            if role in WORK_ROLES:
                self.process_of_event(event).is_device = True
                if launch is not None:
                    self.process_of_event(launch).is_host = True

    def process_of_event(self, number):
        return self.processes[self.threads[self.events[number].thread].process]

    def read_messages(self):
        messages = []
        for row in self.rows("SELECT src_pid, src_tid, dst_pid, dst_tid, send_ns, recv_ns, send_event, recv_event, tag "
                             "FROM message WHERE run = ? ORDER BY send_ns, recv_ns, src_pid, dst_pid, tag, ordinal"):
            src_pid, src_tid, dst_pid, dst_tid, send_ns, recv_ns, send_event, recv_event, tag = row
            send, send_clock = self.since_first(src_pid, src_tid, send_ns)
            receive, recv_clock = self.since_first(dst_pid, dst_tid, recv_ns)
            messages.append(Message(self.thread_of.get((src_pid, src_tid)), self.thread_of.get((dst_pid, dst_tid)),
                                    send, receive, send_clock, recv_clock, send_event, recv_event,
                                    f"{src_pid} to {dst_pid}, tag {tag}"))
        return messages

    def read_counters(self):
        series = {}
        for pid, tid, name, unit, ts_ns, value in self.rows("SELECT pid, tid, series, unit, ts_ns, value FROM counter "
                                                           "WHERE run = ? ORDER BY ts_ns"):
            counter = series.setdefault((pid, tid, name),
                                        Counter(self.process_of_pid.get(pid), tid, name, unit, []))
            counter.samples.append((self.since_first(pid, tid, ts_ns)[0], value))
        return list(series.values())

    def thread_text(self, thread):
        return f"{self.processes[self.threads[thread].process].pid}/{self.threads[thread].tid}"

    def event_text(self, number):
        event = self.events[number]
        return f"{event.name} of {self.thread_text(event.thread)} at {event.ts} ns"
