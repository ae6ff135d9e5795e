/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/json-arrows.h"

#include "formats/chrome-export/line.h"

static void
write_partner (TtChrome *self, const char *process_key, const char *thread_key, guint32 process, guint32 thread)
{
  tt_output_text (self->out, process_key);
  tt_output_json_string (self->out, tt_chrome_process_at (self, process)->pid);
  if (thread != TT_NO_ID)
    {
      tt_output_text (self->out, thread_key);
      tt_output_json_string (self->out, tt_chrome_thread_at (self, thread)->tid);
    }
}

/* Which span an end belongs to, where a reader would take another. Returns what must come before more. */
static const char *
write_tie (TtChrome *self, const ChromeMessage *message)
{
  const char *separator = "";

  if (message->moved_ns != 0)
    {
      tt_output_literal (self->out, "\"moved_ns\":");
      tt_output_int (self->out, message->moved_ns);
      separator = ",";
    }
  if (message->nth_span != 0)
    {
      tt_output_text (self->out, separator);
      tt_output_literal (self->out, "\"nth_span\":");
      tt_output_int (self->out, message->nth_span);
      separator = ",";
    }
  return separator;
}

static void
write_args (TtChrome *self, const ChromeMessage *message)
{
  TtOutput *out = self->out;

  const char *separator = write_tie (self, message);

  if (message->flow_kind != NULL)
    return;
  tt_output_text (out, separator);
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
  write_partner (self, ",\"src\":", ",\"src_tid\":", message->src_process, message->src_thread);
  write_partner (self, ",\"dst\":", ",\"dst_tid\":", message->dst_process, message->dst_thread);
}

static void
write_place (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track)
{
  guint32 thread = (guint32) side->order;

  tt_output_literal (self->out, "\"ts\":");
  tt_chrome_write_time (self, tt_chrome_thread_clock (self, thread), tt_sort_value (side->ts));
  tt_chrome_write_place (self, tt_chrome_thread_at (self, thread), track);
}

static const char *
name_of (const ChromeMessage *side)
{
  if (side->flow_kind != NULL)
    return side->flow_kind;
  return (side->marks & CHROME_IS_RECV) != 0 ? "recv" : "send";
}

void
tt_chrome_json_half (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track)
{
  TtOutput *out = self->out;

  tt_chrome_line (self);
  tt_output_literal (out, "{\"name\":\"");
  if ((side->marks & CHROME_IS_PAIR) == 0)
    tt_output_literal (out, "unmatched ");
  tt_output_text (out, name_of (side));
  tt_output_literal (out, "\",\"cat\":\"message\",\"ph\":\"i\",\"s\":\"t\",");
  write_place (self, side, track);
  write_args (self, side);
  tt_output_literal (out, "}}");
}

void
tt_chrome_json_anchor (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track)
{
  TtOutput *out = self->out;

  tt_chrome_line (self);
  tt_output_literal (out, "{\"name\":");
  tt_output_json_string (out, name_of (side));
  tt_output_literal (out, ",\"cat\":\"arrow\",\"ph\":\"X\",\"dur\":0,");
  write_place (self, side, track);
  write_args (self, side);
  tt_output_literal (out, "}}");
}

void
tt_chrome_json_arrow_end (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track)
{
  TtOutput *out = self->out;
  const char *kind = side->flow_kind != NULL ? side->flow_kind : "message";
  gboolean is_recv = (side->marks & CHROME_IS_RECV) != 0;

  tt_chrome_line (self);
  tt_output_literal (out, "{\"name\":");
  tt_output_json_string (out, kind);
  tt_output_literal (out, ",\"cat\":");
  tt_output_json_string (out, kind);
  if (is_recv)
    tt_output_literal (out, ",\"ph\":\"f\",\"bp\":\"e\",\"id\":");
  else
    tt_output_literal (out, ",\"ph\":\"s\",\"id\":");
  tt_output_int (out, (gint64) side->arrow);
  tt_output_literal (out, ",");
  write_place (self, side, track);
  /* Catapult joins the arguments of both ends, and takes a key that both have for an error. */
  if (is_recv && (side->flow_kind == NULL || side->moved_ns != 0 || side->nth_span != 0))
    {
      tt_output_literal (out, "\"end\":{");
      write_args (self, side);
      tt_output_literal (out, "}}}");
      return;
    }
  write_args (self, side);
  tt_output_literal (out, "}}");
}
