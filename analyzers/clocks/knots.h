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

/* @knots: of TtClockKnot, by time, of one time the last counts; none: no shift. To TtClockPiece that store/clocks.h takes: from
 * the begin of time, no piece longer than SQL can reckon with; a shift that would turn time around stays behind. Empty
 * for no knots. */
GArray *tt_clock_knots_to_pieces (const GArray *knots);
