/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of collective functions of a run, of which the source does not say who takes part: what the communicators
 * are inferred from.
 *
 * Ranks are numbered from 0 in the order of answers. A call is synchronizing where none of those who take part leaves
 * before all have come: what a barrier, an allreduce and the like are by definition, and others by the synchronisation
 * inside them that the trace shows (TAU's "MPI Collective Sync"); its end is then that of this synchronisation.
 */
#pragma once

#include "analyzers/communication/collective-shape.h"
#include "src/store/store.h"

#define TT_NO_CALL G_MAXUINT32
#define TT_NO_RANK G_MAXUINT32

typedef struct
{
  guint32 rank, kind;
  gint64 begin_ns, end_ns;
  gint64 whole_end_ns; /* of the call itself */
  guint64 event;
  guint32 process, thread;
  gint64 bytes; /* -1: not known */
  gint64 ordinal;
  gboolean is_synchronizing;
} TtRankCall;

/* Of calls that may be parts of one: a function, and bytes where these are the same for all. */
typedef struct
{
  guint32 function; /* index */
  gint64 bytes;
} TtCallKind;

typedef struct
{
  guint n_ranks;
  guint32 *rank_of;     /* by process; TT_NO_RANK: none */
  guint32 *leaders;     /* process, by rank */
  GPtrArray *functions; /* of char *, in the order of the store */
  GArray *kinds;        /* of TtCallKind */
  GArray *calls;        /* of TtRankCall, by rank and begin */
  guint *first;         /* by rank and one more: into calls */
  guint32 *waiting;     /* indexes of the synchronizing calls, by rank and begin */
  guint *first_waiting; /* by rank and one more: into waiting */
  gint64 slack_ns;      /* what overlaps by as little less than nothing overlaps all the same: clocks are not exact */
  gboolean is_uneven;   /* ranks call a function a different number of times */
  gboolean is_crossing; /* calls of one rank overlap: threads of it call at the same time */
} TtRankCalls;

static inline TtRankCall *
tt_rank_call (const TtRankCalls *self, guint32 call)
{
  return &((TtRankCall *) (gpointer) self->calls->data)[call];
}

static inline TtCollectiveShape
tt_rank_call_shape (const TtRankCalls *self, const TtRankCall *call)
{
  const TtCallKind *kind = &g_array_index (self->kinds, TtCallKind, call->kind);

  return tt_collective_shape (g_ptr_array_index (self->functions, kind->function));
}

/* Calls of MPI whose communicator is not named, of functions that are judged. */
TtRankCalls *tt_rank_calls_new (TtStore *store, GError **error);
/* The same one by one, none of which is kept: into @self that tt_rank_calls_begin() gives, in the order of the store. Those of a kind
 * follow each other. */
typedef void (*TtRankCallFunc) (TtRankCalls *self, const TtRankCall *call, gpointer data);
TtRankCalls *tt_rank_calls_begin (TtStore *store, GError **error);
gboolean tt_rank_calls_each (TtRankCalls *self, TtStore *store, TtRankCallFunc func, gpointer data, GError **error);
void tt_rank_calls_free (TtRankCalls *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRankCalls, tt_rank_calls_free)

/* Forgets the calls of kinds that are @is_out. FALSE: none are left. */
gboolean tt_rank_calls_take_out (TtRankCalls *self, const guint8 *is_out);
/* The other ends: FALSE without effect if no call has one. */
gboolean tt_rank_calls_read_syncs (TtRankCalls *self, TtStore *store, GError **error);
gboolean tt_rank_calls_read_bytes (TtRankCalls *self, TtStore *store, GError **error);
