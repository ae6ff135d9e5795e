#include "config.h"

#include "src/base/report/report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "src/base/error.h"
#include "src/base/report/private.h"
#include "src/base/suggest.h"

#define CACHE_BYTES ((gsize) 16 << 20)
#define FLUSH_BYTES ((gsize) 65536)

TtReport *
tt_report_new (TtUnit unit)
{
  TtReport *self = g_new0 (TtReport, 1);

  self->unit = unit;
  self->columns = g_array_new (FALSE, TRUE, sizeof (TtReportColumn));
  self->row = g_byte_array_new ();
  self->rows = tt_spill_new (CACHE_BYTES);
  self->heading = g_string_new (NULL);
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
  g_byte_array_unref (self->row);
  tt_spill_free (self->rows);
  g_string_free (self->heading, TRUE);
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
tt_report_column (TtReport *self, TtColumnKind kind, const char *title, const char *key)
{
  TtReportColumn column = { .kind = kind };

  g_return_if_fail (self->n_rows == 0 && self->column == 0);
  if (key == NULL)
    key = title;
  column.title =
      kind == TT_COLUMN_TIME ? g_strdup_printf ("%s (%s)", title, tt_unit_text (self->unit)) : g_strdup (title);
  column.key = kind == TT_COLUMN_TIME ? time_key (key, self->unit) : g_strdup (key);
  g_array_append_val (self->columns, column);
}

/* -- cells in --------------------------------------------------------------------------------- */

static void
add_cell (TtReport *self, TtReportCellKind kind, const void *bytes, gsize len)
{
  guint8 tag = (guint8) kind;

  g_return_if_fail (self->columns->len > 0);
  g_byte_array_append (self->row, &tag, 1);
  if (len > 0)
    g_byte_array_append (self->row, bytes, (guint) len);
  if (++self->column < self->columns->len)
    return;

  guint64 row_len = self->row->len;
  tt_spill_write (self->rows, self->rows_bytes, &row_len, sizeof row_len);
  tt_spill_write (self->rows, self->rows_bytes + sizeof row_len, self->row->data, self->row->len);
  self->rows_bytes += sizeof row_len + row_len;
  self->n_rows++;
  self->column = 0;
  g_byte_array_set_size (self->row, 0);
}

void
tt_report_text (TtReport *self, const char *text)
{
  if (text == NULL)
    add_cell (self, TT_REPORT_EMPTY, NULL, 0);
  else
    add_cell (self, TT_REPORT_TEXT, text, strlen (text) + 1);
}

void
tt_report_int (TtReport *self, gint64 value)
{
  tt_report_int128 (self, value);
}

void
tt_report_int128 (TtReport *self, tt_int128 value)
{
  add_cell (self, TT_REPORT_INTEGER, &value, sizeof value);
}

void
tt_report_real (TtReport *self, double value)
{
  if (isfinite (value))
    add_cell (self, TT_REPORT_REAL, &value, sizeof value);
  else
    add_cell (self, TT_REPORT_EMPTY, NULL, 0);
}

void
tt_report_empty (TtReport *self)
{
  add_cell (self, TT_REPORT_EMPTY, NULL, 0);
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
tt_report_footer (TtReport *self, const char *footer)
{
  g_string_append_printf (self->footer, "%s\n", footer);
}

/* -- rows out --------------------------------------------------------------------------------- */

void
tt_report_rows_init (TtReportRows *rows, const TtReport *report)
{
  *rows = (TtReportRows){ .report = report };
  rows->bytes = g_byte_array_new ();
  rows->cells = g_new0 (TtReportCell, report->columns->len);
}

void
tt_report_rows_clear (TtReportRows *rows)
{
  g_byte_array_unref (rows->bytes);
  g_free (rows->cells);
}

static const guint8 *
decode_cell (const guint8 *p, TtReportCell *cell)
{
  *cell = (TtReportCell){ .kind = (TtReportCellKind) *p++ };
  switch (cell->kind)
    {
    case TT_REPORT_EMPTY:
      break;
    case TT_REPORT_TEXT:
      cell->text = (const char *) p;
      p += strlen (cell->text) + 1;
      break;
    case TT_REPORT_INTEGER:
      memcpy (&cell->integer, p, sizeof cell->integer);
      p += sizeof cell->integer;
      break;
    case TT_REPORT_REAL:
      memcpy (&cell->real, p, sizeof cell->real);
      p += sizeof cell->real;
      break;
    }
  return p;
}

gboolean
tt_report_rows_next (TtReportRows *rows)
{
  const TtReport *report = rows->report;
  guint64 len = 0;

  /* After a failure of the temporary file its pages read as anything. */
  if (rows->row == report->n_rows || !tt_spill_check (report->rows, NULL))
    return FALSE;
  tt_spill_read (report->rows, rows->offset, &len, sizeof len);
  if (!tt_spill_check (report->rows, NULL))
    return FALSE;
  g_byte_array_set_size (rows->bytes, (guint) len);
  tt_spill_read (report->rows, rows->offset + sizeof len, rows->bytes->data, len);
  if (!tt_spill_check (report->rows, NULL))
    return FALSE;
  rows->offset += sizeof len + len;
  rows->row++;

  const guint8 *p = rows->bytes->data;
  for (guint i = 0; i < report->columns->len; i++)
    p = decode_cell (p, &rows->cells[i]);
  return TRUE;
}

/* -- numbers ---------------------------------------------------------------------------------- */

/* The shortest digits that give @value back; JSON takes them as they are. */
static void
append_exact_real (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      double back = g_ascii_strtod (buffer, NULL);
      if (memcmp (&back, &value, sizeof back) == 0)
        break;
    }
  g_string_append (text, g_str_equal (buffer, "-0") ? "0" : buffer);
}

static void
append_real (GString *text, double value, int decimals)
{
  char buffer[400], format[8];

  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (buffer, sizeof buffer, format, value);
  /* No "-0.00". */
  if (buffer[0] == '-' && strspn (buffer + 1, "0.") == strlen (buffer + 1))
    memmove (buffer, buffer + 1, strlen (buffer));
  g_string_append (text, buffer);
}

static void
append_integer (GString *text, tt_int128 value)
{
  char buffer[TT_INT128_TEXT];

  g_string_append (text, tt_int128_text (buffer, value));
}

static void
append_count (GString *text, tt_int128 value)
{
  char buffer[TT_INT128_TEXT], *digits = tt_int128_text (buffer, value);

  if (*digits == '-')
    g_string_append_c (text, *digits++);
  for (gsize left = strlen (digits); left > 0; left--, digits++)
    {
      g_string_append_c (text, *digits);
      if (left > 1 && left % 3 == 1)
        g_string_append_c (text, ',');
    }
}

static void
append_bytes (GString *text, tt_int128 value)
{
  char buffer[TT_TIME_TEXT];
  tt_uint128 size = value < 0 ? -(tt_uint128) value : (tt_uint128) value;

  if (value < 0)
    g_string_append_c (text, '-');
  if (size <= G_MAXUINT64)
    g_string_append (text, tt_bytes_auto (buffer, (guint64) size));
  else
    {
      append_count (text, (tt_int128) size);
      g_string_append (text, " B");
    }
}

void
tt_report_cell_for_people (const TtReport *report, guint column, const TtReportCell *cell, GString *text)
{
  TtColumnKind kind = tt_report_column_at (report, column)->kind;
  int time_decimals = report->unit == TT_UNIT_NS ? 0 : 3;
  char buffer[TT_TIME_TEXT];

  if (cell->kind == TT_REPORT_TEXT)
    g_string_append (text, cell->text);
  else if (cell->kind == TT_REPORT_REAL && kind == TT_COLUMN_TIME)
    append_real (text, cell->real / (double) tt_unit_ns (report->unit), time_decimals);
  else if (cell->kind == TT_REPORT_REAL && (kind == TT_COLUMN_TEXT || kind == TT_COLUMN_WORD))
    append_exact_real (text, cell->real);
  else if (cell->kind == TT_REPORT_REAL && kind == TT_COLUMN_BYTES)
    append_bytes (text, (tt_int128) (cell->real + 0.5));
  else if (cell->kind == TT_REPORT_REAL)
    append_real (text, cell->real, kind == TT_COLUMN_PERCENT ? 2 : 3);
  else if (cell->kind == TT_REPORT_INTEGER && kind == TT_COLUMN_TIME)
    g_string_append (text, tt_time_text_int128 (buffer, cell->integer, report->unit, time_decimals));
  else if (cell->kind == TT_REPORT_INTEGER && kind == TT_COLUMN_COUNT)
    append_count (text, cell->integer);
  else if (cell->kind == TT_REPORT_INTEGER && kind == TT_COLUMN_BYTES)
    append_bytes (text, cell->integer);
  else if (cell->kind == TT_REPORT_INTEGER && kind == TT_COLUMN_PERCENT)
    append_real (text, (double) cell->integer, 2);
  else if (cell->kind == TT_REPORT_INTEGER)
    append_integer (text, cell->integer);
}

void
tt_report_cell_for_programs (const TtReport *report, guint column, const TtReportCell *cell, GString *text)
{
  gboolean is_time = tt_report_column_at (report, column)->kind == TT_COLUMN_TIME;
  char buffer[TT_TIME_TEXT];

  if (cell->kind == TT_REPORT_TEXT)
    g_string_append (text, cell->text);
  else if (cell->kind == TT_REPORT_REAL)
    append_exact_real (text, is_time ? cell->real / (double) tt_unit_ns (report->unit) : cell->real);
  else if (cell->kind == TT_REPORT_INTEGER && is_time)
    g_string_append (text, tt_time_text_int128 (buffer, cell->integer, report->unit, -1));
  else if (cell->kind == TT_REPORT_INTEGER)
    append_integer (text, cell->integer);
}

/* -- printing --------------------------------------------------------------------------------- */

gboolean
tt_report_format_parse (const char *text, TtReportFormat *format, GError **error)
{
  static const char *const words[] = { "table", "csv", "tsv", "json", "markdown", NULL };
  const char *near;

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (text, words[i]) == 0)
      {
        *format = (TtReportFormat) i;
        return TRUE;
      }

  near = tt_suggest (text, words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "format '%s' is not one of table, csv, tsv, json, markdown%s%s%s", text,
               near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
  return FALSE;
}

void
tt_report_flush (TtReportTarget *target, gboolean all)
{
  if (target->file == NULL || (!all && target->text->len < FLUSH_BYTES))
    return;
  if (!target->failed && fwrite (target->text->str, 1, target->text->len, target->file) != target->text->len)
    target->failed = TRUE;
  g_string_truncate (target->text, 0);
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
  tt_report_flush (target, TRUE);
}

void
tt_report_print (TtReport *self, TtReportFormat format, guint width)
{
  TtReportTarget target = { g_string_new (NULL), stdout, FALSE };

  write_format (self, format, width == 0 ? tt_terminal_width () : width, tt_terminal_colours (1), &target);
  g_string_free (target.text, TRUE);
  if ((fflush (stdout) != 0 || target.failed) && self->error == NULL)
    self->error = g_error_new (TT_ERROR, TT_ERROR_INPUT, "cannot write standard output: %s", g_strerror (errno));
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
  TtReportTarget target = { text, NULL, FALSE };

  write_format (self, format, width, FALSE, &target);
}
