/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two sides of a message or flow: which are shown, where they lie, their records.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

static inline gboolean
tt_chrome_has_span (const ChromeSpan *span)
{
  return span->dur_ns != TT_NO_TIME;
}

/* Whether the selection shows a side at @ts_ns. TT_NO_TIME: there is no such side. */
gboolean tt_chrome_span_matches (const TtChrome *self, const ChromeSpan *span, guint32 thread, gint64 ts_ns);
/* One end of an arrow: where and when, and the span that it belongs to. */
typedef struct
{
  const ChromeSpan *span;
  gint64 ts_ns;
  guint32 thread;
  gint64 moved_ns; /* 0; set when it is moved */
} ChromeEnd;

/* Adds both ends, which have @facts in common. Arrows go forward in time: if the clocks say otherwise the ends are moved
 * within their spans. FALSE: that is not enough, there is no arrow. */
gboolean tt_chrome_add_arrow (TtChrome *self, const ChromeMessage *facts, ChromeEnd from, ChromeEnd to);
/* Adds a side without an arrow. */
void tt_chrome_add_half (TtChrome *self, const ChromeMessage *facts, ChromeEnd at);
