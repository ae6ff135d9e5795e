/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEventParts: parts of a file of trace events, read by several threads.
 *
 * One thread, the caller's, cuts the file where an event seems to begin; others read a part each into its batch; the caller gets them back
 * in the order of the file. A part whose events are not as plain as those before, or that turns out to end within an event, is not whole: the caller puts it
 * back, with all that follow, and reads on alone. So what is read does not depend on who reads.
 */
#pragma once

#include "formats/trace-event/event-batch.h"
#include "formats/trace-event/event-numbers.h"

typedef struct _TtEventParts TtEventParts;

/* @json reads the file, and is borrowed; @path, for errors, too. NULL: no thread can be had. */
TtEventParts *tt_event_parts_new (TtJson *json, const char *path, guint n_threads);
/* Those that have not been taken are lost. */
void tt_event_parts_free (TtEventParts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEventParts, tt_event_parts_free)

/* Cuts off a part of at most @most bytes, no more than TT_BATCH_BYTES, into @batch, which is empty, and has it read. FALSE: there is none;
 * nothing has happened. Only where tt_json_is_between_records(). */
gboolean tt_event_parts_cut (TtEventParts *self, TtEventBatch *batch, gsize most);
/* The number of parts that were cut off and not taken; whether the first of them has been read. */
guint tt_event_parts_n (const TtEventParts *self);
gboolean tt_event_parts_is_ready (TtEventParts *self);
/* The first of them, once it has been read; NULL: there is none. Events have numbers of the thread that has read them. */
TtEventBatch *tt_event_parts_take (TtEventParts *self);
/* Gives @event of a part, which @reader has read, its numbers in @numbers. */
void tt_event_parts_number (TtEventParts *self, guint reader, TtEventNumbers *numbers, TtTraceEvent *event);
