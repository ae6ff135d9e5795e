/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What spans tell of calls that the calls' own rows do not.
 *
 * TAU's barrier of its own at the begin of a collective ("MPI Collective Sync"): nobody leaves it before all have come to
 * theirs, whatever the call is. Where a collective that returned at once (MPI_Iallreduce) was completed: at the latest by
 * the last call that completes or asks, before the thread begins the next; not of threads that begin anything else.
 * MPI_Ssend, which does not return before the receive has begun.
 *
 * Memory: 24 bytes a barrier, 16 a part that was completed, 24 a send. A fresh import notes barriers while they go by; for
 * the others, and of other runs, the events are read if there are such names.
 */
#pragma once

#include "src/store/store.h"
#include "src/trace/batch.h"

typedef struct _TtClockSpans TtClockSpans;

/* For the pass: see analyzers/pass.h. */
gpointer tt_clock_spans_prepare (void);
void tt_clock_spans_observe (const TtBatch *batch, gpointer prepared);
void tt_clock_spans_release (gpointer prepared);

/* @prepared: NULL, nobody observed. */
TtClockSpans *tt_clock_spans_new (TtStore *store, gpointer prepared, GError **error);
void tt_clock_spans_free (TtClockSpans *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtClockSpans, tt_clock_spans_free)

/* TAU's barrier within that call of a thread. */
gboolean tt_clock_spans_find_barrier (const TtClockSpans *self, guint32 thread, gint64 *begin_ns, gint64 *end_ns);
/* The call that completed one that returned at once. */
typedef struct
{
  guint64 event;           /* that returned at once */
  gint64 begin_ns, end_ns; /* begin: TT_NO_TIME: not known */
} TtClockCompletion;

/* NULL: not known. */
const TtClockCompletion *tt_clock_spans_find_completion (const TtClockSpans *self, guint64 event);
/* Likewise the first call that completes anything before the thread begins anything else: mostly that, which proves nothing. */
const TtClockCompletion *tt_clock_spans_find_likely (const TtClockSpans *self, guint64 event);

/* MPI_Ssend. */
typedef struct
{
  guint64 event;
  gint64 begin_ns, end_ns;
} TtClockSend;

/* NULL: @event is none. */
const TtClockSend *tt_clock_spans_find_send (const TtClockSpans *self, guint64 event);
gboolean tt_clock_spans_has_sends (const TtClockSpans *self);
/* Whether spans of this name are MPI_Recv. */
gboolean tt_clock_spans_is_receive (const TtClockSpans *self, guint32 name);
