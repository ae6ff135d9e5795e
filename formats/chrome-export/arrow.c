/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/arrow.h"

#include "src/trace/span.h"

#define MESSAGES_BYTES ((gsize) 12 << 20)

gboolean
tt_chrome_span_matches (const TtChrome *self, const ChromeSpan *span, guint32 thread, gint64 ts_ns)
{
  if (ts_ns == TT_NO_TIME || self->options->selection == NULL)
    return TRUE;
  if (!tt_chrome_has_span (span))
    return tt_selection_matches_point (self->options->selection, thread, ts_ns);

  TtEvent event = {
    .id = span->event,
    .thread = thread,
    .name = span->name,
    .depth = span->depth,
    .flags = span->flags,
    .step = span->step,
    .ts_ns = span->ts_ns,
    .dur_ns = span->dur_ns,
    .self_ns = span->self_ns,
  };
  return tt_selection_matches (self->options->selection, &event);
}

/* A viewer binds an arrow to the span that is open at its time: not at its very end. */
static gint64
clamp_into (const ChromeSpan *span, gint64 ts_ns)
{
  gint64 end_ns = tt_span_end (span->ts_ns, span->dur_ns);

  return CLAMP (ts_ns, span->ts_ns, MAX (span->ts_ns, end_ns - 1));
}

gboolean
tt_chrome_bind_arrow (const ChromeSpan *send, const ChromeSpan *recv, gint64 *send_ns, gint64 *recv_ns)
{
  if (!tt_chrome_has_span (send) || !tt_chrome_has_span (recv))
    return FALSE;

  gint64 begin_ns = clamp_into (send, *send_ns), end_ns = clamp_into (recv, *recv_ns);
  if (end_ns < begin_ns)
    end_ns = clamp_into (recv, begin_ns);
  if (end_ns < begin_ns)
    begin_ns = clamp_into (send, end_ns);
  if (end_ns < begin_ns)
    return FALSE;
  *send_ns = begin_ns;
  *recv_ns = end_ns;
  return TRUE;
}

void
tt_chrome_add_side (TtChrome *self, const ChromeMessage *message, const ChromeSide *side)
{
  if (self->messages == NULL)
    self->messages = tt_sorter_new (sizeof (ChromeMessage), MESSAGES_BYTES);
  ChromeMessage *record = tt_sorter_add (self->messages);

  *record = *message;
  record->end_ns = tt_chrome_has_span (side->span) ? tt_span_end (side->span->ts_ns, side->span->dur_ns) : TT_NO_TIME;
  record->ts = tt_sort_key (side->ts_ns);
  record->order = (guint64) side->depth << 32 | side->thread;
}
