/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits in calls of collectives: see waits.h. Those of which it is not known who waits for whom are counted and not
 * judged.
 *
 * A call that returns at once (MPI_Iallreduce) is waited for where it is completed. Traces do not tell where: it is the
 * first call of the thread that completes something, receives nothing, and ends after all had begun theirs (inferred).
 *
 * Memory: 68 bytes a wait, 64 for each part of a call that returns at once.
 */
#pragma once

#include "analyzers/waits/deal.h"
#include "analyzers/waits/polls.h"
#include "analyzers/waits/syncs.h"
#include "analyzers/waits/wait-window.h"
#include "analyzers/waits/waits.h"

typedef struct _TtCollectiveWaits TtCollectiveWaits;

/* @rows: that are read, whole calls. @syncs: gets when threads were in a call together; NULL: nobody asks. */
TtCollectiveWaits *tt_collective_waits_new (TtStore *store,
                                            const TtRowRange *rows,
                                            const TtWaitWindow *window,
                                            TtWaitCounts *counts,
                                            TtSyncs *syncs,
                                            const TtWaitHearer *hearer,
                                            GError **error);
void tt_collective_waits_free (TtCollectiveWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCollectiveWaits, tt_collective_waits_free)

/* By several ranks: hands out what was read to those who have the spans that wait. */
void tt_collective_waits_deal (TtCollectiveWaits *self, const TtWaitDeal *deal, GByteArray **bytes);
gboolean tt_collective_waits_add (TtCollectiveWaits *self, TtUnpack *from);
/* Before the first span. */
void tt_collective_waits_begin (TtCollectiveWaits *self);
/* As tt_message_waits_next(). */
guint64 tt_collective_waits_next (const TtCollectiveWaits *self);
/* Takes the next span, in the order of ids: @span, as TtPolls has it. @receives: a message. TRUE: it completes a call that had
 * returned at once. */
gboolean tt_collective_waits_take (TtCollectiveWaits *self,
                                   TtCallClass call_class,
                                   const TtEvent *event,
                                   const TtWaitSpan *span,
                                   gboolean receives);
/* Whether waits in the window are found by a scan that reads no more than touches it. */
gboolean tt_collective_waits_can_narrow (const TtCollectiveWaits *self);
/* After such a scan: reads what lies outside it. @is_all: all spans are chosen. FALSE: it is not enough. */
gboolean tt_collective_waits_read_rest (TtCollectiveWaits *self, TtStore *store, gboolean is_all);
/* Appends to @waits, of TtWait. */
void tt_collective_waits_find (TtCollectiveWaits *self, GArray *waits);
