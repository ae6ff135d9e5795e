/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitCuts: segments of threads, cut where the thread waits for another rank (waits.h). Those pieces are TT_WORK_WAIT.
 *
 * Only communication, synchronisation and calls of a runtime are cut: what computes inside such a call goes on. A wait
 * for another thread of the same rank stays what its span is.
 */
#pragma once

#include "analyzers/breakdown/segments.h"
#include "src/store/store.h"

typedef struct _TtWaitCuts TtWaitCuts;

/* @waits: of TtWait, by (thread, begin, end), without overlap on a thread. */
TtWaitCuts *tt_wait_cuts_new (TtStore *store, const GArray *waits);
void tt_wait_cuts_free (TtWaitCuts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaitCuts, tt_wait_cuts_free)

/* Segments of a thread come latest first, as from TtSegments; so do the pieces, each given to @func. */
void tt_wait_cuts_take (TtWaitCuts *self, const TtSegment *segment, TtSegmentFunc func, gpointer data);
