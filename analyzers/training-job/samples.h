/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics of the spans of one name, as the stages of a training job pass them on. All times are ns.
 */
#pragma once

#include "src/base/int128.h"

/* Sum and number of samples of a gap after a node. */
typedef struct
{
  tt_int128 sum_ns;
  guint64 cnt;
} TtJobGap;

static inline void
tt_job_gap_add (TtJobGap *self, gint64 ns)
{
  self->sum_ns += ns;
  self->cnt++;
}

/* All spans of one name on one endpoint. */
typedef struct
{
  guint32 endpoint, name;
  guint64 cnt;
  tt_int128 sum_ns, end_sum_ns;         /* of durations, of ends */
  TtJobGap gap;                         /* operatorGAPoperator; of links CommGAPComm */
  gint64 typical_ts_ns, typical_end_ns; /* of its last span in the typical step; TT_NO_TIME: none there */
} TtJobSamples;

#define TT_JOB_NO_SAMPLES G_MAXUINT32

/* A span that is needed by itself: a SEND or RECV if RECVs are clipped or go over trees; with parameter servers a
 * span on the push/pull path, or the operator before or after it. */
typedef struct
{
  guint32 endpoint, name;
  gint32 step;
  guint32 node; /* TT_STEP_NO_NODE until the timing stage has found it */
  gint64 ts_ns, dur_ns;
} TtJobSpan;

/* A span of one of the steps that are kept. */
typedef struct
{
  guint32 samples; /* index */
  guint32 slot;    /* of the step */
  gint64 ts_ns, dur_ns;
} TtJobKeptSpan;
