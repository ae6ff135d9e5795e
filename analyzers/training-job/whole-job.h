/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWholeJob: a job's step with each collective as one operation a rank, which all ranks begin together.
 *
 * What a collective takes is what it took, times what the network that was fitted to the trace says of the change: other
 * bandwidths, latencies, NICs, channels, an other algorithm, fewer bytes, another number of GPUs. Of more GPUs than
 * TT_WHOLE_MAX_RANKS only so many are replayed; the collectives are those of all.
 */
#pragma once

#include "analyzers/training-job/network.h"

#define TT_WHOLE_MAX_RANKS 256

/* A host whose NICs are slower than those of others, in a job of other hosts. */
typedef enum
{
  TT_SLOW_HOST_IN_PLACE, /* there if there are as many hosts */
  TT_SLOW_HOST_STAYS,
  TT_SLOW_HOST_GOES,
} TtSlowHost;

/* Factors are of speeds, latencies and bytes: 1 changes nothing. */
typedef struct
{
  double bandwidth, nic_bandwidth, latency, compression;
  guint n_nics, n_channels, n_gpus, gpus_per_host; /* 0: as traced; hosts have all as many GPUs */
  gboolean is_algo;                                /* FALSE: as traced */
  TtCollectiveAlgo algo;
  TtSlowHost slow_host;
} TtNetworkChange;

#define TT_NETWORK_CHANGE_NONE                        \
  {                                                   \
    1, 1, 1, 1, 0, 0, 0, 0, FALSE, TT_COLLECTIVE_RING \
  }

typedef struct
{
  const TtTrainingJob *job;
  TtStepGraph *traced; /* of the traced ranks */
  TtStepNodeTimes *means;
  TtJobStepTimes *steps;
  TtJobStepModel *model;
  TtStepGraph *graph; /* of the ranks that are replayed; traced itself, if these are all */
  guint32 *from;      /* by node of the graph: the traced node, or TT_STEP_NO_NODE */
  guint32 *turns;     /* by rank of the graph: as of TtJobStepCopies */
  double *ratios;     /* by group: what it takes, by what it took */
  char **pids;
  gboolean has_other_algo, has_nvls, has_other_hosts; /* its collectives */
  gboolean has_other_lanes;                           /* other channels or NICs */
  GPtrArray *notes;                                   /* of char * */
} TtWholeJob;

/* @network: NULL if nothing about it changes. NULL with @error: a change that the job cannot have. */
TtWholeJob *
tt_whole_job_new (const TtTrainingJob *job, const TtJobNetwork *network, const TtNetworkChange *change, GError **error);
void tt_whole_job_free (TtWholeJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWholeJob, tt_whole_job_free)

/* Those of the step of @slot, one a node of the graph; free them. */
TtStepNodeTimes *tt_whole_job_times (const TtWholeJob *self, guint slot);

/* Its graph, with other groups: each one operation a rank. */
TtStepGraph *
tt_whole_job_graph (const TtTrainingJob *job, TtStepGroup *groups, guint n_groups, guint n_ranks, char *const *pids);
/* What playing a collective of so many bytes says, as it is and with the change; of 0 bytes and more. */
double tt_whole_job_play_ns (const TtJobNetwork *network, const TtNetworkChange *change, double bytes);
/* "rank name" -> GUINT_TO_POINTER (node), of nodes without suffix. */
GHashTable *tt_whole_job_index (const TtStepGraph *graph);
/* TT_STEP_NO_NODE: it has none. */
guint32 tt_whole_job_find (GHashTable *nodes, guint rank, const char *name);
