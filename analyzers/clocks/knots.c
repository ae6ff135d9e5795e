/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/knots.h"

#include <stdlib.h>

#include "src/base/array.h"
#include "src/base/int128.h"
#include "src/trace/span.h"

/* Of one stretch between two knots: a drift of 7 s in a day takes so many. */
#define MAX_PARTS 65536

/* What times in microseconds may hide. */
#define MIN_SET_NS 2000

/* Traces of other years in one run want shifts that no clock has: they would take more pieces than a disk holds. */
static gboolean
is_of_a_clock (gint64 length_ns, gint64 gain_ns)
{
  tt_int128 product = (tt_int128) length_ns * gain_ns;

  return (product < 0 ? -product : product) / G_MAXINT64 < MAX_PARTS;
}

static void
add_piece (GArray *pieces, gint64 from_ns, gint64 until_ns, gint64 shift_ns, gint64 gain_ns)
{
  TtClockPiece piece = { from_ns, until_ns, shift_ns, gain_ns };

  if (tt_clock_piece_is_sound (&piece))
    {
      g_array_append_val (pieces, piece);
      return;
    }
  /* Too long for a product of 64 bits. */
  gint64 middle_ns = from_ns + (until_ns - from_ns) / 2;
  gint64 part_ns = (gint64) ((tt_int128) gain_ns * (middle_ns - from_ns) / (until_ns - from_ns));
  g_return_if_fail (until_ns - from_ns >= 2);
  add_piece (pieces, from_ns, middle_ns, shift_ns, part_ns);
  add_piece (pieces, middle_ns, until_ns, shift_ns + part_ns, gain_ns - part_ns);
}

GArray *
tt_clock_knots_to_pieces (const GArray *knots)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (TtClockPiece));
  const TtClockKnot *all = TT_ARRAY (knots, TtClockKnot);
  TtClockKnot last = { -TT_TIME_MAX_NS, 0 };

  for (guint i = 0; i < knots->len; i++)
    {
      TtClockKnot knot = { CLAMP (all[i].at_ns, -TT_TIME_MAX_NS, TT_TIME_MAX_NS),
                           CLAMP (all[i].shift_ns, -TT_CLOCK_MAX_SHIFT_NS / 2, TT_CLOCK_MAX_SHIFT_NS / 2) };

      if (i + 1 < knots->len && all[i + 1].at_ns == all[i].at_ns)
        continue;
      if (pieces->len == 0)
        {
          knot.at_ns = MAX (knot.at_ns, last.at_ns + 1);
          add_piece (pieces, last.at_ns, knot.at_ns, knot.shift_ns, 0);
          last = knot;
        }
      if (knot.at_ns <= last.at_ns)
        continue;
      gint64 gain_ns = MAX (knot.shift_ns - last.shift_ns, -(knot.at_ns - last.at_ns));
      if (!is_of_a_clock (knot.at_ns - last.at_ns, gain_ns))
        gain_ns = 0;
      add_piece (pieces, last.at_ns, knot.at_ns, last.shift_ns, gain_ns);
      last = (TtClockKnot){ knot.at_ns, last.shift_ns + gain_ns };
    }
  return pieces;
}

gint64
tt_clock_pieces_shift (const GArray *pieces, guint *near, gint64 ns)
{
  return pieces == NULL || pieces->len == 0
             ? 0
             : tt_clock_map_shift (TT_ARRAY (pieces, TtClockPiece), pieces->len, near, ns);
}

gint64
tt_clock_pieces_time (const GArray *pieces, guint *near, gint64 ns)
{
  return pieces == NULL || pieces->len == 0
             ? ns
             : tt_clock_map_time (TT_ARRAY (pieces, TtClockPiece), pieces->len, near, ns);
}

gint64
tt_clock_pieces_time_by (const GArray *pieces, TtClockCursor *cursor, gint64 ns)
{
  return pieces == NULL || pieces->len == 0
             ? ns
             : tt_clock_cursor_time (cursor, TT_ARRAY (pieces, TtClockPiece), pieces->len, ns);
}

gboolean
tt_clock_was_set (const GArray *pieces)
{
  for (guint i = 0; pieces != NULL && i < pieces->len; i++)
    {
      const TtClockPiece *piece = &g_array_index (pieces, TtClockPiece, i);

      if (llabs (piece->gain_ns) >
          MIN_SET_NS + tt_time_since (piece->until_ns, piece->from_ns) / (TT_CLOCK_DRIFT_PART / 2))
        return TRUE;
    }
  return FALSE;
}
