/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen-tau: writes TAU traces of any size, the same bytes for the same options on every machine.
 */
#include "config.h"

#include "bench/tau-program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const layout_names[] = { "24le", "24be", "32le", "32be" };

static gboolean
parse_layout (const char *text, TauLayout *layout)
{
  for (guint i = 0; i < G_N_ELEMENTS (layout_names); i++)
    if (strcmp (text, layout_names[i]) == 0)
      {
        *layout = (TauLayout) i;
        return TRUE;
      }
  return FALSE;
}

static void
write_expected (const char *path, const TauProgramOptions *options, guint64 n_records, const TauExpected *expected)
{
  FILE *file = fopen (path, "w");

  if (file == NULL)
    {
      g_printerr ("gen-tau: cannot write '%s'\n", path);
      exit (1);
    }
  const struct
  {
    const char *key;
    guint64 value;
  } lines[] = {
    { "records", n_records },
    { "processes", options->n_nodes },
    { "threads", (guint64) options->n_nodes * options->n_threads },
    { "enters", expected->enters },
    { "leaves", expected->leaves },
    { "spans", expected->enters },
    { "open", expected->open },
    { "flushes", expected->flushes },
    { "sends", expected->sends },
    { "receives", expected->receives },
    { "collective_calls", expected->collective_calls },
    { "triggers", expected->triggers },
    { "metric_values", expected->metric_values },
    { "metadata", expected->metadata },
    { "first_us", expected->first_us },
    { "last_us", expected->last_us },
  };
  fprintf (file, "{\n");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    fprintf (file, "  \"%s\": %" G_GUINT64_FORMAT "%s\n", lines[i].key, lines[i].value,
             i + 1 < G_N_ELEMENTS (lines) ? "," : "");
  fprintf (file, "}\n");
  fclose (file);
}

/* Bytes that are no trace at all. */
static int
write_noise (const char *path, guint64 n, guint64 seed)
{
  FILE *file = fopen (path, "wb");
  guint64 x = seed * 2 + 1;

  if (file == NULL)
    {
      g_printerr ("gen-tau: cannot write '%s'\n", path);
      return 1;
    }
  for (guint64 i = 0; i < n; i++)
    {
      x = x * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
      fputc ((int) (x >> 56), file);
    }
  return fclose (file) == 0 ? 0 : 1;
}

static const char *
check_options (const TauProgramOptions *options,
               const TauWriterOptions *writer,
               gboolean is_per_rank,
               gboolean expect,
               int argc)
{
  if (argc != 2)
    return "one output is wanted: a directory, or with --merged a prefix";
  if (writer->is_merged && is_per_rank)
    return "--merged and --per-rank exclude each other";
  if (options->n_nodes < 1 || options->n_nodes > 65535)
    return "--nodes must be 1..65535";
  if (options->n_threads < 1 || options->n_threads > 1024)
    return "--threads must be 1..1024";
  if (options->n_metrics > 4)
    return "--metrics must be 0..4";
  if (options->n_names < 1)
    return "--distinct-names must be at least 1";
  if (options->depth < 1 || options->depth > 1000)
    return "--depth must be 1..1000";
  if (writer->skip_thread0 && (writer->is_merged || options->n_threads < 2))
    return "--skip-thread0 needs per-rank files and more than one thread";
  if (writer->skip_thread0 && expect)
    return "--expect counts all threads: not with --skip-thread0";
  return NULL;
}

int
main (int argc, char **argv)
{
  int nodes = 4, threads = 1, names = 12, depth = 4, metrics = 0, flush = 0, late = -1;
  gint64 records = 10000, seed = 1, noise = 0, start = G_GINT64_CONSTANT (1700000000000000);
  gboolean is_per_rank = FALSE;
  g_autofree char *layout = NULL, *expect = NULL;
  TauProgramOptions options = { 0 };
  TauWriterOptions out = { 0 };
  GOptionEntry entries[] = {
    { "records", 0, 0, G_OPTION_ARG_INT64, &records, "Number of records, about", "N" },
    { "nodes", 0, 0, G_OPTION_ARG_INT, &nodes, "Ranks", "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &threads, "Threads of each rank", "N" },
    { "layout", 0, 0, G_OPTION_ARG_STRING, &layout, "24le (default), 24be, 32le or 32be", "LAYOUT" },
    { "merged", 0, 0, G_OPTION_ARG_NONE, &out.is_merged, "Write PREFIX.trc and PREFIX.edf", NULL },
    { "per-rank", 0, 0, G_OPTION_ARG_NONE, &is_per_rank, "Write a directory of files by rank (default)", NULL },
    { "messages", 0, 0, G_OPTION_ARG_NONE, &options.messages, "With messages between neighbours", NULL },
    { "collectives", 0, 0, G_OPTION_ARG_NONE, &options.collectives, "With collectives in the steps", NULL },
    { "user-events", 0, 0, G_OPTION_ARG_NONE, &options.user_events, "With user events", NULL },
    { "callpaths", 0, 0, G_OPTION_ARG_NONE, &options.callpaths, "Functions are named by their callpath", NULL },
    { "metrics", 0, 0, G_OPTION_ARG_INT, &metrics, "Hardware counters of each span, up to 4", "N" },
    { "distinct-names", 0, 0, G_OPTION_ARG_INT, &names, "Functions", "N" },
    { "depth", 0, 0, G_OPTION_ARG_INT, &depth, "Nesting of functions in a step", "N" },
    { "flush", 0, 0, G_OPTION_ARG_INT, &flush, "Flush after so many records; 0 never", "N" },
    { "late-rank", 0, 0, G_OPTION_ARG_INT, &late, "A rank that works three times as long", "RANK" },
    { "skew", 0, 0, G_OPTION_ARG_INT64, &out.skew_us, "Clocks of ranks are wrong by up to so much", "US" },
    { "drift", 0, 0, G_OPTION_ARG_INT64, &out.drift_ppm, "And drift by up to so much", "PPM" },
    { "skip-thread0", 0, 0, G_OPTION_ARG_NONE, &out.skip_thread0, "No files for the first threads", NULL },
    { "no-close", 0, 0, G_OPTION_ARG_NONE, &options.no_close, "End as a killed program does", NULL },
    { "start", 0, 0, G_OPTION_ARG_INT64, &start, "Time of the first record in microseconds", "US" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &seed, "Of the random numbers", "N" },
    { "noise", 0, 0, G_OPTION_ARG_INT64, &noise, "Write N random bytes to the output, nothing else", "N" },
    { "expect", 0, 0, G_OPTION_ARG_FILENAME, &expect, "Write what the trace holds, as JSON", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new ("DIRECTORY|PREFIX");

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("gen-tau: %s\n", error->message);
      return 2;
    }
  if (noise > 0 && argc == 2)
    return write_noise (argv[1], (guint64) noise, (guint64) seed);
  options.n_records = (guint64) MAX (records, 0);
  options.seed = (guint64) seed;
  options.start_us = out.start_us = (guint64) start;
  options.n_nodes = out.n_nodes = (guint) MAX (nodes, 0);
  options.n_threads = out.n_threads = (guint) MAX (threads, 0);
  options.n_names = (guint) MAX (names, 0);
  options.depth = (guint) MAX (depth, 0);
  options.n_metrics = (guint) MAX (metrics, 0);
  options.flush = (guint) MAX (flush, 0);
  options.late_rank = late;
  out.n_functions = tau_program_n_made_up_names (&options);
  out.out = argc == 2 ? argv[1] : NULL;
  const char *wrong = check_options (&options, &out, is_per_rank, expect != NULL, argc);
  if (wrong == NULL && layout != NULL && !parse_layout (layout, &out.layout))
    wrong = "--layout must be 24le, 24be, 32le or 32be";
  if (wrong != NULL)
    {
      g_printerr ("gen-tau: %s\n", wrong);
      return 2;
    }

  TauExpected expected = { 0 };
  TauWriter *writer = tau_writer_new (&out);
  tau_program_run (&options, writer, &expected);
  guint64 n_records = tau_writer_n_records (writer);
  tau_writer_close (writer);
  if (expect != NULL)
    write_expected (expect, &options, n_records, &expected);
  return 0;
}
