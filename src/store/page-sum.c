/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/page-sum.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct
{
  guint32 s1, s2;
} Sum;

/* A step is linear: (s1, s2) times { 1 1, 1 2 }, plus what the pair brings. So pieces of a page are summed beside each
 * other, which the processor does at once, and joined by powers of the matrix. */
typedef struct
{
  guint32 a, b, c, d;
} Matrix;

#define N_PIECES 4u

static guint32
get_word (const guint8 *bytes)
{
  guint32 word;

  memcpy (&word, bytes, sizeof word);
  return GUINT32_FROM_LE (word);
}

static inline void
add_pair (Sum *sum, const guint8 *bytes)
{
  sum->s1 += get_word (bytes) + sum->s2;
  sum->s2 += get_word (bytes + 4) + sum->s1;
}

static Matrix
multiply (Matrix x, Matrix y)
{
  return (Matrix){ x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d };
}

static Matrix
power_of_step (gsize n)
{
  Matrix power = { 1, 0, 0, 1 };

  for (Matrix square = { 1, 1, 1, 2 }; n > 0; n >>= 1, square = multiply (square, square))
    if ((n & 1) != 0)
      power = multiply (power, square);
  return power;
}

static Sum
join (Sum sum, Matrix power, Sum piece)
{
  return (Sum){ power.a * sum.s1 + power.b * sum.s2 + piece.s1, power.c * sum.s1 + power.d * sum.s2 + piece.s2 };
}

#ifdef __SSE2__

G_STATIC_ASSERT (N_PIECES == 4);

/* One pair of each piece. The sum that is ready first is added to first. */
static inline void
add_pairs (__m128i *s1, __m128i *s2, __m128i first, __m128i second)
{
  *s1 = _mm_add_epi32 (_mm_add_epi32 (*s1, first), *s2);
  *s2 = _mm_add_epi32 (_mm_add_epi32 (*s2, second), *s1);
}

/* Pieces of @n_each pairs, an even number: a lane of the processor each. */
static void
add_pieces (Sum piece[N_PIECES], const guint8 *bytes, gsize n_each)
{
  __m128i s1 = _mm_set_epi32 (0, 0, 0, (int) piece[0].s1), s2 = _mm_set_epi32 (0, 0, 0, (int) piece[0].s2);
  guint32 firsts[N_PIECES], seconds[N_PIECES];

  for (gsize i = 0; i < n_each; i += 2, bytes += 16)
    {
      const __m128i a = _mm_loadu_si128 ((const __m128i *) (gconstpointer) bytes);
      const __m128i b = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (bytes + 8 * n_each));
      const __m128i c = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (bytes + 16 * n_each));
      const __m128i d = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (bytes + 24 * n_each));
      const __m128i ab = _mm_unpacklo_epi32 (a, b), cd = _mm_unpacklo_epi32 (c, d);
      const __m128i ab_next = _mm_unpackhi_epi32 (a, b), cd_next = _mm_unpackhi_epi32 (c, d);

      add_pairs (&s1, &s2, _mm_unpacklo_epi64 (ab, cd), _mm_unpackhi_epi64 (ab, cd));
      add_pairs (&s1, &s2, _mm_unpacklo_epi64 (ab_next, cd_next), _mm_unpackhi_epi64 (ab_next, cd_next));
    }
  _mm_storeu_si128 ((__m128i *) (gpointer) firsts, s1);
  _mm_storeu_si128 ((__m128i *) (gpointer) seconds, s2);
  for (gsize k = 0; k < N_PIECES; k++)
    piece[k] = (Sum){ firsts[k], seconds[k] };
}

#else

static void
add_pieces (Sum piece[N_PIECES], const guint8 *bytes, gsize n_each)
{
  for (gsize i = 0; i < n_each; i++)
    for (gsize k = 0; k < N_PIECES; k++)
      add_pair (&piece[k], bytes + 8 * (k * n_each + i));
}

#endif

void
tt_page_checksum_compute (const guint8 *bytes, gsize n_bytes, guint8 checksum[TT_PAGE_CHECKSUM_BYTES])
{
  const gsize n_pairs = n_bytes / 8, n_each = n_pairs / N_PIECES & ~(gsize) 1, n_head = n_pairs - N_PIECES * n_each;
  Sum piece[N_PIECES] = { { 0, 0 } };
  const Matrix power = power_of_step (n_each);

  for (gsize i = 0; i < n_head; i++)
    add_pair (&piece[0], bytes + 8 * i);
  add_pieces (piece, bytes + 8 * n_head, n_each);
  for (gsize k = 1; k < N_PIECES; k++)
    piece[0] = join (piece[0], power, piece[k]);
  piece[0] = (Sum){ GUINT32_TO_LE (piece[0].s1), GUINT32_TO_LE (piece[0].s2) };
  memcpy (checksum, &piece[0], sizeof piece[0]);
}
