/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether ends of collectives tell that clocks differ where nothing comes before its cause.
 *
 * All leave a collective of which nobody can leave before all have come nearly at once. Clocks that are apart by less
 * than the ranks wait contradict nothing; but ends that are apart by the same over and over, by much more than the call
 * takes the last to come, are none of the program.
 */
#pragma once

#include "analyzers/clocks/ties.h"

/* @group_of: by clock, at most n_clocks; only clocks of one group are compared, and none of group 0. NULL: all are. */
gboolean tt_clock_ends_differ (const TtClockTies *ties, const guint32 *group_of);

/* Whether calls @first_call and later are of all the ranks that they are supposed to be of, though they are few: their
 * ends are apart by the same, by much less than the calls take, or by what ends of MPI_Init are. @mpi: as in
 * fit.h. */
gboolean tt_clock_ends_coincide (const TtClockTies *ties, guint first_call, const TtClockMpi *mpi);
