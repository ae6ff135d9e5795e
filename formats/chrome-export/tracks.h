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
