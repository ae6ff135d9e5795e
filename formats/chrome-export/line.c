/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/line.h"

void
tt_chrome_line (TtChrome *self)
{
  if (self->n_lines++ > 0)
    tt_output_literal (self->out, ",\n");
  else
    tt_output_literal (self->out, "\n");
}

void
tt_chrome_write_place (TtChrome *self, const ChromeThread *thread, const ChromeTrack *track)
{
  if (G_LIKELY (track == NULL || track == &thread->track))
    {
      tt_output_bytes (self->out, self->thread_text->str + thread->text, thread->text_len);
      return;
    }
  tt_output_literal (self->out, ",\"pid\":");
  tt_output_int (self->out, tt_chrome_process_at (self, thread->process)->number);
  tt_output_literal (self->out, ",\"tid\":");
  tt_output_int (self->out, track->number);
  tt_output_literal (self->out, ",\"args\":{");
}

/* -- times ------------------------------------------------------------------------------------------- */

TtClock
tt_chrome_event_clock (const TtChrome *self, guint source)
{
  return self->clocks.is_mixed ? g_array_index (self->sources, ChromeSource, source).clock : self->clocks.only;
}

TtClock
tt_chrome_thread_clock (const TtChrome *self, guint32 thread)
{
  if (!self->clocks.is_mixed)
    return self->clocks.only;

  guint32 source = g_array_index (self->threads, ChromeThread, thread).source;
  return g_array_index (self->sources, ChromeSource, source == 0 ? 0 : source - 1).clock;
}

void
tt_chrome_write_time (TtChrome *self, TtClock clock, gint64 ns)
{
  gint64 shown;

  if (__builtin_sub_overflow (ns, self->clocks.left_ns[clock], &shown))
    shown = G_MAXINT64;
  if (clock == TT_CLOCK_TICKS)
    tt_output_int (self->out, shown);
  else
    tt_output_us (self->out, shown);
}
