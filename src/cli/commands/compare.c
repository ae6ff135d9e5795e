/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"

#include "analyzers/comparison/slower.h"
#include "src/base/failure.h"
#include "src/base/report/cut.h"
#include "src/base/report/wrap.h"
#include "src/cli/run-id.h"
#include "src/cli/run-operand.h"
#include "src/cli/session.h"
#include "src/cli/stats-clock.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/compare.h"
#include "src/cli/words.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define MAX_NAMED 10 /* of what got slower */
#define MIN_NAME 20u /* characters */

typedef struct
{
  TtSharedOptions shared;
  char *by, *per, *show_text, *sort, *fail_above, *min_share;
  char **maps, **map_files;
  gboolean ignores_template_arguments;
  TtReportView view;
  TtGroupKeys keys;
  TtOpMapping *mapping; /* NULL: names stay */
  TtSlowerLimits limits;
  int show;
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->by);
  g_free (self->per);
  g_free (self->show_text);
  g_free (self->sort);
  g_free (self->fail_above);
  g_free (self->min_share);
  g_strfreev (self->maps);
  g_strfreev (self->map_files);
  tt_op_mapping_free (self->mapping);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ---------------------------------------------------------------------------------------------------- */

static const char *const show_words[] = {
  [TT_COMPARED_OPERATIONS] = "operations",
  [TT_COMPARED_CATEGORIES] = "categories",
  [TT_COMPARED_RANKS] = "ranks",
  NULL,
};
static const char *const per_words[] = { "rank", NULL };

static gboolean
read_mapping (Options *self, GError **error)
{
  if (self->maps == NULL && self->map_files == NULL && !self->ignores_template_arguments)
    return TRUE;
  self->mapping = tt_op_mapping_new ();
  if (self->ignores_template_arguments)
    tt_op_mapping_ignore_template_arguments (self->mapping);
  for (char **rule = self->maps; rule != NULL && *rule != NULL; rule++)
    if (!tt_op_mapping_add (self->mapping, *rule, error))
      return FALSE;
  for (char **path = self->map_files; path != NULL && *path != NULL; path++)
    if (!tt_op_mapping_add_file (self->mapping, *path, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_options (Options *self, GError **error)
{
  guint per = 0;

  if (!tt_shared_options_view (&self->shared, TT_DEFAULT_TOP, &self->view, error) ||
      !tt_group_keys_parse (&self->keys, self->by == NULL ? "name" : self->by, error) ||
      !tt_show_parse (self->show_text, show_words, &self->show, error) ||
      (self->per != NULL && !tt_word_choose ("value of --per", self->per, per_words, &per, error)))
    return FALSE;
  if (self->per != NULL && tt_group_keys_has (&self->keys, TT_KEY_RANK))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--per rank' has a row for each rank; leave rank out of '--by'");
      return FALSE;
    }
  if (self->min_share != NULL && self->fail_above == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--min-share' goes with '--fail-above'");
      return FALSE;
    }
  self->limits.min_share_percent = 1;
  return (self->fail_above == NULL ||
          tt_percent_parse ("fail-above", self->fail_above, &self->limits.limit_percent, error)) &&
         (self->min_share == NULL ||
          tt_percent_parse ("min-share", self->min_share, &self->limits.min_share_percent, error)) &&
         read_mapping (self, error);
}

static TtSelection *
make_selection (const Options *options, GError **error)
{
  return tt_selection_new ((const char *const *) options->shared.filters, options->shared.time_window,
                           options->view.unit, error);
}

/* -- reading ---------------------------------------------------------------------------------------------------- */

/* Ranks of an MPI job that read the same runs. */
typedef struct
{
  TtCrew crew;
  gboolean is_there, is_called;
} Others;

/* On rank 0, which has opened the run @store: it may be read. On the others: it is the same run. */
static gboolean
agree (Others *others, TtStore *store, const char *shown, const char *text, GError **error)
{
  g_autofree char *id = tt_run_id (store, error);

  if (id == NULL)
    return FALSE;
  if (others->crew.rank == 0)
    {
      if (!others->is_called)
        others->crew.call (id);
      others->is_called = TRUE;
      return tt_crew_show (&others->crew, id, error);
    }
  if (g_str_equal (id, shown))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' is not the run that rank 0 reads, or this is another build",
               text);
  return FALSE;
}

/* Rank 0 opens it first: the others find what it has made. NULL: @error, or, on the others, nothing more is asked. */
static TtStore *
open_run (const TtContext *context, const char *text, Others *others, GError **error)
{
  const gboolean is_helper = others->is_there && others->crew.rank > 0;
  g_autofree char *shown = is_helper ? tt_crew_see (&others->crew) : NULL;

  if (is_helper && shown == NULL)
    return NULL;
  g_autoptr (TtStore) store = tt_run_operand_open (context, text, error);
  if (store == NULL || (others->is_there && !agree (others, store, shown, text, error)))
    return NULL;
  return g_steal_pointer (&store);
}

/* Once of a run that is compared with itself. */
static void
tell_of_none (const TtCompareAnswer *answer, const char *text, const TtSelection *selection, TtStore *store)
{
  guint n_before = tt_comparison_n_runs (answer->comparison) - 1;

  if (!tt_failure_check (NULL))
    return; /* nobody knows; the error follows */

  for (guint i = 0; i < n_before; i++)
    if (strcmp (answer->runs[i], text) == 0)
      return;
  g_autofree char *hint = tt_selection_hint (selection, store);
  tt_message ("'%s' has nothing to compare: %s%s%s", text,
              tt_selection_is_everything (selection) ? "no spans" : "no span matches", hint != NULL ? ": " : "",
              hint != NULL ? hint : "");
}

static gboolean
add_run (TtCompareAnswer *answer,
         const TtContext *context,
         const char *text,
         const Options *options,
         Others *others,
         GError **error)
{
  g_autoptr (TtStore) store = open_run (context, text, others, error);
  g_autoptr (TtSelection) selection = store == NULL ? NULL : make_selection (options, error);
  gboolean is_first = tt_comparison_n_runs (answer->comparison) == 0;
  g_auto (TtStatsClock) clock = { 0 };

  if (selection == NULL || !tt_selection_bind (selection, store, error) ||
      !tt_stats_clock_choose (&clock, store, selection, &options->keys, error))
    return FALSE;
  if (clock.lacks_sms)
    tt_message ("nothing of '%s' ran on an SM or CU that is known: '--by sm' tells nothing apart", text);
  if (clock.left_out != NULL)
    tt_message ("%s of '%s' left out, whose times are %s", clock.left_out, text, clock.is_ticks ? "no ticks" : "ticks");
  if (!is_first && clock.is_ticks != answer->is_ticks)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' counts %s, but '%s' %s: that cannot be compared",
                   answer->runs[0], answer->is_ticks ? "ticks" : "time", text, clock.is_ticks ? "ticks" : "time");
      return FALSE;
    }
  answer->is_ticks = clock.is_ticks;
  if (!tt_comparison_add (answer->comparison, store, selection, error))
    return FALSE;
  if (tt_comparison_run (answer->comparison, tt_comparison_n_runs (answer->comparison) - 1)->n_spans == 0)
    tell_of_none (answer, text, selection, store);
  return TRUE;
}

static gboolean
check_operands (const TtContext *context, char **texts, GError **error)
{
  guint n = g_strv_length (texts);
  gboolean is_db_used = FALSE;

  if (n < 2 || n > TT_COMPARE_MAX_RUNS)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   n < 2 ? "compare needs two runs: traces, databases, or numbers of runs of '--db FILE'"
                         : "compare takes %u runs at most",
                   TT_COMPARE_MAX_RUNS);
      return FALSE;
    }
  for (char **text = texts; *text != NULL; text++)
    is_db_used |= tt_run_operand_is_number (*text);
  if (context->db_given && !is_db_used)
    tt_message ("'--db %s' is not used: no number of a run is compared", context->db_path);
  return TRUE;
}

/* -- a limit ---------------------------------------------------------------------------------------------------- */

/* Names of kernels fill a screen each: on a terminal they are cut. NULL: they are not. */
static TtCuts *
cut_names (const TtCompareAnswer *answer, const GArray *slower)
{
  guint width = tt_prose_width (STDERR_FILENO);

  if (width == 0)
    return NULL;
  TtCuts *cuts = tt_cuts_new (MAX (width, MIN_NAME));
  for (guint i = 0; i < MIN (slower->len, MAX_NAMED); i++)
    {
      const TtComparedPair *pair = g_array_index (slower, TtSlower, i).pair;
      g_autofree char *name = pair == NULL ? NULL : tt_compare_group_text (answer, pair->group);

      if (name != NULL)
        tt_cuts_add (cuts, name);
    }
  tt_cuts_settle (cuts);
  return cuts;
}

/* @cuts: or NULL. */
static char *
describe_slower (const TtCompareAnswer *answer, const TtSlower *slower, TtCuts *cuts)
{
  g_autofree char *before = tt_compare_time_text (answer, slower->before_ns);
  g_autofree char *after = tt_compare_time_text (answer, slower->after_ns);
  g_autofree char *text_of_pair = slower->pair == NULL ? NULL : tt_compare_group_text (answer, slower->pair->group);
  const char *shown = text_of_pair == NULL ? "" : cuts == NULL ? text_of_pair : tt_cuts_get (cuts, text_of_pair);
  g_autofree char *name = g_strconcat (shown, " takes", NULL);
  double percent = tt_percent_change (slower->before_ns, slower->after_ns);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s %s in '%s', %s in '%s'",
                          slower->kind == TT_SLOWER_LENGTH     ? "the run takes"
                          : slower->kind == TT_SLOWER_ALL_SELF ? "all operations take"
                                                               : name,
                          after, answer->runs[slower->run], before, answer->runs[0]);
  if (isfinite (percent))
    g_string_append_printf (text, " (+%.1f %%", percent);
  else
    g_string_append (text, " (new");
  if (slower->pair != NULL && isnan (slower->pair->p) && slower->pair->change != TT_CHANGE_NEW)
    g_string_append (text, "; too few spans for a test");
  else if (slower->pair != NULL && !isnan (slower->pair->p))
    g_string_append_printf (text, "; p = %.2g", slower->pair->p);
  return g_string_free (g_string_append_c (text, ')'), FALSE);
}

/* The exit status. */
static int
judge (const TtCompareAnswer *answer, const Options *options, GError **error)
{
  TtSlowerLimits limits = options->limits;

  limits.is_part = answer->is_part;
  if (tt_comparison_pairs (answer->comparison, TT_COMPARED_OPERATIONS)->len == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'--fail-above' has no operation to judge");
      return -1;
    }
  g_autoptr (GArray) slower = tt_comparison_find_slower (answer->comparison, &limits);
  g_autoptr (TtCuts) cuts = cut_names (answer, slower);
  for (guint i = 0; i < MIN (slower->len, MAX_NAMED); i++)
    {
      g_autofree char *text = describe_slower (answer, &g_array_index (slower, TtSlower, i), cuts);
      tt_message ("slower by more than %g %%: %s", limits.limit_percent, text);
    }
  if (slower->len > MAX_NAMED)
    tt_message ("slower by more than %g %%: and %u more", limits.limit_percent, slower->len - MAX_NAMED);
  if (slower->len == 0)
    tt_message ("nothing is slower by more than %g %%", limits.limit_percent);
  return slower->len == 0 ? 0 : 1;
}

/* -- running ---------------------------------------------------------------------------------------------------- */

static gboolean
is_shown (const Options *options, int kind)
{
  return options->show == TT_SHOW_ALL || options->show == kind;
}

/* Whether two ranks or more are in two runs. */
static gboolean
has_common_ranks (const TtCompareAnswer *answer)
{
  const GArray *pairs = tt_comparison_pairs (answer->comparison, TT_COMPARED_RANKS);
  guint n = 0;

  for (guint i = 0; i < pairs->len; i++)
    {
      const TtComparedPair *pair = &g_array_index (pairs, TtComparedPair, i);

      n += pair->run == 1 && pair->change != TT_CHANGE_NEW && pair->change != TT_CHANGE_GONE;
    }
  return n > 1;
}

static gboolean
print_answer (const TtCompareAnswer *answer, const Options *options, GError **error)
{
  TtReportView view = options->view;
  g_auto (TtFacts) facts = { 0 };

  view.has_counts = answer->is_ticks;
  g_autoptr (TtReport) operations = tt_compare_operations (answer, &view, options->sort, error);
  if (operations == NULL)
    return FALSE;
  g_autoptr (TtReport) categories =
      is_shown (options, TT_COMPARED_CATEGORIES) ? tt_compare_summary (answer, TT_COMPARED_CATEGORIES, &view) : NULL;
  g_autoptr (TtReport) ranks =
      is_shown (options, TT_COMPARED_RANKS) ? tt_compare_summary (answer, TT_COMPARED_RANKS, &view) : NULL;
  const TtTable tables[] = {
    [TT_COMPARED_OPERATIONS] = { "operations", operations },
    [TT_COMPARED_CATEGORIES] = { "categories", categories },
    [TT_COMPARED_RANKS] = { "ranks", ranks, .is_optional = !has_common_ranks (answer) },
  };
  const TtTableSet set = { tables, G_N_ELEMENTS (tables), options->show, TT_COMPARED_OPERATIONS };
  g_autofree char *heading = tt_compare_describe (answer);

  tt_facts_init (&facts);
  tt_compare_facts (answer, &facts);
  tt_report_heading (tables[options->show == TT_SHOW_ALL ? 0 : options->show].report, heading);
  return tt_table_set_show (&set, &facts, &view, error);
}

/* By all ranks, if there are several. FALSE: @error, or, on another than rank 0, nothing more is asked. */
static gboolean
add_runs (TtCompareAnswer *answer,
          const TtContext *context,
          char **texts,
          const Options *options,
          Others *others,
          GError **error)
{
  GError *own = NULL;
  gboolean done = TRUE;

  for (char **text = texts; *text != NULL && done; text++)
    done = add_run (answer, context, *text, options, others, &own);
  if (others->is_called)
    return tt_crew_end (&others->crew, done, own, error);
  if (own != NULL)
    g_propagate_error (error, own);
  return done;
}

static int
answer_question (const TtContext *context, char **texts, const Options *options, GError **error)
{
  Others others = { 0 };
  const TtComparisonRequest request = {
    .keys = options->keys,
    .per_rank = options->per != NULL,
    .n_runs = g_strv_length (texts),
    .mapping = options->mapping,
    .crew = tt_run_has_crew (&others.crew) ? &others.crew : NULL,
  };
  g_autoptr (TtComparison) comparison = tt_comparison_new (&request);
  TtCompareAnswer answer = {
    .comparison = comparison,
    .runs = (const char *const *) texts,
    .keys = options->keys,
    .per_rank = options->per != NULL,
    .is_part = options->shared.filters != NULL || options->shared.time_window != NULL,
  };

  others.is_there = request.crew != NULL;
  const gboolean is_helper = others.is_there && others.crew.rank > 0;
  if (!add_runs (&answer, context, texts, options, &others, error))
    return is_helper && error != NULL && *error == NULL ? 0 : -1;
  if (is_helper)
    return 0;

  tt_comparison_pairs (comparison, TT_COMPARED_OPERATIONS);
  guint n_lone = tt_comparison_n_lone_ranks (comparison);
  if (options->per != NULL && n_lone > 0)
    tt_message ("%u rank%s left out: not all runs have %s", n_lone, n_lone == 1 ? "" : "s",
                n_lone == 1 ? "it" : "them");
  if (!print_answer (&answer, options, error))
    return -1;
  return options->fail_above == NULL ? 0 : judge (&answer, options, error);
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  g_autofree char *words = tt_compare_sort_words ();
  g_autofree char *sort_help = g_strdup_printf ("Sort by the change in %s (default: self)", words);
  int status;
  const GOptionEntry own[] = {
    { "by", 0, 0, G_OPTION_ARG_STRING, &options.by, "Operations are groups by these keys (default: name)",
      "KEY,KEY..." },
    { "per", 0, 0, G_OPTION_ARG_STRING, &options.per, "Print a row per operation and rank that all runs have", "rank" },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text, "Show only this table", "operations|categories|ranks" },
    { "sort", 0, 0, G_OPTION_ARG_STRING, &options.sort, sort_help, "COLUMN" },
    { "map", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.maps,
      "Call operations whose name fits OLD, with * and ?, NEW; repeat", "OLD=NEW" },
    { "map-file", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.map_files, "The same for each line of a file", "FILE" },
    { "ignore-template-arguments", 0, 0, G_OPTION_ARG_NONE, &options.ignores_template_arguments,
      "Names are the same that differ between < and > only", NULL },
    { "fail-above", 0, 0, G_OPTION_ARG_STRING, &options.fail_above,
      "Exit with status 1 if an operation or the run got slower by more", "PERCENT" },
    { "min-share", 0, 0, G_OPTION_ARG_STRING, &options.min_share,
      "Operations with less of the first run's time do not fail (default: 1%)", "PERCENT" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_compare, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error) || !check_operands (context, argv + 1, error))
    return -1;
  /* Wrong filters are reported before a trace is read. */
  g_autoptr (TtSelection) trial = make_selection (&options, error);
  return trial == NULL ? -1 : answer_question (context, argv + 1, &options, error);
}

/* -- completion ------------------------------------------------------------------------------------------------- */

static char **
list_columns (const TtValuesQuestion *question)
{
  g_autofree char *words = tt_compare_sort_words ();

  return g_strsplit (words, ", ", -1);
}

static const TtOptionValues values[] = {
  { "by", TT_VALUES_LIST, tt_group_key_words },
  { "per", TT_VALUES_ONE, per_words },
  { "show", TT_VALUES_ONE, show_words },
  { "sort", TT_VALUES_ONE, .list = list_columns },
  { NULL },
};

const TtCommand tt_command_compare = {
  .name = "compare",
  .summary = "Show what differs between runs: what got slower, new, gone, and how sure that is",
  .usage = "RUN RUN...",
  .details = "RUN: a trace (a file or a directory, read through a cache beside it), a database (its latest run),\n"
             "DATABASE:N, or N, which are run N of that database or of '--db'. A file named like a number is './2'.\n"
             "All runs are compared with the first, A.\n"
             "KEYs: name, op_long_name, op_cat, op_name, sub_op, rank, pid, tid, sm, step, file,\n"
             "native_group, path.\n"
             "\n"
             "Operations have one name in all runs. Change is what Self grew by, Self a span's duration without its\n"
             "direct children. Rows stand in the order of its size; what differs in nothing is left out of tables.\n"
             "Sig says whether the durations of single spans differ: Welch's two-sided t-test, yes where p < 0.01,\n"
             "'?' with one span on a side. Total counts nested spans of a group and thread once, Mean is that of all\n"
             "spans. The p and all columns are in csv and json.\n"
             "\n"
             "'--map OLD=NEW': the first rule that fits counts; '=' in a name is '?' in OLD. A '*' in NEW stands for\n"
             "what the only '*' of OLD fits. Operations with one new name are one.\n"
             "\n"
             "'--fail-above P' fails if the length of the run or the self time of all operations grew by more than P\n"
             "percent, or that of an operation with a share of '--min-share': unless Sig is no and its count did not\n"
             "grow by so much. What is new fails, and what is too rare to test. With filters lengths do not count.",
  .example = "tracetool compare before.json after.json\n"
             "tracetool compare --by op_cat --format csv before.json after.json\n"
             "tracetool compare --fail-above 5% tau-mpi4 tau-mpi4",
  .ignores_run = TRUE,
  .values = values,
  .run = run,
};
