/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/fields.h"

#include "src/base/error.h"
#include "src/base/report/cells.h"
#include "src/base/report/more.h"
#include "src/base/suggest.h"

#include <string.h>

/* -- columns ------------------------------------------------------------------------------------------- */

gboolean
tt_report_view_is_for_people (const TtReportView *view)
{
  return view->format == TT_FORMAT_TABLE || view->format == TT_FORMAT_MARKDOWN;
}

static gboolean
is_shown (const TtReportField *field, const TtReportView *view, const void *context)
{
  TtReportReader reader = tt_report_view_is_for_people (view) ? TT_READER_PEOPLE : TT_READER_PROGRAMS;

  return (field->reader == TT_READER_ANYBODY || field->reader == reader) &&
         (field->is_shown == NULL || field->is_shown (field, context));
}

static void
add_column (TtReport *report, const TtReportField *field, TtColumnKind kind, const char *title, const void *context)
{
  tt_report_column (report, kind, title, field->key);
  TtReportColumn *column = &g_array_index (report->columns, TtReportColumn, report->columns->len - 1);
  column->is_moment = field->is_moment;
  column->context = context;
  g_array_append_vals (report->fields, field, 1);
}

/* Of the fields that are shown, the one to be drawn; NULL: none. */
static const TtReportField *
field_to_draw (const TtReportField *fields, guint n, const TtReportView *view, const void *context)
{
  const TtReportField *first = NULL;

  for (guint i = 0; i < n; i++)
    {
      TtColumnKind kind = fields[i].kind;

      if (!is_shown (&fields[i], view, context))
        continue;
      if (fields[i].has_bar)
        return &fields[i];
      if (first == NULL && !fields[i].is_moment &&
          (kind == TT_COLUMN_PERCENT || kind == TT_COLUMN_TIME || kind == TT_COLUMN_BYTES))
        first = &fields[i];
    }
  return first;
}

void
tt_report_declare (TtReport *report,
                   const TtReportField *fields,
                   guint n,
                   const TtReportView *view,
                   const TtReportField *kept,
                   const void *context)
{
  const TtReportField *drawn = view->has_bars && !report->has_bars ? field_to_draw (fields, n, view, context) : NULL;

  if (view->is_auto_unit)
    tt_report_auto_unit (report);
  for (guint i = 0; i < n; i++)
    {
      TtColumnKind kind = fields[i].kind == TT_COLUMN_TIME && view->has_counts ? TT_COLUMN_COUNT : fields[i].kind;

      if (!is_shown (&fields[i], view, context))
        continue;
      add_column (report, &fields[i], kind, fields[i].title, context);
      g_array_index (report->columns, TtReportColumn, report->columns->len - 1).min_width =
          &fields[i] == kept || &fields[i] == drawn ? 0 : fields[i].min_width;
      if (&fields[i] == drawn)
        add_column (report, &fields[i], TT_COLUMN_BAR, "", context);
    }
  report->has_bars |= drawn != NULL;
}

TtReport *
tt_report_of_fields (const TtReportField *fields, guint n, const TtReportView *view, const void *context)
{
  TtReport *report = tt_report_new (view->unit);

  tt_report_declare (report, fields, n, view, NULL, context);
  return report;
}

void
tt_report_row (TtReport *report, const void *row)
{
  g_return_if_fail (report->fields->len == report->columns->len && report->column == 0);

  for (guint i = 0; i < report->fields->len; i++)
    {
      const TtReportField *field = &g_array_index (report->fields, TtReportField, i);
      const void *context = g_array_index (report->columns, TtReportColumn, i).context;
      TtReportCell cell = field->value (field, row, context);

      tt_report_cells_add (report, &cell);
      g_free (cell.owned);
    }
}

void
tt_report_limit (TtReport *report, const TtReportView *view)
{
  report->n_most = view->top;
  report->tells_how = view->is_top_default;
}

char *
tt_report_more (const TtReportView *view, guint64 n_more, const char *part)
{
  return tt_more_text (n_more, part, view->is_top_default);
}

/* -- order --------------------------------------------------------------------------------------------- */

static TtReportCell
order_cell (const TtReportField *self, const void *row, const void *context)
{
  return self->order != NULL ? self->order (self, row, context) : self->value (self, row, context);
}

int
tt_report_field_compare (const TtReportField *self, const void *a, const void *b, const void *context)
{
  TtReportCell x = order_cell (self, a, context), y = order_cell (self, b, context);

  g_return_val_if_fail (x.kind != TT_REPORT_TEXT && y.kind != TT_REPORT_TEXT, 0);
  if (x.kind == TT_REPORT_EMPTY || y.kind == TT_REPORT_EMPTY)
    return (x.kind == TT_REPORT_EMPTY) - (y.kind == TT_REPORT_EMPTY);
  if (x.kind == TT_REPORT_REAL)
    return (y.real > x.real) - (y.real < x.real);
  return (y.integer > x.integer) - (y.integer < x.integer);
}

/* Of const char *, NULL-ended. */
static GPtrArray *
list_words (const TtReportField *fields, guint n, const char *extra)
{
  GPtrArray *words = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    if (fields[i].word != NULL)
      g_ptr_array_add (words, (gpointer) fields[i].word);
  if (extra != NULL)
    g_ptr_array_add (words, (gpointer) extra);
  g_ptr_array_add (words, NULL);
  return words;
}

gboolean
tt_report_field_find (const TtReportField *fields,
                      guint n,
                      const char *word,
                      const char *extra,
                      const TtReportField **field,
                      GError **error)
{
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (fields[i].word, word) == 0)
      {
        *field = &fields[i];
        return TRUE;
      }
  *field = NULL;
  if (g_strcmp0 (extra, word) == 0)
    return TRUE;

  g_autoptr (GPtrArray) words = list_words (fields, n, extra);
  const char *near = tt_suggest (word, (const char *const *) words->pdata);
  g_autofree char *all = g_strjoinv (", ", (char **) words->pdata);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "cannot sort by '%s'; did you mean '%s'?", word, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "cannot sort by '%s'; there are %s", word, all);
  return FALSE;
}

char *
tt_report_field_words (const TtReportField *fields, guint n, const char *extra)
{
  g_autoptr (GPtrArray) words = list_words (fields, n, extra);

  return g_strjoinv (", ", (char **) words->pdata);
}
