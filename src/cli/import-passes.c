/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/import-passes.h"

#include "analyzers/pass.h"
#include "src/base/progress.h"

typedef struct
{
  const TtPass *pass;
  gpointer prepared; /* NULL: it observes nothing */
} PreparedPass;

struct _TtImportPasses
{
  GArray *passes;    /* of PreparedPass */
  GThread *counting; /* NULL: not begun, or over */
};

TtImportPasses *
tt_import_passes_new (TtSink *sink, gboolean observes)
{
  TtImportPasses *self = g_new0 (TtImportPasses, 1);

  self->passes = g_array_new (FALSE, TRUE, sizeof (PreparedPass));
  for (guint i = 0; tt_passes[i] != NULL; i++)
    {
      PreparedPass prepared = { .pass = tt_passes[i] };

      if (prepared.pass->prepare != NULL && observes)
        {
          prepared.prepared = prepared.pass->prepare ();
          tt_sink_add_observer (sink, prepared.pass->observe, prepared.prepared);
        }
      g_array_append_val (self->passes, prepared);
    }
  return self;
}

void
tt_import_passes_free (TtImportPasses *self)
{
  g_clear_pointer (&self->counting, g_thread_join);
  for (guint i = 0; i < self->passes->len; i++)
    {
      PreparedPass *prepared = &g_array_index (self->passes, PreparedPass, i);
      if (prepared->prepared != NULL)
        prepared->pass->release (prepared->prepared);
    }
  g_array_unref (self->passes);
  g_free (self);
}

static gpointer
finish_observed (gpointer data)
{
  const TtImportPasses *self = data;

  for (guint i = 0; i < self->passes->len; i++)
    {
      const PreparedPass *prepared = &g_array_index (self->passes, PreparedPass, i);

      if (prepared->prepared != NULL && prepared->pass->finish != NULL)
        prepared->pass->finish (prepared->prepared);
    }
  return NULL;
}

void
tt_import_passes_observed (TtImportPasses *self)
{
  self->counting = g_thread_try_new ("counter", finish_observed, self, NULL);
  if (self->counting == NULL)
    finish_observed (self);
}

gboolean
tt_import_passes_run (TtImportPasses *self, TtStoreImport *import, GError **error)
{
  g_clear_pointer (&self->counting, g_thread_join);
  for (guint i = 0; i < self->passes->len; i++)
    {
      const PreparedPass *prepared = &g_array_index (self->passes, PreparedPass, i);
      gint64 begin_us = g_get_monotonic_time ();

      if (!prepared->pass->run (import, prepared->prepared, error))
        {
          g_prefix_error (error, "%s: ", prepared->pass->name);
          return FALSE;
        }
      g_debug ("%s: %.3f s", prepared->pass->name, (double) (g_get_monotonic_time () - begin_us) / 1e6);
      if (tt_cancelled (error))
        return FALSE;
    }
  return TRUE;
}
