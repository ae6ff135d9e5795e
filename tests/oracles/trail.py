# SPDX-License-Identifier: Apache-2.0
"""Compares two graphs of a training step: nodes, edges, gaps and averages, each with its tolerance.

Usage: trail.py FOUND WANTED [TRUTH]
  WANTED  trail_dag.gml of the original analyzer.
  TRUTH   traces of the job as the original analyzer joined them (bps_trace_final.json): then the averages of RECV are checked
          against these, clipped to their SENDs over all steps, for the original forgets the last one.
"""
import json
import re
import sys


def read(path):
    """({label: {key: value}}, {(label, label)}) of a file in GML."""
    nodes, edges, labels, row = {}, set(), {}, None
    for line in open(path, encoding="ascii"):
        words = line.split(None, 1)
        if words and words[0] in ("node", "edge"):
            row = (words[0], {})
        elif words == ["]"] or (words and words[0] == "]"):
            if row is None:
                continue
            kind, values = row
            row = None
            if kind == "edge":
                edges.add((labels[values["source"]], labels[values["target"]]))
                continue
            label = values.pop("label")
            assert label not in nodes, "twice: " + label
            labels[values.pop("id")] = label
            nodes[label] = values
        elif row is not None:
            text = words[1].strip()
            row[1][words[0]] = text[1:-1] if text.startswith('"') else float(text)
    return nodes, edges


def clipped_receives(path, edges):
    """{label of a RECV: its mean in ms over all steps, clipped to its SEND}."""
    spans = {}
    for event in json.load(open(path))["traceEvents"]:
        if event.get("ph") != "X" or not re.search(r"\.(SEND|RECV)", event["name"]):
            continue
        label = "%s->%s" % (event["pid"], event["args"].get("name", event["name"]))
        if "~>" not in label:
            label = "%s->%s~>%d_%d_%d_%d" % (
                (event["pid"], event["name"]) + tuple(event["args"][k] for k in ("loopId", "channelId", "chunkId", "sliceId")))
        spans[label, event["args"]["step"]] = (event["ts"], event["dur"])
    means = {}
    for send, recv in edges:
        if ".SEND" not in send or ".RECV" not in recv:
            continue
        steps = sorted(step for label, step in spans if label == recv)
        total = 0
        for step in steps:
            ts, dur = spans[recv, step]
            if (send, step) in spans:
                dur -= min(max(spans[send, step][0] - ts, 0), dur)
            total += dur
        if steps:
            means[recv] = total / len(steps) / 1000
    return means


def main():
    nodes, edges = read(sys.argv[1])
    wanted_nodes, wanted_edges = read(sys.argv[2])
    receives = clipped_receives(sys.argv[3], wanted_edges) if len(sys.argv) > 3 else {}
    assert wanted_nodes and wanted_edges, "no graph: there is nothing to compare"
    assert set(nodes) == set(wanted_nodes), sorted(set(nodes) ^ set(wanted_nodes))[:5]
    assert edges == wanted_edges, sorted(edges ^ wanted_edges)[:5]
    n_receives = 0
    for label, wanted in wanted_nodes.items():
        found = nodes[label]
        if label in receives:
            wanted["avg"] = receives[label]
            n_receives += 1
        assert set(found) == set(wanted), (label, found, wanted)
        for key, value in wanted.items():
            # Averages of members of a fused group are whole nanoseconds.
            assert abs(found[key] - value) <= 5.1e-7, (label, key, found[key], value)
    assert len(sys.argv) < 4 or n_receives == sum(".RECV" in label for label in nodes)
    print("%d nodes, %d edges, %d of them RECV" % (len(nodes), len(edges), n_receives))


main()
