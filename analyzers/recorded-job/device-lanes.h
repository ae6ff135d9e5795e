/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of the queues of devices, and what they need.
 */
#pragma once

#include "analyzers/recorded-job/builder.h"
#include "analyzers/recorded-job/launches.h"

/* A span that another, of another queue, needs: by their numbers. */
typedef struct
{
  guint from, to;
} TtQueueNeed;

/* The k-th kernels of a collective on several ranks: numbers of spans, one after the other. */
typedef struct
{
  guint first, n; /* of the members */
} TtJoinedKernels;

/* @members: of guint; @joined: of TtJoinedKernels. Fills builder->device_nodes and arrival_nodes. */
void tt_device_lanes_make (TtRecordingBuilder *builder, const GArray *joined, const GArray *members);
/* After the nodes of the host. @others: of TtQueueNeed, sorted in place. */
void tt_device_lanes_join (TtRecordingBuilder *builder, GArray *others);
