/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtIterationTally: the time of a run's iteration, from the iterations of its processes (rule in steps.h).
 */
#pragma once

#include "analyzers/steps/steps.h"

typedef struct _TtIterationTally TtIterationTally;

TtIterationTally *tt_iteration_tally_new (void);
void tt_iteration_tally_free (TtIterationTally *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtIterationTally, tt_iteration_tally_free)

/* Once per process and step. */
void tt_iteration_tally_add (TtIterationTally *self, gint32 step, tt_int128 iteration_ns);
/* Fills all of @result but n_processes. */
gboolean tt_iteration_tally_finish (TtIterationTally *self, TtStepIteration *result, GError **error);
