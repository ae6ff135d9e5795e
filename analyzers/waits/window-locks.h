/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for locks of windows (MPI_Win_lock), from OTF2's records of when a rank asked for one, had it and let it go: Scalasca's
 * lock contention. From the begin of the call in which the lock was had, until the last who held it so that both could not
 * let it go; of shared locks that is who held it alone. A target that makes no progress is told by no record.
 *
 * One scan of the events with arguments, only where there are such records. Memory: 56 bytes a record.
 */
#pragma once

#include "analyzers/waits/waits.h"

/* Appends to @waits, and to @syncs, if not NULL. FALSE with @error. */
gboolean
tt_window_lock_waits_find (TtStore *store, const TtSelection *selection, TtSyncs *syncs, GArray *waits, GError **error);
