/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSegments: which span is the innermost of its thread at each moment, as segments of one class of work.
 *
 * Spans come in a reverse scan (TT_SCAN_REVERSE); segments of a thread come out latest first, neighbours of one class
 * and step as one, unless one of them is left out. Memory: the open spans and a segment a thread.
 */
#pragma once

#include "analyzers/work-class.h"
#include "src/store/scan.h"

typedef struct
{
  gint64 begin_ns, end_ns;
  guint32 thread;
  gint32 step;
  TtWorkClass work;
  gboolean is_left_out; /* by who looks at it: it is the time of no other span for that */
} TtSegment;

typedef void (*TtSegmentFunc) (const TtSegment *segment, gpointer data);

typedef struct _TtSegments TtSegments;

TtSegments *tt_segments_new (guint32 max_thread, TtSegmentFunc func, gpointer data);
void tt_segments_free (TtSegments *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSegments, tt_segments_free)

/* TT_WORK_NONE: the span does not count, its time is that of the span around it. */
gboolean
tt_segments_add (TtSegments *self, const TtEvent *event, TtWorkClass work, gboolean is_left_out, GError **error);
/* Nobody knows what was done in it: its time is of no work, not that of the span around it either. */
gboolean tt_segments_add_unknown (TtSegments *self, const TtEvent *event, GError **error);
/* After the last span. */
void tt_segments_finish (TtSegments *self);
