/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTraceEventReader: the events of a trace-event JSON file (Chrome, TensorFlow, PyTorch, MXNet, Horovod ...) one
 * by one, with their fields picked apart but not interpreted.
 *
 * Takes an array of events or an object with `traceEvents`, other members before or after. Slices are valid until the
 * next event.
 */
#pragma once

#include "formats/trace-event/event.h"
#include "src/trace/sink.h"

typedef struct _TtTraceEventReader TtTraceEventReader;

/* Members of the outer object other than traceEvents, as they come (before or after the events). Long ones
 * (over 1 MiB) come with an empty value. May be NULL. */
typedef void (*TtHeaderFunc) (const TtJsonValue *key, const TtJsonValue *value, gpointer data);

/* @sink: takes the repairs, and its check stops the reading; NULL: they are kept for tt_trace_event_reader_take_repairs().
 * @path "-" is standard input. */
TtTraceEventReader *tt_trace_event_reader_new (const char *path, TtSink *sink, gboolean strict, GError **error);
/* To look ahead: reads to the first event, however far it is, and only @max bytes from there; of standard input the
 * first @max bytes, which it keeps. Odd contents are not counted. */
TtTraceEventReader *tt_trace_event_reader_new_head (const char *path, gsize max, GError **error);
void tt_trace_event_reader_free (TtTraceEventReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTraceEventReader, tt_trace_event_reader_free)

void tt_trace_event_reader_on_header (TtTraceEventReader *self, TtHeaderFunc func, gpointer data);

/* The same, and tt_trace_event_reader_next() returns after each of them, with an event whose `ph` is 0. */
void tt_trace_event_reader_pause_at_headers (TtTraceEventReader *self, TtHeaderFunc func, gpointer data);

/* The next event into @event, which was zeroed at first; FALSE at the end or on *error. Elements that are no events ({} or without ph) are counted
 * and passed over. In strict mode the first repair is the error. */
gboolean tt_trace_event_reader_next (TtTraceEventReader *self, TtTraceEvent *event, GError **error);

/* The scanner, if events were read last, so that parts of the file may be cut off of it (parts.h); NULL: not here. */
TtJson *tt_trace_event_reader_between_events (TtTraceEventReader *self);

/* Before the first event: those that come have arg_places. */
void tt_trace_event_reader_index_args (TtTraceEventReader *self);

/* Whether an array `traceEvents` has been met. */
gboolean tt_trace_event_reader_is_trace (const TtTraceEventReader *self);
TtInput *tt_trace_event_reader_input (TtTraceEventReader *self);
/* Of a reader without a sink: the repairs since the last call. */
void tt_trace_event_reader_take_repairs (TtTraceEventReader *self, TtRepairs *repairs);
/* Bytes of the file on disk read since the last call. */
guint64 tt_trace_event_reader_progress (TtTraceEventReader *self);
