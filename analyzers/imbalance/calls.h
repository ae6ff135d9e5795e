/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of collectives by two or more ranks: when each rank arrived, and what the early ones paid.
 *
 * A rank arrives with the begin of its part (its kernel, where it works on a device; of several spans of one rank the
 * earliest begin and the latest end). What it pays is the time from there to the arrival of the one that it waits for, at
 * most to its own end. Everybody waits for the last, but for functions with a root, as Scalasca has it: what comes from a
 * root, the others wait for the root (late broadcast); what goes to it, the root waits for the last of the others (early
 * reduce). A root that the trace does not tell is what the times allow: of what comes from it the last to come before
 * anybody left, of what goes to it the last to leave.
 * The parts of a call are those with one ordinal in the store, those that the source gives one number, or for most sources the
 * k-th of a function and communicator on each rank. Calls of which it is not known who takes part are none of these: they are counted.
 */
#pragma once

#include "analyzers/communication/collective-shape.h"
#include "src/base/int128.h"
#include "src/select/selection.h"
#include "src/store/rows.h"

#define TT_CALL_NOBODY G_MAXUINT

typedef struct
{
  guint32 process; /* that leads the rank */
  guint32 thread;  /* of the span that begins first */
  guint64 event;   /* that span */
  gint64 begin_ns, end_ns;
  gint64 shared_ns; /* of what it pays: that it pays in another call at the same time */
  guint32 name;     /* of the span; TT_NO_ID: as TtCollective has it */
} TtArrival;

typedef struct
{
  const char *function;
  gint64 comm;
  const TtArrival *ranks;
  guint n; /* at least 2 */
  TtCollectiveShape shape;
  guint root;      /* index of it; TT_CALL_NOBODY: there is none */
  guint told_root; /* as the trace tells, of calls that return at once, too; TT_CALL_NOBODY: it does not */
  guint last;      /* index of the rank that arrives last; of several the first in the order of ranks */
  guint late;      /* index of the rank that others wait for; TT_CALL_NOBODY: nobody waits */
  gint64 first_ns, last_ns;
  gboolean is_blocking; /* no rank can leave before all have come */
  /* A rank is done before the last arrives, though nobody can be in such a function: the clocks of the ranks differ, or
   * these are not parts of one call. */
  gboolean is_impossible;
  gboolean is_inferred; /* who takes part: from times, for the source does not say */
  gboolean is_mended;   /* the begin or end of a part was lost */
} TtCall;

static inline gint64
tt_call_paid_ns (const TtCall *self, guint rank)
{
  if (self->late == TT_CALL_NOBODY || (self->shape == TT_COLLECTIVE_TO && rank != self->root))
    return 0;
  gint64 until_ns = MIN (self->ranks[self->late].begin_ns, self->ranks[rank].end_ns);
  return MAX (until_ns - self->ranks[rank].begin_ns - self->ranks[rank].shared_ns, 0);
}

/* @call is valid while it runs. FALSE: no more. */
typedef gboolean (*TtCallFunc) (const TtCall *call, gpointer data);

typedef struct
{
  guint64 n_alone;     /* chosen calls of one rank only */
  guint64 n_undecided; /* chosen parts of calls of which it is not known who takes part */
} TtCallCounts;

/* By function, communicator and ordinal. @selection: bound, or NULL; a call is chosen if one of its spans is. @counts: NULL:
 * nobody asks. */
gboolean tt_each_call (TtStore *store,
                       const TtSelection *selection,
                       TtCallFunc func,
                       gpointer data,
                       TtCallCounts *counts,
                       GError **error);
/* Those whose parts are @rows, of tt_store_collective_share(). */
gboolean tt_each_call_of (TtStore *store,
                          const TtRowRange *rows,
                          const TtSelection *selection,
                          TtCallFunc func,
                          gpointer data,
                          TtCallCounts *counts,
                          GError **error);
/* Likewise, with those of a training job, of which the store has no calls (job-calls.h), and what a thread pays in several
 * of them at once counts in one (shared-time.h). */
gboolean tt_each_call_of_run (TtStore *store,
                              const TtSelection *selection,
                              TtCallFunc func,
                              gpointer data,
                              TtCallCounts *counts,
                              GError **error);
