/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTrail: the dependency graph of a job's step as the original analyzer keeps it in trail_dag.gml: nodes with their
 * mean duration and the gaps after them, by kind, and plain edges.
 *
 * Numbers are kept as they are in the file (ms and us, as doubles), so that reading and writing gives the same file.
 */
#pragma once

#include "graphs/graph.h"
#include "graphs/step-graph/name-parts.h"

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
  gint64 cnt; /* samples of gaps; -1: not given */
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
  GArray *gaps;  /* of TtTrailGap, those of a node in a row */
  GArray *edges; /* of TtTrailEdge */
  GStringChunk *text;
} TtTrail;

TtTrail *tt_trail_new (void);
void tt_trail_free (TtTrail *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTrail, tt_trail_free)

/* @label is copied. */
guint32 tt_trail_add_node (TtTrail *self, const char *label, double avg_ms, gint64 cnt);
/* Adds a gap to the last node. */
void tt_trail_add_gap (TtTrail *self, const char *kind, double us);
void tt_trail_add_edge (TtTrail *self, guint32 from, guint32 to);

/* As a graph to draw and export, not yet finished. Labels of files are parsed here, into the parts of names. */
TtGraph *tt_trail_to_graph (const TtTrail *self);

/* One end of an edge of a step's graph. */
typedef struct
{
  const char *pid; /* NULL: END */
  TtNameParts parts;
  gboolean is_end;
} TtTrailEnd;

/* To END a TT_EDGE_END, SEND to RECV a message, one rank's Sync to another's operation a collective, else a
 * dependency. */
TtEdgeKind tt_trail_edge_kind (const TtTrailEnd *from, const TtTrailEnd *to);
