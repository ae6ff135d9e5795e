/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtIgraphView: a graph of operations as igraph's own type, with the same numbers of nodes.
 *
 * It is built from one vector of edges: igraph rebuilds its index with every igraph_add_edge(), 15 s for 2,000 of them
 * in a graph of 400,000. This header includes igraph.h, so only files of graphs/ include it; others find their answers
 * in structure.h.
 *
 * igraph is not thread-safe: one thread of the program calls it. Its handler that aborts is replaced before the first
 * call, and what fails becomes a GError.
 */
#pragma once

#include <igraph.h>

#include "graphs/order.h"

typedef struct
{
  igraph_t igraph;
  /* TT_IGRAPH_WITH_ENDS: a node with an edge to each node that nothing leads to, and one with an edge from each node
   * that leads nowhere. */
  igraph_integer_t start, end;
} TtIgraphView;

typedef enum
{
  TT_IGRAPH_WHOLE,     /* all edges, with the graph's numbers */
  TT_IGRAPH_WITH_ENDS, /* without the edges that @order leaves out: no cycle; with the nodes start and end */
  TT_IGRAPH_CYCLIC,    /* only edges between two nodes of a strong component of @order, in the graph's order */
} TtIgraphPart;

/* Whether the part has the edge. @order may be NULL for TT_IGRAPH_WHOLE. */
gboolean tt_igraph_part_has_edge (TtIgraphPart part, const TtOrder *order, const TtEdge *edge);
TtIgraphView *tt_igraph_view_new (const TtGraph *graph, TtIgraphPart part, const TtOrder *order, GError **error);
void tt_igraph_view_free (TtIgraphView *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtIgraphView, tt_igraph_view_free)

/* Whether a call succeeded; else @error says "cannot @what: " and igraph's reason. */
gboolean tt_igraph_check (igraph_error_t code, const char *what, GError **error);
/* Sets igraph's error handler and its table of attributes, once. tt_igraph_view_new() calls it. */
void tt_igraph_setup (void);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (igraph_vector_int_t, igraph_vector_int_destroy)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (igraph_vector_t, igraph_vector_destroy)
