/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The member `samples` of a trace-event file: what a sampling profiler saw, apart from the events.
 */
#pragma once

#include "formats/trace-event/import.h"

/* After the events: reads all samples of the file into instants of the thread with their tid, with "cpu", "weight" and
 * "stack" as arguments. A tid that no event had is a process and a thread of its own, as Catapult has them in a file
 * without events. FALSE: @error. */
gboolean tt_trace_event_add_samples (TtTraceEventImport *self, GError **error);