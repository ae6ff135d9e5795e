/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner.h"

#include <string.h>

/*
 * From what the scanner takes to what every reader takes: commas where they belong, strings without raw control
 * characters and bytes that are not UTF-8, numbers as the grammar has them. What is no number there becomes a string.
 */

#define DEEPEST 1024

typedef struct
{
  const char *at, *end;
  GString *to;
  guint depth;
  guint64 is_object[DEEPEST / 64], has_members[DEEPEST / 64];
  gboolean is_value; /* the next token of an object is a value */
} Cleaner;

static gboolean
bit (const guint64 *bits, guint depth)
{
  return depth > 0 && (bits[(depth - 1) / 64] >> ((depth - 1) % 64) & 1) != 0;
}

static void
set_bit (guint64 *bits, guint depth, gboolean is_set)
{
  guint64 mask = (guint64) 1 << ((depth - 1) % 64);

  bits[(depth - 1) / 64] = is_set ? bits[(depth - 1) / 64] | mask : bits[(depth - 1) / 64] & ~mask;
}

/* What stands between this token and the one before. */
static void
separate (Cleaner *self)
{
  if (bit (self->is_object, self->depth) && self->is_value)
    {
      g_string_append_c (self->to, ':');
      self->is_value = FALSE;
      return;
    }
  if (bit (self->has_members, self->depth))
    g_string_append_c (self->to, ',');
  if (self->depth > 0)
    set_bit (self->has_members, self->depth, TRUE);
  self->is_value = bit (self->is_object, self->depth);
}

static void
open_bracket (Cleaner *self)
{
  gboolean is_object = *self->at == '{';

  separate (self);
  g_string_append_c (self->to, *self->at++);
  self->depth++;
  set_bit (self->is_object, self->depth, is_object);
  set_bit (self->has_members, self->depth, FALSE);
  self->is_value = FALSE;
}

static void
close_bracket (Cleaner *self)
{
  self->at++;
  if (self->depth == 0)
    return;
  if (self->is_value)
    g_string_append (self->to, ":null");
  g_string_append_c (self->to, bit (self->is_object, self->depth) ? '}' : ']');
  self->depth--;
  self->is_value = FALSE;
}

static gsize
escape_len (const char *at, const char *end)
{
  if (end - at < 2)
    return 0;
  if (at[1] != 'u')
    return memchr ("\"\\/bfnrt", at[1], 8) != NULL ? 2 : 0;
  if (end - at < 6)
    return 0;
  for (guint i = 2; i < 6; i++)
    if (!g_ascii_isxdigit (at[i]))
      return 0;
  return 6;
}

/* Up to the closing quote, which may be missing. */
static void
clean_string (Cleaner *self)
{
  separate (self);
  g_string_append_c (self->to, '"');
  for (self->at++; self->at < self->end && *self->at != '"';)
    {
      guint8 byte = (guint8) *self->at;
      gunichar c;

      if (byte == '\\')
        {
          gsize len = escape_len (self->at, self->end);
          g_string_append_len (self->to, len == 0 ? "\\\\" : self->at, len == 0 ? 2 : (gssize) len);
          self->at += MAX (len, 1);
        }
      else if (byte < 0x20)
        {
          g_string_append_printf (self->to, "\\u%04x", byte);
          self->at++;
        }
      else if (byte < 0x80)
        g_string_append_c (self->to, *self->at++);
      else
        {
          c = g_utf8_get_char_validated (self->at, self->end - self->at);
          g_string_append_unichar (self->to, c < 0x110000 ? c : 0xfffd);
          self->at = c < 0x110000 ? g_utf8_next_char (self->at) : self->at + 1;
        }
    }
  if (self->at < self->end)
    self->at++;
  g_string_append_c (self->to, '"');
}

static gsize
n_digits (const char *text, gsize at, gsize len)
{
  gsize from = at;

  while (at < len && g_ascii_isdigit (text[at]))
    at++;
  return at - from;
}

/* "+01.e5" becomes 1.0e5. FALSE: it is no number. */
static gboolean
append_number (GString *to, const char *text, gsize len)
{
  gsize at = 0, n_whole, n_decimals = 0, n_exponent, start = to->len;

  if (at < len && (text[at] == '+' || text[at] == '-') && text[at++] == '-')
    g_string_append_c (to, '-');
  n_whole = n_digits (text, at, len);
  while (n_whole > 1 && text[at] == '0')
    {
      at++;
      n_whole--;
    }
  g_string_append_len (to, n_whole > 0 ? text + at : "0", n_whole > 0 ? (gssize) n_whole : 1);
  at += n_whole;
  if (at < len && text[at] == '.')
    {
      n_decimals = n_digits (text, ++at, len);
      g_string_append_c (to, '.');
      g_string_append_len (to, n_decimals > 0 ? text + at : "0", n_decimals > 0 ? (gssize) n_decimals : 1);
      at += n_decimals;
    }
  if (n_whole + n_decimals > 0 && at < len && (text[at] == 'e' || text[at] == 'E'))
    {
      gsize sign = at + 1 < len && (text[at + 1] == '+' || text[at + 1] == '-');

      n_exponent = n_digits (text, at + 1 + sign, len);
      if (n_exponent > 0)
        g_string_append_len (to, text + at, (gssize) (1 + sign + n_exponent));
      at += n_exponent > 0 ? 1 + sign + n_exponent : 0;
    }
  if (n_whole + n_decimals > 0 && at == len)
    return TRUE;
  g_string_truncate (to, start);
  return FALSE;
}

static gboolean
ends_word (char c)
{
  return c == '\0' || strchr (",:{}[]\"", c) != NULL || g_ascii_isspace (c);
}

static void
clean_word (Cleaner *self)
{
  const char *from = self->at;
  gsize len;

  while (self->at < self->end && !ends_word (*self->at))
    self->at++;
  len = (gsize) (self->at - from);
  separate (self);

  TtSlice word = { from, len };
  gboolean is_key = self->is_value && bit (self->is_object, self->depth);
  if (!is_key && (TT_SLICE_IS (word, "true") || TT_SLICE_IS (word, "false") || TT_SLICE_IS (word, "null")))
    g_string_append_len (self->to, from, (gssize) len);
  else if (is_key || !append_number (self->to, from, len))
    {
      g_autofree char *text = g_utf8_make_valid (from, (gssize) len);
      g_string_append_c (self->to, '"');
      for (const char *p = text; *p != '\0'; p++)
        if (*p == '\\')
          g_string_append (self->to, "\\\\");
        else if ((guchar) *p < 0x20)
          g_string_append_printf (self->to, "\\u%04x", (guchar) *p);
        else
          g_string_append_c (self->to, *p);
      g_string_append_c (self->to, '"');
    }
}

void
tt_json_clean (TtSlice text, GString *to)
{
  Cleaner self = { .at = text.bytes, .end = text.bytes + text.len, .to = to };

  while (self.at < self.end)
    switch (*self.at)
      {
      case '{':
      case '[':
        if (self.depth == DEEPEST)
          return;
        open_bracket (&self);
        break;
      case '}':
      case ']':
        close_bracket (&self);
        break;
      case '"':
        clean_string (&self);
        break;
      case ',':
      case ':':
      case '\0':
        self.at++;
        break;
      default:
        if (g_ascii_isspace (*self.at))
          self.at++;
        else
          clean_word (&self);
      }
  while (self.depth > 0)
    {
      self.at--;
      close_bracket (&self);
    }
}
