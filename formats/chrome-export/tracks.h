/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks: spans of one tid must nest or be disjoint, or viewers drop them. Where a clock stepped back they may overlap:
 * the later one then goes to a further tid with the same thread_name.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* Track of @thread on which a span from @ts_ns to @end_ns nests; opens it there. */
const ChromeTrack *tt_chrome_track_for (TtChrome *self, guint32 thread, gint64 ts_ns, gint64 end_ns);
/* Track of @thread on which a span that ends at @end_ns is open. */
const ChromeTrack *tt_chrome_track_of (TtChrome *self, guint32 thread, gint64 end_ns);
void tt_chrome_close_tracks (TtChrome *self);
