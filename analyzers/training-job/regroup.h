/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRegroup: the steps of a whole job with its tensors fused otherwise: another threshold, communication that waits for
 * all of BW, or no longer does.
 *
 * When tensors get ready is what each step's operators say; the groups that Horovod would make of them follow from its
 * cycles and threshold, as far as the traces tell these (fusion-rule.h). A collective takes what the network says of its
 * bytes, corrected by what traced ones of about that size took.
 */
#pragma once

#include "analyzers/training-job/fusion-rule.h"
#include "analyzers/training-job/what-if.h"

typedef enum
{
  TT_OVERLAP_AS_TRACED,
  TT_OVERLAP_ALL,  /* tensors are communicated as they get ready */
  TT_OVERLAP_NONE, /* once all of BW has ended */
} TtOverlap;

typedef struct
{
  gboolean is_fusion; /* the threshold is another */
  double threshold_bytes;
  TtOverlap overlap;
} TtFusionChange;

typedef struct
{
  const TtWholeJob *whole;
  TtFusionRule rule;
  gboolean groups_wait; /* for replays */
  guint n_steps;
  TtStepGraph **graphs;    /* by slot */
  TtStepNodeTimes **times; /* by slot and node */
  GPtrArray *notes;        /* of char * */
} TtRegroup;

/* @whole: with @change. @what_if: of operators, before tensors are fused, or NULL. @replay: as of predictions. NULL with @error: bytes of tensors are not known. */
TtRegroup *tt_regroup_new (const TtWholeJob *whole,
                           const TtJobNetwork *network,
                           const TtNetworkChange *change,
                           const TtFusionChange *fusion,
                           const TtWhatIf *what_if,
                           const TtStepReplayOptions *replay,
                           GError **error);
void tt_regroup_free (TtRegroup *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRegroup, tt_regroup_free)
