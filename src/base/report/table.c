/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and markdown: for people. */
#include "config.h"

#include <string.h>

#include "src/base/clean-text.h"
#include "src/base/report/cells.h"
#include "src/base/report/writers.h"

#define GAP 2
#define MIN_TEXT_WIDTH 12

static guint
char_width (gunichar c)
{
  return g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
}

static guint
text_width (const char *text)
{
  guint width = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    width += char_width (g_utf8_get_char (text));
  return width;
}

/* Names come from traces: they must neither break the line nor steer the terminal. */
static void
shown_cell (const TtReport *self, guint column, const TtReportCell *cell, GString *text)
{
  g_string_truncate (text, 0);
  if (cell->kind == TT_REPORT_TEXT)
    tt_clean_append (text, cell->text);
  else
    tt_report_cell_for_people (self, column, cell, text);
}

/* Where cells have units of their own, these stand in a column of two: the numbers before them end in one place. */
static void
padded_cell (const TtReport *self, guint column, const TtReportCell *cell, GString *text)
{
  shown_cell (self, column, cell, text);
  if (cell->kind == TT_REPORT_TEXT || cell->kind == TT_REPORT_EMPTY || !tt_report_has_cell_units (self, column))
    return;
  if (g_str_equal (text->str, "0"))
    g_string_append (text, "   ");
  else if (g_str_has_suffix (text->str, " s"))
    g_string_append_c (text, ' ');
}

/* -- measures --------------------------------------------------------------------------------- */

typedef struct
{
  guint width, min_width;
  gboolean is_right;
} Measure;

static gboolean
is_text_column (const TtReport *self, guint column)
{
  TtColumnKind kind = tt_report_column_at (self, column)->kind;

  return kind == TT_COLUMN_TEXT || kind == TT_COLUMN_WORD;
}

/* A column of text with nothing but numbers in it is aligned like a number. */
static Measure *
measure_columns (const TtReport *self, GString *text)
{
  guint n = self->columns->len;
  Measure *measures = g_new0 (Measure, n);
  g_autofree gboolean *has_text = g_new0 (gboolean, n), *has_number = g_new0 (gboolean, n);
  TtReportRows rows;

  for (guint i = 0; i < n; i++)
    {
      g_string_truncate (text, 0);
      tt_report_title (self, i, text);
      measures[i].width = text_width (text->str);
      measures[i].min_width = MAX (measures[i].width, MIN_TEXT_WIDTH);
    }

  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    for (guint i = 0; i < n; i++)
      {
        padded_cell (self, i, &rows.cells[i], text);
        measures[i].width = MAX (measures[i].width, text_width (text->str));
        has_text[i] |= rows.cells[i].kind == TT_REPORT_TEXT;
        has_number[i] |= rows.cells[i].kind == TT_REPORT_INTEGER || rows.cells[i].kind == TT_REPORT_REAL;
      }
  tt_report_rows_clear (&rows);

  for (guint i = 0; i < n; i++)
    measures[i].is_right = is_text_column (self, i) ? has_number[i] && !has_text[i] : TRUE;
  return measures;
}

/* The widest text column gives way first, down to the next widest, and so on. */
static void
fit_columns (const TtReport *self, Measure *measures, guint width)
{
  guint n = self->columns->len;
  guint64 total = n > 0 ? (guint64) GAP * (n - 1) : 0;

  for (guint i = 0; i < n; i++)
    total += measures[i].width;

  while (total > width)
    {
      Measure *widest = NULL;
      guint next = 0;

      for (guint i = 0; i < n; i++)
        {
          Measure *measure = &measures[i];

          if (tt_report_column_at (self, i)->kind != TT_COLUMN_TEXT || measure->width <= measure->min_width)
            continue;
          if (widest == NULL || measure->width > widest->width)
            {
              next = widest == NULL ? 0 : widest->width;
              widest = measure;
            }
          else
            next = MAX (next, measure->width);
        }
      if (widest == NULL)
        return;

      /* At least one column, so that equals take turns. */
      guint max_cut = widest->width - MAX (widest->min_width, MIN (next, widest->width - 1));
      guint cut = (guint) MIN (total - width, max_cut);
      widest->width -= cut;
      total -= cut;
    }
}

/* -- cells ------------------------------------------------------------------------------------ */

static void
append_spaces (GString *out, guint n)
{
  while (n-- > 0)
    g_string_append_c (out, ' ');
}

/* Head and tail of @text with an ellipsis between, @width columns wide at most. Returns its width. */
static guint
append_cut (GString *out, const char *text, guint width)
{
  guint head_width = width / 2, tail_width = width - 1 - head_width, used = 0, left = 0;
  const char *p = text, *tail = text + strlen (text);

  for (; *p != '\0' && used + char_width (g_utf8_get_char (p)) <= head_width; p = g_utf8_next_char (p))
    used += char_width (g_utf8_get_char (p));
  g_string_append_len (out, text, p - text);
  g_string_append (out, "…");

  while (tail > p)
    {
      const char *before = g_utf8_prev_char (tail);
      guint wide = char_width (g_utf8_get_char (before));

      if (left + wide > tail_width)
        break;
      left += wide;
      tail = before;
    }
  g_string_append (out, tail);
  return used + 1 + left;
}

static void
append_aligned (GString *out, const char *text, const Measure *measure, gboolean is_last)
{
  guint width = text_width (text);

  if (width > measure->width)
    {
      width = append_cut (out, text, measure->width);
      if (!is_last && width < measure->width)
        append_spaces (out, measure->width - width);
      return;
    }
  if (measure->is_right)
    append_spaces (out, measure->width - width);
  g_string_append (out, text);
  if (!measure->is_right && !is_last)
    append_spaces (out, measure->width - width);
}

static void
end_line (GString *out, gsize line_start)
{
  while (out->len > line_start && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void
append_header (const TtReport *self, const Measure *measures, gboolean bold, GString *out)
{
  gsize start = out->len;
  g_autoptr (GString) title = g_string_new (NULL);

  if (bold)
    g_string_append (out, "\033[1m");
  for (guint i = 0; i < self->columns->len; i++)
    {
      if (i > 0)
        append_spaces (out, GAP);
      g_string_truncate (title, 0);
      tt_report_title (self, i, title);
      append_aligned (out, title->str, &measures[i], i + 1 == self->columns->len);
    }
  if (bold)
    g_string_append (out, "\033[0m");
  end_line (out, start);
}

void
tt_report_write_table (const TtReport *self, guint width, gboolean bold, TtReportTarget *target)
{
  GString *text = g_string_new (NULL);
  g_autofree Measure *measures = measure_columns (self, text);
  TtReportRows rows;

  fit_columns (self, measures, width == 0 ? G_MAXUINT : width);
  tt_clean_append_lines (target->text, self->heading->str);
  append_header (self, measures, bold, target->text);

  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    {
      gsize start = target->text->len;

      for (guint i = 0; i < self->columns->len; i++)
        {
          if (i > 0)
            append_spaces (target->text, GAP);
          padded_cell (self, i, &rows.cells[i], text);
          append_aligned (target->text, text->str, &measures[i], i + 1 == self->columns->len);
        }
      end_line (target->text, start);
      tt_report_target_flush (target, FALSE);
    }
  tt_report_rows_clear (&rows);
  tt_clean_append_lines (target->text, self->footer->str);
  g_string_free (text, TRUE);
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

void
tt_report_write_markdown (const TtReport *self, TtReportTarget *target)
{
  GString *text = g_string_new (NULL), *out = target->text;
  g_autofree Measure *measures = measure_columns (self, text);
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
    g_string_append (out, measures[i].is_right ? "| ---: " : "| --- ");
  g_string_append (out, "|\n");

  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    {
      for (guint i = 0; i < n; i++)
        {
          shown_cell (self, i, &rows.cells[i], text);
          g_string_append (out, i == 0 ? "| " : " | ");
          append_markdown (out, text->str);
        }
      g_string_append (out, " |\n");
      tt_report_target_flush (target, FALSE);
    }
  tt_report_rows_clear (&rows);
  g_string_free (text, TRUE);
}
