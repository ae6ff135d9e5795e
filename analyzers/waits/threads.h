/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of threads of one process for each other, and of ranks in MPI_Finalize: see waits.h.
 *
 * Memory: 48 bytes for each call that may wait, 28 a thread. Where there are locks the events are read once more.
 */
#pragma once

#include "analyzers/waits/call-class.h"
#include "analyzers/waits/deal.h"
#include "analyzers/waits/polls.h"
#include "analyzers/waits/wait-window.h"
#include "analyzers/waits/waits.h"

typedef struct _TtThreadWaits TtThreadWaits;

TtThreadWaits *tt_thread_waits_new (TtStore *store);
void tt_thread_waits_free (TtThreadWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtThreadWaits, tt_thread_waits_free)

void tt_thread_waits_take (TtThreadWaits *self, TtCallClass call_class, const TtWaitSpan *span);
/* Whether a span of @thread was taken. */
gboolean tt_thread_waits_has (const TtThreadWaits *self, guint32 thread);
/* By several ranks, after the last span: those of a process go to one of them, which finds its waits. */
void tt_thread_waits_deal (TtThreadWaits *self, const TtWaitDeal *deal, GByteArray **bytes);
gboolean tt_thread_waits_add (TtThreadWaits *self, TtUnpack *from);
/* After a scan of @window alone: reads the barriers that could be parts of those in it. *@is_sure FALSE: waits in it depend on
 * more. @classes, @selection: as the scan had them. */
gboolean tt_thread_waits_read_rest (TtThreadWaits *self,
                                    const TtWaitWindow *window,
                                    TtCallClasses *classes,
                                    const TtSelection *selection,
                                    gboolean *is_sure,
                                    GError **error);
/* Appends to @waits, of TtWait, and to @syncs, if not NULL, when threads of a process synchronised. */
gboolean tt_thread_waits_find (TtThreadWaits *self,
                               TtCallClasses *classes,
                               TtSyncs *syncs,
                               GArray *waits,
                               TtWaitCounts *counts,
                               GError **error);
