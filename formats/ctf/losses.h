/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfLosses: where in its streams a trace lacks events that its tracer discarded.
 *
 * A hole lies between two events of a stream. Tracers count what they discard by packet, so the events of one loss may be
 * from the hole before the packet that counts them, or from that behind it: both are holes.
 */
#pragma once

#include "formats/ctf/reader.h"

typedef struct
{
  gint64 from_ns, until_ns;
  guint32 n; /* at most so many events; G_MAXUINT32: unknown */
} TtCtfHole;

/* All zero: nothing is lost. */
typedef struct
{
  GPtrArray *streams; /* of GArray of TtCtfHole, in order and apart; NULL: none */
  gboolean has_any;
  gint64 until_ns;   /* of the last one, in any stream */
  guint64 n_events;  /* that the counters tell */
  gboolean are_more; /* and some that nobody counted */
} TtCtfLosses;

void tt_ctf_losses_clear (TtCtfLosses *self);
void tt_ctf_losses_add (TtCtfLosses *self, const TtCtfLoss *loss);

/* Streams of a thread: a set of their numbers modulo 64. */
static inline guint64
tt_ctf_stream_bit (guint stream)
{
  return G_GUINT64_CONSTANT (1) << (stream & 63);
}

/* The holes of @streams after @after_ns and before @before_ns, as one: from the begin of the first to the end of the last,
 * within these times. FALSE: there are none. */
gboolean
tt_ctf_losses_between (const TtCtfLosses *self, guint64 streams, gint64 after_ns, gint64 before_ns, TtCtfHole *hole);
