/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTrainingJobOptions: what the user may choose about how a job is read.
 */
#pragma once

#include "graphs/step-graph/step-graph.h"

/* How long a RECV takes (section 7.4 of the framework-jobs format page). */
typedef enum
{
  TT_RECV_AS_TRACED,
  TT_RECV_CLIPPED, /* from the start of its SEND on */
  TT_RECV_AS_DPRO, /* likewise, and the mean leaves the last step out, as the original does by mistake */
} TtRecvRule;

typedef struct
{
  TtRecvRule recv;
  gboolean sync_groups;    /* a Sync makes a group of all the tensors it names, as in the original */
  gboolean update_barrier; /* no update starts before all groups have ended */
  TtStepAlgo algo;         /* TT_STEP_ALGO_NONE: as the traces say; else only that */
} TtTrainingJobOptions;
