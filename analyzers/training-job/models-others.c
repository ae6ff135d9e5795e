/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/models-private.h"

/* The interval holds what the changes would make of another model of the job, too. */
static gboolean
widen (TtJobModels *self, const TtJobChange *own, TtPredictionInput *input, GError **error)
{
  input->what_if = own->what_if;
  g_autoptr (TtPrediction) changed = tt_prediction_new (input, error);
  if (changed == NULL)
    return FALSE;
  self->less_ns = MAX (self->less_ns, self->changed->mean_ns - changed->mean_ns);
  self->more_ns = MAX (self->more_ns, changed->mean_ns - self->changed->mean_ns);
  return TRUE;
}

/* What the changes would make of the job if its links were like @model. */
static gboolean
predict_with (TtJobModels *self,
              const TtJobChange *own,
              const TtNetworkModel *model,
              const TtNetworkChange *change,
              GError **error)
{
  TtPredictionInput input = tt_job_models_input (self);
  TtJobNetwork network = *self->network;

  network.model = *model;
  g_autoptr (TtWholeJob) whole = tt_whole_job_new (self->job, &network, change, error);
  if (whole == NULL)
    return FALSE;
  input.whole = whole;
  return widen (self, own, &input, error);
}

/* What binds a channel may be its threads: faster links do nothing for it then. NCCL's tables (graph/tuning.cc) have 10
 * GB/s and more for a channel, a third of which no GPU falls below. */
static gboolean
may_be_limit (const TtLinkModel *link)
{
  return link->sharing == TT_LINK_OF_CHANNEL && link->bytes_per_ns >= 4;
}

/* Links of a class that was not traced are like those of the other. */
static TtNetworkChange
without_limited (const TtJobNetwork *network, const TtNetworkChange *change, const TtNetworkModel *model)
{
  TtNetworkChange limited = *change;
  gboolean is_within = network->has_within && may_be_limit (&model->within);
  gboolean is_between = network->has_between && may_be_limit (&model->between);

  if (is_within || (is_between && !network->has_within))
    limited.bandwidth = 1;
  if (is_between)
    limited.nic_bandwidth = 1 / limited.bandwidth;
  else if (network->has_between)
    limited.nic_bandwidth = change->bandwidth * change->nic_bandwidth / limited.bandwidth;
  return limited;
}

/* No trace of rings or trees tells what a switch that adds can do. */
static gboolean
try_nvls (TtJobModels *self, const TtJobChange *own, const TtNetworkModel *model, GError **error)
{
  static const double parts[] = { TT_COLLECTIVE_NVLS_LOW, TT_COLLECTIVE_NVLS_HIGH };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      TtNetworkModel other = *model;
      other.nvls_part = parts[i];
      if (!predict_with (self, own, &other, &own->network, error))
        return FALSE;
    }
  return TRUE;
}

/* Links that were not traced: how far they may be from what is supposed. */
static gboolean
try_supposed (TtJobModels *self, const TtJobChange *own, const TtNetworkModel *model, GError **error)
{
  const TtJobNetwork *network = self->network;
  double bandwidth = network->is_told ? 0.6 : 0.25, latency = network->is_told ? 2 : 4;

  for (guint i = 0; i < 2; i++)
    {
      TtNetworkModel other = *model;
      TtLinkModel *link = network->has_between ? &other.within : &other.between;
      link->bytes_per_ns *= i == 0 ? bandwidth : network->is_told ? 1 : 1 / bandwidth;
      link->latency_ns *= i == 0 ? latency : 1 / latency;
      if (!predict_with (self, own, &other, &own->network, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether the changed job has links of a kind that was not traced. */
static gboolean
is_supposed (const TtJobModels *self, const TtNetworkChange *change)
{
  const TtJobNetwork *network = self->network;
  guint n_gpus = change->n_gpus > 0 ? change->n_gpus : self->job->n_ranks;
  guint per_host = MIN (change->gpus_per_host > 0 ? change->gpus_per_host : network->traced.n_gpus, n_gpus);

  return (!network->has_within && per_host > 1) || (!network->has_between && n_gpus > per_host);
}

/* Which hosts another number of GPUs is on: the slow one may be among them. */
static gboolean
try_slow_host (TtJobModels *self, const TtJobChange *own, const TtNetworkModel *model, GError **error)
{
  static const TtSlowHost hosts[] = { TT_SLOW_HOST_STAYS, TT_SLOW_HOST_GOES };

  if (model->slow_part <= 0 || (own->network.n_gpus == 0 && own->network.gpus_per_host == 0))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      TtNetworkChange change = own->network;
      change.slow_host = hosts[i];
      if (!predict_with (self, own, model, &change, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether pieces would go other ways than they did. */
static gboolean
has_other_ways (const TtNetworkChange *change)
{
  return change->n_nics > 0 || change->n_channels > 0 || change->n_gpus > 0 || change->gpus_per_host > 0 ||
         change->is_algo;
}

gboolean
tt_job_models_try_others (TtJobModels *self, const TtJobChange *own, GError **error)
{
  const TtJobNetwork *network = self->network;
  const TtNetworkChange *change = &own->network;

  guint n = network->n_others + (has_other_ways (change) ? network->n_unlikely : 0);

  for (guint i = 0; i <= n; i++)
    {
      const TtNetworkModel *model = i == 0 ? &network->model : &network->others[i - 1];
      const TtNetworkChange limited = without_limited (network, change, model);
      gboolean differs = limited.bandwidth != change->bandwidth || limited.nic_bandwidth != change->nic_bandwidth;
      if ((i > 0 && !predict_with (self, own, model, change, error)) ||
          (differs && !predict_with (self, own, model, &limited, error)) || !try_slow_host (self, own, model, error) ||
          (is_supposed (self, change) && !try_supposed (self, own, model, error)) ||
          (change->is_algo && change->algo == TT_COLLECTIVE_NVLS && !try_nvls (self, own, model, error)))
        return FALSE;
    }
  return TRUE;
}

gboolean
tt_job_models_try_servers (TtJobModels *self, const TtJobChange *own, GError **error)
{
  TtPredictionInput input = tt_job_models_input (self);

  for (guint way = 1; way < self->server_network->n_ways; way++)
    {
      g_autoptr (TtServerJob) servers = tt_server_job_new (self->job, self->server_network, &own->network, way, error);
      if (servers == NULL)
        return FALSE;
      input.servers = servers;
      if (!widen (self, own, &input, error))
        return FALSE;
    }
  return TRUE;
}
