#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""networkx-via.py WHOLE.json FEW.json LEAST: what stays of a graph is connected as it is in the whole, as networkx sees it.

Fails unless the nodes of FEW reach each other exactly as in WHOLE, the edges "via" count the nodes left out on the
shortest way, none of them between two strong components is implied by a longer way, and there are LEAST of them or more.
"""
import json
import sys

import networkx


def read(path):
    rows = json.load(open(path))
    key = {n["id"]: (n["label"], n.get("event")) for n in rows["nodes"] if not n.get("rest") and not n.get("end")}
    assert len(set(key.values())) == len(key)
    graph = networkx.DiGraph()
    graph.add_nodes_from(key.values())
    for edge in rows["edges"]:
        if edge["source"] not in key or edge["target"] not in key:
            continue
        a, b = key[edge["source"]], key[edge["target"]]
        assert not (edge["kind"] == "via" and graph.has_edge(a, b)), (a, b)
        graph.add_edge(a, b, kind=edge["kind"], cnt=edge["cnt"])
    return graph


whole, few = read(sys.argv[1]), read(sys.argv[2])
kept = set(few)
assert kept < set(whole)
for node in kept:
    there, here = networkx.descendants(whole, node) & kept, networkx.descendants(few, node)
    assert there == here, (node, there ^ here)

via = [(a, b, row["cnt"]) for a, b, row in few.edges(data=True) if row["kind"] == "via"]
assert len(via) >= int(sys.argv[3]), len(via)
for a, b, count in via:
    between = networkx.DiGraph(whole.subgraph(set(whole) - kept | {a, b}))
    assert not between.has_edge(a, b)
    assert networkx.shortest_path_length(between, a, b) - 1 == count >= 1, (a, b, count)

groups = networkx.condensation(few)
group_of = groups.graph["mapping"]
least = networkx.transitive_reduction(groups)
ways = [(group_of[a], group_of[b]) for a, b, _ in via if group_of[a] != group_of[b]]
assert len(set(ways)) == len(ways) and all(way in least.edges for way in ways)
assert networkx.is_directed_acyclic_graph(few) or not networkx.is_directed_acyclic_graph(whole)
print(f"{len(whole)} nodes, {len(kept)} of them drawn, {len(via)} edges via what is left out")
