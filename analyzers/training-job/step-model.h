/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobStepModel: what each node of a job's step takes in each of the steps that were kept, and what it waits for.
 *
 * Waits are derived, never replayed: QUEUE, NEGOTIATE_* and WAIT_FOR_* take no time of their own; an operation that
 * began before what it needs had ended counts from that end on. What was idle although all it needs was there is a
 * delay: of a host that stalls, of a launch, of negotiation.
 */
#pragma once

#include "analyzers/training-job/step-times.h"
#include "graphs/step-graph/replay.h"

typedef struct
{
  const TtStepGraph *graph;
  const TtStepNodeTimes *means; /* by node: for what a step does not show */
  const TtJobStepTimes *steps;
  gboolean updates_wait; /* where no step tells */
} TtJobStepModelInput;

typedef struct
{
  TtJobStepModelInput input;
  guint n_groups;
  gboolean updates_wait; /* in all steps no update begins before its rank's last group has ended */
  gboolean
      groups_wait;    /* in all steps communication begins only after the last BW, though gradients were there before */
  gint64 *latency_ns; /* [slot * n_groups + group]: from the last gradient until the group begins */
  gint64 *turnaround_ns; /* likewise: from the end of the group before until it begins */
} TtJobStepModel;

/* The input's members must outlive the model. */
TtJobStepModel *tt_job_step_model_new (const TtJobStepModelInput *input);
void tt_job_step_model_free (TtJobStepModel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobStepModel, tt_job_step_model_free)

/* What makes the ranks of another graph of ranks that were traced. */
typedef struct
{
  const TtStepGraph *graph;
  const guint32 *from;      /* by node of it: the node whose times it has, or TT_STEP_NO_NODE */
  const guint32 *turns;     /* by rank or endpoint of it: so many steps later; 0: it was traced itself */
  gboolean operators_alone; /* take another step; all else that of the slot */
} TtJobStepCopies;

/* The times of the step of @slot, one a node; free them. */
TtStepNodeTimes *tt_job_step_model_times (const TtJobStepModel *self, guint slot);
/* Those of a graph of copies, likewise; of what was not traced itself no order was seen. */
TtStepNodeTimes *tt_job_step_model_copied_times (const TtJobStepModel *self, guint slot, const TtJobStepCopies *copies);
/* Of each rank the iteration that was measured in the step, and their mean; 0: not there. */
gint64 tt_job_step_model_measured_ns (const TtJobStepModel *self, guint slot);

/* step-groups.c: fills latency_ns, turnaround_ns and groups_wait. */
void tt_job_step_model_observe_groups (TtJobStepModel *self);
