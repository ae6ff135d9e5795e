/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGraphBuilder: fills a graph of operations, or of spans, in one reverse scan: of all, or of the part that a rank of a crew has. Of
 * analyzers/dependencies only.
 */
#pragma once

#include "analyzers/dependencies/dep-graph.h"
#include "analyzers/dependencies/graph-links.h"
#include "analyzers/dependencies/span-tree.h"
#include "analyzers/spans/op-table.h"

/* Some of a node's spans are windows of the host; others are not: what is theirs depends on their order. */
#define TT_STRETCH_SOME 1u
#define TT_STRETCH_MIXED 2u

typedef struct
{
  TtStore *store;
  const TtDepGraphOptions *options;
  GHashTable *members;  /* at level event; NULL: all */
  TtVicinity *vicinity; /* that has these, with all that is around them; NULL: all are read */
  gboolean by_event;
  TtOpTable *ops;
  TtGraph *graph;
  GArray *depths;    /* of guint32: depth of each node's first span */
  GArray *node_ops;  /* of guint32: operation of each node */
  GArray *stretches; /* of guint8: TT_STRETCH_SOME, TT_STRETCH_MIXED: whether a node's spans are windows of the host */
  TtEdgeTable edges;
  TtGraphLinks links;
  TtSpanTree *tree;
  TtSharedScan *shared; /* NULL: all are read */
} TtGraphBuilder;

void tt_graph_builder_init (TtGraphBuilder *self, TtStore *store, const TtDepGraphOptions *options);
void tt_graph_builder_clear (TtGraphBuilder *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtGraphBuilder, tt_graph_builder_clear)

/* All spans and links. */
gboolean tt_graph_builder_scan (TtGraphBuilder *self, GError **error);
/* Those of a part: links whose ends are both there are among the edges. What it cannot tell makes @shared odd. */
gboolean tt_graph_builder_scan_part (TtGraphBuilder *self, TtSharedScan *shared, GError **error);

/* The node of an operation, new where it has none: with its begin and depth. */
guint32 tt_graph_builder_node (TtGraphBuilder *self, guint32 process, guint32 name, gint64 ts_ns, guint32 depth);
/* After the last span of all. */
void tt_graph_builder_bound (TtGraphBuilder *self);
/* Numbers the nodes by their begins. */
void tt_graph_builder_sort (TtGraphBuilder *self);
/* From the end of one to the begin of its next sibling. */
gint64 tt_graph_builder_gap (gint64 end_ns, gint64 next_ns);
