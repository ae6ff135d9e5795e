/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/cli/config-apply.h"
#include "src/cli/options.h"

#include "analyzers/statistics/bounded.h"
#include "analyzers/statistics/event-stats.h"
#include "analyzers/statistics/name2sta.h"
#include "src/base/output.h"
#include "src/base/suggest.h"
#include "src/cli/run-facts.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/stats-clock.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/lexgions.h"
#include "src/cli/tables/stats.h"
#include "src/cli/words.h"
#include "src/store/trust.h"

#include <stdio.h>
#include <string.h>

/* Formats that are no tables. */
typedef enum
{
  NO_DICTIONARY,
  NAME2STA,
  CAT2STA,
} Dictionary;

typedef struct
{
  TtSharedOptions shared;
  char *by, *per, *metric, *sort, *exe;
  char *tree_text; /* of options that 'tree' answers */
  TtReportView view;
  Dictionary dictionary;
  TtGroupKeys keys;
  TtGroupKey per_key; /* of --per */
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->by);
  g_free (self->per);
  g_free (self->metric);
  g_free (self->sort);
  g_free (self->exe);
  g_free (self->tree_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------- */

static const char *const format_words[] = { "table", "csv", "tsv", "json", "markdown", "name2sta", "cat2sta", NULL };

/* What --unit, --format, --top and --wide mean; formats that are no tables are none of a view. */
static gboolean
parse_view (Options *self, GError **error)
{
  TtSharedOptions shared = self->shared;
  const char *text = shared.format_text, *near = text == NULL ? NULL : tt_suggest (text, format_words);

  self->dictionary = g_strcmp0 (text, "name2sta") == 0  ? NAME2STA
                     : g_strcmp0 (text, "cat2sta") == 0 ? CAT2STA
                                                        : NO_DICTIONARY;
  if (self->dictionary != NO_DICTIONARY)
    shared.format_text = NULL;
  else if (near != NULL && g_str_has_suffix (near, "2sta"))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown format '%s'; did you mean '%s'?", text, near);
      return FALSE;
    }
  return tt_shared_options_view (&shared, TT_DEFAULT_TOP, &self->view, error);
}

static gboolean
is_by_lexgion (const Options *self)
{
  return g_strcmp0 (self->by, "lexgion") == 0;
}

/* The table of lexgions has columns and an order of its own. */
static gboolean
check_lexgion_options (const Options *self, GError **error)
{
  if (!is_by_lexgion (self) && self->exe != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--exe' names the program of code pointers; it goes with '--by lexgion'");
  else if (is_by_lexgion (self) && (self->per != NULL || self->metric != NULL || self->sort != NULL ||
                                    self->dictionary != NO_DICTIONARY || self->shared.time_window != NULL))
    g_set_error (
        error, TT_ERROR, TT_ERROR_USAGE,
        "'--by lexgion' goes with '--exe', '--filter', '--top', '--unit', '--wide' and the formats of tables only");
  else
    return TRUE;
  return FALSE;
}

enum
{
  PER_RANK,
  PER_PID
};
static const char *const per_words[] = { [PER_RANK] = "rank", [PER_PID] = "pid", NULL };

static gboolean
check_options (Options *self, GError **error)
{
  guint per = PER_RANK;

  if (!tt_group_keys_parse (&self->keys, self->by == NULL || is_by_lexgion (self) ? "name" : self->by, error) ||
      !parse_view (self, error) || !check_lexgion_options (self, error))
    return FALSE;
  if (self->per != NULL && !tt_word_choose ("value of --per", self->per, per_words, &per, error))
    return FALSE;
  self->per_key = per == PER_PID ? TT_KEY_PID : TT_KEY_RANK;
  if (self->per != NULL && tt_group_keys_has (&self->keys, self->per_key))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--per %s' compares within a group; leave %s out of '--by'",
                 self->per, self->per);
  else if (self->metric != NULL && tt_group_keys_has (&self->keys, TT_KEY_PATH))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--by path' is about times; it does not go with '--metric'");
  else if (self->dictionary != NO_DICTIONARY && (self->by != NULL || self->per != NULL || self->metric != NULL ||
                                                 self->sort != NULL || self->shared.top > 0))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--format %s' has every %s; '--by', '--per', '--metric', '--sort' and '--top' do not go with it",
                 self->shared.format_text, self->dictionary == NAME2STA ? "op_long_name" : "category");
  else
    return TRUE;
  return FALSE;
}

/* -- metrics ------------------------------------------------------------------------------------- */

static char *
list_metrics (TtStore *store, const char *separator)
{
  guint n;
  const TtSeries *series = tt_store_series (store, &n);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    if (series[i].is_monotonic)
      g_string_append_printf (text, "%s%s", text->len > 0 ? separator : "", series[i].name);
  return g_string_free (text, FALSE);
}

static gboolean
find_metric (TtStore *store, const char *word, guint32 *metric, GError **error)
{
  guint n;
  const TtSeries *series = tt_store_series (store, &n);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    if (series[i].is_monotonic)
      {
        if (g_str_equal (series[i].name, word))
          {
            *metric = series[i].id;
            return TRUE;
          }
        g_ptr_array_add (names, series[i].name);
      }
  g_ptr_array_add (names, NULL);

  const char *near = tt_suggest (word, (const char *const *) names->pdata);
  g_autofree char *all = list_metrics (store, ", ");
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no metric '%s'; did you mean '%s'?", word, near);
  else if (*all != '\0')
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no metric '%s'; the run has %s", word, all);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no metric '%s': the spans of this run carry no metrics", word);
  return FALSE;
}

static int
print_metrics (TtStore *store)
{
  g_autofree char *all = list_metrics (store, "\n");
  g_auto (GStrv) names = g_strsplit (all, "\n", -1);

  if (*all == '\0')
    tt_message ("the spans of this run carry no metrics");
  for (char **name = names; *name != NULL; name++)
    tt_print ("%s\n", *name);
  return 0;
}

/* -- running ------------------------------------------------------------------------------------- */

/* The selection of one clock only, if the run mixes ticks with time. */
static TtSelection *
select_clock (TtStore *store, const Options *options, gboolean *is_ticks, GError **error)
{
  const TtSharedOptions *shared = &options->shared;
  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) shared->filters, shared->time_window, options->view.unit, error);
  g_auto (TtStatsClock) clock = { 0 };

  if (selection == NULL || !tt_selection_bind (selection, store, error) ||
      !tt_stats_clock_choose (&clock, store, selection, &options->keys, error))
    return NULL;
  *is_ticks = clock.is_ticks;
  if (clock.lacks_sms)
    tt_message ("nothing here ran on an SM or CU that is known: '--by sm' tells nothing apart");
  if (clock.left_out != NULL)
    tt_message ("%s left out, whose times are %s: see '--filter \"pid = %s\"'", clock.left_out,
                clock.is_ticks ? "no ticks" : "ticks", clock.left_out);
  return g_steal_pointer (&selection);
}

static int
print_dictionary (TtStore *store, TtSelection *selection, Dictionary dictionary, GError **error)
{
  guint n_rows = 0;
  TtCrew crew;
  gboolean has_crew;

  if (!tt_run_crew (store, &crew, &has_crew, error))
    return -1;
  g_autoptr (TtOutput) out = tt_output_open ("-", error);
  if (out == NULL || !(dictionary == NAME2STA ? tt_name2sta_write : tt_cat2sta_write) (
                         store, selection, has_crew ? &crew : NULL, out, &n_rows, error))
    return -1;
  if (has_crew && crew.rank > 0)
    return 0;
  if (!tt_output_close (out, error))
    return -1;
  if (n_rows == 0)
    tt_command_nothing_matches ("span", selection, store);
  return 0;
}

/* What the values of the table are; @metric: TT_NO_ID for times or ticks. */
typedef struct
{
  guint32 metric;
  gboolean is_ticks;
} Values;

static TtReport *
compare_ranks (TtStore *store,
               const TtSelection *selection,
               const TtEventStats *stats,
               const Options *options,
               const TtReportView *view,
               GError **error)
{
  g_autoptr (TtRankPresence) presence = tt_rank_presence_new (store, selection, options->per_key == TT_KEY_PID, error);

  return presence == NULL ? NULL
                          : tt_stats_table_per_rank (stats, &options->keys, presence, view, options->sort, error);
}

static int
print_stats (TtStore *store, TtSelection *selection, const Options *options, Values values, GError **error)
{
  TtEventStatsRequest request = { .keys = options->keys, .selection = selection, .metric = values.metric };
  TtReportView view = options->view;
  g_auto (TtTrustBrief) brief = { 0 };
  TtCrew crew;
  gboolean has_crew;

  if (!tt_store_trust_brief (store, &brief, error) || !tt_run_crew (store, &crew, &has_crew, error))
    return -1;
  request.crew = has_crew ? &crew : NULL;
  request.damaged = brief.damaged;
  request.is_counted = brief.n_marked > 0 || g_hash_table_size (brief.damaged) > 0;
  view.has_counts = values.metric != TT_NO_ID || values.is_ticks;
  if (options->per != NULL)
    request.keys.key[request.keys.n++] = options->per_key;
  else if (!tt_stats_table_limit (&request, &view, options->sort, error))
    return -1;
  g_autoptr (TtEventStats) stats = tt_event_stats_new (store, &request, error);
  if (stats == NULL)
    return -1;
  if (has_crew && crew.rank > 0)
    return 0;
  g_autoptr (TtReport) report = options->per == NULL ? tt_stats_table (stats, &view, options->sort, error)
                                                     : compare_ranks (store, selection, stats, options, &view, error);
  if (report == NULL)
    return -1;
  if (view.has_counts)
    {
      const char *unit = values.metric == TT_NO_ID ? NULL : tt_store_one_series (store, values.metric)->unit;
      g_autofree char *heading = values.metric == TT_NO_ID ? g_strdup ("Values are ticks")
                                 : unit == NULL            ? g_strdup_printf ("Values of %s", options->metric)
                                                : g_strdup_printf ("Values of %s, in %s", options->metric, unit);
      tt_report_heading (report, heading);
    }
  if (stats->rows->len == 0)
    tt_command_nothing_matches ("span", selection, store);
  if (values.metric == TT_NO_ID)
    tt_bounded_tell (store, "not in Med, Min, Max, P95, P99", report);
  return tt_report_show (report, &view, error) ? 0 : -1;
}

/* How many invocations of a lexgion the configuration records. */
static gint64
limit_of (guint64 codeptr, gboolean is_region, gpointer data)
{
  const TtConfig *config = data;
  int openmp = tt_config_domains_find (config->domains, "OpenMP", strlen ("OpenMP"));
  gint64 most = -2;

  if (is_region && openmp >= 0)
    return tt_config_find_lexgion (config, (guint) openmp, codeptr, NULL, NULL)->rule.most;
  /* The domain of a call is not known here: a default counts if that of any domain says the same. */
  for (guint i = 0; i < config->domains->domains->len; i++)
    {
      gint64 of = tt_config_find_lexgion (config, i, codeptr, NULL, NULL)->rule.most;
      if (i > 0 && of != most)
        return -2;
      most = of;
    }
  return most;
}

static int
print_lexgions (TtStore *store,
                const TtSelection *selection,
                const TtConfigSettings *config,
                const Options *options,
                GError **error)
{
  g_autoptr (GArray) rows = config->file == NULL
                                ? tt_lexgions_new (store, selection, NULL, NULL, error)
                                : tt_lexgions_new (store, selection, limit_of, config->file->config, error);
  g_autoptr (TtReport) report =
      rows == NULL ? NULL : tt_lexgion_table (store, rows, options->exe, &options->view, error);

  if (report == NULL)
    return -1;
  if (rows->len == 0)
    tt_message (
        "no span has a code pointer: traces of PInsight have them ('tracetool import --help' lists the formats)");
  return tt_report_show (report, &options->view, error) ? 0 : -1;
}

static int
answer (const TtContext *context, char **paths, const Options *options, TtConfigSettings *config, GError **error)
{
  Values values = { .metric = TT_NO_ID };
  /* Wrong options are reported before a trace is read. */
  g_autoptr (TtSelection) trial = tt_selection_new ((const char *const *) options->shared.filters,
                                                    options->shared.time_window, options->view.unit, error);
  if (trial == NULL)
    return -1;
  g_autoptr (TtStore) store = tt_command_open_store (context, paths, error);
  g_autoptr (TtSelection) selection = store == NULL ? NULL : select_clock (store, options, &values.is_ticks, error);
  if (selection == NULL || !tt_config_settings_select (config, store, selection, error))
    return -1;

  if (options->dictionary != NO_DICTIONARY)
    return print_dictionary (store, selection, options->dictionary, error);
  if (g_strcmp0 (options->metric, "list") == 0)
    return print_metrics (store);
  if (options->metric != NULL && !find_metric (store, options->metric, &values.metric, error))
    return -1;
  if (is_by_lexgion (options))
    return print_lexgions (store, selection, config, options, error);
  return print_stats (store, selection, options, values, error);
}

/* A question about callers or callees, which the call tree answers. */
static gboolean
is_for_tree (char **argv)
{
  for (char **word = argv + 1; *word != NULL && strcmp (*word, "--") != 0; word++)
    if (g_str_has_prefix (*word, "--callers") || g_str_has_prefix (*word, "--callees"))
      return TRUE;
  return FALSE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  g_autofree char *words = tt_stats_table_words (FALSE), *words_per = tt_stats_table_words (TRUE);
  g_autofree char *sort_help = g_strdup_printf ("Sort by %s (default: time)", words);
  g_autofree char *details =
      g_strdup_printf ("%s\n'--sort' takes with '--per': %s.", tt_command_stats.details, words_per);
  TtCommand self = tt_command_stats;
  int status;
  const GOptionEntry own[] = {
    { "by", 0, 0, G_OPTION_ARG_STRING, &options.by, "Group by these keys (default: name)", "KEY,KEY..." },
    { "per", 0, 0, G_OPTION_ARG_STRING, &options.per, "Compare the ranks (or processes) of each group", "rank|pid" },
    { "metric", 0, 0, G_OPTION_ARG_STRING, &options.metric,
      "Show values of a metric instead of times; 'list' lists the metrics", "NAME" },
    { "exe", 0, 0, G_OPTION_ARG_FILENAME, &options.exe,
      "With --by lexgion: program whose functions and lines are shown", "FILE" },
    { "sort", 0, 0, G_OPTION_ARG_STRING, &options.sort, sort_help, "COLUMN" },
    { "callers", 0, 0, G_OPTION_ARG_STRING, &options.tree_text, "Show who calls this operation, as 'tree' does",
      "NAME" },
    { "callees", 0, 0, G_OPTION_ARG_STRING, &options.tree_text, "Show what this operation calls, as 'tree' does",
      "NAME" },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (TtConfigSettings) config = { 0 };
  g_autofree GOptionEntry *apply = tt_config_apply_entries (&config);
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *most = tt_options_concat (own, shared);
  g_autofree GOptionEntry *entries = tt_options_concat (most, apply);

  if (is_for_tree (argv))
    return tt_command_tree.run (context, argc, argv, error);
  self.details = details;
  if (!tt_command_parse (&self, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error) || !tt_config_settings_open (&config, error))
    return -1;
  return answer (context, argv + 1, &options, &config, error);
}

/* -- completion ---------------------------------------------------------------------------------- */

static char **
list_keys (const TtValuesQuestion *question)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  g_strv_builder_addv (words, (const char **) tt_group_key_words);
  g_strv_builder_add (words, "lexgion");
  return g_strv_builder_end (words);
}

static char **
list_columns (const TtValuesQuestion *question)
{
  g_autofree char *words = tt_stats_table_words (tt_values_question_has (question, "--per"));

  return g_strsplit (words, ", ", -1);
}

static char **
list_metrics_of_database (const TtValuesQuestion *question)
{
  g_autoptr (TtStore) store = question->db_path == NULL ? NULL : tt_store_open (question->db_path, NULL);
  g_autofree char *metrics =
      store != NULL && tt_store_select_run (store, NULL, NULL) ? list_metrics (store, "\n") : NULL;
  g_autofree char *words = g_strconcat ("list", metrics != NULL && *metrics != '\0' ? "\n" : NULL, metrics, NULL);

  return g_strsplit (words, "\n", -1);
}

static const TtOptionValues values[] = {
  { "by", TT_VALUES_LIST, .list = list_keys },     { "per", TT_VALUES_ONE, per_words },
  { "sort", TT_VALUES_ONE, .list = list_columns }, { "metric", TT_VALUES_ONE, .list = list_metrics_of_database },
  { "format", TT_VALUES_ONE, format_words },       { NULL },
};

const TtCommand tt_command_stats = {
  .name = "stats",
  .summary = "Show which operations took the time",
  .usage = "[TRACE...]",
  .details =
      "KEYs: name, op_long_name, op_cat, op_name, sub_op, rank, pid, tid, sm, step, file,\n"
      "native_group, path, lexgion. A rank is a program with its devices. A path has the names from\n"
      "the outermost span of the thread on, ' => ' between them; 'tree' draws them.\n"
      "A narrow terminal shows fewer columns; '--wide' and every other format show all.\n"
      "\n"
      "Self is a span's duration without its direct children; Time % is Self as a share of all Self. Total "
      "counts\n"
      "nested spans of the same group and thread once. The other columns cover every span: Med is element\n"
      "floor(n/2) of the sorted durations, P95 element ceil(0.95 n) - 1, StdDev that of the population.\n"
      "With '--time-window', a span that overlaps the window counts whole, but is clipped in Total and Self.\n"
      "Filters select spans and do not change their Self.\n"
      "\n"
      "A span that only names a stretch of time (an annotation, a step) has no Self, and counts only where "
      "groups\n"
      "are by name or native_group.\n"
      "'--per rank' shows Min, Mean and Max of the ranks' Totals, Imbalance % = (Max / Mean - 1) * 100, and the\n"
      "slowest. A rank without the operation counts as 0 if it does any work of its category: column Zero.\n"
      "'--per pid' compares processes, a device by itself.\n"
      "A lexgion (lexical region) is one construct or call in the source, known by its code pointer "
      "(PInsight).\n"
      "'--by lexgion' shows for each the minimum, mean and maximum time over threads and Imbalance % =\n"
      "(Max / Mean - 1) * 100. For COMP.omp_parallel these are the times that each thread of the team worked,\n"
      "and Barrier % is the share of the team's time spent waiting in barriers and joins. Filters choose\n"
      "rows, Count, Total and Self; what is told of threads is of all spans of a lexgion. '--exe FILE' adds\n"
      "function and line, for programs linked with -no-pie. Of a trace that PInsight has sampled, columns\n"
      "with ~ extrapolate Count and Total to all invocations, +- at 95 % confidence; the others do not.\n"
      "'--metric NAME': Self has exclusive values, all other columns inclusive ones; they are never clipped.\n"
      "'--format name2sta': a JSON object op_long_name -> avg, cnt, time, min_t, max_t, median, var (ms), cat,\n"
      "id (order of first appearance) and step_ids (per step the number of its last span in (ts, name) order;\n"
      "without steps the numbers of all its spans). '--format cat2sta': category -> avg, cnt, time,\n"
      "op_cnt, max_t (largest avg of an operation) and max_name.",
  .example = "tracetool stats --by op_cat,name --top 10 run.trc run.edf\n"
             "tracetool stats --per rank --sort imbalance run.trc run.edf\n"
             "tracetool stats --format cat2sta job-2x1\n"
             "tracetool stats --config pinsight.conf tau-mpi4",
  .values = values,
  .run = run,
};
