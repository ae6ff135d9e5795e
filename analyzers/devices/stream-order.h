/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStreamOrder: the spans of each stream in the orders of their ends and of their launches, and what an event holds that is
 * recorded on a stream.
 *
 * Borrows the work, whose spans and waits it numbers.
 */
#pragma once

#include "analyzers/devices/work.h"

#define TT_STREAM_NO_SPAN G_MAXUINT

/* The spans of one stream: first to end of TtDeviceWork.spans, and of the other orders. */
typedef struct
{
  guint32 thread, source, process;
  guint first, end;
} TtStream;

typedef struct
{
  const TtDeviceWork *work;
  const TtDeviceSpan *spans;
  GArray *streams; /* of TtStream, by thread */
  guint *by_end, *by_launch;
  GArray *held;  /* of guint, spans: see tt_stream_order_hold() */
  GArray *taken; /* of guint, waits: likewise */
} TtStreamOrder;

void tt_stream_order_init (TtStreamOrder *self, const TtDeviceWork *work);
void tt_stream_order_clear (TtStreamOrder *self);

/* NULL: nothing ran there. */
const TtStream *tt_stream_order_find (const TtStreamOrder *self, guint32 thread);
/* The last span of @stream to end at or before @ns; TT_STREAM_NO_SPAN. */
guint tt_stream_order_ended (const TtStreamOrder *self, const TtStream *stream, gint64 ns);
/* The last one to be launched at or before @ns; the first at @ns or after. */
guint tt_stream_order_launched (const TtStreamOrder *self, const TtStream *stream, gint64 ns);
guint tt_stream_order_launched_from (const TtStreamOrder *self, const TtStream *stream, gint64 ns);
/* Waits of @thread that were called after @after and not after @until: the first, and until *end. */
guint tt_stream_order_waits (const TtStreamOrder *self, guint32 thread, gint64 after, gint64 until, guint *end);

/* When what @wait waits for was recorded. */
static inline gint64
tt_stream_wait_ns (const TtStreamWait *wait)
{
  return wait->recorded_ns != TT_NO_TIME ? wait->recorded_ns : wait->call_ns;
}

/* What an event holds that is recorded on @thread at @ns: fills held with what was launched last there, and with what the
 * waits are for that were called there since: an event of CUDA holds all that was put in a stream, waits too. */
void tt_stream_order_hold (TtStreamOrder *self, guint32 thread, gint64 ns);
