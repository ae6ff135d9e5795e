/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets and drifts of all clocks, from how the clocks of pairs differ (pair-fit.h).
 *
 * Of the ranks that are tied to each other the first keeps its time. The others follow along the tree of pairs whose
 * difference is known best. Ranks that contradict nobody, and those tied to them alone, keep theirs.
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

/* @pieces: by clock, of TtClockPiece, NULL or empty: its time is the run's; NULL: of no clock. */
void tt_clock_judge (const TtClockTies *ties, GArray *const *pieces, TtClockVerdict *verdicts);
gboolean tt_clock_is_any_violated (const TtClockTies *ties, const TtClockVerdict *verdicts);

/* Writes to pieces[clock] an array of TtClockPiece, and to residuals[clock] how far it may be wrong, G_MAXINT64: not known.
 * @ranges, @starts_ns: by clock; the latter the end of its MPI_Init, TT_NO_TIME: it has none. Drops calls of which the
 * source does not say who takes part when they contradict each other. */
void tt_clock_fit (TtClockTies *ties,
                   const TtClockRange *ranges,
                   const gint64 *starts_ns,
                   GArray **pieces,
                   gint64 *residuals_ns);
