/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaits: where threads of a run wait for others, by the patterns that Scalasca publishes, and those of threads and devices.
 *
 *   late sender     from the begin of the span that receives to the begin of the span that sends, at most to the end of
 *                   the first; of several messages of one span the last to be sent counts. Where the thread waited in
 *                   a probe, or asked again and again (polls.h), there.
 *   wrong order     the same, while a message that the thread receives from the same in a later span had been sent before
 *   late receiver   from the begin of the span that sends to the begin of the one that receives, where the first lasted
 *                   until then, which a send that does not wait would not; not of calls that
 *                   return at once, MPI_Isend and its like, nor of MPI_Bsend
 *   wait at barrier, wait at NxN   from the own begin to that of the last, at most to the own end; of calls that return at
 *                   once, in the call that completes them
 *   late broadcast  from the own begin to that of the root
 *   early reduce    of the root: from its begin to that of the last of the others
 *   wait in sync    in a call with a root, where it makes nobody wait by itself, but the trace shows a barrier inside
 *                   (TAU's `MPI Collective Sync`): to the begin of the last
 *   wait at finalize   in MPI_Finalize, to the begin of the last, where no rank left before (inferred)
 *   wait for thread in a join, until a thread of the process ended: the last that did before the join ended (inferred)
 *   wait for lock   until another thread of the process unlocked it, where arguments tell which it is; else one of its kind,
 *                   or where no such calls are traced, ended a span: the last that did before the lock was had (inferred);
 *                   of a window (MPI_Win_lock) until another rank let it go, where OTF2 tells (window-locks.h)
 *   wait at thread barrier   to the begin of the last thread of the process; of one barrier are those that nobody leaves
 *                   before all have come (inferred)
 *   host waits for device, device waits for host, device waits for device   as devices/waits.h says: to the end of the
 *                   work; from the end of the work before on the stream to the launch; to the end of what an event stood for
 *
 * A root that the trace does not tell is what the times allow (inferred): of a broadcast the last to come before
 * anybody left; of a reduction the last to leave. Of calls that return at once (MPI_Ibcast) it must be told.
 */
#pragma once

#include "analyzers/waits/hearer.h"
#include "analyzers/waits/syncs.h"
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
  TT_WAIT_SYNC_REGION,
  TT_WAIT_FINALIZE,
  TT_WAIT_THREAD,
  TT_WAIT_LOCK,
  TT_WAIT_THREAD_BARRIER,
  TT_WAIT_HOST_FOR_DEVICE,
  TT_WAIT_DEVICE_FOR_HOST,
  TT_WAIT_DEVICE_FOR_DEVICE,
  TT_N_WAIT_KINDS,
} TtWaitKind;

const char *tt_wait_kind_text (TtWaitKind kind);

typedef struct
{
  guint32 thread, kind;
  guint64 event; /* the span in which it waits */
  gint64 begin_ns, end_ns;
  gint64 from_ns;        /* the moment on the other side that ended it */
  gint64 left_ns, at_ns; /* when that left the other side, and reached the thread: of a message sent and received */
  guint64 from_event;    /* 0: not known */
  guint32 from_thread;
  guint32 name, from_name; /* of the spans; from_name TT_NO_ID: not known */
  gboolean is_inferred;
} TtWait;

/* What could not be judged. */
typedef struct
{
  guint64 n_halves;    /* messages without partner or without spans */
  guint64 n_backward;  /* received before they were sent */
  guint64 n_alone;     /* calls of collectives by one rank */
  guint64 n_unjudged;  /* calls of which it is not known who waits for whom */
  guint64 n_undecided; /* calls of collectives of which it is not known who takes part */
  guint64 n_locks;     /* waits for one of several locks of which it is not known which */
  guint64 n_early;     /* parts of calls that ended before the last came, though nobody can: the wait ends there */
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
/* The same; @syncs, if not NULL, gets when threads synchronised; @hearer, if not NULL, what is read on the way. */
TtWaits *tt_waits_find (TtStore *store,
                        const TtSelection *selection,
                        TtSyncs *syncs,
                        const TtWaitHearer *hearer,
                        GError **error);
/* What is found of all spans of the selected runs, once for several who ask. Both are NULL at first. */
typedef struct
{
  TtWaits *waits;
  TtSyncs *syncs;
} TtAllWaits;

/* Finds them, again where they were found. */
gboolean tt_all_waits_find (TtAllWaits *self, TtStore *store, const TtWaitHearer *hearer, GError **error);
void tt_all_waits_clear (TtAllWaits *self);

/* Those of all spans, clipped to a time. Without n_ranks and time_ns. */
TtWaits *tt_waits_between (TtStore *store, gint64 first_ns, gint64 last_ns, const TtWaitHearer *hearer, GError **error);
/* Of waits that were found otherwise; takes @waits, of TtWait in any order, over. */
TtWaits *tt_waits_of (TtStore *store, const TtSelection *selection, GArray *waits, GError **error);
/* Of waits those of ranks for other ranks. */
typedef struct
{
  guint64 n;
  double ns;
} TtRankWaits;

TtRankWaits tt_waits_of_ranks (TtStore *store, const TtWaits *waits);
void tt_waits_free (TtWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaits, tt_waits_free)
