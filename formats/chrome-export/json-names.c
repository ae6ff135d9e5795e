/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/json.h"

#include "formats/chrome-export/line.h"
#include "formats/chrome-export/numbering.h"
#include "formats/chrome-export/titles.h"

#include <string.h>

/* -- names of operations ----------------------------------------------------------------------------- */

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

/* Categories of the seed's template. Its `debug` is not counted in statistics. */
static const char *
template_category (const TtStoredName *name)
{
  static const char *const kept[] = { "I/O", "Comm", "ServerOp" };

  if (g_strcmp0 (name->group, "debug") == 0)
    return "debug";
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    if (g_strcmp0 (name->op_cat, kept[i]) == 0)
      return kept[i];
  return "operator";
}

void
tt_chrome_append_json (TtChrome *self, GString *to, const char *key, const char *text)
{
  TtOutput *json = self->json;
  guint64 before = tt_output_total (json);

  tt_output_text (json, key);
  tt_output_json_string (json, text);
  if (tt_output_total (json) - json->used == before)
    g_string_append_len (to, json->buffer, (gssize) json->used);
  else
    {
      /* It was too long for the buffer. */
      GString *all = tt_output_steal_text (json);
      g_string_append_len (to, all->str, (gssize) all->len);
      g_string_free (all, TRUE);
    }
  json->used = 0;
}

void
tt_chrome_json_name_head (TtChrome *self, GString *to, const TtStoredName *name)
{
  tt_chrome_append_json (self, to, "{\"name\":", tt_chrome_shown_name (self, name));
  if (self->language->only_spans)
    g_string_assign (self->scratch, template_category (name));
  else if (name->group != NULL && *name->group != '\0')
    g_string_printf (self->scratch, "%s,%s", or_empty (name->op_cat), name->group);
  else
    g_string_assign (self->scratch, or_empty (name->op_cat));
  tt_chrome_append_json (self, to, ",\"cat\":", self->scratch->str);
}

void
tt_chrome_json_name_tail (TtChrome *self, GString *to, const char *pid, const TtStoredName *name)
{
  gboolean has_suffix = name->suffix != NULL && *name->suffix != '\0';
  GString *text = self->scratch;

  g_string_printf (text, "%s%s%s", or_empty (name->text), has_suffix ? "~>" : "", has_suffix ? name->suffix : "");
  tt_chrome_append_json (self, to, "\"name\":", text->str);
  if (!self->language->only_spans)
    {
      g_string_prepend (text, "->");
      g_string_prepend (text, pid);
      tt_chrome_append_json (self, to, ",\"op_long_name\":", text->str);
      if (tt_chrome_has_raw_name (self, name))
        tt_chrome_append_json (self, to, ",\"raw_name\":", or_empty (name->raw));
      if (name->file != NULL)
        {
          g_string_printf (text, "%s:%" G_GINT64_FORMAT, name->file, name->line);
          tt_chrome_append_json (self, to, ",\"location\":", text->str);
        }
      if (name->is_collective && name->communicator != 0)
        g_string_append_printf (to, ",\"communicator\":%" G_GUINT64_FORMAT, name->communicator);
    }
}

/* -- processes and threads --------------------------------------------------------------------------- */

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
write_text (TtChrome *self, const char *key, const char *text)
{
  tt_output_text (self->out, key);
  tt_output_json_string (self->out, text);
}

static void
write_sort_index (TtChrome *self, gint64 index)
{
  tt_output_literal (self->out, ",\"args\":{\"sort_index\":");
  tt_output_int (self->out, index);
  tt_output_literal (self->out, "}}");
}

static void
write_process (TtChrome *self, guint32 id)
{
  const ChromeProcess *process = tt_chrome_process_at (self, id);
  TtOutput *out = self->out;

  begin_metadata (self, "process_name", process->number);
  write_text (self, ",\"args\":{\"name\":", tt_chrome_process_title (self, id));
  write_text (self, ",\"pid\":", process->pid);
  if (process->label != NULL)
    write_text (self, ",\"label\":", process->label);
  if (process->rank >= 0)
    {
      tt_output_literal (out, ",\"rank\":");
      tt_output_int (out, process->rank);
    }
  else if (process->owner != TT_NO_ID)
    write_text (self, ",\"owner\":", tt_chrome_process_at (self, process->owner)->pid);
  tt_output_literal (out, "}}");
  begin_metadata (self, "process_sort_index", process->number);
  write_sort_index (self, process->position);
}

static void
begin_thread_metadata (TtChrome *self, const char *name, const ChromeThread *thread, guint32 tid)
{
  begin_metadata (self, name, tt_chrome_process_at (self, thread->process)->number);
  tt_output_literal (self->out, ",\"tid\":");
  tt_output_int (self->out, tid);
}

void
tt_chrome_json_line (TtChrome *self, const ChromeThread *thread, guint32 tid)
{
  begin_thread_metadata (self, "thread_name", thread, tid);
  write_text (self, ",\"args\":{\"name\":", tt_chrome_thread_title (self, thread));
  write_text (self, ",\"tid\":", thread->tid);
  if (thread->label != NULL)
    write_text (self, ",\"label\":", thread->label);
  tt_output_literal (self->out, "}}");
  begin_thread_metadata (self, "thread_sort_index", thread, tid);
  write_sort_index (self, thread->order);
}

void
tt_chrome_json_metadata (TtChrome *self)
{
  g_autofree gboolean *is_wanted = tt_chrome_wanted_processes (self);

  for (guint32 id = 0; id < self->processes->len; id++)
    if (is_wanted[id])
      write_process (self, id);
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      const ChromeThread *thread = tt_chrome_thread_at (self, id);
      if (thread->tid != NULL && thread->is_wanted)
        tt_chrome_json_line (self, thread, thread->track.number);
    }
}

/* -- the line of the critical path ---------------------------------------------------------------------- */

static void
write_piece (TtChrome *self, const TtExportPiece *piece, guint32 pid)
{
  const ChromeThread *thread = tt_chrome_thread_at (self, piece->thread);
  TtClock clock = tt_chrome_thread_clock (self, piece->thread);
  TtOutput *out = self->out;

  tt_chrome_line (self);
  write_text (self, "{\"ph\":\"X\",\"name\":", piece->name);
  tt_output_literal (out, ",\"cat\":\"critical path\",\"pid\":");
  tt_output_int (out, pid);
  tt_output_literal (out, ",\"tid\":0,\"ts\":");
  tt_output_us (out, piece->begin_ns - self->clocks.shift_ns[clock]);
  tt_output_literal (out, ",\"dur\":");
  tt_output_us (out, piece->end_ns - piece->begin_ns);
  write_text (self, ",\"args\":{\"pid\":", tt_chrome_process_at (self, thread->process)->pid);
  write_text (self, ",\"tid\":", thread->tid == NULL ? "" : thread->tid);
  write_text (self, ",\"came_by\":", piece->came_by);
  tt_output_literal (out, "}}");
}

void
tt_chrome_json_overlay (TtChrome *self)
{
  const GArray *pieces = self->options->overlay;
  guint32 pid = 0;

  if (pieces == NULL || pieces->len == 0)
    return;
  for (guint32 id = 0; id < self->processes->len; id++)
    pid = MAX (pid, tt_chrome_process_at (self, id)->number + 1);
  begin_metadata (self, "process_name", pid);
  write_text (self, ",\"args\":{\"name\":", "critical path");
  tt_output_literal (self->out, "}}");
  begin_metadata (self, "process_sort_index", pid);
  write_sort_index (self, -1);
  for (guint i = 0; i < pieces->len; i++)
    if (g_array_index (pieces, TtExportPiece, i).thread < self->threads->len)
      write_piece (self, &g_array_index (pieces, TtExportPiece, i), pid);
}
