/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtUnitClock: cycles of a multiprocessor as ns of the device, from readings of both clocks at once.
 *
 * The straight line that is nearest to the reading it is farthest from: it lies in the middle of the narrowest strip with all
 * readings in it, whose edge is one of their convex hull. Integers throughout, so that the error is exact: no reading is
 * farther from the line. Memory: of corners of the hull alone.
 */
#pragma once

#include "src/base/int128.h"

#include <glib.h>

typedef struct
{
  gint64 cycles, ns;
} TtClockReading;

typedef struct
{
  GArray *lower, *upper; /* of TtClockReading: the hull so far */
  guint64 n;
  gboolean is_out_of_range; /* readings are too far from each other */

  /* After tt_unit_clock_fit() or _borrow(): ns = at.ns + ((cycles - at.cycles) * 2 * rise + above) / (2 * run). */
  gboolean is_fitted, is_borrowed;
  TtClockReading at;
  gint64 rise, run;
  tt_int128 above; /* how wide the strip is, from the line through @at to the other edge, times @run; with its sign */
} TtUnitClock;

void tt_unit_clock_init (TtUnitClock *self);
void tt_unit_clock_clear (TtUnitClock *self);
/* In the order of cycles, then of ns. */
void tt_unit_clock_add (TtUnitClock *self, gint64 cycles, gint64 ns);
/* FALSE: they have no rate, or none that a clock has; without two readings of different cycles. */
gboolean tt_unit_clock_fit (TtUnitClock *self);
/* With the rate of @other, which is fitted, where there are readings of one cycle alone. */
gboolean tt_unit_clock_borrow (TtUnitClock *self, const TtUnitClock *other);
/* How far a reading is from the line at most, in ns, rounded up. */
gint64 tt_unit_clock_error (const TtUnitClock *self);
/* Rounded down. */
gint64 tt_unit_clock_ns (const TtUnitClock *self, gint64 cycles);
