/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The models of a job that `simulate` answers from: as it is, of pieces or of whole collectives, and with the changes.
 *
 * All zero but the job is empty. It borrows the job and owns the rest.
 */
#pragma once

#include "analyzers/training-job/interval.h"
#include "src/cli/commands/simulate-options.h"

typedef struct
{
  const TtTrainingJob *job;
  TtJobNetwork *network;
  TtWholeJob *whole, *changed_whole;
  TtPrediction *pieces, *model, *changed; /* NULL: not needed */
  gint64 lowest_ns, highest_ns;           /* of changed, if links are shared otherwise; 0: as it is */
} TtSimulateModels;

void tt_simulate_models_clear (TtSimulateModels *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSimulateModels, tt_simulate_models_clear)

/* Fills pieces, and model where collectives are taken whole. */
gboolean tt_simulate_models_choose (TtSimulateModels *self, const TtSimulateOptions *options, GError **error);
/* Fills changed; may drop model. */
gboolean tt_simulate_models_change (TtSimulateModels *self, TtSimulateOptions *options, GError **error);

/* A line each. */
void tt_simulate_tell_notes (const GPtrArray *notes);
