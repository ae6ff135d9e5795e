/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows that events become, kind by kind: for dialects that treat some kinds in their own way.
 */
#pragma once

#include "formats/trace-event/import.h"

/* Whether events of kind @ph become rows of `event`. */
gboolean tt_trace_event_is_row (char ph);

/* Each number of the arguments is a value of a series. @at: thread and time. @with_id: an id of the counter is part of
 * the series' name. */
void tt_trace_event_add_counter (TtTraceEventImport *self,
                                 const TtTraceEvent *event,
                                 const TtTraceRecord *at,
                                 gboolean with_id);

/* Half a message as our exports write it, with the object @args. FALSE: it is none. */
gboolean tt_trace_event_add_message (TtTraceEventImport *self,
                                     const TtTraceEvent *event,
                                     TtSlice args,
                                     const TtTraceRecord *at,
                                     gint64 moved_ns);

/* Labels, order and everything else of an M event. */
void tt_trace_event_add_metadata (TtTraceEventImport *self, const TtTraceEvent *event);
/* A fact about the whole file, kept as metadata of its first process. Can be the `header` of a dialect; @unused: its
 * state. */
void
tt_trace_event_add_header (TtTraceEventImport *self, const TtJsonValue *key, const TtJsonValue *value, gpointer unused);
void tt_trace_event_add_fact (TtTraceEventImport *self, const char *key, const char *value);
