/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many effects come before their causes.
 */
#pragma once

#include "analyzers/clocks/ties.h"

/* What ties say about one clock. */
typedef struct
{
  guint64 n_bounds;   /* effects on its rank */
  guint64 n_violated; /* that come before their cause */
  gint64 worst_ns;    /* the most that one does */
} TtClockVerdict;

/* The most that an effect on any of the @n clocks comes before its cause. */
static inline gint64
tt_clock_worst_ns (const TtClockVerdict *verdicts, guint n)
{
  gint64 worst_ns = 0;

  for (guint i = 0; i < n; i++)
    worst_ns = MAX (worst_ns, verdicts[i].worst_ns);
  return worst_ns;
}

/* @pieces: by clock, of TtClockPiece, NULL or empty: its time is the run's; NULL: of no clock. */
void tt_clock_judge (const TtClockTies *ties, GArray *const *pieces, TtClockVerdict *verdicts);
gboolean tt_clock_is_any_violated (const TtClockTies *ties, const TtClockVerdict *verdicts);
/* Of calls of which it is supposed that all ranks are in them: whether so many are left too early that they are none. */
gboolean tt_clock_are_refuted (const TtClockTies *ties, GArray *const *pieces);
