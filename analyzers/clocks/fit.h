/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets and drifts of all clocks, from how the clocks of pairs differ (pair-fit.h).
 *
 * Of the ranks that are tied to each other the first keeps its time. The others follow along the tree of pairs whose
 * difference is known best. Ranks that contradict nobody, and those tied to them alone, keep theirs.
 */
#pragma once

#include "analyzers/clocks/ties.h"

/* Writes to pieces[clock] an array of TtClockPiece, and to residuals[clock] how far it may be wrong, of the first that it is
 * tied to; G_MAXINT64: not known, or it is that one, but for clock 0.
 * @ranges, @mpi: by clock. Drops calls of which the source does not say who takes part when they contradict each
 * other. @one_way: as one-way.h has it, or NULL. */
void tt_clock_fit (TtClockTies *ties,
                   const TtClockRange *ranges,
                   const TtClockMpi *mpi,
                   const GArray *one_way,
                   GArray **pieces,
                   gint64 *residuals_ns);
