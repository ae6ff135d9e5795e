/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who held a lock that a thread waited for: see waits.h.
 */
#pragma once

#include "analyzers/waits/polls.h"
#include "analyzers/waits/waits.h"

/* @locks: of TtWaitSpan, the calls that may have waited; sorted in place. Two scans of the events. Appends to @waits, and to
 * @syncs, if not NULL; sets n_locks of @counts. */
gboolean tt_lock_waits_find (TtStore *store,
                             GArray *locks,
                             TtCallClasses *classes,
                             TtSyncs *syncs,
                             GArray *waits,
                             TtWaitCounts *counts,
                             GError **error);
