/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `simulate` and `plot what-if` predict from: a training job by its model, or a run of PyTorch as it was recorded.
 */
#pragma once

#include "analyzers/recorded-job/recorded-job.h"
#include "analyzers/training-job/models.h"

typedef struct
{
  TtTrainingJob *job;         /* or NULL, */
  TtStepRecording *recording; /* or NULL */
  guint n_ranks;
  GPtrArray *notes; /* of char *: what was missing and what that means */
} TtJobSource;

/* *self is all zero. @by_model: of PyTorch's runs, too; @with_network: what their collectives move is read. FALSE with @error: what tt_training_job_new() and
 * tt_recorded_job_new() say. */
gboolean tt_job_source_load (TtJobSource *self,
                             TtStore *store,
                             const TtTrainingJobOptions *options,
                             gboolean by_model,
                             gboolean with_network,
                             GError **error);
void tt_job_source_clear (TtJobSource *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtJobSource, tt_job_source_clear)

/* Its models; how a job is replayed is set in *models. */
void tt_job_source_init_models (const TtJobSource *self, TtJobModels *models);
