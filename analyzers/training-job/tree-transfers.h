/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which node of a tree a SEND or RECV belongs to.
 *
 * A rank sends a piece up the tree once and down to each child, and receives it from each child and from its parent;
 * the traces give all of these one name. Their order in a step tells them apart: up comes before down, and of several
 * children the first to finish sending is the first to be received. A step with another number of transfers than the
 * tree has does not count.
 */
#pragma once

#include "analyzers/training-job/names.h"
#include "analyzers/training-job/samples.h"
#include "graphs/step-graph/step-graph.h"

typedef struct
{
  const TtJobNames *names;
  const TtNccl *nccl;
  const TtStepGraph *graph;
  GArray *spans; /* of TtJobSpan: sorted, and their nodes set */
  guint n_steps;
  gint32 typical_step;
} TtJobTreeInput;

/* By node: the samples of its spans; a cnt of 0: none were matched. Free it. */
TtJobSamples *tt_job_match_tree_transfers (const TtJobTreeInput *input);
