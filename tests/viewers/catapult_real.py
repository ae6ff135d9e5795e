# SPDX-License-Identifier: Apache-2.0
"""What Catapult (chrome://tracing) itself makes of a Chrome JSON trace.

$CATAPULT is a folder of its public sources, of which catapult_browser.py makes the viewer and opens it in Chromium. Or
$CATAPULT_IMPORT is another program that imports a trace with Catapult's own model and prints it as JSON, as
`PROGRAM --slices TRACE`:

    {"processes": [{"pid", "name", "sort_index",
                    "threads": [{"tid", "name", "sort_index", "sibling_overlaps",
                                 "slice_list": [{"title", "cat", "ts", "dur", "args"}], "async_list": [the same]}],
                    "counters": [{"name", "series": [{"name", "values": [[ts, value]]}]}],
                    "instants": [{"title", "ts", "args"}]}],
     "global_instants": [the same],
     "flows": [{"start": {"pid", "tid", "title", "ts", "dur"}, "end": the same}],
     "import_warnings": [{"type", "message"}]}

Times are microseconds. Slices have no ids there, so the ends of flows are found by place, time and title; parents are
rebuilt from the times, which is what Catapult does.
"""
import json
import os

import catapult_browser
from view import Arrow, Counter, Process, Slice, Thread, Track, View, ViewerError, flatten, output_of


def nanoseconds(microseconds):
    return int(round(microseconds * 1000))


class Reader:
    def __init__(self):
        self.view = View(numbers_are_doubles=True)
        self.threads, self.ends = {}, {}

    def complain(self, name, n=1):
        if n:
            self.view.errors[name] = self.view.errors.get(name, 0) + n

    def read_process(self, record):
        process = len(self.view.processes)
        self.view.processes.append(Process(record["pid"], record["name"], record["sort_index"]))
        for thread in record["threads"]:
            self.read_thread(process, record["pid"], thread)
        for counter in record["counters"]:
            for series in counter["series"]:
                samples = [(nanoseconds(ts), float(value)) for ts, value in series["values"]]
                self.view.counters.append(Counter(process, f"{counter['name']} {series['name']}", samples))
        self.read_marks(record["instants"], process)

    def read_marks(self, instants, process):
        self.view.tracks.append(Track("mark", process=process))
        for instant in instants:
            self.add_slice(len(self.view.tracks) - 1, dict(instant, dur=0, cat=None), None)

    def read_thread(self, process, pid, record):
        thread = self.threads[pid, record["tid"]] = len(self.view.threads)
        self.view.threads.append(Thread(process, record["tid"], record["name"], record["sort_index"] or 0))
        self.complain("sibling_overlaps", record["sibling_overlaps"])
        self.view.tracks.append(Track("thread", thread, process))
        stack = []
        for piece in record["slice_list"]:
            begin, end = nanoseconds(piece["ts"]), nanoseconds(piece["ts"]) + nanoseconds(piece["dur"])
            while stack and self.end_of(stack[-1]) < end:
                stack.pop()
            while stack and self.end_of(stack[-1]) == begin < end:
                stack.pop()
            slice_id = self.add_slice(len(self.view.tracks) - 1, piece, stack)
            self.ends[pid, record["tid"], piece["title"], begin, end - begin] = slice_id
            stack.append(slice_id)
        if record["async_list"]:
            self.view.tracks.append(Track("async", None, process))
            for piece in record["async_list"]:
                self.add_slice(len(self.view.tracks) - 1, piece, None)

    def end_of(self, slice_id):
        return self.view.slices[slice_id].ts + self.view.slices[slice_id].dur

    def add_slice(self, track, piece, stack):
        if piece.get("didNotFinish"):
            self.complain("did_not_finish")
        parent = stack[-1] if stack else None
        args = dict(flatten(piece["args"] or {}))
        self.view.slices.append(Slice(track, nanoseconds(piece["ts"]), nanoseconds(piece["dur"]), piece["title"],
                                      piece["cat"], len(stack or ()), parent, args))
        return len(self.view.slices) - 1

    def read_flow(self, flow):
        ends = []
        for side in ("start", "end"):
            where = flow[side]
            if where is None:
                self.complain("flow_without_slice")
                return
            ends.append(self.ends.get((where["pid"], where["tid"], where["title"], nanoseconds(where["ts"]),
                                       nanoseconds(where["dur"]))))
        if None in ends:
            self.complain("flow_without_slice")
        else:
            self.view.arrows.append(Arrow(*ends))


def is_present():
    return any(os.environ.get(name) for name in ("CATAPULT", "CATAPULT_IMPORT"))


def load(path):
    if path.endswith(".pftrace"):
        raise ViewerError("Catapult does not read protobuf")
    program = os.environ.get("CATAPULT_IMPORT")
    text = output_of([program, "--slices", path]) if program else catapult_browser.import_trace(path)
    document = json.loads(text, parse_int=lambda text: int(text) if abs(int(text)) <= 2**53 else float(text))
    reader = Reader()
    for record in document["processes"]:
        reader.read_process(record)
    reader.read_marks(document["global_instants"], None)
    for flow in document["flows"]:
        reader.read_flow(flow)
    for warning in document["import_warnings"]:
        reader.complain(warning["type"])
    return reader.view
