/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a file holds trace events.
 */
#pragma once

#include "formats/format.h"

/* 0 for any other JSON, also for the files that lie beside traces. */
guint tt_trace_event_probe (const TtProbe *file);
/* For the formats of single dialects: 1 for any trace-event JSON, which leaves the file to the format "chrome". */
guint tt_trace_event_probe_forced (const TtProbe *file);
