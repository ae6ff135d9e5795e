/* SPDX-License-Identifier: Apache-2.0 */
/* csv, tsv and json: for programs, with full precision. */
#include "config.h"

#include <string.h>

#include "src/base/output.h"
#include "src/base/report/cells.h"
#include "src/base/report/writers.h"

/* RFC 4180: fields with a separator, quote or line end are quoted, quotes doubled. */
static void
append_csv (GString *out, const char *field)
{
  if (field[strcspn (field, ",\"\r\n")] == '\0')
    {
      g_string_append (out, field);
      return;
    }
  g_string_append_c (out, '"');
  for (; *field != '\0'; field++)
    {
      if (*field == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *field);
    }
  g_string_append_c (out, '"');
}

static gboolean
is_number (const char *text)
{
  const char *p = text + (*text == '-' || *text == '+');
  char *end;

  if (!g_ascii_isdigit (*p) && !(*p == '.' && g_ascii_isdigit (p[1])))
    return FALSE;
  g_ascii_strtod (p, &end);
  return *end == '\0' && p[strcspn (p, "xX")] == '\0';
}

/* Spreadsheets take a text that begins like this for a formula, quoted or not, and calculate it: an apostrophe before
 * it makes it a text (OWASP, "CSV Injection"; CWE-1236). A text with an apostrophe of its own gets another, so that
 * whoever takes one off has the text as it was. */
static gboolean
looks_like_formula (const char *text)
{
  return *text != '\0' && strchr ("=+-@\t\r'", *text) != NULL && !is_number (text);
}

/* A tsv field cannot be quoted: what would end it is written as \t, \n, \r, and a backslash as \\. */
static void
append_tsv (GString *out, const char *field)
{
  for (; *field != '\0'; field++)
    switch (*field)
      {
      case '\t':
        g_string_append (out, "\\t");
        break;
      case '\n':
        g_string_append (out, "\\n");
        break;
      case '\r':
        g_string_append (out, "\\r");
        break;
      case '\\':
        g_string_append (out, "\\\\");
        break;
      default:
        g_string_append_c (out, *field);
      }
}

static void
append_field (GString *out, TtReportFormat format, guint column, const char *field, gboolean is_text)
{
  gboolean is_guarded = is_text && format == TT_FORMAT_CSV && looks_like_formula (field);
  g_autofree char *guarded = is_guarded ? g_strconcat ("'", field, NULL) : NULL;
  const char *text = guarded != NULL ? guarded : field;
  g_autofree char *valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);

  if (column > 0)
    g_string_append_c (out, format == TT_FORMAT_CSV ? ',' : '\t');
  if (format == TT_FORMAT_CSV)
    append_csv (out, valid != NULL ? valid : text);
  else
    append_tsv (out, valid != NULL ? valid : text);
}

void
tt_report_write_separated (const TtReport *self, TtReportFormat format, TtReportTarget *target)
{
  GString *field = g_string_new (NULL);
  TtReportRows rows;

  for (guint i = 0; i < self->columns->len; i++)
    append_field (target->text, format, i, tt_report_column_at (self, i)->key, TRUE);
  g_string_append_c (target->text, '\n');

  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    {
      for (guint i = 0; i < self->columns->len; i++)
        {
          g_string_truncate (field, 0);
          tt_report_cell_for_programs (self, i, &rows.cells[i], field);
          append_field (target->text, format, i, field->str, rows.cells[i].kind == TT_REPORT_TEXT);
        }
      g_string_append_c (target->text, '\n');
      tt_report_target_flush (target, FALSE);
    }
  tt_report_rows_clear (&rows);
  g_string_free (field, TRUE);
}

/* The one JSON quoting of the project, by way of a memory output. */
static char *
json_string (TtOutput *quoter, const char *text)
{
  tt_output_json_string (quoter, text);

  GString *quoted = tt_output_steal_text (quoter);
  return g_string_free (quoted, FALSE);
}

void
tt_report_write_json (const TtReport *self, TtReportTarget *target)
{
  g_autoptr (TtOutput) quoter = tt_output_open_memory ();
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  GString *out = target->text;
  const char *separator = "\n";
  TtReportRows rows;

  for (guint i = 0; i < self->columns->len; i++)
    g_ptr_array_add (keys, json_string (quoter, tt_report_column_at (self, i)->key));

  g_string_append_c (out, '[');
  tt_report_rows_init (&rows, self);
  while (tt_report_rows_next (&rows))
    {
      g_string_append (out, separator);
      separator = ",\n";
      for (guint i = 0; i < self->columns->len; i++)
        {
          const TtReportCell *cell = &rows.cells[i];

          g_string_append_printf (out, "%s%s:", i == 0 ? "{" : ",", (const char *) keys->pdata[i]);
          if (cell->kind == TT_REPORT_EMPTY)
            g_string_append (out, "null");
          else if (cell->kind == TT_REPORT_TEXT)
            {
              g_autofree char *quoted = json_string (quoter, cell->text);
              g_string_append (out, quoted);
            }
          else
            tt_report_cell_for_programs (self, i, cell, out);
        }
      g_string_append_c (out, '}');
      tt_report_target_flush (target, FALSE);
    }
  tt_report_rows_clear (&rows);
  g_string_append (out, self->n_rows > 0 ? "\n]\n" : "]\n");
}
