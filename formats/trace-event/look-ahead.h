/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a trace-event file needs sorting: read once ahead, before its events are read in earnest.
 */
#pragma once

#include <glib.h>

/* TRUE only if all that happens in the file are complete spans (besides metadata and counters), and on each thread they
 * come in begin order (ts, then longest first). Stops at the first event that shows otherwise, so that only files in
 * order are read twice. FALSE also for what cannot be read twice fast: standard input, compressed files. */
gboolean tt_trace_event_is_in_order (const char *path);
