/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/recorded-change.h"

#include "src/base/error.h"

gboolean
tt_recorded_change_check (const TtJobChange *change, guint ranks_per_host, GError **error)
{
  if (!change->is_regrouped)
    return !change->is_network || tt_recorded_network_may (ranks_per_host, &change->network, error);
  g_set_error_literal (error, TT_ERROR, TT_ERROR_USAGE,
                       "'--fusion', '--overlap' and '--no-overlap' are about Horovod: PyTorch's traces are replayed as "
                       "recorded");
  return FALSE;
}

/* The most that what the traces do not tell may add to the change, or take from it. */
static gboolean
try_ways (TtRecordedChange *self, const TtPredictionInput *input, GError **error)
{
  static const guint ways[] = { TT_RECORDED_LEAST_LATENCY, TT_RECORDED_MOST_LATENCY,
                                TT_RECORDED_LEAST_LATENCY | TT_RECORDED_WAITLESS,
                                TT_RECORDED_MOST_LATENCY | TT_RECORDED_WAITLESS };
  static const guint shapes[] = { 0, TT_RECORDED_SLOW_LINKS, TT_RECORDED_FAST_LINKS, TT_RECORDED_TREES };
  guint n = input->links->n_alone > 0 || input->links->n_unsized > 0 ? 4 : 2;
  guint n_shapes = tt_recorded_network_is_shaped (input->change) ? G_N_ELEMENTS (shapes) : 1;

  for (guint i = 0; i < n * n_shapes; i++)
    {
      TtPredictionInput other = *input;
      other.way = ways[i % n] | shapes[i / n];
      g_autoptr (TtPrediction) prediction = tt_prediction_new (&other, error);
      if (prediction == NULL)
        return FALSE;
      self->less_ns = MAX (self->less_ns, self->prediction->mean_ns - prediction->mean_ns);
      self->more_ns = MAX (self->more_ns, prediction->mean_ns - self->prediction->mean_ns);
    }
  return TRUE;
}

gboolean
tt_recorded_change_predict (TtRecordedChange *self,
                            TtStepRecording *recording,
                            const TtRecordedNetwork *network,
                            const TtJobChange *change,
                            GError **error)
{
  const TtPredictionInput input = {
    .recording = recording, .links = network, .change = &change->network, .what_if = change->what_if
  };

  if (network != NULL && !tt_recorded_network_can (network, &change->network, error))
    return FALSE;
  *self = (TtRecordedChange){ .prediction = tt_prediction_new (&input, error) };
  if (self->prediction != NULL && (network == NULL || try_ways (self, &input, error)))
    return TRUE;
  tt_prediction_free (g_steal_pointer (&self->prediction));
  return FALSE;
}
