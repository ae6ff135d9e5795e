/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map from the clock of a process to that of its run: what to add to a time, piecewise linear.
 *
 * Pieces follow each other without gaps. Before the first one its first shift holds, after the last one its last shift.
 * A map never turns time around: of two times the later is not mapped before the earlier.
 */
#pragma once

#include "src/trace/span.h"

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

/* A piece, or what lies before the first or after the last one, made ready for many times: those from first_ns to last_ns,
 * both included, have its shift. first_ns > last_ns: none. */
typedef struct
{
  gint64 first_ns, last_ns;
  gint64 origin_ns, length_ns, shift_ns, gain_ns; /* length_ns > 0 */
  double rate;                                    /* gain_ns / length_ns */
} TtClockSlope;

#define TT_CLOCK_SLOPE_NONE ((TtClockSlope){ .first_ns = 1, .length_ns = 1 })

/* That of @ns; of few pieces, which no clock has, TT_CLOCK_SLOPE_NONE. */
TtClockSlope tt_clock_map_slope (const TtClockPiece *pieces, guint n, guint *near, gint64 ns);

static inline gboolean
tt_clock_slope_has (const TtClockSlope *self, gint64 ns)
{
  return self->first_ns <= ns && ns <= self->last_ns;
}

/* The same as tt_clock_piece_shift(), for a time that it has: doubles multiply faster than integers divide, are less than 1
 * off here, and are then put right. */
static inline gint64
tt_clock_slope_shift (const TtClockSlope *self, gint64 ns)
{
  gint64 at_ns = ns - self->origin_ns, product = at_ns * self->gain_ns;
  gint64 quotient = (gint64) ((double) at_ns * self->rate), rest = product - quotient * self->length_ns;

  if (G_UNLIKELY (rest >= self->length_ns || (rest > 0 && product < 0)))
    quotient++;
  else if (G_UNLIKELY (rest <= -self->length_ns || (rest < 0 && product > 0)))
    quotient--;
  return self->shift_ns + quotient;
}

/* Where a map was asked last, for many times of one map; each thread that asks has its own. */
typedef struct
{
  guint near;
  TtClockSlope slope; /* of the time that was asked for last */
} TtClockCursor;

#define TT_CLOCK_CURSOR_NEW ((TtClockCursor){ 0, TT_CLOCK_SLOPE_NONE })

/* @n new ones; g_free() them. */
TtClockCursor *tt_clock_cursors (gsize n);
/* Where the slope has not @ns. */
gint64 tt_clock_cursor_move (TtClockCursor *self, const TtClockPiece *pieces, guint n, gint64 ns);

/* The same as tt_clock_map_time(). */
static inline gint64
tt_clock_cursor_time (TtClockCursor *self, const TtClockPiece *pieces, guint n, gint64 ns)
{
  if (G_UNLIKELY (!tt_clock_slope_has (&self->slope, ns)))
    return tt_clock_cursor_move (self, pieces, n, ns);
  return CLAMP (ns + tt_clock_slope_shift (&self->slope, ns), -TT_TIME_MAX_NS, TT_TIME_MAX_NS);
}
