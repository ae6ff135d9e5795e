/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ends of MPI say of clocks where bounds leave much open.
 *
 * MPI_Init ends nearly at once everywhere: within a millisecond on a machine that has time for it, within five where it has
 * not. That proves nothing by itself, and is asked only of clocks that are known to differ; then it chooses among what
 * the bounds allow. Nor must anybody wait in MPI_Finalize, but where one left it before another came, and MPI_Init says
 * that the other's clock is ahead by as much, it is the clock.
 */
#pragma once

#include "analyzers/clocks/one-way.h"
#include "analyzers/clocks/pair-fit.h"
#include "analyzers/clocks/ranges.h"

/* @low, @high: of the clocks of the pair. @waited: as one-way.h has it of the pair, or NULL. Moves the only line of @fit,
 * within the bounds, where both MPI_Init and what there is of messages and calls agree on where it is. */
void tt_clock_starts_choose (const TtClockMpi *low,
                             const TtClockMpi *high,
                             const TtClockPair *bounds,
                             const TtClockOneWay *waited,
                             TtClockPairFit *fit);

/* Whether MPI_Finalize and MPI_Init tell of any two of @n clocks that they differ. */
gboolean tt_clock_starts_differ (const TtClockMpi *mpi, guint n);
