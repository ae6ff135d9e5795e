/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobNodeSamples: the observations by node of the step's graph: which samples belong to a node, and which node to a
 * span. The first part of the timing stage; read-only after it was made.
 */
#pragma once

#include "analyzers/training-job/plan.h"

typedef struct
{
  const TtJobNames *names;
  const TtJobObservations *observations;
  const TtJobSamples **of_node; /* by node; NULL: not traced */
  TtJobSamples *of_transfer;    /* by node: of a tree's transfers, which share names; NULL: there are none */
  GArray *spans;                /* of TtJobSpan, with their nodes; the observations' */
} TtJobNodeSamples;

typedef struct
{
  const TtJobNames *names;
  const TtJobTopology *topology;
  TtJobObservations *observations; /* its spans are taken over */
  const TtStepGraph *graph;
  gboolean has_tree_directions;
} TtJobNodeSamplesInput;

void tt_job_node_samples_init (TtJobNodeSamples *self, const TtJobNodeSamplesInput *input);
void tt_job_node_samples_clear (TtJobNodeSamples *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtJobNodeSamples, tt_job_node_samples_clear)

/* The samples of "Comm.3.QUEUE", the same sub-operation of a member of a fused group, on the node's endpoint; or
 * NULL. */
const TtJobSamples *
tt_job_node_samples_of_member (const TtJobNodeSamples *self, const TtStepNode *node, const char *tensor);
