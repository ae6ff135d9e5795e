/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map of a clock while it is being made: shifts at some of its times, between which they grow evenly.
 */
#pragma once

#include "src/trace/clock-map.h"

typedef struct
{
  gint64 at_ns, shift_ns;
} TtClockKnot;

/* By a map that is made, of TtClockPiece; NULL and an empty one shift nothing. *@near as in clock-map.h. */
gint64 tt_clock_pieces_shift (const GArray *pieces, guint *near, gint64 ns);
gint64 tt_clock_pieces_time (const GArray *pieces, guint *near, gint64 ns);

/* The same as tt_clock_pieces_time(), quicker for many times of one map. */
gint64 tt_clock_pieces_time_by (const GArray *pieces, TtClockCursor *cursor, gint64 ns);

/* No clock drifts by more than one part in so many. */
#define TT_CLOCK_DRIFT_PART 5000

/* Whether the map moves a clock by more than twice what any drifts by. */
gboolean tt_clock_was_set (const GArray *pieces);

/* @knots: of TtClockKnot, by time, of one time the last counts; none: no shift. To TtClockPiece that store/clocks.h takes: from
 * the begin of time, no piece longer than SQL can reckon with; a shift that would turn time around stays behind, and
 * one that grows as no clock does stays as it was. Empty for no knots. */
GArray *tt_clock_knots_to_pieces (const GArray *knots);
