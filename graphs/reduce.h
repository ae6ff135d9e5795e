/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions: from a graph that does not fit a screen to one that does. Each makes a new, finished graph.
 */
#pragma once

#include "graphs/graph.h"

/* Nodes up to @hops edges away from @centres (of guint32), in both directions. Nothing is reached through END, because
 * everything leads there. */
TtGraph *tt_graph_around (const TtGraph *graph, const GArray *centres, guint hops);

/* Each chain of nodes, with no other edge into or out of its inside, becomes one node, "first ... last (n)": with the
 * cnt of its first, the self time of all, and the time of those that are not inside another of them. */
TtGraph *tt_graph_collapse (const TtGraph *graph);

/* At most @max_nodes (at least 2) nodes: END, then the path by averages (longest-path.h), then those of the largest
 * self time; the others become one grey node, and their edges are merged. *n_dropped: how many, 0 = none;
 * *dropped_self: their part of all self time, 0 to 1. */
TtGraph *tt_graph_limit (const TtGraph *graph, guint max_nodes, guint *n_dropped, double *dropped_self);

/* Processes that have the same operations, of which the same call each other, become one: "64 like rank 0", with the counts
 * and times of all. *n_folded: how many processes have become part of another, or have others in them. */
TtGraph *tt_graph_fold_ranks (const TtGraph *graph, guint *n_folded);

/* For the path by averages: nobody leaves a collective before the last rank arrives. In the result each of the others
 * waits for what the last one needed (there the edges TT_EDGE_COLLECTIVE begin), not for its end, and the time that it
 * waited is not part of its self time. */
TtGraph *tt_graph_meet (const TtGraph *graph);
