/*
 * `critical-path --model` of a training job: what bounds a simulated step.
 */
#pragma once

#include "analyzers/training-job/training-job.h"
#include "src/cli/tables/simulate.h"

typedef enum
{
  TT_JOB_TABLE_OPS,
  TT_JOB_TABLE_KINDS,
  TT_JOB_TABLE_RANKS,
  TT_JOB_TABLE_PATH,
  TT_N_JOB_TABLES,
} TtJobTable;

typedef struct
{
  TtTrainingJob *job;
  TtSimulation *simulation;
} TtStepModel;

/* The job of the run under the default rules; NULL with @error. */
TtStepModel *tt_step_model_new (TtStore *store, GError **error);
void tt_step_model_free (TtStepModel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepModel, tt_step_model_free)

/* "Simulated step 6.27 ms; measured iteration 6.28 ms"; free it. */
char *tt_step_model_describe (const TtStepModel *self);

/* Ids (guint64, ascending) of the events of the typical step that are on the path. NULL with @error. */
GArray *tt_step_model_events (const TtStepModel *self, TtStore *store, GError **error);
