#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether an export, imported again, gives the same spans and the same export.

round-trip.py TRACETOOL SCRATCH chrome|template PATH...: one line for each difference (ten at most a PATH); status 1 if there
is any.
"""
import json
import os
import sqlite3
import subprocess
import sys


def run(*words):
    subprocess.run([tracetool, *words], check=True, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


def spans(path):
    """All spans under their text pid and tid, times from the first event."""
    database = sqlite3.connect(path)
    rows = database.execute(
        "select name, suffix, pid, tid, ts_ns - (select min(ts_ns) from event), dur_ns, step, args from event"
        " where dur_ns is not null"
    )
    found = []
    for row in rows:
        args = json.loads(row[7]) if row[7] else {}
        found.append((*row[:7], json.dumps(args, sort_keys=True)))
    database.close()
    return sorted(found, key=str)


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
    return [f"{kind}: lost {row}" for row in missing[:5]] + [f"{kind}: new {row}" for row in extra[:5]]


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
    run("--db", names["a.db"], "export", f"--{kind}", "-o", names["a.json"])
    run("--db", names["b.db"], "import", "-q", names["a.json"])
    run("--db", names["b.db"], "export", f"--{kind}", "-o", names["b.json"])
    first, second = spans(names["a.db"]), spans(names["b.db"])
    if sqlite3.connect(names["a.db"]).execute("select count(*) from event").fetchone() == (0,):
        return [f"{kind}: no events: there is nothing to compare"]
    return compare(kind, first, second) + lines_that_differ(kind, names["a.json"], names["b.json"])


tracetool, scratch, variant = sys.argv[1:4]
status = 0
if not sys.argv[4:]:
    sys.exit(__doc__)
for trace in sys.argv[4:]:
    for fault in check(trace, variant):
        print(f"{trace}: {fault}")
        status = 1
sys.exit(status)
