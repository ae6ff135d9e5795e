/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobTiming: how long the nodes of a job's step take, and the gaps after them. The last stage.
 *
 * timing.c makes it: averages and gaps here, those between groups in group-gaps.c, those around parameter servers in
 * server-delays.c. All times are ns.
 */
#pragma once

#include "analyzers/training-job/step-times.h"
#include "graphs/step-graph/replay.h"

/* What was measured of a node, as depgraph shows it. */
typedef struct
{
  guint64 cnt;                /* spans; 0: never traced */
  tt_int128 sum_ns;           /* of their durations (clipped, if asked for) */
  gint64 avg_ns;              /* sum / cnt; of a fused group's QUEUE ...: the mean of its members' */
  TtJobGap operator_operator; /* operatorGAPoperator */
  TtJobGap operator_comm;     /* operatorGAPComm */
  TtJobGap comm_operator;     /* CommGAPoperator */
  TtJobGap comm_comm;         /* CommGAPComm, of links to parameter servers */
  TtJobGap network;           /* INTERNODEGAP, likewise */
} TtJobNodeFacts;

typedef struct
{
  TtJobNodeFacts *facts;  /* by node */
  TtStepNodeTimes *times; /* by node: what a replay needs of the facts */
  TtJobStepTimes *steps;  /* when the nodes ran */
  gboolean updates_wait;  /* in the typical step no update starts before its rank's last group has ended */
  guint64 n_clipped;      /* RECV spans that were clipped, and by how much */
  tt_int128 clipped_ns;
} TtJobTiming;

typedef struct
{
  const TtTrainingJobOptions *options;
  const TtJobNames *names;
  const TtJobTopology *topology;
  TtJobObservations *observations; /* its spans are taken over */
  const TtJobPlan *plan;
  gboolean has_tree_directions;
} TtJobTimingInput;

TtJobTiming *tt_job_timing_new (TtStore *store, const TtJobTimingInput *input);
void tt_job_timing_free (TtJobTiming *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobTiming, tt_job_timing_free)
