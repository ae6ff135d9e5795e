#include "config.h"

#include "formats/neutrino-trace/toml.h"

#include "src/error.h"

#include <string.h>

struct _TtToml
{
  const char *path;
  const char *at, *end;
  guint line;
  TtTomlItem item;
  TtTomlValue *value;
};

/* -- values ------------------------------------------------------------------------------------------------ */

static void
value_free (gpointer data)
{
  TtTomlValue *value = data;

  if (value == NULL)
    return;
  g_free (value->text);
  g_clear_pointer (&value->items, g_ptr_array_unref);
  g_free (value);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTomlValue, value_free)

static void
clear_item (TtToml *self)
{
  for (guint i = 0; i < self->item.n_parts; i++)
    g_clear_pointer (&self->item.part[i], g_free);
  self->item.n_parts = 0;
  self->item.value = NULL;
  g_clear_pointer (&self->value, value_free);
}

static gboolean
fail (const TtToml *self, GError **error, const char *fault)
{
  if (error != NULL && *error == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s", self->path, self->line, fault);
  return FALSE;
}

/* -- characters --------------------------------------------------------------------------------------------- */

static int
peek (const TtToml *self)
{
  return self->at < self->end ? (guint8) *self->at : -1;
}

static gboolean
starts (const TtToml *self, const char *text)
{
  gsize len = strlen (text);

  return (gsize) (self->end - self->at) >= len && memcmp (self->at, text, len) == 0;
}

static void
skip_blanks (TtToml *self)
{
  while (peek (self) == ' ' || peek (self) == '\t')
    self->at++;
}

static void
skip_comment (TtToml *self)
{
  if (peek (self) == '#')
    while (self->at < self->end && *self->at != '\n')
      self->at++;
}

/* Blanks, comments and ends of lines. */
static void
skip_lines (TtToml *self)
{
  for (;;)
    {
      skip_blanks (self);
      skip_comment (self);
      if (peek (self) == '\n')
        self->line++;
      else if (!starts (self, "\r\n"))
        return;
      self->at++;
    }
}

static gboolean
end_line (TtToml *self, GError **error)
{
  skip_blanks (self);
  skip_comment (self);
  if (starts (self, "\r\n"))
    self->at++;
  if (self->at < self->end && *self->at != '\n')
    return fail (self, error, "more text where the line should end");
  return TRUE;
}

/* -- strings ------------------------------------------------------------------------------------------------- */

static gboolean
read_escape (TtToml *self, GString *text, GError **error)
{
  static const char from[] = "btnfre\"\\", to[] = "\b\t\n\f\r\033\"\\";
  int letter = peek (self);
  const char *found = letter > 0 ? strchr (from, letter) : NULL;
  guint n_digits = letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  guint32 code = 0;

  if (found != NULL)
    {
      g_string_append_c (text, to[found - from]);
      self->at++;
      return TRUE;
    }
  if (n_digits == 0)
    return fail (self, error, "a backslash that escapes nothing in a string");
  self->at++;
  for (guint i = 0; i < n_digits; i++, self->at++)
    {
      if (self->at == self->end || !g_ascii_isxdigit (*self->at))
        return fail (self, error, "\\u without its hexadecimal digits in a string");
      code = code << 4 | (guint32) g_ascii_xdigit_value (*self->at);
    }
  if (code == 0 || !g_unichar_validate (code))
    return fail (self, error, "\\u of no character in a string");
  g_string_append_unichar (text, code);
  return TRUE;
}

/* A backslash before the end of a line takes the blanks that follow away. */
static gboolean
skip_continuation (TtToml *self)
{
  const char *at = self->at;

  while (at < self->end && (*at == ' ' || *at == '\t' || *at == '\r'))
    at++;
  if (at == self->end || *at != '\n')
    return FALSE;
  for (; at < self->end && g_ascii_isspace (*at); at++)
    self->line += *at == '\n';
  self->at = at;
  return TRUE;
}

/* The quotes of the end may have one or two before them that belong to the text. */
static gboolean
ends_here (TtToml *self, const char *quotes, GString *text)
{
  if (!starts (self, quotes))
    return FALSE;
  self->at += strlen (quotes);
  for (guint i = 0; quotes[1] != '\0' && i < 2 && peek (self) == quotes[0]; i++, self->at++)
    g_string_append_c (text, quotes[0]);
  return TRUE;
}

static char *
read_string (TtToml *self, GError **error)
{
  static const char *const kinds[] = { "\"\"\"", "'''", "\"", "'" };
  g_autoptr (GString) text = g_string_new (NULL);
  const char *quotes = NULL;

  for (guint i = 0; quotes == NULL && i < G_N_ELEMENTS (kinds); i++)
    if (starts (self, kinds[i]))
      quotes = kinds[i];
  if (quotes == NULL)
    return fail (self, error, "a string is missing"), NULL;
  gboolean is_long = quotes[1] != '\0', has_escapes = quotes[0] == '"';
  self->at += strlen (quotes);
  if (is_long && starts (self, "\r\n"))
    self->at++;
  if (is_long && peek (self) == '\n')
    self->at++, self->line++;

  while (!ends_here (self, quotes, text))
    {
      int c = peek (self);
      if (c < 0 || (c == '\n' && !is_long))
        return fail (self, error, "a string is not closed"), NULL;
      if (c == 0)
        return fail (self, error, "a NUL byte in a string"), NULL;
      self->at++;
      self->line += c == '\n';
      if (c != '\\' || !has_escapes)
        g_string_append_c (text, (char) c);
      else if (!(is_long && skip_continuation (self)) && !read_escape (self, text, error))
        return NULL;
    }
  if (!g_utf8_validate (text->str, (gssize) text->len, NULL))
    return fail (self, error, "a string that is not UTF-8"), NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* -- keys ----------------------------------------------------------------------------------------------------- */

static char *
read_key_part (TtToml *self, GError **error)
{
  const char *from = self->at;

  if (peek (self) == '"' || peek (self) == '\'')
    return starts (self, "\"\"\"") || starts (self, "'''") ? (fail (self, error, "a key of several lines"), NULL)
                                                           : read_string (self, error);
  while (self->at < self->end && (g_ascii_isalnum (*self->at) || *self->at == '_' || *self->at == '-'))
    self->at++;
  if (self->at == from)
    return fail (self, error, "a key is missing"), NULL;
  return g_strndup (from, (gsize) (self->at - from));
}

/* Into the item. */
static gboolean
read_key (TtToml *self, GError **error)
{
  for (;;)
    {
      skip_blanks (self);
      if (self->item.n_parts == TT_TOML_DEEPEST)
        return fail (self, error, "a key of too many parts");
      char *part = read_key_part (self, error);
      if (part == NULL)
        return FALSE;
      self->item.part[self->item.n_parts++] = part;
      skip_blanks (self);
      if (peek (self) != '.')
        return TRUE;
      self->at++;
    }
}

/* -- numbers and words ------------------------------------------------------------------------------------- */

static gboolean
is_float (const char *word)
{
  const char *bare = word + (*word == '+' || *word == '-');

  if (g_str_equal (bare, "inf") || g_str_equal (bare, "nan"))
    return TRUE;
  if (!g_ascii_isdigit (*bare))
    return FALSE;
  char *end;
  g_ascii_strtod (bare, &end);
  return *end == '\0' && !g_str_has_prefix (bare, "0x");
}

static gboolean
is_integer (const char *word, gint64 *value)
{
  const char *digits = word + (*word == '+' || *word == '-');
  guint base = 10;
  guint64 number;

  if (g_str_has_prefix (word, "0x") || g_str_has_prefix (word, "0o") || g_str_has_prefix (word, "0b"))
    {
      base = word[1] == 'x' ? 16 : word[1] == 'o' ? 8 : 2;
      digits = word + 2;
    }
  if (!g_ascii_string_to_unsigned (digits, base, 0, *word == '-' ? (guint64) G_MAXINT64 + 1 : G_MAXINT64, &number,
                                   NULL))
    return FALSE;
  *value = *word == '-' ? (gint64) (0 - number) : (gint64) number;
  return TRUE;
}

static gboolean
read_word (TtToml *self, TtTomlValue *value, GError **error)
{
  g_autoptr (GString) word = g_string_new (NULL);

  for (; self->at < self->end && (g_ascii_isalnum (*self->at) || strchr ("+-._:", *self->at) != NULL); self->at++)
    if (*self->at == '\0')
      break;
    else if (*self->at != '_')
      g_string_append_c (word, *self->at);
  if (word->len == 0)
    return fail (self, error, "a value is missing");

  if (g_str_equal (word->str, "true") || g_str_equal (word->str, "false"))
    {
      value->kind = TT_TOML_BOOLEAN;
      value->integer = word->str[0] == 't';
    }
  else if (is_integer (word->str, &value->integer))
    value->kind = TT_TOML_INTEGER;
  else if (is_float (word->str))
    {
      value->kind = TT_TOML_FLOAT;
      value->text = g_strdup (word->str);
    }
  else
    {
      g_autofree char *fault = g_strdup_printf ("'%.60s' is no value that is understood here", word->str);
      return fail (self, error, fault);
    }
  return TRUE;
}

/* -- values that hold others --------------------------------------------------------------------------------- */

static TtTomlValue *read_value (TtToml *self, guint depth, GError **error);

static gboolean
read_array (TtToml *self, TtTomlValue *array, guint depth, GError **error)
{
  array->kind = TT_TOML_ARRAY;
  array->items = g_ptr_array_new_with_free_func (value_free);
  for (self->at++;;)
    {
      skip_lines (self);
      if (peek (self) == ']')
        break;
      TtTomlValue *item = read_value (self, depth + 1, error);
      if (item == NULL)
        return FALSE;
      g_ptr_array_add (array->items, item);
      skip_lines (self);
      if (peek (self) == ',')
        self->at++;
      else if (peek (self) != ']')
        return fail (self, error, "',' or ']' is missing in an array");
    }
  self->at++;
  return TRUE;
}

static gboolean
read_inline_table (TtToml *self, TtTomlValue *table, guint depth, GError **error)
{
  table->kind = TT_TOML_INLINE_TABLE;
  for (self->at++;;)
    {
      skip_blanks (self);
      if (peek (self) == '}')
        break;
      g_autofree char *key = read_key_part (self, error);
      if (key == NULL)
        return FALSE;
      skip_blanks (self);
      if (peek (self) != '=')
        return fail (self, error, "'=' is missing in an inline table");
      self->at++;
      g_autoptr (TtTomlValue) value = read_value (self, depth + 1, error);
      if (value == NULL)
        return FALSE;
      skip_blanks (self);
      if (peek (self) == ',')
        self->at++;
      else if (peek (self) != '}')
        return fail (self, error, "',' or '}' is missing in an inline table");
    }
  self->at++;
  return TRUE;
}

static TtTomlValue *
read_value (TtToml *self, guint depth, GError **error)
{
  g_autoptr (TtTomlValue) value = g_new0 (TtTomlValue, 1);
  gboolean is_read;

  if (depth >= TT_TOML_DEEPEST)
    return fail (self, error, "values are nested too deep"), NULL;
  skip_blanks (self);
  switch (peek (self))
    {
    case '"':
    case '\'':
      value->kind = TT_TOML_STRING;
      value->text = read_string (self, error);
      is_read = value->text != NULL;
      break;
    case '[':
      is_read = read_array (self, value, depth, error);
      break;
    case '{':
      is_read = read_inline_table (self, value, depth, error);
      break;
    default:
      is_read = read_word (self, value, error);
    }
  return is_read ? g_steal_pointer (&value) : NULL;
}

/* -- items --------------------------------------------------------------------------------------------------- */

static gboolean
read_header (TtToml *self, GError **error)
{
  gboolean is_array = starts (self, "[[");

  self->item.is_table = TRUE;
  self->at += is_array ? 2 : 1;
  if (!read_key (self, error))
    return FALSE;
  if (!starts (self, is_array ? "]]" : "]"))
    return fail (self, error, "']' is missing behind the name of a table");
  self->at += is_array ? 2 : 1;
  return end_line (self, error);
}

static gboolean
read_pair (TtToml *self, GError **error)
{
  self->item.is_table = FALSE;
  if (!read_key (self, error))
    return FALSE;
  if (peek (self) != '=')
    return fail (self, error, "'=' is missing behind a key");
  self->at++;
  self->value = read_value (self, 0, error);
  self->item.value = self->value;
  return self->value != NULL && end_line (self, error);
}

const TtTomlItem *
tt_toml_next (TtToml *self, GError **error)
{
  clear_item (self);
  skip_lines (self);
  if (self->at == self->end)
    return NULL;
  self->item.line = self->line;
  return (peek (self) == '[' ? read_header (self, error) : read_pair (self, error)) ? &self->item : NULL;
}

TtToml *
tt_toml_new (const char *path, const char *text, gsize len, GError **error)
{
  if (len > TT_TOML_MOST_BYTES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %" G_GSIZE_FORMAT " bytes are too many for a TOML file", path,
                   len);
      return NULL;
    }
  TtToml *self = g_new0 (TtToml, 1);

  self->path = path;
  self->at = text;
  self->end = text + len;
  self->line = 1;
  if (starts (self, "\xef\xbb\xbf"))
    self->at += 3;
  return self;
}

void
tt_toml_free (TtToml *self)
{
  if (self == NULL)
    return;
  clear_item (self);
  g_free (self);
}
