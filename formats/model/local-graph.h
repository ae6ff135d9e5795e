/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLocalGraph: the graph of one model on one GPU as an importer needs it: nodes with names, directed edges.
 *
 * Plain adjacency in memory, numbered from 0 in order of first sight; nodes and edges beyond TT_LOCAL_GRAPH_MOST are an
 * error of whoever reads the file. Names are those of the file (raw TensorFlow names, or standard names).
 */
#pragma once

#include <glib.h>

typedef struct _TtLocalGraph TtLocalGraph;

/* About a hundred times the largest model. */
#define TT_LOCAL_GRAPH_MOST_NODES (1u << 21)
#define TT_LOCAL_GRAPH_MOST_EDGES (1u << 23)

TtLocalGraph *tt_local_graph_new (void);
void tt_local_graph_free (TtLocalGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtLocalGraph, tt_local_graph_free)

/* The node called @name, new if need be. */
guint32 tt_local_graph_node (TtLocalGraph *self, const char *name);
gboolean tt_local_graph_find (const TtLocalGraph *self, const char *name, guint32 *node);
void tt_local_graph_edge (TtLocalGraph *self, guint32 from, guint32 to);
/* All is in: sorts the edges and drops equal ones. Before that nobody asks for neighbours. */
void tt_local_graph_seal (TtLocalGraph *self);

guint32 tt_local_graph_n_nodes (const TtLocalGraph *self);
/* Of a sealed graph without the equal ones. */
guint32 tt_local_graph_n_edges (const TtLocalGraph *self);
const char *tt_local_graph_name (const TtLocalGraph *self, guint32 node);
/* In ascending order. */
const guint32 *tt_local_graph_successors (const TtLocalGraph *self, guint32 node, guint32 *n);
const guint32 *tt_local_graph_predecessors (const TtLocalGraph *self, guint32 node, guint32 *n);

/* A hash of names for tables that files fill. */
guint tt_local_graph_hash (gconstpointer name);
