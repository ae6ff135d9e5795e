/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph as GML (graph modelling language), in ASCII.
 *
 * Keys have letters only. Node: id, label (op_long_name), pid, opcat, name, cnt, avg (ms, as the original tools have
 * it), selftime (ms), gapKIND (average, us), 0 where the node has none; at level event, event and ts (us). Edge:
 * source, target, kind, cnt, gap (average, us).
 *
 * networkx.read_gml() takes it: it wants a fraction rather than an exponent in numbers, no label twice, no key
 * `self`, and to be told of parallel edges.
 */
#pragma once

#include "graphs/graph.h"
#include "src/base/output.h"

void tt_graph_gml_write (const TtGraph *graph, TtOutput *out);
