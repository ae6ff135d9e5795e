/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTrainingJob: a training job as the database shows it: its ranks, the dependencies of a step, and how long
 * everything takes. `nccl`, `depgraph --level job`, `critical-path --model` and `simulate` work on it.
 *
 * Read from the selected run: processes with standard-named operators, the metadata `local_graph` and
 * `nccl_rank_graph` of processes, events with their steps. Missing parts make the graph coarser, and a note says so.
 * The rules are those of the framework-jobs format page, sections 5 to 7.
 *
 * Made in stages, each of which only reads the results of those before it:
 *
 *   names, topology    which names, processes and connections are there (definitions and metadata)
 *   model graph        the operators of one GPU and their dependencies
 *   observations       what the events say
 *   shapes, plan       groups of tensors and their pieces; the step's graph
 *   timing             averages, gaps and delays of the graph's nodes
 */
#pragma once

#include "analyzers/training-job/options.h"
#include "analyzers/training-job/step-model.h"
#include "analyzers/training-job/timing.h"

/* Owns its stages; the other members are theirs. */
typedef struct
{
  TtJobTopology *topology;
  TtJobModelGraph *model;
  TtJobPlan *plan;
  TtJobTiming *timing;
  TtJobStepModel *step_model; /* what the kept steps took; made by tt_training_job_model_steps() */
  GPtrArray *notes;           /* of char *: what was missing and what that means */

  guint n_ranks, n_endpoints;
  char **pids;              /* by endpoint, NULL-ended */
  const guint32 *processes; /* ids, by endpoint */
  const TtNccl *nccl;       /* joined; NULL: no rank has it */
  const GArray *shapes;     /* of TtJobShape, by group of the graph */
  const TtStepGraph *graph;
  const TtJobNodeFacts *facts; /* by node */
  TtStepNodeTimes *times;      /* by node */
  gboolean updates_wait;       /* in the typical step no update starts before its rank's last group has ended */
  gint32 typical_step;
  guint n_steps;
  gint64 iteration_ns; /* measured; 0: no steps */
} TtTrainingJob;

/* Sets *is_there: the run has operators of a job. FALSE with @error: the database failed. */
gboolean tt_training_job_is_there (TtStore *store, gboolean *is_there, GError **error);
/* NULL with @error: no operators under standard names (says what to import), a cycle that names its nodes, a failing
 * database. */
TtTrainingJob *tt_training_job_new (TtStore *store, const TtTrainingJobOptions *options, GError **error);
/* Once, after the times have been changed for good (tt_step_times_after_send()). */
void tt_training_job_model_steps (TtTrainingJob *self);
void tt_training_job_free (TtTrainingJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTrainingJob, tt_training_job_free)
