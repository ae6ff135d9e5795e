/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a trace-event file needs sorting: read once ahead, before its events are read in earnest.
 */
#pragma once

#include "src/base/room.h"

#include <glib.h>

#define TT_LOOK_AHEAD_BYTES ((gsize) TT_ROOM (1 << 20, 256))

/* TRUE only if the file needs none (span-order.h). Stops at the first event that shows otherwise, so that only files in
 * order are read twice. FALSE also for what cannot be read twice fast: standard input, compressed files. */
gboolean tt_trace_event_is_in_order (const char *path);
/* FALSE: the same is not true of the file's first events, or nobody knows. */
gboolean tt_trace_event_begins_in_order (const char *path);
