/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the calls of a PI trace as the reader gives them, one a line, for tests/oracles/pi.py to compare:
 * pi-calls [--salvage] [--threads] [--count] TRACE. --threads: thread by thread instead of merged.
 */
#include "config.h"

#include "formats/pi/trace.h"

#include <stdio.h>
#include <string.h>

static void
print_bytes (const guint8 *bytes, gsize len)
{
  for (gsize i = 0; i < len; i++)
    printf ("%02x", bytes[i]);
}

static void
print_call (const char *thread, const TtPiCall *call)
{
  printf ("%s\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%u\t%s\t%d\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT
          "\t%d\t%u\t",
          thread, call->record, call->offset, call->id, call->name, call->backend, call->start_ns, call->end_ns,
          call->result, call->flags);
  for (guint i = 0; i < call->n_args; i++)
    {
      const TtPiArg *arg = &call->args[i];
      printf ("%s", i > 0 ? "," : "");
      if (arg->text != NULL)
        {
          printf ("t");
          print_bytes ((const guint8 *) arg->text, arg->text_len);
        }
      else
        printf ("%" G_GUINT64_FORMAT, arg->value);
    }
  printf ("\t");
  for (guint i = 0; i < call->n_outputs; i++)
    {
      printf ("%s%" G_GUINT64_FORMAT ":", i > 0 ? "," : "", call->outputs[i].size);
      print_bytes (call->outputs[i].bytes, MIN (call->outputs[i].len, 64));
    }
  printf ("\t%s\n", call->memory_file != NULL ? call->memory_file : "");
}

static gboolean
print_threads (TtPiTrace *trace, gboolean only_count, guint64 *n, GError **error)
{
  TtPiCall call;

  for (guint i = 0; i < tt_pi_trace_n_threads (trace); i++)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (TtPiReader) reader = tt_pi_reader_open (trace, i, error);
      if (reader == NULL)
        return FALSE;
      for (; tt_pi_reader_next (reader, &call, &local); ++*n)
        if (!only_count)
          print_call (tt_pi_trace_thread_name (trace, i), &call);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
print_merged (TtPiTrace *trace, gboolean only_count, guint64 *n, GError **error)
{
  g_autoptr (TtPiMerge) merge = tt_pi_merge_new (trace, error);
  g_autoptr (GError) local = NULL;
  const TtPiCall *call;
  guint thread;

  if (merge == NULL)
    return FALSE;
  for (; (call = tt_pi_merge_next (merge, &thread, &local)) != NULL; ++*n)
    if (!only_count)
      print_call (tt_pi_trace_thread_name (trace, thread), call);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static void
print_warnings (const TtPiTrace *trace)
{
  const GPtrArray *warnings = tt_pi_trace_warnings (trace);

  for (guint i = 0; i < warnings->len; i++)
    {
      const TtPiWarning *warning = warnings->pdata[i];
      fprintf (stderr, "warning: %s", warning->path != NULL ? warning->path : "");
      if (warning->record != G_MAXUINT64 && warning->path != NULL)
        fprintf (stderr, ": record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT, warning->record, warning->offset);
      fprintf (stderr, "%s%s (%" G_GUINT64_FORMAT ")\n", warning->path != NULL ? ": " : "", warning->text,
               warning->count);
    }
}

int
main (int argc, char **argv)
{
  TtPiOptions options = { .ids = -1 };
  gboolean by_thread = FALSE, only_count = FALSE;
  g_autoptr (GError) error = NULL;
  guint64 n = 0;
  int at = 1;

  for (; at < argc - 1; at++)
    {
      options.salvage |= strcmp (argv[at], "--salvage") == 0;
      by_thread |= strcmp (argv[at], "--threads") == 0;
      only_count |= strcmp (argv[at], "--count") == 0;
    }
  if (at >= argc)
    return 2;
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (argv[at], &options, &error);
  if (trace != NULL)
    {
      printf ("# %s\n", tt_pi_trace_description (trace));
      if (by_thread)
        print_threads (trace, only_count, &n, &error);
      else
        print_merged (trace, only_count, &n, &error);
      print_warnings (trace);
    }
  if (only_count)
    printf ("%" G_GUINT64_FORMAT "\n", n);
  if (error == NULL)
    return 0;
  fprintf (stderr, "error: %s\n", error->message);
  return 1;
}
