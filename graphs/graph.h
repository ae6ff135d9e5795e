/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGraph: a directed graph of operations, as `depgraph` draws it and `critical-path --model` walks it.
 *
 * Nodes and edges are numbered from 0 in the order in which they were added; both are plain arrays. The graph owns its
 * labels. It is built once, then read; reductions (reduce.h) make new graphs.
 * Every order is deterministic: by number. The builder of a graph numbers its nodes by the start of their first span,
 * so an edge to a lower number leads back in time.
 */
#pragma once

#include "src/base/int128.h"

typedef enum
{
  TT_EDGE_CALL,       /* caller -> callee */
  TT_EDGE_SEQUENCE,   /* consecutive on a thread, under the same caller */
  TT_EDGE_MESSAGE,    /* send -> receive */
  TT_EDGE_COLLECTIVE, /* last to arrive -> the others */
  TT_EDGE_FLOW,
  TT_EDGE_SYNC,       /* work on a device -> the call or the work that waits for it */
  TT_EDGE_INFERRED,   /* a flow that is likely, not certain */
  TT_EDGE_DEPENDENCY, /* of a training step: needed operation -> the one that needs it */
  TT_EDGE_END,        /* to the END node */
  TT_EDGE_VIA,        /* through nodes that are left out (via.h): its count is theirs, not one of spans */
  TT_N_EDGE_KINDS,
} TtEdgeKind;

const char *tt_edge_kind_text (TtEdgeKind kind);

typedef struct
{
  const char *label; /* op_long_name */
  const char *pid, *op_cat, *name;
  guint64 cnt;
  tt_int128 sum_ns, self_ns;        /* avg = sum/cnt */
  guint64 gap_cnt[TT_N_EDGE_KINDS]; /* gaps after this node, by the kind of edge they lie on */
  tt_int128 gap_ns[TT_N_EDGE_KINDS];
  guint64 event;    /* at level event: its id, else 0 */
  gint64 ts_ns;     /* start of the (first) span */
  gboolean is_end;  /* END: nodes that nothing follows lead here */
  gboolean is_rest; /* the grey node that stands for those --max-nodes dropped */
  guint64 n_merged; /* nodes that --collapse or the rest node put in here; 1 = itself */
} TtNode;

/* 32 bytes: a million edges stay small. */
typedef struct
{
  guint32 src, dst;
  guint32 kind; /* TtEdgeKind */
  guint32 reserved;
  guint64 cnt;
  gint64 gap_ns; /* sum of end-to-begin gaps (sequence), or of transfer times (message) */
} TtEdge;

typedef struct
{
  GArray *nodes; /* of TtNode */
  GArray *edges; /* of TtEdge */
  GStringChunk *text;
} TtGraph;

TtGraph *tt_graph_new (void);
void tt_graph_free (TtGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGraph, tt_graph_free)

#define tt_graph_node(self, i) (&g_array_index ((self)->nodes, TtNode, (i)))
#define tt_graph_edge(self, i) (&g_array_index ((self)->edges, TtEdge, (i)))

/* @label etc. are copied. cnt is 0, n_merged 1. */
guint32 tt_graph_add_node (TtGraph *self, const char *label, const char *pid, const char *op_cat, const char *name);
/* A node with the numbers and texts of @node, which may be of another graph. */
guint32 tt_graph_copy_node (TtGraph *self, const TtNode *node);
/* Adds an edge without a search for an equal one (edge-table.h does that). */
void tt_graph_add_edge (TtGraph *self, guint32 src, guint32 dst, TtEdgeKind kind, guint64 cnt, gint64 gap_ns);
/* Sorts the edges by (src, dst, kind) and sums the gaps after each node. The last step of building. */
void tt_graph_finish (TtGraph *self);
/* Adds the node END and an edge to it from every node that nothing follows: that has no edge out of a
 * kind other than a call, or no edge at all where the graph has only calls. Before finish. */
void tt_graph_add_end (TtGraph *self);

/* Numbers of edges by source: those of node n are edge[first[n]] to edge[first[n + 1] - 1]. */
typedef struct
{
  guint32 *first, *edge;
} TtAdjacency;
void tt_adjacency_init (TtAdjacency *self, const TtGraph *graph, gboolean by_destination);
void tt_adjacency_clear (TtAdjacency *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtAdjacency, tt_adjacency_clear)

/* sum / cnt, rounded half away from zero; 0 for a cnt of 0. */
gint64 tt_average_ns (tt_int128 sum_ns, guint64 cnt);
double tt_graph_node_avg_us (const TtNode *node);
/* Nanoseconds as microseconds with the shortest exact fraction. Returns buffer. */
#define TT_US_TEXT 32
char *tt_us_text (char buffer[TT_US_TEXT], gint64 ns);
/* Average gap after this node per kind that has samples: {"sequence":1.5,...} in µs; "{}" if none. Free it. */
char *tt_graph_node_gaps_json (const TtNode *node);
