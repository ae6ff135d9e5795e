/*
 * TtTrail: the dependency graph of a job's step as the original analyzer keeps it in trail_dag.gml: nodes with their mean
 * duration and the gaps behind them, by kind, and plain edges.
 *
 * Numbers are kept as they are in the file (ms and us, as doubles), so that reading and writing gives the same file.
 */
#pragma once

#include "graphs/graph.h"

typedef struct
{
  const char *kind; /* "operatorGAPoperator" */
  double us;
  gboolean is_real; /* written with a fraction even if it has none */
} TtTrailGap;

typedef struct
{
  const char *label; /* op_long_name */
  double avg_ms;
  gint64 cnt; /* samples of gaps; -1: not said */
  guint32 first_gap, n_gaps;
  gboolean is_real; /* avg_ms, as above */
} TtTrailNode;

typedef struct
{
  guint32 from, to;
} TtTrailEdge;

typedef struct
{
  GArray *nodes; /* of TtTrailNode */
  GArray *gaps;  /* of TtTrailGap, those of a node behind each other */
  GArray *edges; /* of TtTrailEdge */
  GStringChunk *text;
} TtTrail;

TtTrail *tt_trail_new (void);
void tt_trail_free (TtTrail *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTrail, tt_trail_free)

/* @label is copied. */
guint32 tt_trail_add_node (TtTrail *self, const char *label, double avg_ms, gint64 cnt);
/* To the node that was added last. */
void tt_trail_add_gap (TtTrail *self, const char *kind, double us);
void tt_trail_add_edge (TtTrail *self, guint32 from, guint32 to);

/* The same to draw and export; unfinished. Kinds of edges are told by the names at their ends (tt_trail_edge_kind). */
TtGraph *tt_trail_to_graph (const TtTrail *self);

/* "END" is a TT_EDGE_END, SEND to RECV a message, one rank's Sync to another's operation a collective, else a dependency. */
TtEdgeKind tt_trail_edge_kind (const TtNode *from, const TtNode *to);
/* Adds the node of "pid->op_cat.op_name[.sub_op][~>suffix]", with the parts of it. */
guint32 tt_trail_add_named (TtGraph *graph, const char *label);
