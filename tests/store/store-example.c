/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/store/store-example.h"

#include "analyzers/pass.h"
#include "src/base/error.h"
#include "src/store/query.h"

TtNames *
example_names (void)
{
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);

  g_assert_no_error (error);
  TtNames *names = tt_names_new (rules);
  tt_names_set_source (names, "tau");
  return names;
}

static guint32
name (TtSink *sink, const char *raw, const char *op, const char *group)
{
  return tt_sink_name (sink, &(TtRawName){ .raw = raw, .op = op, .group = group });
}

static const TtFlowKind async = { .text = "async", .link = TT_LINK_LAUNCH };

static void
round_of_rank (TtSink *sink, guint rank, guint n_ranks, guint32 thread, guint round)
{
  const guint32 compute = name (sink, "compute [{a.c} {3,1}]", "compute", "TAU_USER");
  const guint32 send = name (sink, "MPI_Send()", "MPI_Send()", "MPI");
  const guint32 recv = name (sink, "MPI_Recv()", "MPI_Recv()", "MPI");
  const guint32 reduce = name (sink, "MPI_Allreduce()", "MPI_Allreduce()", "MPI");
  const guint32 instant = name (sink, "mark", "mark", "TAU_USER");
  g_autofree char *to = g_strdup_printf ("node%u", (rank + 1) % n_ranks);
  g_autofree char *from = g_strdup_printf ("node%u", (rank + n_ranks - 1) % n_ranks);
  g_autofree char *me = g_strdup_printf ("node%u", rank);
  guint32 own = tt_sink_process (sink, me, NULL, NULL, rank);
  guint32 next = tt_sink_process (sink, to, NULL, NULL, (rank + 1) % n_ranks);
  guint32 last = tt_sink_process (sink, from, NULL, NULL, (rank + n_ranks - 1) % n_ranks);
  guint32 series = tt_sink_series (sink, "PAPI_TOT_INS", NULL, TRUE);
  const TtActivity kernel = { .role = TT_ACTIVITY_KERNEL, .queue = thread, .correlation = round + 1 };
  gint64 t = G_GINT64_CONSTANT (1700000000000000000) + 1000000 * (gint64) round + 100 * rank;
  guint64 event;

  tt_sink_half (sink, TRUE, FALSE, thread, own, next, 7, 0, t + 1000, 64 + round, ++sink->next_owner);
  event = tt_sink_event (sink, thread, send, t + 900, 300, 300, 1, 0, TT_NO_STEP, 0);
  tt_sink_owner (sink, sink->next_owner, event);
  tt_sink_half (sink, FALSE, FALSE, thread, own, last, 7, 0, t + 2500, 4096, ++sink->next_owner);
  event = tt_sink_event (sink, thread, recv, t + 2000, 600, 600, 1, 0, TT_NO_STEP, 0);
  tt_sink_owner (sink, sink->next_owner, event);
  tt_sink_event (sink, thread, compute, t + 3100, 100 + rank, 100 + rank, 2, TT_FLAG_RECURSIVE, 3, 0);
  event =
      tt_sink_event (sink, thread, compute, t + 3000, 500, 400 - rank, 1, 0, 3, tt_sink_args (sink, "{\"n\":1}", 7));
  tt_sink_metric (sink, event, series, 1000 + rank, 900);
  tt_sink_flow (sink, event - 1, event, &async);
  tt_sink_activity (sink, tt_sink_hold_activity (sink, &kernel), event);
  tt_sink_event (sink, thread, instant, t + 3600, TT_NO_TIME, 0, 1, 0, TT_NO_STEP, 0);
  for (int i = 0; i < 2; i++)
    tt_sink_event (sink, thread, reduce, t + 4000 + 200 * i, 100, 100, 1, TT_FLAG_COLLECTIVE, TT_NO_STEP, 0);
}

static void
add_tasks (TtSink *sink, guint32 process)
{
  const TtTaskNode copy = {
    .id = 1,
    .kind = TT_TASK_COPY,
    .created_ns = 10,
    .begin_ns = 20,
    .end_ns = 50,
    .text = { [TT_TASK_NAME] = "copy", [TT_TASK_COPY_FROM] = "0", [TT_TASK_COPY_TO] = "1" },
  };
  const TtTaskNode kernel = {
    .id = 2,
    .kind = TT_TASK_KERNEL,
    .created_ns = 11,
    .begin_ns = -1,
    .end_ns = -1,
    .text = { [TT_TASK_NAME] = "saxpy", [TT_TASK_FILE] = "saxpy.cpp", [TT_TASK_LINE] = "41" },
  };

  tt_sink_task (sink, process, &copy);
  tt_sink_task (sink, process, &kernel);
  tt_sink_task_edge (sink, process,
                     &(TtTaskEdge){ .src = 1, .dst = 2, .has_src = TRUE, .has_dst = TRUE, .kind = "read" });
}

void
example_rank (TtSink *sink, guint rank, guint n_ranks, guint n_rounds)
{
  g_autofree char *path = g_strdup_printf ("tautrace.%u.0.0.trc", rank);
  g_autofree char *pid = g_strdup_printf ("node%u", rank);
  g_autofree char *hash = g_strdup_printf ("%032x", rank + 1);

  tt_sink_begin_source (sink, "tau", path, TT_CLOCK_RELATIVE);
  guint32 process = tt_sink_process (sink, pid, NULL, NULL, rank);
  guint32 thread = tt_sink_thread (sink, process, "0", NULL, 0);
  guint32 series = tt_sink_series (sink, "memory", "KB", FALSE);
  tt_sink_metadata (sink, process, thread, "Hostname", "old");
  tt_sink_metadata (sink, process, thread, "Hostname", "alpha");
  tt_sink_metadata (sink, process, TT_NO_ID, "Executable", "a.out");
  tt_sink_parameter (sink, 3 + rank, "dense/kernel", "512x1024", "float32", -1, NULL);
  add_tasks (sink, process);
  for (guint i = 0; i < n_rounds; i++)
    round_of_rank (sink, rank, n_ranks, thread, i);
  tt_sink_counter_int (sink, series, thread, 1700000000000000000, 12 + rank);
  tt_sink_counter_real (sink, series, thread, 1700000000000001000, 12.5);
  tt_sink_repair (sink, TT_REPAIR_NO_CLOSE, 480);
  tt_sink_end_source (sink, 24000 + rank, hash, TT_CLOCK_EPOCH);
}

void
example_all_ranks (TtSink *sink, gpointer n_ranks)
{
  for (guint rank = 0; rank < GPOINTER_TO_UINT (n_ranks); rank++)
    example_rank (sink, rank, GPOINTER_TO_UINT (n_ranks), 2);
}

static gboolean
load (TtStoreImport *import,
      const ExampleOptions *options,
      ExampleFill fill,
      gpointer data,
      gpointer prepared,
      GError **error)
{
  g_autoptr (TtSink) sink = tt_store_import_sink (import);

  if (prepared != NULL)
    tt_sink_add_observer (sink, tt_pass_statistics.observe, prepared);
  if (options->threaded)
    tt_sink_add_thread (sink, "writer", 4);
  fill (sink, data);
  if (options->fail)
    {
      tt_sink_flush (sink);
      g_set_error_literal (error, TT_ERROR, TT_ERROR_FORMAT, "the importer failed");
      return FALSE;
    }
  return tt_sink_finish (sink, error);
}

gboolean
example_import (const char *path, const ExampleOptions *options, ExampleFill fill, gpointer data, GError **error)
{
  TtStoreImportOptions store_options = { .command =
                                             options->command != NULL ? options->command : "tracetool import example",
                                         .add = options->add };
  g_autoptr (TtStoreImport) import = tt_store_import_begin (path, &store_options, example_names (), error);
  gboolean is_fresh = !options->add && !options->scan;
  gpointer prepared = is_fresh ? tt_pass_statistics.prepare () : NULL;
  gboolean done = FALSE;

  if (import != NULL && (options->remove == 0 || tt_store_import_remove_source (import, options->remove, error)))
    done = load (import, options, fill, data, prepared, error) && tt_store_import_join (import, error);
  if (done && prepared != NULL)
    tt_pass_statistics.finish (prepared);
  done = done && tt_pass_statistics.run (import, prepared, error) && tt_store_import_commit (import, error);
  if (prepared != NULL)
    tt_pass_statistics.release (prepared);
  return done;
}

static gboolean
add_row (const TtCell *cells, guint n, gpointer data)
{
  GString *text = data;

  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (text, '|');
      if (cells[i].kind == TT_CELL_NULL)
        g_string_append_c (text, '-');
      else if (cells[i].kind == TT_CELL_INT)
        g_string_append_printf (text, "%" G_GINT64_FORMAT, cells[i].integer);
      else if (cells[i].kind == TT_CELL_REAL)
        g_string_append_printf (text, "%.4f", cells[i].real);
      else
        g_string_append (text, cells[i].text);
    }
  g_string_append_c (text, '\n');
  return TRUE;
}

char *
example_query (TtStore *store, const char *sql)
{
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);

  if (!tt_store_query (store, sql, NULL, add_row, text, &error))
    g_string_append_printf (text, "error: %s\n", error->message);
  return g_string_free (text, FALSE);
}
