/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of arguments as args-format.h has them, in line: they are read millions of times. Used by src/store only.
 *
 * A number is written as printf() writes it, without a zero in front, fits into 64 bits, and ends where no word goes on.
 */
#pragma once

#include <glib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Longer ones may not fit into 64 bits. */
#define TT_ARGS_DIGITS 18u
#define TT_ARGS_HEX_DIGITS 16u

/* A letter, a digit or an underscore. */
static inline gboolean
tt_is_args_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static inline gboolean
tt_args_is_hex (char c)
{
  return g_ascii_isdigit (c) || (c >= 'a' && c <= 'f');
}

/* Behind the number of @n digits at @digits, or NULL. */
static inline const char *
tt_args_end_number (const char *digits, gsize n, gsize most, const char *end)
{
  const char *behind = digits + n;

  if (n == 0 || n > most || (digits[0] == '0' && n > 1) || (behind < end && tt_is_args_word (*behind)))
    return NULL;
  return behind;
}

static inline guint64
tt_args_load (const char *at)
{
  guint64 word;

  memcpy (&word, at, sizeof word);
  return GUINT64_FROM_LE (word);
}

#ifdef __SSE2__
/* A bit for each of the 16 bytes at @at that is none of the @n from @first on. */
static inline guint
tt_args_none_of (const char *at, char first, char n)
{
  const __m128i bytes = _mm_loadu_si128 ((const __m128i *) (const void *) at);
  const __m128i shifted = _mm_add_epi8 (bytes, _mm_set1_epi8 ((char) (128 - first)));

  return ~(guint) _mm_movemask_epi8 (_mm_cmplt_epi8 (shifted, _mm_set1_epi8 ((char) (128 + n)))) & 0xffff;
}
#endif

/* -- decimal -------------------------------------------------------------------------------------------- */

/* The last @n of eight digits, 1 to 8, which are the first bytes of @word. */
static inline guint64
tt_args_read_8 (guint64 word, gsize n)
{
  word = (word & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f)) << 8 * (8 - n);
  word = (word * 10 + (word >> 8)) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  word = (word * 100 + (word >> 16)) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  return (word * 10000 + (word >> 32)) & G_MAXUINT32;
}

static inline const char *
tt_args_pass_decimal (const char *at, const char *end, gint64 *number)
{
  const char *to = at;
  guint64 value = 0;

#ifdef __SSE2__
  const guint others = end - at >= 16 ? tt_args_none_of (at, '0', 10) : 0;
  if (G_LIKELY (others != 0))
    {
      const gsize n = (gsize) __builtin_ctz (others);
      if (n > 8)
        value = tt_args_read_8 (tt_args_load (at), n - 8) * 100000000 + tt_args_read_8 (tt_args_load (at + n - 8), 8);
      else if (n > 0)
        value = tt_args_read_8 (tt_args_load (at), n);
      *number = (gint64) value;
      return tt_args_end_number (at, n, TT_ARGS_DIGITS, end);
    }
#endif
  for (; to < end && g_ascii_isdigit (*to) && to - at <= (gssize) TT_ARGS_DIGITS; to++)
    value = 10 * value + (guint64) (*to - '0');
  *number = (gint64) value;
  return tt_args_end_number (at, (gsize) (to - at), TT_ARGS_DIGITS, end);
}

/* -- hexadecimal ---------------------------------------------------------------------------------------- */

/* How many digits there are, more than TT_ARGS_HEX_DIGITS perhaps. */
static inline gsize
tt_args_count_hex (const char *at, const char *end)
{
  const char *to = at;

#ifdef __SSE2__
  if (end - at >= 16)
    {
      const guint others = tt_args_none_of (at, '0', 10) & tt_args_none_of (at, 'a', 6);
      if (others != 0)
        return (gsize) __builtin_ctz (others);
      to += 16;
    }
#endif
  while (to < end && tt_args_is_hex (*to))
    to++;
  return (gsize) (to - at);
}

/* Eight of them. */
static inline guint64
tt_args_read_hex_8 (const char *digits)
{
  guint64 word = GUINT64_SWAP_LE_BE (tt_args_load (digits));

  word = (word & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f)) + (word >> 6 & G_GUINT64_CONSTANT (0x0101010101010101)) * 9;
  word = (word | word >> 4) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  word = (word | word >> 8) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  return (word | word >> 16) & G_MAXUINT32;
}

static inline guint64
tt_args_read_hex (const char *digits, gsize n)
{
  guint64 value = 0;

  if (n >= 8)
    return tt_args_read_hex_8 (digits) >> 4 * (16 - n) << 32 | tt_args_read_hex_8 (digits + n - 8);
  for (gsize i = 0; i < n; i++)
    value = value << 4 | (guint64) (digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
  return value;
}

/* @at: behind the 0x. */
static inline const char *
tt_args_pass_hex (const char *at, const char *end, gint64 *number)
{
  const gsize n = tt_args_count_hex (at, end);
  const char *behind = tt_args_end_number (at, n, TT_ARGS_HEX_DIGITS, end);

  *number = behind == NULL ? 0 : (gint64) tt_args_read_hex (at, n);
  return behind;
}
