/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/output.h"
#include "src/base/paths.h"
#include "src/base/report/cut.h"
#include "src/cli/commands/info.h"
#include "src/cli/import-shards.h"
#include "src/cli/options.h"
#include "src/cli/run-facts.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/info-check.h"
#include "src/cli/tables/info-names.h"
#include "src/cli/tables/info-runs.h"
#include "src/cli/tables/info-trust.h"
#include "src/cli/tables/info.h"
#include "src/store/gaps.h"
#include "src/store/schema.h"

#include <stdio.h>
#include <string.h>

#define MAX_VALUES 4
/* Of a value of metadata so many columns are shown, however narrow the terminal is. */
#define MIN_VALUE 20u

/* -- text ---------------------------------------------------------------------------------------- */

/* How many of @n a list shows. */
static guint
count_shown (guint n, const TtReportView *view)
{
  return view->top > 0 ? MIN (n, view->top) : n;
}

/* The line after such a list, which begins as those of its members do. */
static void
print_more (const char *before, guint n_more, const TtReportView *view)
{
  g_autofree char *more = tt_report_more (view, n_more, NULL);

  if (n_more > 0)
    tt_print ("%-10s %s\n", before, more);
}

/* The command of a run may name hundreds of files: on a terminal some lines of it. */
static void
print_run (const TtRun *run, const TtReportView *view)
{
  const guint max_lines = 3;
  g_autoptr (TtCuts) cuts = tt_cuts_new (view->width > 0 ? max_lines * view->width : G_MAXUINT);

  tt_print ("run %-6u %s  %s\n", run->id, run->imported_at, tt_cuts_get (cuts, run->command));
}

static gboolean
count_run (const TtRunSummary *run, gpointer data)
{
  ++*(guint *) data;
  return TRUE;
}

/* Several runs as a table, and then those that the rest is about. */
static gboolean
print_runs (TtStore *store, const TtReportView *view, GError **error)
{
  guint n, n_all = 0;
  const TtRun *runs = tt_store_runs (store, &n);

  tt_print ("database   %s\n", tt_store_shown (store));
  if (!tt_store_each_run (store, count_run, &n_all, error))
    return FALSE;
  if (n_all == 0)
    tt_print ("no runs yet: 'tracetool import FILE...' adds one\n");
  if (n_all > 1)
    {
      g_autoptr (TtReport) report = tt_info_runs (store, n_all, view, error);

      if (report == NULL)
        return FALSE;
      tt_print ("\n");
      tt_report_print (report, view->format, view->is_wide ? G_MAXUINT : 0);
      tt_print ("\n");
      if (!tt_report_check (report, error))
        return FALSE;
    }
  for (guint i = 0; i < count_shown (n, view); i++)
    print_run (&runs[i], view);
  print_more ("run", n - count_shown (n, view), view);
  return TRUE;
}

static void
print_source (const TtSource *source)
{
  char bytes[TT_TIME_TEXT], events[TT_TIME_TEXT];
  TtRepairs repairs;

  tt_print ("source     %s: %s, %s, clock %s, %s events\n", source->path, source->format,
            tt_bytes_auto (bytes, source->bytes), source->clock, tt_count_text (events, source->n_events));
  tt_repairs_from_json (&repairs, source->repairs);
  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    if (repairs.count[kind] > 0)
      {
        g_autofree char *text = tt_repair_describe (&repairs, kind, NULL);
        tt_print ("  repair   %s\n", text);
      }
}

/* Of so many that not all are shown, those with repairs first. */
static void
print_sources (TtStore *store, const TtReportView *view)
{
  guint n, n_shown = 0, n_left_out = 0, n_repaired = 0;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    n_repaired += sources[i].repairs != NULL;
  guint n_most = count_shown (n, view), n_most_repaired = MIN (n_repaired, n_most);
  guint n_most_others = n_most - n_most_repaired;
  for (guint i = 0; i < n; i++)
    {
      guint *left = sources[i].repairs != NULL ? &n_most_repaired : &n_most_others;

      if (*left > 0)
        {
          print_source (&sources[i]);
          --*left;
          n_shown++;
        }
      else if (sources[i].repairs != NULL)
        n_left_out++;
    }
  print_more ("source", n - n_shown, view);
  if (n_left_out > 0)
    tt_print ("           %u of these with repairs\n", n_left_out);
}

static void
print_time (TtStore *store, const TtRunFacts *facts)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);
  g_autofree char *length = tt_length_text (store, facts->last_ns - facts->first_ns);

  if (!facts->has_time)
    {
      tt_print ("time       no events\n");
      return;
    }
  tt_print ("time       %s", length);
  if (n > 0 && g_strcmp0 (sources[0].clock, tt_clock_text (TT_CLOCK_EPOCH)) == 0)
    {
      g_autoptr (GDateTime) begin = g_date_time_new_from_unix_utc (facts->first_ns / G_GINT64_CONSTANT (1000000000));
      g_autofree char *text = begin == NULL ? NULL : g_date_time_format (begin, "%Y-%m-%d %H:%M:%S UTC");
      tt_print (", begins %s", text == NULL ? "?" : text);
    }
  tt_print ("\n           from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " %s\n", facts->first_ns, facts->last_ns,
            tt_store_is_ticks (store) ? "ticks" : "ns");
}

static int
compare_processes (gconstpointer a, gconstpointer b)
{
  const TtProcess *process_a = *(const TtProcess *const *) a, *process_b = *(const TtProcess *const *) b;
  guint64 rank_a = (guint64) process_a->rank, rank_b = (guint64) process_b->rank;

  return rank_a != rank_b ? (rank_a > rank_b ? 1 : -1)
                          : (process_a->id > process_b->id) - (process_a->id < process_b->id);
}

/* By rank, those without one last. */
static void
print_processes (TtStore *store, const TtRunFacts *facts, const TtReportView *view)
{
  guint n, n_ranks = 0;
  glong column = 0;
  const TtProcess *processes = tt_store_processes (store, &n);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      n_ranks += processes[i].rank >= 0;
      g_ptr_array_add (sorted, (gpointer) &processes[i]);
    }
  g_ptr_array_sort (sorted, compare_processes);
  tt_print ("processes  %u, of these %u with a rank; %u %s\n", n, n_ranks, facts->n_threads,
            facts->n_threads == 1 ? "thread" : "threads");
  for (guint i = 0; i < count_shown (n, view); i++)
    {
      const TtProcess *process = g_ptr_array_index (sorted, i);

      g_autofree char *name =
          process->label == NULL ? g_strdup (process->pid) : g_strdup_printf ("%s (%s)", process->pid, process->label);
      glong width = g_utf8_strlen (name, -1);
      gboolean is_new_line = i == 0 || column + 3 + width > TT_INFO_COLUMNS;

      /* What is put into a format is shown in one line. */
      if (i > 0)
        tt_print (is_new_line ? ",\n" : ", ");
      tt_print ("%s%s", is_new_line ? "           " : "", name);
      column = is_new_line ? 11 + width : column + 2 + width;
    }
  if (n > 0)
    tt_print ("\n");
  print_more ("", n - count_shown (n, view), view);
}

static void
print_counts (const TtRunFacts *facts)
{
  char a[TT_TIME_TEXT], b[TT_TIME_TEXT], c[TT_TIME_TEXT];

  tt_print ("events     %s spans, %s instants\n", tt_count_text (a, facts->n_spans),
            tt_count_text (b, facts->n_instants));
  tt_print ("messages   %s, %s matched, %s\n", tt_count_text (a, facts->n_messages),
            tt_count_text (b, facts->n_matched), tt_bytes_auto (c, facts->message_bytes));
  tt_print ("           %s calls of collective functions\n", tt_count_text (a, facts->n_collectives));
  if (facts->n_flows > 0)
    tt_print ("flows      %s\n", tt_count_text (a, facts->n_flows));
  if (facts->n_args > 0)
    tt_print ("arguments  of %s events\n", tt_count_text (a, facts->n_args));
  if (facts->n_parameters > 0)
    tt_print ("parameters %s\n", tt_count_text (a, facts->n_parameters));
}

static void
print_series (const GArray *counts, const TtReportView *view)
{
  for (guint i = 0; i < count_shown (counts->len, view); i++)
    {
      const TtSeriesCount *count = &g_array_index (counts, TtSeriesCount, i);
      char text[TT_TIME_TEXT];
      const char *unit = count->series->unit;

      tt_print ("%-10s %s%s%s%s: ", count->series->is_monotonic ? "metric" : "counter", count->series->name,
                unit != NULL ? " [" : "", unit != NULL ? unit : "", unit != NULL ? "]" : "");
      if (count->n_metrics > 0 || count->n_values == 0)
        tt_print ("%s spans%s", tt_count_text (text, count->n_metrics), count->n_values > 0 ? ", " : "");
      if (count->n_values > 0)
        tt_print ("%s values", tt_count_text (text, count->n_values));
      tt_print ("\n");
    }
  print_more ("counter", counts->len - count_shown (counts->len, view), view);
}

/* On one line of a terminal, but for --top 0: some values are documents. */
static void
print_value (const TtMetadataRow *row, const char *owners, const TtReportView *view)
{
  const char *value = row->value == NULL ? "" : row->value;
  guint width = view->top == 0 ? 0 : tt_terminal_width ();
  gsize taken = strlen ("metadata   : ") + strlen (row->key) + (owners == NULL ? 0 : strlen (owners) + strlen ("  ()"));
  g_autoptr (TtCuts) cuts = tt_cuts_new (width > taken + MIN_VALUE ? width - (guint) taken : MIN_VALUE);

  if (width > 0)
    {
      tt_cuts_add (cuts, value);
      tt_cuts_settle (cuts);
      value = tt_cuts_get (cuts, value);
    }
  tt_print ("metadata   %s: %s", row->key, value);
  tt_print (owners == NULL ? "\n" : "  (%s)\n", owners);
}

/* One line where all owners of a key agree, else a line a value. */
static void
print_metadata (TtStore *store, const GArray *rows, const TtReportView *view)
{
  const guint max_values = view->top > 0 ? MAX_VALUES : G_MAXUINT;
  guint n_keys = 0;

  for (guint from = 0; from < rows->len; n_keys++)
    {
      const TtMetadataRow *first = &g_array_index (rows, TtMetadataRow, from);
      guint key_end = from, n_values = 0;

      while (key_end < rows->len && g_strcmp0 (g_array_index (rows, TtMetadataRow, key_end).key, first->key) == 0)
        key_end++;
      for (guint to; from < key_end; from = to)
        {
          const TtMetadataRow *row = &g_array_index (rows, TtMetadataRow, from);
          gboolean is_first = n_values == 0;

          for (to = from; to < key_end && g_strcmp0 (g_array_index (rows, TtMetadataRow, to).value, row->value) == 0;)
            to++;
          if (++n_values > max_values || (view->top > 0 && n_keys >= view->top))
            continue;
          g_autofree char *owners = is_first && to == key_end ? NULL : tt_metadata_owners (store, rows, from, to);
          print_value (row, owners, view);
        }
      if (n_values > max_values && (view->top == 0 || n_keys < view->top))
        tt_print ("metadata   and %u more values of %s; --top 0 shows all\n", n_values - max_values,
                  g_array_index (rows, TtMetadataRow, key_end - 1).key);
    }
  print_more ("metadata", n_keys - count_shown (n_keys, view), view);
}

/* What is not there because of who imported it. */
static gboolean
print_gaps (TtStore *store, GError **error)
{
  gint64 old_version;
  guint n_older, n, oldest;

  if (tt_store_is_old (store, &old_version))
    tt_print ("schema     version %d, read as it is; the next command that writes makes it %d\n", (int) old_version,
              TT_SCHEMA_VERSION);
  if (!tt_store_is_verified (store))
    tt_print ("checksums  not verified: an older tracetool made this file, or another program keeps a log for it;\n"
              "           damage may go unnoticed\n");
  if (!tt_store_count_older (store, &n_older, &oldest, error))
    return FALSE;
  if (n_older > 0)
    tt_print ("older      an older tracetool (schema version %u) imported %u %s;\n"
              "           'import --again' of the traces gets what it did not keep\n",
              oldest, n_older, n_older == 1 ? "source" : "sources");
  for (int gap = 0; gap < TT_N_GAPS; gap++)
    {
      if (!tt_store_count_gap (store, (TtGap) gap, &n, error))
        return FALSE;
      if (n > 0)
        tt_print ("           not known of %u %s: %s\n", n, n == 1 ? "source" : "sources", tt_gap_text ((TtGap) gap));
    }
  return TRUE;
}

static gboolean
print_apart (TtStore *store, GError **error)
{
  g_autofree char *text = NULL;

  if (!tt_apart_text (store, &text, error))
    return FALSE;
  if (text != NULL)
    tt_print ("apart      %s;\n           %s\n", text, tt_apart_advice);
  return TRUE;
}

static gboolean
print_few (TtStore *store, GError **error)
{
  g_autofree char *text = NULL;

  if (!tt_few_text (store, &text, error))
    return FALSE;
  if (text != NULL)
    tt_info_print_folded ("few", text);
  return TRUE;
}

static gboolean
print_clocks (TtStore *store, const TtReportView *view, GError **error)
{
  guint n_more = 0;

  if (!tt_info_print_clocks (store, view->top, &n_more, error))
    return FALSE;
  print_more ("", n_more, view);
  return TRUE;
}

static gboolean
print_text (TtStore *store, const TtRunFacts *facts, const TtReportView *view, GError **error)
{
  g_autoptr (GArray) counts = tt_count_series (store, error);
  g_autoptr (GArray) metadata = counts == NULL ? NULL : tt_read_metadata (store, error);

  if (metadata == NULL)
    return FALSE;
  if (!print_runs (store, view, error) || !print_gaps (store, error) || !print_apart (store, error) ||
      !print_few (store, error))
    return FALSE;
  if (tt_store_is_empty (store))
    return TRUE;
  print_sources (store, view);
  print_time (store, facts);
  print_processes (store, facts, view);
  if (!print_clocks (store, view, error))
    return FALSE;
  print_counts (facts);
  print_series (counts, view);
  print_metadata (store, metadata, view);
  return TRUE;
}

/* -- the whole database ------------------------------------------------------------------------------------ */

static int
check_database (const TtContext *context, char **paths, gboolean has_names, const TtReportView *view, GError **error)
{
  const char *path = paths[0] == NULL ? context->db_path : paths[0];

  if (!has_names &&
      (paths[0] == NULL || (paths[1] == NULL && (tt_path_is_database (path) || tt_import_shards_are (path)))))
    {
      g_autofree char *database = tt_command_database (path, error);
      return database != NULL && tt_info_check (database, path, view, error) ? 0 : -1;
    }
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               has_names ? "'--check' looks at all of a database, and does not go with '--names'"
                         : "'--check' looks at one database: 'tracetool info --check --db FILE'");
  return -1;
}

/* -- the command --------------------------------------------------------------------------------- */

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  gboolean names = FALSE, check = FALSE, trust = FALSE;
  g_autofree char *rules = NULL;
  g_auto (TtSharedOptions) shared = TT_SHARED_OPTIONS_INIT;
  TtReportView view;
  TtRunFacts facts;
  int status;
  const GOptionEntry entries[] = {
    { "check", 0, 0, G_OPTION_ARG_NONE, &check, "Look whether the database is whole, and at all that is in it", NULL },
    { "trust", 0, 0, G_OPTION_ARG_NONE, &trust,
      "Show of each source and rank how many records were seen, mended, skipped, bounded, inferred and lost", NULL },
    { "names", 0, 0, G_OPTION_ARG_NONE, &names, "List all standard names and the rule that made each", NULL },
    { "name-rules", 0, 0, G_OPTION_ARG_FILENAME, &rules, "With --names: rules to try first, as in the import", "FILE" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &shared.format_text,
      "Output format: table (default) or json; with --names, --check and --trust also csv, tsv, markdown", "FORMAT" },
    { "top", 0, 0, G_OPTION_ARG_INT, &shared.top, "Show at most N of each kind (default 30 in text and tables; 0: all)",
      "N" },
    TT_WIDE_ENTRY (&shared.wide),
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_info, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_shared_options_view (&shared, TT_DEFAULT_TOP, &view, error))
    return -1;
  if (check)
    return check_database (context, argv + 1, names || rules != NULL, &view, error);
  if (names && trust)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--names' and '--trust' are two tables: choose one");
      return -1;
    }
  if (!names && !trust && view.format != TT_FORMAT_TABLE && view.format != TT_FORMAT_JSON)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--format %s' goes with '--names', '--check' and '--trust' only",
                   shared.format_text);
      return -1;
    }
  g_autoptr (TtStore) store = tt_command_open_any_store (context, argv + 1, error);
  if (store == NULL)
    return -1;

  if (names || trust)
    {
      g_autoptr (TtReport) report =
          names ? tt_info_names (store, rules, &view, error) : tt_info_trust (store, &view, error);
      if (report == NULL)
        return -1;
      return tt_report_show (report, &view, error) ? 0 : -1;
    }
  if (!tt_run_facts_gather (&facts, store, error))
    return -1;
  gboolean is_ok = view.format == TT_FORMAT_JSON ? tt_info_print_json (store, &facts, error)
                                                 : print_text (store, &facts, &view, error);
  return is_ok ? 0 : -1;
}

static char **
list_formats (const TtValuesQuestion *question)
{
  static const char *const of_facts[] = { "table", "json", NULL };

  gboolean is_table = tt_values_question_has (question, "--names") || tt_values_question_has (question, "--check") ||
                      tt_values_question_has (question, "--trust");

  return g_strdupv ((char **) (is_table ? tt_report_format_words : of_facts));
}

static const TtOptionValues values[] = { { "format", TT_VALUES_ONE, .list = list_formats }, { NULL } };

const TtCommand tt_command_info = {
  .name = "info",
  .summary = "Show what the database holds and what was repaired",
  .usage = "[TRACE...]",
  .details =
      "A table of the runs where there are several, then the latest, or those of '--run', in detail:\n"
      "sources with format, clock and repairs, the time they cover, processes, numbers of events, messages and\n"
      "counter values, metrics, and metadata (one line where all processes agree). What an older tracetool\n"
      "did not keep is said, too.\n"
      "Sources that lie too far apart to be of one run are told (see 'import').\n"
      "'--names' lists every standard name with its source and the rule that made it: a positive number is a\n"
      "group of data/name-rules.ini, a negative one a group of the file of '--name-rules', 0 means no rule.\n"
      "'--trust' shows a row for each source, rank and kind of record: how many were seen, and of them or besides\n"
      "mended (a value changed), skipped (in the file, not kept), bounded (a span whose end is not known),\n"
      "inferred (its begin or end taken from others), lost, and doubtful (as the source has it: one or two events\n"
      "that alone make the run ten times as long); of files, those that are cut, left out or hardly of the run. A\n"
      "rank that is not told: any of the source's.\n"
      "'--check' reads all runs whole: checksums of pages, the structure of the file, what rows refer to, which\n"
      "source they belong to, times and counts, and statistics, which are counted again. It takes about as long\n"
      "as the import and exits with 1 where something is wrong.",
  .example = "tracetool info run.trc run.edf\n"
             "tracetool info --names run.trc run.edf\n"
             "tracetool import run.trc run.edf && tracetool info --check",
  .values = values,
  .run = run,
};
