# SPDX-License-Identifier: Apache-2.0
"""What Perfetto's trace processor makes of a Chrome JSON trace, modelled after its source (version 58: importers/json,
slice_tracker, flow_tracker, track_compressor, process_tracker, sorter). docs/viewers.md tells the rules in prose.

The model is for whole, well-formed files: V8 profiles, thread states and systrace lines are left out.
"""
from perfetto_events import INT64_MAX, Event, Sorter, flow_number, read_events, text_of
from view import Arrow, Counter, Pairs, Process, Slice, Thread, Track, View, ViewerError, flatten

MAX_DEPTH = 512
PENDING = -1  # the duration of a slice that has not ended


class Importer:
    def __init__(self):
        self.view = View()
        self.texts, self.pids, self.tids = {}, {}, {}
        self.main_tracks, self.spare_tracks, self.async_tracks, self.async_roots, self.marks = {}, {}, {}, {}, {}
        self.stacks, self.counts = {}, {}
        self.flow_ids, self.flow_starts, self.pending_flows = {}, {}, {}
        self.counters, self.sorted = {}, set()
        self.new_process(0)  # the importer keeps the first process and thread for the idle one
        self.new_thread(0)

    def intern(self, text):
        return self.texts.setdefault(text, len(self.texts) + 2**20)

    def complain(self, stat):
        self.view.errors[stat] = self.view.errors.get(stat, 0) + 1

    def load(self, pairs_list):
        sorter = Sorter()
        for pairs in pairs_list:
            if not isinstance(pairs, Pairs):
                raise ViewerError("an event is no object")
            event = Event(pairs, self.intern)
            if not pairs:
                continue
            if not event.phase or not event.valid or (event.ts is None and event.phase != "M"):
                self.complain("json_tokenizer_failure")
            elif (event.ts or 0) < 0:
                self.complain("trace_sorter_negative_timestamp_dropped")
            else:
                sorter.add(event.ts or 0, event)
        for ts, _, event in sorter.ordered():
            self.handle(ts, event)
        return self.view

    # -- processes and threads

    def new_process(self, pid):
        self.view.processes.append(Process(pid))
        return len(self.view.processes) - 1

    def new_thread(self, tid):
        self.view.threads.append(Thread(None, tid))
        return len(self.view.threads) - 1

    def process(self, pid):
        """Every process gets a main thread with the tid of its pid."""
        if pid not in self.pids:
            self.pids[pid] = self.new_process(pid)
            self.thread(pid, pid)
        return self.pids[pid]

    def thread(self, tid, pid):
        process = self.process(pid)
        known = self.tids.setdefault(tid, [])
        for thread in reversed(known):
            if self.view.threads[thread].process in (None, process):
                break
        else:
            thread = self.new_thread(tid)
            known.append(thread)
        if known[-1] != thread:
            known.remove(thread)
            known.append(thread)
        if self.view.threads[thread].process is None:
            self.view.threads[thread].process = process
        return thread

    def find_thread(self, event):
        if event.pid_name is not None:
            self.view.processes[self.process(event.pid)].name = event.pid_name
        if event.tid_name is not None:
            known = self.tids.setdefault(event.tid, [])
            if not known:
                known.append(self.new_thread(event.tid))
            self.view.threads[known[-1]].name = event.tid_name
        return self.thread(event.tid, event.pid)

    # -- tracks

    def track(self, table, key, **words):
        if key not in table:
            self.view.tracks.append(Track(**words))
            table[key] = len(self.view.tracks) - 1
        return table[key]

    def thread_track(self, thread):
        return self.track(self.main_tracks, thread, kind="thread", thread=thread)

    def spare_track(self, thread, ts, dur):
        """The first further track of the thread on which the slice nests."""
        ends = self.spare_tracks.setdefault(thread, [])
        for index, open_ends in enumerate(ends):
            while open_ends and open_ends[-1] <= ts:
                open_ends.pop()
            if not open_ends or ts + dur <= open_ends[-1]:
                break
        else:
            index, open_ends = len(ends), []
            ends.append(open_ends)
        open_ends.append(ts + dur)
        return self.track(self.main_tracks, (thread, index), kind="thread", thread=thread)

    def async_track(self, event, process):
        """Slices of one cookie share a track; a track without an open slice is taken over by the next cookie. Only ids
        that are local belong to a process."""
        local = event.cookie[0]
        owner = process if local else None
        root = self.async_roots.setdefault((owner, event.cookie), event.name)
        lanes = self.async_tracks.setdefault((owner, root), [])
        lane = next((lane for lane in lanes if lane["cookie"] == event.cookie), None)
        if lane is None:
            lane = next((lane for lane in lanes if lane["open"] == 0), None)
            if lane is None:
                self.view.tracks.append(Track("async", process=owner, name=event.name))
                lane = {"open": 0, "track": len(self.view.tracks) - 1}
                lanes.append(lane)
            lane["cookie"] = event.cookie
        lane["open"] = max(0, lane["open"] + {"b": 1, "e": -1, "n": 0}[event.phase])
        return lane["track"]

    # -- slices

    def close_stack(self, stack, ts, dur):
        """Drops what has ended. False: the new slice would overlap an open one without nesting."""
        slices = self.view.slices
        unfinished = False
        for i in range(len(stack) - 1, -1, -1):
            top = slices[stack[i]]
            if top.dur == PENDING:
                unfinished = True
                continue
            end = top.ts + top.dur
            if unfinished:
                if ts > end:
                    self.complain("misplaced_end_event")
                    for child in stack[i + 1:]:
                        slices[child].dur = end - slices[child].ts
                    del stack[i:]
                    unfinished = False
                continue
            if end < ts or (end == ts and not (top.dur == 0 and dur == 0)):
                stack.pop()
                continue
            if dur != PENDING and ts < end < ts + dur:
                return False
        return True

    def start(self, ts, dur, track, event, name, overlap="slice_drop_overlapping_complete_event"):
        """The id of the slice; None if it is dropped, False if it does not nest."""
        stack = self.stacks.setdefault(track, [])
        if not self.close_stack(stack, ts, dur):
            self.complain(overlap)
            return False
        if len(stack) >= MAX_DEPTH:
            self.complain("slice_max_depth_exceeded")
            return None
        parent = stack[-1] if stack else None
        self.view.slices.append(Slice(track, ts, dur, name, event.category, len(stack), parent, {}))
        slice_id = len(self.view.slices) - 1
        stack.append(slice_id)
        for flow in self.pending_flows.pop(track, ()):
            self.view.arrows.append(Arrow(self.flow_starts.setdefault(flow, 0), slice_id))
        self.add_args(slice_id, event)
        return slice_id

    def scoped(self, ts, dur, track, event, name):
        if dur < 0:
            self.complain("slice_negative_duration")
            return None
        return self.start(ts, dur, track, event, name)

    def add_args(self, slice_id, event):
        if event.args is not None:
            counts = self.counts.setdefault(slice_id, {})
            self.view.slices[slice_id].args.update(flatten(event.args, "", counts))

    def end(self, ts, track, event):
        stack = self.stacks.get(track)
        if stack is None or not self.close_stack(stack, ts, PENDING):
            return
        for slice_id in reversed(stack):
            top = self.view.slices[slice_id]
            if top.dur != PENDING or (event.category and event.category != top.category):
                continue
            if event.name and top.name and event.name != top.name:
                continue
            top.dur = ts - top.ts
            self.add_args(slice_id, event)
            if stack[-1] == slice_id:
                stack.pop()
            return

    # -- flows

    def top(self, track):
        """The slice that a flow binds to: the last one begun, even when it has ended since."""
        stack = self.stacks.get(track)
        if not stack:
            self.complain("flow_no_enclosing_slice")
            return None
        return stack[-1]

    def begin_flow(self, track, flow):
        top = self.top(track)
        if top is not None:
            if flow in self.flow_starts:
                self.complain("flow_duplicate_id")
            else:
                self.flow_starts[flow] = top

    def continue_flow(self, track, flow, is_step):
        """An arrow leads from the slice that begins first, whichever end it is."""
        top = self.top(track)
        if top is None:
            return
        if flow not in self.flow_starts:
            self.complain("flow_step_without_start" if is_step else "flow_end_without_start")
            return
        start = self.flow_starts[flow]
        turned = self.view.slices[start].ts > self.view.slices[top].ts
        self.view.arrows.append(Arrow(top, start) if turned else Arrow(start, top))
        if is_step:
            self.flow_starts[flow] = top

    def add_flow(self, track, event):
        """A flow whose ends are members of slices (bind_id)."""
        flow = flow_number(event.bind_id)
        if flow is None:
            return
        if event.flow_out and not event.flow_in:
            self.begin_flow(track, flow)
        elif event.flow_in:
            self.continue_flow(track, flow, event.flow_out)
        else:
            self.complain("flow_without_direction")

    def handle_flow(self, track, event):
        number = flow_number(event.id)
        if number is None:
            self.complain("flow_invalid_id")
            return
        flow = self.flow_ids.setdefault((number, event.category, event.name), len(self.flow_ids))
        if event.phase == "s":
            self.begin_flow(track, flow)
        elif event.phase == "t" or event.binds_enclosing:
            self.continue_flow(track, flow, event.phase == "t")
        else:
            self.pending_flows.setdefault(track, []).append(flow)

    # -- events

    def handle(self, ts, event):
        thread = self.find_thread(event)
        name = event.name or "[No name]"
        if event.phase == "X":
            self.handle_complete(ts, event, thread, name)
        elif event.phase in ("B", "E"):
            track = self.thread_track(thread)
            if event.phase == "E":
                self.end(ts, track, event)
            else:
                self.start(ts, PENDING, track, event, name)
                self.add_flow(track, event)
        elif event.phase in ("b", "e", "n"):
            self.handle_async(ts, event, name)
        elif event.phase in ("R", "I", "i"):
            self.handle_instant(ts, event, thread, name)
        elif event.phase in ("s", "t", "f"):
            self.handle_flow(self.thread_track(thread), event)
        elif event.phase == "C":
            self.handle_counter(ts, event, thread)
        elif event.phase == "M" and event.args:
            self.handle_metadata(event, thread)

    def handle_complete(self, ts, event, thread, name):
        if event.dur == INT64_MAX:
            self.complain("json_parser_failure")
            return
        track = self.thread_track(thread)
        if event.dur < 0:
            self.complain("slice_negative_duration")
        elif self.start(ts, event.dur, track, event, name, "slice_spill_overlapping_complete_event") is False:
            track = self.spare_track(thread, ts, event.dur)
            self.start(ts, event.dur, track, event, name)
        self.add_flow(track, event)

    def handle_async(self, ts, event, name):
        if not event.has_pid or event.cookie is None:
            self.complain("json_parser_failure")
            return
        track = self.async_track(event, self.process(event.pid))
        if event.phase == "b":
            self.start(ts, PENDING, track, event, name)
            self.add_flow(track, event)
        elif event.phase == "e":
            self.end(ts, track, event)
        else:
            self.scoped(ts, 0, track, event, event.name)
            self.add_flow(track, event)

    def handle_instant(self, ts, event, thread, name):
        if event.scope == "g":
            track = self.track(self.marks, None, kind="mark")
            name = event.name
        elif event.scope == "p":
            if not event.has_pid:
                self.complain("json_parser_failure")
                return
            process = self.process(event.pid)
            track = self.track(self.marks, process, kind="mark", process=process)
            name = event.name
        else:
            if not event.has_tid:
                self.complain("json_parser_failure")
                return
            track = self.thread_track(thread)
        self.scoped(ts, 0, track, event, name)

    def handle_counter(self, ts, event, thread):
        if event.args is None:
            self.complain("json_parser_failure")
            return
        prefix = event.name or ""
        if isinstance(event.id, str) and event.id:
            prefix += f" id: {event.id}"
        process = self.view.threads[thread].process
        for key, value in event.args:
            try:
                number = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
            except ValueError:
                number = None
            if number is None:
                self.complain("json_parser_failure")
                continue
            name = f"{prefix} {key}"
            if (process, name) not in self.counters:
                self.counters[process, name] = Counter(process, name, [])
                self.view.counters.append(self.counters[process, name])
            self.counters[process, name].samples.append((ts, number))

    def handle_metadata(self, event, thread):
        of_process = event.name in ("process_name", "process_sort_index")
        if not of_process and event.name not in ("thread_name", "thread_sort_index"):
            return
        holder = self.view.processes[self.process(event.pid)] if of_process else self.view.threads[thread]
        for key, value in event.args:
            if event.name.endswith("_name") and key == "name":
                if text_of(value) is None:
                    self.complain("json_parser_failure")
                else:
                    holder.name = value
            elif event.name.endswith("_sort_index") and key == "sort_index":
                if isinstance(value, bool) or not isinstance(value, (int, float)):
                    self.complain("json_parser_failure")
                elif id(holder) not in self.sorted:  # the first one counts
                    self.sorted.add(id(holder))
                    holder.sort_index = (int(value) + 2**31) % 2**32 - 2**31


def load(path):
    return Importer().load(read_events(path))
