/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/simulate-options.h"

#include "src/cli/commands/simulate-machine.h"
#include "src/cli/words.h"

#define DEFAULT_TOP 10
#define DEFAULT_SWEEP 50.0
#define MAX_RANKS_PER_HOST 4096

const char *const tt_simulate_lane_words[] = { "separate", "shared", NULL };
const char *const tt_simulate_recv_words[] = { "rest", "traced", "clipped", NULL };
const char *const tt_simulate_show_words[] = { "ranks", "kinds", "ops", "path", "sweep", "points", NULL };

void
tt_simulate_options_clear (TtSimulateOptions *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->lanes);
  g_free (self->recv);
  g_free (self->algo);
  g_strfreev (self->topologies);
  g_free (self->ranks_text);
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
  g_free (self->n_gpus);
  g_free (self->gpus_per_host);
  g_free (self->n_nics);
  g_free (self->n_channels);
  g_free (self->over);
  g_free (self->fusion);
  g_strfreev (self->ops);
  g_strfreev (self->stragglers);
  g_clear_pointer (&self->settings, g_array_unref);
  g_clear_pointer (&self->points, g_array_unref);
  tt_job_change_free (self->change);
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
      !choose_word ("algorithm", self->algo, tt_job_change_algo_words, &algo, error))
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
            : algo == 1 ? TT_STEP_ALGO_TREE
                        : TT_STEP_ALGO_NONE,
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

/* -- changes ----------------------------------------------------------------------------------------------------- */

static void
add_setting (TtSimulateOptions *self, const char *word, const char *value)
{
  const TtJobSetting setting = { word, value };

  if (value != NULL)
    g_array_append_val (self->settings, setting);
}

static void
add_settings (TtSimulateOptions *self, const char *word, char *const *values)
{
  for (char *const *value = values; value != NULL && *value != NULL; value++)
    add_setting (self, word, *value);
}

/* The traces show what they show: an algorithm is a change of it. dPRO takes the times of its transfers as they are. */
static gboolean
check_changes (TtSimulateOptions *self, GError **error)
{
  self->settings = g_array_new (FALSE, FALSE, sizeof (TtJobSetting));
  add_setting (self, "compute", self->compute);
  add_settings (self, "scale", self->scales);
  add_settings (self, "delay", self->delays);
  add_settings (self, "remove", self->removes);
  add_settings (self, "op", self->ops);
  add_settings (self, "straggler", self->stragglers);
  add_setting (self, "bandwidth", self->bandwidth);
  add_setting (self, "nic-bandwidth", self->nic_bandwidth);
  add_setting (self, "latency", self->latency);
  add_setting (self, "compression", self->compression);
  add_setting (self, "nics", self->n_nics);
  add_setting (self, "channels", self->n_channels);
  add_setting (self, "gpus", self->n_gpus);
  add_setting (self, "gpus-per-host", self->gpus_per_host);
  add_setting (self, "fusion", self->fusion);
  add_setting (self, "overlap", self->overlap ? "" : NULL);
  add_setting (self, "no-overlap", self->no_overlap ? "" : NULL);
  if (self->overlap && self->no_overlap)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--overlap' and '--no-overlap' exclude each other");
      return FALSE;
    }
  if (self->is_as_dpro && g_strcmp0 (self->algo, "nvls") == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "dPRO has no NVLS: '--algo nvls' and '--lanes shared' exclude each other");
      return FALSE;
    }
  if (!self->is_as_dpro)
    {
      add_setting (self, "algo", self->algo);
      self->job.algo = TT_STEP_ALGO_NONE;
    }
  self->change = tt_job_change_new (self->settings, error);
  return self->change != NULL;
}

/* -- sweeps and files ---------------------------------------------------------------------------------------------- */

static gboolean
check_sweeps (TtSimulateOptions *self, GError **error)
{
  self->sweep = self->sweep || self->show == TT_SIMULATE_SHOW_SWEEP || self->sweep_percent != TT_SIMULATE_UNSET;
  if (self->sweep_percent == TT_SIMULATE_UNSET)
    self->sweep_percent = DEFAULT_SWEEP;
  self->has_points = self->over != NULL || self->show == TT_SIMULATE_SHOW_POINTS;
  if (!(self->sweep_percent > 0 && self->sweep_percent <= 100))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--sweep-by' must be above 0 and at most 100");
  else if (self->has_points && self->is_as_dpro)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--sweep-over' does not go with '--lanes shared'");
  else if (self->over == NULL)
    return TRUE;
  else
    {
      self->points = tt_sweep_points_new (self->over, error);
      return self->points != NULL;
    }
  return FALSE;
}

static gboolean
check_output (TtSimulateOptions *self, GError **error)
{
  const char *path = self->output;

  if (path == NULL || g_str_has_suffix (path, ".json") || g_str_has_suffix (path, ".json.gz"))
    return TRUE;
  self->is_png = g_str_has_suffix (path, ".png");
  self->is_picture = self->is_png || g_str_has_suffix (path, ".svg") || g_str_has_suffix (path, ".svg.gz");
  if (self->is_picture && self->has_points)
    return TRUE;
  if (self->is_picture)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' would be the picture of a sweep: add '--sweep-over'", path);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'%s' would hold a Chrome trace, or the picture of '--sweep-over'; end it in .json, .json.gz, .svg or "
                 ".png",
                 path);
  return FALSE;
}

static gboolean
read_machine (TtSimulateOptions *self, GError **error)
{
  for (char **path = self->topologies; path != NULL && *path != NULL; path++)
    if (!tt_simulate_machine_read (&self->machine, *path, error))
      return FALSE;
  self->has_machine = self->topologies != NULL;
  return TRUE;
}

static gboolean
read_ranks (TtSimulateOptions *self, GError **error)
{
  guint64 n;

  if (self->ranks_text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (self->ranks_text, 10, 1, MAX_RANKS_PER_HOST, &n, NULL))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--ranks-per-host %s' is not a number from 1 to %d",
                   self->ranks_text, MAX_RANKS_PER_HOST);
      return FALSE;
    }
  self->ranks_per_host = (guint) n;
  return TRUE;
}

gboolean
tt_simulate_options_check (TtSimulateOptions *self, GError **error)
{
  if (!tt_shared_options_view (&self->shared, DEFAULT_TOP, &self->view, error) ||
      !tt_show_parse (self->show_text, tt_simulate_show_words, &self->show, error) || !check_model (self, error))
    return FALSE;
  return check_changes (self, error) && check_sweeps (self, error) && check_output (self, error) &&
         read_machine (self, error) && read_ranks (self, error);
}

gboolean
tt_simulate_options_check_job (const TtSimulateOptions *self, GError **error)
{
  if (self->ranks_per_host == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "'--ranks-per-host' is about traces of PyTorch: a job's directories say which ranks share a host");
  return FALSE;
}

gboolean
tt_simulate_options_check_recorded (const TtSimulateOptions *self, GError **error)
{
  const char *word = self->recv != NULL       ? "--recv"
                     : self->update_barrier   ? "--update-barrier"
                     : self->parallel_updates ? "--parallel-updates"
                     : self->has_machine      ? "--topology"
                                              : NULL;

  if (word == NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "'%s' is about the model of jobs of Horovod and BytePS: traces of PyTorch, and of TensorFlow alone, are "
               "replayed as recorded",
               word);
  return FALSE;
}
