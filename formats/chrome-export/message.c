/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/message.h"

#include "formats/chrome-export/arrow.h"
#include "formats/chrome-export/collect.h"

/* -- collecting --------------------------------------------------------------------------------------- */

static gboolean
is_wanted (const TtChrome *self, const TtMessage *message, const ChromeSpan *send, const ChromeSpan *recv)
{
  if (self->is_template || self->options->selection == NULL)
    return !self->is_template;
  return tt_chrome_span_matches (self, send, message->src_thread, message->send_ns) &&
         tt_chrome_span_matches (self, recv, message->dst_thread, message->recv_ns);
}

void
tt_chrome_message (TtChrome *self, const TtMessage *message, const ChromeSpan *send, const ChromeSpan *recv)
{
  gint64 send_ns = message->send_ns, recv_ns = message->recv_ns;
  gboolean is_pair = send_ns != TT_NO_TIME && recv_ns != TT_NO_TIME;

  if (send_ns != TT_NO_TIME)
    tt_chrome_see_time (self, message->src_thread, send_ns);
  if (recv_ns != TT_NO_TIME)
    tt_chrome_see_time (self, message->dst_thread, recv_ns);
  if (!is_wanted (self, message, send, recv))
    return;

  gboolean is_arrow = is_pair && tt_chrome_bind_arrow (send, recv, &send_ns, &recv_ns);
  ChromeMessage side = {
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
    .kind = CHROME_HALF,
    .marks = is_pair ? CHROME_IS_PAIR : 0,
  };

  if (send_ns != TT_NO_TIME)
    {
      side.kind = is_arrow ? CHROME_FLOW_SEND : CHROME_HALF;
      tt_chrome_add_side (self, &side,
                          &(ChromeSide){ send, send_ns, is_arrow ? CHROME_SEND_DEPTH : CHROME_HALF_DEPTH,
                                         side.src_thread });
    }
  if (recv_ns != TT_NO_TIME)
    {
      side.marks |= CHROME_IS_RECV;
      side.kind = is_arrow ? CHROME_FLOW_RECV : CHROME_HALF;
      tt_chrome_add_side (self, &side,
                          &(ChromeSide){ recv, recv_ns, is_arrow ? CHROME_RECV_DEPTH : CHROME_HALF_DEPTH,
                                         side.dst_thread });
    }
}

/* -- writing ------------------------------------------------------------------------------------------- */

static void
write_end (TtChrome *self, const char *process_key, const char *thread_key, guint32 process, guint32 thread)
{
  tt_output_text (self->out, process_key);
  tt_output_json_string (self->out, tt_chrome_process_at (self, process)->pid);
  if (thread != TT_NO_ID)
    {
      tt_output_text (self->out, thread_key);
      tt_output_json_string (self->out, tt_chrome_thread_at (self, thread)->tid);
    }
}

void
tt_chrome_write_message_args (TtChrome *self, const ChromeMessage *message)
{
  TtOutput *out = self->out;

  if (message->bytes >= 0)
    {
      tt_output_literal (out, "\"bytes\":");
      tt_output_int (out, message->bytes);
      tt_output_literal (out, ",");
    }
  tt_output_literal (out, "\"tag\":");
  tt_output_int (out, message->tag);
  tt_output_literal (out, ",\"comm\":");
  tt_output_int (out, message->comm);
  write_end (self, ",\"src\":", ",\"src_tid\":", message->src_process, message->src_thread);
  write_end (self, ",\"dst\":", ",\"dst_tid\":", message->dst_process, message->dst_thread);
  tt_output_literal (out, "}}");
}

static void
write_id (TtChrome *self, const ChromeMessage *message)
{
  TtOutput *out = self->out;

  tt_output_literal (out, "\"id\":\"");
  tt_output_int (out, tt_chrome_process_at (self, message->src_process)->number);
  tt_output_literal (out, ".");
  tt_output_int (out, tt_chrome_process_at (self, message->dst_process)->number);
  tt_output_literal (out, ".");
  tt_output_int (out, message->tag);
  tt_output_literal (out, ".");
  tt_output_int (out, message->comm);
  tt_output_literal (out, ".");
  tt_output_int (out, message->ordinal);
  tt_output_literal (out, "\",");
}

void
tt_chrome_write_message_head (TtChrome *self, const ChromeMessage *message)
{
  gboolean is_recv = (message->marks & CHROME_IS_RECV) != 0;
  TtOutput *out = self->out;

  switch (message->kind)
    {
    case CHROME_FLOW_SEND:
      tt_output_literal (out, "{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"s\",");
      write_id (self, message);
      self->report->n_messages++;
      break;
    case CHROME_FLOW_RECV:
      tt_output_literal (out, "{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"f\",\"bp\":\"e\",");
      write_id (self, message);
      break;
    default:
      tt_output_literal (out, "{\"name\":\"");
      if ((message->marks & CHROME_IS_PAIR) == 0)
        tt_output_literal (out, "unmatched ");
      tt_output_text (out, is_recv ? "recv" : "send");
      tt_output_literal (out, "\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",");
      if ((message->marks & CHROME_IS_PAIR) == 0 || !is_recv)
        self->report->n_messages++;
    }
}
