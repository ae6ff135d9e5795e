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

#include "analyzers/dependencies/vicinity.h"
#include "analyzers/devices/work.h"
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

/* A node for each selected span up to @hops edges away from the one that "NAME" or "NAME#k" means: the k-th span of the operation, or its longest. One
 * scan finds that, and notes where all others are (event-index.h); where spans are not nested, devices wait, or
 * what is near is most of the run there are more. */
TtGraph *
tt_dep_graph_around (TtStore *store, const TtDepGraphOptions *options, const char *text, guint hops, GError **error);

/* What is read of a run for spans near one of them, so that it is not scanned again. Zeroed: nothing. */
typedef struct
{
  TtOpTable *ops;
  TtEventIndex *index;
  TtVicinity *vicinity;
  TtDeviceWork work;
  guint events_a_piece; /* of an index to be made */
} TtDepGraphNear;

void tt_dep_graph_near_clear (TtDepGraphNear *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtDepGraphNear, tt_dep_graph_near_clear)

/* The steps of tt_dep_graph_around(). @near: NULL: each scans all it needs. */

/* The event that @text means. @near: gets operations and the index. */
gboolean
tt_dep_graph_find_event (TtStore *store, const char *text, TtDepGraphNear *near, guint64 *event, GError **error);
/* Event ids up to @hops edges away from event @centre. NULL on error. */
GHashTable *tt_dep_graph_neighbours (TtStore *store,
                                     const TtDepGraphOptions *options,
                                     TtDepGraphNear *near,
                                     guint64 centre,
                                     guint hops,
                                     GError **error);
/* A node for each selected span that is in @members (event ids as pointers; NULL: all selected), labelled
 * "op_long_name#k", k its 0-based occurrence in the run. More than TT_DEP_MAX_EVENTS are an error. */
TtGraph *tt_dep_graph_events (TtStore *store,
                              const TtDepGraphOptions *options,
                              GHashTable *members,
                              TtDepGraphNear *near,
                              GError **error);
