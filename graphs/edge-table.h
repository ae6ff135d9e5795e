/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEdgeTable: counts edges of a graph by (source, destination, kind).
 *
 * An index over the graph's own array of edges, so that a million different edges cost at most 11 bytes each beside
 * their 32. While the table lives, only it adds edges to the graph. A zeroed table is cleared.
 */
#pragma once

#include "graphs/graph.h"
#include "src/base/row-index.h"

typedef struct
{
  TtGraph *graph; /* borrowed */
  TtRowIndex index;
} TtEdgeTable;

/* What @graph has already is indexed, too. */
void tt_edge_table_init (TtEdgeTable *self, TtGraph *graph);
void tt_edge_table_clear (TtEdgeTable *self);
/* Adds to the edge's count and gap; a gap that overflows stays at the largest or smallest number. */
void tt_edge_table_add (TtEdgeTable *self, guint32 src, guint32 dst, TtEdgeKind kind, guint64 cnt, gint64 gap_ns);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtEdgeTable, tt_edge_table_clear)
