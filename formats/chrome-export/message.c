/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/message.h"

#include "formats/chrome-export/arrow.h"
#include "formats/chrome-export/collect.h"
#include "src/trace/span.h"

static gboolean
is_wanted (const TtChrome *self, const TtMessage *message, const ChromeSpan *send, const ChromeSpan *recv)
{
  if (self->language->only_spans || self->options->selection == NULL)
    return !self->language->only_spans;
  return tt_chrome_span_matches (self, send, message->src_thread, message->send_ns) &&
         tt_chrome_span_matches (self, recv, message->dst_thread, message->recv_ns);
}

/* A side that lies outside its span, as one-sided transfers have it, is shown at its time. */
static const ChromeSpan *
span_around (const ChromeSpan *span, gint64 ts_ns)
{
  static const ChromeSpan no_span = CHROME_NO_SPAN;

  return tt_chrome_has_span (span) && (ts_ns < span->ts_ns || ts_ns > tt_span_end (span->ts_ns, span->dur_ns)) ? &no_span
                                                                                                              : span;
}

void
tt_chrome_message (TtChrome *self, const TtMessage *message, guint64 number, const ChromeSpan *send,
                   const ChromeSpan *recv)
{
  ChromeEnd from = { span_around (send, message->send_ns), message->send_ns, message->src_thread };
  ChromeEnd to = { span_around (recv, message->recv_ns), message->recv_ns, message->dst_thread };
  gboolean is_pair = from.ts_ns != TT_NO_TIME && to.ts_ns != TT_NO_TIME;

  if (from.ts_ns != TT_NO_TIME)
    tt_chrome_see_time (self, from.thread, from.ts_ns);
  if (to.ts_ns != TT_NO_TIME)
    tt_chrome_see_time (self, to.thread, to.ts_ns);
  if (!is_wanted (self, message, send, recv))
    return;

  ChromeMessage side = {
    .arrow = 2 * number,
    .tag = message->tag,
    .comm = message->comm,
    .ordinal = message->ordinal,
    .bytes = message->bytes,
    .send_dur_ns = send->dur_ns,
    .recv_dur_ns = recv->dur_ns,
    .send_depth = send->depth,
    .recv_depth = recv->depth,
    .src_process = message->src_process,
    .dst_process = message->dst_process,
    .src_thread = message->src_thread,
    .dst_thread = message->dst_thread,
    .marks = is_pair ? CHROME_IS_PAIR : 0,
  };

  if (is_pair && tt_chrome_add_arrow (self, &side, from, to))
    return;
  if (from.ts_ns != TT_NO_TIME)
    tt_chrome_add_half (self, &side, from);
  side.marks |= CHROME_IS_RECV;
  if (to.ts_ns != TT_NO_TIME)
    tt_chrome_add_half (self, &side, to);
}
