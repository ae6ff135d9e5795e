/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/side.h"

#include "formats/chrome-export/flow.h"
#include "formats/chrome-export/line.h"
#include "formats/chrome-export/message.h"
#include "formats/chrome-export/tracks.h"

void
tt_chrome_write_side (TtChrome *self, const ChromeMessage *message)
{
  guint32 id = (guint32) message->order;
  const ChromeThread *thread = tt_chrome_thread_at (self, id);
  TtOutput *out = self->out;

  tt_chrome_line (self);
  if (message->flow_kind != NULL)
    tt_chrome_write_flow_head (self, message);
  else
    tt_chrome_write_message_head (self, message);
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
    tt_chrome_write_message_args (self, message);
}
