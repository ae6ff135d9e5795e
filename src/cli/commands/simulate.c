/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/output.h"
#include "src/cli/commands/simulate-answer.h"
#include "src/cli/commands/simulate-machine.h"
#include "src/cli/commands/simulate-trace.h"
#include "src/cli/job-source.h"
#include "src/cli/picture.h"
#include "src/cli/plots/what-if.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"

#include <math.h>

/* A prediction further off than this is not reliable. */
#define FAR_OFF_PERCENT 15

static gboolean
write_trace (const TtSimulation *result, const char *path, GError **error)
{
  g_autoptr (TtOutput) out = tt_output_open (path, error);

  if (out == NULL)
    return FALSE;
  tt_simulate_write_trace (result, out);
  if (!tt_output_close (out, error))
    return FALSE;
  tt_message ("wrote '%s': the schedule; open in https://ui.perfetto.dev or chrome://tracing", path);
  return TRUE;
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
report_far_off (gint64 measured_ns, const TtSimulation *model)
{
  char predicted[TT_TIME_TEXT], measured[TT_TIME_TEXT];

  if (measured_ns > 0 && fabs (tt_simulate_error_percent (model->mean_ns, measured_ns)) > FAR_OFF_PERCENT)
    tt_message ("the model is far off: predicted %s, measured %s; take predictions of changes as hints only",
                tt_time_auto (predicted, model->mean_ns), tt_time_auto (measured, measured_ns));
}

static void
tell_notes (const GPtrArray *notes, guint first)
{
  for (guint i = first; notes != NULL && i < notes->len; i++)
    tt_message ("%s", (const char *) notes->pdata[i]);
}

static GPtrArray *
list_settings (const GArray *settings)
{
  GPtrArray *limits = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < settings->len; i++)
    {
      const TtJobSetting *setting = &g_array_index (settings, TtJobSetting, i);
      g_ptr_array_add (limits, g_strdup_printf ("With %s %s throughout.", setting->word, setting->value));
    }
  return limits;
}

static gboolean
write_picture (TtStore *store, const TtSimulateOptions *options, gint64 base_ns, GError **error)
{
  g_autoptr (GPtrArray) limits = list_settings (options->settings);
  const TtPlotRequest request = { .store = store, .limits = limits };
  g_autoptr (TtOutput) memory = tt_output_open_memory ();

  if (!tt_plot_points (&request, options->points, base_ns, memory, error))
    return FALSE;
  g_autoptr (GBytes) picture = tt_picture_finish (memory, options->is_png, error);
  g_autoptr (TtOutput) out = picture == NULL ? NULL : tt_output_open (options->output, error);
  if (out == NULL)
    return FALSE;
  tt_output_bytes (out, g_bytes_get_data (picture, NULL), g_bytes_get_size (picture));
  if (!tt_output_close (out, error))
    return FALSE;
  tt_message ("wrote '%s': the sweep; a browser shows it", options->output);
  return TRUE;
}

/* As another rank than the one that answers. */
static gboolean
is_helping (const TtSimulateOptions *options)
{
  return options->crew != NULL && options->crew->rank > 0;
}

/* The points of a sweep follow the prediction itself: each is a model of its own. */
static gboolean
run_points (TtStore *store, TtJobModels *models, TtSimulateOptions *options, gint64 base_ns, GError **error)
{
  guint n_told = models->notes == NULL ? 0 : models->notes->len;

  if (options->points == NULL)
    return TRUE;
  if (!tt_sweep_points_run (options->points, models, options->settings, options->crew, error))
    return FALSE;
  tell_notes (models->notes, n_told);
  return !options->is_picture || is_helping (options) || write_picture (store, options, base_ns, error);
}

/* @swept: models for the points of a sweep; those of the answer, if it has no change that they would take the place of. */
static gboolean
show_answer (TtStore *store, TtJobModels *models, TtJobModels *swept, TtSimulateOptions *options, GError **error)
{
  gboolean is_changed = !tt_job_change_is_empty (options->change);
  TtPrediction *base = tt_job_models_base (models), *result = is_changed ? models->changed : base;
  TtSimulateAnswer answer = {
    .measured_ns = models->measured_ns, .model = base, .before = is_changed ? base : NULL, .result = result
  };

  if (options->is_as_dpro && !find_longest (models->job, models->pieces->simulation, &answer.longest_ns, error))
    return FALSE;
  if (!options->is_as_dpro)
    {
      report_far_off (models->measured_ns, base->simulation);
      answer.interval = tt_job_models_interval (models, is_changed);
    }
  /* The trace first: a sweep runs the schedule again. */
  if (options->output != NULL && !options->is_picture && !is_helping (options) &&
      !write_trace (result->simulation, options->output, error))
    return FALSE;
  return run_points (store, swept, options, result->mean_ns, error) &&
         tt_simulate_answer_show (&answer, options, error);
}

static gboolean
settle_points (TtJobModels *models, guint n_ranks, TtSimulateOptions *options, GError **error)
{
  if (!options->has_points)
    return TRUE;
  if (options->points == NULL)
    options->points = tt_sweep_points_usual (models);
  return tt_sweep_points_settle (options->points, n_ranks, error);
}

static int
answer (TtStore *store, TtSimulateOptions *options, GError **error)
{
  g_auto (TtJobSource) source = { 0 };
  g_auto (TtJobModels) models = { .recv_rest = options->recv_rest, .is_as_dpro = options->is_as_dpro };
  g_auto (TtJobModels) swept = { 0 };

  if (!tt_job_source_load (&source, store, &options->job, options->is_as_dpro,
                           options->change->is_network || options->has_points, error) ||
      !(source.recording != NULL ? tt_simulate_options_check_recorded (options, error)
                                 : tt_simulate_options_check_job (options, error)))
    return -1;
  tell_notes (source.notes, 0);
  if (options->has_machine)
    {
      g_autofree char *text = tt_simulate_machine_describe (&options->machine);
      tt_message ("the topology: %s", text);
    }
  options->replay.updates_wait = source.job != NULL && source.job->updates_wait && !options->is_as_dpro;
  models.replay = options->replay;
  models.machine = options->has_machine ? &options->machine : NULL;
  models.ranks_per_host = options->ranks_per_host;
  tt_job_source_init_models (&source, &models);
  swept = models;
  if (!settle_points (&models, source.n_ranks, options, error))
    return -1;
  gboolean is_network =
      options->change->is_network || (options->points != NULL && tt_sweep_points_have_network (options->points));
  if (!tt_job_models_choose (&models, is_network, error) ||
      (!tt_job_change_is_empty (options->change) && !tt_job_models_change (&models, options->change, error)))
    return -1;
  tell_notes (models.notes, 0);
  gboolean is_apart = options->points != NULL && models.changed != NULL;
  if (is_apart && !tt_job_models_choose (&swept, is_network, error))
    return -1;
  return show_answer (store, &models, is_apart ? &swept : &models, options, error) ? 0 : -1;
}

/* Sweeps are shared: all ranks have the model, and each tries some of the changes. */
static int
answer_together (TtStore *store, TtSimulateOptions *options, TtCrew *crew, GError **error)
{
  GError *own = NULL;

  crew->n = MIN (crew->n, TT_SWEEP_MAX_RANKS);
  if (crew->rank >= crew->n)
    return 0;
  options->crew = crew;
  if (crew->rank == 0)
    crew->call (crew->id);
  const gboolean is_done = answer (store, options, &own) == 0;
  if (crew->rank == 0)
    return tt_crew_end (crew, is_done, own, error) ? 0 : -1;
  if (own == NULL)
    return 0;
  g_propagate_error (error, own);
  return -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtSimulateOptions) options = { .shared = TT_SHARED_OPTIONS_INIT, .sweep_percent = TT_SIMULATE_UNSET };
  gboolean is_shared;
  TtCrew crew;
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
    { "nics", 0, 0, G_OPTION_ARG_STRING, &options.n_nics, "What if a host had N NICs", "N" },
    { "channels", 0, 0, G_OPTION_ARG_STRING, &options.n_channels, "What if NCCL used N channels", "N" },
    { "compression", 0, 0, G_OPTION_ARG_STRING, &options.compression,
      "What if FACTOR of the bytes of gradients were sent", "FACTOR" },
    { "gpus", 0, 0, G_OPTION_ARG_STRING, &options.n_gpus, "What if the job had N GPUs", "N" },
    { "gpus-per-host", 0, 0, G_OPTION_ARG_STRING, &options.gpus_per_host,
      "What if hosts had N GPUs each (default: as traced)", "N" },
    { "fusion", 0, 0, G_OPTION_ARG_STRING, &options.fusion,
      "What if Horovod fused tensors up to SIZE bytes (64M: 64 MiB; 0: not at all)", "SIZE" },
    { "overlap", 0, 0, G_OPTION_ARG_NONE, &options.overlap, "What if tensors were communicated as they get ready",
      NULL },
    { "no-overlap", 0, 0, G_OPTION_ARG_NONE, &options.no_overlap, "What if communication waited for all of BW", NULL },
    { "sweep", 0, 0, G_OPTION_ARG_NONE, &options.sweep, "Show which speed-up would help most", NULL },
    { "sweep-by", 0, 0, G_OPTION_ARG_DOUBLE, &options.sweep_percent,
      "How much shorter the sweep makes each (default 50)", "PERCENT" },
    { "sweep-over", 0, 0, G_OPTION_ARG_STRING, &options.over,
      "Show what each of several values of these options would make of it", "OPTION[=VALUE:...][@OPTION...][,...]" },
    { "lanes", 0, 0, G_OPTION_ARG_STRING, &options.lanes,
      "Let a rank send and receive at once (separate, default), or share a device as in dPRO", "separate|shared" },
    { "recv", 0, 0, G_OPTION_ARG_STRING, &options.recv,
      "Time of RECV: what is left when its SEND ends (rest, default), traced, clipped", "rest|traced|clipped" },
    { "update-barrier", 0, 0, G_OPTION_ARG_NONE, &options.update_barrier,
      "Start no update before all tensors are communicated", NULL },
    { "parallel-updates", 0, 0, G_OPTION_ARG_NONE, &options.parallel_updates,
      "Let updates run without waiting for each other", NULL },
    { "algo", 0, 0, G_OPTION_ARG_STRING, &options.algo, "Transfers over rings, trees or NVLS (default: as traced)",
      "ring|tree|nvls" },
    { "topology", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.topologies,
      "What NCCL_TOPO_DUMP_FILE or NCCL_GRAPH_DUMP_FILE wrote; repeatable", "FILE.xml" },
    { "ranks-per-host", 0, 0, G_OPTION_ARG_STRING, &options.ranks_text,
      "How many ranks of a PyTorch run share a host, which its traces do not say", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "Also write the schedule as a Chrome trace, or the picture of --sweep-over", "FILE" },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text,
      "Show only one table: ranks, kinds, ops, path, sweep, points", "TABLE" },
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
  if (!tt_simulate_options_check (&options, error))
    return -1;

  g_autoptr (TtStore) store = tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error))
    return -1;
  if (!(options.sweep || options.has_points))
    return answer (store, &options, error);
  if (!tt_run_crew (store, &crew, &is_shared, error))
    return -1;
  return is_shared ? answer_together (store, &options, &crew, error) : answer (store, &options, error);
}

static const TtOptionValues values[] = {
  { "scale", TT_VALUES_FIELDS, tt_what_if_field_words }, { "lanes", TT_VALUES_ONE, tt_simulate_lane_words },
  { "recv", TT_VALUES_ONE, tt_simulate_recv_words },     { "algo", TT_VALUES_ONE, tt_job_change_algo_words },
  { "show", TT_VALUES_ONE, tt_simulate_show_words },     { NULL },
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
      "'--bandwidth', '--nic-bandwidth', '--latency', '--nics', '--channels', '--algo', '--compression', '--gpus' and\n"
      "'--gpus-per-host' what if the network or the job were another, by a network that is fitted to the transfers;\n"
      "'--fusion', '--overlap' and '--no-overlap' what if Horovod fused tensors, or began, otherwise. Any number may "
      "be\n"
      "given together.\n"
      "FIELD is op_cat, op_name, sub_op, name, op_long_name or pid; VALUE may have the wildcards * and ?; NAME may be\n"
      "FIELD=VALUE, too. '--sweep' ranks what would help most; '--sweep-over' tries several values of bandwidth,\n"
      "nic-bandwidth, latency, nics, channels, gpus, compression, compute, algo, op, straggler and more, one option at "
      "a "
      "time,\n"
      "and '-o FILE.svg' draws them ('bandwidth' alone takes usual values; 'gpus=2:4:x8' has multiples, too;\n"
      "'bandwidth=1:2@gpus=2:4' is a grid).\n"
      "\n"
      "Traces of PyTorch, and timelines of TensorFlow, are replayed as recorded, with launches, waits and collectives "
      "of\n"
      "several ranks derived; then\n"
      "'--compute' is about kernels, and of the network '--bandwidth', '--latency' and '--compression' can change,\n"
      "with '--ranks-per-host N' also '--nic-bandwidth', '--gpus' and '--gpus-per-host'.\n"
      "\n"
      "On path: time on the chain of operations that bounds the step, with the gaps after them.\n"
      "'--lanes shared' replays as dPRO does and prints the length of the critical path as dPRO defines it.",
  .example = "tracetool simulate job-2x1\n"
             "tracetool simulate --bandwidth 2 --latency 0.5 --op 'BW.*=0.5' job-2x1\n"
             "tracetool simulate --sweep job-2x1\n"
             "tracetool simulate --sweep-over bandwidth,gpus=2:4:8 -o sweep.svg job-2x1",
  .values = values,
  .run = run,
};
