/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits in calls of collectives: see waits.h. Non-blocking ones, and those of which it is not known who waits for whom,
 * are counted and not judged.
 */
#pragma once

#include "analyzers/waits/waits.h"

/* Appends to @waits, of TtWait. The thread and the name of a wait are those of its span, and for the caller to fill, as
 * is the thread that it waits for: both are 0. */
gboolean tt_collective_waits_find (TtStore *store, GArray *waits, TtWaitCounts *counts, GError **error);
