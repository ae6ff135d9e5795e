#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps of a PyTorch trace, from its JSON alone: the length of each is that of its ProfilerStep span on the host.

  steps-of-profiler.py TRACE.json[.gz] STEPS.csv   (`steps --format csv --unit ns`)
"""
import csv
import gzip
import json
import sys
from decimal import Decimal


def main():
    opener = gzip.open if sys.argv[1].endswith(".gz") else open
    with opener(sys.argv[1], "rt", encoding="utf-8") as file:
        trace = json.load(file, parse_float=Decimal)
    wanted = {}
    for event in trace["traceEvents"]:
        if event.get("ph") == "X" and event["name"].startswith("ProfilerStep#") and \
                event.get("cat") in ("user_annotation", "cpu_op", "Operator"):
            wanted[event["name"].partition("#")[2]] = int(event["dur"] * 1000)
    found = {row["step"]: int(row["iteration_ns"]) for row in csv.DictReader(open(sys.argv[2], encoding="utf-8"))
             if row["iteration_ns"]}
    assert wanted and found == wanted, (found, wanted)


main()
