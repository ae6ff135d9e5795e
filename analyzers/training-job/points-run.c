/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/points.h"

#include "src/base/error.h"
#include "src/base/packed.h"
#include "src/base/progress.h"

static char *
value_of (const char *what, const char *value)
{
  return what != NULL ? g_strdup_printf ("%s=%s", what, value) : g_strdup (value);
}

static gboolean
predict (TtSweepPoint *self, TtJobModels *models, const GArray *settings, GError **error)
{
  g_autofree char *value = value_of (self->what, self->value), *at_value = value_of (self->at_what, self->at_value);
  const TtJobSetting own = { self->word, value }, at = { self->at_word, at_value };
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (TtJobSetting));

  for (guint i = 0; i < settings->len; i++)
    {
      const TtJobSetting *setting = &g_array_index (settings, TtJobSetting, i);
      if (!tt_sweep_excludes (own.word, setting->word) &&
          (at.word == NULL || !tt_sweep_excludes (at.word, setting->word)))
        g_array_append_val (all, *setting);
    }
  if (at.word != NULL)
    g_array_append_val (all, at);
  g_array_append_val (all, own);
  g_autoptr (TtJobChange) change = tt_job_change_new (all, error);
  if (change == NULL || !tt_job_models_change (models, change, error))
    return FALSE;
  const TtPredictionInterval interval = tt_job_models_interval (models, TRUE);
  self->predicted_ns = models->changed->mean_ns;
  self->low_ns = MAX (self->predicted_ns - tt_prediction_interval_below (&interval), 0);
  self->high_ns = self->predicted_ns + tt_prediction_interval_above (&interval);
  return TRUE;
}

/* Of the prediction of the @i-th. *@is_left: it is left out; else one more is there. Consumes @failure: NULL: it is done. */
static gboolean
judge (GArray *points, guint i, TtJobModels *models, GError *failure, gboolean *is_left, GError **error)
{
  g_autoptr (GError) own = failure;
  const TtSweepPoint *point = &g_array_index (points, TtSweepPoint, i);

  *is_left = FALSE;
  if (failure == NULL)
    return TRUE;
  if (!point->is_usual || points->len == 1 || !g_error_matches (failure, TT_ERROR, TT_ERROR_USAGE))
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&own), "with %s=%s: ", point->word, point->value);
      return FALSE;
    }
  g_autofree char *note = g_strdup_printf ("no other %s is tried: %s", point->word, failure->message);
  tt_job_models_note (models, note);
  g_array_remove_index (points, i);
  *is_left = TRUE;
  return TRUE;
}

static gboolean
run_alone (GArray *points, TtJobModels *models, const GArray *settings, GError **error)
{
  g_autoptr (TtProgress) progress = tt_progress_new ("trying", points->len, "values");
  gboolean is_left;

  for (guint i = 0; i < points->len; i += !is_left)
    {
      GError *failure = NULL;

      tt_progress_add (progress, 1);
      if (tt_cancelled (error))
        return FALSE;
      predict (&g_array_index (points, TtSweepPoint, i), models, settings, &failure);
      if (!judge (points, i, models, failure, &is_left, error))
        return FALSE;
    }
  return TRUE;
}

/* -- the ranks of a crew ---------------------------------------------------------------------------------------------- */

/* What came of a point. */
typedef struct
{
  GError *failure;  /* NULL: it is predicted */
  GPtrArray *notes; /* of char *, those that it brought; NULL: none */
} Outcome;

static void
clear_outcome (gpointer data)
{
  Outcome *self = data;

  g_clear_error (&self->failure);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
}

static Outcome *
outcome_of (const GArray *outcomes, guint i)
{
  return &g_array_index (outcomes, Outcome, i);
}

/* Each rank one, in turn. Notes are kept apart: one that a point brings here another may have brought elsewhere. FALSE: cancelled. */
static gboolean
predict_own (const TtCrew *crew,
             GArray *points,
             TtJobModels *models,
             const GArray *settings,
             GArray *outcomes,
             GError **error)
{
  GPtrArray *notes = g_steal_pointer (&models->notes);
  gboolean is_good = TRUE;

  for (guint i = crew->rank; i < points->len && is_good; i += crew->n)
    {
      Outcome *outcome = outcome_of (outcomes, i);

      predict (&g_array_index (points, TtSweepPoint, i), models, settings, &outcome->failure);
      outcome->notes = g_steal_pointer (&models->notes);
      is_good = !tt_cancelled (error);
    }
  models->notes = notes;
  return is_good;
}

static void
pack_own (const TtCrew *crew, const GArray *points, const GArray *outcomes, GByteArray *bytes)
{
  for (guint i = crew->rank; i < points->len; i += crew->n)
    {
      const TtSweepPoint *point = &g_array_index (points, TtSweepPoint, i);
      const Outcome *outcome = outcome_of (outcomes, i);
      const guint n_notes = outcome->notes == NULL ? 0 : outcome->notes->len;

      tt_pack_text (bytes, outcome->failure == NULL ? NULL : outcome->failure->message);
      tt_pack_number (bytes, outcome->failure == NULL ? 0 : (guint64) outcome->failure->code);
      tt_pack_signed (bytes, point->predicted_ns);
      tt_pack_signed (bytes, point->low_ns);
      tt_pack_signed (bytes, point->high_ns);
      tt_pack_number (bytes, n_notes);
      for (guint k = 0; k < n_notes; k++)
        tt_pack_text (bytes, outcome->notes->pdata[k]);
    }
}

static gboolean
unpack (guint rank, const TtCrew *crew, GArray *points, GArray *outcomes, const GByteArray *bytes, GError **error)
{
  TtUnpack from = tt_unpack_all (bytes);

  for (guint i = rank; i < points->len && !from.is_bad; i += crew->n)
    {
      TtSweepPoint *point = &g_array_index (points, TtSweepPoint, i);
      Outcome *outcome = outcome_of (outcomes, i);
      const char *text = tt_unpack_text (&from);
      const int code = (int) tt_unpack_below (&from, G_MAXINT);

      if (text != NULL)
        outcome->failure = g_error_new_literal (TT_ERROR, code, text);
      point->predicted_ns = tt_unpack_signed (&from);
      point->low_ns = tt_unpack_signed (&from);
      point->high_ns = tt_unpack_signed (&from);
      outcome->notes = g_ptr_array_new_with_free_func (g_free);
      for (guint64 k = tt_unpack_number (&from); k > 0 && !from.is_bad; k--)
        {
          const char *note = tt_unpack_text (&from);
          from.is_bad |= note == NULL;
          g_ptr_array_add (outcome->notes, g_strdup (note));
        }
    }
  return (!from.is_bad && from.at == from.end) || tt_crew_refuse (rank, error);
}

static gboolean
gather (const TtCrew *crew, GArray *points, GArray *outcomes, GError **error)
{
  for (guint rank = 1; rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = crew->take (rank, error);
      if (bytes == NULL || !unpack (rank, crew, points, outcomes, bytes, error))
        return FALSE;
    }
  return crew->rest (error);
}

/* In their order, as if one process had tried them. */
static gboolean
judge_all (GArray *points, TtJobModels *models, GArray *outcomes, GError **error)
{
  gboolean is_left;

  for (guint i = 0, at = 0; at < points->len; i++, at += !is_left)
    {
      Outcome *outcome = outcome_of (outcomes, i);

      for (guint k = 0; outcome->notes != NULL && k < outcome->notes->len; k++)
        tt_job_models_note (models, outcome->notes->pdata[k]);
      if (!judge (points, at, models, g_steal_pointer (&outcome->failure), &is_left, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_together (const TtCrew *crew, GArray *points, TtJobModels *models, const GArray *settings, GError **error)
{
  g_autoptr (GArray) outcomes = g_array_new (FALSE, TRUE, sizeof (Outcome));

  g_array_set_clear_func (outcomes, clear_outcome);
  g_array_set_size (outcomes, points->len);
  if (!predict_own (crew, points, models, settings, outcomes, error))
    return FALSE;
  if (crew->rank == 0)
    return gather (crew, points, outcomes, error) && judge_all (points, models, outcomes, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  pack_own (crew, points, outcomes, bytes);
  crew->give (bytes);
  g_autoptr (GByteArray) nothing = crew->hear ();
  return TRUE;
}

gboolean
tt_sweep_points_run (GArray *points, TtJobModels *models, const GArray *settings, const TtCrew *crew, GError **error)
{
  return crew == NULL ? run_alone (points, models, settings, error)
                      : run_together (crew, points, models, settings, error);
}
