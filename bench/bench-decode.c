/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench-decode: reads trace files with their importer into a sink that keeps nothing, or with --db into
 * a new database, as an import without statistics does.
 */
#include "config.h"

#include "formats/plan.h"
#include "src/store/import/import.h"
#include "src/store/store.h"

#include <stdio.h>

static gboolean
read_all (const GPtrArray *plan, TtSink *sink, GError **error)
{
  TtImportOptions options = { .rank = -1 };

  for (guint i = 0; i < plan->len; i++)
    {
      const TtPlannedInput *input = g_ptr_array_index (plan, i);
      tt_names_set_source (sink->names, input->format->name);
      if (!input->format->import (input->set, &options, sink, error))
        return FALSE;
    }
  if (!tt_sink_finish (sink, error))
    return FALSE;
  printf ("%" G_GUINT64_FORMAT " spans, %" G_GUINT64_FORMAT " counters, %" G_GUINT64_FORMAT " halves\n", sink->n_spans,
          sink->n_counters, sink->n_halves);
  return TRUE;
}

static gboolean
import (const GPtrArray *plan, TtNames *names, const char *db, GError **error)
{
  const TtStoreImportOptions options = { .command = "bench-decode" };
  g_autoptr (TtStoreImport) store = tt_store_import_begin (db, &options, names, error);
  if (store == NULL)
    return FALSE;

  TtSink *sink = tt_store_import_sink (store);

  tt_sink_add_thread (sink, "writer", 4);
  gboolean is_read = read_all (plan, sink, error);
  tt_sink_free (sink);
  return is_read && tt_store_import_join (store, error) && tt_store_import_commit (store, error);
}

static gboolean
decode (char **paths, const char *db, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) plan = tt_format_plan (paths, NULL, notes, NULL, error);
  if (plan == NULL)
    return FALSE;
  TtNameRules *rules = tt_name_rules_load (NULL, error);
  if (rules == NULL)
    return FALSE;
  if (db != NULL)
    return import (plan, tt_names_new (rules), db, error);
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (rules));
  return read_all (plan, sink, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  gboolean has_db = argc > 2 && g_str_equal (argv[1], "--db");

  if (argc < (has_db ? 4 : 2))
    {
      fprintf (stderr, "usage: bench-decode [--db NEW-DATABASE] FILE...\n");
      return 2;
    }
  if (!decode (argv + (has_db ? 3 : 1), has_db ? argv[2] : NULL, &error))
    {
      fprintf (stderr, "bench-decode: %s\n", error->message);
      return 1;
    }
  return 0;
}
