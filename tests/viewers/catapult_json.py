# SPDX-License-Identifier: Apache-2.0
"""What Catapult (chrome://tracing) makes of a Chrome JSON trace, modelled after its source (trace_event_importer.html,
slice_group.html, base/utils.html).

Only the kinds of events are known that an export may have: X, i, s, t, f, b, e, n, C and M. Times are doubles of
milliseconds there, and so they are here until a View is filled.
"""
import bisect
import gzip
import json

from view import Arrow, Counter, Process, Slice, Thread, Track, View, ViewerError, flatten

MILLISECONDS = 1e-6 / 1e-3  # in a microsecond, rounded as there
HIDDEN = ("trace_event_overhead",)


def double_if_large(text):
    return int(text) if abs(int(text)) <= 2**53 else float(text)


class Piece:
    def __init__(self, event, start, dur):
        self.event, self.start, self.end, self.dur = event, start, start + dur, dur
        self.parent, self.children, self.starts, self.id = None, [], [], None

    def add(self, child):
        child.parent = self
        self.children.append(child)
        self.starts.append(child.start)


class Group:
    """The slices of a thread: `top` holds those that are in no other."""

    def __init__(self, name=None):
        self.pieces, self.top = [], Piece({}, 0, 0)
        self.name, self.sort_index = name, 0

    def nest(self, digits):
        """A slice is inside of the one before it, or of one of that one's parents, that has both its ends; rounded as
        the viewer shows times. Of those that begin together the first in the file is outside."""
        self.pieces.sort(key=lambda piece: piece.start)
        last = None
        for piece in self.pieces:
            while last is not None and not contains(last, piece, digits):
                last = last.parent
            (last or self.top).add(piece)
            piece.parent = last
            last = piece

    def overlaps(self):
        """Slices that begin before one beside them has ended."""
        n, todo = 0, [self.top]
        while todo:
            children = todo.pop().children
            end = float("-inf")
            for piece in children:
                n += round(piece.start * 1e6) < end
                end = max(end, round(piece.end * 1e6))
            todo += children
        return n

    def find(self, ts):
        """The deepest slice around a time; of two that share it as end and begin the earlier one."""
        found, level = None, self.top
        while True:
            i = bisect.bisect_left(level.starts, ts)
            if i > 0 and level.children[i - 1].end >= ts:
                i -= 1
            elif i == len(level.children) or level.starts[i] != ts:
                return found
            found = level = level.children[i]


def contains(outer, inner, digits):
    return (round(inner.start * digits) >= round(outer.start * digits)
            and round(outer.end * digits) >= round(inner.end * digits))


class Importer:
    def __init__(self, document):
        self.view = View(numbers_are_doubles=True)
        self.digits = 1e6 if isinstance(document, dict) and document.get("displayTimeUnit") == "ns" else 1e3
        self.processes, self.groups, self.counters, self.asyncs, self.flows = {}, {}, {}, {}, []
        self.marks = []
        for event in document["traceEvents"] if isinstance(document, dict) else document:
            self.read(event)
        self.fill()

    def complain(self, stat, n=1):
        if n:
            self.view.errors[stat] = self.view.errors.get(stat, 0) + n

    def process(self, pid):
        if pid not in self.processes:
            self.processes[pid] = len(self.view.processes)
            self.view.processes.append(Process(pid))
        return self.processes[pid]

    def group(self, event):
        self.process(event.get("pid"))
        return self.groups.setdefault((event.get("pid"), event.get("tid")), Group())

    def read(self, event):
        phase = event.get("ph")
        if phase == "X":
            if event.get("cat") and any(word in event["cat"] for word in HIDDEN):
                return
            piece = Piece(event, event["ts"] * MILLISECONDS, event.get("dur", 0) * MILLISECONDS)
            self.group(event).pieces.append(piece)
            self.complain("did_not_finish", "dur" not in event)
            if event.get("bind_id") is not None:
                self.flows.append((event["ts"], len(self.flows), event, piece))
        elif phase in ("i", "I", "R"):
            if event.get("s", "t") == "t":
                self.group(event).pieces.append(Piece(event, event["ts"] * MILLISECONDS, 0))
            else:
                self.marks.append(event)
        elif phase in ("s", "t", "f"):
            self.group(event)
            self.flows.append((event["ts"], len(self.flows), event, None))
        elif phase in ("b", "e", "n"):
            self.group(event)
            ids = event.get("id2") or {}
            if "id" not in event and not ids:
                self.complain("async_slice_parse_error")
                return
            owner = event["pid"] if "id" not in event and "global" not in ids else None
            key = event.get("cat"), owner, str(event.get("id", ids.get("global", ids.get("local"))))
            self.asyncs.setdefault(key, []).append(event)
        elif phase == "C":
            self.read_counter(event)
        elif phase == "M":
            self.read_metadata(event)
        else:
            raise ViewerError(f"the model of Catapult does not know phase {phase}")

    def read_counter(self, event):
        """The first event of a counter says which series it has; what others lack is 0 there."""
        name = f"{event['name']}[{event['id']}]" if "id" in event else event["name"]
        series = self.counters.setdefault((event["pid"], name), {key: [] for key in event["args"]})
        self.process(event["pid"])
        for key, samples in series.items():
            samples.append((event["ts"], event["args"].get(key) or 0))

    def read_metadata(self, event):
        name, args = event["name"], event.get("args", {})
        if name in ("process_name", "process_sort_index"):
            process = self.view.processes[self.process(event["pid"])]
            if name == "process_name":
                process.name = args.get("name")
            else:
                process.sort_index = args.get("sort_index", 0)
        elif name == "thread_name":
            self.group(event).name = args.get("name")
        elif name == "thread_sort_index":
            self.group(event).sort_index = args.get("sort_index", 0)
        elif name != "process_labels":
            self.complain("metadata_parse_error")

    # -- into a View

    def fill(self):
        for (pid, tid), group in self.groups.items():
            group.nest(self.digits)
            self.complain("sibling_overlaps", group.overlaps())
            self.view.threads.append(Thread(self.process(pid), tid, group.name, group.sort_index))
            thread = len(self.view.threads) - 1
            self.view.tracks.append(Track("thread", thread, self.process(pid)))
            for piece in group.pieces:
                self.add_slice(len(self.view.tracks) - 1, piece)
        for key in self.asyncs:
            self.fill_async(sorted(self.asyncs[key], key=lambda event: event["ts"]))
        for event in self.marks:  # those of a process or of all
            owner = self.process(event["pid"]) if event["s"] == "p" else None
            self.view.tracks.append(Track("mark", process=owner))
            self.add_slice(len(self.view.tracks) - 1, Piece(dict(event, cat=None), event["ts"] * MILLISECONDS, 0))
        for (pid, name), series in self.counters.items():
            for key, samples in series.items():
                self.view.counters.append(Counter(self.process(pid), f"{name} {key}", [
                    (round(ts * 1000), float(value)) for ts, value in samples]))
        self.fill_arrows()

    def add_slice(self, track, piece):
        event = piece.event
        parent = None if piece.parent is None else piece.parent.id
        depth = 0 if parent is None else self.view.slices[parent].depth + 1
        piece.id = len(self.view.slices)
        self.view.slices.append(Slice(track, round(piece.start * 1e6), round(piece.dur * 1e6), event.get("name"),
                                      event.get("cat"), depth, parent, dict(flatten(event.get("args") or {}))))

    def fill_async(self, events):
        """An end closes the last begin of its name. What has no end ends with the last event of its id, what has no
        begin begins with the first."""
        self.view.tracks.append(Track("async", process=self.process(events[0].get("pid"))))
        track, stack, pieces = len(self.view.tracks) - 1, [], []
        for event in events:
            if event["ph"] == "e":
                match = next((piece for piece in reversed(stack) if piece.event["name"] == event["name"]), None)
                if match is None:
                    self.complain("async_slice_parse_error")
                    pieces.append(Piece(event, events[0]["ts"] * MILLISECONDS,
                                        (event["ts"] - events[0]["ts"]) * MILLISECONDS))
                    continue
                match.dur = (event["ts"] - match.event["ts"]) * MILLISECONDS
                match.event = dict(match.event, args={**match.event.get("args", {}), **event.get("args", {})})
                del stack[stack.index(match):]
                match.end = None
                continue
            piece = Piece(event, event["ts"] * MILLISECONDS, 0)
            pieces.append(piece)
            if event["ph"] == "b":
                stack.append(piece)
        for piece in pieces:
            if piece.event["ph"] == "b" and piece.end is not None:
                self.complain("async_slice_parse_error")
                piece.dur = (events[-1]["ts"] - piece.event["ts"]) * MILLISECONDS
            self.add_slice(track, piece)

    def fill_arrows(self):
        starts, ends = {}, set()
        for _, _, event, piece in sorted(self.flows, key=lambda flow: flow[:2]):
            if event.get("bind_id"):
                self.bind_slice(starts, ends, event, piece)
            elif piece is None:
                self.bind_time(starts, event)

    def bind_slice(self, starts, is_open, event, piece):
        number = str(event["bind_id"])
        if event.get("flow_in"):
            if number not in starts:
                self.complain("flow_slice_ordering_error")
                return
            self.view.arrows.append(Arrow(starts[number].id, piece.id))
            is_open.discard(number)
        if event.get("flow_out"):
            if number in starts and number in is_open:
                self.complain("flow_slice_start_error")
                return
            starts[number] = piece
            is_open.add(number)
        elif not event.get("flow_in"):
            self.complain("flow_slice_parse_error")

    def bind_time(self, starts, event):
        if event.get("id") is None or event.get("name") is None:
            self.complain("flow_slice_parse_error")
            return
        flow = json.dumps(event["id"]), event.get("cat"), event["name"]
        piece = self.group(event).find(event["ts"] * MILLISECONDS)
        if event["ph"] == "s":
            if starts.get(flow) or piece is None:
                self.complain("flow_slice_start_error")
            else:
                starts[flow] = piece, set(event.get("args") or {})
            return
        if not starts.get(flow):
            self.complain("flow_slice_ordering_error")
            return
        if event["ph"] == "f" and event.get("bp") != "e":
            raise ViewerError("the model of Catapult does not know flows without binding point")
        start, args = starts[flow]
        starts[flow] = None
        if piece is None:
            self.complain("flow_slice_end_error")
            return
        self.view.arrows.append(Arrow(start.id, piece.id))
        self.complain("arg_merge_error", len(args & set(event.get("args") or {})))
        if event["ph"] == "t":
            starts[flow] = piece, set(event.get("args") or {})


def load(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as file:
        try:
            document = json.load(file, parse_int=double_if_large)
        except ValueError as error:
            raise ViewerError(f"no JSON: {error}") from error
    try:
        return Importer(document).view
    except (KeyError, TypeError) as error:
        raise ViewerError(f"an event lacks what the model of Catapult needs: {error!r}") from error
