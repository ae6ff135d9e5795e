/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

/*
 * Walks over text that lies in memory and was checked before: only the ends of values are looked for. Nothing beyond
 * the text is touched, whatever it holds.
 */

typedef struct
{
  const guint8 *at, *end;
} Text;

static gboolean
is_blank (guint8 byte)
{
  return tt_is_odd_space (byte) || tt_is_json_space (byte);
}

/* Blanks and @mark, which may be missing or stand there twice. */
static void
pass_marks (Text *text, guint8 mark)
{
  while (text->at < text->end && (*text->at == mark || is_blank (*text->at)))
    text->at++;
}

/* The first byte of @a, @b or @c or the end. */
static const guint8 *
find_any (const guint8 *at, const guint8 *end, guint8 a, guint8 b, guint8 c)
{
#ifdef __SSE2__
  for (; end - at >= 16; at += 16)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) at);
      __m128i hits = _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ((char) a)),
                                   _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ((char) b)));
      const guint8 *hit = tt_scan_hit (at, _mm_or_si128 (hits, _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ((char) c))));

      if (hit != NULL)
        return hit;
    }
#endif
  while (at < end && *at != a && *at != b && *at != c)
    at++;
  return at;
}

/* From a quote to just after the next one that no backslash precedes. A backslash that escapes nothing is one byte. */
static gboolean
pass_string (Text *text)
{
  gboolean has_escapes = FALSE;

  for (text->at++; text->at < text->end; text->at++)
    {
      text->at = find_any (text->at, text->end, '"', '\\', '"');
      if (text->at == text->end)
        break;
      if (*text->at == '"')
        {
          text->at++;
          break;
        }
      has_escapes = TRUE;
      if (text->end - text->at > 1 && memchr ("\"\\/bfnrt", text->at[1], 8) != NULL)
        text->at++;
    }
  return has_escapes;
}

/* From a bracket to just after the one that closes it: those of the other sort are in pairs in between. */
static void
pass_brackets (Text *text)
{
  guint8 open = *text->at, close = open == '{' ? '}' : ']';
  gsize depth = 0;

  while (text->at < text->end)
    {
      text->at = find_any (text->at, text->end, '"', open, close);
      if (text->at == text->end)
        return;
      if (*text->at == '"')
        {
          pass_string (text);
          continue;
        }
      depth += *text->at == open ? 1 : -1;
      text->at++;
      if (depth == 0)
        return;
    }
}

static gboolean
pass_value (Text *text, const guint8 *start, TtJsonValue *value)
{
  const guint8 *at = text->at;
  gboolean has_escapes = FALSE;

  if (at == text->end)
    return FALSE;
  if (*at == '"')
    {
      has_escapes = pass_string (text);
      if (text->at - at < 2)
        return FALSE;
    }
  else if (*at == '{' || *at == '[')
    pass_brackets (text);
  else
    while (text->at < text->end && *text->at != ',' && *text->at != '}' && *text->at != ']' && !is_blank (*text->at))
      text->at++;
  if (text->at == at)
    return FALSE;
  tt_json_cut_out (value, at, text->at, has_escapes, (guint64) (at - start));
  return TRUE;
}

/* On to where the next key or value may stand. */
static Text
go_on (TtSlice slice, const char *cursor, char bracket)
{
  Text text = { (const guint8 *) slice.bytes, (const guint8 *) slice.bytes + slice.len };

  if (cursor != NULL)
    {
      text.at = (const guint8 *) cursor;
      pass_marks (&text, ',');
    }
  else if (slice.len == 0 || *slice.bytes != bracket)
    text.at = text.end;
  else
    {
      text.at++;
      pass_marks (&text, ',');
    }
  return text;
}

gboolean
tt_json_member (TtSlice object, const char **cursor, TtJsonValue *key, TtJsonValue *value)
{
  const guint8 *start = (const guint8 *) object.bytes;
  Text text = go_on (object, *cursor, '{');

  if (text.at == text.end || *text.at != '"' || !pass_value (&text, start, key))
    return FALSE;
  pass_marks (&text, ':');
  if (!pass_value (&text, start, value))
    return FALSE;
  *cursor = (const char *) text.at;
  return TRUE;
}

gboolean
tt_json_item (TtSlice array, const char **cursor, TtJsonValue *value)
{
  Text text = go_on (array, *cursor, '[');

  if (!pass_value (&text, (const guint8 *) array.bytes, value))
    return FALSE;
  *cursor = (const char *) text.at;
  return TRUE;
}

gboolean
tt_json_key_is (const TtJsonValue *key, const char *word, gsize len)
{
  if (G_LIKELY (!key->has_escapes))
    return tt_slice_is (key->raw, word, len);

  g_autofree char *text = tt_json_text (key);
  return g_str_equal (text, word);
}

TtJsonValue
tt_json_get (TtSlice object, const char *key)
{
  TtJsonValue found = { TT_JSON_NONE }, candidate, value;
  const char *cursor = NULL;
  gsize len = strlen (key);

  while (tt_json_member (object, &cursor, &candidate, &value))
    if (tt_json_key_is (&candidate, key, len))
      found = value;
  return found;
}
