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

/* What tt_graph_limit() keeps. */
typedef struct
{
  guint max_nodes;  /* at least 3 */
  double min_share; /* of all self time, 0 to 1: of nodes that are not on the path */
} TtGraphLimits;

/* END, then the path by averages (longest-path.h), then the nodes of the largest self time, within @limits. The others
 * become a grey node into which their edges lead, and one out of which they lead: nothing runs through them, so that what
 * had no cycle gets none. Their counts and times are the first one's. *n_dropped: how many, 0 = none; *dropped_self: their
 * part of all self time, 0 to 1. Where what stays depends on each other through what is left out it has edges
 * TT_EDGE_VIA; *n_ways: as of tt_graph_add_via() (via.h). The last three may be NULL. */
TtGraph *tt_graph_limit (const TtGraph *graph,
                         const TtGraphLimits *limits,
                         guint *n_dropped,
                         double *dropped_self,
                         guint *n_ways);

/* Without the edges that a longer way implies; in cycles all stay. *n_left_out: how many. NULL: nodes and cycles are more
 * than TT_TRANSITIVE_MAX, for which the memory would be too much. */
#define TT_TRANSITIVE_MAX 20000u
TtGraph *tt_graph_reduce (const TtGraph *graph, guint *n_left_out);

/* Processes that have the same operations, of which the same call each other, become one: "64 like rank 0", with the counts
 * and times of all. *n_folded: how many processes have become part of another, or have others in them. */
TtGraph *tt_graph_fold_ranks (const TtGraph *graph, guint *n_folded);

/* For the path by averages: nobody leaves a collective before the last rank arrives. In the result each of the others
 * waits for what the last one needed (there the edges TT_EDGE_COLLECTIVE begin), not for its end, and the time that it
 * waited is not part of its self time. */
TtGraph *tt_graph_meet (const TtGraph *graph);

/* For reductions: adds to @reduced the edges of @graph between nodes with different new numbers. */
#define TT_NOT_IN_GRAPH G_MAXUINT32
void tt_graph_move_edges (const TtGraph *graph, const guint32 *new_number, TtGraph *reduced);
