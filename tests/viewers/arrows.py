# SPDX-License-Identifier: Apache-2.0
"""Which arrow of a view is which message or flow of the database.

An end of an arrow is the slice of the event, or an empty slice of category `arrow` within it on its thread: for a
message at the time of the send or receive, or, where that is the end of the event, 1 ns earlier, so that it is inside;
for a flow anywhere from the event's begin to its end. Of events that are equal in thread, begin, duration and name no
viewer can say which is which: one stands for all.
"""
import collections

from matching import is_arrow_end


class Arrows:
    def __init__(self, matching):
        self.matching, self.view, self.database = matching, matching.view, matching.database
        self.twin = {}
        looks = {}
        for number, event in sorted(self.database.events.items()):
            look = event.thread, self.matching.begin(number), event.dur, self.database.event_text(number)
            self.twin[number] = looks.setdefault(look, number)
        self.free = set(range(len(self.view.arrows)))
        self.by_end = collections.defaultdict(list)
        self.by_pair = collections.defaultdict(list)
        for number, arrow in enumerate(self.view.arrows):
            sources, targets = self.keys(arrow.source), self.keys(arrow.target)
            for source in sources:
                self.by_end[source].append(number)
            self.by_pair[self.place(arrow.source), self.place(arrow.target)].append(number)

    def thread(self, slice_id):
        return self.matching.database_thread.get(self.view.thread_of(slice_id))

    def place(self, slice_id):
        """("at", thread, time) of an end that is an arrow's own, ("event", id) of one that is an event."""
        if is_arrow_end(self.view.slices[slice_id]):
            return "at", self.thread(slice_id), self.view.slices[slice_id].ts
        return "event", self.twin.get(self.matching.event_of.get(slice_id))

    def keys(self, slice_id):
        """The events that an end may stand for, and its place."""
        keys = [self.place(slice_id)]
        if keys[0][0] == "at":
            keys += [("event", self.twin[self.matching.event_of[parent]]) for parent in self.view.ancestors(slice_id)
                     if parent in self.matching.event_of]
        return keys

    def is_within(self, slice_id, event_id):
        """The end is the event's slice, or an arrow's own end inside it on the same thread."""
        if not is_arrow_end(self.view.slices[slice_id]):
            return self.twin.get(self.matching.event_of.get(slice_id)) == self.twin[event_id]
        if self.thread(slice_id) != self.database.events[event_id].thread:
            return False
        return self.matching.begin(event_id) <= self.view.slices[slice_id].ts <= self.matching.end(event_id)

    def binds_to(self, slice_id, event_id):
        """As is_within, and the viewer draws the end inside the event where both are on one track and the event has not
        just ended: what begins when a slice ends is not inside of it."""
        if not self.is_within(slice_id, event_id):
            return False
        owner = self.matching.slice_of.get(self.twin[event_id])
        if owner in (None, slice_id) or not is_arrow_end(self.view.slices[slice_id]):
            return True
        mine, other = self.view.slices[slice_id], self.view.slices[owner]
        return (mine.track != other.track or mine.ts == other.ts + other.dur
                or owner in set(self.view.ancestors(slice_id)))

    def places(self, thread, ts, clock, event_id):
        """Where the end of a message may be."""
        at = ts * self.matching.scale(clock)
        found = [("at", thread, at)]
        if event_id is not None:
            found.append(("event", self.twin[event_id]))
            if at == self.matching.end(event_id):
                found.append(("at", thread, at - 1))
        return found

    def take_message(self, message):
        """None: right; else what is wrong with the arrow of a message that has both sides."""
        sources = self.places(message.source, message.send_ns, message.send_clock, message.send_event)
        targets = self.places(message.target, message.recv_ns, message.recv_clock, message.recv_event)
        for source in sources:
            for target in targets:
                for number in self.by_pair.get((source, target), ()):
                    if number in self.free:
                        self.free.discard(number)
                        return self.fault(number, message.send_event, message.recv_event)
                for number in self.by_pair.get((target, source), ()):
                    if number in self.free:
                        self.free.discard(number)
                        return "backwards"
        return "no arrow"

    def fault(self, number, from_event, to_event):
        arrow = self.view.arrows[number]
        for end, event, side in ((arrow.source, from_event, "begins"), (arrow.target, to_event, "ends")):
            if event is not None and not self.binds_to(end, event):
                return f"{side} outside of its span"
        return None

    def take_flow(self, from_event, to_event):
        candidates = self.by_end.get(("event", self.twin[from_event]), ())
        if not any(number in self.free for number in candidates):
            candidates = self.free_ends_of(from_event)
        for number in candidates:
            if number in self.free and self.fault(number, from_event, to_event) is None:
                self.free.discard(number)
                return None
        for number in self.by_end.get(("event", self.twin[to_event]), ()):
            if number in self.free and self.fault(number, to_event, from_event) is None:
                self.free.discard(number)
                return "backwards"
        return "no arrow"

    def free_ends_of(self, event_id):
        return [number for number in sorted(self.free) if self.is_within(self.view.arrows[number].source, event_id)]
