/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map from the clock of a process to that of its run: what to add to a time, piecewise linear.
 *
 * Pieces follow each other without gaps. Before the first one its first shift holds, after the last one its last shift.
 * A map never turns time around: of two times the later is not mapped before the earlier.
 */
#pragma once

#include <glib.h>

/* At from_ns the shift is shift_ns, at until_ns it is shift_ns + gain_ns; between them it grows evenly, rounded towards
 * zero. from_ns < until_ns. */
typedef struct
{
  gint64 from_ns, until_ns, shift_ns, gain_ns;
} TtClockPiece;

/* Shifts of more are of no clock. */
#define TT_CLOCK_MAX_SHIFT_NS (G_GINT64_CONSTANT (1) << 61)

/* Whether SQL, whose integers have 64 bits, finds the same as tt_clock_piece_shift(), and time goes on within it. */
gboolean tt_clock_piece_is_sound (const TtClockPiece *piece);
gint64 tt_clock_piece_shift (const TtClockPiece *piece, gint64 ns);

/* The shift at @ns by @pieces, in order of time, n > 0. *@near: the piece found last, where the search begins; any
 * number at first. */
gint64 tt_clock_map_shift (const TtClockPiece *pieces, guint n, guint *near, gint64 ns);
/* @ns with that shift, never beyond TT_TIME_MAX_NS. */
gint64 tt_clock_map_time (const TtClockPiece *pieces, guint n, guint *near, gint64 ns);

/* Times from one to the other, both included, that have one shift. */
typedef struct
{
  gint64 from_ns, until_ns, shift_ns;
} TtSteadyShift;

/* The shift at @ns, and at some times around it: clocks drift by a nanosecond in thousands, in which spans follow each
 * other. */
void tt_clock_map_steady (const TtClockPiece *pieces, guint n, guint *near, gint64 ns, TtSteadyShift *steady);
