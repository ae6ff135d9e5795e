/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/json.h"

#include <string.h>

#define MAX_DEPTH 64u
#define MAX_VALUES (1u << 22)
#define BLOCK_VALUES 512u

struct _TtCtfJsonDocument
{
  const char *text;
  gsize at, until;
  guint depth, n_values;
  guint n_used; /* of the last block */
  GPtrArray *blocks;
  GStringChunk *texts;
  GString *buffer;
  TtCtfJson *root;
  char *fault;
};

static TtCtfJson *read_value (TtCtfJsonDocument *self);

const char *
tt_ctf_json_kind_name (TtCtfJsonKind kind)
{
  static const char *const names[] = { "null",   "true or false", "an integer", "a real number",
                                       "a text", "an array",      "an object" };

  return names[kind];
}

static gpointer
fail (TtCtfJsonDocument *self, const char *why)
{
  if (self->fault == NULL)
    self->fault = g_strdup_printf ("byte %" G_GSIZE_FORMAT ": %s", self->at, why);
  return NULL;
}

static TtCtfJson *
new_value (TtCtfJsonDocument *self, TtCtfJsonKind kind)
{
  if (self->n_values++ >= MAX_VALUES)
    return fail (self, "a fragment of more than 4,194,304 values");
  if (self->blocks->len == 0 || self->n_used == BLOCK_VALUES)
    {
      g_ptr_array_add (self->blocks, g_new0 (TtCtfJson, BLOCK_VALUES));
      self->n_used = 0;
    }
  TtCtfJson *value = (TtCtfJson *) self->blocks->pdata[self->blocks->len - 1] + self->n_used++;
  value->kind = kind;
  value->at = self->at;
  return value;
}

static void
skip_space (TtCtfJsonDocument *self)
{
  while (self->at < self->until && strchr (" \t\r\n", self->text[self->at]) != NULL)
    self->at++;
}

/* 0: the fragment ends. */
static char
peek (TtCtfJsonDocument *self)
{
  skip_space (self);
  return self->at < self->until ? self->text[self->at] : '\0';
}

/* -- texts ---------------------------------------------------------------------------------------------------------- */

static gboolean
read_hex (TtCtfJsonDocument *self, gunichar *unit)
{
  *unit = 0;
  for (guint i = 0; i < 4; i++)
    {
      int digit = self->at < self->until ? g_ascii_xdigit_value (self->text[self->at]) : -1;

      if (digit < 0)
        return fail (self, "four hexadecimal digits expected after \\u") != NULL;
      *unit = *unit << 4 | (gunichar) digit;
      self->at++;
    }
  return TRUE;
}

static gboolean
is_high (gunichar unit)
{
  return unit >= 0xd800 && unit < 0xdc00;
}

static gboolean
read_unicode (TtCtfJsonDocument *self)
{
  gunichar unit, low;

  if (!read_hex (self, &unit))
    return FALSE;
  if (is_high (unit) && self->until - self->at > 2 && memcmp (self->text + self->at, "\\u", 2) == 0)
    {
      self->at += 2;
      if (!read_hex (self, &low))
        return FALSE;
      unit = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : 0xd800;
    }
  if (unit == 0 || (unit >= 0xd800 && unit < 0xe000))
    return fail (self, unit == 0 ? "a NUL in a text" : "half of a pair of surrogates in a text") != NULL;
  g_string_append_unichar (self->buffer, unit);
  return TRUE;
}

static gboolean
read_escape (TtCtfJsonDocument *self)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char letter = ++self->at < self->until ? self->text[self->at] : '\0';
  const char *found = letter == '\0' ? NULL : strchr (from, letter);

  if (found == NULL && letter != 'u')
    return fail (self, "no escape of JSON") != NULL;
  self->at++;
  if (letter == 'u')
    return read_unicode (self);
  g_string_append_c (self->buffer, to[found - from]);
  return TRUE;
}

/* After its first quote. */
static const char *
read_text (TtCtfJsonDocument *self)
{
  g_string_truncate (self->buffer, 0);
  for (self->at++;;)
    {
      gsize begin = self->at;

      while (self->at < self->until && (guchar) self->text[self->at] >= 0x20 && self->text[self->at] != '"' &&
             self->text[self->at] != '\\')
        self->at++;
      g_string_append_len (self->buffer, self->text + begin, (gssize) (self->at - begin));
      if (self->at >= self->until || (guchar) self->text[self->at] < 0x20)
        return fail (self, "a text without an end");
      if (self->text[self->at] == '"')
        break;
      if (!read_escape (self))
        return NULL;
    }
  if (!g_utf8_validate_len (self->buffer->str, self->buffer->len, NULL))
    return fail (self, "a text that is not UTF-8 ends");
  self->at++;
  return g_string_chunk_insert_len (self->texts, self->buffer->str, (gssize) self->buffer->len);
}

/* -- numbers and words ---------------------------------------------------------------------------------------------- */

static gsize
count_digits (TtCtfJsonDocument *self)
{
  gsize n = 0;

  for (; self->at < self->until && g_ascii_isdigit (self->text[self->at]); self->at++)
    n++;
  return n;
}

static gboolean
skip_one_of (TtCtfJsonDocument *self, const char *letters)
{
  if (self->at >= self->until || self->text[self->at] == '\0' || strchr (letters, self->text[self->at]) == NULL)
    return FALSE;
  self->at++;
  return TRUE;
}

/* The digits from @from on; FALSE: too large. */
static gboolean
take_integer (TtCtfJson *value, const char *from, gsize n)
{
  guint64 number = 0;

  for (gsize i = 0; i < n; i++)
    if (__builtin_mul_overflow (number, (guint64) 10, &number) ||
        __builtin_add_overflow (number, (guint64) (from[i] - '0'), &number))
      return FALSE;
  if (value->is_negative && number > (guint64) G_MAXINT64 + 1)
    return FALSE;
  value->is_negative &= number > 0;
  value->number = value->is_negative ? 0 - number : number;
  return TRUE;
}

static TtCtfJson *
read_number (TtCtfJsonDocument *self)
{
  TtCtfJson *value = new_value (self, TT_CTF_JSON_INTEGER);
  const char *digits;
  gsize n;

  if (value == NULL)
    return NULL;
  value->is_negative = skip_one_of (self, "-");
  digits = self->text + self->at;
  n = count_digits (self);
  if (n == 0 || (n > 1 && *digits == '0'))
    return fail (self, "no value of JSON");
  if (!take_integer (value, digits, n))
    value->kind = TT_CTF_JSON_REAL;
  if (skip_one_of (self, "."))
    {
      value->kind = TT_CTF_JSON_REAL;
      if (count_digits (self) == 0)
        return fail (self, "a digit expected");
    }
  if (skip_one_of (self, "eE"))
    {
      value->kind = TT_CTF_JSON_REAL;
      skip_one_of (self, "+-");
      if (count_digits (self) == 0)
        return fail (self, "a digit expected");
    }
  return value;
}

static TtCtfJson *
read_word (TtCtfJsonDocument *self)
{
  static const char *const words[] = { "null", "true", "false" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (self->until - self->at >= strlen (words[i]) && memcmp (self->text + self->at, words[i], strlen (words[i])) == 0)
      {
        TtCtfJson *value = new_value (self, i == 0 ? TT_CTF_JSON_NULL : TT_CTF_JSON_BOOLEAN);

        if (value != NULL)
          value->is_true = i == 1;
        self->at += strlen (words[i]);
        return value;
      }
  return fail (self, "no value of JSON");
}

/* -- compounds ------------------------------------------------------------------------------------------------------ */

static const char *
read_key (TtCtfJsonDocument *self)
{
  const char *key;

  if (peek (self) != '"')
    return fail (self, "the name of a member expected");
  key = read_text (self);
  if (key == NULL)
    return NULL;
  if (peek (self) != ':')
    return fail (self, "':' expected");
  self->at++;
  return key;
}

/* What stands between its brackets. */
static gboolean
read_inside (TtCtfJsonDocument *self, TtCtfJson *value)
{
  char close = value->kind == TT_CTF_JSON_ARRAY ? ']' : '}';
  TtCtfJson **end = &value->first;

  self->at++;
  if (peek (self) == close)
    return TRUE;
  for (;;)
    {
      const char *key = value->kind == TT_CTF_JSON_ARRAY ? NULL : read_key (self);
      TtCtfJson *next = value->kind == TT_CTF_JSON_OBJECT && key == NULL ? NULL : read_value (self);

      if (next == NULL)
        return FALSE;
      next->key = key;
      value->n++;
      *end = next;
      end = &next->next;
      if (peek (self) == close)
        return TRUE;
      if (peek (self) != ',')
        return fail (self, close == ']' ? "',' or ']' expected" : "',' or '}' expected") != NULL;
      self->at++;
    }
}

static TtCtfJson *
read_compound (TtCtfJsonDocument *self, TtCtfJsonKind kind)
{
  TtCtfJson *value = new_value (self, kind);

  if (value == NULL)
    return NULL;
  if (++self->depth > MAX_DEPTH)
    return fail (self, "values are nested too deep");
  if (!read_inside (self, value))
    return NULL;
  self->depth--;
  self->at++;
  return value;
}

static TtCtfJson *
read_value (TtCtfJsonDocument *self)
{
  char letter = peek (self);

  if (letter == '{')
    return read_compound (self, TT_CTF_JSON_OBJECT);
  if (letter == '[')
    return read_compound (self, TT_CTF_JSON_ARRAY);
  if (letter == '"')
    {
      TtCtfJson *value = new_value (self, TT_CTF_JSON_TEXT);

      if (value == NULL || (value->text = read_text (self)) == NULL)
        return NULL;
      return value;
    }
  return letter == '-' || g_ascii_isdigit (letter) ? read_number (self) : read_word (self);
}

TtCtfJsonDocument *
tt_ctf_json_read (const char *text, gsize from, gsize until, char **why)
{
  g_autoptr (TtCtfJsonDocument) self = g_new0 (TtCtfJsonDocument, 1);

  *why = NULL;
  self->text = text;
  self->at = from;
  self->until = until;
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->texts = g_string_chunk_new (4096);
  self->buffer = g_string_new (NULL);
  self->root = read_value (self);
  if (self->root != NULL && peek (self) != '\0')
    self->root = fail (self, "more than one value in a fragment");
  if (self->root != NULL)
    return g_steal_pointer (&self);
  *why = g_steal_pointer (&self->fault);
  return NULL;
}

void
tt_ctf_json_free (TtCtfJsonDocument *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  g_string_chunk_free (self->texts);
  g_string_free (self->buffer, TRUE);
  g_free (self->fault);
  g_free (self);
}

const TtCtfJson *
tt_ctf_json_root (const TtCtfJsonDocument *self)
{
  return self->root;
}

const TtCtfJson *
tt_ctf_json_member (const TtCtfJson *value, const char *key)
{
  if (value->kind == TT_CTF_JSON_OBJECT)
    for (const TtCtfJson *member = value->first; member != NULL; member = member->next)
      if (strcmp (member->key, key) == 0)
        return member;
  return NULL;
}
