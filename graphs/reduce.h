/*
 * Reductions: a graph that fits a screen from one that does not. Each makes a new, finished graph.
 */
#pragma once

#include "graphs/graph.h"

/* Nodes up to @hops edges away from @centres (of guint32), either way. Nothing is reached through
 * END: everything leads there. */
TtGraph *tt_graph_around (const TtGraph *graph, const GArray *centres, guint hops);

/* Each chain of nodes with one way in and one way out between them becomes one node,
 * "first ... last (n)": cnt of its first, self time of all, time of those that are not inside another of them. */
TtGraph *tt_graph_collapse (const TtGraph *graph);

/* At most @max_nodes (at least 2) nodes: END, then the path by averages (longest-path.h), then the largest
 * self time; the others become one grey node, their edges merged. *n_dropped: how many, 0 = none;
 * *dropped_self: their part of all self time, 0 to 1. */
TtGraph *tt_graph_limit (const TtGraph *graph, guint max_nodes, guint *n_dropped, double *dropped_self);

/* For the path by averages: nobody leaves a collective before the last has come. Each of the others waits for what the last to come
 * needs (edges TT_EDGE_COLLECTIVE lead from there now), not for its end; how long it waited is not its own time any more. */
TtGraph *tt_graph_meet (const TtGraph *graph);
