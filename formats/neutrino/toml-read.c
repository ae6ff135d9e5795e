/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/toml-read.h"

#include "src/base/error.h"

#include <string.h>

#define MOST_NESTED 32u

typedef struct
{
  const char *at, *end;
  guint line, n_nested;
  const char *why; /* what is wrong, once something is */
} Reader;

static TtNlTomlValue *read_value (Reader *self);

/* -- memory ----------------------------------------------------------------------------------------- */

static void
free_value (gpointer data)
{
  TtNlTomlValue *value = data;

  g_free (value->key);
  g_free (value->text);
  if (value->items != NULL)
    g_ptr_array_unref (value->items);
  g_free (value);
}

static void
free_table (gpointer data)
{
  TtNlTomlTable *table = data;

  g_strfreev (table->path);
  g_ptr_array_unref (table->entries);
  g_free (table);
}

void
tt_nl_toml_free (TtNlToml *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->tables);
  g_free (self);
}

static TtNlTomlValue *
new_value (const Reader *self, TtNlTomlKind kind)
{
  TtNlTomlValue *value = g_new0 (TtNlTomlValue, 1);

  value->kind = kind;
  value->line = self->line;
  if (kind == TT_NL_TOML_ARRAY || kind == TT_NL_TOML_TABLE)
    value->items = g_ptr_array_new_with_free_func (free_value);
  return value;
}

static TtNlTomlTable *
add_table (TtNlToml *toml, const Reader *reader, char **path)
{
  TtNlTomlTable *table = g_new0 (TtNlTomlTable, 1);

  table->path = path;
  table->line = reader->line;
  table->entries = g_ptr_array_new_with_free_func (free_value);
  g_ptr_array_add (toml->tables, table);
  return table;
}

/* -- characters --------------------------------------------------------------------------------------- */

static gboolean
fail_here (Reader *self, const char *why)
{
  if (self->why == NULL)
    self->why = why;
  return FALSE;
}

static char
peek_char (const Reader *self)
{
  return self->at < self->end ? *self->at : '\0';
}

static gboolean
starts (const Reader *self, const char *text)
{
  gsize len = strlen (text);

  return (gsize) (self->end - self->at) >= len && memcmp (self->at, text, len) == 0;
}

static gboolean
accept_text (Reader *self, const char *text)
{
  if (!starts (self, text))
    return FALSE;
  self->at += strlen (text);
  return TRUE;
}

/* Blanks and a comment; line ends too if @lines. */
static void
skip_space (Reader *self, gboolean lines)
{
  for (; self->at < self->end; self->at++)
    if (*self->at == '#')
      {
        while (self->at + 1 < self->end && self->at[1] != '\n')
          self->at++;
      }
    else if (*self->at == '\n' && lines)
      self->line++;
    else if (*self->at != ' ' && *self->at != '\t' && *self->at != '\r')
      break;
}

/* -- strings ------------------------------------------------------------------------------------------ */

static gboolean
read_unicode (Reader *self, guint n_digits, GString *text)
{
  gunichar code = 0;

  for (guint i = 0; i < n_digits; i++, self->at++)
    {
      int digit = g_ascii_xdigit_value (peek_char (self));
      if (digit < 0)
        return fail_here (self, "an escape lacks digits");
      code = code << 4 | (gunichar) digit;
    }
  if (code == 0 || !g_unichar_validate (code))
    return fail_here (self, "an escape is no character");
  g_string_append_unichar (text, code);
  return TRUE;
}

/* Behind a backslash. */
static gboolean
read_escape (Reader *self, gboolean is_multiline, GString *text)
{
  static const char letters[] = "btnfre\"\\", meanings[] = "\b\t\n\f\r\033\"\\";
  char letter = peek_char (self);
  const char *found = letter == '\0' ? NULL : strchr (letters, letter);

  if (found != NULL)
    g_string_append_c (text, meanings[found - letters]);
  else if (is_multiline && (letter == '\n' || letter == '\r' || letter == ' ' || letter == '\t'))
    {
      for (; g_ascii_isspace (peek_char (self)); self->at++)
        self->line += peek_char (self) == '\n';
      return TRUE;
    }
  self->at++;
  if (found != NULL)
    return TRUE;
  return letter == 'u' || letter == 'U' ? read_unicode (self, letter == 'u' ? 4 : 8, text)
                                        : fail_here (self, "an escape is unknown");
}

static char *
read_string (Reader *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *quote = starts (self, "\"\"\"") ? "\"\"\""
                      : starts (self, "'''")  ? "'''"
                      : peek_char (self) == '"'    ? "\""
                                              : "'";
  gboolean is_multiline = quote[1] != '\0', is_basic = *quote == '"';

  accept_text (self, quote);
  if (is_multiline && (accept_text (self, "\n") || accept_text (self, "\r\n")))
    self->line++;
  while (self->at < self->end)
    {
      /* Of more quotes than end it the last do. */
      if (starts (self, quote) && !(is_multiline && self->at + 3 < self->end && self->at[3] == *quote))
        {
          accept_text (self, quote);
          return g_string_free (g_steal_pointer (&text), FALSE);
        }
      if (*self->at == '\n' && !is_multiline)
        break;
      self->line += *self->at == '\n';
      if (*self->at == '\\' && is_basic)
        {
          self->at++;
          if (!read_escape (self, is_multiline, text))
            return NULL;
        }
      else
        g_string_append_c (text, *self->at++);
    }
  fail_here (self, "a string does not end");
  return NULL;
}

/* -- keys ------------------------------------------------------------------------------------------------ */

static gboolean
is_bare (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-';
}

/* The parts of a dotted key. NULL-ended; NULL: an error. */
static char **
read_key (Reader *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  do
    {
      const char *start;

      skip_space (self, FALSE);
      start = self->at;
      if (peek_char (self) == '"' || peek_char (self) == '\'')
        {
          char *part = read_string (self);
          if (part == NULL)
            return NULL;
          g_ptr_array_add (parts, part);
        }
      else
        {
          while (is_bare (peek_char (self)))
            self->at++;
          if (self->at == start)
            {
              fail_here (self, "a key is missing");
              return NULL;
            }
          g_ptr_array_add (parts, g_strndup (start, (gsize) (self->at - start)));
        }
      skip_space (self, FALSE);
    }
  while (accept_text (self, "."));
  g_ptr_array_add (parts, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&parts), FALSE);
}

/* -- values ------------------------------------------------------------------------------------------------ */

/* A word of letters, digits and the signs of numbers. */
static TtNlTomlValue *
read_word (Reader *self)
{
  const char *start = self->at;
  TtNlTomlValue *value;
  char *end;

  while (is_bare (peek_char (self)) || peek_char (self) == '+' || peek_char (self) == '.' || peek_char (self) == ':')
    self->at++;
  if (self->at == start)
    {
      fail_here (self, "a value is missing");
      return NULL;
    }
  value = new_value (self, TT_NL_TOML_OTHER);
  value->text = g_strndup (start, (gsize) (self->at - start));
  if (g_str_equal (value->text, "true") || g_str_equal (value->text, "false"))
    {
      value->kind = TT_NL_TOML_BOOLEAN;
      value->number = *value->text == 't';
      return value;
    }
  g_auto (GStrv) digits = g_strsplit (value->text, "_", -1);
  g_autofree char *joined = g_strjoinv ("", digits);
  gboolean is_based = g_str_has_prefix (joined, "0x");
  value->number = g_ascii_strtoll (joined, &end, is_based ? 16 : 10);
  if (*joined != '\0' && *end == '\0')
    value->kind = TT_NL_TOML_INTEGER;
  return value;
}

static gboolean
read_entry (Reader *self, gboolean is_inline, GPtrArray *entries)
{
  g_auto (GStrv) parts = read_key (self);
  TtNlTomlValue *value;

  if (parts == NULL)
    return FALSE;
  if (!accept_text (self, "=") && !(is_inline && accept_text (self, ":")))
    return fail_here (self, "'=' is missing after a key");
  skip_space (self, FALSE);
  if ((value = read_value (self)) == NULL)
    return FALSE;
  value->key = g_strjoinv (".", parts);
  g_ptr_array_add (entries, value);
  return TRUE;
}

/* Behind the bracket that opens it. */
static gboolean
read_items (Reader *self, const char *closing, TtNlTomlValue *list)
{
  gboolean is_table = list->kind == TT_NL_TOML_TABLE;

  for (;;)
    {
      skip_space (self, TRUE);
      if (accept_text (self, closing))
        return TRUE;
      if (is_table)
        {
          if (!read_entry (self, TRUE, list->items))
            return FALSE;
        }
      else
        {
          TtNlTomlValue *item = read_value (self);
          if (item == NULL)
            return FALSE;
          g_ptr_array_add (list->items, item);
        }
      skip_space (self, TRUE);
      if (!accept_text (self, ",") && !starts (self, closing))
        return fail_here (self, "',' or the end of a list is missing");
    }
}

static TtNlTomlValue *
read_list (Reader *self, TtNlTomlKind kind, const char *closing)
{
  TtNlTomlValue *list = new_value (self, kind);

  self->at++;
  if (self->n_nested == MOST_NESTED)
    fail_here (self, "lists are nested too deeply");
  self->n_nested++;
  if (self->why == NULL && read_items (self, closing, list))
    {
      self->n_nested--;
      return list;
    }
  free_value (list);
  return NULL;
}

static TtNlTomlValue *
read_value (Reader *self)
{
  if (peek_char (self) == '"' || peek_char (self) == '\'')
    {
      TtNlTomlValue *value = new_value (self, TT_NL_TOML_STRING);

      if ((value->text = read_string (self)) != NULL)
        return value;
      free_value (value);
      return NULL;
    }
  if (peek_char (self) == '[')
    return read_list (self, TT_NL_TOML_ARRAY, "]");
  if (peek_char (self) == '{')
    return read_list (self, TT_NL_TOML_TABLE, "}");
  return read_word (self);
}

/* -- lines --------------------------------------------------------------------------------------------------- */

static gboolean
read_header (Reader *self, TtNlToml *toml)
{
  char **path;

  if (starts (self, "[["))
    return fail_here (self, "arrays of tables are not supported");
  self->at++;
  if ((path = read_key (self)) == NULL)
    return FALSE;
  add_table (toml, self, path);
  return accept_text (self, "]") || fail_here (self, "']' is missing after the name of a table");
}

static gboolean
read_line (Reader *self, TtNlToml *toml)
{
  TtNlTomlTable *last = tt_nl_toml_table (toml, toml->tables->len - 1);

  if (peek_char (self) == '[' ? !read_header (self, toml) : !read_entry (self, FALSE, last->entries))
    return FALSE;
  skip_space (self, FALSE);
  return self->at == self->end || peek_char (self) == '\n' || fail_here (self, "the line goes on after its end");
}

TtNlToml *
tt_nl_toml_read (const char *name, const char *text, gsize len, GError **error)
{
  g_autoptr (TtNlToml) self = g_new0 (TtNlToml, 1);
  Reader reader = { .at = text, .end = text + len, .line = 1 };
  const char *bad = NULL;

  self->tables = g_ptr_array_new_with_free_func (free_table);
  add_table (self, &reader, g_new0 (char *, 1));
  if (len > TT_NL_TOML_MAX_BYTES)
    fail_here (&reader, "the file is larger than 4 MiB");
  else if (!g_utf8_validate_len (text, len, &bad))
    fail_here (&reader, "a byte is not UTF-8");
  for (const char *c = text; reader.why != NULL && bad != NULL && c < bad; c++)
    reader.line += *c == '\n';
  while (reader.why == NULL)
    {
      skip_space (&reader, TRUE);
      if (reader.at == reader.end || !read_line (&reader, self))
        break;
    }
  if (reader.why == NULL)
    return g_steal_pointer (&self);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s", name, reader.line, reader.why);
  return NULL;
}

const TtNlTomlValue *
tt_nl_toml_find (const TtNlTomlTable *table, const char *key)
{
  for (guint i = 0; i < table->entries->len; i++)
    {
      const TtNlTomlValue *value = g_ptr_array_index (table->entries, i);

      if (g_str_equal (value->key, key))
        return value;
    }
  return NULL;
}

const char *
tt_nl_toml_text (const TtNlTomlTable *table, const char *key)
{
  const TtNlTomlValue *value = tt_nl_toml_find (table, key);

  return value != NULL && value->kind == TT_NL_TOML_STRING ? value->text : NULL;
}
