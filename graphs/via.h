/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges TT_EDGE_VIA: nodes that stay depend on each other through nodes that are left out.
 *
 * With them, what could be reached from a node in the whole graph can be reached from it in the reduced one, and nothing
 * else; END aside. None says what a longer way of edges says, and none closes a cycle that the whole graph does not
 * have. Time is linear in the edges of the graph for each 512 nodes that stay, and quadratic in these.
 */
#pragma once

#include "graphs/graph.h"

/* More edges than this are not added: nobody could follow them. */
#define TT_VIA_MOST 5000u
/* With more nodes that stay they are not looked for. */
#define TT_VIA_MOST_NODES 10000u

/* @reduced: of the nodes of @graph that stay, in their order, and the edges between them; @new_number: TT_NOT_IN_GRAPH for
 * the others. An edge's cnt is how many nodes are left out on the shortest way; 0: not known, the graph is too large.
 * Returns how many edges there are to add; they are added if that is at most TT_VIA_MOST. */
guint tt_graph_add_via (const TtGraph *graph, const guint32 *new_number, TtGraph *reduced);
