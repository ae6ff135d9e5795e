# SPDX-License-Identifier: Apache-2.0
"""What a viewer makes of a trace, in words that no viewer owns: perfetto_json.py, perfetto_real.py and catapult_real.py
each fill a View, rules.py asks about it.

Times are integers in nanoseconds. Ids are positions in the lists of the View. A track is what slices are drawn on; it
is of a thread, or of none (asynchronous slices and marks of a process or of all). Args are flat: {"a.b[0]": value}.
"""
import dataclasses
import json
import subprocess


class ViewerError(Exception):
    """The viewer cannot open the trace at all, or its program fails."""


@dataclasses.dataclass
class Process:
    pid: int
    name: str | None = None
    sort_index: int = 0


@dataclasses.dataclass
class Thread:
    process: int | None
    tid: int
    name: str | None = None
    sort_index: int = 0


@dataclasses.dataclass
class Track:
    kind: str  # thread, async, mark
    thread: int | None = None
    process: int | None = None
    name: str | None = None


@dataclasses.dataclass
class Slice:
    track: int
    ts: int
    dur: int  # -1: never ended
    name: str | None
    category: str | None
    depth: int
    parent: int | None
    args: dict


@dataclasses.dataclass
class Counter:
    process: int | None
    name: str
    samples: list  # (ts, value)


@dataclasses.dataclass(frozen=True)
class Arrow:
    source: int
    target: int


@dataclasses.dataclass
class View:
    processes: list = dataclasses.field(default_factory=list)
    threads: list = dataclasses.field(default_factory=list)
    tracks: list = dataclasses.field(default_factory=list)
    slices: list = dataclasses.field(default_factory=list)
    counters: list = dataclasses.field(default_factory=list)
    arrows: list = dataclasses.field(default_factory=list)
    errors: dict = dataclasses.field(default_factory=dict)  # what the viewer complains of, by its own names
    numbers_are_doubles: bool = False  # in args, integers too

    def thread_of(self, slice_id):
        return self.tracks[self.slices[slice_id].track].thread

    def process_of(self, slice_id):
        track = self.tracks[self.slices[slice_id].track]
        return track.process if track.thread is None else self.threads[track.thread].process

    def ancestors(self, slice_id):
        parent = self.slices[slice_id].parent
        while parent is not None:
            yield parent
            parent = self.slices[parent].parent


class Pairs(list):
    """A JSON object whose keys may come twice; an array is a plain list."""


def flatten(value, key="", counts=None):
    """(key, leaf) of a JSON value: members are joined by dots, elements numbered, null is nothing."""
    counts = {} if counts is None else counts
    if isinstance(value, dict):
        value = Pairs(value.items())
    if isinstance(value, Pairs):
        for name, member in value:
            yield from flatten(member, f"{key}.{name}" if key else name, counts)
    elif isinstance(value, list):
        for member in value:
            if member is not None:
                index = counts.get(key, 0)
                counts[key] = index + 1
                yield from flatten(member, f"{key}[{index}]", counts)
    elif value is not None:
        yield key, value


def output_of(command, seconds=300):
    """What a program prints; a ViewerError when it fails or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ViewerError(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ViewerError(f"{command[0]}: status {done.returncode}: {said[-1] if said else 'without a word'}")
    return done.stdout


def number_text(value):
    return format(value, ".15g") if isinstance(value, float) else json.dumps(value)


def place_text(view, track_id):
    track = view.tracks[track_id]
    if track.thread is not None:
        thread = view.threads[track.thread]
        process = view.processes[thread.process] if thread.process is not None else Process(None)
        return f"{process.pid}/{thread.tid}"
    pid = "" if track.process is None else f" of {view.processes[track.process].pid}"
    return f"{track.kind}{pid} '{track.name or ''}'"


def describe(view):
    """A View as sorted lines, in which two views of one trace can be compared."""
    def name(slice_id):
        piece = view.slices[slice_id]
        return f"'{piece.name or ''}' at {piece.ts}"

    lines = []
    shown = {view.thread_of(i) for i in range(len(view.slices))} - {None}
    processes = {view.threads[i].process for i in shown} | {counter.process for counter in view.counters}
    for i in sorted(processes - {None}):
        process = view.processes[i]
        lines.append(f"process {process.pid}: '{process.name or ''}', sort index {process.sort_index}")
    for i in sorted(shown):
        thread = view.threads[i]
        pid = view.processes[thread.process].pid if thread.process is not None else None
        lines.append(f"thread {pid}/{thread.tid}: '{thread.name or ''}', sort index {thread.sort_index}")
    for i, piece in enumerate(view.slices):
        inside = "" if piece.parent is None else f", in {name(piece.parent)}"
        args = "".join(f", {key}={number_text(value)}" for key, value in sorted(piece.args.items()))
        lines.append(f"slice {place_text(view, piece.track)}: {name(i)} for {piece.dur}, depth {piece.depth}{inside}, "
                     f"category '{piece.category or ''}'{args}")
    for counter in view.counters:
        pid = None if counter.process is None else view.processes[counter.process].pid
        lines += [f"counter {pid} '{counter.name}': {number_text(float(value))} at {ts}"
                  for ts, value in counter.samples]
    lines += [f"arrow from {name(arrow.source)} to {name(arrow.target)}" for arrow in view.arrows]
    lines += [f"error {stat}: {n}" for stat, n in view.errors.items() if n]
    return sorted(lines)
