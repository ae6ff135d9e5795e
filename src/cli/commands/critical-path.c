#include "config.h"

#include "src/cli/command.h"

#include "analyzers/path/critical-path.h"
#include "analyzers/dependencies/dep-graph.h"
#include "analyzers/devices/work.h"
#include "formats/exporter.h"
#include "graphs/reduce.h"
#include "src/cli/commands/critical-path-job.h"
#include "src/cli/tables/path.h"
#include "src/base/suggest.h"

#include <stdio.h>

#define DEFAULT_TOP 30
#define MAX_TABLES MAX (4, TT_N_JOB_TABLES)

typedef enum
{
  SHOW_FIRST,  /* operations, or the path by averages */
  SHOW_SECOND, /* processes, or cycles */
  SHOW_SEGMENTS,
  SHOW_KINDS,
} Show;

/* With --model. */
enum
{
  MODEL_PATH,
  MODEL_CYCLES,
};

typedef struct
{
  TtSharedOptions shared;
  char *output, *show_text;
  gboolean segments, by_model, merge_ranks;
  TtUnit unit;
  TtReportFormat format;
  int show; /* -1: all */
  guint top;
  int step; /* TT_NO_STEP: all */
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->output);
  g_free (self->show_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------- */

static gboolean
parse_show (Options *self, GError **error)
{
  static const char *const measured_words[] = { "ops", "ranks", "segments", "kinds", NULL };
  static const char *const model_words[] = { "path", "cycles", "ops", "kinds", "ranks", NULL };
  const char *const *words = self->by_model ? model_words : measured_words;
  g_autofree char *all = g_strjoinv (", ", (char **) words);

  self->show = -1;
  if (self->show_text == NULL)
    return TRUE;
  for (int i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], self->show_text))
      {
        self->show = i;
        self->segments = self->segments || i == SHOW_SEGMENTS;
        return TRUE;
      }
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown table '%s'; there are %s", self->show_text, all);
  return FALSE;
}

static gboolean
check_options (Options *self, GError **error)
{
  gboolean for_people;

  if (!parse_show (self, error) ||
      (self->shared.format_text != NULL && !tt_report_format_parse (self->shared.format_text, &self->format, error)) ||
      (self->shared.unit_text != NULL && !tt_unit_parse (self->shared.unit_text, &self->unit, error)))
    return FALSE;
  for_people = self->format == TT_FORMAT_TABLE || self->format == TT_FORMAT_MARKDOWN;
  self->top = self->shared.top >= 0 ? (guint) self->shared.top : for_people ? DEFAULT_TOP : 0;

  if (self->by_model && self->segments)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--segments' shows the measured path; it does not go with '--model'");
  else if (!self->by_model && (self->shared.filters != NULL || self->shared.time_window != NULL))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "the measured path is that of the whole run; '%s' goes with '--model' only",
                 self->shared.filters != NULL ? "--filter" : "--time-window");
  else if (!self->by_model && self->merge_ranks)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--merge-ranks' goes with '--model' only");
  else if (self->by_model && self->step != TT_NO_STEP)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--step' goes with the measured path; with '--model' use '--filter step=%d'", self->step);
  else if (self->output != NULL && !g_str_has_suffix (self->output, ".json") &&
           !g_str_has_suffix (self->output, ".json.gz"))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' would hold a Chrome trace; end it in .json or .json.gz",
                 self->output);
  else if (self->shared.top < -1)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--top' must not be negative");
  else
    return TRUE;
  return FALSE;
}

/* -- tables ---------------------------------------------------------------------------------------- */

typedef struct
{
  const char *key;
  TtReport *report; /* NULL: not asked for */
} Table;

static gboolean
print_json (const Table *tables, const char *facts, GError **error)
{
  g_autoptr (GString) text = g_string_new ("{\n");

  g_string_append (text, facts);
  for (int i = 0; i < MAX_TABLES; i++)
    if (tables[i].report != NULL)
      {
        g_string_append_printf (text, ",\n\"%s\": ", tables[i].key);
        tt_report_append (tables[i].report, TT_FORMAT_JSON, 0, text);
        while (text->len > 0 && text->str[text->len - 1] == '\n')
          g_string_truncate (text, text->len - 1);
        if (!tt_report_check (tables[i].report, error))
          return FALSE;
      }
  g_string_append (text, "\n}\n");
  fputs (text->str, stdout);
  return TRUE;
}

/* A table each; csv and tsv hold one. @facts: members of the JSON object. */
static gboolean
print_tables (const Table *tables, const char *facts, const Options *options, GError **error)
{
  gboolean one_table = options->format == TT_FORMAT_CSV || options->format == TT_FORMAT_TSV;
  int only = options->show >= 0 ? options->show : !one_table ? -1 : options->segments ? SHOW_SEGMENTS : SHOW_FIRST;
  gboolean is_first = TRUE;

  if (options->format == TT_FORMAT_JSON && only < 0)
    return print_json (tables, facts, error);

  for (int i = 0; i < MAX_TABLES; i++)
    {
      if (tables[i].report == NULL || (only >= 0 && only != i) ||
          (only < 0 && i > 0 && tt_report_n_rows (tables[i].report) == 0))
        continue;
      if (!is_first)
        putchar ('\n');
      tt_report_print (tables[i].report, options->format, options->shared.wide ? G_MAXUINT : 0);
      if (!tt_report_check (tables[i].report, error))
        return FALSE;
      is_first = FALSE;
    }
  return TRUE;
}

/* -- measured -------------------------------------------------------------------------------------- */

static gboolean
export_path (TtStore *store, const GArray *events, const char *output, GError **error)
{
  TtExportOptions options = { .highlight = events };
  TtExportReport report = { 0 };
  g_autoptr (TtOutput) out = tt_output_open (output, error);

  if (out == NULL || !tt_exporter_chrome.write (store, out, &options, &report, error) || !tt_output_close (out, error))
    return FALSE;
  tt_message ("wrote '%s' with the path marked; %s", output, tt_exporter_chrome.opener);
  return TRUE;
}

/* Nothing where no work on devices is traced. */
static char *
device_facts (const TtCriticalPath *path)
{
  char latency[TT_TIME_TEXT];

  if (path->points.devices.spans->len == 0)
    return g_strdup ("");
  return g_strdup_printf (
      ",\n\"latency_us\": %s,\n\"launches\": %" G_GUINT64_FORMAT ",\n\"events\": %" G_GUINT64_FORMAT
      ",\n\"synchronizations\": %" G_GUINT64_FORMAT ",\n\"backward_begins_and_ends\": %" G_GUINT64_FORMAT,
      tt_time_text (latency, path->latency_ns, TT_UNIT_US, 3), path->n_hops[TT_HOP_LAUNCH],
      path->n_hops[TT_HOP_EVENT], path->n_hops[TT_HOP_SYNCHRONIZE], path->n_hops[TT_HOP_AUTOGRAD]);
}

/* Runs that tell calls of the host only: no span says what a device did meanwhile. */
static gboolean
is_host_only (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (strcmp (sources[i].format, "pi") != 0)
      return FALSE;
  return n > 0;
}

/* Of calls on the path that do nothing but wait. */
static gint64
waiting_on_path (const TtCriticalPath *path)
{
  gint64 ns = 0;

  for (guint i = 0; i < path->ops->len; i++)
    if (g_str_has_prefix (g_array_index (path->ops, TtPathOp, i).name, "SYNC."))
      ns += g_array_index (path->ops, TtPathOp, i).time_ns;
  return ns;
}

static void
note_waiting (TtStore *store, const TtCriticalPath *path, char **notes)
{
  char time[TT_TIME_TEXT], share[G_ASCII_DTOSTR_BUF_SIZE];

  if (!is_host_only (store) || path->length_ns <= 0)
    return;
  gint64 waiting_ns = waiting_on_path (path);
  g_ascii_formatd (share, sizeof share, "%.1f", 100.0 * (double) waiting_ns / (double) path->length_ns);
  g_autofree char *more = g_steal_pointer (notes);
  *notes = g_strdup_printf ("the host waits for devices for %s of it (%s %%): piEventsWait, piQueueFinish%s%s",
                            tt_time_auto (time, waiting_ns), share, more != NULL ? "\n" : "", more != NULL ? more : "");
}

static char *
measured_facts (TtStore *store, const TtCriticalPath *path)
{
  char run[TT_TIME_TEXT], transfer[TT_TIME_TEXT], outside[TT_TIME_TEXT], waiting[TT_TIME_TEXT];
  g_autofree char *devices = is_host_only (store)
                                 ? g_strdup_printf (",\n\"host_waits_us\": %s,\n\"objects\": %" G_GUINT64_FORMAT
                                                    ",\n\"enqueues\": %" G_GUINT64_FORMAT,
                                                    tt_time_text (waiting, waiting_on_path (path), TT_UNIT_US, 3),
                                                    path->n_hops[TT_HOP_OBJECT], path->n_hops[TT_HOP_QUEUE])
                                 : device_facts (path);

  return g_strdup_printf (
      "\"path_us\": %s,\n\"transfer_us\": %s,\n\"outside_us\": %s,\n"
      "\"late_messages\": %" G_GUINT64_FORMAT ",\n\"late_in_collectives\": %" G_GUINT64_FORMAT
      ",\n\"thread_begins\": %" G_GUINT64_FORMAT ",\n"
      "\"not_followed\": {\"received_before_sent\": %" G_GUINT64_FORMAT ", \"halves\": %" G_GUINT64_FORMAT
      ", \"unequal_collectives\": %" G_GUINT64_FORMAT ", \"left_early\": %" G_GUINT64_FORMAT "}%s",
      tt_time_text (run, path->length_ns, TT_UNIT_US, 3), tt_time_text (transfer, path->transfer_ns, TT_UNIT_US, 3),
      tt_time_text (outside, path->outside_ns, TT_UNIT_US, 3), path->n_hops[TT_HOP_MESSAGE],
      path->n_hops[TT_HOP_COLLECTIVE], path->n_hops[TT_HOP_THREAD], path->points.n_backward, path->points.n_halves,
      path->points.n_dropped, path->points.n_early, devices);
}

static int
run_measured (TtStore *store, const Options *options, GError **error)
{
  g_autoptr (TtCriticalPath) path = tt_critical_path_new (store, options->step, options->output != NULL, error);

  if (path == NULL)
    return -1;
  if (path->segments->len == 0)
    tt_message ("no span in this run");

  gboolean has_devices = path->points.devices.spans->len > 0;
  g_autoptr (TtReport) ops = tt_path_op_table (path, options->top, options->unit);
  g_autoptr (TtReport) ranks = tt_path_process_table (store, path, options->unit);
  g_autoptr (TtReport) segments =
      options->segments ? tt_path_segment_table (store, path, options->top, options->unit) : NULL;
  g_autofree char *heading = tt_path_describe (path);
  g_autofree char *notes = tt_path_notes (path);
  g_autofree char *facts = measured_facts (store, path);
  g_autoptr (TtReport) kinds = has_devices ? tt_path_kind_table (path, options->unit) : NULL;
  const Table tables[MAX_TABLES] = { { "ops", ops }, { "ranks", ranks }, { "segments", segments }, { "kinds", kinds } };

  note_waiting (store, path, &notes);
  tt_report_heading (ops, heading);
  if (notes != NULL)
    tt_report_footer (ops, notes);
  if (!print_tables (tables, facts, options, error))
    return -1;
  return options->output == NULL || export_path (store, path->events, options->output, error) ? 0 : -1;
}

/* -- by averages -------------------------------------------------------------------------------------- */

/* What goes with a model of operations only; or of a training job only. */
static gboolean
check_ops_model (const Options *options, GError **error)
{
  if (options->output != NULL)
    g_set_error (
        error, TT_ERROR, TT_ERROR_USAGE,
        "'-o' shows the measured path, or that of a training job; it does not go with '--model' of operations");
  else if (options->show > MODEL_CYCLES)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "there is no table '%s' of this run; there are path, cycles",
                 options->show_text);
  else
    return TRUE;
  return FALSE;
}

static int
run_job_model (TtStore *store, const Options *options, GError **error)
{
  static const int place_of[] = { TT_JOB_TABLE_PATH, -1, TT_JOB_TABLE_OPS, TT_JOB_TABLE_KINDS, TT_JOB_TABLE_RANKS };
  g_autoptr (TtStepModel) model = NULL;
  Options shown = *options;

  if (options->show == MODEL_CYCLES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "there is no table 'cycles' of a training job; there are path, ops, kinds, ranks");
      return -1;
    }
  model = tt_step_model_new (store, error);
  if (model == NULL)
    return -1;
  for (guint i = 0; i < model->job->notes->len; i++)
    tt_message ("%s", (const char *) model->job->notes->pdata[i]);

  g_autoptr (TtReport) ops = tt_simulate_op_table (model->simulation, options->top, options->unit);
  g_autoptr (TtReport) kinds = tt_simulate_kind_table (model->simulation, options->unit);
  g_autoptr (TtReport) ranks = tt_simulate_rank_table (model->simulation, NULL, options->unit);
  g_autoptr (TtReport) path =
      options->show == MODEL_PATH ? tt_simulate_step_table (model->simulation, options->top, options->unit) : NULL;
  g_autofree char *heading = tt_step_model_describe (model);
  char length[TT_TIME_TEXT];
  g_autofree char *facts =
      g_strdup_printf ("\"path_us\": %s", tt_time_text (length, model->simulation->path->length_ns, TT_UNIT_US, 3));
  const Table tables[MAX_TABLES] = { { "ops", ops }, { "kinds", kinds }, { "ranks", ranks }, { "path", path } };

  shown.show = options->show < 0 ? -1 : place_of[options->show];
  tt_report_heading (shown.show < 0 ? ops : tables[shown.show].report, heading);
  if (!print_tables (tables, facts, &shown, error))
    return -1;
  if (options->output == NULL)
    return 0;
  g_autoptr (GArray) events = tt_step_model_events (model, store, error);
  return events != NULL && export_path (store, events, options->output, error) ? 0 : -1;
}

static int
run_model (TtStore *store, const TtSelection *selection, const Options *options, GError **error)
{
  TtDepGraphOptions graph_options = {
    .merge_ranks = options->merge_ranks,
    .kinds = TT_DEP_KINDS_DEFAULT,
    .selection = tt_selection_is_everything (selection) ? NULL : selection,
  };
  TtDepGraphReport graph_report;
  gboolean has_devices;

  if (!tt_device_is_traced (store, &has_devices, error))
    return -1;
  if (has_devices)
    graph_options.kinds |= 1u << TT_EDGE_COLLECTIVE;
  g_autoptr (TtGraph) traced = tt_dep_graph_ops (store, &graph_options, &graph_report, error);
  g_autoptr (TtGraph) graph = traced == NULL ? NULL : tt_graph_meet (traced);
  g_autoptr (TtOrder) order = NULL;
  g_autoptr (TtLongestPath) path = NULL;
  char time[TT_TIME_TEXT], exact[TT_TIME_TEXT];

  if (graph == NULL || !check_ops_model (options, error))
    return -1;
  if (graph->nodes->len == 0)
    tt_message ("nothing is selected");
  path = tt_model_path_new (graph, &order);

  g_autoptr (TtReport) ops = tt_model_table (graph, order, path, options->top, options->unit);
  g_autoptr (TtReport) cycles = tt_model_cycle_table (graph, order, options->top, options->unit);
  gint64 weight_ns = (gint64) (path->weight + 0.5);
  g_autofree char *heading = g_strdup_printf ("Longest path by averages: %s through %u of %u operations",
                                              tt_time_auto (time, weight_ns), path->nodes->len, graph->nodes->len);
  g_autofree char *facts = g_strdup_printf ("\"path_us\": %s,\n\"n_cycles\": %u",
                                            tt_time_text (exact, weight_ns, TT_UNIT_US, 3), order->cycles->len);
  g_autofree char *cycle_heading =
      g_strdup_printf ("%u %s opened by leaving out %u %s back in time", order->cycles->len,
                       order->cycles->len == 1 ? "cycle" : "cycles", order->back->len,
                       order->back->len == 1 ? "edge that leads" : "edges that lead");
  const Table tables[MAX_TABLES] = { { "path", ops }, { "cycles", cycles }, { NULL, NULL }, { NULL, NULL } };

  tt_report_heading (ops, heading);
  tt_report_heading (cycles, cycle_heading);
  return print_tables (tables, facts, options, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT, .unit = TT_UNIT_US, .step = TT_NO_STEP };
  int status;
  const GOptionEntry own[] = {
    { "segments", 0, 0, G_OPTION_ARG_NONE, &options.segments, "Also list the pieces of the path and how it got there",
      NULL },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text,
      "One only: ops, ranks, segments, kinds; --model: path, cycles; of a job: path, ops, kinds, ranks", "TABLE" },
    { "step", 0, 0, G_OPTION_ARG_INT, &options.step, "Only the path through one step of the training", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Also write a Chrome trace with the path marked",
      "FILE.json[.gz]" },
    { "model", 0, 0, G_OPTION_ARG_NONE, &options.by_model,
      "The longest path by averages through the graph of operations", NULL },
    { "merge-ranks", 0, 0, G_OPTION_ARG_NONE, &options.merge_ranks,
      "With --model: one operation for a name, whatever the process", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_critical_path, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;

  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) options.shared.filters, options.shared.time_window, options.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_selection_bind (selection, store, error) ||
      (!options.by_model && !tt_command_check_one_run (store, error)))
    return -1;
  gboolean is_job = FALSE;
  if (!options.by_model)
    {
      if (!tt_training_job_is_there (store, &is_job, error))
        return -1;
      int result = run_measured (store, &options, error);
      if (is_job && result == 0)
        tt_message ("what a training step waits for is shown by 'critical-path --model': transfers, servers and order "
                    "of devices");
      return result;
    }
  if (!options.merge_ranks && tt_selection_is_everything (selection) &&
      (!tt_training_job_is_there (store, &is_job, error) || (is_job && !tt_command_check_one_run (store, error))))
    return -1;
  return is_job ? run_job_model (store, &options, error) : run_model (store, selection, &options, error);
}

const TtCommand tt_command_critical_path = {
  .name = "critical-path",
  .summary = "What the length of the run really hung on",
  .usage = "[TRACE...]",
  .details =
      "The measured path goes back from the thread that finished last: from a receive that waited for a late\n"
      "sender to the send, from a collective to the rank that came last, from the begin of a thread to the\n"
      "first thread of its process (the last two are inferred). It covers the whole run; times are self times\n"
      "within it, and what the messages took on their way. Waited: how long the other side was waited for;\n"
      "that is not on the path.\n"
      "In PyTorch traces it goes through the devices: from a call that waits to the work it waited for, from\n"
      "work to what was done last of its launch, the work before it on its stream and events it waits for, and\n"
      "through backward passes on threads of their own (inferred).\n"
      "Calls of a collective are counted per function and process; where processes call it a different\n"
      "number of times it is not followed, and nothing is followed forward in time. The table says how often.\n"
      "csv and tsv carry one table: operations, with '--segments' the pieces.\n"
      "\n"
      "'--model' is the longest path by averages through the graph of operations ('tracetool depgraph'),\n"
      "by calls, sequence, messages and flows. An operation weighs its average self time, so that a caller\n"
      "does not count what it calls; the gap between two operations that nobody calls weighs its average\n"
      "(inside a caller it is the caller's own time); a message weighs nothing (its time is the receive's).\n"
      "In PyTorch traces it also goes from what the last rank to come to a collective needed to the others, whose\n"
      "waiting is not their own time.\n"
      "Cycles are opened by leaving out the edges that lead to an operation begun no later; they are listed.\n"
      "Of a training job the model is its simulated step ('tracetool simulate'): what each part of it waited for.",
  .example = "tracetool critical-path run.trc run.edf\n"
             "tracetool critical-path -o path.json run.trc run.edf",
  .run = run,
};
