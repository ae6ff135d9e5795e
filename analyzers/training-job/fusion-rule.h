/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a job's Horovod fuses tensors, as far as its steps tell.
 *
 * A background thread wakes in cycles and negotiates what all ranks have got ready; tensors that are ready in the same
 * cycle are fused in the order in which they got ready, up to a threshold, and those behind one that does not fit are
 * still looked at (horovod/common/operations.cc, RunLoopOnce; controller.cc, FuseResponses).
 */
#pragma once

#include "analyzers/training-job/whole-job.h"

/* HOROVOD_FUSION_THRESHOLD where nothing tells it. */
#define TT_FUSION_DEFAULT_BYTES (64.0 * 1024 * 1024)

typedef struct
{
  gint64 cycle_ns;        /* between wakings */
  gint64 negotiate_ns;    /* from a waking until a group begins */
  double threshold_bytes; /* 0: no fusion */
  gboolean is_cycle_seen, is_threshold_seen;
} TtFusionRule;

/* @bytes: by tensor and group, see TtJobShape. */
TtFusionRule tt_fusion_rule_of (const TtWholeJob *whole);

/* A tensor that is to be communicated. */
typedef struct
{
  guint32 number; /* the caller's */
  gint64 ready_ns;
  double bytes;
  /* Set by tt_fusion_rule_apply(): its group, in the order of launches, and when the group's cycle began. */
  guint group;
  gint64 cycle_ns;
} TtFusionTensor;

/* @tensors: by ready_ns. @phase_ns: a waking. Returns the number of groups. */
guint tt_fusion_rule_apply (const TtFusionRule *self, TtFusionTensor *tensors, guint n_tensors, gint64 phase_ns);
