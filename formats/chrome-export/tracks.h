/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks: the lines of a viewer on which a thread is shown. One is enough mostly; the further ones have the same name.
 *
 * What viewers demand of a line, learnt from Perfetto's trace processor (slice_tracker.cc) and Catapult's importer:
 *  - its spans nest or are disjoint: where a clock stepped back they may overlap, and the later one goes to a further
 *    line;
 *  - nothing lies deeper than 512 (Perfetto drops it): deeper spans begin anew on a further line;
 *  - events without length of one time stack up like spans: a few do so on the thread's own line, the rest elsewhere.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* Where a span of @thread from @ts_ns to @end_ns nests; opens it there. NULL: nowhere. */
const ChromeTrack *tt_chrome_track_for (TtChrome *self, guint32 thread, gint64 ts_ns, gint64 end_ns, guint32 depth);
/* Where @thread has room for an event without length. */
const ChromeTrack *tt_chrome_track_for_point (TtChrome *self, guint32 thread, gint64 ts_ns);
/* The same, on the line on which the span of @side is open if possible. */
const ChromeTrack *tt_chrome_track_for_anchor (TtChrome *self, const ChromeMessage *side);
/* The line on which the span of @side was the last thing to begin, so that viewers tie an arrow to it; NULL: none. */
const ChromeTrack *tt_chrome_track_topped_by (TtChrome *self, const ChromeMessage *side);
/* Whether the span of @side, which is what began last on @track, begins where another ends, and @side with it: Catapult
 * takes the other one for the innermost span at that time. */
gboolean tt_chrome_track_is_ambiguous (const ChromeTrack *track, const ChromeMessage *side);
void tt_chrome_close_tracks (TtChrome *self);

/* Spans that are open on a line: below the 512 of Perfetto, with room for events without length. */
#define CHROME_MAX_OPEN 400u

/* tt_chrome_track_for() where it is the thread's own line, all that is open there is above the span, and it has a length: so
 * nearly always. FALSE: nothing is done. What is open ends later the farther out it is, so one look tells what has ended. */
static inline gboolean
tt_chrome_track_opens (ChromeTrack *track, gint64 ts_ns, gint64 end_ns, guint32 depth)
{
  gint64 *ends = track->ends;

  if (G_UNLIKELY (depth > track->n || depth >= MIN (track->allocated, CHROME_MAX_OPEN)))
    return FALSE;
  /* Without a branch for each, as depths follow one another in no order. There is room for ends[depth], but where nothing is
   * open it says nothing. */
  const guint is_open = track->n > depth, is_inside = depth != 0;
  const guint overlaps = is_open & (ends[depth] > ts_ns), sticks_out = is_inside & (ends[depth - is_inside] < end_ns);
  if (G_UNLIKELY ((overlaps | sticks_out | (end_ns <= ts_ns)) != 0))
    return FALSE;
  track->top_touches = is_open & (ends[depth] == ts_ns);
  track->has_top = (track->n_points == 0) | (track->point_ns != ts_ns);
  track->top_ns = ts_ns;
  track->top_end_ns = end_ns;
  track->top_depth = depth;
  ends[depth] = end_ns;
  track->n = depth + 1;
  return TRUE;
}
