#include "config.h"

#include "formats/chrome-export/private.h"

#define MESSAGES_BYTES ((gsize) 12 << 20)

/* -- collecting --------------------------------------------------------------------------------------- */

static gboolean
has_span (const ChromeSpan *span)
{
  return span->dur_ns != TT_NO_TIME;
}

static gint64
end_of (const ChromeSpan *span)
{
  gint64 end_ns;

  return __builtin_add_overflow (span->ts_ns, span->dur_ns, &end_ns) ? G_MAXINT64 : end_ns;
}

gboolean
tt_chrome_span_matches (const TtChrome *self, const ChromeSpan *span, guint32 thread, gint64 ts_ns)
{
  if (ts_ns == TT_NO_TIME || self->options->selection == NULL)
    return TRUE;
  if (!has_span (span))
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
inside (const ChromeSpan *span, gint64 ts_ns)
{
  gint64 end_ns = end_of (span);

  return CLAMP (ts_ns, span->ts_ns, MAX (span->ts_ns, end_ns - 1));
}

gboolean
tt_chrome_bind_arrow (const ChromeSpan *send, const ChromeSpan *recv, gint64 *send_ns, gint64 *recv_ns)
{
  if (!has_span (send) || !has_span (recv))
    return FALSE;

  gint64 begin_ns = inside (send, *send_ns), end_ns = inside (recv, *recv_ns);
  if (end_ns < begin_ns)
    end_ns = inside (recv, begin_ns);
  if (end_ns < begin_ns)
    begin_ns = inside (send, end_ns);
  if (end_ns < begin_ns)
    return FALSE;
  *send_ns = begin_ns;
  *recv_ns = end_ns;
  return TRUE;
}

void
tt_chrome_add_side (TtChrome *self,
                    const ChromeMessage *message,
                    const ChromeSpan *span,
                    gint64 ts_ns,
                    guint32 depth,
                    guint32 thread)
{
  if (self->messages == NULL)
    self->messages = tt_sorter_new (sizeof (ChromeMessage), MESSAGES_BYTES);
  ChromeMessage *record = tt_sorter_add (self->messages);

  *record = *message;
  record->end_ns = has_span (span) ? end_of (span) : TT_NO_TIME;
  record->ts = tt_sort_key (ts_ns);
  record->place = (guint64) depth << 32 | thread;
}

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
      tt_chrome_add_side (self, &side, send, send_ns, is_arrow ? CHROME_SEND_DEPTH : CHROME_HALF_DEPTH,
                          side.src_thread);
    }
  if (recv_ns != TT_NO_TIME)
    {
      side.marks |= CHROME_IS_RECV;
      side.kind = is_arrow ? CHROME_FLOW_RECV : CHROME_HALF;
      tt_chrome_add_side (self, &side, recv, recv_ns, is_arrow ? CHROME_RECV_DEPTH : CHROME_HALF_DEPTH,
                          side.dst_thread);
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

static void
write_args (TtChrome *self, const ChromeMessage *message)
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

static void
write_name (TtChrome *self, const ChromeMessage *message, gboolean is_recv)
{
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

void
tt_chrome_write_message (TtChrome *self, const ChromeMessage *message)
{
  guint32 id = (guint32) message->place;
  gboolean is_recv = (message->marks & CHROME_IS_RECV) != 0;
  const ChromeThread *thread = tt_chrome_thread_at (self, id);
  TtOutput *out = self->out;

  tt_chrome_line (self);
  if (message->flow_kind != NULL)
    tt_chrome_write_flow_head (self, message);
  else
    write_name (self, message, is_recv);
  tt_output_literal (out, "\"ts\":");
  tt_chrome_write_time (self, tt_chrome_thread_clock (self, id), tt_sort_value (message->ts));
  if (G_UNLIKELY (thread->more_tracks != NULL && message->end_ns != TT_NO_TIME))
    {
      tt_output_literal (out, ",\"pid\":");
      tt_output_int (out, tt_chrome_process_at (self, thread->process)->number);
      tt_output_literal (out, ",\"tid\":");
      tt_output_int (out, tt_chrome_track_of (self, id, message->end_ns)->number);
      tt_output_literal (out, ",\"args\":{");
    }
  else
    tt_output_bytes (out, self->thread_text->str + thread->text, thread->text_len);
  if (message->flow_kind != NULL)
    tt_output_literal (out, "}}");
  else
    write_args (self, message);
}
