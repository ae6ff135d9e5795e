/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/models-private.h"

#include "analyzers/training-job/network-words.h"
#include "analyzers/training-job/recorded-change.h"
#include "src/base/error.h"

#include <math.h>
#include <string.h>

/* A replay of pieces that is further off is not that of the job. */
#define OFF_PERCENT 1

void
tt_job_models_init (TtJobModels *self, TtTrainingJob *job)
{
  self->job = job;
  self->measured_ns = job->iteration_ns;
  if (self->recv_rest)
    tt_step_times_after_send (job->graph, job->times);
  tt_training_job_model_steps (job);
}

void
tt_job_models_clear (TtJobModels *self)
{
  tt_prediction_free (self->changed);
  tt_prediction_free (self->model);
  tt_prediction_free (self->pieces);
  tt_regroup_free (self->regroup);
  tt_whole_job_free (self->changed_whole);
  tt_whole_job_free (self->whole);
  tt_server_job_free (self->changed_servers);
  tt_server_job_free (self->servers);
  tt_server_network_free (self->server_network);
  tt_job_network_free (self->network);
  tt_recorded_network_free (self->recorded_network);
  g_clear_error (&self->no_network);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
}

static gboolean
is_same_text (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b) == 0;
}

void
tt_job_models_note (TtJobModels *self, const char *text)
{
  if (self->notes == NULL)
    self->notes = g_ptr_array_new_with_free_func (g_free);
  if (!g_ptr_array_find_with_equal_func (self->notes, text, is_same_text, NULL))
    g_ptr_array_add (self->notes, g_strdup (text));
}

static void
add_notes (TtJobModels *self, const GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    tt_job_models_note (self, notes->pdata[i]);
}

static gboolean
has_servers (const TtJobModels *self)
{
  return self->job->topology->n_workers > 0;
}

const TtJobNetwork *
tt_job_models_network (TtJobModels *self)
{
  if (!self->is_fitted && has_servers (self))
    self->server_network = tt_server_network_new (self->job, &self->no_network);
  else if (!self->is_fitted)
    self->network = tt_job_network_new (self->job, self->machine, &self->no_network);
  self->is_fitted = TRUE;
  return self->network;
}

const TtServerNetwork *
tt_job_models_server_network (TtJobModels *self)
{
  (void) tt_job_models_network (self);
  return self->server_network;
}

static void
describe_network (TtJobModels *self)
{
  g_autofree char *note = tt_job_network_describe (self->network);

  tt_job_models_note (self, note);
  if (self->network->is_contradicted)
    tt_job_models_note (self, "what was traced does not go with the bandwidths of the topology: they are not used");
}

/* The job as it is, with each collective whole. */
static gboolean
model_whole (TtJobModels *self, GError **error)
{
  const TtNetworkChange none = TT_NETWORK_CHANGE_NONE;
  TtPredictionInput input = tt_job_models_input (self);

  self->whole = tt_whole_job_new (self->job, NULL, &none, error);
  if (self->whole == NULL)
    return FALSE;
  input.whole = self->whole;
  self->model = tt_prediction_new (&input, error);
  return self->model != NULL;
}

/* The job as it is, over the network between workers and servers. */
static gboolean
model_servers (TtJobModels *self, GError **error)
{
  const TtNetworkChange none = TT_NETWORK_CHANGE_NONE;
  TtPredictionInput input = tt_job_models_input (self);

  self->servers = tt_server_job_new (self->job, self->server_network, &none, 0, error);
  if (self->servers == NULL)
    return FALSE;
  input.servers = self->servers;
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

static double
error_percent (const TtPrediction *prediction, gint64 measured_ns)
{
  return 100.0 * fabs ((double) prediction->mean_ns / (double) measured_ns - 1);
}

/* The order of a collective's pieces is not always told by the traces: where their replay is off, collectives are taken
 * whole. */
gboolean
tt_job_models_choose (TtJobModels *self, gboolean is_network, GError **error)
{
  const TtPredictionInput input = tt_job_models_input (self);
  gint64 measured_ns = self->measured_ns;

  self->pieces = tt_prediction_new (&input, error);
  if (self->pieces == NULL)
    return FALSE;
  if (self->is_as_dpro || self->recording != NULL || !(has_servers (self) || has_pieces (self->job)) ||
      (!is_network && (measured_ns <= 0 || error_percent (self->pieces, measured_ns) < OFF_PERCENT)))
    return TRUE;
  if (has_servers (self) && tt_job_models_server_network (self) == NULL)
    return TRUE;
  if (has_servers (self) ? !model_servers (self, error) : !model_whole (self, error))
    return FALSE;
  if (is_network || ABS (self->model->mean_ns - measured_ns) < ABS (self->pieces->mean_ns - measured_ns))
    return TRUE;
  tt_prediction_free (g_steal_pointer (&self->model));
  return TRUE;
}

TtPrediction *
tt_job_models_base (const TtJobModels *self)
{
  return self->model == NULL || (self->changed != NULL && self->is_of_pieces) ? self->pieces : self->model;
}

/* -- changes ----------------------------------------------------------------------------------------------------- */

/* A prediction of the changed job with tensors fused by @fusion. */
static TtPrediction *
predict_fused (TtJobModels *self, const TtJobChange *change, const TtFusionChange *fusion, GError **error)
{
  TtPredictionInput input = tt_job_models_input (self);

  tt_regroup_free (g_steal_pointer (&self->regroup));
  self->regroup =
      tt_regroup_new (self->changed_whole, self->network, &change->network, fusion, NULL, &self->replay, error);
  if (self->regroup == NULL)
    return NULL;
  input.whole = self->changed_whole;
  input.regroup = self->regroup;
  input.what_if = change->what_if;
  return tt_prediction_new (&input, error);
}

/* As far as fusing the job by the rule that was found in it makes another job of it, so does fusing it by another rule. */
static gboolean
change_fusion (TtJobModels *self, const TtJobChange *change, GError **error)
{
  const TtFusionChange as_traced = { 0 };
  g_autoptr (TtPrediction) own = predict_fused (self, change, &as_traced, error);
  g_autoptr (TtPrediction) fused = own == NULL ? NULL : predict_fused (self, change, &change->fusion, error);

  if (fused == NULL)
    return FALSE;
  add_notes (self, self->regroup->notes);
  self->fusion_ns = self->changed->mean_ns - own->mean_ns;
  tt_prediction_free (g_steal_pointer (&self->changed));
  self->changed = g_steal_pointer (&fused);
  tt_prediction_shift (self->changed, self->fusion_ns);
  return TRUE;
}

/* The job with its tensors fused as its own rule would, after changes of operators, too. NULL: it cannot be told. */
static TtPrediction *
predict_own (TtJobModels *self, const TtWholeJob *whole, const TtNetworkChange *change, const TtWhatIf *what_if)
{
  const TtFusionChange as_traced = { 0 };
  TtPredictionInput input = tt_job_models_input (self);
  g_autoptr (TtRegroup) regroup =
      tt_regroup_new (whole, self->network, change, &as_traced, what_if, &self->replay, NULL);

  if (regroup == NULL)
    return NULL;
  self->cycle_ns = regroup->rule.cycle_ns;
  input.whole = whole;
  input.regroup = regroup;
  input.what_if = what_if;
  return tt_prediction_new (&input, NULL);
}

/* Tensors get ready at other times in a changed job, and may be fused otherwise: by how much the rule that was found would
 * change it more, or less. */
static void
try_fusion (TtJobModels *self, const TtJobChange *change)
{
  const TtNetworkChange none = TT_NETWORK_CHANGE_NONE;

  if (tt_job_models_network (self) == NULL)
    return;
  g_autoptr (TtWholeJob) before = tt_whole_job_new (self->job, self->network, &none, NULL);
  g_autoptr (TtWholeJob) after = tt_whole_job_new (self->job, self->network, &change->network, NULL);
  g_autoptr (TtPrediction) own = before != NULL ? predict_own (self, before, &none, NULL) : NULL;
  g_autoptr (TtPrediction) fused = after != NULL ? predict_own (self, after, &change->network, change->what_if) : NULL;
  if (own == NULL || fused == NULL)
    return;
  gint64 more_ns = fused->mean_ns - own->mean_ns - (self->changed->mean_ns - tt_job_models_base (self)->mean_ns);
  self->less_ns = MAX (self->less_ns, -more_ns);
  self->more_ns = MAX (self->more_ns, more_ns);
}

static gboolean
change_network (TtJobModels *self, const TtJobChange *change, GError **error)
{
  TtPredictionInput input = tt_job_models_input (self);

  describe_network (self);
  self->latency_changes = change->network.latency != 1;
  self->changed_whole = tt_whole_job_new (self->job, self->network, &change->network, error);
  if (self->changed_whole == NULL)
    return FALSE;
  add_notes (self, self->changed_whole->notes);
  input.whole = self->changed_whole;
  input.what_if = change->what_if;
  self->changed = tt_prediction_new (&input, error);
  if (self->changed == NULL || !tt_job_models_try_others (self, change, error))
    return FALSE;
  if (change->is_regrouped)
    return change_fusion (self, change, error);
  try_fusion (self, change);
  return TRUE;
}

/* Changes that times can tell of without a network: bandwidth, and the number of GPUs. */
static gboolean
needs_network (const TtJobChange *self)
{
  const TtNetworkChange *change = &self->network;

  return self->is_regrouped || change->nic_bandwidth != 1 || change->latency != 1 || change->compression != 1 ||
         change->n_nics > 0 || change->n_channels > 0 || change->is_algo;
}

/* The times of pieces or collectives, and of operators, with changes. What names pieces is asked of the model of
 * pieces. */
static gboolean
change_times (TtJobModels *self, TtJobChange *change, GError **error)
{
  TtPredictionInput input = tt_job_models_input (self);

  if (change->bandwidth != NULL && !tt_what_if_add_bandwidth (change->what_if, change->bandwidth, error))
    return FALSE;
  input.what_if = change->what_if;
  input.n_gpus = change->network.n_gpus;
  input.gpus_per_host = change->network.gpus_per_host;
  if (input.gpus_per_host > 0 && input.n_gpus == 0)
    input.n_gpus = self->job->n_ranks;
  if (self->model != NULL && !change->is_network)
    {
      input.whole = self->whole;
      input.servers = self->servers;
      self->changed = tt_prediction_new (&input, NULL);
    }
  if (self->changed != NULL)
    {
      try_fusion (self, change);
      return TRUE;
    }
  input.whole = NULL;
  input.servers = NULL;
  self->is_of_pieces = TRUE;
  self->changed = tt_prediction_new (&input, error);
  if (self->changed != NULL && self->changed->scaled != NULL)
    add_notes (self, self->changed->scaled->notes);
  /* Without a network it is not told what of transfers is latency. */
  if (self->changed != NULL && !self->is_as_dpro && !change->is_network)
    try_fusion (self, change);
  else if (self->changed != NULL && change->is_network)
    self->less_ns = self->more_ns =
        ABS (self->changed->mean_ns - tt_job_models_base (self)->mean_ns) / (input.n_gpus > 0 ? 1 : 2);
  return self->changed != NULL;
}

/* The job over the changed network between workers and servers: as it was found to be, and as it may be as well. */
static gboolean
change_servers (TtJobModels *self, const TtJobChange *change, GError **error)
{
  TtPredictionInput input = tt_job_models_input (self);
  g_autofree char *note = tt_server_network_describe (self->server_network);

  if (change->is_regrouped)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_USAGE,
                           "'--fusion', '--overlap' and '--no-overlap' are about Horovod: BytePS fuses no tensors");
      return FALSE;
    }
  self->latency_changes = change->network.latency != 1;
  self->changed_servers = tt_server_job_new (self->job, self->server_network, &change->network, 0, error);
  if (self->changed_servers == NULL)
    return FALSE;
  tt_job_models_note (self, note);
  if (self->changed_servers->notes != NULL)
    add_notes (self, self->changed_servers->notes);
  input.servers = self->changed_servers;
  input.what_if = change->what_if;
  self->changed = tt_prediction_new (&input, error);
  return self->changed != NULL && tt_job_models_try_servers (self, change, error);
}

static void
drop_change (TtJobModels *self)
{
  tt_prediction_free (g_steal_pointer (&self->changed));
  tt_regroup_free (g_steal_pointer (&self->regroup));
  self->fusion_ns = self->cycle_ns = 0;
  self->latency_changes = FALSE;
  tt_whole_job_free (g_steal_pointer (&self->changed_whole));
  tt_server_job_free (g_steal_pointer (&self->changed_servers));
  self->is_of_pieces = FALSE;
  self->less_ns = self->more_ns = 0;
}

const TtRecordedNetwork *
tt_job_models_recorded_network (TtJobModels *self, GError **error)
{
  if (self->recorded_network == NULL)
    self->recorded_network = tt_recorded_network_new (self->recording, error);
  if (self->recorded_network != NULL)
    self->recorded_network->ranks_per_host = self->ranks_per_host;
  return self->recorded_network;
}

static void
note_hosts (TtJobModels *self, const TtRecordedNetwork *network, const TtNetworkChange *change)
{
  if (self->ranks_per_host == 0)
    return;
  if (change->n_gpus > 0)
    tt_job_models_note (
        self,
        "on another number of GPUs: the traced ranks are replayed, with the collectives of all; that the slowest of "
        "more ranks is later is not in it");
  if (tt_recorded_network_is_supposed (network, change))
    tt_job_models_note (
        self,
        "links of a kind that was not traced: NICs are taken to have 25 GB/s (3 to 50 in the interval), links within "
        "hosts 50 (10 to 450)");
}

static gboolean
change_recording (TtJobModels *self, const TtJobChange *change, GError **error)
{
  const TtRecordedNetwork *network = NULL;
  TtRecordedChange changed;

  if (!tt_recorded_change_check (change, self->ranks_per_host, error))
    return FALSE;
  if (change->is_network)
    {
      network = tt_job_models_recorded_network (self, error);
      if (network == NULL)
        return FALSE;
      g_autofree char *note = tt_recorded_network_describe (network);
      tt_job_models_note (self, note);
      note_hosts (self, network, &change->network);
    }
  if (!tt_recorded_change_predict (&changed, self->recording, network, change, error))
    return FALSE;
  self->changed = changed.prediction;
  self->less_ns = changed.less_ns;
  self->more_ns = changed.more_ns;
  return TRUE;
}

gboolean
tt_job_models_change (TtJobModels *self, TtJobChange *change, GError **error)
{
  drop_change (self);
  if (self->recording != NULL)
    return change_recording (self, change, error);
  if (!change->is_network || self->is_as_dpro)
    return change_times (self, change, error);
  if (tt_job_models_network (self) != NULL)
    return change_network (self, change, error);
  if (self->server_network != NULL)
    return change_servers (self, change, error);
  if (!needs_network (change))
    return change_times (self, change, error);
  g_propagate_error (error, g_error_copy (self->no_network));
  return FALSE;
}
