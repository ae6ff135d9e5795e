/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What spans carry beside themselves: the clock of their thread (tts, tdur), a metric "cpu_time" in ns, and flows that
 * they name (bind_id with flow_in, flow_out: "Flow events v2" of the Trace Event Format).
 *
 * As Catapult reads them: a span with flow_out produces, one with flow_in consumes, one with both consumes, then
 * produces; each consumer is reached from the last producer of its bind_id before it in time.
 */
#pragma once

#include "formats/trace-event/import.h"

/* After an event that has some: counts it where the dialect has made no row that has a place for them. */
void tt_trace_event_end_extras (TtTraceEventImport *self, const TtTraceEvent *event);
/* @row: of a span, begin or end; its flags, key and tag change. */
void tt_trace_event_add_extras (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row);
