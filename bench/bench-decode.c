/*
 * bench-decode: reads trace files with their importer into a sink that keeps nothing.
 */
#include "config.h"

#include "formats/format.h"

#include <stdio.h>

static gboolean
decode (char **paths, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) plan = tt_format_plan (paths, NULL, notes, error);
  if (plan == NULL)
    return FALSE;
  TtNameRules *rules = tt_name_rules_load (NULL, error);
  if (rules == NULL)
    return FALSE;
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (rules));
  TtImportOptions options = { .rank = -1 };

  for (guint i = 0; i < plan->len; i++)
    {
      const TtPlannedInput *input = g_ptr_array_index (plan, i);
      tt_names_set_source (sink->names, input->format->name);
      if (!input->format->import (input->set, &options, sink, error))
        return FALSE;
    }
  tt_sink_flush (sink);
  printf ("%" G_GUINT64_FORMAT " spans, %" G_GUINT64_FORMAT " counters, %" G_GUINT64_FORMAT " halves\n",
          sink->n_spans,
          sink->n_counters,
          sink->n_halves);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc < 2)
    {
      fprintf (stderr, "usage: bench-decode FILE...\n");
      return 2;
    }
  if (!decode (argv + 1, &error))
    {
      fprintf (stderr, "bench-decode: %s\n", error->message);
      return 1;
    }
  return 0;
}
