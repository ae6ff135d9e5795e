/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/probes/launches.h"

void
tt_probe_launches_clear (TtProbeLaunches *self)
{
  tt_map64_clear (&self->places);
}

guint
tt_probe_launches_add (TtProbeLaunches *self, guint32 source, guint32 name)
{
  guint64 key = (guint64) source << 32 | name;
  guint32 place = tt_map64_get (&self->places, key);

  if (place == TT_MAP64_NONE && self->n == TT_PROBE_MAX_LAUNCHES)
    {
      self->n_beyond++;
      return TT_PROBE_NO_LAUNCH;
    }
  if (place == TT_MAP64_NONE)
    {
      place = self->n++;
      self->keys[place] = key;
      tt_map64_set (&self->places, key, place);
    }
  self->n_records[place]++;
  return place;
}

gboolean
tt_probe_launches_choose (const TtProbeLaunches *self, TtProbeLaunch *launch)
{
  guint best = 0;

  *launch = (TtProbeLaunch){ .place = TT_PROBE_NO_LAUNCH, .n_others = self->n_beyond };
  for (guint i = 0; i < self->n; i++)
    {
      launch->n_others += self->n_records[i];
      if (self->n_records[i] > self->n_records[best] ||
          (self->n_records[i] == self->n_records[best] && self->keys[i] < self->keys[best]))
        best = i;
    }
  if (self->n == 0)
    return FALSE;
  launch->place = best;
  launch->source = (guint32) (self->keys[best] >> 32);
  launch->name = (guint32) self->keys[best];
  launch->n_records = self->n_records[best];
  launch->n_others -= launch->n_records;
  return TRUE;
}
