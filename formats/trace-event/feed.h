/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTraceEventFeed: what a TtTraceEventReader finds, read ahead by a thread of its own, so that scanning a file and
 * understanding its events take a core each. Where there are more than two, others read parts of the file (parts.h).
 *
 * Events come in batches, which own copies of their bytes; what is delivered, and in which order, does not hang on
 * whether there is a thread: a short file has none, nor has strict mode, in which the first repair is the error.
 */
#pragma once

#include "formats/trace-event/reader.h"

typedef struct _TtTraceEventFeed TtTraceEventFeed;

/* @sink: takes the repairs, and its check stops the reading; it is used by the caller's thread alone. */
TtTraceEventFeed *tt_trace_event_feed_new (const char *path, TtSink *sink, gboolean strict, GError **error);
void tt_trace_event_feed_free (TtTraceEventFeed *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTraceEventFeed, tt_trace_event_feed_free)

/* Before the first event: @func is called by the caller's thread, between the events that a member stands between. */
void tt_trace_event_feed_on_header (TtTraceEventFeed *self, TtHeaderFunc func, gpointer data);

/* Before the first event: those that come have arg_places. Costs the reader little, and who walks over arguments much less. */
void tt_trace_event_feed_index_args (TtTraceEventFeed *self);

/* Before the first event: so many threads read parts of the file, if it is long; else as many as there are processors for, or as TRACETOOL_READERS says. */
void tt_trace_event_feed_use_readers (TtTraceEventFeed *self, guint n);

/* Before the first event, and not in strict mode: the reading ends with an error at the first event, or at the end, that
 * shows that the spans need sorting (span-order.h); tt_trace_event_feed_is_unordered() tells then. */
void tt_trace_event_feed_expect_order (TtTraceEventFeed *self);
gboolean tt_trace_event_feed_is_unordered (const TtTraceEventFeed *self);

/* The next event, valid until the next call; NULL at the end or on *error. Elements that are no events are counted and
 * passed over. */
const TtTraceEvent *tt_trace_event_feed_next (TtTraceEventFeed *self, GError **error);

/* How many parts of the file were read by threads beside the one that reads ahead. Once it has ended. */
guint64 tt_trace_event_feed_n_parts (const TtTraceEventFeed *self);

/* Of the file. Only after tt_trace_event_feed_next() has returned NULL, or before the first call. */
TtInput *tt_trace_event_feed_input (TtTraceEventFeed *self);
