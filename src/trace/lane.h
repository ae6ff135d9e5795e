/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLane: which of a thread's spans were nested with each other, as a reverse scan tells it.
 *
 * Ids of events are in the order of ends. A scan from the last to the first therefore finds the spans of a thread with falling ends, as
 * long as they were nested together: those of one source, or of one location of an archive, which may have several for a thread
 * (formats/otf2-export/lanes.h). Another source, or an end that is later than the one before, begins another lane: what is open there
 * has nothing to do with what follows.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint32 source; /* 0: nothing yet */
  gint64 end_ns;
} TtLane;

/* Takes the next span on a stack. TRUE: it begins another lane. */
static inline gboolean
tt_lane_begins (TtLane *self, guint32 source, gint64 end_ns)
{
  gboolean begins = self->source != source || end_ns > self->end_ns;

  self->source = source;
  self->end_ns = end_ns;
  return begins;
}
