/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When processes begin and end, and when they come out of MPI_Init and are in MPI_Finalize, by their own clocks.
 *
 * A fresh import notes it while it goes by; of others the events and counters are read once more.
 */
#pragma once

#include "src/store/store.h"
#include "src/trace/batch.h"

typedef struct
{
  gint64 first_ns, last_ns; /* first > last: nothing */
} TtClockRange;

#define TT_CLOCK_RANGE_NONE ((TtClockRange){ G_MAXINT64, G_MININT64 })

typedef struct
{
  gint64 start_ns;    /* end of MPI_Init; TT_NO_TIME: it has none */
  TtClockRange final; /* MPI_Finalize; TT_CLOCK_RANGE_NONE: it has none */
} TtClockMpi;

#define TT_CLOCK_MPI_NONE ((TtClockMpi){ TT_NO_TIME, TT_CLOCK_RANGE_NONE })

static inline void
tt_clock_range_widen (TtClockRange *self, gint64 first_ns, gint64 last_ns)
{
  self->first_ns = MIN (self->first_ns, first_ns);
  self->last_ns = MAX (self->last_ns, last_ns);
}

/* For the pass: see analyzers/pass.h. */
gpointer tt_clock_ranges_prepare (void);
void tt_clock_ranges_observe (const TtBatch *batch, gpointer prepared);
void tt_clock_ranges_release (gpointer prepared);

/* Widens ranges[process] by its events and counter values, as they were observed; @prepared: NULL, nobody did. Writes to
 * mpi[process] what it has of it. */
gboolean
tt_clock_ranges_find (TtStore *store, gpointer prepared, TtClockRange *ranges, TtClockMpi *mpi, GError **error);
