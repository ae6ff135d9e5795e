/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/models.h"

#include <math.h>

/* Of what another latency makes: the fit trades latencies against bandwidths. */
#define LATENCY_PART 0.2
/* Of what a change makes, where bytes of tensors are not known. */
#define GUESSED_PART 1.0
/* Of communication in a job whose collectives have another shape: what ways that were not traced make of it. */
#define NVLS_PART 0.25
#define ALGO_PART 0.15
#define GPUS_PART 0.1
/* Likewise where a host has several NICs, or may have: who shares what behind them is not told. */
#define NICS_PART 0.4
/* Of what other NICs make of a recorded run: NCCL may choose another protocol then. */
#define NIC_PART 0.2
/* Of all, for each doubling or halving of the ranks of a recorded run: the slowest of them is later, or earlier. */
#define SLOWEST_PART 0.03

/* Tensors that are fused otherwise make collectives of other sizes, and wait for other cycles: of these the network is off
 * by its residual, and what cycles are is as uncertain as the rule that was found in the job. */
static gint64
fusion_part_ns (const TtJobModels *self, const TtPredictionInterval *interval)
{
  double comm_ns = interval->comm_percent / 100 * (double) self->changed->mean_ns;
  gint64 cycle_ns = self->regroup->rule.is_cycle_seen ? 0 : self->regroup->rule.cycle_ns / 4;

  return ABS (self->fusion_ns) + (gint64) (self->network->residual * comm_ns) + cycle_ns;
}

/* Groups begin when Horovod's thread wakes. A job of another length meets other wakings in each step: twice the spread of an
 * even distribution over a cycle, in the mean of the steps; no more than the change is. */
static gint64
cycle_part_ns (const TtJobModels *self, const TtPrediction *base)
{
  double most = 2 * (double) self->cycle_ns / sqrt (12.0 * self->changed->n_steps);

  return MIN ((gint64) most, ABS (self->changed->mean_ns - base->mean_ns));
}

/* Pieces that go other ways: how far these are from the traced ones is not told by how much all of it changes. */
static double
shape_part (const TtJobModels *self)
{
  const TtWholeJob *whole = self->changed_whole;

  if (whole == NULL)
    return self->changed_servers->is_other ? GPUS_PART : 0;
  const TtAllReduce *traced = &self->network->traced;
  /* Connections of trees do not name their NICs. */
  gboolean has_nics = self->network->has_between && (traced->n_nics > 1 || traced->algo == TT_COLLECTIVE_TREE);
  gboolean is_other = whole->has_other_algo || whole->has_other_lanes || (whole->has_other_hosts && traced->n_nics > 1);
  double part = whole->has_nvls          ? NVLS_PART
                : whole->has_other_algo  ? ALGO_PART
                : whole->has_other_hosts ? GPUS_PART
                                         : 0;

  return has_nics && is_other ? MAX (part, NICS_PART) : part;
}

static gint64
shape_part_ns (const TtJobModels *self, const TtPredictionInterval *interval)
{
  return (gint64) (shape_part (self) * interval->comm_percent / 100 * (double) self->changed->mean_ns);
}

/* How far collectives are off the network that says what a change makes of them. */
static double
residual_of_change (const TtJobModels *self)
{
  return self->changed_whole != NULL          ? self->network->residual
         : self->changed_servers != NULL      ? self->server_network->ways[0].spread / 2
         : self->changed->input.links != NULL ? self->changed->input.links->residual
                                              : 0;
}

/* Links that were fitted, on which all communication of a changed job rests: within hosts and between them, or a link for each
 * group of a recorded run. */
static guint
links_of_change (const TtJobModels *self)
{
  const TtRecordedNetwork *recorded = self->changed->input.links;
  guint n = 0;

  if (self->changed_whole != NULL)
    return (self->network->has_within ? 1 : 0) + (self->network->has_between ? 1 : 0);
  for (guint i = 0; recorded != NULL && i < recorded->links->len; i++)
    n += g_array_index (recorded->links, TtRecordedLink, i).n > 0;
  return n;
}

/* Ranks of a recorded run on other hosts wait for others, and for each other otherwise. */
static gint64
hosts_part_ns (const TtJobModels *self, const TtPredictionInterval *interval)
{
  const TtNetworkChange *change = self->changed->input.change;
  double part = GPUS_PART * interval->comm_percent / 100;

  if (self->recording == NULL || change == NULL || !tt_recorded_network_is_shaped (change))
    return 0;
  if (change->n_gpus == 0 && change->gpus_per_host == 0)
    return (gint64) (NIC_PART * (double) ABS (self->changed->mean_ns - self->pieces->mean_ns));
  if (change->n_gpus > 0)
    part += SLOWEST_PART * fabs (log2 ((double) change->n_gpus / MAX (self->recording->graph->n_ranks, 1)));
  return (gint64) (part * (double) self->changed->mean_ns);
}

TtPredictionInterval
tt_job_models_interval (const TtJobModels *self, gboolean is_changed)
{
  const TtPrediction *base = tt_job_models_base (self);
  TtPredictionInterval interval =
      tt_prediction_interval (is_changed ? self->changed : base, is_changed ? base : NULL, self->measured_ns,
                              is_changed ? residual_of_change (self) : 0);

  if (is_changed && self->changed_whole != NULL && self->network->is_guessed)
    interval.network_ns += (gint64) (GUESSED_PART * (double) ABS (self->changed->mean_ns - base->mean_ns));

  if (is_changed)
    {
      interval.less_ns = self->less_ns;
      interval.more_ns = self->more_ns;
    }
  if (is_changed && interval.comm_percent > 0)
    interval.network_ns += cycle_part_ns (self, base);
  if (is_changed && (self->changed_whole != NULL || self->changed_servers != NULL))
    interval.network_ns += shape_part_ns (self, &interval);
  if (is_changed)
    interval.network_ns += hosts_part_ns (self, &interval);
  if (is_changed)
    interval.n_links = links_of_change (self);
  if (is_changed && self->latency_changes)
    interval.network_ns += (gint64) (LATENCY_PART * (double) ABS (self->changed->mean_ns - base->mean_ns));
  if (is_changed && self->regroup != NULL)
    interval.network_ns += fusion_part_ns (self, &interval);
  return interval;
}
