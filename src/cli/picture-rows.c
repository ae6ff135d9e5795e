/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/picture-rows.h"

#include <string.h>

#define START " data-"
/* Longer ones are text: they would not fit. */
#define MAX_DIGITS 37u

typedef void (*Found) (const char *key, gsize key_len, const char *value, gsize value_len, gpointer data);

/* Gives the attributes of the next shape that has some, and moves *@svg behind it. FALSE: there is none. */
static gboolean
each_attribute (const char **svg, Found found, gpointer data)
{
  const char *tag = *svg, *end = NULL, *at = NULL;

  /* What texts have of < and > is escaped. */
  while (at == NULL && (tag = strchr (tag, '<')) != NULL && (end = strchr (tag, '>')) != NULL)
    {
      at = g_strstr_len (tag, end - tag, START);
      tag = end;
    }
  if (at == NULL)
    return FALSE;
  while (at != NULL)
    {
      const char *key = at + strlen (START), *equal = strchr (key, '='), *value = equal + 2,
                 *quote = strchr (value, '"');

      found (key, (gsize) (equal - key), value, (gsize) (quote - value), data);
      at = g_strstr_len (quote, end - quote, START);
    }
  *svg = end;
  return TRUE;
}

/* -- columns ---------------------------------------------------------------------------------------------- */

static guint
find_column (const GPtrArray *columns, const char *key, gsize len)
{
  guint i = 0;

  while (i < columns->len && (strlen (columns->pdata[i]) != len || strncmp (columns->pdata[i], key, len) != 0))
    i++;
  return i;
}

static void
note_column (const char *key, gsize key_len, const char *value, gsize value_len, gpointer data)
{
  GPtrArray *columns = data;

  (void) value;
  (void) value_len;
  if (find_column (columns, key, key_len) == columns->len)
    g_ptr_array_add (columns, g_strndup (key, key_len));
}

/* Names of rows and series, which may look like numbers. */
static gboolean
is_name (const char *key)
{
  static const char *const names[] = { "row", "part", "lane", "name", "series", "setting", "src", "dst" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], key))
      return TRUE;
  return FALSE;
}

/* -- values ----------------------------------------------------------------------------------------------- */

typedef struct
{
  const GPtrArray *columns;
  const char **values; /* by column; NULL: it has none */
  gsize *lengths;
} Row;

static void
take_value (const char *key, gsize key_len, const char *value, gsize value_len, gpointer data)
{
  Row *self = data;
  guint column = find_column (self->columns, key, key_len);

  self->values[column] = value;
  self->lengths[column] = value_len;
}

static char *
unescape (const char *value, gsize len)
{
  static const struct
  {
    const char *code;
    char c;
  } codes[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&#39;", '\'' } };
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < len;)
    {
      guint found = 0;

      while (found < G_N_ELEMENTS (codes) && strncmp (value + i, codes[found].code, strlen (codes[found].code)) != 0)
        found++;
      g_string_append_c (text, found < G_N_ELEMENTS (codes) ? codes[found].c : value[i]);
      i += found < G_N_ELEMENTS (codes) ? strlen (codes[found].code) : 1;
    }
  return g_string_free (text, FALSE);
}

static gboolean
read_integer (const char *value, gsize len, tt_int128 *number)
{
  gsize sign = *value == '-' ? 1 : 0;

  *number = 0;
  if (len == sign || len - sign > MAX_DIGITS || strspn (value + sign, "0123456789") != len - sign)
    return FALSE;
  for (gsize i = sign; i < len; i++)
    *number = *number * 10 + (value[i] - '0');
  *number = sign > 0 ? -*number : *number;
  return TRUE;
}

static void
add_value (TtReport *report, const char *key, const char *value, gsize len)
{
  tt_int128 number;

  if (value == NULL)
    tt_report_empty (report);
  else if (!is_name (key) && read_integer (value, len, &number))
    tt_report_int128 (report, number);
  else
    {
      g_autofree char *text = unescape (value, len);
      tt_report_text (report, text);
    }
}

guint
tt_picture_rows (const char *svg, TtReport *report)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  const char *at = svg;
  guint n = 0;

  while (each_attribute (&at, note_column, columns))
    ;
  for (guint i = 0; i < columns->len; i++)
    tt_report_column (report, TT_COLUMN_VALUE, columns->pdata[i], columns->pdata[i]);
  g_autofree const char **values = g_new0 (const char *, columns->len + 1);
  g_autofree gsize *lengths = g_new0 (gsize, columns->len + 1);
  Row row = { columns, values, lengths };
  for (at = svg;; n++)
    {
      memset (values, 0, columns->len * sizeof *values);
      if (!each_attribute (&at, take_value, &row))
        return n;
      for (guint i = 0; i < columns->len; i++)
        add_value (report, columns->pdata[i], values[i], lengths[i]);
    }
}
