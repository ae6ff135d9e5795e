/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the clocks of two ranks differ: a line for each stretch of time, found from bounds.
 *
 * The line is the one that keeps the farthest from all bounds of the pair (pair-bounds.h)
 * (A. Duda et al., "Estimating Global Time in Distributed Systems"); without drift where that agrees with them. Where no
 * line does, the clock was set: the stretch ends there.
 */
#pragma once

#include "analyzers/clocks/pair-bounds.h"

typedef struct
{
  gint64 from_ns, until_ns; /* of the bounds that it agrees with, by the first clock */
  gint64 begin_ns, end_ns;  /* the difference then */
} TtClockLine;

typedef struct
{
  GArray *lines;      /* of TtClockLine, by time; empty: no bounds */
  gint64 width_ns;    /* how far the bounds leave the difference open, G_MAXINT64: on one side */
  gint64 doubt_ns;    /* how far the lines may be wrong; G_MAXINT64: as far as it likes */
  double drift_doubt; /* how far their slopes may be: before the first of the bounds and after the last that adds up */
  guint n_outliers;   /* stretches whose bounds agree with no line */
} TtClockPairFit;

void tt_clock_pair_fit (const TtClockPair *pair, TtClockPairFit *fit);
void tt_clock_pair_fit_clear (TtClockPairFit *fit);
