#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the arguments and instants of a database with what libotf2's Python module reads in an archive that was exported from it.

    otf2-attributes.py ANCHOR DATABASE TRACETOOL

Prints "N spans and M instants with K arguments" or the first difference, and exits with 1.
"""
import collections
import csv
import io
import json
import subprocess
import sys

import otf2
from otf2.events import Enter, ParameterString

ANCHOR, DATABASE, TRACETOOL = sys.argv[1:4]


def rows(condition):
    sql = f"SELECT raw_name, own_ts_ns, args FROM event WHERE dur_ns IS {condition}"
    command = [TRACETOOL, "--db", DATABASE, "query", "--format", "csv", sql]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode("utf-8", "replace")
    csv.field_size_limit(1 << 30)
    return collections.Counter(
        (name, int(ns), json.dumps(json.loads(args), sort_keys=True) if args else "{}") for name, ns, args in list(csv.reader(io.StringIO(text)))[1:])


def arguments(event):
    values = {}
    for attribute, value in (event.attributes or {}).items():
        if attribute.description == "argument":
            values[attribute.name] = value
        elif attribute.description == "argument in JSON":
            values[attribute.name] = json.loads(value)
        elif attribute.name == "args":
            values = json.loads(value)
    return json.dumps(values, sort_keys=True)


def main():
    spans, instants = collections.Counter(), collections.Counter()
    with otf2.reader.open(ANCHOR) as trace:
        for _, event in trace.events:
            if isinstance(event, Enter):
                spans[event.region.name, event.time, arguments(event)] += 1
            elif isinstance(event, ParameterString) and event.parameter.name == "span":
                duration = [v for a, v in event.attributes.items() if (a.name, a.description) == ("duration", "tracetool")][0]
                spans[event.string, event.time - duration, arguments(event)] += 1
            elif isinstance(event, ParameterString):
                instants[event.string, event.time, arguments(event)] += 1
    for what, ours, theirs in (("spans", rows("NOT NULL"), spans), ("instants", rows("NULL"), instants)):
        if ours != theirs:
            print(f"{what}: only in the database {list((ours - theirs).elements())[:2]}, only in the archive {list((theirs - ours).elements())[:2]}")
            sys.exit(1)
    n = sum(len(json.loads(args)) * count for (_, _, args), count in (spans + instants).items())
    print(f"{sum(spans.values())} spans and {sum(instants.values())} instants with {n} arguments")


main()
