/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks that differ though messages go one way only, so that none comes before it was sent.
 *
 * A receiver whose clock is ahead gets every message late, but so does one that comes late to receive it. Where it waited
 * already and small messages took at least some milliseconds each time, it is the clock if two of three agree: most
 * took nearly as long, MPI_Init ended apart by as much, MPI_Finalize did. One of these alone is no evidence.
 */
#pragma once

#include "analyzers/clocks/ties.h"

typedef struct
{
  guint64 pair;   /* clocks, min << 32 | max */
  gint64 late_ns; /* what the fastest message was late for one who waited for it: the least that clocks differ by */
} TtClockOneWay;

/* Whether of any pair every message goes the same way and takes long; else nothing more need be asked. */
gboolean tt_clock_is_any_one_way (const TtClockTies *ties);
/* An array of TtClockOneWay, by pair. @mpi: as in fit.h. NULL with @error. */
GArray *tt_clock_one_way_new (const TtClockTies *ties, TtStore *store, const TtClockMpi *mpi, GError **error);
/* NULL: the pair is not there. @one_way: NULL: none is. */
const TtClockOneWay *tt_clock_one_way_find (const GArray *one_way, guint64 pair);
