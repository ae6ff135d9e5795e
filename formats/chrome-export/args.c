/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/args.h"

#include "formats/chrome-export/arg-keys.h"
#include "formats/trace-event/own-args.h"

#include <math.h>
#include <string.h>

/* A strict little scanner: what it accepts can be copied into a JSON file as it is. */

/* As deep as the importers go (json/scanner.h); viewers follow. */
#define MAX_DEPTH 1024

typedef struct
{
  const char *p, *end;
  gboolean is_odd; /* has a number or an escape that Perfetto cannot read */
} Scan;

static void
skip_space (Scan *scan)
{
  while (scan->p < scan->end && (*scan->p == ' ' || *scan->p == '\t' || *scan->p == '\n' || *scan->p == '\r'))
    scan->p++;
}

static gboolean
consume_char (Scan *scan, char c)
{
  if (scan->p >= scan->end || *scan->p != c)
    return FALSE;
  scan->p++;
  return TRUE;
}

static gboolean
consume_word (Scan *scan, const char *word)
{
  gsize len = strlen (word);

  if ((gsize) (scan->end - scan->p) < len || memcmp (scan->p, word, len) != 0)
    return FALSE;
  scan->p += len;
  return TRUE;
}

static gboolean
consume_escape (Scan *scan)
{
  if (scan->p >= scan->end)
    return FALSE;
  char c = *scan->p++;
  if (c == 'u' && scan->p < scan->end && g_ascii_tolower (*scan->p) == 'd')
    scan->is_odd = TRUE;
  if (c != 'u')
    return c != '\0' && strchr ("\"\\/bfnrt", c) != NULL;
  for (int i = 0; i < 4; i++, scan->p++)
    if (scan->p >= scan->end || !g_ascii_isxdigit (*scan->p))
      return FALSE;
  return TRUE;
}

static gboolean
consume_string (Scan *scan)
{
  if (!consume_char (scan, '"'))
    return FALSE;
  while (scan->p < scan->end)
    {
      guchar c = (guchar) *scan->p++;

      if (c == '"')
        return TRUE;
      if (c < 0x20 || (c == '\\' && !consume_escape (scan)))
        return FALSE;
    }
  return FALSE;
}

static gboolean
consume_digits (Scan *scan)
{
  const char *from = scan->p;

  while (scan->p < scan->end && g_ascii_isdigit (*scan->p))
    scan->p++;
  return scan->p > from;
}

/* Perfetto counts the digits behind the point in 64 bits, and those of an integer: what has more comes out as garbage. */
#define MAX_DIGITS 18

static gboolean
consume_number (Scan *scan)
{
  consume_char (scan, '-');
  const char *digits = scan->p;
  if (!consume_char (scan, '0') && !consume_digits (scan))
    return FALSE;
  scan->is_odd |= scan->p - digits > MAX_DIGITS;
  if (consume_char (scan, '.'))
    {
      digits = scan->p;
      if (!consume_digits (scan))
        return FALSE;
      scan->is_odd |= scan->p - digits > MAX_DIGITS;
    }
  if (consume_char (scan, 'e') || consume_char (scan, 'E'))
    {
      if (!consume_char (scan, '+'))
        consume_char (scan, '-');
      digits = scan->p;
      gboolean ok = consume_digits (scan);
      scan->is_odd |= scan->p - digits > 2; /* perhaps beyond a double */
      return ok;
    }
  return TRUE;
}

static gboolean consume_value (Scan *scan, guint depth);

static gboolean
consume_members (Scan *scan, guint depth, char close, gboolean has_keys)
{
  scan->p++;
  skip_space (scan);
  if (consume_char (scan, close))
    return TRUE;
  for (;;)
    {
      skip_space (scan);
      if (has_keys)
        {
          if (!consume_string (scan))
            return FALSE;
          skip_space (scan);
          if (!consume_char (scan, ':'))
            return FALSE;
        }
      if (!consume_value (scan, depth + 1))
        return FALSE;
      if (consume_char (scan, close))
        return TRUE;
      if (!consume_char (scan, ','))
        return FALSE;
    }
}

/* With the white space around it. */
static gboolean
consume_value (Scan *scan, guint depth)
{
  gboolean ok;

  skip_space (scan);
  if (scan->p >= scan->end || depth > MAX_DEPTH)
    return FALSE;
  switch (*scan->p)
    {
    case '"':
      ok = consume_string (scan);
      break;
    case '{':
      ok = consume_members (scan, depth, '}', TRUE);
      break;
    case '[':
      ok = consume_members (scan, depth, ']', FALSE);
      break;
    case 't':
      ok = consume_word (scan, "true");
      break;
    case 'f':
      ok = consume_word (scan, "false");
      break;
    case 'n':
      ok = consume_word (scan, "null");
      break;
    default:
      ok = consume_number (scan);
    }
  skip_space (scan);
  return ok;
}

/* A real as viewers read it, to the last bit of a double; an integer beyond 64 bits as text. */
static void
write_odd_number (TtOutput *out, const char *text, gsize len)
{
  g_autofree char *number = g_strndup (text, len);
  char real[G_ASCII_DTOSTR_BUF_SIZE];
  gint64 integer;

  if (strpbrk (number, ".eE") != NULL && isfinite (g_ascii_strtod (number, NULL)))
    tt_output_text (out, g_ascii_formatd (real, sizeof real, "%.16e", g_ascii_strtod (number, NULL)));
  else if (g_ascii_string_to_signed (number, 10, G_MININT64, G_MAXINT64, &integer, NULL))
    tt_output_text (out, number);
  else
    tt_output_json_string (out, number);
}

static gunichar
hex_at (const char *p, const char *end)
{
  gunichar unit = 0;

  for (int i = 0; i < 4; i++)
    unit = unit << 4 | (p + i < end ? (gunichar) g_ascii_xdigit_value (p[i]) : 0);
  return unit;
}

/* Perfetto does not know that two escapes may be one character. */
static void
write_odd_string (TtOutput *out, const char *from, const char *end)
{
  while (from < end)
    {
      gboolean is_escape = *from == '\\' && from + 6 <= end && from[1] == 'u';
      gunichar high = is_escape ? hex_at (from + 2, end) : 0;

      if (high < 0xd800 || high > 0xdfff)
        {
          gsize len = *from == '\\' ? 2 : 1;
          tt_output_bytes (out, from, len);
          from += len;
          continue;
        }
      gboolean is_pair = high < 0xdc00 && from + 12 <= end && from[6] == '\\' && from[7] == 'u';
      gunichar low = is_pair ? hex_at (from + 8, end) : 0;
      is_pair = low >= 0xdc00 && low <= 0xdfff;
      char text[6];
      gunichar character = is_pair ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
      tt_output_bytes (out, text, (gsize) g_unichar_to_utf8 (character, text));
      from += is_pair ? 12 : 6;
    }
}

static void
copy_odd (TtOutput *out, const char *from, const char *end)
{
  while (from < end)
    {
      Scan scan = { from, end, FALSE };

      if (*from == '"')
        consume_string (&scan);
      else if (*from == '-' || g_ascii_isdigit (*from))
        consume_number (&scan);
      else
        scan.p++;
      if (scan.is_odd && *from == '"')
        write_odd_string (out, from, scan.p);
      else if (scan.is_odd)
        write_odd_number (out, from, (gsize) (scan.p - from));
      else if (scan.p == from + 1 && (guchar) *from < ' ')
        tt_output_literal (out, " ");
      else
        tt_output_bytes (out, from, (gsize) (scan.p - from));
      from = scan.p;
    }
}

/* An event is one line: line ends, which can only stand between tokens, become blanks. */
static void
copy_plain (TtOutput *out, const char *from, gsize len)
{
  char *to = tt_output_reserve (out, len);

  memcpy (to, from, len);
  for (gsize i = 0; i < len; i++)
    if (G_UNLIKELY ((guchar) to[i] < ' '))
      to[i] = ' ';
  out->used += len;
}

/* @text: the key without escapes. Returns what of the member is left to copy. */
static const char *
write_key (TtOutput *out, const char *member, gsize raw_len, TtSlice text)
{
  gboolean is_own = tt_is_own_arg (text.bytes, text.len);

  if (G_UNLIKELY (text.bytes != member + 1))
    {
      /* One that has escapes is written anew: it may be one of ours in disguise. */
      g_autofree char *key = g_strconcat (is_own ? TT_OWN_ARG_PREFIX : "", text.bytes, NULL);
      tt_output_literal (out, ",");
      tt_output_json_string (out, key);
      return member + raw_len + 2;
    }
  if (is_own)
    tt_output_literal (out, ",\"" TT_OWN_ARG_PREFIX);
  else
    tt_output_literal (out, ",\"");
  tt_output_bytes (out, text.bytes, text.len + 1);
  return member + raw_len + 2;
}

void
tt_chrome_args (TtOutput *out, const char *args, gsize len)
{
  Scan scan = { args, args + len, FALSE };
  ChromeArgKeys keys;
  TtSlice text;

  if (!g_utf8_validate_len (args, len, NULL))
    return;
  skip_space (&scan);
  if (!consume_char (&scan, '{'))
    return;
  tt_chrome_arg_keys_init (&keys);
  do
    {
      skip_space (&scan);
      const char *member = scan.p;
      scan.is_odd = FALSE;
      if (!consume_string (&scan))
        break;
      gsize key_len = (gsize) (scan.p - member) - 2;

      skip_space (&scan);
      if (!consume_char (&scan, ':') || !consume_value (&scan, 0))
        break;
      if (!tt_chrome_arg_keys_add (&keys, (TtSlice){ member + 1, key_len }, &text))
        continue;
      const char *from = write_key (out, member, key_len, text), *end = scan.p;
      while (end > from && strchr (" \t\r\n", end[-1]) != NULL)
        end--;
      if (G_UNLIKELY (scan.is_odd))
        copy_odd (out, from, end);
      else
        copy_plain (out, from, (gsize) (end - from));
    }
  while (consume_char (&scan, ','));
  tt_chrome_arg_keys_clear (&keys);
}
