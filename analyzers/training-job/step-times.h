/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobStepTimes: when each node of a job's step ran, step by step, in the steps whose spans were kept.
 *
 * A replay of averages is too short where ranks wait for the slowest of several: the mean of the maximum is more than
 * the maximum of the means. So each kept step is replayed with what it took.
 */
#pragma once

#include "analyzers/training-job/node-samples.h"

/* begin_ns is TT_NO_TIME if the node was not traced in the step. Several spans of a node: from the first begin to the
 * last end, dur_ns is their sum; of a group the mean of its members. */
typedef struct
{
  gint64 begin_ns, end_ns, dur_ns;
} TtJobNodeTime;

typedef struct
{
  guint n_steps;
  guint32 n_nodes;
  gint32 steps[TT_JOB_MAX_KEPT_STEPS];
  TtJobNodeTime *times; /* [slot * n_nodes + node] */
} TtJobStepTimes;

/* Takes what it needs of @samples and its observations. */
TtJobStepTimes *tt_job_step_times_new (const TtStepGraph *graph, const TtJobNodeSamples *samples, const GArray *shapes);
void tt_job_step_times_free (TtJobStepTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobStepTimes, tt_job_step_times_free)

static inline TtJobNodeTime *
tt_job_step_times_of (const TtJobStepTimes *self, guint slot)
{
  return self->times + (gsize) slot * self->n_nodes;
}
