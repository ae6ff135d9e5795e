/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaits: where threads of a run wait for others, by the patterns that Scalasca publishes.
 *
 *   late sender     from the begin of the span that receives to the begin of the span that sends, at most to the end of
 *                   the first; of several messages of one span the last to be sent counts
 *   wrong order     the same, while a message that the thread receives in a later span had been sent before
 *   late receiver   from the begin of the span that sends to the begin of the one that receives, where the first lasted
 *                   until then, which a send that does not wait would not; not of calls that
 *                   return at once, MPI_Isend and its like, nor of MPI_Bsend
 *   wait at barrier, wait at NxN   from the own begin to that of the last, at most to the own end
 *   late broadcast  from the own begin to that of the root
 *   early reduce    of the root: from its begin to that of the last of the others
 *
 * A root that the trace does not tell is what the times allow (inferred): of a broadcast the last to come before
 * anybody left; of a reduction the last to leave.
 */
#pragma once

#include "src/base/int128.h"
#include "src/select/selection.h"

typedef enum
{
  TT_WAIT_LATE_SENDER,
  TT_WAIT_WRONG_ORDER,
  TT_WAIT_LATE_RECEIVER,
  TT_WAIT_BARRIER,
  TT_WAIT_NXN,
  TT_WAIT_EARLY_REDUCE,
  TT_WAIT_LATE_BROADCAST,
  TT_N_WAIT_KINDS,
} TtWaitKind;

const char *tt_wait_kind_text (TtWaitKind kind);

typedef struct
{
  guint32 thread, kind;
  guint64 event; /* the span in which it waits */
  gint64 begin_ns, end_ns;
  gint64 from_ns; /* the moment on the other side that ended it */
  guint64 from_event;
  guint32 from_thread;
  guint32 name; /* of the span in which it waits */
  gboolean is_inferred;
} TtWait;

/* What could not be judged. */
typedef struct
{
  guint64 n_halves;   /* messages without partner or without spans */
  guint64 n_backward; /* received before they were sent */
  guint64 n_alone;    /* calls of collectives by one rank */
  guint64 n_unjudged; /* calls of which it is not known who waits for whom */
  guint64 n_early;    /* parts of calls that ended before the last came, though nobody can: the wait ends there */
} TtWaitCounts;

typedef struct
{
  GArray *waits; /* of TtWait by (thread, begin, end); those of one thread do not overlap */
  TtWaitCounts counts;
  guint n_ranks;      /* that have spans in the selection */
  tt_int128 time_ns;  /* of their threads, each from its first begin to its last end */
  tt_int128 waits_ns; /* sum of the waits */
} TtWaits;

/* @selection: bound, or NULL: of the span that waits; waits are clipped to its window. */
TtWaits *tt_waits_new (TtStore *store, const TtSelection *selection, GError **error);
void tt_waits_free (TtWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaits, tt_waits_free)
