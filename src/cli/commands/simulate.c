/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "analyzers/training-job/prediction.h"
#include "src/base/output.h"
#include "src/cli/commands/simulate-trace.h"
#include "src/cli/options.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/simulate.h"
#include "src/cli/words.h"

#include <math.h>

#define DEFAULT_TOP 10
#define DEFAULT_SWEEP 50.0
#define UNSET G_MININT
/* A prediction further off than this is not reliable. */
#define FAR_OFF_PERCENT 15

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

  TtReportView view;
  int show; /* TT_SHOW_ALL */
  gboolean is_as_dpro, recv_rest;
  TtTrainingJobOptions job;
  TtStepReplayOptions replay;
  TtWhatIf *what_if;
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
  if (self->bandwidth != NULL && !tt_what_if_add_bandwidth (self->what_if, self->bandwidth, error))
    return FALSE;
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
  return TRUE;
}

static gboolean
check_options (Options *self, GError **error)
{
  if (!tt_shared_options_view (&self->shared, DEFAULT_TOP, &self->view, error) ||
      !tt_show_parse (self->show_text, show_words, &self->show, error) || !check_model (self, error) ||
      !check_what_ifs (self, error))
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
  gint64 longest_ns; /* the original's critical path; 0: not asked for */
} Answer;

static double
error_percent (gint64 predicted_ns, gint64 measured_ns)
{
  return measured_ns > 0 ? 100.0 * ((double) predicted_ns - (double) measured_ns) / (double) measured_ns : 0.0;
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

static TtPrediction *
predict_changes (const TtTrainingJob *job, const Options *options, GError **error)
{
  TtPredictionInput input = prediction_input (job, options);

  input.what_if = options->what_if;
  input.n_gpus = options->n_gpus > 0 ? (guint) options->n_gpus : 0;
  TtPrediction *prediction = tt_prediction_new (&input, error);
  if (prediction != NULL && prediction->scaled != NULL)
    report_notes (prediction->scaled->notes);
  return prediction;
}

static int
answer (TtStore *store, Options *options, GError **error)
{
  g_autoptr (TtTrainingJob) job = tt_training_job_new (store, &options->job, error);
  g_autoptr (TtPrediction) model = NULL, changed = NULL;
  Answer answer = { .job = job };

  if (job == NULL)
    return -1;
  report_notes (job->notes);
  if (options->job.algo == TT_STEP_ALGO_TREE)
    tt_message ("transfers over a tree that were not traced take what the traced ones of their group took on average");
  options->replay.updates_wait = job->updates_wait && !options->is_as_dpro;
  if (options->recv_rest)
    tt_step_times_after_send (job->graph, job->times);
  tt_training_job_model_steps (job);
  const TtPredictionInput input = prediction_input (job, options);
  model = tt_prediction_new (&input, error);
  if (model == NULL || (options->is_as_dpro && !find_longest (job, model->simulation, &answer.longest_ns, error)))
    return -1;
  if (!options->is_as_dpro && options->job.algo == TT_STEP_ALGO_NONE)
    report_far_off (job, model->simulation);
  answer.result = answer.model = model;
  if (!tt_what_if_is_empty (options->what_if) || options->n_gpus > 0)
    {
      answer.result = changed = predict_changes (job, options, error);
      if (changed == NULL)
        return -1;
      answer.before = model;
    }
  /* The trace first: a sweep runs the schedule again. */
  if (options->output != NULL && !write_trace (answer.result->simulation, options->output, error))
    return -1;
  return show_answer (&answer, options, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT, .n_gpus = UNSET, .sweep_percent = UNSET };
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
      "From a job's traces: the dependencies within a step over all GPUs, how long each operation takes on average, "
      "and\n"
      "from these when each operation would run. A GPU runs one operator at a time, a rank sends and receives one "
      "chunk\n"
      "at a time, tensors are communicated one group after the other.\n"
      "\n"
      "'--scale', '--bandwidth', '--compute', '--delay' and '--remove' ask what if, in any number and together. "
      "FIELD is\n"
      "op_cat, op_name, sub_op, name, op_long_name or pid; VALUE may have the wildcards * and ?; NAME may be "
      "FIELD=VALUE,\n"
      "too. '--sweep' ranks what would help most.\n"
      "\n"
      "On path: time on the chain of operations that bounds the step, with the gaps after them.\n"
      "'--lanes shared' replays as dPRO does and prints the length of the critical path as dPRO defines it.",
  .example = "tracetool simulate job-2x1\n"
             "tracetool simulate --bandwidth 2 --scale op_cat=BW:0.5 job-2x1\n"
             "tracetool simulate --sweep job-2x1",
  .values = values,
  .run = run,
};
