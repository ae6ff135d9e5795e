/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How uncertain a prediction is: parts that add up, in ns; most of them to both sides.
 */
#pragma once

#include "analyzers/training-job/prediction.h"

typedef struct
{
  gint64 steps_ns; /* twice the standard error of the mean over the replayed steps */
  gint64 model_ns; /* how far the job as it is was from what was measured */
  gint64
      network_ns; /* of what a change of the network makes: how far collectives are from what they took, and a tenth */
  gint64 less_ns, more_ns; /* what other ways to share links, of which the trace does not tell, may add */
  double comm_percent;     /* of the path: communication */
  guint n_links;           /* fitted ones that say what a change makes of it; 0: it is as recorded */
} TtPredictionInterval;

/* @before: without changes, or NULL; @residual: of the network that was fitted, 0: nothing about it changes. */
TtPredictionInterval
tt_prediction_interval (const TtPrediction *self, const TtPrediction *before, gint64 measured_ns, double residual);

static inline gint64
tt_prediction_interval_below (const TtPredictionInterval *self)
{
  return self->steps_ns + self->model_ns + self->network_ns + self->less_ns;
}

static inline gint64
tt_prediction_interval_above (const TtPredictionInterval *self)
{
  return self->steps_ns + self->model_ns + self->network_ns + self->more_ns;
}
