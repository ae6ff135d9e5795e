/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "analyzers/training-job/factor.h"
#include "analyzers/training-job/interval.h"
#include "src/base/output.h"
#include "src/cli/commands/simulate-trace.h"
#include "src/cli/options.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/simulate.h"
#include "src/cli/words.h"

#include <math.h>

#define DEFAULT_TOP 10
#define MAX_COUNT 64 /* of NICs and channels */
#define DEFAULT_SWEEP 50.0
#define UNSET G_MININT
/* A prediction further off than this is not reliable. */
#define FAR_OFF_PERCENT 15
/* A replay of pieces that is further off is not that of the job. */
#define OFF_PERCENT 1

enum
{
  SHOW_RANKS,
  SHOW_KINDS,
  SHOW_OPS,
  SHOW_PATH,
  SHOW_SWEEP,
  N_SHOWN,
};

static const char *const lane_words[] = { "separate", "shared", NULL };
static const char *const recv_words[] = { "rest", "traced", "clipped", NULL };
static const char *const algo_words[] = { "ring", "tree", NULL };
static const char *const show_words[] = { "ranks", "kinds", "ops", "path", "sweep", NULL };

typedef struct
{
  TtSharedOptions shared; /* unit, format, top, wide */
  char *lanes, *recv, *algo, *output, *show_text;
  char **scales, **delays, **removes;
  char *bandwidth, *compute;
  gboolean update_barrier, parallel_updates, sweep;
  double sweep_percent;
  int n_gpus;
  char *latency, *nic_bandwidth, *compression;
  int n_nics, n_channels;
  char **ops, **stragglers;

  TtReportView view;
  int show; /* TT_SHOW_ALL */
  gboolean is_as_dpro, recv_rest;
  TtTrainingJobOptions job;
  TtStepReplayOptions replay;
  TtWhatIf *what_if;
  TtNetworkChange network;
  gboolean is_network; /* it changes */
} Options;

static void
options_clear (Options *self)
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
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------- */

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
check_model (Options *self, GError **error)
{
  int lanes = 0, recv = -1, algo = -1;

  if (!choose_word ("kind of lanes", self->lanes, lane_words, &lanes, error) ||
      !choose_word ("rule for RECV", self->recv, recv_words, &recv, error) ||
      !choose_word ("algorithm", self->algo, algo_words, &algo, error))
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
check_what_ifs (Options *self, GError **error)
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
  if (n == UNSET)
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
check_network (Options *self, GError **error)
{
  const TtNetworkChange none = TT_NETWORK_CHANGE_NONE;

  self->network = none;
  if (!read_factor (self->bandwidth, &self->network.bandwidth, error) ||
      !read_factor (self->nic_bandwidth, &self->network.nic_bandwidth, error) ||
      !read_factor (self->latency, &self->network.latency, error) ||
      !read_factor (self->compression, &self->network.compression, error) ||
      !read_count ("nics", self->n_nics, &self->network.n_nics, error) ||
      !read_count ("channels", self->n_channels, &self->network.n_channels, error))
    return FALSE;
  self->network.n_gpus = self->n_gpus > 0 ? (guint) self->n_gpus : 0;
  if (!self->is_as_dpro)
    self->network.algo = self->job.algo;
  self->is_network = self->bandwidth != NULL || self->nic_bandwidth != NULL || self->latency != NULL ||
                     self->compression != NULL || self->n_nics != UNSET || self->n_channels != UNSET ||
                     self->n_gpus > 0 || self->network.algo != TT_STEP_ALGO_NONE;
  return TRUE;
}

static gboolean
check_options (Options *self, GError **error)
{
  if (!tt_shared_options_view (&self->shared, DEFAULT_TOP, &self->view, error) ||
      !tt_show_parse (self->show_text, show_words, &self->show, error) || !check_model (self, error) ||
      !check_what_ifs (self, error) || !check_network (self, error))
    return FALSE;
  self->sweep = self->sweep || self->show == SHOW_SWEEP || self->sweep_percent != UNSET;
  if (self->sweep_percent == UNSET)
    self->sweep_percent = DEFAULT_SWEEP;

  if (!(self->sweep_percent > 0 && self->sweep_percent <= 100))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--sweep-by' must be above 0 and at most 100");
  else if (self->n_gpus != UNSET && (self->n_gpus < 1 || self->n_gpus > 1 << 16))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--gpus %d' is not a number of GPUs", self->n_gpus);
  else if (self->output != NULL && !g_str_has_suffix (self->output, ".json") &&
           !g_str_has_suffix (self->output, ".json.gz"))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' would hold a Chrome trace; end it in .json or .json.gz",
                 self->output);
  else
    return TRUE;
  return FALSE;
}

/* -- printing ------------------------------------------------------------------------------------ */

/* What goes above the tables and into JSON. */
typedef struct
{
  const TtTrainingJob *job;
  TtPrediction *model;        /* without what-ifs */
  const TtPrediction *before; /* likewise, or NULL: there are none */
  TtPrediction *result;
  TtPredictionInterval interval;
  gint64 longest_ns; /* the original's critical path; 0: not asked for */
} Answer;

static double
error_percent (gint64 predicted_ns, gint64 measured_ns)
{
  return measured_ns > 0 ? 100.0 * ((double) predicted_ns - (double) measured_ns) / (double) measured_ns : 0.0;
}

/* The interval, and what it hangs on. */
static void
append_interval (GString *text, const Answer *answer)
{
  const TtPredictionInterval *interval = &answer->interval;
  char low[TT_TIME_TEXT], high[TT_TIME_TEXT];
  gint64 mean_ns = answer->result->mean_ns, half_ns = tt_prediction_interval_half (interval);
  double percent = mean_ns > 0 ? 100.0 / (double) mean_ns : 0;

  if (half_ns == 0)
    return;
  g_string_append_printf (text, "\nBetween %s and %s: steps differ by %.1f %%, the model is off by %.1f %%",
                          tt_time_auto (low, MAX (mean_ns - half_ns, 0)), tt_time_auto (high, mean_ns + half_ns),
                          percent * (double) interval->steps_ns, percent * (double) interval->model_ns);
  if (answer->before != NULL)
    g_string_append_printf (text, ", the change by %.1f %%", percent * (double) interval->network_ns);
  g_string_append_printf (text, "; %.0f %% of the path is communication", interval->comm_percent);
}

static char *
describe_answer (const Answer *answer)
{
  char predicted[TT_TIME_TEXT], measured[TT_TIME_TEXT], after[TT_TIME_TEXT], longest[TT_TIME_TEXT];
  const TtPrediction *model = answer->model;
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Predicted iteration %s", tt_time_auto (predicted, model->mean_ns));
  if (answer->job->iteration_ns > 0)
    g_string_append_printf (text, ", measured %s: error %+.2f %%", tt_time_auto (measured, answer->job->iteration_ns),
                            error_percent (model->mean_ns, answer->job->iteration_ns));
  if (answer->before != NULL)
    g_string_append_printf (text, "\nWith the changes %s: %+.2f %%", tt_time_auto (after, answer->result->mean_ns),
                            error_percent (answer->result->mean_ns, answer->before->mean_ns));
  append_interval (text, answer);
  if (answer->longest_ns > 0)
    g_string_append_printf (text, "\nCritical path %s", tt_time_text (longest, answer->longest_ns, TT_UNIT_MS, 6));
  if (answer->longest_ns > 0)
    g_string_append (text, " ms");
  return g_string_free (text, FALSE);
}

static void
add_facts (TtFacts *facts, const Answer *answer)
{
  const TtPrediction *model = answer->model;

  tt_facts_time (facts, "predicted_us", answer->result->mean_ns);
  gint64 half_ns = tt_prediction_interval_half (&answer->interval);
  if (half_ns > 0)
    {
      tt_facts_time (facts, "low_us", MAX (answer->result->mean_ns - half_ns, 0));
      tt_facts_time (facts, "high_us", answer->result->mean_ns + half_ns);
    }
  if (answer->before != NULL)
    tt_facts_time (facts, "before_us", answer->before->mean_ns);
  if (answer->job->iteration_ns > 0)
    {
      tt_facts_time (facts, "measured_us", answer->job->iteration_ns);
      tt_json_writer_double (&facts->json, "error_percent", error_percent (model->mean_ns, answer->job->iteration_ns),
                             4);
    }
  tt_facts_time (facts, "path_us", answer->result->simulation->path->length_ns);
  if (answer->longest_ns > 0)
    tt_facts_time (facts, "critical_path_us", answer->longest_ns);
}

/* The first of @reports that is shown says what the answer is about. */
static gboolean
print_tables (TtReport *const *reports, const Answer *answer, const Options *options, GError **error)
{
  g_autofree char *heading = describe_answer (answer);
  g_auto (TtFacts) facts = { 0 };
  TtTable tables[N_SHOWN];
  const TtTableSet set = { tables, N_SHOWN, options->show, options->sweep ? SHOW_SWEEP : SHOW_RANKS };

  tt_facts_init (&facts);
  add_facts (&facts, answer);
  for (guint i = 0; i < N_SHOWN; i++)
    tables[i] = (TtTable){ show_words[i], reports[i], .is_optional = i == SHOW_PATH };
  tt_report_heading (reports[options->show == TT_SHOW_ALL ? SHOW_RANKS : options->show], heading);
  return tt_table_set_show (&set, &facts, &options->view, error);
}

/* -- doing ----------------------------------------------------------------------------------------- */

static void
report_notes (const GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    tt_message ("%s", (const char *) notes->pdata[i]);
}

static gboolean
write_trace (const TtSimulation *result, const char *path, GError **error)
{
  g_autoptr (TtOutput) out = tt_output_open (path, error);

  if (out == NULL)
    return FALSE;
  tt_simulate_write_trace (result->graph, result->schedule, &result->options, out);
  if (!tt_output_close (out, error))
    return FALSE;
  tt_message ("wrote '%s': the schedule; open in https://ui.perfetto.dev or chrome://tracing", path);
  return TRUE;
}

static gboolean
show_answer (const Answer *answer, const Options *options, GError **error)
{
  const TtReportView *view = &options->view;
  const TtSimulation *result = answer->result->simulation;
  gboolean same_ranks = answer->before != NULL && answer->before->simulation->graph->n_ranks == result->graph->n_ranks;
  g_autoptr (TtReport) ranks =
      tt_simulate_rank_table (result, same_ranks ? answer->before->simulation->iterations_ns : NULL, view);
  g_autoptr (TtReport) kinds = tt_simulate_kind_table (result, view);
  g_autoptr (TtReport) ops = tt_simulate_op_table (result, view);
  g_autoptr (TtReport) path = options->show == SHOW_PATH ? tt_simulate_step_table (result, view) : NULL;
  g_autoptr (TtReport) sweep = NULL;

  if (options->sweep)
    {
      g_autoptr (GArray) rows = tt_sweep (answer->result, options->sweep_percent, error);
      if (rows == NULL)
        return FALSE;
      sweep = tt_simulate_sweep_table (rows, result->mean_ns, view);
      g_autofree char *heading = g_strdup_printf ("If one of these took %g %% less", options->sweep_percent);
      tt_report_heading (sweep, heading);
    }
  if (options->show < 0)
    {
      tt_report_heading (kinds, "What it is made of");
      tt_report_heading (ops, "What bounds it");
    }
  TtReport *const reports[N_SHOWN] = { ranks, kinds, ops, path, sweep };
  return print_tables (reports, answer, options, error);
}

static gboolean
find_longest (const TtTrainingJob *job, const TtSimulation *model, gint64 *longest_ns, GError **error)
{
  guint32 cycle;
  g_autoptr (TtStepPath) path = tt_step_path_longest (job->graph, job->times, model->schedule, &cycle);

  if (path == NULL)
    {
      g_autofree char *name = tt_step_node_long_name (job->graph, cycle);
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "'%s' lies on a cycle", name);
      return FALSE;
    }
  *longest_ns = path->length_ns;
  return TRUE;
}

static void
report_far_off (const TtTrainingJob *job, const TtSimulation *model)
{
  char predicted[TT_TIME_TEXT], measured[TT_TIME_TEXT];

  if (job->iteration_ns > 0 && fabs (error_percent (model->mean_ns, job->iteration_ns)) > FAR_OFF_PERCENT)
    tt_message ("the model is far off: predicted %s, measured %s; take predictions of changes as hints only",
                tt_time_auto (predicted, model->mean_ns), tt_time_auto (measured, job->iteration_ns));
}

static TtPredictionInput
prediction_input (const TtTrainingJob *job, const Options *options)
{
  return (TtPredictionInput){
    .job = job, .replay = options->replay, .recv_rest = options->recv_rest, .averages = options->is_as_dpro
  };
}

static void
describe_network (const TtJobNetwork *network)
{
  const TtLinkModel *within = &network->model.within, *between = &network->model.between;
  g_autoptr (GString) text = g_string_new (NULL);

  if (network->has_within)
    g_string_append_printf (text, "%.1f us + bytes / %.0f MB/s within hosts%s", within->latency_ns / 1e3,
                            within->bytes_per_ns * 1e3, network->model.is_bus ? " (a bus)" : "");
  if (network->has_between)
    g_string_append_printf (text, "%s%.1f us + bytes / %.0f MB/s between hosts", text->len > 0 ? ", " : "",
                            between->latency_ns / 1e3, between->bytes_per_ns * 1e3);
  tt_message ("the network, fitted to the transfers: %s; collectives played over it are %.1f %% off", text->str,
              100 * network->residual);
}

typedef struct
{
  const TtTrainingJob *job;
  TtJobNetwork *network;
  TtWholeJob *whole, *changed_whole;
  TtPrediction *pieces, *model, *changed;
} Models;

static void
models_clear (Models *self)
{
  tt_prediction_free (self->changed);
  tt_prediction_free (self->model);
  tt_prediction_free (self->pieces);
  tt_whole_job_free (self->changed_whole);
  tt_whole_job_free (self->whole);
  tt_job_network_free (self->network);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Models, models_clear)

/* The job as it is, with each collective whole. */
static gboolean
model_whole (Models *self, const Options *options, GError **error)
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
static gboolean
choose_model (Models *self, const Options *options, GError **error)
{
  const TtPredictionInput input = prediction_input (self->job, options);
  gint64 measured_ns = self->job->iteration_ns;

  self->pieces = tt_prediction_new (&input, error);
  if (self->pieces == NULL)
    return FALSE;
  if (options->is_as_dpro || !has_pieces (self->job) ||
      (!options->is_network &&
       (measured_ns <= 0 || fabs (error_percent (self->pieces->mean_ns, measured_ns)) < OFF_PERCENT)))
    return TRUE;
  if (!model_whole (self, options, error))
    return FALSE;
  if (options->is_network || ABS (self->model->mean_ns - measured_ns) < ABS (self->pieces->mean_ns - measured_ns))
    return TRUE;
  tt_prediction_free (g_steal_pointer (&self->model));
  return TRUE;
}

static gboolean
change_network (Models *self, const Options *options, GError **error)
{
  TtPredictionInput input = prediction_input (self->job, options);

  describe_network (self->network);
  self->changed_whole = tt_whole_job_new (self->job, self->network, &options->network, error);
  if (self->changed_whole == NULL)
    return FALSE;
  report_notes (self->changed_whole->notes);
  input.whole = self->changed_whole;
  input.what_if = options->what_if;
  self->changed = tt_prediction_new (&input, error);
  return self->changed != NULL;
}

/* Changes that times can tell of without a network: bandwidth, and the number of GPUs. */
static gboolean
needs_network (const Options *options)
{
  const TtNetworkChange *change = &options->network;

  return change->nic_bandwidth != 1 || change->latency != 1 || change->compression != 1 || change->n_nics > 0 ||
         change->n_channels > 0 || change->algo != TT_STEP_ALGO_NONE;
}

/* The times of pieces or collectives, and of operators, with changes. What names pieces is asked of the model of
 * pieces. */
static gboolean
change_times (Models *self, Options *options, GError **error)
{
  TtPredictionInput input = prediction_input (self->job, options);

  if (options->bandwidth != NULL && !tt_what_if_add_bandwidth (options->what_if, options->bandwidth, error))
    return FALSE;
  input.what_if = options->what_if;
  input.n_gpus = options->network.n_gpus;
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
    report_notes (self->changed->scaled->notes);
  return self->changed != NULL;
}

static gboolean
predict_changes (Models *self, Options *options, GError **error)
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

static int
answer (TtStore *store, Options *options, GError **error)
{
  g_autoptr (TtTrainingJob) job = tt_training_job_new (store, &options->job, error);
  g_auto (Models) models = { .job = job };
  Answer answer = { .job = job };

  if (job == NULL)
    return -1;
  report_notes (job->notes);
  options->replay.updates_wait = job->updates_wait && !options->is_as_dpro;
  if (options->recv_rest)
    tt_step_times_after_send (job->graph, job->times);
  tt_training_job_model_steps (job);
  if (!choose_model (&models, options, error) ||
      (options->is_as_dpro && !find_longest (job, models.pieces->simulation, &answer.longest_ns, error)))
    return -1;
  gboolean is_changed = !tt_what_if_is_empty (options->what_if) || options->is_network;
  if (is_changed && !predict_changes (&models, options, error))
    return -1;
  answer.result = answer.model = models.model != NULL ? models.model : models.pieces;
  if (!options->is_as_dpro)
    report_far_off (job, answer.model->simulation);
  if (is_changed)
    {
      answer.before = answer.model;
      answer.result = models.changed;
    }
  if (!options->is_as_dpro)
    answer.interval = tt_prediction_interval (answer.result, answer.before, job->iteration_ns, models.network);
  /* The trace first: a sweep runs the schedule again. */
  if (options->output != NULL && !write_trace (answer.result->simulation, options->output, error))
    return -1;
  return show_answer (&answer, options, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = {
    .shared = TT_SHARED_OPTIONS_INIT, .n_gpus = UNSET, .n_nics = UNSET, .n_channels = UNSET, .sweep_percent = UNSET
  };
  int status;
  const GOptionEntry entries[] = {
    { "scale", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.scales, "What if these took FACTOR times as long; repeatable",
      "FIELD=VALUE:FACTOR" },
    { "bandwidth", 0, 0, G_OPTION_ARG_STRING, &options.bandwidth, "What if transfers were FACTOR times as fast",
      "FACTOR" },
    { "compute", 0, 0, G_OPTION_ARG_STRING, &options.compute,
      "What if FW, BW, UPDATE and OUTPUT were FACTOR times as fast", "FACTOR" },
    { "delay", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.delays, "What if these took that many us more; repeatable",
      "NAME=us" },
    { "remove", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.removes, "What if these took no time; repeatable", "NAME" },
    { "op", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.ops,
      "What if this operation took FACTOR times as long; repeatable", "NAME=FACTOR" },
    { "straggler", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.stragglers,
      "What if all that this rank computes took FACTOR times as long; repeatable", "RANK=FACTOR" },
    { "nic-bandwidth", 0, 0, G_OPTION_ARG_STRING, &options.nic_bandwidth,
      "What if transfers between hosts were FACTOR times as fast", "FACTOR" },
    { "latency", 0, 0, G_OPTION_ARG_STRING, &options.latency, "What if latencies were FACTOR times as long", "FACTOR" },
    { "nics", 0, 0, G_OPTION_ARG_INT, &options.n_nics, "What if a host had N NICs", "N" },
    { "channels", 0, 0, G_OPTION_ARG_INT, &options.n_channels, "What if NCCL used N channels", "N" },
    { "compression", 0, 0, G_OPTION_ARG_STRING, &options.compression,
      "What if FACTOR of the bytes of gradients were sent", "FACTOR" },
    { "gpus", 0, 0, G_OPTION_ARG_INT, &options.n_gpus, "What if the job had N GPUs", "N" },
    { "sweep", 0, 0, G_OPTION_ARG_NONE, &options.sweep, "Show which speed-up would help most", NULL },
    { "sweep-by", 0, 0, G_OPTION_ARG_DOUBLE, &options.sweep_percent,
      "How much shorter the sweep makes each (default 50)", "PERCENT" },
    { "lanes", 0, 0, G_OPTION_ARG_STRING, &options.lanes,
      "Let a rank send and receive at once (separate, default), or share a device as in dPRO", "separate|shared" },
    { "recv", 0, 0, G_OPTION_ARG_STRING, &options.recv,
      "Time of RECV: what is left when its SEND ends (rest, default), traced, clipped", "rest|traced|clipped" },
    { "update-barrier", 0, 0, G_OPTION_ARG_NONE, &options.update_barrier,
      "Start no update before all tensors are communicated", NULL },
    { "parallel-updates", 0, 0, G_OPTION_ARG_NONE, &options.parallel_updates,
      "Let updates run without waiting for each other", NULL },
    { "algo", 0, 0, G_OPTION_ARG_STRING, &options.algo, "Transfers over rings or trees (default: as traced)",
      "ring|tree" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Also write the schedule as a Chrome trace",
      "FILE.json[.gz]" },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text, "Show only one table: ranks, kinds, ops, path, sweep",
      "TABLE" },
    TT_UNIT_ENTRY (&options.shared.unit_text),
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.shared.format_text,
      "Output format: table (default), csv, tsv, json, markdown", "FORMAT" },
    { "top", 0, 0, G_OPTION_ARG_INT, &options.shared.top, "Show at most N operations (default 10 in tables; 0: all)",
      "N" },
    TT_WIDE_ENTRY (&options.shared.wide),
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_simulate, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;
  /* The traces show what they show: an algorithm is a change of it. */
  if (!options.is_as_dpro)
    options.job.algo = TT_STEP_ALGO_NONE;

  g_autoptr (TtStore) store = tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error))
    return -1;
  return answer (store, &options, error);
}

static const TtOptionValues values[] = {
  { "scale", TT_VALUES_FIELDS, tt_what_if_field_words },
  { "lanes", TT_VALUES_ONE, lane_words },
  { "recv", TT_VALUES_ONE, recv_words },
  { "algo", TT_VALUES_ONE, algo_words },
  { "show", TT_VALUES_ONE, show_words },
  { NULL },
};

const TtCommand tt_command_simulate = {
  .name = "simulate",
  .alias = "replay",
  .summary = "Predict how long a training step takes, as it is and with changes",
  .usage = "[TRACE...]",
  .details =
      "From a job's traces: the dependencies within a step over all GPUs, how long each operation takes, and from "
      "these\n"
      "when each would run. A GPU runs one operator at a time, tensors are communicated one group after the other, and "
      "waits\n"
      "follow from that.\n"
      "\n"
      "'--scale', '--op', '--straggler', '--compute', '--delay' and '--remove' ask what if operations took longer or "
      "shorter;\n"
      "'--bandwidth', '--nic-bandwidth', '--latency', '--nics', '--channels', '--algo', '--compression' and '--gpus' "
      "what if\n"
      "the network or the job were another, by a network that is fitted to the transfers. Any number may be given "
      "together.\n"
      "FIELD is op_cat, op_name, sub_op, name, op_long_name or pid; VALUE may have the wildcards * and ?; NAME may be\n"
      "FIELD=VALUE, too. '--sweep' ranks what would help most.\n"
      "\n"
      "On path: time on the chain of operations that bounds the step, with the gaps after them.\n"
      "'--lanes shared' replays as dPRO does and prints the length of the critical path as dPRO defines it.",
  .example = "tracetool simulate job-2x1\n"
             "tracetool simulate --bandwidth 2 --latency 0.5 --op 'BW.*=0.5' job-2x1\n"
             "tracetool simulate --sweep job-2x1",
  .values = values,
  .run = run,
};
