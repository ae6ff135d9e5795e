/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and markdown: for people. */
#include "config.h"

#include <string.h>

#include "src/base/clean-text.h"
#include "src/base/report/cells.h"
#include "src/base/report/layout.h"
#include "src/base/report/more.h"
#include "src/base/report/wrap.h"
#include "src/base/report/writers.h"

/* -- cells ------------------------------------------------------------------------------------ */

static void
append_spaces (GString *out, guint n)
{
  while (n-- > 0)
    g_string_append_c (out, ' ');
}

static void
append_aligned (GString *out, const char *text, const TtLayoutColumn *column)
{
  guint width = tt_text_width (text), missing = column->width - MIN (width, column->width);

  if (column->is_right)
    append_spaces (out, missing);
  g_string_append (out, text);
  if (!column->is_right)
    append_spaces (out, missing);
}

static void
end_line (GString *out, gsize line_start)
{
  while (out->len > line_start && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

/* A cell and what separates it from the one before; @start: of the line. */
static void
append_cell (GString *out, gsize start, const char *text, const TtLayoutColumn *column)
{
  if (out->len > start)
    append_spaces (out, TT_LAYOUT_GAP);
  append_aligned (out, text, column);
}

static void
append_header (const TtReport *self, const TtLayoutColumn *columns, gboolean bold, GString *out)
{
  g_autoptr (GString) title = g_string_new (NULL), line = g_string_new (NULL);

  for (guint i = 0; i < self->columns->len; i++)
    if (!columns[i].is_left_out)
      {
        g_string_truncate (title, 0);
        tt_report_title (self, i, title);
        append_cell (line, 0, title->str, &columns[i]);
      }
  end_line (line, 0);
  g_string_truncate (line, line->len - 1);
  g_string_append_printf (out, "%s%s%s\n", bold ? "\033[1m" : "", line->str, bold ? "\033[0m" : "");
}

static void
append_row (const TtReport *self, const TtLayoutColumn *columns, const TtReportCell *cells, GString *text, GString *out)
{
  gsize start = out->len;

  for (guint i = 0; i < self->columns->len; i++)
    if (!columns[i].is_left_out)
      {
        tt_layout_padded_cell (self, i, &cells[i], text);
        append_cell (out, start, columns[i].cuts == NULL ? text->str : tt_cuts_get (columns[i].cuts, text->str),
                     &columns[i]);
      }
  end_line (out, start);
}

static void
append_more (const TtReport *self, GString *out)
{
  g_autofree char *more = tt_more_text (self->n_more, NULL, self->tells_how);

  if (self->n_more > 0)
    g_string_append_printf (out, "%s\n", more);
}

/* As wide as the table may be: none of it is lost, so --wide has it in whole lines. */
static void
append_prose (const GString *prose, guint width, GString *out)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  tt_clean_append_lines (clean, prose->str);
  tt_wrap_append (out, clean->str, width == G_MAXUINT ? 0 : width, 2);
}

void
tt_report_write_table (const TtReport *self, guint width, gboolean bold, TtReportTarget *target)
{
  g_autoptr (GString) text = g_string_new (NULL);
  TtLayoutColumn *columns = tt_layout_new (self, width == 0 ? G_MAXUINT : width);
  gboolean has_header = self->n_rows > 0 || self->keeps_header;
  TtReportRows rows;

  append_prose (self->heading, width, target->text);
  if (self->n_rows > 0)
    append_prose (self->caption, width, target->text);
  if (has_header)
    append_header (self, columns, bold, target->text);

  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    {
      append_row (self, columns, rows.cells, text, target->text);
      tt_report_target_flush (target, FALSE);
    }
  tt_report_rows_clear (&rows);
  if (self->n_rows > 0)
    append_prose (self->legend, width, target->text);
  append_prose (self->footer, width, target->text);
  append_more (self, target->text);
  if (has_header)
    tt_layout_append_left_out (columns, self, width, target->text);
  tt_layout_free (columns, self);
}

/* -- markdown --------------------------------------------------------------------------------- */

static void
append_markdown (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (strchr ("|\\`*<", *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text);
    }
}

/* A paragraph of its own: a list that is not whole says so. */
static void
append_markdown_footer (const TtReport *self, GString *out)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  if (self->n_rows > 0)
    tt_clean_append_lines (clean, self->legend->str);
  tt_clean_append_lines (clean, self->footer->str);
  append_more (self, clean);
  if (clean->len == 0)
    return;
  g_string_append_c (out, '\n');
  append_markdown (out, clean->str);
}

void
tt_report_write_markdown (const TtReport *self, TtReportTarget *target)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GString *out = target->text;
  TtLayoutColumn *columns = tt_layout_new (self, G_MAXUINT);
  guint n = self->columns->len;
  TtReportRows rows;

  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? "| " : " | ");
      g_string_truncate (text, 0);
      tt_report_title (self, i, text);
      append_markdown (out, text->str);
    }
  g_string_append (out, " |\n");
  for (guint i = 0; i < n; i++)
    g_string_append (out, columns[i].is_right ? "| ---: " : "| --- ");
  g_string_append (out, "|\n");

  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    {
      for (guint i = 0; i < n; i++)
        {
          tt_layout_cell (self, i, &rows.cells[i], text);
          g_string_append (out, i == 0 ? "| " : " | ");
          append_markdown (out, text->str);
        }
      g_string_append (out, " |\n");
      tt_report_target_flush (target, FALSE);
    }
  tt_report_rows_clear (&rows);
  append_markdown_footer (self, out);
  tt_layout_free (columns, self);
}
