/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one host thread of a PI recording had to wait for of another, as sync points for the measured path. From the
 * flows that are certain (docs/formats.md):
 *
 *   thread  A thread's first call: its creator goes on from there back in time.
 *   create  A call uses an object that another thread made. It held the call up if the making ended after the thread's
 *           call before had ended (inferred: what the thread did meanwhile is not recorded).
 *   finish  A piQueueFinish and what another thread put into the queue. It held the wait up if it ended after the wait had
 *           begun, and before it ended (inferred: the wait may have gone by it).
 *
 * What was put into a queue earlier holds nothing up: the host waits for the device then, and the path stays in the
 * wait. Flows within a thread, of a queue and of references make no thread wait.
 *
 * Memory grows with these flows: some 50 bytes each.
 */
#pragma once

#include "analyzers/devices/roles.h"
#include "analyzers/path/measured-path.h"
#include "src/store/store.h"

typedef struct _TtCallWaits TtCallWaits;

/* @part: that of which they are wanted; NULL: all. NULL with @error. */
TtCallWaits *tt_call_waits_new (TtStore *store, const TtDevicePart *part, GError **error);
void tt_call_waits_free (TtCallWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCallWaits, tt_call_waits_free)

/* Of a part: whether calls waited for those of others. */
gboolean tt_call_waits_are_entangled (const TtCallWaits *self);
/* Takes the next event, in the order of ids; @before_ns: the last end on its thread before it, TT_NO_TIME:
 * there is none. Appends to @points, of TtSyncPoint. */
void tt_call_waits_take (TtCallWaits *self, const TtEvent *event, gint64 before_ns, GArray *points);
