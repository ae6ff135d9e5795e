/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/cells.h"

#include <string.h>

#include "src/base/report/bars.h"

/* -- cells in --------------------------------------------------------------------------------- */

static gsize
cell_bytes (const TtReportCell *cell, const void **bytes)
{
  switch (cell->kind)
    {
    case TT_REPORT_EMPTY:
      break;
    case TT_REPORT_TEXT:
      *bytes = cell->text;
      return strlen (cell->text) + 1;
    case TT_REPORT_INTEGER:
      *bytes = &cell->integer;
      return sizeof cell->integer;
    case TT_REPORT_REAL:
      *bytes = &cell->real;
      return sizeof cell->real;
    }
  *bytes = NULL;
  return 0;
}

static double
size_of (const TtReportCell *cell)
{
  return cell->kind == TT_REPORT_REAL ? ABS (cell->real) : ABS ((double) cell->integer);
}

/* The range of times, for units by size. */
static void
watch_time (TtReport *self, const TtReportCell *cell)
{
  double size = size_of (cell);

  if (size == 0.0)
    return;
  self->has_fractions |= cell->kind == TT_REPORT_REAL;
  self->least_ns = self->least_ns == 0.0 ? size : MIN (self->least_ns, size);
  self->greatest_ns = MAX (self->greatest_ns, size);
}

void
tt_report_cells_add (TtReport *self, const TtReportCell *cell)
{
  guint8 tag = (guint8) cell->kind;
  const void *bytes;
  gsize len = cell_bytes (cell, &bytes);

  g_return_if_fail (self->columns->len > 0);
  if (self->n_most > 0 && self->n_rows >= self->n_most)
    {
      if (++self->column == self->columns->len)
        {
          self->n_more++;
          self->column = 0;
        }
      return;
    }
  TtReportColumn *column = &g_array_index (self->columns, TtReportColumn, self->column);
  if (cell->kind == TT_REPORT_INTEGER || cell->kind == TT_REPORT_REAL)
    {
      if (column->kind == TT_COLUMN_TIME && !column->is_moment)
        watch_time (self, cell);
      else if (column->kind == TT_COLUMN_BAR)
        column->greatest = MAX (column->greatest, size_of (cell));
    }
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

/* A number, perhaps with a fraction or a unit: commas between the thousands before its point. */
static void
append_grouped (GString *text, const char *number)
{
  if (*number == '-')
    g_string_append_c (text, *number++);
  for (gsize left = strspn (number, "0123456789"); left > 0; left--)
    {
      g_string_append_c (text, *number++);
      if (left > 1 && left % 3 == 1)
        g_string_append_c (text, ',');
    }
  g_string_append (text, number);
}

static void
append_count (GString *text, tt_int128 value)
{
  char buffer[TT_INT128_TEXT];

  append_grouped (text, tt_int128_text (buffer, value));
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

/* -- times for people ------------------------------------------------------------------------- */

typedef struct
{
  gboolean is_of_cell; /* each cell has its own */
  TtUnit unit;         /* else */
  int decimals;
} Scale;

/* Digits of @value before its point, 0 of what is below 1. */
static int
whole_digits (double value)
{
  int n = 0;

  for (; value >= 1.0 && n < 40; value /= 10.0)
    n++;
  return n;
}

/* In one unit the greatest has four digits and the least three, and none has more than seven. */
static Scale
scale_of (const TtReport *self, guint column)
{
  const int least_digits = 3, greatest_digits = 4, max_decimals = 3;
  const double max_range = 1e4, min_shown = 0.1;
  Scale scale = { .unit = self->unit, .decimals = self->unit == TT_UNIT_NS ? 0 : max_decimals };

  if (!self->has_auto_unit || self->greatest_ns == 0.0 || tt_report_column_at (self, column)->is_moment)
    return scale;
  scale.unit = TT_UNIT_S;
  while (scale.unit > TT_UNIT_NS && self->greatest_ns < (double) tt_unit_ns (scale.unit))
    scale.unit--;

  double one = (double) tt_unit_ns (scale.unit), least = self->least_ns / one, greatest = self->greatest_ns / one;
  scale.is_of_cell = least < min_shown || greatest / least > max_range;
  scale.decimals = MAX (greatest_digits - whole_digits (greatest), least_digits - whole_digits (least));
  scale.decimals = scale.unit == TT_UNIT_NS && !self->has_fractions ? 0 : CLAMP (scale.decimals, 0, max_decimals);
  return scale;
}

void
tt_report_title (const TtReport *self, guint column, GString *text)
{
  const TtReportColumn *of = tt_report_column_at (self, column);
  Scale scale = scale_of (self, column);

  g_string_append (text, of->title);
  if (of->kind == TT_COLUMN_TIME && !scale.is_of_cell)
    g_string_append_printf (text, " (%s)", tt_unit_text (scale.unit));
}

gboolean
tt_report_has_cell_units (const TtReport *self, guint column)
{
  return tt_report_column_at (self, column)->kind == TT_COLUMN_TIME && scale_of (self, column).is_of_cell;
}

/* With few decimals many means are halves of the last: away from zero, as integers are rounded. */
static double
in_unit (double ns, Scale scale, gboolean is_rounded)
{
  double one = (double) tt_unit_ns (scale.unit), power = pow (10.0, scale.decimals);

  return is_rounded ? round (ns / one * power) / power : ns / one;
}

static void
append_time (const TtReport *self, guint column, const TtReportCell *cell, GString *text)
{
  Scale scale = scale_of (self, column);
  gboolean is_real = cell->kind == TT_REPORT_REAL;
  g_autoptr (GString) number = g_string_new (NULL);
  char buffer[TT_TIME_TEXT];

  if (scale.is_of_cell)
    g_string_append (number, is_real ? tt_time_shown_real (buffer, cell->real) : tt_time_shown (buffer, cell->integer));
  else if (is_real)
    append_real (number, in_unit (cell->real, scale, self->has_auto_unit), scale.decimals);
  else
    g_string_append (number, tt_time_text_int128 (buffer, cell->integer, scale.unit, scale.decimals));
  if (self->has_auto_unit)
    append_grouped (text, number->str);
  else
    g_string_append (text, number->str);
}

/* -- cells out -------------------------------------------------------------------------------- */

void
tt_report_cell_for_people (const TtReport *report, guint column, const TtReportCell *cell, GString *text)
{
  const TtReportColumn *of = tt_report_column_at (report, column);
  TtColumnKind kind = of->kind;

  if (cell->kind == TT_REPORT_TEXT)
    g_string_append (text, cell->text);
  else if (kind == TT_COLUMN_BAR && cell->kind != TT_REPORT_EMPTY)
    tt_bar_append (text, of->greatest > 0 ? size_of (cell) / of->greatest : 0.0);
  else if (kind == TT_COLUMN_TIME && cell->kind != TT_REPORT_EMPTY)
    append_time (report, column, cell, text);
  else if (cell->kind == TT_REPORT_REAL &&
           (kind == TT_COLUMN_TEXT || kind == TT_COLUMN_WORD || kind == TT_COLUMN_VALUE))
    append_exact_real (text, cell->real);
  else if (cell->kind == TT_REPORT_REAL && kind == TT_COLUMN_BYTES)
    append_bytes (text, (tt_int128) (cell->real + 0.5));
  else if (cell->kind == TT_REPORT_REAL)
    append_real (text, cell->real, kind == TT_COLUMN_PERCENT ? 2 : 3);
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
