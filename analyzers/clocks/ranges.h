/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When processes begin and end, and when they come out of MPI_Init, by their own clocks.
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
 * starts_ns[process] the end of its MPI_Init, if it has one. */
gboolean
tt_clock_ranges_find (TtStore *store, gpointer prepared, TtClockRange *ranges, gint64 *starts_ns, GError **error);
