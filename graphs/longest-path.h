/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLongestPath: the heaviest path through a graph, by weights of nodes and edges.
 *
 * Edges back in time inside a strong component do not count (order.h), so there is no cycle. Of equally heavy paths the
 * one whose last node has the lowest number wins, and so on backwards, so that the answer does not depend on the order
 * of the edges.
 */
#pragma once

#include "graphs/order.h"

typedef struct
{
  GArray *nodes; /* of guint32, from first to last */
  double weight;
} TtLongestPath;

/* @edge_weight: by edge number, or NULL for none. Weights are at least 0. @order: of @graph with
 * the same @skip_kinds. */
TtLongestPath *tt_longest_path_new (const TtGraph *graph,
                                    const TtOrder *order,
                                    guint skip_kinds,
                                    const double *node_weight,
                                    const double *edge_weight);
void tt_longest_path_free (TtLongestPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtLongestPath, tt_longest_path_free)

/*
 * The weights of the model path, in ns, so that no time counts twice: a node weighs its average self time (a
 * caller's time without its callees); a sequence edge weighs its average gap where nobody calls either
 * operation (elsewhere the gap is the caller's own self time); other edges weigh nothing, for the
 * time of a transfer lies inside the receive. END and the rest node weigh nothing.
 */
double *tt_model_node_weights (const TtGraph *graph);
double *tt_model_edge_weights (const TtGraph *graph);
/* The path by these weights, never along an edge TT_EDGE_VIA; *order may be NULL. */
TtLongestPath *tt_model_path_new (const TtGraph *graph, TtOrder **order);
