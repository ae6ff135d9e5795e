/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/embedded.h"

#include "src/base/output.h"
#include "src/base/report/cells.h"

/* By TtColumnKind. */
static const char *const kind_words[] = { "text", "word", "value", "count", "time", "percent", "real", "bytes" };

char *
tt_embedded_cut (const char *text, guint max_chars)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  glong length = g_utf8_strlen (valid, -1);

  if (max_chars == 0 || length <= (glong) max_chars)
    return g_steal_pointer (&valid);
  glong tail = ((glong) max_chars - 1) / 3, head = (glong) max_chars - 1 - tail;
  const char *head_end = g_utf8_offset_to_pointer (valid, head);
  const char *tail_begin = g_utf8_offset_to_pointer (head_end, length - head - tail);
  return g_strdup_printf ("%.*s\xe2\x80\xa6%s", (int) (head_end - valid), valid, tail_begin);
}

void
tt_embedded_string (GString *out, const char *text, guint max_chars)
{
  g_autofree char *cut = tt_embedded_cut (text, max_chars);
  g_autoptr (TtOutput) quoter = tt_output_open_memory ();

  tt_output_json_string (quoter, cut);
  g_autoptr (GString) quoted = tt_output_steal_text (quoter);
  for (gsize i = 0; i < quoted->len; i++)
    if (quoted->str[i] == '<' || quoted->str[i] == '>' || quoted->str[i] == '&')
      g_string_append_printf (out, "\\u%04x", (guint) quoted->str[i]);
    else
      g_string_append_c (out, quoted->str[i]);
}

static void
append_columns (const TtReport *self, GString *out)
{
  g_string_append (out, "{\"columns\":[");
  for (guint i = 0; i < self->columns->len; i++)
    {
      const TtReportColumn *column = tt_report_column_at (self, i);

      g_string_append_printf (out, "%s{\"key\":", i > 0 ? "," : "");
      tt_embedded_string (out, column->key, TT_EMBEDDED_MAX_CHARS);
      g_string_append (out, ",\"title\":");
      tt_embedded_string (out, column->title, TT_EMBEDDED_MAX_CHARS);
      g_string_append_printf (out, ",\"kind\":\"%s\"}", kind_words[column->kind]);
    }
  g_string_append (out, "],\n\"rows\":[");
}

static void
append_cell (const TtReport *self, guint column, const TtReportCell *cell, GString *out)
{
  if (cell->kind == TT_REPORT_EMPTY)
    g_string_append (out, "null");
  else if (cell->kind == TT_REPORT_TEXT)
    tt_embedded_string (out, cell->text, TT_EMBEDDED_MAX_CHARS);
  else
    tt_report_cell_for_programs (self, column, cell, out);
}

void
tt_report_append_embedded (const TtReport *self, gsize max_bytes, GString *out)
{
  gsize begin = out->len;
  guint n_rows = 0;
  TtReportRows rows;

  append_columns (self, out);
  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    {
      gsize before = out->len;

      g_string_append (out, n_rows > 0 ? ",\n[" : "\n[");
      for (guint i = 0; i < self->columns->len; i++)
        {
          if (i > 0)
            g_string_append_c (out, ',');
          append_cell (self, i, &rows.cells[i], out);
        }
      g_string_append_c (out, ']');
      if (out->len - begin > max_bytes)
        {
          g_string_truncate (out, before);
          break;
        }
      n_rows++;
    }
  tt_report_rows_clear (&rows);
  g_string_append_printf (out, "],\n\"more\":%" G_GUINT64_FORMAT, self->n_more + (self->n_rows - n_rows));
  g_autofree char *heading = g_strconcat (self->heading->str, self->n_rows > 0 ? self->caption->str : "", NULL);
  g_autofree char *footer = g_strconcat (self->n_rows > 0 ? self->legend->str : "", self->footer->str, NULL);
  g_string_append (out, ",\"heading\":");
  tt_embedded_string (out, heading, 0);
  g_string_append (out, ",\"footer\":");
  tt_embedded_string (out, footer, 0);
  g_string_append (out, "}\n");
}
