#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""networkx-graphs.py PREFIX [DATABASE]: networkx reads PREFIX.gml, .graphml and .json as one graph, with the nodes and edges of
PREFIX.dot, and with those of the tables node and edge of the DATABASE."""
import collections
import inspect
import json
import re
import sqlite3
import sys

import networkx

NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ufffe\uffff]")


def read_json(path):
    """The list of edges is `edges`, which networkx takes by itself since 3.6."""
    with open(path) as file:
        graph = json.load(file)
    known = inspect.signature(networkx.node_link_graph).parameters
    return networkx.node_link_graph(graph, **{"edges" if "edges" in known else "link": "edges"})


def ns(value, unit):
    return None if value is None else value * unit


def text(value):
    return NO_TEXT.sub(" ", value or "")


class Graph:
    """In the words of one: nodes by label, times in ns."""

    def __init__(self, graph, is_gml):
        assert graph.is_directed()
        self.n_edges = graph.number_of_edges()
        names = {node: node if is_gml else row["label"] for node, row in graph.nodes(data=True)}
        long_unit = 1e6 if is_gml else 1e3
        self.nodes, self.edges = {}, collections.Counter()
        for node, row in graph.nodes(data=True):
            gaps = row.get("gaps")
            if gaps is None:
                found = (re.fullmatch("gap([a-z]+)" if is_gml else "gap_([a-z]+)_us", key) for key in row)
                gaps = {match[1]: row[match[0]] for match in found if match and row[match[0]] != 0}
            label = text(names[node])
            assert label not in self.nodes, label
            self.nodes[label] = {
                "pid": text(row.get("pid")),
                "category": text(row.get("opcat" if is_gml else "op_cat")),
                "name": text(row.get("name")),
                "cnt": row["cnt"],
                "event": row.get("event", 0),
                "average": ns(row["avg" if is_gml else "avg_us"], long_unit),
                "self": ns(row["selftime" if is_gml else "self_us"], long_unit),
                "ts": ns(row.get("ts" if is_gml else "ts_us", 0), 1e3),
                "gaps": {kind: ns(gap, 1e3) for kind, gap in gaps.items() if gap != 0},
            }
        for a, b, row in graph.edges(data=True):
            self.edges[text(names[a]), text(names[b]), row["kind"], row["cnt"],
                       round(ns(row["gap" if is_gml else "gap_us"], 1e3))] += 1


def is_near(a, b):
    """The same ns, as far as a float tells."""
    return abs(a - b) <= max(0.5, 5e-16 * abs(a))


def compare_nodes(name, graph, other):
    assert set(graph.nodes) == set(other.nodes), (name, set(graph.nodes) ^ set(other.nodes))
    for label, node in graph.nodes.items():
        for key, value in other.nodes[label].items():
            if key == "gaps":
                assert set(value) == set(node[key]), (name, label, value, node[key])
                assert all(is_near(value[kind], node[key][kind]) for kind in value), (name, label, value, node[key])
            elif isinstance(value, str):
                assert value == node[key], (name, label, key, value, node[key])
            else:
                assert is_near(value, node[key]), (name, label, key, value, node[key])


def compare_dot(path, graph):
    quoted = r'"((?:[^"\\]|\\.)*)"'
    with open(path) as file:
        lines = file.read().split("\n")
    nodes = [match[1] for match in (re.match(f"  {quoted} \\[label=", line) for line in lines) if match]
    edges = [match for match in (re.match(f"  {quoted} -> {quoted} \\[(.*)", line) for line in lines) if match]

    def plain(word):
        return text(re.sub(r"\\(.)", r"\1", word))

    assert sorted(map(plain, nodes)) == sorted(graph.nodes), set(map(plain, nodes)) ^ set(graph.nodes)
    assert len(edges) == graph.n_edges
    found = collections.Counter()
    for edge in edges:
        kind = re.search(r'tooltip="([a-z]+): ', edge[3])
        found[plain(edge[1]), plain(edge[2]), kind[1] if kind else "end"] += 1
    wanted = collections.Counter()
    for (a, b, kind, *_), n in graph.edges.items():
        wanted[a, b, kind] += n
    assert found == wanted, (found - wanted, wanted - found)


def compare_database(path, graph):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    nodes = database.execute("SELECT op_long_name, avg_us, cnt, gaps FROM node").fetchall()
    assert sorted(text(row[0]) for row in nodes) == sorted(graph.nodes)
    for label, average_us, count, gaps in nodes:
        node = graph.nodes[text(label)]
        gaps = {kind: gap for kind, gap in json.loads(gaps).items() if gap != 0}
        assert count == node["cnt"] and abs(average_us * 1e3 - node["average"]) <= max(1, 1e-15 * node["average"]), label
        assert set(gaps) == set(node["gaps"]), (label, gaps, node["gaps"])
        assert all(abs(gaps[kind] * 1e3 - node["gaps"][kind]) <= 1 for kind in gaps), (label, gaps, node["gaps"])
    edges = database.execute("SELECT src, dst, kind, cnt, weight_us FROM edge").fetchall()
    assert len(edges) == graph.n_edges
    wanted = sorted((text(src), text(dst), kind, count, gap * 1e3) for src, dst, kind, count, gap in edges)
    for row, edge in zip(wanted, sorted(graph.edges)):
        assert row[:4] == edge[:4] and abs(row[4] - edge[4]) <= 1, (row, edge)


prefix = sys.argv[1]
gml = networkx.read_gml(prefix + ".gml")
assert gml.is_multigraph(), "parallel edges are lost"
graph = Graph(gml, True)
assert len(graph.nodes) == gml.number_of_nodes() > 2 and graph.n_edges > 2
for name, read in ((".graphml", networkx.read_graphml), (".json", read_json)):
    other = Graph(read(prefix + name), False)
    compare_nodes(name, graph, other)
    assert other.edges == graph.edges, (name, other.edges - graph.edges, graph.edges - other.edges)
compare_dot(prefix + ".dot", graph)
if len(sys.argv) > 2:
    compare_database(sys.argv[2], graph)
print(f"{len(graph.nodes)} nodes, {graph.n_edges} edges")
