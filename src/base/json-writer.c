/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/json-writer.h"

#include <math.h>

#include "src/base/output.h"

void
tt_json_writer_init (TtJsonWriter *self, GString *text)
{
  *self = (TtJsonWriter){ .text = text };
}

/* Nothing in it is to be escaped, as in most keys and names; @len: of it. */
static gboolean
is_plain (const char *value, gsize *len)
{
  const char *at = value;

  while (*at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\')
    at++;
  *len = (gsize) (at - value);
  return *at == '\0';
}

static void
append_string (GString *text, const char *value)
{
  gsize len;

  if (value != NULL && is_plain (value, &len))
    {
      g_string_append_c (text, '"');
      g_string_append_len (text, value, (gssize) len);
      g_string_append_c (text, '"');
      return;
    }
  g_autoptr (TtOutput) quoter = tt_output_open_memory ();

  tt_output_json_string (quoter, value);

  GString *quoted = tt_output_steal_text (quoter);
  g_string_append_len (text, quoted->str, (gssize) quoted->len);
  g_string_free (quoted, TRUE);
}

/* The comma, the line break and the key before a value. */
static void
write_key (TtJsonWriter *self, const char *key)
{
  if (self->depth > 0)
    {
      gboolean is_line = self->levels[self->depth - 1].is_line;

      if (self->levels[self->depth - 1].has_members)
        g_string_append (self->text, is_line ? ", " : ",\n");
      else if (!is_line)
        g_string_append_c (self->text, '\n');
      self->levels[self->depth - 1].has_members = TRUE;
    }
  if (key != NULL)
    {
      append_string (self->text, key);
      g_string_append (self->text, ": ");
    }
}

static void
open_level (TtJsonWriter *self, const char *key, char open, char close, gboolean is_line)
{
  g_return_if_fail (self->depth < TT_JSON_WRITER_MAX_DEPTH);
  g_return_if_fail (is_line || self->depth == 0 || !self->levels[self->depth - 1].is_line);

  write_key (self, key);
  g_string_append_c (self->text, open);
  self->levels[self->depth].close = close;
  self->levels[self->depth].is_line = is_line;
  self->levels[self->depth].has_members = FALSE;
  self->depth++;
}

void
tt_json_writer_open_object (TtJsonWriter *self, const char *key)
{
  open_level (self, key, '{', '}', FALSE);
}

void
tt_json_writer_open_object_line (TtJsonWriter *self, const char *key)
{
  open_level (self, key, '{', '}', TRUE);
}

void
tt_json_writer_open_array (TtJsonWriter *self, const char *key)
{
  open_level (self, key, '[', ']', FALSE);
}

void
tt_json_writer_open_array_line (TtJsonWriter *self, const char *key)
{
  open_level (self, key, '[', ']', TRUE);
}

void
tt_json_writer_close (TtJsonWriter *self)
{
  g_return_if_fail (self->depth > 0);

  self->depth--;
  if (!self->levels[self->depth].is_line && self->levels[self->depth].has_members)
    g_string_append_c (self->text, '\n');
  g_string_append_c (self->text, self->levels[self->depth].close);
}

void
tt_json_writer_string (TtJsonWriter *self, const char *key, const char *value)
{
  write_key (self, key);
  if (value == NULL)
    g_string_append (self->text, "null");
  else
    append_string (self->text, value);
}

void
tt_json_writer_int (TtJsonWriter *self, const char *key, gint64 value)
{
  write_key (self, key);
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT, value);
}

void
tt_json_writer_uint (TtJsonWriter *self, const char *key, guint64 value)
{
  write_key (self, key);
  g_string_append_printf (self->text, "%" G_GUINT64_FORMAT, value);
}

void
tt_json_writer_bool (TtJsonWriter *self, const char *key, gboolean value)
{
  write_key (self, key);
  g_string_append (self->text, value ? "true" : "false");
}

void
tt_json_writer_double (TtJsonWriter *self, const char *key, double value, int digits)
{
  write_key (self, key);
  if (isfinite (value))
    g_string_append_printf (self->text, "%.*f", digits, value);
  else
    g_string_append (self->text, "null");
}

void
tt_json_writer_real (TtJsonWriter *self, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  write_key (self, key);
  for (int digits = 15; digits <= 17; digits++)
    {
      g_snprintf (text, sizeof text, "%.*g", digits, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  g_string_append (self->text, isfinite (value) ? text : "null");
}

void
tt_json_writer_raw (TtJsonWriter *self, const char *key, const char *json)
{
  write_key (self, key);
  g_string_append (self->text, json);
}
