/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/pass.h"
#include "analyzers/training-job/training-job.h"
#include "formats/dialects.h"
#include "formats/trace-event/import.h"
#include "src/store/import/import.h"
#include "src/store/store.h"

#include <glib/gstdio.h>

/* Averages and gaps of a small job, counted by hand. */

#define SPAN(name, ts, dur, step) \
  "{\"ph\":\"X\",\"cat\":\"operator\",\"pid\":\"host0.rank0\",\"tid\":0,\"name\":\"" name "\",\"ts\":" #ts ",\"dur\":" #dur \
  ",\"args\":{\"name\":\"" name "\",\"step\":" #step "}}"

/* Microseconds. FW.a to BW.a: 5 and 8; BW.a to UPDATE_.a: none; the forward pass takes 10 and 13. */
static const char two_steps[] = "[" SPAN ("FW.a", 0, 10, 0) "," SPAN ("BW.a", 15, 10, 0) "," SPAN ("UPDATE_.a", 25, 5, 0) ","
                                SPAN ("FW.a", 100, 13, 1) "," SPAN ("BW.a", 121, 10, 1) "," SPAN ("UPDATE_.a", 131, 5, 1) "]";

typedef struct
{
  char *folder, *trace, *path;
  TtStore *store;
} Fixture;

static void
set_up (Fixture *self, gconstpointer text)
{
  const TtStoreImportOptions options = { .command = "test" };
  const TtImportOptions import_options = { .rank = -1 };
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("training-job-XXXXXX", NULL);
  self->trace = g_build_filename (self->folder, "trace.json", NULL);
  self->path = g_build_filename (self->folder, "job.db", NULL);
  g_assert_true (g_file_set_contents (self->trace, text, -1, NULL));
  g_autoptr (TtStoreImport) import = tt_store_import_begin (self->path, &options, tt_names_new (NULL), &error);
  g_assert_no_error (error);
  TtSink *sink = tt_store_import_sink (import);
  g_assert_true (tt_trace_event_import_file (self->trace, tt_dialects, &import_options, sink, &error));
  g_assert_true (tt_sink_finish (sink, &error));
  tt_sink_free (sink);
  g_assert_true (tt_store_import_join (import, &error));
  for (guint i = 0; tt_passes[i] != NULL; i++)
    g_assert_true (tt_passes[i]->run (import, NULL, &error));
  g_assert_true (tt_store_import_commit (import, &error));
  g_assert_no_error (error);
  self->store = tt_store_open (self->path, &error);
  g_assert_no_error (error);
  g_assert_true (tt_store_select_run (self->store, NULL, &error));
}

static void
tear_down (Fixture *self, gconstpointer text)
{
  tt_store_free (self->store);
  g_unlink (self->trace);
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->trace);
  g_free (self->path);
  g_free (self->folder);
}

static guint32
find (const TtTrainingJob *job, const char *long_name)
{
  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      g_autofree char *name = tt_step_node_long_name (job->graph, i);
      if (g_str_equal (name, long_name))
        return i;
    }
  g_error ("no node '%s'", long_name);
}

static void
test_gaps (Fixture *self, gconstpointer text)
{
  const TtTrainingJobOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtTrainingJob) job = tt_training_job_new (self->store, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (job->n_ranks, ==, 1);
  g_assert_cmpuint (job->n_steps, ==, 2);
  const TtStepNodeTimes *fw = &job->times[find (job, "host0.rank0->FW.a")];
  const TtStepNodeTimes *bw = &job->times[find (job, "host0.rank0->BW.a")];
  g_assert_cmpint (fw->avg_ns, ==, 11500);
  g_assert_cmpint (fw->operator_gap_ns, ==, 6500);
  g_assert_cmpint (fw->comm_gap_ns, ==, 0);
  g_assert_cmpint (fw->link_gap_ns, ==, 0);
  g_assert_cmpint (bw->avg_ns, ==, 10000);
  g_assert_cmpint (bw->operator_gap_ns, ==, 0);
  g_assert_cmpint (job->times[find (job, "host0.rank0->UPDATE_.a")].avg_ns, ==, 5000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/training-job/gaps", Fixture, two_steps, set_up, test_gaps, tear_down);
  return g_test_run ();
}
