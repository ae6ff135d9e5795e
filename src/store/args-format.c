/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/args-format.h"

#include "src/base/digits.h"
#include "src/store/args-number.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The number at @at: behind it, or NULL. *@kind: of its format. */
static inline const char *
take_number (const char *at, const char *end, gint64 *number, char *kind)
{
  const gboolean is_hex = end - at > 2 && at[0] == '0' && at[1] == 'x';

  *kind = is_hex ? 'x' : 'd';
  return is_hex ? tt_args_pass_hex (at + 2, end, number) : tt_args_pass_decimal (at, end, number);
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
  while (at < end && tt_is_args_word (*at))
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
      const gboolean is_in_word = mark > text && tt_is_args_word (mark[-1]);
      if (!is_in_word && *n_numbers < TT_ARGS_NUMBERS &&
          (behind = take_number (mark, end, &numbers[*n_numbers], &kind)) != NULL)
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
