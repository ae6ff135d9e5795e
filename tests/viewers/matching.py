# SPDX-License-Identifier: Apache-2.0
"""Which slice of a view is which event of the database.

The two agree on begin, duration and name; among several of one kind the thread decides, which is found by counting what
the threads of both sides have in common, and then the args. Slices that are no event are `extra`.
"""
import collections
import re

ARROW = "arrow"  # category of the empty slices that are the end points of arrows
RENAMED = "source_"  # what an export puts before an arg of the source that would hide one of its own
TICK_SCALES = (1000, 1)  # a tick of a source is shown as one microsecond, or as one nanosecond


def is_arrow_end(piece):
    return piece.category == ARROW and piece.dur == 0


class Matching:
    def __init__(self, view, database):
        self.view, self.database = view, database
        self.slices = collections.defaultdict(list)
        self.arrow_ends = [i for i, piece in enumerate(view.slices) if is_arrow_end(piece)]
        for i, piece in enumerate(view.slices):
            if not is_arrow_end(piece):
                self.slices[piece.ts, piece.dur, piece.name].append(i)
        self.tick_scale = self.find_tick_scale()
        self.groups = collections.defaultdict(list)
        for number, event in database.events.items():
            self.groups[self.key(event)].append(number)
        self.database_thread = self.map_threads()  # of the view -> of the database
        self.event_of, self.slice_of = {}, {}
        for key, numbers in self.groups.items():
            self.match_group(numbers, list(self.slices.get(key, ())))
        self.missing = [number for number in database.events if number not in self.slice_of]
        matched = self.event_of.keys() | set(self.arrow_ends)
        self.extra = [i for i in range(len(view.slices)) if i not in matched]
        self.view_threads = collections.defaultdict(set)  # of the database -> of the view
        for mine, theirs in self.database_thread.items():
            self.view_threads[theirs].add(mine)

    def scale(self, clock):
        return self.tick_scale if clock == "ticks" else 1

    def key(self, event):
        scale = self.scale(event.clock)
        return event.ts * scale, (event.dur or 0) * scale, event.name

    def begin(self, number):
        return self.key(self.database.events[number])[0]

    def end(self, number):
        ts, dur, _ = self.key(self.database.events[number])
        return ts + dur

    def find_tick_scale(self):
        ticks = [event for event in self.database.events.values() if event.clock == "ticks"]
        return max(TICK_SCALES, key=lambda scale: sum(
            (event.ts * scale, (event.dur or 0) * scale, event.name) in self.slices for event in ticks))

    def hint(self, slice_id, number):
        """False: the slice says itself that it is of another process."""
        said = self.view.slices[slice_id].args.get("op_long_name")
        return said is None or said == self.database.events[number].op_long_name

    # -- threads

    def map_threads(self):
        """Each thread of the view shows that thread of the database with which it has most slices in common; names
        decide between equals, and so does that every thread wants to be shown."""
        votes = collections.Counter()
        for key, numbers in self.groups.items():
            mine = collections.Counter((self.view.thread_of(i), self.view.slices[i].args.get("op_long_name"))
                                       for i in self.slices.get(key, ()))
            events = [self.database.events[number] for number in numbers]
            theirs = collections.Counter((event.thread, event.op_long_name) for event in events)
            for (thread, said), n in mine.items():
                for (other, name), m in theirs.items():
                    if thread is not None and said in (None, name):
                        votes[thread, other] += min(n, m)
        best = collections.Counter()
        for (thread, _), n in votes.items():
            best[thread] = max(best[thread], n)
        pairs = [pair for pair, n in votes.items() if n == best[pair[0]]]
        pairs.sort(key=lambda pair: (-votes[pair], -self.name_score(*pair), pair))
        mapped, taken = {}, set()
        for fresh in (True, False):
            for mine, theirs in pairs:
                if mine not in mapped and not (fresh and theirs in taken):
                    mapped[mine] = theirs
                    taken.add(theirs)
        return mapped

    def name_score(self, mine, theirs):
        thread, other = self.view.threads[mine], self.database.threads[theirs]
        process = self.view.processes[thread.process] if thread.process is not None else None
        return ((self.wanted_name(self.database.processes[other.process]) in ((process and process.name) or "")) * 2
                + (self.wanted_name(other) in (thread.name or "")))

    @staticmethod
    def wanted_name(holder):
        """What a name must contain: the label, else the text of the id."""
        number = holder.pid if hasattr(holder, "pid") else holder.tid
        return (holder.label or "").strip() or (number or "").strip()

    # -- slices

    def match_group(self, numbers, slices):
        def pairs(rule):
            for number in numbers:
                if number in self.slice_of:
                    continue
                found = next((i for i in slices if i not in self.event_of and rule(number, i)), None)
                if found is not None:
                    self.slice_of[number], self.event_of[found] = found, number

        def right_place(number, i):
            event = self.database.events[number]
            thread = self.view.thread_of(i)
            if thread is None:
                return event.is_async and self.hint(i, number)
            return not event.is_async and self.database_thread.get(thread) == event.thread and self.hint(i, number)

        if len(slices) > 1:
            pairs(lambda number, i: right_place(number, i) and not self.missing_args(number, i))
        pairs(right_place)
        pairs(lambda number, i: self.hint(i, number) and not self.missing_args(number, i))
        pairs(lambda number, i: self.hint(i, number))
        pairs(lambda number, i: True)

    def missing_args(self, number, slice_id):
        """The args of the event that the slice has not, or has with another value."""
        shown = self.view.slices[slice_id].args
        lost = self.differing_args(number, shown)
        if lost and any("." in key or "[" in key for key in lost):
            lost = self.differing_args(number, {plain_key(key): value for key, value in shown.items()}, plain_key)
        return lost

    def differing_args(self, number, shown, form=str):
        return [key for key, value in self.database.events[number].args.items()
                if not any(form(name) in shown and same_value(shown[form(name)], value, self.view.numbers_are_doubles)
                           for name in (key, RENAMED + key))]


def plain_key(key):
    """Perfetto replaces these characters in names of a protobuf's annotations: they separate the parts of its keys."""
    return re.sub(r"[.\[\]]", "_", key)


def same_value(shown, wanted, as_doubles=False):
    """Real numbers are doubles, which each viewer reads in its own way. Integers of more than 64 bits may be doubles or
    text."""
    if isinstance(wanted, bool) or isinstance(shown, bool):
        return not isinstance(wanted, str) and not isinstance(shown, str) and shown == wanted
    is_large = isinstance(wanted, int) and not -(2**63) <= wanted < 2**63
    if isinstance(wanted, (int, float)) and isinstance(shown, (int, float)):
        inexact = as_doubles or is_large or isinstance(wanted, float)
        return shown == wanted or (inexact and abs(shown - wanted) <= 1e-12 * max(abs(shown), abs(wanted)))
    if is_large:
        return shown == str(wanted)
    return type(shown) is type(wanted) and shown == wanted
