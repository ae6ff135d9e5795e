/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside TtJobModels: what changes make of a job (models.c), how uncertain that is (models-interval.c), and what other
 * networks, which explain the traces as well, would make of it (models-others.c).
 */
#pragma once

#include "analyzers/training-job/models.h"

/* The job as it is: what predictions begin with. */
static inline TtPredictionInput
tt_job_models_input (const TtJobModels *self)
{
  return (TtPredictionInput){
    .job = self->job,
    .recording = self->recording,
    .replay = self->replay,
    .recv_rest = self->recv_rest,
    .averages = self->is_as_dpro,
  };
}
/* Fills less_ns and more_ns by what @own would change if links were shared, limited or like otherwise. */
gboolean tt_job_models_try_others (TtJobModels *self, const TtJobChange *own, GError **error);
/* Likewise by what it would change if links between workers and servers were shared otherwise. */
gboolean tt_job_models_try_servers (TtJobModels *self, const TtJobChange *own, GError **error);
