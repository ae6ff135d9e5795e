/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph as JSON: {"directed":true,"multigraph":true,"nodes":[...],"edges":[...]}, one node or edge a line.
 *
 * Node: id, label (op_long_name), pid, op_cat, name, cnt, avg_us, self_us, gaps {kind: average us}; "event" and
 * "ts_us" at level event; "rest":true for the node that stands for others, "end":true for END, "merged" where
 * several were merged. Edge: src, dst (ids), kind, cnt, gap_us (average).
 * Edges say source and target for src and dst, too: with these networkx.node_link_graph() takes it.
 */
#pragma once

#include "graphs/graph.h"
#include "src/base/output.h"

void tt_graph_json_write (const TtGraph *graph, TtOutput *out);
