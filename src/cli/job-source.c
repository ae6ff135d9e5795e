/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/job-source.h"

#include "formats/kineto/collectives.h"

static void
describe_recording (GPtrArray *notes, const TtRecordedCounts *counts)
{
  if (!counts->has_steps)
    g_ptr_array_add (notes, g_strdup ("no training steps in the traces: the whole run is taken as one"));
  if (counts->n_dropped > 0)
    g_ptr_array_add (
        notes, g_strdup_printf ("%u times something began before what it needs by the traces had ended: that is not "
                                "held",
                                counts->n_dropped));
  if (counts->n_unlaunched > 0)
    g_ptr_array_add (notes,
                     g_strdup_printf ("of %u of %u spans on devices the traces do not say what launched them: they "
                                      "follow what was before on their queue",
                                      counts->n_unlaunched, counts->n_device_spans));
  if (counts->is_untold)
    g_ptr_array_add (
        notes, g_strdup ("the traces do not say which queue of a device waits for which (enable_cuda_sync_events of "
                         "PyTorch's profiler does): changes may miss waits that were over when they came"));
  if (counts->n_alone > 0)
    g_ptr_array_add (notes,
                     g_strdup_printf ("of %u kernels of communication the calls on other ranks are not in the run: "
                                      "waits for those stay as recorded",
                                      counts->n_alone));
}

gboolean
tt_job_source_load (TtJobSource *self,
                    TtStore *store,
                    const TtTrainingJobOptions *options,
                    gboolean by_model,
                    gboolean with_network,
                    GError **error)
{
  TtRecordedCounts counts;
  gboolean is_recorded = FALSE;

  if (!by_model && !tt_recorded_job_is_there (store, &is_recorded, error))
    return FALSE;
  if (is_recorded)
    {
      self->recording = tt_recorded_job_new (store, with_network ? tt_kineto_read_collective : NULL, &counts, error);
      if (self->recording == NULL)
        return FALSE;
      self->n_ranks = self->recording->graph->n_ranks;
      self->notes = g_ptr_array_new_with_free_func (g_free);
      describe_recording (self->notes, &counts);
      return TRUE;
    }
  self->job = tt_training_job_new (store, options, error);
  if (self->job == NULL)
    return FALSE;
  self->n_ranks = self->job->n_ranks;
  self->notes = g_ptr_array_ref (self->job->notes);
  return TRUE;
}

void
tt_job_source_clear (TtJobSource *self)
{
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  tt_training_job_free (g_steal_pointer (&self->job));
  tt_step_recording_free (g_steal_pointer (&self->recording));
}

void
tt_job_source_init_models (const TtJobSource *self, TtJobModels *models)
{
  if (self->job != NULL)
    {
      tt_job_models_init (models, self->job);
      return;
    }
  models->recording = self->recording;
  models->measured_ns = self->recording->measured_ns;
}
