/*
 * TtGraph: a directed graph of operations: what `depgraph` draws and `critical-path --model` walks.
 *
 * Nodes and edges are numbered from 0 in the order they were added; both are plain arrays. Labels
 * belong to the graph. Built once, then read; reductions (reduce.h) make new graphs.
 * Every order is deterministic: by number.
 */
#pragma once

#include "src/int128.h"

typedef enum
{
  TT_EDGE_CALL,       /* caller -> callee */
  TT_EDGE_SEQUENCE,   /* one after the other on a thread, under the same caller */
  TT_EDGE_MESSAGE,    /* send -> receive */
  TT_EDGE_COLLECTIVE, /* last arriver -> the others */
  TT_EDGE_FLOW,
  TT_EDGE_END, /* to the END node */
  TT_N_EDGE_KINDS,
} TtEdgeKind;

const char *tt_edge_kind_text (TtEdgeKind kind);

typedef struct
{
  char *label;        /* op_long_name */
  char *pid, *op_cat, *name;
  guint64 cnt;
  tt_int128 sum_ns, self_ns; /* avg = sum/cnt */
  guint64 gap_cnt[TT_N_EDGE_KINDS]; /* gaps after this node, by the kind of edge they lie on */
  tt_int128 gap_ns[TT_N_EDGE_KINDS];
  guint64 event; /* at level event: its id, else 0 */
  gint64 ts_ns;  /* at level event */
  gboolean is_rest; /* the grey node that stands for what --max-nodes dropped */
  guint64 n_merged; /* nodes that --collapse or rest put in here; 1 = itself */
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
} TtGraph;

TtGraph *tt_graph_new (void);
void tt_graph_free (TtGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGraph, tt_graph_free)

#define tt_graph_node(self, i) (&g_array_index ((self)->nodes, TtNode, (i)))
#define tt_graph_edge(self, i) (&g_array_index ((self)->edges, TtEdge, (i)))

/* @label etc. are copied. */
guint32 tt_graph_add_node (TtGraph *self, const char *label, const char *pid, const char *op_cat, const char *name);
/* Adds an edge without looking for an equal one. */
void tt_graph_add_edge (TtGraph *self, guint32 src, guint32 dst, TtEdgeKind kind, guint64 cnt, gint64 gap_ns);
double tt_graph_node_avg_us (const TtNode *node);
/* Average gap after this node per kind that has samples: {"sequence":1.5,...} in µs; "{}" if none. Free it. */
char *tt_graph_node_gaps_json (const TtNode *node);
