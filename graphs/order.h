/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOrder: the strong components of a graph and an order of its nodes in which edges point forward.
 *
 * Edges back in time inside a strong component (to a node of the same or a lower number) close its cycles; without them
 * the graph has none. The order lists those edges, and the nodes of each cycle. Linear in nodes and edges, 4 bytes an
 * edge, no recursion.
 */
#pragma once

#include "graphs/graph.h"

typedef struct
{
  guint32 *component; /* by node; in reverse order: an edge never leads to a higher component */
  guint32 n_components;
  guint32 *order;    /* node numbers; each edge that is not in `back` points forward */
  GArray *back;      /* of guint32: edge numbers, ascending */
  GPtrArray *cycles; /* of GArray of guint32: nodes of each component that has a cycle, ascending, by first node */
} TtOrder;

/* @skip_kinds: bit set of edge kinds (1 << kind) that do not count. */
TtOrder *tt_order_new (const TtGraph *graph, guint skip_kinds);
void tt_order_free (TtOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOrder, tt_order_free)

/* Whether @edge leads back inside a component. Edges of skipped kinds may, too. */
gboolean tt_order_is_back (const TtOrder *self, const TtEdge *edge);
