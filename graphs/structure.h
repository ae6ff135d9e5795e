/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStructure: how the operations of a graph hang together: which must run before which, which everything waits for,
 * which edges close the cycles, and how much longer each operation may take.
 *
 * The answers come from igraph and are numbered like the graph, for graphs of up to TT_STRUCTURE_MAX_EDGES edges.
 * Above that the order is that of TtOrder (order.h), and what only igraph knows is an error.
 * Where igraph may choose, it chooses by the numbers of nodes and edges: the same graph gives the same answer.
 *
 * Borrows the graph and its order, which outlive it. Order, dominators and slack are of the graph without the edges
 * that lead back in time inside a cycle (order.h), like the longest path. One thread only (igraph-view.h).
 */
#pragma once

#include "graphs/order.h"

/*
 * Where igraph ends and our compact form goes on alone (measured by bench/bench-graphs.c, docs/performance.md): at this
 * size the slowest answer, feedback arcs of a graph that is one large cycle, takes 1 s, and igraph 26 MB. Feedback arcs
 * take time with the square of the nodes in cycles, 90 s at a million edges.
 */
#define TT_STRUCTURE_MAX_EDGES 200000u
#define TT_STRUCTURE_NONE G_MAXUINT32

typedef struct _TtStructure TtStructure;

TtStructure *tt_structure_new (const TtGraph *graph, const TtOrder *order);
void tt_structure_free (TtStructure *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStructure, tt_structure_free)

/* All nodes, so that edges point forward. NULL on error. Free it. */
guint32 *tt_structure_order (TtStructure *self, GError **error);

typedef enum
{
  TT_STRUCTURE_WEAK,   /* joined by edges, whatever their direction */
  TT_STRUCTURE_STRONG, /* each is reached from each */
} TtStructureJoin;

/* The number of its component by node, in the order of their first nodes. NULL on error. Free it. */
guint32 *tt_structure_components (TtStructure *self, TtStructureJoin join, guint32 *n_components, GError **error);

/*
 * A path begins at a node that nothing leads to and ends at one that leads nowhere. X dominates Y if all paths to Y
 * pass X; then Y waits for X, whatever else it waits for.
 */
typedef struct
{
  guint32 *before;    /* by node: the last node that all paths to it pass; TT_STRUCTURE_NONE: there is none */
  guint32 *after;     /* by node: the first node that all paths from it pass */
  guint32 *n_reached; /* by node: how many others are reached through it only */
  guint32 *n_leading; /* by node: how many others reach an end through it only */
  guint8 *is_gate;    /* by node: all paths pass it */
  guint32 n_gates;
} TtDominators;

TtDominators *tt_structure_dominators (TtStructure *self, GError **error);
void tt_dominators_free (TtDominators *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtDominators, tt_dominators_free)

/* Numbers (guint32) of edges, ascending, without which the graph has no cycle: few, and those that count least, by a
 * heuristic (Eades). The longest path leaves out others, those that lead back in time. NULL on error. */
GArray *tt_structure_feedback_arcs (TtStructure *self, GError **error);

/* By node: how much heavier it may become before the longest path does, by these weights (longest-path.h); less than
 * half a unit of weight is rounding, and 0. @edge_weight may be NULL. NULL on error. Free it. */
double *
tt_structure_slack (TtStructure *self, const double *node_weight, const double *edge_weight, GError **error);
