#include "config.h"

#include "formats/chrome-export/private.h"
#include "formats/trace-event/own-args.h"

#include <string.h>

/* A strict little scanner: what it accepts can be copied into a JSON file as it is. */

#define MOST_NESTED 200
#define MOST_KEYS 256

typedef struct
{
  const char *p, *end;
} Scan;

static void
skip_space (Scan *scan)
{
  while (scan->p < scan->end && (*scan->p == ' ' || *scan->p == '\t' || *scan->p == '\n' || *scan->p == '\r'))
    scan->p++;
}

static gboolean
take (Scan *scan, char c)
{
  if (scan->p >= scan->end || *scan->p != c)
    return FALSE;
  scan->p++;
  return TRUE;
}

static gboolean
take_word (Scan *scan, const char *word)
{
  gsize len = strlen (word);

  if ((gsize) (scan->end - scan->p) < len || memcmp (scan->p, word, len) != 0)
    return FALSE;
  scan->p += len;
  return TRUE;
}

static gboolean
take_escape (Scan *scan)
{
  if (scan->p >= scan->end)
    return FALSE;
  char c = *scan->p++;
  if (c != 'u')
    return c != '\0' && strchr ("\"\\/bfnrt", c) != NULL;
  for (int i = 0; i < 4; i++, scan->p++)
    if (scan->p >= scan->end || !g_ascii_isxdigit (*scan->p))
      return FALSE;
  return TRUE;
}

static gboolean
take_string (Scan *scan)
{
  if (!take (scan, '"'))
    return FALSE;
  while (scan->p < scan->end)
    {
      guchar c = (guchar) *scan->p++;

      if (c == '"')
        return TRUE;
      if (c < 0x20 || (c == '\\' && !take_escape (scan)))
        return FALSE;
    }
  return FALSE;
}

static gboolean
take_digits (Scan *scan)
{
  const char *from = scan->p;

  while (scan->p < scan->end && g_ascii_isdigit (*scan->p))
    scan->p++;
  return scan->p > from;
}

static gboolean
take_number (Scan *scan)
{
  take (scan, '-');
  if (!take (scan, '0') && !take_digits (scan))
    return FALSE;
  if (take (scan, '.') && !take_digits (scan))
    return FALSE;
  if (take (scan, 'e') || take (scan, 'E'))
    {
      if (!take (scan, '+'))
        take (scan, '-');
      return take_digits (scan);
    }
  return TRUE;
}

static gboolean take_value (Scan *scan, guint depth);

static gboolean
take_members (Scan *scan, guint depth, char close, gboolean has_keys)
{
  scan->p++;
  skip_space (scan);
  if (take (scan, close))
    return TRUE;
  for (;;)
    {
      skip_space (scan);
      if (has_keys)
        {
          if (!take_string (scan))
            return FALSE;
          skip_space (scan);
          if (!take (scan, ':'))
            return FALSE;
        }
      if (!take_value (scan, depth + 1))
        return FALSE;
      if (take (scan, close))
        return TRUE;
      if (!take (scan, ','))
        return FALSE;
    }
}

/* With the white space around it. */
static gboolean
take_value (Scan *scan, guint depth)
{
  gboolean ok;

  skip_space (scan);
  if (scan->p >= scan->end || depth > MOST_NESTED)
    return FALSE;
  switch (*scan->p)
    {
    case '"':
      ok = take_string (scan);
      break;
    case '{':
      ok = take_members (scan, depth, '}', TRUE);
      break;
    case '[':
      ok = take_members (scan, depth, ']', FALSE);
      break;
    case 't':
      ok = take_word (scan, "true");
      break;
    case 'f':
      ok = take_word (scan, "false");
      break;
    case 'n':
      ok = take_word (scan, "null");
      break;
    default:
      ok = take_number (scan);
    }
  skip_space (scan);
  return ok;
}

typedef struct
{
  const char *text;
  gsize len;
} Key;

static gboolean
is_among (const Key *keys, guint n, const char *key, gsize len)
{
  for (guint i = 0; i < n; i++)
    if (keys[i].len == len && memcmp (keys[i].text, key, len) == 0)
      return TRUE;
  return FALSE;
}

/* An event is one line: line ends, which can only stand between tokens, become blanks. */
static void
copy_member (TtOutput *out, const char *from, const char *end, gboolean is_own)
{
  while (end > from && strchr (" \t\r\n", end[-1]) != NULL)
    end--;

  if (is_own)
    {
      tt_output_literal (out, ",\"" TT_OWN_ARG_PREFIX);
      from++;
    }
  else
    tt_output_literal (out, ",");

  gsize len = (gsize) (end - from);
  char *to = tt_output_reserve (out, len);
  memcpy (to, from, len);
  for (gsize i = 0; i < len; i++)
    if (G_UNLIKELY ((guchar) to[i] < ' '))
      to[i] = ' ';
  out->used += len;
}

void
tt_chrome_args (TtOutput *out, const char *args, gsize len)
{
  Scan scan = { args, args + len };
  Key keys[MOST_KEYS];
  guint n_keys = 0;

  if (!g_utf8_validate_len (args, len, NULL))
    return;
  skip_space (&scan);
  if (!take (&scan, '{'))
    return;
  do
    {
      skip_space (&scan);
      const char *member = scan.p;
      if (!take_string (&scan))
        return;
      const char *key = member + 1;
      gsize key_len = (gsize) (scan.p - key) - 1;

      skip_space (&scan);
      if (!take (&scan, ':') || !take_value (&scan, 0))
        return;
      if (n_keys == MOST_KEYS || is_among (keys, n_keys, key, key_len))
        continue;
      keys[n_keys++] = (Key){ key, key_len };
      copy_member (out, member, scan.p, tt_is_own_arg (key, key_len));
    }
  while (take (&scan, ','));
}
