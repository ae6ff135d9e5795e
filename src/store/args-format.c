/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/args-format.h"

#include "src/base/digits.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Longer ones may not fit into 64 bits. */
#define MAX_DIGITS 18u
#define MAX_HEX_DIGITS 16u

typedef enum
{
  DIGIT = 1,
  HEX = 2,  /* a to f */
  WORD = 4, /* a letter, or an underscore */
} Kind;

/* clang-format off */
#define D DIGIT
#define H (HEX | WORD)
#define W WORD
static const guint8 kinds[256] = {
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  D, D, D, D, D, D, D, D, D, D, 0, 0, 0, 0, 0, 0,
  0, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
  W, W, W, W, W, W, W, W, W, W, W, 0, 0, 0, 0, W,
  0, H, H, H, H, H, H, W, W, W, W, W, W, W, W, W,
  W, W, W, W, W, W, W, W, W, W, W, 0, 0, 0, 0, 0,
};
#undef D
#undef H
#undef W
/* clang-format on */

static inline guint8
kind_of (const char *at, const char *end)
{
  return at < end ? kinds[(guint8) *at] : 0;
}

/* A zero in front is no part of a number as printf() writes it. */
static inline gboolean
is_written_so (const char *digits, gsize n)
{
  return digits[0] != '0' || n == 1;
}

/* How many hexadecimal digits there are, more than MAX_HEX_DIGITS perhaps. */
static inline gsize
count_hex (const char *at, const char *end)
{
  const char *to = at;

#ifdef __SSE2__
  if (end - at >= 16)
    {
      const __m128i bytes = _mm_loadu_si128 ((const __m128i *) (const void *) at);
      const __m128i digits =
          _mm_cmplt_epi8 (_mm_add_epi8 (bytes, _mm_set1_epi8 ((char) (128 - '0'))), _mm_set1_epi8 ((char) (128 + 10)));
      const __m128i letters =
          _mm_cmplt_epi8 (_mm_add_epi8 (bytes, _mm_set1_epi8 ((char) (128 - 'a'))), _mm_set1_epi8 ((char) (128 + 6)));
      const guint others = ~(guint) _mm_movemask_epi8 (_mm_or_si128 (digits, letters)) & 0xffff;
      if (others != 0)
        return (gsize) __builtin_ctz (others);
      to += 16;
    }
#endif
  while ((kind_of (to, end) & (DIGIT | HEX)) != 0)
    to++;
  return (gsize) (to - at);
}

/* Eight of them. */
static inline guint64
read_hex_8 (const char *digits)
{
  guint64 word;

  memcpy (&word, digits, sizeof word);
  word = GUINT64_FROM_BE (word);
  word = (word & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f)) + (word >> 6 & G_GUINT64_CONSTANT (0x0101010101010101)) * 9;
  word = (word | word >> 4) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  word = (word | word >> 8) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  return (word | word >> 16) & G_MAXUINT32;
}

static inline guint64
read_hex (const char *digits, gsize n)
{
  guint64 value = 0;

  if (n >= 8)
    return read_hex_8 (digits) >> 4 * (16 - n) << 32 | read_hex_8 (digits + n - 8);
  for (gsize i = 0; i < n; i++)
    value = value << 4 | (guint64) (digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
  return value;
}

/* The number at @at: behind it, or NULL. *@kind: of its format. */
static const char *
take_number (const char *at, const char *end, gint64 *number, char *kind)
{
  const char *to = at;
  guint64 value = 0;

  if (end - at > 2 && at[0] == '0' && at[1] == 'x')
    {
      const char *digits = at + 2;
      const gsize n = count_hex (digits, end);
      if (n == 0 || n > MAX_HEX_DIGITS || !is_written_so (digits, n))
        return NULL;
      *number = (gint64) read_hex (digits, n);
      *kind = 'x';
      return digits + n;
    }
  for (; (kind_of (to, end) & DIGIT) != 0 && to - at <= (gssize) MAX_DIGITS; to++)
    value = 10 * value + (guint64) (*to - '0');
  *number = (gint64) value;
  *kind = 'd';
  const gsize n = (gsize) (to - at);
  return n <= MAX_DIGITS && is_written_so (at, n) ? to : NULL;
}

static inline gboolean
is_mark (char c)
{
  return (c >= '0' && c <= '9') || c == '%' || c == '\0';
}

/* The first digit, '%' or zero; @end: there is none. */
static const char *
find_mark (const char *at, const char *end)
{
#ifdef __SSE2__
  const __m128i from_zero = _mm_set1_epi8 ((char) (128 - '0')), ten = _mm_set1_epi8 ((char) (128 + 10));

  for (; end - at >= 16; at += 16)
    {
      const __m128i bytes = _mm_loadu_si128 ((const __m128i *) (const void *) at);
      const __m128i digits = _mm_cmplt_epi8 (_mm_add_epi8 (bytes, from_zero), ten);
      const __m128i others =
          _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('%')), _mm_cmpeq_epi8 (bytes, _mm_setzero_si128 ()));
      const guint found = (guint) _mm_movemask_epi8 (_mm_or_si128 (digits, others));
      if (found != 0)
        return at + __builtin_ctz (found);
    }
#endif
  while (at < end && !is_mark (*at))
    at++;
  return at;
}

/* Digits within a word, such as those of float32, are no number. */
static const char *
skip_word (const char *at, const char *end)
{
  while ((kind_of (at, end) & (DIGIT | WORD)) != 0)
    at++;
  return at;
}

static char *
copy (char *to, const char *from, const char *end)
{
  memcpy (to, from, (gsize) (end - from));
  return to + (end - from);
}

gsize
tt_args_take_apart (const char *text,
                    gsize len,
                    char form[TT_ARGS_FORM_ROOM],
                    gint64 numbers[TT_ARGS_NUMBERS],
                    guint *n_numbers)
{
  const char *at = text, *end = text + len;
  char *to = form;

  for (*n_numbers = 0;;)
    {
      const char *mark = find_mark (at, end), *behind;
      char kind;

      to = copy (to, at, mark);
      if (mark == end)
        return (gsize) (to - form);
      if (*mark == '\0')
        return 0;
      if (*mark == '%')
        {
          to = copy (to, "%%", &"%%"[2]);
          at = mark + 1;
          continue;
        }
      const gboolean is_in_word = mark > text && (kinds[(guint8) mark[-1]] & (DIGIT | WORD)) != 0;
      if (!is_in_word && *n_numbers < TT_ARGS_NUMBERS &&
          (behind = take_number (mark, end, &numbers[*n_numbers], &kind)) != NULL &&
          (kind_of (behind, end) & (DIGIT | WORD)) == 0)
        {
          to = kind == 'x' ? copy (to, mark, mark + 2) : to;
          *to++ = '%';
          *to++ = kind;
          ++*n_numbers;
          at = behind;
          continue;
        }
      at = skip_word (mark, end);
      to = copy (to, mark, at);
    }
}

/* -- filling ------------------------------------------------------------------------------------------------------ */

static void
append_number (GString *text, char kind, gint64 number)
{
  char digits[TT_MOST_DIGITS];

  if (kind == 'd')
    g_string_append_len (text, digits, (gssize) (tt_put_signed (digits, number) - digits));
  else
    {
      guint64 rest = (guint64) number;
      guint n = sizeof digits;
      do
        digits[--n] = "0123456789abcdef"[rest & 15];
      while ((rest >>= 4) != 0);
      g_string_append_len (text, digits + n, (gssize) (sizeof digits - n));
    }
}

gboolean
tt_args_fill (const char *form, gsize len, const gint64 *numbers, guint n_numbers, GString *text)
{
  const char *end = form + len;
  const gsize before = text->len;
  guint n = 0;

  for (const char *mark; (mark = memchr (form, '%', (gsize) (end - form))) != NULL; form = mark + 2)
    {
      g_string_append_len (text, form, mark - form);
      const char kind = mark + 1 < end ? mark[1] : '\0';
      if (kind == '%')
        g_string_append_c (text, '%');
      else if ((kind == 'd' || kind == 'x') && n < n_numbers)
        append_number (text, kind, numbers[n++]);
      else
        {
          g_string_truncate (text, before);
          return FALSE;
        }
    }
  g_string_append_len (text, form, end - form);
  if (n == n_numbers)
    return TRUE;
  g_string_truncate (text, before);
  return FALSE;
}
