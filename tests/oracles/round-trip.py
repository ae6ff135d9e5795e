#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether an export, imported again, gives the same events, flows and messages, and the same export.

round-trip.py TRACETOOL SCRATCH chrome|original|template PATH...: one line for each difference (a few of each kind a PATH);
status 1 if there is any. original: chrome with the names of the source. Of a template the spans and what it has of them.
"""
import json
import os
import sqlite3
import subprocess
import sys


def run(*words):
    subprocess.run([tracetool, *words], check=True, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


OPTIONS = {"chrome": ["--chrome"], "original": ["--chrome", "--names", "original"], "template": ["--template"]}
SPAN = "name, suffix, pid, tid, ts_ns - start, dur_ns, step, args"
# An instant is shown on its thread, at no depth.
EVENT = SPAN + (
    ", op_cat, op_name, sub_op, op_long_name, raw_name, file, line, native_group, self_ns, flags,"
    " case when dur_ns is not null then depth end"
)
END = "{0}.pid, {0}.tid, {0}.name, {0}.ts_ns - start, {0}.dur_ns, {0}.depth, {0}.args"


def rows(database, text):
    found = database.execute(text.replace("start", "(select min(ts_ns) from event)"))
    return [tuple(json.dumps(json.loads(x), sort_keys=True) if is_object(x) else x for x in row) for row in found]


def is_object(value):
    return isinstance(value, str) and value.startswith("{")


def contents(path, kind):
    """What is compared, under text pids and tids, times from the first event; without empty arguments."""
    database = sqlite3.connect(path)
    if kind == "template":
        return {"span": rows(database, f"select {SPAN} from event where dur_ns is not null".replace("args", "coalesce(args, '{}')"))}
    ends = END.format("a") + ", " + END.format("b")
    found = {
        "event": rows(database, f"select {EVENT} from event".replace(" args,", " coalesce(args, '{}'),")),
        "flow": rows(database, f"select kind, {ends} from flow join event a on a.id = from_event join event b on b.id = to_event"),
        "message": rows(
            database,
            f"select tag, comm, bytes, send_ns - start, recv_ns - start, src_pid, dst_pid, {ends} from message"
            " left join event a on a.id = send_event left join event b on b.id = recv_event",
        ),
    }
    found["collective"] = rows(
        database,
        f"select function, comm, ordinal, {END.format('a')} from collective c join event a on a.id = c.event",
    )
    database.close()
    return found


def compare(kind, first, second):
    missing, extra = first.copy(), []
    count = {}
    for row in first:
        count[row] = count.get(row, 0) + 1
    for row in second:
        if count.get(row, 0) > 0:
            count[row] -= 1
        else:
            extra.append(row)
    missing = [row for row, n in count.items() for _ in range(n)]
    return [f"{kind} lost: {row}" for row in missing[:5]] + [f"{kind} new: {row}" for row in extra[:5]]


def lines_of(kind, file):
    """Of a template, which has no list of its threads, those of one moment may change places."""
    lines = [line.rstrip(b",\n") for line in file.readlines()]
    return sorted(lines[:-1]) if kind == "template" else lines


def lines_that_differ(kind, first, second):
    with open(first, "rb") as a, open(second, "rb") as b:
        pairs = zip(lines_of(kind, a), lines_of(kind, b))
        found = [f"{kind}: {x!r} became {y!r}" for x, y in pairs if x != y]
    if not found and os.path.getsize(first) != os.path.getsize(second):
        found = [f"{kind}: {os.path.getsize(first)} bytes became {os.path.getsize(second)}"]
    return found[:5]


def check(path, kind):
    names = {key: os.path.join(scratch, f"round-{key}") for key in ("a.db", "a.json", "b.db", "b.json")}
    for name in names.values():
        if os.path.exists(name):
            os.remove(name)
    run("--db", names["a.db"], "import", "-q", path)
    run("--db", names["a.db"], "export", *OPTIONS[kind], "-o", names["a.json"])
    run("--db", names["b.db"], "import", "-q", names["a.json"])
    run("--db", names["b.db"], "export", *OPTIONS[kind], "-o", names["b.json"])
    first, second = contents(names["a.db"], kind), contents(names["b.db"], kind)
    if sqlite3.connect(names["a.db"]).execute("select count(*) from event").fetchone() == (0,):
        return [f"{kind}: no events: there is nothing to compare"]
    faults = [fault for what in first for fault in compare(f"{kind}: {what}", first[what], second[what])]
    return faults + lines_that_differ(kind, names["a.json"], names["b.json"])


tracetool, scratch, variant = sys.argv[1:4]
status = 0
if not sys.argv[4:]:
    sys.exit(__doc__)
for trace in sys.argv[4:]:
    for fault in check(trace, variant):
        print(f"{trace}: {fault}")
        status = 1
sys.exit(status)
