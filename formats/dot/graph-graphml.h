/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph as GraphML.
 *
 * Node: label (op_long_name), pid, op_cat, name, cnt, avg_us, self_us, gap_KIND_us (average) for the kinds that it
 * has; at level event, event and ts_us. Edge: kind, cnt, gap_us (average).
 */
#pragma once

#include "graphs/graph.h"
#include "src/base/output.h"

void tt_graph_graphml_write (const TtGraph *graph, TtOutput *out);
