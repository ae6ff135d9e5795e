/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/cli/tables/info-names.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/info.h"
#include "src/base/output.h"
#include "src/cli/run-facts.h"
#include "src/cli/session.h"
#include "src/store/gaps.h"
#include "src/store/schema.h"

#include <stdio.h>

#define MAX_SOURCES 20
#define MAX_VALUES 4

/* -- text ---------------------------------------------------------------------------------------- */

static void
print_runs (TtStore *store)
{
  guint n;
  const TtRun *runs = tt_store_runs (store, &n);

  printf ("database   %s\n", tt_store_path (store));
  for (guint i = 0; i < n; i++)
    printf ("run %-6u %s  %s\n", runs[i].id, runs[i].imported_at, runs[i].command);
}

static void
print_source (const TtSource *source)
{
  char bytes[TT_TIME_TEXT], events[TT_TIME_TEXT];
  TtRepairs repairs;

  printf ("source     %s: %s, %s, clock %s, %s events\n", source->path, source->format,
          tt_bytes_auto (bytes, source->bytes), source->clock, tt_count_text (events, source->n_events));
  tt_repairs_from_json (&repairs, source->repairs);
  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    if (repairs.count[kind] > 0)
      {
        g_autofree char *text = tt_repair_describe (&repairs, kind, NULL);
        printf ("  repair   %s\n", text);
      }
}

/* Sources with repairs always, others up to a number. */
static void
print_sources (TtStore *store)
{
  guint n, n_shown = 0, n_left_out = 0;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (sources[i].repairs == NULL && n_shown >= MAX_SOURCES)
      n_left_out++;
    else
      {
        print_source (&sources[i]);
        n_shown++;
      }
  if (n_left_out > 0)
    printf ("source     and %u more without repairs; --format json lists all\n", n_left_out);
}

static void
print_time (TtStore *store, const TtRunFacts *facts)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);
  g_autofree char *length = tt_length_text (store, facts->last_ns - facts->first_ns);

  if (!facts->has_time)
    {
      printf ("time       no events\n");
      return;
    }
  printf ("time       %s, from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " %s", length, facts->first_ns,
          facts->last_ns, tt_store_is_ticks (store) ? "ticks" : "ns");
  if (n > 0 && g_strcmp0 (sources[0].clock, tt_clock_text (TT_CLOCK_EPOCH)) == 0)
    {
      g_autoptr (GDateTime) begin = g_date_time_new_from_unix_utc (facts->first_ns / G_GINT64_CONSTANT (1000000000));
      g_autofree char *text = begin == NULL ? NULL : g_date_time_format (begin, "%Y-%m-%d %H:%M:%S UTC");
      printf (" (begins %s)", text == NULL ? "?" : text);
    }
  putchar ('\n');
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
print_processes (TtStore *store, const TtRunFacts *facts)
{
  guint n, n_ranks = 0;
  const TtProcess *processes = tt_store_processes (store, &n);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      n_ranks += processes[i].rank >= 0;
      g_ptr_array_add (sorted, (gpointer) &processes[i]);
    }
  g_ptr_array_sort (sorted, compare_processes);
  printf ("processes  %u, of these %u with a rank; %u %s\n", n, n_ranks, facts->n_threads,
          facts->n_threads == 1 ? "thread" : "threads");
  for (guint i = 0; i < n && i < MAX_SOURCES; i++)
    {
      const TtProcess *process = g_ptr_array_index (sorted, i);

      printf ("%s%s", i == 0 ? "           " : ", ", process->pid);
      if (process->label != NULL)
        printf (" (%s)", process->label);
    }
  if (n > MAX_SOURCES)
    printf (" and %u more", n - MAX_SOURCES);
  if (n > 0)
    putchar ('\n');
}

static void
print_counts (const TtRunFacts *facts)
{
  char a[TT_TIME_TEXT], b[TT_TIME_TEXT], c[TT_TIME_TEXT];

  printf ("events     %s spans, %s instants\n", tt_count_text (a, facts->n_spans),
          tt_count_text (b, facts->n_instants));
  printf ("messages   %s, %s matched, %s\n", tt_count_text (a, facts->n_messages), tt_count_text (b, facts->n_matched),
          tt_bytes_auto (c, facts->message_bytes));
  printf ("           %s calls of collective functions\n", tt_count_text (a, facts->n_collectives));
  if (facts->n_flows > 0)
    printf ("flows      %s\n", tt_count_text (a, facts->n_flows));
  if (facts->n_args > 0)
    printf ("arguments  of %s events\n", tt_count_text (a, facts->n_args));
  if (facts->n_parameters > 0)
    printf ("parameters %s\n", tt_count_text (a, facts->n_parameters));
}

static void
print_series (const GArray *counts)
{
  for (guint i = 0; i < counts->len; i++)
    {
      const TtSeriesCount *count = &g_array_index (counts, TtSeriesCount, i);
      char text[TT_TIME_TEXT];
      const char *unit = count->series->unit;

      printf ("%-10s %s%s%s%s: ", count->series->is_monotonic ? "metric" : "counter", count->series->name,
              unit != NULL ? " [" : "", unit != NULL ? unit : "", unit != NULL ? "]" : "");
      if (count->n_metrics > 0 || count->n_values == 0)
        printf ("%s spans%s", tt_count_text (text, count->n_metrics), count->n_values > 0 ? ", " : "");
      if (count->n_values > 0)
        printf ("%s values", tt_count_text (text, count->n_values));
      putchar ('\n');
    }
}

/* One line where all owners of a key agree, else a line a value. */
static void
print_metadata (TtStore *store, const GArray *rows)
{
  for (guint from = 0; from < rows->len;)
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
          if (++n_values > MAX_VALUES)
            continue;
          printf ("metadata   %s: %s", row->key, row->value == NULL ? "" : row->value);
          g_autofree char *owners = is_first && to == key_end ? NULL : tt_metadata_owners (store, rows, from, to);
          printf (owners == NULL ? "\n" : "  (%s)\n", owners);
        }
      if (n_values > MAX_VALUES)
        printf ("metadata   and %u more values of %s; --format json lists all\n", n_values - MAX_VALUES,
                g_array_index (rows, TtMetadataRow, key_end - 1).key);
    }
}

/* What is not there because of who imported it. */
static gboolean
print_gaps (TtStore *store, GError **error)
{
  gint64 old_version;
  guint n_older, n, oldest;

  if (tt_store_is_old (store, &old_version))
    printf ("schema     version %d, read as it is; the next command that writes makes it %d\n", (int) old_version,
            TT_SCHEMA_VERSION);
  if (!tt_store_count_older (store, &n_older, &oldest, error))
    return FALSE;
  if (n_older > 0)
    printf ("older      an older tracetool (schema version %u) imported %u %s;\n"
            "           import again to get what it did not keep\n",
            oldest, n_older, n_older == 1 ? "source" : "sources");
  for (int gap = 0; gap < TT_N_GAPS; gap++)
    {
      if (!tt_store_count_gap (store, (TtGap) gap, &n, error))
        return FALSE;
      if (n > 0)
        printf ("           not known of %u %s: %s\n", n, n == 1 ? "source" : "sources", tt_gap_text ((TtGap) gap));
    }
  return TRUE;
}

static gboolean
print_text (TtStore *store, const TtRunFacts *facts, GError **error)
{
  g_autoptr (GArray) counts = tt_count_series (store, error);
  g_autoptr (GArray) metadata = counts == NULL ? NULL : tt_read_metadata (store, error);

  if (metadata == NULL)
    return FALSE;
  print_runs (store);
  if (!print_gaps (store, error))
    return FALSE;
  print_sources (store);
  print_time (store, facts);
  print_processes (store, facts);
  print_counts (facts);
  print_series (counts);
  print_metadata (store, metadata);
  return TRUE;
}

/* -- JSON ---------------------------------------------------------------------------------------- */

static void
json_key (TtOutput *out, gboolean is_first, const char *key)
{
  tt_output_text (out, is_first ? "{" : ",");
  tt_output_json_string (out, key);
  tt_output_text (out, ":");
}

static void
json_text (TtOutput *out, gboolean is_first, const char *key, const char *value)
{
  json_key (out, is_first, key);
  if (value == NULL)
    tt_output_text (out, "null");
  else
    tt_output_json_string (out, value);
}

static void
json_number (TtOutput *out, gboolean is_first, const char *key, gint64 value)
{
  json_key (out, is_first, key);
  tt_output_int (out, value);
}

static void
json_definitions (TtOutput *out, TtStore *store)
{
  guint n;
  const TtRun *runs = tt_store_runs (store, &n);

  json_key (out, FALSE, "runs");
  for (guint i = 0; i < n; i++)
    {
      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_number (out, TRUE, "id", runs[i].id);
      json_text (out, FALSE, "command", runs[i].command);
      json_text (out, FALSE, "imported_at", runs[i].imported_at);
      tt_output_text (out, "}");
    }
  tt_output_text (out, n == 0 ? "[]" : "]");

  const TtSource *sources = tt_store_sources (store, &n);
  json_key (out, FALSE, "sources");
  for (guint i = 0; i < n; i++)
    {
      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_number (out, TRUE, "id", sources[i].id);
      json_number (out, FALSE, "run", sources[i].run);
      json_text (out, FALSE, "format", sources[i].format);
      json_text (out, FALSE, "path", sources[i].path);
      json_number (out, FALSE, "bytes", (gint64) sources[i].bytes);
      json_text (out, FALSE, "hash", sources[i].hash);
      json_text (out, FALSE, "clock", sources[i].clock);
      json_number (out, FALSE, "n_events", (gint64) sources[i].n_events);
      json_key (out, FALSE, "repairs");
      tt_output_text (out, sources[i].repairs == NULL ? "{}" : sources[i].repairs);
      tt_output_text (out, "}");
    }
  tt_output_text (out, n == 0 ? "[]" : "]");

  const TtProcess *processes = tt_store_processes (store, &n);
  json_key (out, FALSE, "processes");
  for (guint i = 0; i < n; i++)
    {
      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_text (out, TRUE, "pid", processes[i].pid);
      json_text (out, FALSE, "label", processes[i].label);
      json_text (out, FALSE, "node", processes[i].node);
      json_key (out, FALSE, "rank");
      if (processes[i].rank >= 0)
        tt_output_int (out, processes[i].rank);
      else
        tt_output_text (out, "null");
      tt_output_text (out, "}");
    }
  tt_output_text (out, n == 0 ? "[]" : "]");
}

static gboolean
json_gaps (TtOutput *out, TtStore *store, GError **error)
{
  gint64 version;
  guint n_older, oldest, n_gaps = 0;

  tt_store_is_old (store, &version);
  if (!tt_store_count_older (store, &n_older, &oldest, error))
    return FALSE;
  json_number (out, FALSE, "schema", version);
  json_number (out, FALSE, "n_older_sources", n_older);
  json_key (out, FALSE, "not_known");
  for (int gap = 0; gap < TT_N_GAPS; gap++)
    {
      guint n;

      if (!tt_store_count_gap (store, (TtGap) gap, &n, error))
        return FALSE;
      if (n == 0)
        continue;
      tt_output_text (out, n_gaps++ == 0 ? "[\n" : ",\n");
      json_text (out, TRUE, "what", tt_gap_text ((TtGap) gap));
      json_number (out, FALSE, "n_sources", n);
      tt_output_text (out, "}");
    }
  tt_output_text (out, n_gaps == 0 ? "[]" : "]");
  return TRUE;
}

static void
json_series (TtOutput *out, const GArray *counts)
{
  json_key (out, FALSE, "series");
  for (guint i = 0; i < counts->len; i++)
    {
      const TtSeriesCount *count = &g_array_index (counts, TtSeriesCount, i);

      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_text (out, TRUE, "name", count->series->name);
      json_text (out, FALSE, "unit", count->series->unit);
      json_key (out, FALSE, "monotonic");
      tt_output_text (out, count->series->is_monotonic ? "true" : "false");
      json_number (out, FALSE, "values", (gint64) count->n_values);
      json_number (out, FALSE, "spans", (gint64) count->n_metrics);
      tt_output_text (out, "}");
    }
  tt_output_text (out, counts->len == 0 ? "[]" : "]");
}

static void
json_metadata (TtOutput *out, TtStore *store, const GArray *rows)
{
  json_key (out, FALSE, "metadata");
  for (guint i = 0; i < rows->len; i++)
    {
      const TtMetadataRow *row = &g_array_index (rows, TtMetadataRow, i);
      const TtProcess *process = tt_store_process (store, row->process);
      const TtThread *thread = row->thread == TT_NO_ID ? NULL : tt_store_thread (store, row->thread);

      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_text (out, TRUE, "pid", process == NULL ? NULL : process->pid);
      json_text (out, FALSE, "tid", thread == NULL ? NULL : thread->tid);
      json_text (out, FALSE, "key", row->key);
      json_text (out, FALSE, "value", row->value);
      tt_output_text (out, "}");
    }
  tt_output_text (out, rows->len == 0 ? "[]" : "]");
}

static gboolean
print_json (TtStore *store, const TtRunFacts *facts, GError **error)
{
  g_autoptr (GArray) counts = tt_count_series (store, error);
  g_autoptr (GArray) metadata = counts == NULL ? NULL : tt_read_metadata (store, error);
  g_autoptr (TtOutput) out = metadata == NULL ? NULL : tt_output_open ("-", error);
  const struct
  {
    const char *key;
    gint64 value;
  } numbers[] = {
    { "n_processes", facts->n_processes },
    { "n_threads", facts->n_threads },
    { "n_spans", (gint64) facts->n_spans },
    { "n_instants", (gint64) facts->n_instants },
    { "n_counters", (gint64) facts->n_counters },
    { "n_metrics", (gint64) facts->n_metrics },
    { "n_messages", (gint64) facts->n_messages },
    { "n_matched", (gint64) facts->n_matched },
    { "message_bytes", (gint64) facts->message_bytes },
    { "n_collectives", (gint64) facts->n_collectives },
    { "n_flows", (gint64) facts->n_flows },
    { "n_args", (gint64) facts->n_args },
    { "n_parameters", (gint64) facts->n_parameters },
  };

  if (out == NULL)
    return FALSE;
  json_text (out, TRUE, "database", tt_store_path (store));
  if (facts->has_time)
    {
      json_number (out, FALSE, "first_ns", facts->first_ns);
      json_number (out, FALSE, "last_ns", facts->last_ns);
    }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    json_number (out, FALSE, numbers[i].key, numbers[i].value);
  json_definitions (out, store);
  if (!json_gaps (out, store, error))
    return FALSE;
  json_series (out, counts);
  json_metadata (out, store, metadata);
  tt_output_text (out, "}\n");
  return tt_output_close (out, error);
}

/* -- the command --------------------------------------------------------------------------------- */

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  gboolean names = FALSE;
  g_autofree char *format_text = NULL, *rules = NULL;
  TtReportView view = { .unit = TT_UNIT_US };
  TtRunFacts facts;
  int status;
  const GOptionEntry entries[] = {
    { "names", 0, 0, G_OPTION_ARG_NONE, &names, "List all standard names and the rule that made each", NULL },
    { "name-rules", 0, 0, G_OPTION_ARG_FILENAME, &rules, "With --names: rules to try first, as in the import", "FILE" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format_text,
      "Output format: table (default) or json; with --names also csv, tsv, markdown", "FORMAT" },
    { "wide", 0, 0, G_OPTION_ARG_NONE, &view.is_wide, "Do not cut names to the terminal's width", NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_info, entries, &argc, &argv, &status, error))
    return status;
  if (format_text != NULL && !tt_report_format_parse (format_text, &view.format, error))
    return -1;
  if (!names && view.format != TT_FORMAT_TABLE && view.format != TT_FORMAT_JSON)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--format %s' goes with '--names' only", format_text);
      return -1;
    }
  g_autoptr (TtStore) store = tt_command_open_store (context, argv + 1, error);
  if (store == NULL)
    return -1;

  if (names)
    {
      g_autoptr (TtReport) report = tt_info_names (store, rules, &view, error);
      if (report == NULL)
        return -1;
      return tt_report_show (report, &view, error) ? 0 : -1;
    }
  if (!tt_run_facts_gather (&facts, store, error))
    return -1;
  gboolean is_ok =
      view.format == TT_FORMAT_JSON ? print_json (store, &facts, error) : print_text (store, &facts, error);
  return is_ok ? 0 : -1;
}

const TtCommand tt_command_info = {
  .name = "info",
  .summary = "Show what the database holds and what was repaired",
  .usage = "[TRACE...]",
  .details = "Runs and their sources with format, clock and repairs, the time they cover, processes, numbers of\n"
             "events, messages and counter values, metrics, and metadata (one line where all processes agree).\n"
             "'--names' lists every standard name with its source and the rule that made it: a positive number is a\n"
             "group of data/name-rules.ini, a negative one a group of the file of '--name-rules', 0 means no rule.",
  .example = "tracetool info run.trc run.edf\n"
             "tracetool info --names run.trc run.edf",
  .run = run,
};
