/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of bytes, 16 at a time where the processor can. Each goes on to the first byte that ends its run; a NUL ends
 * them all, so callers keep at least TT_SCAN_PADDING NUL bytes after the last byte.
 */
#pragma once

#include <glib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define TT_SCAN_PADDING 64

#ifdef __SSE2__
static inline const guint8 *
tt_scan_hit (const guint8 *at, __m128i hits)
{
  int mask = _mm_movemask_epi8 (hits);

  return mask == 0 ? NULL : at + __builtin_ctz ((unsigned) mask);
}
#endif

/* The first quote, backslash or control character. */
static inline const guint8 *
tt_scan_text (const guint8 *at)
{
#ifdef __SSE2__
  for (;; at += 16)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) at);
      __m128i quotes = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('"'));
      __m128i backslashes = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\'));
      __m128i controls = _mm_cmpeq_epi8 (_mm_min_epu8 (bytes, _mm_set1_epi8 (0x1f)), bytes);
      const guint8 *hit = tt_scan_hit (at, _mm_or_si128 (_mm_or_si128 (quotes, backslashes), controls));

      if (G_LIKELY (hit != NULL))
        return hit;
    }
#else
  while (*at != '"' && *at != '\\' && *at > 0x1f)
    at++;
  return at;
#endif
}

static inline gboolean
tt_is_json_space (guint8 byte)
{
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/* Bytes that stand between values in real files, and are white space to others. */
static inline gboolean
tt_is_odd_space (guint8 byte)
{
  return byte == 0 || byte == '\v' || byte == '\f';
}

/* Bytes of numbers, true, false, null, and of what looks like them. */
static inline gboolean
tt_is_json_word (guint8 byte)
{
  return g_ascii_isalnum (byte) || byte == '+' || byte == '-' || byte == '.';
}

/* Bytes of words that ought to be in quotes, too. */
static inline gboolean
tt_is_bare_byte (guint8 byte)
{
  return tt_is_json_word (byte) || byte == '_' || byte == '(' || byte == ')' || byte == '<' || byte == '>' ||
         byte == '/' || byte == '*' || byte == '#' || byte == '@';
}

/* The first byte that is no white space. */
static inline const guint8 *
tt_scan_space (const guint8 *at)
{
  if (G_LIKELY (*at > ' '))
    return at;
  if (at[1] > ' ' && tt_is_json_space (*at))
    return at + 1;
#ifdef __SSE2__
  for (;; at += 16)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) at);
      __m128i blanks =
          _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (' ')), _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\t')));
      __m128i ends =
          _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\n')), _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\r')));
      __m128i others = _mm_cmpeq_epi8 (_mm_or_si128 (blanks, ends), _mm_setzero_si128 ());
      const guint8 *hit = tt_scan_hit (at, others);

      if (G_LIKELY (hit != NULL))
        return hit;
    }
#else
  while (tt_is_json_space (*at))
    at++;
  return at;
#endif
}

/* The first byte that is no decimal digit. */
static inline const guint8 *
tt_scan_digits (const guint8 *at)
{
#ifdef __SSE2__
  for (;; at += 16)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) at);
      __m128i values = _mm_sub_epi8 (bytes, _mm_set1_epi8 ('0'));
      __m128i others = _mm_cmpeq_epi8 (_mm_max_epu8 (values, _mm_set1_epi8 (10)), values);
      const guint8 *hit = tt_scan_hit (at, others);

      if (G_LIKELY (hit != NULL))
        return hit;
    }
#else
  while (*at >= '0' && *at <= '9')
    at++;
  return at;
#endif
}

/* Behind the number that begins at @at; NULL: it is none that JSON has. */
static inline const guint8 *
tt_scan_number (const guint8 *at)
{
  const guint8 *digits = at += *at == '-';

  at = tt_scan_digits (at);
  if (at == digits || (*digits == '0' && at - digits > 1))
    return NULL;
  if (*at == '.')
    {
      digits = at + 1;
      at = tt_scan_digits (digits);
      if (at == digits)
        return NULL;
    }
  if ((*at | 0x20) == 'e')
    {
      digits = at + 1 + (at[1] == '+' || at[1] == '-');
      at = tt_scan_digits (digits);
      if (at == digits)
        return NULL;
    }
  return at;
}

/* The same for one without sign and exponent, of at most 15 bytes; *n_digits: before the point. NULL: it is another, or none. */
static inline const guint8 *
tt_scan_plain_number (const guint8 *at, guint *n_digits)
{
#ifdef __SSE2__
  __m128i values = _mm_sub_epi8 (_mm_loadu_si128 ((const __m128i *) at), _mm_set1_epi8 ('0'));
  __m128i others = _mm_cmpeq_epi8 (_mm_max_epu8 (values, _mm_set1_epi8 (10)), values);
  guint mask = (guint) _mm_movemask_epi8 (others) | 0x10000u;
  guint n = (guint) __builtin_ctz (mask);

  *n_digits = n;
  if (n == 0 || n == 16 || (*at == '0' && n > 1))
    return NULL;
  if (at[n] == '.')
    {
      mask &= mask - 1;

      guint end = (guint) __builtin_ctz (mask);
      if (end == n + 1 || end == 16)
        return NULL;
      n = end;
    }
  return (at[n] | 0x20) == 'e' ? NULL : at + n;
#else
  const guint8 *end = g_ascii_isdigit (*at) ? tt_scan_number (at) : NULL;

  if (end == NULL || end - at > 15)
    return NULL;
  for (const guint8 *p = at; p < end; p++)
    if ((*p | 0x20) == 'e')
      return NULL;
  *n_digits = (guint) (tt_scan_digits (at) - at);
  return end;
#endif
}

/* Whether the first @len bytes are the same; both have TT_SCAN_PADDING bytes after them. */
static inline gboolean
tt_scan_is_same (const guint8 *a, const guint8 *b, guint len)
{
#ifdef __SSE2__
  for (guint i = 0; i < len; i += 16)
    {
      __m128i x = _mm_loadu_si128 ((const __m128i *) (a + i)), y = _mm_loadu_si128 ((const __m128i *) (b + i));
      guint wanted = len - i >= 16 ? 0xffffu : (1u << (len - i)) - 1;

      if (((guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (x, y)) & wanted) != wanted)
        return FALSE;
    }
  return TRUE;
#else
  return memcmp (a, b, len) == 0;
#endif
}
