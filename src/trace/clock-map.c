/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/clock-map.h"

#include "src/trace/span.h"

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

gint64
tt_clock_piece_shift (const TtClockPiece *piece, gint64 ns)
{
  if (ns <= piece->from_ns)
    return piece->shift_ns;
  if (ns >= piece->until_ns)
    return piece->shift_ns + piece->gain_ns;
  return piece->shift_ns + (ns - piece->from_ns) * piece->gain_ns / (piece->until_ns - piece->from_ns);
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

void
tt_clock_map_span (const TtClockPiece *pieces, guint n, guint *near, gint64 *begin_ns, gint64 *end_ns)
{
  *near = find_piece (pieces, n, *near, *begin_ns);
  *begin_ns = shifted (&pieces[*near], *begin_ns);
  *end_ns = shifted (&pieces[find_piece (pieces, n, *near, *end_ns)], *end_ns);
}
