/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dependency graphs of a run.
 *
 * Level op: a node for each op_long_name with count, time, self time; edges for calls (a span and what it
 * directly encloses), sequence (a span and the next one on its thread under the same caller), messages (the
 * spans that sent and received), flows, waits for work on devices (devices/waits.h) and, if asked for, collectives (the
 * last process to arrive and the others).
 * One reverse scan, a stack per thread: no memory per event.
 * Level event: a node for each span of a selection.
 */
#pragma once

#include "graphs/graph.h"
#include "src/base/crew.h"
#include "src/select/selection.h"

#define TT_DEP_KINDS_DEFAULT                                                                                       \
  (1u << TT_EDGE_CALL | 1u << TT_EDGE_SEQUENCE | 1u << TT_EDGE_MESSAGE | 1u << TT_EDGE_FLOW | 1u << TT_EDGE_SYNC | \
   1u << TT_EDGE_INFERRED)
#define TT_DEP_MAX_EVENTS 1000000u

typedef struct
{
  gboolean merge_ranks;         /* nodes are names, whatever the pid */
  guint kinds;                  /* bit set of 1 << TtEdgeKind */
  const TtSelection *selection; /* bound, or NULL: everything */
  const TtCrew *crew;           /* NULL, or ranks that share the scan of tt_dep_graph_ops() */
} TtDepGraphOptions;

/* Without END. Messages, collectives and flows without a selected span at both ends are no edges. The nodes are in the
 * order of their first begins. Ranks other than 0 get NULL; without @error they are done. */
TtGraph *tt_dep_graph_ops (TtStore *store, const TtDepGraphOptions *options, GError **error);

/* A node for each selected span that is in @members (event ids as pointers; NULL: all selected), labelled
 * "op_long_name#k", k its 0-based occurrence in the run. More than TT_DEP_MAX_EVENTS are an error. */
TtGraph *tt_dep_graph_events (TtStore *store, const TtDepGraphOptions *options, GHashTable *members, GError **error);

/* Event ids up to @hops edges away from event @centre. NULL on error. */
GHashTable *
tt_dep_graph_neighbours (TtStore *store, const TtDepGraphOptions *options, guint64 centre, guint hops, GError **error);

/* The event that "NAME" or "NAME#k" means: the k-th span of the operation, or its longest. */
gboolean tt_dep_graph_find_event (TtStore *store, const char *text, guint64 *event, char **label, GError **error);
