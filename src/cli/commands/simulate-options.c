/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/simulate-options.h"

#include "analyzers/training-job/factor.h"
#include "src/cli/words.h"

#define DEFAULT_TOP 10
#define MAX_COUNT 64 /* of NICs, channels and GPUs a host */
#define DEFAULT_SWEEP 50.0

const char *const tt_simulate_lane_words[] = { "separate", "shared", NULL };
const char *const tt_simulate_recv_words[] = { "rest", "traced", "clipped", NULL };
const char *const tt_simulate_algo_words[] = { "ring", "tree", NULL };
const char *const tt_simulate_show_words[] = { "ranks", "kinds", "ops", "path", "sweep", NULL };

void
tt_simulate_options_clear (TtSimulateOptions *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->lanes);
  g_free (self->recv);
  g_free (self->algo);
  g_free (self->output);
  g_free (self->show_text);
  g_strfreev (self->scales);
  g_strfreev (self->delays);
  g_strfreev (self->removes);
  g_free (self->bandwidth);
  g_free (self->compute);
  g_free (self->latency);
  g_free (self->nic_bandwidth);
  g_free (self->compression);
  g_strfreev (self->ops);
  g_strfreev (self->stragglers);
  tt_what_if_free (self->what_if);
}

/* The index of @text in @words; *choice stays if it is NULL. */
static gboolean
choose_word (const char *what, const char *text, const char *const *words, int *choice, GError **error)
{
  guint index;

  if (text == NULL)
    return TRUE;
  if (!tt_word_choose (what, text, words, &index, error))
    return FALSE;
  *choice = (int) index;
  return TRUE;
}

static gboolean
check_model (TtSimulateOptions *self, GError **error)
{
  int lanes = 0, recv = -1, algo = -1;

  if (!choose_word ("kind of lanes", self->lanes, tt_simulate_lane_words, &lanes, error) ||
      !choose_word ("rule for RECV", self->recv, tt_simulate_recv_words, &recv, error) ||
      !choose_word ("algorithm", self->algo, tt_simulate_algo_words, &algo, error))
    return FALSE;
  self->is_as_dpro = lanes == 1;
  self->recv_rest = recv == 0 || (recv < 0 && !self->is_as_dpro);
  self->job = (TtTrainingJobOptions){
    .recv = recv == 1                                ? TT_RECV_CLIPPED
            : self->is_as_dpro && self->recv == NULL ? TT_RECV_AS_DPRO
                                                     : TT_RECV_AS_TRACED,
    .sync_groups = self->is_as_dpro,
    .update_barrier = self->update_barrier,
    .algo = algo < 0    ? TT_STEP_ALGO_NONE
            : algo == 0 ? TT_STEP_ALGO_RING
                        : TT_STEP_ALGO_TREE,
  };
  self->replay = (TtStepReplayOptions){
    .order = self->is_as_dpro ? TT_SCHEDULE_BY_CLOCK : TT_SCHEDULE_BY_START,
    .shared_lanes = self->is_as_dpro,
    .recv_with_send = !self->is_as_dpro && !self->recv_rest,
    .group_gaps = !self->is_as_dpro,
    .traced_order = !self->is_as_dpro,
    .parallel_updates = self->parallel_updates,
  };
  return TRUE;
}

static gboolean
check_what_ifs (TtSimulateOptions *self, GError **error)
{
  self->what_if = tt_what_if_new ();
  if (self->compute != NULL && !tt_what_if_add_compute (self->what_if, self->compute, error))
    return FALSE;
  for (char **text = self->scales; text != NULL && *text != NULL; text++)
    if (!tt_what_if_add_scale (self->what_if, *text, error))
      return FALSE;
  for (char **text = self->delays; text != NULL && *text != NULL; text++)
    if (!tt_what_if_add_delay (self->what_if, *text, error))
      return FALSE;
  for (char **text = self->removes; text != NULL && *text != NULL; text++)
    if (!tt_what_if_add_remove (self->what_if, *text, error))
      return FALSE;
  for (char **text = self->ops; text != NULL && *text != NULL; text++)
    if (!tt_what_if_add_op (self->what_if, *text, error))
      return FALSE;
  for (char **text = self->stragglers; text != NULL && *text != NULL; text++)
    if (!tt_what_if_add_straggler (self->what_if, *text, error))
      return FALSE;
  return TRUE;
}

/* A factor above 0; *factor stays if @text is NULL. */
static gboolean
read_factor (const char *text, double *factor, GError **error)
{
  gint64 value;

  if (text == NULL)
    return TRUE;
  if (!tt_factor_parse (text, 1, &value, error))
    return FALSE;
  *factor = (double) value / (double) TT_FACTOR_ONE;
  return TRUE;
}

static gboolean
read_count (const char *option, int n, guint *count, GError **error)
{
  if (n == TT_SIMULATE_UNSET)
    return TRUE;
  if (n < 1 || n > MAX_COUNT)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--%s %d' is not a number from 1 to %d", option, n, MAX_COUNT);
      return FALSE;
    }
  *count = (guint) n;
  return TRUE;
}

static gboolean
check_network (TtSimulateOptions *self, GError **error)
{
  const TtNetworkChange none = TT_NETWORK_CHANGE_NONE;

  self->network = none;
  if (!read_factor (self->bandwidth, &self->network.bandwidth, error) ||
      !read_factor (self->nic_bandwidth, &self->network.nic_bandwidth, error) ||
      !read_factor (self->latency, &self->network.latency, error) ||
      !read_factor (self->compression, &self->network.compression, error) ||
      !read_count ("nics", self->n_nics, &self->network.n_nics, error) ||
      !read_count ("channels", self->n_channels, &self->network.n_channels, error) ||
      !read_count ("gpus-per-host", self->gpus_per_host, &self->network.gpus_per_host, error))
    return FALSE;
  self->network.n_gpus = self->n_gpus > 0 ? (guint) self->n_gpus : 0;
  if (!self->is_as_dpro)
    self->network.algo = self->job.algo;
  self->is_network = self->bandwidth != NULL || self->nic_bandwidth != NULL || self->latency != NULL ||
                     self->compression != NULL || self->n_nics != TT_SIMULATE_UNSET ||
                     self->n_channels != TT_SIMULATE_UNSET || self->n_gpus > 0 ||
                     self->gpus_per_host != TT_SIMULATE_UNSET || self->network.algo != TT_STEP_ALGO_NONE;
  return TRUE;
}

gboolean
tt_simulate_options_check (TtSimulateOptions *self, GError **error)
{
  if (!tt_shared_options_view (&self->shared, DEFAULT_TOP, &self->view, error) ||
      !tt_show_parse (self->show_text, tt_simulate_show_words, &self->show, error) || !check_model (self, error) ||
      !check_what_ifs (self, error) || !check_network (self, error))
    return FALSE;
  self->sweep = self->sweep || self->show == TT_SIMULATE_SHOW_SWEEP || self->sweep_percent != TT_SIMULATE_UNSET;
  if (self->sweep_percent == TT_SIMULATE_UNSET)
    self->sweep_percent = DEFAULT_SWEEP;

  if (!(self->sweep_percent > 0 && self->sweep_percent <= 100))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--sweep-by' must be above 0 and at most 100");
  else if (self->n_gpus != TT_SIMULATE_UNSET && (self->n_gpus < 1 || self->n_gpus > 1 << 16))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--gpus %d' is not a number of GPUs", self->n_gpus);
  else if (self->output != NULL && !g_str_has_suffix (self->output, ".json") &&
           !g_str_has_suffix (self->output, ".json.gz"))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' would hold a Chrome trace; end it in .json or .json.gz",
                 self->output);
  else
    return TRUE;
  return FALSE;
}
