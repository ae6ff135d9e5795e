/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/clock-map.h"

gboolean
tt_clock_piece_is_sound (const TtClockPiece *piece)
{
  gint64 length_ns, product, end_ns;

  return tt_time_is_kept (piece->from_ns) && tt_time_is_kept (piece->until_ns) && piece->from_ns < piece->until_ns &&
         !__builtin_sub_overflow (piece->until_ns, piece->from_ns, &length_ns) &&
         !__builtin_mul_overflow (length_ns, piece->gain_ns, &product) && piece->gain_ns >= -length_ns &&
         !__builtin_add_overflow (piece->shift_ns, piece->gain_ns, &end_ns) && ABS (end_ns) <= TT_CLOCK_MAX_SHIFT_NS &&
         piece->shift_ns >= -TT_CLOCK_MAX_SHIFT_NS && piece->shift_ns <= TT_CLOCK_MAX_SHIFT_NS;
}

/* Doubles hold as much exactly. */
#define MAX_DOUBLE_NS (G_GINT64_CONSTANT (1) << 50)

/* @product / @divisor > 0, rounded towards zero, by the division of doubles, which is faster than that of
 * integers: less than 1 off where the quotient is not huge, and then put right. */
static inline gint64
divide (gint64 product, gint64 divisor)
{
  gint64 quotient = (gint64) ((double) product / (double) divisor), rest = product - quotient * divisor;

  if (G_UNLIKELY (rest >= divisor || (rest > 0 && product < 0)))
    return quotient + 1;
  if (G_UNLIKELY (rest <= -divisor || (rest < 0 && product > 0)))
    return quotient - 1;
  return quotient;
}

gint64
tt_clock_piece_shift (const TtClockPiece *piece, gint64 ns)
{
  if (ns <= piece->from_ns)
    return piece->shift_ns;
  if (ns >= piece->until_ns)
    return piece->shift_ns + piece->gain_ns;
  gint64 product = (ns - piece->from_ns) * piece->gain_ns, length_ns = piece->until_ns - piece->from_ns;
  if (G_UNLIKELY (piece->gain_ns >= MAX_DOUBLE_NS || piece->gain_ns <= -MAX_DOUBLE_NS))
    return piece->shift_ns + product / length_ns;
  return piece->shift_ns + divide (product, length_ns);
}

/* The last piece that begins at or before @ns. */
static inline guint
find_piece (const TtClockPiece *pieces, guint n, guint near, gint64 ns)
{
  guint low = 0, high = n - 1;

  if (near < n && pieces[near].from_ns <= ns && (near == n - 1 || ns < pieces[near + 1].from_ns))
    return near;
  while (low < high)
    {
      guint middle = low + (high - low + 1) / 2;

      if (pieces[middle].from_ns <= ns)
        low = middle;
      else
        high = middle - 1;
    }
  return low;
}

gint64
tt_clock_map_shift (const TtClockPiece *pieces, guint n, guint *near, gint64 ns)
{
  *near = find_piece (pieces, n, *near, ns);
  return tt_clock_piece_shift (&pieces[*near], ns);
}

static inline gint64
shifted (const TtClockPiece *piece, gint64 ns)
{
  return CLAMP (ns + tt_clock_piece_shift (piece, ns), -TT_TIME_MAX_NS, TT_TIME_MAX_NS);
}

gint64
tt_clock_map_time (const TtClockPiece *pieces, guint n, guint *near, gint64 ns)
{
  *near = find_piece (pieces, n, *near, ns);
  return shifted (&pieces[*near], ns);
}

TtClockSlope
tt_clock_map_slope (const TtClockPiece *pieces, guint n, guint *near, gint64 ns)
{
  *near = find_piece (pieces, n, *near, ns);
  const TtClockPiece *piece = &pieces[*near];

  if (ns < piece->from_ns)
    return (TtClockSlope){ .first_ns = G_MININT64 / 2,
                           .last_ns = piece->from_ns - 1,
                           .origin_ns = 0,
                           .length_ns = 1,
                           .shift_ns = piece->shift_ns };
  if (ns >= piece->until_ns)
    return (TtClockSlope){ .first_ns = piece->until_ns,
                           .last_ns = G_MAXINT64 / 2,
                           .origin_ns = 0,
                           .length_ns = 1,
                           .shift_ns = piece->shift_ns + piece->gain_ns };
  if (piece->gain_ns >= MAX_DOUBLE_NS || piece->gain_ns <= -MAX_DOUBLE_NS)
    return TT_CLOCK_SLOPE_NONE;
  return (TtClockSlope){ .first_ns = piece->from_ns,
                         .last_ns = piece->until_ns - 1,
                         .origin_ns = piece->from_ns,
                         .length_ns = piece->until_ns - piece->from_ns,
                         .shift_ns = piece->shift_ns,
                         .gain_ns = piece->gain_ns,
                         .rate = (double) piece->gain_ns / (double) (piece->until_ns - piece->from_ns) };
}

TtClockCursor *
tt_clock_cursors (gsize n)
{
  TtClockCursor *self = g_new (TtClockCursor, n);

  for (gsize i = 0; i < n; i++)
    self[i] = TT_CLOCK_CURSOR_NEW;
  return self;
}

gint64
tt_clock_cursor_move (TtClockCursor *self, const TtClockPiece *pieces, guint n, gint64 ns)
{
  self->slope = tt_clock_map_slope (pieces, n, &self->near, ns);
  return tt_clock_map_time (pieces, n, &self->near, ns);
}
