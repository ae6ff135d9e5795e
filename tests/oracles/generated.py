#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the graph and the path of a generated job with what its generator says:
generated.py TRUTH.json GRAPH.gml [PATH.csv]
"""
import csv
import json
import re
import sys

truth = json.load(open(sys.argv[1]))
text = open(sys.argv[2]).read()
# What a GML file of ours has, read without a parser of ours.
labels = {int(i): label for i, label in re.findall(r'node \[\s*id (\d+)\s*label "([^"]*)"', text)}
edges = sorted([labels[int(a)], labels[int(b)]] for a, b in re.findall(r"edge \[\s*source (\d+)\s*target (\d+)", text))
averages = dict(re.findall(r'label "([^"]*)"\s*avg ([-+.0-9Ee]+)', text))
failed = not labels or not edges
for what, ours, theirs in (("nodes", sorted(labels.values()), truth["nodes"]), ("edges", edges, truth["edges"])):
    as_text = [set(x if isinstance(x, str) else " => ".join(x) for x in side) for side in (ours, theirs)]
    print("%d %s, %d in truth" % (len(ours), what, len(theirs)))
    for sign, rest in (("too many", as_text[0] - as_text[1]), ("missing", as_text[1] - as_text[0])):
        for x in sorted(rest)[:5]:
            print("  %s: %s" % (sign, x))
    failed |= ours != theirs or not theirs
wrong = [x for x, ms in truth.get("took_ms", {}).items() if x in averages and abs(float(averages[x]) - ms) > 2e-6]
for x in wrong[:5]:
    print("  %s took %s ms instead of %.6f" % (x, averages[x], truth["took_ms"][x]))
failed |= wrong != []
if len(sys.argv) > 3:
    path = [row["op_long_name"] for row in csv.DictReader(open(sys.argv[3]))]
    print("a path of %d, %d in truth" % (len(path), len(truth["path"])))
    for i, (x, y) in enumerate(zip(path, truth["path"])):
        if x != y:
            print("  %d: %s instead of %s" % (i, x, y))
            break
    failed |= path != truth["path"]
sys.exit(failed)
