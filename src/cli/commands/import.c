/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/clock-facts.h"
#include "src/cli/command.h"

#include "formats/formats.h"
#include "src/base/paths.h"
#include "src/base/readers.h"
#include "src/base/report/cut.h"
#include "src/base/report/wrap.h"
#include "src/cli/import-options.h"
#include "src/cli/import-run.h"
#include "src/cli/import-shards.h"
#include "src/cli/options.h"
#include "src/cli/run-facts.h"
#include "src/cli/tables/info-trust.h"
#include "src/store/statistics.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define N_TOP 5
#define EXIT_LEFT_OUT 3
#define MAX_JOBS 256

/* -- the summary: six lines ---------------------------------------------------------------------- */

typedef struct
{
  char *name;
  tt_int128 self_ns;
} TopRow;

typedef struct
{
  TtStore *store;
  TopRow row[N_TOP];
  guint n;
  tt_int128 self_ns; /* of all rows */
  char **ticks_pids;
  GHashTable *ticks_names; /* of processes in ticks: their values go with no others */
} TopList;

static void
top_list_clear (TopList *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->row[i].name);
  g_strfreev (self->ticks_pids);
  g_clear_pointer (&self->ticks_names, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TopList, top_list_clear)

static gboolean
note_ticks (const TtStatistic *row, gpointer data)
{
  TopList *list = data;
  const TtProcess *process = tt_store_process (list->store, row->process);

  if (process != NULL && g_strv_contains ((const char *const *) list->ticks_pids, process->pid))
    g_hash_table_add (list->ticks_names, GUINT_TO_POINTER (row->name));
  return TRUE;
}

/* There may be millions of rows: a name is asked for only where it decides. */
static gboolean
add_top (const TtStatistic *row, gpointer data)
{
  TopList *list = data;

  if (g_hash_table_contains (list->ticks_names, GUINT_TO_POINTER (row->name)))
    return TRUE;
  list->self_ns += row->self_ns;
  if (list->n == N_TOP && row->self_ns < list->row[N_TOP - 1].self_ns)
    return TRUE;

  const TtStoredName *stored = tt_store_peek_name (list->store, row->name);
  const char *name = stored == NULL || stored->text == NULL ? "?" : stored->text;
  guint i = list->n;
  while (i > 0)
    {
      const TopRow *before = &list->row[i - 1];
      if (before->self_ns > row->self_ns || (before->self_ns == row->self_ns && strcmp (before->name, name) <= 0))
        break;
      i--;
    }
  if (i == N_TOP)
    return TRUE;
  if (list->n == N_TOP)
    g_free (list->row[--list->n].name);
  memmove (&list->row[i + 1], &list->row[i], (list->n - i) * sizeof (TopRow));
  list->row[i] = (TopRow){ .name = g_strdup (name), .self_ns = row->self_ns };
  list->n++;
  return TRUE;
}

/* The end of a long name goes where a terminal has no room for five of them. Free it. */
static char *
shorten_name (const char *name, guint room)
{
  if (!g_utf8_validate (name, -1, NULL) || g_utf8_strlen (name, -1) <= (glong) room)
    return g_strdup (name);
  g_autofree char *head = g_utf8_substring (name, 0, (glong) room - 2);
  return g_strconcat (head, "..", NULL);
}

/* The names in their order, NULL-ended; no two read the same. */
static char **
shorten_names (const TopList *list, guint width)
{
  guint room = width == 0 ? G_MAXINT : MAX (21 * N_TOP, width - MIN (width, 13)) / N_TOP - 9;
  g_autoptr (TtCuts) cuts = tt_cuts_new (room);
  char **names = g_new0 (char *, N_TOP + 1);
  gboolean is_alike = FALSE;

  for (guint i = 0; i < list->n; i++)
    {
      names[i] = shorten_name (list->row[i].name, room);
      for (guint k = 0; k < i; k++)
        is_alike |= g_str_equal (names[i], names[k]);
      tt_cuts_add (cuts, list->row[i].name);
    }
  tt_cuts_settle (cuts);
  for (guint i = 0; is_alike && i < list->n; i++)
    {
      g_free (names[i]);
      names[i] = g_strdup (tt_cuts_get (cuts, list->row[i].name));
    }
  return names;
}

static gboolean
print_top (TtStore *store, GError **error)
{
  if (tt_store_has_clock (store, TT_CLOCK_TICKS) && !tt_store_complete (store, error))
    return FALSE;

  g_auto (TopList) list = { .store = store, .ticks_pids = tt_store_ticks_pids (store, error) };

  list.ticks_names = g_hash_table_new (NULL, NULL);
  if (list.ticks_pids == NULL ||
      (list.ticks_pids[0] != NULL &&
       !tt_store_each_statistic (store, TT_STATISTIC_BY_LONG_NAME, note_ticks, &list, error)))
    return FALSE;
  if (!tt_store_each_statistic (store, TT_STATISTIC_BY_NAME, add_top, &list, error))
    return FALSE;

  g_auto (GStrv) names = shorten_names (&list, tt_terminal_width ());
  tt_print ("  self time  ");
  for (guint i = 0; i < list.n; i++)
    {
      const TopRow *row = &list.row[i];
      double share = list.self_ns == 0 ? 0.0 : 100.0 * (double) row->self_ns / (double) list.self_ns;
      tt_print ("%s%s %.1f %%", i > 0 ? ", " : "", names[i], share);
    }
  tt_print ("%s\n", list.n == 0 ? "no spans" : "");
  return TRUE;
}

static void
print_repairs (TtStore *store)
{
  guint n, n_with = 0;
  const TtSource *sources = tt_store_sources (store, &n);
  const char *path = NULL;
  TtRepairs all = { 0 };

  for (guint i = 0; i < n; i++)
    {
      TtRepairs repairs;
      tt_repairs_from_json (&repairs, sources[i].repairs);
      if (tt_repairs_total (&repairs) == 0)
        continue;
      if (n_with++ == 0)
        path = sources[i].path;
      tt_repairs_merge (&all, &repairs);
    }

  /* With several files the offset is that of the first file of each kind: 'info' names them all. */
  g_autofree char *text = tt_repairs_describe (&all, n_with == 1 && n > 1 ? path : NULL);
  if (n_with > 1)
    tt_print ("  repairs    %s; in %u of %u files, 'tracetool info' says which\n", text, n_with, n);
  else
    tt_print ("  repairs    %s\n", text);
}

/* Of the run's sources: records that could not be read, between others that were. */
static guint64
count_passed_over (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);
  guint64 n_records = 0;

  for (guint i = 0; i < n; i++)
    {
      TtRepairs repairs;

      tt_repairs_from_json (&repairs, sources[i].repairs);
      n_records += repairs.count[TT_REPAIR_JSON_DAMAGED];
    }
  return n_records;
}

static gboolean
print_trust (TtStore *store, GError **error)
{
  GError *failure = NULL;
  g_autofree char *line = tt_info_trust_line (store, &failure);

  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (line != NULL)
    tt_print ("  trust      %s:\n             'tracetool info --trust' says where\n", line);
  return TRUE;
}

/* A line each where one has no room for all: people copy them. */
static void
print_next (const char *db_path)
{
  static const char *const next[] = { "stats", "info", "depgraph -o graph.svg", "export --chrome -o trace.json", NULL };
  static const char title[] = "  next       ";
  g_autofree char *word = tt_shell_word (db_path);
  g_autofree char *db = g_str_equal (db_path, "trace.db") ? g_strdup ("") : g_strdup_printf (" --db %s", word);
  g_autoptr (GString) line = g_string_new (title);
  guint width = tt_prose_width (STDOUT_FILENO);

  for (guint i = 0; next[i] != NULL; i++)
    g_string_append_printf (line, "%stracetool%s %s", i == 0 ? "" : ", ", db, next[i]);
  if (width == 0 || tt_text_width (line->str) <= width)
    {
      tt_print ("%s\n", line->str);
      return;
    }
  for (guint i = 0; next[i] != NULL; i++)
    tt_print ("%stracetool%s %s\n", i == 0 ? title : "             ", db, next[i]);
}

static gboolean
print_summary (TtStore *store, const char *db_path, GError **error)
{
  TtRunFacts facts;
  guint n_runs, n_sources;
  char spans[TT_TIME_TEXT], instants[TT_TIME_TEXT], counters[TT_TIME_TEXT], messages[TT_TIME_TEXT];
  char matched[TT_TIME_TEXT], unmatched[TT_TIME_TEXT], bytes[TT_TIME_TEXT], flows[TT_TIME_TEXT];

  if (!tt_run_facts_gather (&facts, store, error))
    return FALSE;

  const TtRun *runs = tt_store_runs (store, &n_runs);
  tt_store_sources (store, &n_sources);
  g_autofree char *length = tt_length_text (store, facts.has_time ? facts.last_ns - facts.first_ns : 0);
  tt_print ("run %u in '%s': %s long, from %u %s (%s)\n", n_runs > 0 ? runs[0].id : 0, db_path, length, n_sources,
            n_sources == 1 ? "trace" : "traces", tt_bytes_auto (bytes, facts.n_source_bytes));
  g_autofree char *ranks = facts.n_ranks == facts.n_processes
                               ? g_strdup ("")
                               : g_strdup_printf (" of %u %s", facts.n_ranks, facts.n_ranks == 1 ? "rank" : "ranks");
  tt_print ("  processes  %u%s, with %u %s\n", facts.n_processes, ranks, facts.n_threads,
            facts.n_threads == 1 ? "thread" : "threads");
  tt_print ("  events     %s spans, %s instants, %s counter values, %s messages (%s matched, %s not)%s%s%s\n",
            tt_count_text (spans, facts.n_spans), tt_count_text (instants, facts.n_instants),
            tt_count_text (counters, facts.n_counters), tt_count_text (messages, facts.n_messages),
            tt_count_text (matched, facts.n_matched), tt_count_text (unmatched, facts.n_messages - facts.n_matched),
            facts.n_flows > 0 ? ", " : "", facts.n_flows > 0 ? tt_count_text (flows, facts.n_flows) : "",
            facts.n_flows == 0   ? ""
            : facts.n_flows == 1 ? " flow"
                                 : " flows");
  if (!print_top (store, error))
    return FALSE;
  print_repairs (store);
  if (!print_trust (store, error))
    return FALSE;
  print_next (db_path);
  return TRUE;
}

/* -- the command --------------------------------------------------------------------------------- */

static char *
command_line (char **argv)
{
  g_autofree char *words = tt_shell_words (argv);

  return g_strconcat ("tracetool ", words, NULL);
}

static char *
list_formats (void)
{
  GString *text = g_string_new ("Formats:\n");

  for (guint i = 0; tt_formats[i] != NULL; i++)
    g_string_append_printf (text, "%s  %-13s  %s", i > 0 ? "\n" : "", tt_formats[i]->name, tt_formats[i]->summary);
  return g_string_free (text, FALSE);
}

static gboolean
check_request (char **paths, int jobs, const char *scratch, const TtContext *context, GError **error)
{
  if (context->run != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--run' is for reading: import makes a new run, or adds to the latest with '--add'");
  else if (jobs < 0 || jobs > MAX_JOBS)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--jobs' is from 0 (one a processor) to %d", MAX_JOBS);
  else if (scratch != NULL && !tt_shard_folder_is (context->db_path))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--scratch' is for an import into a directory of shards: --db FOLDER.shards");
  else if (*paths == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "nothing to import: give trace files or folders");
  else
    return TRUE;
  return FALSE;
}

static int
tell_shards (const TtImportRequest *request, guint n_left_out)
{
  g_autofree char *word = tt_shell_word (request->db_path);

  if (!request->quiet)
    tt_print ("shards in '%s': the first command that reads them makes one database of them\n"
              "  next       tracetool --db %s stats\n",
              request->db_path, word);
  return n_left_out > 0 ? EXIT_LEFT_OUT : 0;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  gboolean add = FALSE, replace = FALSE, again = FALSE, resume = FALSE;
  int jobs = 1;
  g_autofree char *scratch = NULL;
  g_auto (TtImportSettings) settings = TT_IMPORT_SETTINGS_INIT;
  g_autofree char *line = command_line (argv);
  g_autofree char *formats = list_formats ();
  char count[TT_TIME_TEXT];
  int status;
  guint n_left_out = 0;
  const GOptionEntry own[] = {
    { "add", 0, 0, G_OPTION_ARG_NONE, &add, "Add the files to the latest run instead of making a new one", NULL },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &replace, "Read a file again that the run has already, and replace it",
      NULL },
    { "jobs", 0, 0, G_OPTION_ARG_INT, &jobs, "Processes that decode the inputs (default: 1; 0: one a processor)", "N" },
    { "scratch", 0, 0, G_OPTION_ARG_FILENAME, &scratch,
      "Where a shard of FOLDER.shards grows, a disk of the node, before it is moved there", "DIR" },
    { "resume", 0, 0, G_OPTION_ARG_NONE, &resume, "Go on with an import into FOLDER.shards that has not ended", NULL },
    { "again", 0, 0, G_OPTION_ARG_NONE, &again, "Read a file that another run of the database has already", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_import_entries (&settings);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);
  g_autofree char *details = g_strconcat (tt_command_import.details, "\n\n", formats, NULL);
  TtCommand self = tt_command_import;

  self.details = details;
  if (!tt_command_parse (&self, entries, &argc, &argv, &status, error))
    return status;

  if (!tt_import_settings_check (&settings, error) || !check_request (argv + 1, jobs, scratch, context, error))
    return -1;

  g_autofree char *words = tt_import_settings_words (&settings);
  TtConfigFilter *filter = settings.config.filter;
  const TtImportRequest request = { .db_path = context->db_path,
                                    .command_line = line,
                                    .add = add,
                                    .replace = replace,
                                    .again = again,
                                    .jobs = jobs > 0 ? (guint) jobs : MIN (tt_count_processors (), MAX_JOBS),
                                    .words = words,
                                    .scratch = scratch,
                                    .quiet = settings.quiet,
                                    .format = settings.format,
                                    .name_rules = settings.name_rules,
                                    .options = &settings.options,
                                    .n_left_out = &n_left_out,
                                    .filter = filter == NULL ? NULL : tt_config_filter_base (filter) };
  if (tt_shard_folder_is (context->db_path))
    return tt_import_shards (&request, argv + 1, resume, error) ? tell_shards (&request, n_left_out) : -1;
  if (!tt_import_paths (&request, argv + 1, error))
    return -1;
  if (!settings.quiet)
    tt_config_settings_tell (&settings.config);
  g_autoptr (TtStore) store = tt_store_open_ids (context->db_path, error);
  if (store == NULL || !tt_store_select_run (store, NULL, error) || !tt_doubts_tell (store, error) ||
      !tt_clock_facts_tell (store, error))
    return -1;
  if (!settings.quiet && !print_summary (store, context->db_path, error))
    return -1;
  if (n_left_out > 0)
    tt_warning ("%u of the traces %s not in the run; '--strict' imports all or nothing", n_left_out,
                n_left_out == 1 ? "is" : "are");
  guint64 n_passed_over = count_passed_over (store);
  if (n_passed_over > 0)
    tt_warning ("%s damaged %s could not be read, what is around %s was; '--strict' imports all or nothing",
                tt_count_text (count, n_passed_over), n_passed_over == 1 ? "record" : "records",
                n_passed_over == 1 ? "it" : "them");
  return n_left_out > 0 || n_passed_over > 0 ? EXIT_LEFT_OUT : 0;
}

const TtCommand tt_command_import = {
  .name = "import",
  .summary = "Read traces into a database",
  .usage = "PATH...",
  .details = "PATHs are files or folders; files that belong together (a .trc and its .edf, the per-rank files\n"
             "of a job) are found and read as one. .gz and .zst are read as they are, an archive (.tar, .tar.gz,\n"
             ".tar.zst) as the folder that it was made of; '-' is standard input.\n"
             "One import makes one run; '--add' adds more files to the latest run. If anything fails, or on Ctrl-C,\n"
             "the database stays as it was. Repairs of the input are counted. Of several traces those that cannot\n"
             "be read are left out, with a word, and the exit status is 3; '--strict' then imports nothing. So it is\n"
             "where records within a trace are damaged and passed over.\n"
             "A file (same size and content) that the run has already is refused unless '--replace' is given, one\n"
             "that another run has unless '--again' is, with whatever options that was imported.\n"
             "Step rules: a new step starts where I/O or FW follows anything else (seed), only where it follows\n"
             "UPDATE (strict), or only where the trace says so (none).\n"
             "Traces that lie too far apart in time to be of one run are imported, with a word of it: nothing for an\n"
             "hour (a minute between machines) and ten times as long as the longest of them.",
  .example = "tracetool import run.trc run.edf\n"
             "tracetool import --config pinsight.conf tau-mpi4",
  .ignores_run = TRUE,
  .values = tt_import_values,
  .run = run,
};
