/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clean-text.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/output.h"
#include "src/base/report/cells.h"
#include "src/base/report/fields.h"
#include "src/base/report/writers.h"
#include "src/base/screen.h"
#include "src/base/suggest.h"

#define CACHE_BYTES ((gsize) 16 << 20)

TtReport *
tt_report_new (TtUnit unit)
{
  TtReport *self = g_new0 (TtReport, 1);

  self->unit = unit;
  self->columns = g_array_new (FALSE, TRUE, sizeof (TtReportColumn));
  self->fields = g_array_new (FALSE, FALSE, sizeof (TtReportField));
  self->row = g_byte_array_new ();
  self->rows = tt_spill_new (CACHE_BYTES);
  self->heading = g_string_new (NULL);
  self->caption = g_string_new (NULL);
  self->legend = g_string_new (NULL);
  self->footer = g_string_new (NULL);
  return self;
}

void
tt_report_free (TtReport *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->columns->len; i++)
    {
      g_free (tt_report_column_at (self, i)->title);
      g_free (tt_report_column_at (self, i)->key);
    }
  g_array_unref (self->columns);
  g_array_unref (self->fields);
  g_byte_array_unref (self->row);
  tt_spill_free (self->rows);
  g_string_free (self->heading, TRUE);
  g_string_free (self->caption, TRUE);
  g_string_free (self->legend, TRUE);
  g_string_free (self->footer, TRUE);
  g_clear_error (&self->error);
  g_free (self);
}

/* "total" and "total_us" both become "total_ms" in a report of ms. */
static char *
time_key (const char *key, TtUnit unit)
{
  const char *underscore = strrchr (key, '_');
  TtUnit given;
  gsize len =
      underscore != NULL && tt_unit_parse (underscore + 1, &given, NULL) ? (gsize) (underscore - key) : strlen (key);

  return g_strdup_printf ("%.*s_%s", (int) len, key, tt_unit_text (unit));
}

void
tt_report_auto_unit (TtReport *self)
{
  self->has_auto_unit = TRUE;
}

void
tt_report_column (TtReport *self, TtColumnKind kind, const char *title, const char *key)
{
  g_autoptr (GString) clean = g_string_new (NULL);
  TtReportColumn column = { .kind = kind };

  g_return_if_fail (self->n_rows == 0 && self->column == 0);
  if (key == NULL)
    key = title;
  tt_clean_append (clean, title);
  column.title = g_strdup (clean->str);
  column.key = kind == TT_COLUMN_TIME ? time_key (key, self->unit) : g_strdup (key);
  g_array_append_val (self->columns, column);
}

/* -- cells ------------------------------------------------------------------------------------ */

void
tt_report_text (TtReport *self, const char *text)
{
  TtReportCell cell = tt_cell_text (text);

  tt_report_cells_add (self, &cell);
}

void
tt_report_int (TtReport *self, gint64 value)
{
  tt_report_int128 (self, value);
}

void
tt_report_int128 (TtReport *self, tt_int128 value)
{
  TtReportCell cell = tt_cell_int (value);

  tt_report_cells_add (self, &cell);
}

void
tt_report_real (TtReport *self, double value)
{
  TtReportCell cell = tt_cell_real (value);

  tt_report_cells_add (self, &cell);
}

void
tt_report_empty (TtReport *self)
{
  TtReportCell cell = tt_cell_empty ();

  tt_report_cells_add (self, &cell);
}

guint
tt_report_n_rows (const TtReport *self)
{
  return self->n_rows;
}

void
tt_report_heading (TtReport *self, const char *heading)
{
  g_string_append_printf (self->heading, "%s\n", heading);
}

void
tt_report_caption (TtReport *self, const char *caption)
{
  g_string_append_printf (self->caption, "%s\n", caption);
}

void
tt_report_legend (TtReport *self, const char *legend)
{
  g_string_append_printf (self->legend, "%s\n", legend);
}

void
tt_report_keep_header (TtReport *self)
{
  self->keeps_header = TRUE;
}

gboolean
tt_report_has_text (const TtReport *self)
{
  return self->n_rows > 0 || self->keeps_header || self->heading->len + self->footer->len > 0 || self->n_more > 0;
}

void
tt_report_footer (TtReport *self, const char *footer)
{
  g_string_append_printf (self->footer, "%s\n", footer);
}

/* -- rows o------------------------------------------------ */

const char *const tt_report_format_words[] = { "table", "csv", "tsv", "json", "markdown", NULL };

gboolean
tt_report_format_parse (const char *text, TtReportFormat *format, GError **error)
{
  const char *near;

  for (guint i = 0; tt_report_format_words[i] != NULL; i++)
    if (strcmp (text, tt_report_format_words[i]) == 0)
      {
        *format = (TtReportFormat) i;
        return TRUE;
      }

  near = tt_suggest (text, tt_report_format_words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "format '%s' is not one of table, csv, tsv, json, markdown%s%s%s", text,
               near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
  return FALSE;
}

static void
write_format (const TtReport *self, TtReportFormat format, guint width, gboolean bold, TtReportTarget *target)
{
  switch (format)
    {
    case TT_FORMAT_TABLE:
      tt_report_write_table (self, width, bold, target);
      break;
    case TT_FORMAT_CSV:
    case TT_FORMAT_TSV:
      tt_report_write_separated (self, format, target);
      break;
    case TT_FORMAT_JSON:
      tt_report_write_json (self, target);
      break;
    case TT_FORMAT_MARKDOWN:
      tt_report_write_markdown (self, target);
      break;
    }
  tt_report_target_flush (target, TRUE);
}

void
tt_report_print (TtReport *self, TtReportFormat format, guint width)
{
  /* Tables for people are clean, and may have colours. */
  gboolean is_data = format != TT_FORMAT_TABLE && format != TT_FORMAT_MARKDOWN;
  TtReportTarget target = { .text = g_string_new (NULL),
                            .file = stdout,
                            .is_cleaned = is_data && tt_screen_is (STDOUT_FILENO) };

  write_format (self, format, width == 0 ? tt_terminal_width () : width, tt_terminal_colours (1), &target);
  g_string_free (target.text, TRUE);
  if (self->error == NULL && !tt_failure_check (&self->error))
    return;
  if ((fflush (stdout) != 0 || target.failed) && self->error == NULL)
    self->error = g_error_new (TT_ERROR, TT_ERROR_INPUT, "cannot write standard output: %s",
                               tt_stdout_is_closed () ? "it is closed" : g_strerror (errno));
}

gboolean
tt_report_check (const TtReport *self, GError **error)
{
  if (!tt_spill_check (self->rows, error))
    return FALSE;
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}

void
tt_report_append (TtReport *self, TtReportFormat format, guint width, GString *text)
{
  TtReportTarget target = { .text = text };

  write_format (self, format, width, FALSE, &target);
}
