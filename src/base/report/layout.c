/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/layout.h"

#include <string.h>

#include "src/base/clean-text.h"
#include "src/base/report/cells.h"
#include "src/base/report/wrap.h"

#define MIN_TEXT_WIDTH 12
/* What names get before columns that can be left out. */
#define USUAL_TEXT_WIDTH 32
/* Columns that a narrow terminal shows, however long its line then is. */
#define MIN_COLUMNS 3
/* What a text of a query gets before other columns are left out. */
#define VALUE_WIDTH 20
/* Of those that are left out. */
#define MAX_NAMED 12

void
tt_layout_cell (const TtReport *self, guint column, const TtReportCell *cell, GString *text)
{
  g_string_truncate (text, 0);
  if (cell->kind == TT_REPORT_TEXT)
    tt_clean_append (text, cell->text);
  else
    tt_report_cell_for_people (self, column, cell, text);
}

void
tt_layout_padded_cell (const TtReport *self, guint column, const TtReportCell *cell, GString *text)
{
  tt_layout_cell (self, column, cell, text);
  if (cell->kind == TT_REPORT_TEXT || cell->kind == TT_REPORT_EMPTY || !tt_report_has_cell_units (self, column))
    return;
  if (g_str_equal (text->str, "0"))
    g_string_append (text, "   ");
  else if (g_str_has_suffix (text->str, " s"))
    g_string_append_c (text, ' ');
}

/* -- columns --------------------------------------------------------------------------------- */

static gboolean
is_text_column (const TtReport *self, guint column)
{
  TtColumnKind kind = tt_report_column_at (self, column)->kind;

  return kind == TT_COLUMN_TEXT || kind == TT_COLUMN_WORD || kind == TT_COLUMN_VALUE;
}

static gboolean
may_be_cut (const TtReport *self, const TtLayoutColumn *columns, guint column)
{
  TtColumnKind kind = tt_report_column_at (self, column)->kind;

  return kind == TT_COLUMN_TEXT || kind == TT_COLUMN_VALUE || columns[column].is_cut_word;
}

/* A column of text with nothing but numbers in it is aligned like a number. */
static TtLayoutColumn *
measure_columns (const TtReport *self, GString *text)
{
  guint n = self->columns->len;
  TtLayoutColumn *columns = g_new0 (TtLayoutColumn, n);
  g_autofree gboolean *has_text = g_new0 (gboolean, n), *has_number = g_new0 (gboolean, n);
  TtReportRows rows;

  for (guint i = 0; i < n; i++)
    {
      g_string_truncate (text, 0);
      tt_report_title (self, i, text);
      columns[i].width = tt_text_width (text->str);
      columns[i].min_width = MAX (columns[i].width, MIN_TEXT_WIDTH);
    }

  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    for (guint i = 0; i < n; i++)
      {
        tt_layout_padded_cell (self, i, &rows.cells[i], text);
        columns[i].width = MAX (columns[i].width, tt_text_width (text->str));
        has_text[i] |= rows.cells[i].kind == TT_REPORT_TEXT;
        has_number[i] |= rows.cells[i].kind == TT_REPORT_INTEGER || rows.cells[i].kind == TT_REPORT_REAL;
      }
  tt_report_rows_clear (&rows);

  for (guint i = 0; i < n; i++)
    {
      columns[i].is_right = is_text_column (self, i) ? has_number[i] && !has_text[i]
                                                     : tt_report_column_at (self, i)->kind != TT_COLUMN_BAR;
      columns[i].is_empty = !has_number[i] && !has_text[i];
      if (tt_report_column_at (self, i)->kind == TT_COLUMN_VALUE && !has_text[i])
        columns[i].min_width = columns[i].width;
    }
  return columns;
}

static guint64
total_width (const TtReport *self, const TtLayoutColumn *columns, guint max_text)
{
  guint64 total = 0;

  for (guint i = 0; i < self->columns->len; i++)
    if (!columns[i].is_left_out)
      total +=
          TT_LAYOUT_GAP + (may_be_cut (self, columns, i) ? MIN (columns[i].width, MAX (max_text, columns[i].min_width))
                                                         : columns[i].width);
  return total < TT_LAYOUT_GAP ? 0 : total - TT_LAYOUT_GAP;
}

/* Those that only the widest terminals show: all of one min_width, for they are read together. FALSE: none is left. */
static gboolean
leave_out_least_wanted (const TtReport *self, TtLayoutColumn *columns)
{
  guint min_width = 0;

  for (guint i = 0; i < self->columns->len; i++)
    if (!columns[i].is_left_out)
      min_width = MAX (min_width, tt_report_column_at (self, i)->min_width);
  for (guint i = 0; i < self->columns->len; i++)
    columns[i].is_left_out |= min_width > 0 && tt_report_column_at (self, i)->min_width == min_width;
  return min_width > 0;
}

/* Where a table has a column a rank, what is between. */
static gboolean
find_last_number (const TtReport *self, const TtLayoutColumn *columns, guint *last)
{
  for (guint i = self->columns->len; i-- > MIN_COLUMNS;)
    if (i + 1 < self->columns->len && !columns[i].is_left_out && !is_text_column (self, i))
      {
        *last = i;
        return TRUE;
      }
  return FALSE;
}

/* Of a query nobody knows what is wanted: what is empty goes first, then from the right. */
static void
leave_out_values (const TtReport *self, TtLayoutColumn *columns, guint width)
{
  guint n = self->columns->len;

  if (total_width (self, columns, VALUE_WIDTH) <= width)
    return;
  for (guint i = MIN_COLUMNS; i < n && self->n_rows > 0; i++)
    columns[i].is_left_out |= columns[i].is_empty && tt_report_column_at (self, i)->kind == TT_COLUMN_VALUE;
  for (guint i = n; i-- > MIN_COLUMNS && total_width (self, columns, VALUE_WIDTH) > width;)
    columns[i].is_left_out |= tt_report_column_at (self, i)->kind == TT_COLUMN_VALUE;
}

/* Words are short, as a rule: they are cut where nothing else helps. */
static void
let_words_be_cut (const TtReport *self, TtLayoutColumn *columns)
{
  for (guint i = 0; i < self->columns->len; i++)
    columns[i].is_cut_word = tt_report_column_at (self, i)->kind == TT_COLUMN_WORD && !columns[i].is_right;
}

/* The last resort: from the right, those that are empty first. */
static void
leave_out_texts (const TtReport *self, TtLayoutColumn *columns, guint width)
{
  for (int pass = 0; pass < 2; pass++)
    for (guint i = self->columns->len - 1; i-- > MIN_COLUMNS && total_width (self, columns, 0) > width;)
      columns[i].is_left_out |= pass == 1 || columns[i].is_empty;
}

static void
leave_out_columns (const TtReport *self, TtLayoutColumn *columns, guint width)
{
  guint i = 0;

  if (width != G_MAXUINT)
    leave_out_values (self, columns, width);
  if (width == G_MAXUINT || self->fields->len == 0)
    return;
  while (total_width (self, columns, USUAL_TEXT_WIDTH) > width && leave_out_least_wanted (self, columns))
    ;
  while (total_width (self, columns, 0) > width && find_last_number (self, columns, &i))
    columns[i].is_left_out = TRUE;
  if (total_width (self, columns, 0) > width)
    let_words_be_cut (self, columns);
  if (total_width (self, columns, 0) > width && self->columns->len > MIN_COLUMNS)
    leave_out_texts (self, columns, width);
}

/* The widest text column gives way first, down to the next widest, and so on. */
static void
fit_columns (const TtReport *self, TtLayoutColumn *columns, guint width)
{
  guint n = self->columns->len;
  guint64 total = total_width (self, columns, G_MAXUINT);

  while (total > width)
    {
      TtLayoutColumn *widest = NULL;
      guint next = 0;

      for (guint i = 0; i < n; i++)
        {
          TtLayoutColumn *column = &columns[i];

          if (!may_be_cut (self, columns, i) || column->is_left_out || column->width <= column->min_width)
            continue;
          if (widest == NULL || column->width > widest->width)
            {
              next = widest == NULL ? 0 : widest->width;
              widest = column;
            }
          else
            next = MAX (next, column->width);
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

/* Once more through all rows, if there is anything to cut. */
static void
cut_texts (const TtReport *self, TtLayoutColumn *columns, const guint *natural, GString *text)
{
  gboolean has_cuts = FALSE;
  TtReportRows rows;

  for (guint i = 0; i < self->columns->len; i++)
    if (columns[i].width < natural[i] && !columns[i].is_left_out)
      {
        columns[i].cuts = tt_cuts_new (columns[i].width);
        has_cuts = TRUE;
      }
  if (!has_cuts)
    return;
  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    for (guint i = 0; i < self->columns->len; i++)
      if (columns[i].cuts != NULL)
        {
          tt_layout_padded_cell (self, i, &rows.cells[i], text);
          tt_cuts_add (columns[i].cuts, text->str);
        }
  tt_report_rows_clear (&rows);
  for (guint i = 0; i < self->columns->len; i++)
    if (columns[i].cuts != NULL)
      tt_cuts_settle (columns[i].cuts);
}

TtLayoutColumn *
tt_layout_new (const TtReport *self, guint width)
{
  g_autoptr (GString) text = g_string_new (NULL);
  TtLayoutColumn *columns = measure_columns (self, text);
  g_autofree guint *natural = g_new (guint, self->columns->len);

  for (guint i = 0; i < self->columns->len; i++)
    natural[i] = columns[i].width;
  leave_out_columns (self, columns, width);
  fit_columns (self, columns, width);
  cut_texts (self, columns, natural, text);
  return columns;
}

void
tt_layout_free (TtLayoutColumn *columns, const TtReport *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    tt_cuts_free (columns[i].cuts);
  g_free (columns);
}

void
tt_layout_append_left_out (const TtLayoutColumn *columns, const TtReport *self, guint width, GString *out)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < self->columns->len; i++)
    if (columns[i].is_left_out && ++n <= MAX_NAMED)
      g_string_append_printf (text, "%s%s", n == 1 ? "" : ", ", tt_report_column_at (self, i)->title);
  if (n == 0)
    return;

  g_autofree char *more = n > MAX_NAMED ? g_strdup_printf (" and %u more", n - MAX_NAMED) : g_strdup ("");
  g_autofree char *line = g_strdup_printf ("not shown at %u columns: %s%s; --wide shows all", width, text->str, more);
  tt_wrap_append_line (out, line, width, 2);
  g_string_append_c (out, '\n');
}
