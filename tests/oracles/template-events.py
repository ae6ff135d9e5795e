#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""template-events.py TRACE.json: a trace of the uniform template as lines for load-events."""
import json
import re
import sys
from decimal import Decimal


def parts(name):
    """op_cat, op_name, sub_op of a standard name."""
    for whole, category in ((r"UPDATE_(CAL|\d+)", "UPDATE_"), (r"OUTPUT(\d+)", "OUTPUT"), (r"I/O_(.*)", "I/O")):
        match = re.fullmatch(whole, name)
        if match:
            return category, match.group(1), ""
    category, rest = name.split(".", 1)
    if category == "Comm" and "." in rest:
        op_name, sub_op = rest.rsplit(".", 1)
        return category, op_name, sub_op
    return category, rest, ""


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file, parse_float=Decimal)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    lines = []
    for event in events:
        if event["ph"] != "X" or event["cat"] == "debug":
            continue
        args = event["args"]
        suffix = "_".join(str(args[key]) for key in ("loopId", "channelId", "chunkId", "sliceId")) \
            if "chunkId" in args else ""
        ts_ns, dur_ns = int(event["ts"] * 1000), int(event["dur"] * 1000)
        lines.append((event["pid"], ts_ns + dur_ns, -ts_ns, (event["pid"], str(event["tid"]), *parts(event["name"]), suffix,
                                               str(ts_ns), str(dur_ns), str(args.get("step", "")))))
    for line in sorted(lines):
        print("\t".join(line[3]))


main()
