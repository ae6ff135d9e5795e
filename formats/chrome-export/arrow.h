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
/* Arrows go forward in time; moves the ends within their spans if the clocks say otherwise. FALSE: no arrow. */
gboolean tt_chrome_bind_arrow (const ChromeSpan *send, const ChromeSpan *recv, gint64 *send_ns, gint64 *recv_ns);
/* Adds the record of a side: @message with its time, its order (from @depth and the thread) and the end of its span. */
typedef struct
{
  const ChromeSpan *span;
  gint64 ts_ns;
  guint32 depth, thread;
} ChromeSide;

void tt_chrome_add_side (TtChrome *self, const ChromeMessage *message, const ChromeSide *side);
