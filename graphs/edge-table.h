/*
 * TtEdgeTable: counts edges of a graph by (source, destination, kind).
 *
 * A table of edge numbers with open addressing, so that a million different edges cost 8 bytes each
 * beside their 32. The edges are those of the graph: nobody else adds any while the table lives.
 */
#pragma once

#include "graphs/graph.h"

typedef struct
{
  TtGraph *graph; /* borrowed */
  guint32 *slots; /* edge number + 1, 0 = free */
  guint64 mask;
} TtEdgeTable;

/* @graph has no edges yet. */
void tt_edge_table_init (TtEdgeTable *self, TtGraph *graph);
void tt_edge_table_clear (TtEdgeTable *self);
/* Adds to the edge's count and gap; sums stop at the largest number there is. */
void tt_edge_table_add (TtEdgeTable *self, guint32 src, guint32 dst, TtEdgeKind kind, guint64 cnt, gint64 gap_ns);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtEdgeTable, tt_edge_table_clear)
