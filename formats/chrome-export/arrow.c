/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/arrow.h"

#include "formats/chrome-export/part.h"
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

/* A viewer ties an arrow to the span that is open at its time: not at its very end. */
static gint64
clamp_into (const ChromeSpan *span, gint64 ts_ns)
{
  if (!tt_chrome_has_span (span))
    return ts_ns;
  gint64 end_ns = tt_span_end (span->ts_ns, span->dur_ns);

  return CLAMP (ts_ns, span->ts_ns, MAX (span->ts_ns, end_ns - 1));
}

static gboolean
move_forward (ChromeEnd *from, ChromeEnd *to)
{
  gint64 begin_ns = clamp_into (from->span, from->ts_ns), end_ns = clamp_into (to->span, to->ts_ns);

  if (end_ns < begin_ns)
    end_ns = clamp_into (to->span, begin_ns);
  if (end_ns < begin_ns)
    begin_ns = clamp_into (from->span, end_ns);
  from->moved_ns = tt_time_since (begin_ns, from->ts_ns);
  to->moved_ns = tt_time_since (end_ns, to->ts_ns);
  from->ts_ns = begin_ns;
  to->ts_ns = end_ns;
  return begin_ns <= end_ns;
}

static void
add_side (TtChrome *self, const ChromeMessage *side, const ChromeEnd *at, gint64 ts_ns, guint32 depth)
{
  if (self->part != NULL && !tt_chrome_part_wants (self->part, ts_ns))
    return;
  if (self->messages == NULL)
    self->messages = tt_sorter_new (sizeof (ChromeMessage), MESSAGES_BYTES);
  ChromeMessage *record = tt_sorter_add (self->messages);

  *record = *side;
  record->span_ns = record->end_ns = TT_NO_TIME;
  if (tt_chrome_has_span (at->span))
    {
      record->span_ns = at->span->ts_ns;
      record->end_ns = tt_span_end (at->span->ts_ns, at->span->dur_ns);
      record->span_depth = at->span->depth;
      record->span_event = at->span->event;
    }
  record->ts = tt_sort_key (ts_ns);
  record->order = (guint64) depth << 32 | at->thread;
}

/* Whether spans that begin together come in this order in the file. */
static gboolean
come_in_order (const ChromeEnd *from, const ChromeEnd *to)
{
  return from->span->depth != to->span->depth ? from->span->depth < to->span->depth : from->thread < to->thread;
}

/* Whether the end of an arrow cannot be tied to its span. Viewers turn an arrow round whose receiver began first. */
static gboolean
needs_anchor (const TtChrome *self, const ChromeEnd *from, const ChromeEnd *to, gboolean is_recv)
{
  const ChromeSpan *span = is_recv ? to->span : from->span;
  gboolean ties_to_spans = self->language->ties_to_spans;

  if (!tt_chrome_has_span (span) || (!ties_to_spans && (span->flags & TT_FLAG_ASYNC) != 0))
    return TRUE;
  if (!is_recv)
    return FALSE;
  if (!ties_to_spans)
    return span->ts_ns < from->ts_ns;
  if (!tt_chrome_has_span (from->span))
    return span->ts_ns <= from->ts_ns;
  return span->ts_ns < from->span->ts_ns || (span->ts_ns == from->span->ts_ns && !come_in_order (from, to));
}

static void
add_end (TtChrome *self, const ChromeMessage *facts, const ChromeEnd *from, const ChromeEnd *to, gboolean is_recv)
{
  const ChromeEnd *at = is_recv ? to : from;
  gboolean is_anchored = needs_anchor (self, from, to, is_recv);
  ChromeMessage side = *facts;

  side.kind = CHROME_ARROW;
  /* Where in its span a flow begins or ends is for viewers to choose. */
  side.moved_ns = facts->flow_kind != NULL ? 0 : at->moved_ns;
  side.marks |= (is_recv ? CHROME_IS_RECV : 0) | (is_anchored ? CHROME_IS_ANCHORED : 0);
  if (self->language->ties_to_spans && !is_anchored)
    add_side (self, &side, at, at->span->ts_ns, at->span->depth);
  else
    add_side (self, &side, at, at->ts_ns, is_recv ? CHROME_RECV_DEPTH : CHROME_SEND_DEPTH);
}

gboolean
tt_chrome_add_arrow (TtChrome *self, const ChromeMessage *facts, ChromeEnd from, ChromeEnd to)
{
  if (!move_forward (&from, &to))
    return FALSE;
  add_end (self, facts, &from, &to, FALSE);
  add_end (self, facts, &from, &to, TRUE);
  return TRUE;
}

void
tt_chrome_add_half (TtChrome *self, const ChromeMessage *facts, ChromeEnd at)
{
  ChromeMessage side = *facts;

  side.kind = CHROME_HALF;
  add_side (self, &side, &at, at.ts_ns, CHROME_HALF_DEPTH);
}
