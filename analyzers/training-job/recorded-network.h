/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordedNetwork: the links of a recorded run, fitted to what its collectives took.
 *
 * From the moment when all ranks are there a collective takes
 *
 *   base + hops * hop time + bytes / bandwidth
 *
 * as in the model by which NCCL itself chooses (graph/tuning.cc): the base is the device's own, of 6 to 14 us there; hop time
 * and bandwidth are fitted to each group of ranks, by the median of each size, relative to it. Where the calls of a group
 * differ little in size, hop times are taken from NCCL's tables, and what they may be otherwise makes the prediction
 * uncertain. Of collectives whose other ranks are not in the run, what they took holds waits: the fit goes along
 * the least that was taken, and what is beyond it stays as it is.
 */
#pragma once

#include "analyzers/training-job/whole-job.h"
#include "graphs/step-graph/recording.h"

typedef struct
{
  double base_ns, hop_ns, ns_per_byte;
  double residual; /* root of the mean square of fitted / taken - 1 */
  double taken_ns; /* by all its transfers */
  guint n;
  gboolean is_alone;  /* all its transfers are */
  gboolean is_spread; /* sizes differ enough to tell hop times from bandwidths */
} TtRecordedLink;

typedef struct
{
  const TtStepRecording *recording; /* borrowed */
  GArray *links;                    /* of TtRecordedLink, by group */
  guint n_sized, n_unsized;         /* transfers */
  guint n_alone;                    /* of the sized */
  double residual;                  /* of all, by what they took */
  guint ranks_per_host;             /* as it was told; 0: it was not */
} TtRecordedNetwork;

/* Which of what the trace does not tell holds. */
typedef enum
{
  TT_RECORDED_FITTED,
  TT_RECORDED_LEAST_LATENCY = 1, /* where it is not told, all of a transfer is bytes; else all that may be is base */
  TT_RECORDED_MOST_LATENCY = 2,
  TT_RECORDED_WAITLESS =
      4, /* together with one of these: nothing of a transfer that is alone is a wait, and those without a
                             * size change as well */
  /* Together with any, of which hosts ranks are on: */
  TT_RECORDED_SLOW_LINKS = 8,  /* what binds are not the links that change; of links that were not traced: slow ones */
  TT_RECORDED_FAST_LINKS = 16, /* likewise, fast ones */
  TT_RECORDED_TREES = 32,      /* all-reduces went over trees */
} TtRecordedWay;

/* NULL with @error: no size of any collective is known. */
TtRecordedNetwork *tt_recorded_network_new (const TtStepRecording *recording, GError **error);
void tt_recorded_network_free (TtRecordedNetwork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRecordedNetwork, tt_recorded_network_free)

/* FALSE with @error, of usage: a change that no traces of PyTorch tell of, or none without the ranks of a host. */
gboolean tt_recorded_network_may (guint ranks_per_host, const TtNetworkChange *change, GError **error);
/* Likewise: one that these traces do not. */
gboolean tt_recorded_network_can (const TtRecordedNetwork *self, const TtNetworkChange *change, GError **error);
/* Whether links between hosts, or which ranks are on one, change. */
gboolean tt_recorded_network_is_shaped (const TtNetworkChange *change);
/* Whether with it ranks talk over links of a kind that was not traced. */
gboolean tt_recorded_network_is_supposed (const TtRecordedNetwork *self, const TtNetworkChange *change);
/* What such a change makes of a transfer, by what it takes; @link: as it is seen. */
double tt_recorded_network_shaped (const TtRecordedNetwork *self,
                                   const TtRecordedLink *link,
                                   const TtRecordedTransfer *transfer,
                                   const TtNetworkChange *change,
                                   guint way);
/* Changes the times of the transfers, @times by node. */
void tt_recorded_network_apply (const TtRecordedNetwork *self,
                                const TtNetworkChange *change,
                                guint way,
                                TtStepNodeTimes *times);
/* What was fitted, and what that leaves out. */
char *tt_recorded_network_describe (const TtRecordedNetwork *self);
