/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/simulate-models.h"

#include "src/cli/commands/simulate-answer.h"
#include "src/cli/message.h"

#include <math.h>

/* A replay of pieces that is further off is not that of the job. */
#define OFF_PERCENT 1

void
tt_simulate_models_clear (TtSimulateModels *self)
{
  tt_prediction_free (self->changed);
  tt_prediction_free (self->model);
  tt_prediction_free (self->pieces);
  tt_whole_job_free (self->changed_whole);
  tt_whole_job_free (self->whole);
  tt_job_network_free (self->network);
}

void
tt_simulate_tell_notes (const GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    tt_message ("%s", (const char *) notes->pdata[i]);
}

static TtPredictionInput
prediction_input (const TtTrainingJob *job, const TtSimulateOptions *options)
{
  return (TtPredictionInput){
    .job = job, .replay = options->replay, .recv_rest = options->recv_rest, .averages = options->is_as_dpro
  };
}

static void
describe_network (const TtJobNetwork *network)
{
  const TtLinkModel *within = &network->model.within, *between = &network->model.between;
  static const char *const words[] = {
    [TT_LINK_OF_PORT] = "", [TT_LINK_OF_HOST] = " (a bus)", [TT_LINK_OF_CHANNEL] = " (a channel)"
  };
  g_autoptr (GString) text = g_string_new (NULL);

  if (network->has_within)
    g_string_append_printf (text, "%.1f us + bytes / %.0f MB/s within hosts%s", within->latency_ns / 1e3,
                            within->bytes_per_ns * 1e3, words[within->sharing]);
  if (network->has_between)
    g_string_append_printf (text, "%s%.1f us + bytes / %.0f MB/s between hosts%s", text->len > 0 ? ", " : "",
                            between->latency_ns / 1e3, between->bytes_per_ns * 1e3, words[between->sharing]);
  tt_message ("the network, fitted to the transfers: %s; collectives played over it are %.1f %% off", text->str,
              100 * network->residual);
}

/* The job as it is, with each collective whole. */
static gboolean
model_whole (TtSimulateModels *self, const TtSimulateOptions *options, GError **error)
{
  const TtNetworkChange none = TT_NETWORK_CHANGE_NONE;
  TtPredictionInput input = prediction_input (self->job, options);

  self->whole = tt_whole_job_new (self->job, NULL, &none, error);
  if (self->whole == NULL)
    return FALSE;
  input.whole = self->whole;
  self->model = tt_prediction_new (&input, error);
  return self->model != NULL;
}

static gboolean
has_pieces (const TtTrainingJob *job)
{
  const TtStepPlan *plan = &job->plan->step;

  for (guint i = 0; i < plan->n_groups; i++)
    if (plan->groups[i].algo == TT_STEP_ALGO_RING || plan->groups[i].algo == TT_STEP_ALGO_TREE)
      return job->n_ranks > 1;
  return FALSE;
}

/* The order of a collective's pieces is not always told by the traces: where their replay is off, collectives are taken
 * whole. */
gboolean
tt_simulate_models_choose (TtSimulateModels *self, const TtSimulateOptions *options, GError **error)
{
  const TtPredictionInput input = prediction_input (self->job, options);
  gint64 measured_ns = self->job->iteration_ns;

  self->pieces = tt_prediction_new (&input, error);
  if (self->pieces == NULL)
    return FALSE;
  if (options->is_as_dpro || !has_pieces (self->job) ||
      (!options->is_network &&
       (measured_ns <= 0 || fabs (tt_simulate_error_percent (self->pieces->mean_ns, measured_ns)) < OFF_PERCENT)))
    return TRUE;
  if (!model_whole (self, options, error))
    return FALSE;
  if (options->is_network || ABS (self->model->mean_ns - measured_ns) < ABS (self->pieces->mean_ns - measured_ns))
    return TRUE;
  tt_prediction_free (g_steal_pointer (&self->model));
  return TRUE;
}

/* What the changes would make of the job if its links were like @model. */
static gboolean
predict_with (TtSimulateModels *self,
              const TtSimulateOptions *options,
              const TtNetworkModel *model,
              const TtNetworkChange *change,
              GError **error)
{
  TtPredictionInput input = prediction_input (self->job, options);
  TtJobNetwork network = *self->network;

  network.model = *model;
  g_autoptr (TtWholeJob) whole = tt_whole_job_new (self->job, &network, change, error);
  if (whole == NULL)
    return FALSE;
  input.whole = whole;
  input.what_if = options->what_if;
  g_autoptr (TtPrediction) changed = tt_prediction_new (&input, error);
  if (changed == NULL)
    return FALSE;
  self->lowest_ns = MIN (self->lowest_ns, changed->mean_ns);
  self->highest_ns = MAX (self->highest_ns, changed->mean_ns);
  return TRUE;
}

/* What binds a channel may be its threads: faster links do nothing for it then. NCCL's tables (graph/tuning.cc) have 10
 * GB/s and more for a channel, a third of which no GPU falls below. */
static gboolean
may_be_limit (const TtLinkModel *link)
{
  return link->sharing == TT_LINK_OF_CHANNEL && link->bytes_per_ns >= 4;
}

static TtNetworkChange
without_limited (const TtNetworkChange *change, const TtNetworkModel *model)
{
  TtNetworkChange limited = *change;
  double within = may_be_limit (&model->within) ? 1 : change->bandwidth;
  double between = may_be_limit (&model->between) ? 1 : change->bandwidth * change->nic_bandwidth;

  limited.bandwidth = within;
  limited.nic_bandwidth = between / within;
  return limited;
}

static gboolean
try_others (TtSimulateModels *self, const TtSimulateOptions *options, GError **error)
{
  const TtJobNetwork *network = self->network;
  const TtNetworkChange *change = &options->network;

  self->lowest_ns = self->highest_ns = self->changed->mean_ns;
  for (guint i = 0; i <= network->n_others; i++)
    {
      const TtNetworkModel *model = i == 0 ? &network->model : &network->others[i - 1];
      const TtNetworkChange limited = without_limited (change, model);
      gboolean differs = limited.bandwidth != change->bandwidth || limited.nic_bandwidth != change->nic_bandwidth;
      if ((i > 0 && !predict_with (self, options, model, change, error)) ||
          (differs && !predict_with (self, options, model, &limited, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
change_network (TtSimulateModels *self, const TtSimulateOptions *options, GError **error)
{
  TtPredictionInput input = prediction_input (self->job, options);

  describe_network (self->network);
  self->changed_whole = tt_whole_job_new (self->job, self->network, &options->network, error);
  if (self->changed_whole == NULL)
    return FALSE;
  tt_simulate_tell_notes (self->changed_whole->notes);
  input.whole = self->changed_whole;
  input.what_if = options->what_if;
  self->changed = tt_prediction_new (&input, error);
  return self->changed != NULL && try_others (self, options, error);
}

/* Changes that times can tell of without a network: bandwidth, and the number of GPUs. */
static gboolean
needs_network (const TtSimulateOptions *options)
{
  const TtNetworkChange *change = &options->network;

  return change->nic_bandwidth != 1 || change->latency != 1 || change->compression != 1 || change->n_nics > 0 ||
         change->n_channels > 0 || change->algo != TT_STEP_ALGO_NONE;
}

/* The times of pieces or collectives, and of operators, with changes. What names pieces is asked of the model of
 * pieces. */
static gboolean
change_times (TtSimulateModels *self, TtSimulateOptions *options, GError **error)
{
  TtPredictionInput input = prediction_input (self->job, options);

  if (options->bandwidth != NULL && !tt_what_if_add_bandwidth (options->what_if, options->bandwidth, error))
    return FALSE;
  input.what_if = options->what_if;
  input.n_gpus = options->network.n_gpus;
  input.gpus_per_host = options->network.gpus_per_host;
  if (input.gpus_per_host > 0 && input.n_gpus == 0)
    input.n_gpus = self->job->n_ranks;
  if (self->model != NULL && !options->is_network)
    {
      input.whole = self->whole;
      self->changed = tt_prediction_new (&input, NULL);
      if (self->changed != NULL)
        return TRUE;
    }
  tt_prediction_free (g_steal_pointer (&self->model));
  input.whole = NULL;
  self->changed = tt_prediction_new (&input, error);
  if (self->changed != NULL && self->changed->scaled != NULL)
    tt_simulate_tell_notes (self->changed->scaled->notes);
  return self->changed != NULL;
}

gboolean
tt_simulate_models_change (TtSimulateModels *self, TtSimulateOptions *options, GError **error)
{
  g_autoptr (GError) why = NULL;

  if (!options->is_network || options->is_as_dpro)
    return change_times (self, options, error);
  self->network = tt_job_network_new (self->job, &why);
  if (self->network != NULL)
    return change_network (self, options, error);
  if (needs_network (options))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  return change_times (self, options, error);
}
