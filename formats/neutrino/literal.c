/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/literal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* -- numbers ---------------------------------------------------------------------------------------- */

static guint
base_of (const char *text, gsize len)
{
  if (len < 2 || text[0] != '0')
    return 10;
  switch (g_ascii_tolower (text[1]))
    {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 10;
    }
}

/* Digits of @base with single '_' between (or, after a prefix, before) them; FALSE: '_' where none may stand. */
static gboolean
read_digits (const char *text, gsize len, guint base, TtNlNumber *number)
{
  gboolean digit_before = base != 10;
  gsize i = number->len;

  for (; i < len; i++)
    {
      int digit = g_ascii_xdigit_value (text[i]);

      if (text[i] == '_' && digit_before)
        digit_before = FALSE;
      else if (digit >= 0 && digit < (int) base)
        {
          digit_before = TRUE;
          number->is_huge |= number->value > (G_MAXUINT64 - (guint) digit) / base;
          number->value = number->value * base + (guint) digit;
        }
      else
        break;
    }
  number->len = i;
  return digit_before;
}

/* A point, an exponent or a 'j' makes the digits something else than an integer. */
static void
read_float (const char *text, gsize len, TtNlNumber *number)
{
  gsize i = number->len;

  if (i < len && text[i] == '.')
    {
      number->type = "float";
      for (i++; i < len && (g_ascii_isdigit (text[i]) || text[i] == '_'); i++)
        ;
    }
  if (i < len && g_ascii_tolower (text[i]) == 'e')
    {
      gsize digits = i + 1 + (i + 1 < len && (text[i + 1] == '+' || text[i + 1] == '-'));

      if (digits < len && g_ascii_isdigit (text[digits]))
        {
          number->type = "float";
          for (i = digits; i < len && (g_ascii_isdigit (text[i]) || text[i] == '_'); i++)
            ;
        }
    }
  if (i < len && g_ascii_tolower (text[i]) == 'j')
    {
      number->type = "complex";
      i++;
    }
  number->len = i;
}

/* As g_ascii_strtod(), which rounds to the nearest double, and a float that is made of one may not be the nearest. */
static float
ascii_strtof (const char *text)
{
  static gsize c_locale;

  if (g_once_init_enter (&c_locale))
    {
      locale_t made = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
      g_assert (made != (locale_t) 0);
      g_once_init_leave (&c_locale, (gsize) made);
    }
  return strtof_l (text, NULL, (locale_t) c_locale);
}

/* Bits of the nearest floats to the number that is written. */
static void
round_float (const char *text, TtNlNumber *number)
{
  g_autoptr (GString) digits = g_string_sized_new (number->len);
  double wide;
  float narrow;
  guint32 bits;

  for (gsize i = 0; i < number->len; i++)
    if (text[i] != '_')
      g_string_append_c (digits, text[i]);
  wide = g_ascii_strtod (digits->str, NULL);
  narrow = ascii_strtof (digits->str);
  memcpy (&number->value, &wide, sizeof wide);
  memcpy (&bits, &narrow, sizeof bits);
  number->narrow = bits;
  number->is_huge = FALSE;
}

const char *
tt_nl_number_read (const char *text, gsize len, TtNlNumber *number)
{
  guint base = base_of (text, len);
  gsize start = base == 10 ? 0 : 2;
  gboolean is_whole;

  memset (number, 0, sizeof *number);
  number->len = start;
  is_whole = (text[0] == '.' || read_digits (text, len, base, number)) && number->len > start - (text[0] == '.');
  if (base == 10)
    read_float (text, len, number);

  gsize digits = number->len;
  while (number->len < len && (g_ascii_isalnum (text[number->len]) || text[number->len] == '_'))
    number->len++;
  if (!is_whole || number->len > digits)
    return base == 10 ? "invalid decimal literal" : "invalid integer literal";
  if (base == 10 && number->type == NULL && text[0] == '0' && number->value != 0)
    return "leading zeros in decimal integer literals are not permitted";
  if (g_strcmp0 (number->type, "float") == 0)
    round_float (text, number);
  return NULL;
}

/* -- strings ---------------------------------------------------------------------------------------- */

typedef struct
{
  char letter, meaning;
} Escape;

static const Escape escapes[] = {
  { '\\', '\\' }, { '\'', '\'' }, { '"', '"' },  { 'a', '\a' }, { 'b', '\b' },
  { 'f', '\f' },  { 'n', '\n' },  { 'r', '\r' }, { 't', '\t' }, { 'v', '\v' },
};

/* Reads up to @most digits; the number of them. */
static guint
read_code (const char *text, gsize len, guint base, guint most, gunichar *code)
{
  guint n = 0;

  *code = 0;
  while (n < most && n < len && g_ascii_isxdigit (text[n]) && (guint) g_ascii_xdigit_value (text[n]) < base)
    *code = *code * base + (guint) g_ascii_xdigit_value (text[n++]);
  return n;
}

/* @text: after a backslash. Bytes taken; 0: no escape that can be read. */
static gsize
decode_escape (const char *text, gsize len, GString *decoded)
{
  static const struct
  {
    char letter;
    guint digits;
  } codes[] = { { 'x', 2 }, { 'u', 4 }, { 'U', 8 } };
  gunichar code;

  for (guint i = 0; i < G_N_ELEMENTS (escapes); i++)
    if (text[0] == escapes[i].letter)
      {
        g_string_append_c (decoded, escapes[i].meaning);
        return 1;
      }
  if (text[0] == '\n')
    return 1;
  if (text[0] == '\r' && len > 1 && text[1] == '\n')
    return 2;
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (text[0] == codes[i].letter)
      {
        if (read_code (text + 1, len - 1, 16, codes[i].digits, &code) < codes[i].digits || code == 0 ||
            !g_unichar_validate (code))
          return 0;
        g_string_append_unichar (decoded, code);
        return 1 + codes[i].digits;
      }
  if (text[0] >= '0' && text[0] <= '7')
    {
      guint digits = read_code (text, len, 8, 3, &code);
      g_string_append_unichar (decoded, code == 0 ? 0xfffd : code);
      return code == 0 ? 0 : digits;
    }
  if (text[0] == 'N')
    return 0;
  /* As Python has it: an unknown escape is a backslash. */
  g_string_append_c (decoded, '\\');
  return g_utf8_skip[(guchar) text[0]] == 1 ? (g_string_append_c (decoded, text[0]), 1) : 0;
}

static void
find_type (const char *prefix, gsize len, TtNlString *string, gboolean *is_raw)
{
  *is_raw = FALSE;
  for (gsize i = 0; i < len; i++)
    switch (g_ascii_tolower (prefix[i]))
      {
      case 'r':
        *is_raw = TRUE;
        break;
      case 'b':
        string->type = "bytes";
        break;
      case 'f':
        string->type = "f-string";
        break;
      default:
        break;
      }
}

/* FALSE: the quotes are never closed; @at is where the string breaks off. */
static gboolean
find_end (const char *source, gsize len, gsize *at, const char *quotes, gsize n_quotes)
{
  for (gsize i = *at; i < len; i++)
    {
      *at = i;
      if (source[i] == '\\' && i + 1 < len)
        i++;
      else if (source[i] == '\n' && n_quotes == 1)
        return FALSE;
      else if (len - i >= n_quotes && memcmp (source + i, quotes, n_quotes) == 0)
        return TRUE;
    }
  *at = len;
  return FALSE;
}

gboolean
tt_nl_string_read (const TtNlStringAt *at, TtNlArena *arena, TtNlString *string, TtNlMessages *messages)
{
  const char *source = at->source, *quotes = source + at->start + at->n_prefix;
  gsize len = at->len, start = at->start, left = len - start - at->n_prefix;
  gsize n_quotes = left >= 3 && quotes[1] == quotes[0] && quotes[2] == quotes[0] ? 3 : 1;
  gsize first = start + at->n_prefix + n_quotes, end = first;
  g_autoptr (GString) decoded = g_string_new (NULL);
  gboolean is_raw;

  *string = (TtNlString){ .is_triple = n_quotes == 3 };
  find_type (source + start, at->n_prefix, string, &is_raw);
  string->is_terminated = find_end (source, len, &end, quotes, n_quotes);
  string->len = end + (string->is_terminated ? n_quotes : 0) - start;
  if (!string->is_terminated)
    {
      tt_nl_error (messages, start, "unterminated string");
      return FALSE;
    }
  for (gsize i = first; i < end && string->type == NULL;)
    {
      if (source[i] != '\\' || is_raw)
        {
          g_string_append_c (decoded, source[i++]);
          continue;
        }
      gsize taken = decode_escape (source + i + 1, end - i - 1, decoded);
      if (taken == 0)
        {
          tt_nl_error (messages, i, "this escape sequence is not supported");
          return FALSE;
        }
      i += 1 + taken;
    }
  string->text = tt_nl_arena_text (arena, decoded->str, decoded->len);
  return TRUE;
}
