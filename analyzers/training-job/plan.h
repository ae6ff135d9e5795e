/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobPlan: the graph of a job's step and what it is made from. plan.c alone writes it.
 */
#pragma once

#include "analyzers/training-job/model-graph.h"
#include "analyzers/training-job/shapes.h"

typedef struct
{
  TtStepPlan step;     /* points into the topology, the model's graph, the shapes and `owned` */
  TtStepGraph *graph;  /* without cycles */
  GArray *shapes;      /* of TtJobShape, by group */
  GPtrArray *owned;    /* memory of the step plan */
} TtJobPlan;

/* Input besides the store. Topology and model must outlive the plan. */
typedef struct
{
  const TtTrainingJobOptions *options;
  const TtJobNames *names;
  const TtJobTopology *topology;
  const TtJobModelGraph *model;
  GArray *shapes; /* the plan takes a reference */
  TtNotes *notes;
} TtJobPlanInput;

/* NULL with @error: a step that is too large, a cycle that names its nodes, a failing database. */
TtJobPlan *tt_job_plan_new (TtStore *store, const TtJobPlanInput *input, GError **error);
void tt_job_plan_free (TtJobPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobPlan, tt_job_plan_free)
