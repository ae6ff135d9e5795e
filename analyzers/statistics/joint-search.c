/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/joint-search.h"

#include "src/base/array.h"
#include "src/base/compare.h"

/* A sample, and what it tells of its part: how many of its values are at least known to be no greater, and how many may be. */
typedef struct
{
  gint64 value_ns;
  guint64 more_at_least, more_at_most; /* than the sample before it */
} Sample;

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const Sample *) a)->value_ns, ((const Sample *) b)->value_ns);
}

gboolean
tt_joint_search_is_like (const TtJointSearch *self, const TtJointSearch *other)
{
  return self->has_above == other->has_above && self->has_below == other->has_below &&
         (!self->has_above || self->above_ns == other->above_ns) &&
         (!self->has_below || self->below_ns == other->below_ns);
}

/* No values of a part are below its first sample; after a sample there may be all up to the next. */
static void
add_samples (GArray *samples, const TtValueAnswer *answer)
{
  guint64 at_least = 0, at_most = 0;

  for (guint i = 0; i < answer->n_samples; i++)
    {
      const guint64 least = tt_value_answer_place (answer, i) + 1;
      const guint64 most = i + 1 < answer->n_samples ? tt_value_answer_place (answer, i + 1) : answer->n;
      const Sample sample = { answer->samples[i], least - at_least, most - at_most };
      g_array_append_val (samples, sample);
      at_least = least;
      at_most = most;
    }
}

static void
set_found (TtJointSearch *self, gint64 value_ns)
{
  self->is_found = TRUE;
  self->value_ns = value_ns;
}

/* @place: of the value in the range. */
static void
narrow_by (TtJointSearch *self, const GArray *samples, guint64 place, gboolean are_all)
{
  const Sample *sample = TT_ARRAY (samples, Sample);
  guint64 at_least = 0, at_most = 0;

  for (guint i = 0; i < samples->len;)
    {
      const gint64 value_ns = sample[i].value_ns;

      for (; i < samples->len && sample[i].value_ns == value_ns; i++)
        {
          at_least += sample[i].more_at_least;
          at_most += sample[i].more_at_most;
        }
      if (at_least > place)
        {
          self->has_below = TRUE;
          self->below_ns = value_ns;
          if (are_all)
            set_found (self, value_ns);
          return;
        }
      if (at_most <= place)
        {
          self->has_above = TRUE;
          self->above_ns = value_ns;
        }
    }
}

gboolean
tt_joint_search_narrow (TtJointSearch *self, const TtValueAnswer *const *answers, guint n)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  guint64 n_before = 0, n_in = 0;
  gboolean are_all = TRUE;

  for (guint i = 0; i < n; i++)
    {
      n_before += answers[i]->n_before;
      n_in += answers[i]->n;
      are_all &= answers[i]->n == answers[i]->n_samples;
      add_samples (samples, answers[i]);
    }
  if (n_before > self->place)
    return FALSE;
  if (n_before + n_in <= self->place)
    {
      /* All that are less than the upper end are before it. */
      if (self->has_below)
        set_found (self, self->below_ns);
      return self->has_below;
    }
  g_array_sort (samples, compare_samples);
  narrow_by (self, samples, self->place - n_before, are_all);
  return TRUE;
}
