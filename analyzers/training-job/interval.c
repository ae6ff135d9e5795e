/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/interval.h"

#include <math.h>

/* What rounding and callbacks leave open of any prediction, and what of a change is the model's own. */
#define LEAST_PART 0.01
#define CHANGE_PART 0.1

static double
standard_error (const TtPrediction *self)
{
  double sum = 0;

  if (self->n_steps < 2)
    return 0;
  for (guint i = 0; i < self->n_steps; i++)
    {
      double off = (double) (self->steps_ns[i] - self->mean_ns);
      sum += off * off;
    }
  return sqrt (sum / (self->n_steps - 1) / self->n_steps);
}

static double
comm_percent (const TtSimulation *simulation)
{
  const GArray *hops = simulation->path->hops;
  gint64 comm_ns = 0, all_ns = 0;

  for (guint i = 0; i < hops->len; i++)
    {
      const TtStepHop *hop = &g_array_index (hops, TtStepHop, i);
      all_ns += hop->cost_ns;
      const TtStepNode *node = tt_step_node (simulation->graph, hop->node);
      if (node->group != TT_STEP_NO_GROUP || (simulation->recording != NULL && node->kind == TT_STEP_NODE_COMM))
        comm_ns += hop->cost_ns;
    }
  return all_ns > 0 ? 100.0 * (double) comm_ns / (double) all_ns : 0;
}

TtPredictionInterval
tt_prediction_interval (const TtPrediction *self, const TtPrediction *before, gint64 measured_ns, double residual)
{
  const TtPrediction *model = before != NULL ? before : self;
  double mean = (double) self->mean_ns, off = 0;
  TtPredictionInterval interval = { .comm_percent = comm_percent (self->simulation) };

  if (measured_ns > 0)
    off = fabs ((double) model->mean_ns / (double) measured_ns - 1);
  interval.steps_ns = (gint64) (2 * standard_error (self) + 0.5);
  interval.model_ns = (gint64) (MAX (off, LEAST_PART) * mean + 0.5);
  if (before != NULL)
    interval.network_ns = (gint64) ((CHANGE_PART + 2 * residual) * fabs (mean - (double) before->mean_ns) + 0.5);
  return interval;
}
