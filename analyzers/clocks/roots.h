/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ties by calls with a root: it cannot leave MPI_Gather before all have come, nobody MPI_Bcast before it has.
 *
 * Where the source tells the root, each call tells. TAU does not name roots, but writes the size of what was gathered on
 * the root alone. Where each call of all ranks has one rank with a size, that is it; else there are other communicators,
 * and nothing is learned.
 */
#pragma once

#include "analyzers/clocks/call-spans.h"
#include "analyzers/clocks/ties.h"
#include "analyzers/imbalance/calls.h"

typedef struct _TtClockGathers TtClockGathers;

TtClockGathers *tt_clock_gathers_new (TtClockTies *ties);
void tt_clock_gathers_free (TtClockGathers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtClockGathers, tt_clock_gathers_free)

/* @spans: where calls that return at once were completed. */
void tt_clock_gathers_take (TtClockGathers *self, const TtClockSpans *spans, const TtCall *call);
/* Then: adds to the messages of the ties. Reads the sizes, if there are calls. */
gboolean tt_clock_gathers_finish (TtClockGathers *self, TtStore *store, GError **error);
