/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/metadata.h"

#include "formats/chrome-export/line.h"
#include "formats/chrome-export/numbering.h"

static void
begin_metadata (TtChrome *self, const char *name, guint32 pid)
{
  tt_chrome_line (self);
  tt_output_literal (self->out, "{\"name\":\"");
  tt_output_text (self->out, name);
  tt_output_literal (self->out, "\",\"ph\":\"M\",\"pid\":");
  tt_output_int (self->out, pid);
}

static void
write_name (TtChrome *self, const char *text)
{
  tt_output_literal (self->out, ",\"args\":{\"name\":");
  tt_output_json_string (self->out, text);
}

static void
write_process (TtChrome *self, const ChromeProcess *process)
{
  TtOutput *out = self->out;

  begin_metadata (self, "process_name", process->number);
  write_name (self, process->pid);
  if (process->rank >= 0)
    {
      tt_output_literal (out, ",\"rank\":");
      tt_output_int (out, process->rank);
    }
  tt_output_literal (out, "}}");
  if (process->label != NULL)
    {
      begin_metadata (self, "process_labels", process->number);
      tt_output_literal (out, ",\"args\":{\"labels\":");
      tt_output_json_string (out, process->label);
      tt_output_literal (out, "}}");
    }
  begin_metadata (self, "process_sort_index", process->number);
  tt_output_literal (out, ",\"args\":{\"sort_index\":");
  tt_output_int (out, process->rank >= 0 ? process->rank : process->number);
  tt_output_literal (out, "}}");
}

void
tt_chrome_write_thread (TtChrome *self, const ChromeThread *thread, guint32 tid)
{
  TtOutput *out = self->out;
  guint32 pid = tt_chrome_process_at (self, thread->process)->number;

  begin_metadata (self, "thread_name", pid);
  tt_output_literal (out, ",\"tid\":");
  tt_output_int (out, tid);
  write_name (self, thread->tid);
  if (thread->label != NULL)
    {
      tt_output_literal (out, ",\"label\":");
      tt_output_json_string (out, thread->label);
    }
  tt_output_literal (out, "}}");
  begin_metadata (self, "thread_sort_index", pid);
  tt_output_literal (out, ",\"tid\":");
  tt_output_int (out, tid);
  tt_output_literal (out, ",\"args\":{\"sort_index\":");
  tt_output_int (out, thread->order);
  tt_output_literal (out, "}}");
}

void
tt_chrome_write_metadata (TtChrome *self)
{
  g_autofree gboolean *is_wanted = tt_chrome_wanted_processes (self);

  for (guint32 id = 0; id < self->processes->len; id++)
    if (is_wanted[id])
      write_process (self, tt_chrome_process_at (self, id));
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      const ChromeThread *thread = tt_chrome_thread_at (self, id);
      if (thread->tid != NULL && thread->is_wanted)
        tt_chrome_write_thread (self, thread, thread->track.number);
    }
}
