# SPDX-License-Identifier: Apache-2.0
"""What Perfetto's trace processor itself makes of a trace, JSON or protobuf: its public tables, asked with SQL.

Each row comes as one JSON array in hexadecimal, for the program prints texts as they are, quotes and all.
"""
import json
import os
import shutil
import tempfile

from view import Arrow, Counter, Process, Slice, Thread, Track, View, ViewerError, output_of

QUERIES = {  # columns, and where they come from
    "process": (("upid", "pid", "name", "(SELECT int_value FROM args WHERE args.arg_set_id = p.arg_set_id "
                 "AND key = 'process_sort_index_hint')"), "process AS p"),
    "thread": (("utid", "upid", "tid", "name", "(SELECT int_value FROM args WHERE args.arg_set_id = t.arg_set_id "
                "AND key = 'thread_sort_index_hint')"), "thread AS t"),
    "track": (("id", "name", "type", "parent_id", "(SELECT utid FROM thread_track AS h WHERE h.id = t.id)",
               "(SELECT upid FROM process_track AS p WHERE p.id = t.id)"), "track AS t"),
    "slice": (("id", "ts", "dur", "track_id", "category", "name", "depth", "parent_id", "arg_set_id"),
              "slice"),
    "args": (("arg_set_id", "key", "string_value", "int_value", "format('%!.17g', real_value)", "value_type"),
             "args WHERE arg_set_id IN (SELECT arg_set_id FROM slice)"),
    "counter": (("track_id", "(SELECT name FROM track WHERE track.id = track_id)",
                 "(SELECT unit FROM counter_track AS t WHERE t.id = track_id)",
                 "(SELECT upid FROM process_counter_track AS p WHERE p.id = track_id)",
                 "(SELECT upid FROM thread WHERE utid = (SELECT utid FROM thread_counter_track AS t "
                 "WHERE t.id = track_id))", "ts", "format('%!.17g', value)"), "counter"),
    "flow": (("slice_out", "slice_in"), "flow"),
    "stats": (("name", "value"), "stats WHERE value > 0 AND (severity IN ('error', 'data_loss') "
              "OR name IN ('flow_step_without_start', 'flow_end_without_start'))"),
}


def program():
    path = os.environ.get("TRACE_PROCESSOR") or shutil.which("trace_processor_shell")
    if not path:
        raise ViewerError("neither $TRACE_PROCESSOR nor trace_processor_shell in $PATH")
    return path


def ask(path):
    """The rows of all queries, by name, in one run of the program."""
    parts = []
    for name, (columns, rest) in QUERIES.items():
        parts.append(f"SELECT hex(json_array('{name}', {', '.join(columns)})) AS row FROM {rest}")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write("\nUNION ALL\n".join(parts) + ";\n")
        file.flush()
        text = output_of([program(), "-q", file.name, path]).decode("ascii", "replace")
    rows = {name: [] for name in QUERIES}
    for line in text.splitlines():
        word = line.strip().strip('"')
        if word and word != "row":
            try:
                row = json.loads(bytes.fromhex(word).decode("utf-8"))
            except ValueError as error:
                raise ViewerError(f"unexpected line of the trace processor: {line[:80]}") from error
            rows[row[0]].append(row[1:])
    for name in ("process", "thread", "track", "slice"):
        rows[name].sort(key=lambda row: row[0])
    return rows


def kind_of(track_type, thread, process):
    if thread is not None:
        return "thread"
    if track_type in ("legacy_chrome_global_instants", "chrome_process_instant"):
        return "mark"
    return "async" if "slice" in track_type or process is not None or "track_event" in track_type else "mark"


def read_tracks(view, rows, threads, processes):
    """Positions of tracks by id. A track below a thread's track is of that thread, too."""
    by_id = {row[0]: row for row in rows}
    places = {}
    for number, name, track_type, parent, utid, upid in rows:
        while parent is not None and utid is None and upid is None and parent in by_id:
            parent, utid, upid = by_id[parent][3:6]
        thread, process = threads.get(utid), processes.get(upid)
        places[number] = len(view.tracks)
        view.tracks.append(Track(kind_of(track_type, thread, process), thread, process, name))
    return places


def read_args(rows):
    sets = {}
    for arg_set, key, string, integer, real, value_type in rows:
        for prefix in ("args.", "debug."):
            key = key.removeprefix(prefix)
        if value_type == "real":
            value = float(real)
        elif value_type == "bool":
            value = bool(integer)
        else:
            value = string if value_type == "string" else integer
        sets.setdefault(arg_set, {})[key] = value
    return sets


def load(path):
    rows = ask(path)
    view = View()
    processes, threads, slices, counters = {}, {}, {}, {}
    for upid, pid, name, sort_index in rows["process"]:
        processes[upid] = len(view.processes)
        view.processes.append(Process(pid, name, sort_index or 0))
    for utid, upid, tid, name, sort_index in rows["thread"]:
        threads[utid] = len(view.threads)
        view.threads.append(Thread(processes.get(upid), tid, name, sort_index or 0))
    tracks = read_tracks(view, rows["track"], threads, processes)
    args = read_args(rows["args"])
    for row in rows["slice"]:
        slices[row[0]] = len(slices)
    for _, ts, dur, track, category, name, depth, parent, arg_set in rows["slice"]:
        view.slices.append(Slice(tracks[track], ts, dur, name, category, depth, slices.get(parent),
                                 args.get(arg_set, {})))
    for track, name, unit, upid, thread_upid, ts, value in rows["counter"]:
        if track not in counters:
            process = processes.get(thread_upid if upid is None else upid)
            words = [name or ""] + ([unit] if unit and unit not in (name or "") else [])  # shown on the axis
            counters[track] = Counter(process, " ".join(words), [])
            view.counters.append(counters[track])
        counters[track].samples.append((ts, float(value)))
    view.arrows = [Arrow(slices[source], slices[target]) for source, target in rows["flow"]]
    view.errors = dict(rows["stats"])
    return view
