/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/pair-bounds.h"

void
tt_clock_pair_init (TtClockPair *self)
{
  *self = (TtClockPair){ .first_ns = G_MAXINT64, .last_ns = G_MININT64 };
}

void
tt_clock_pair_clear (TtClockPair *self)
{
  g_clear_pointer (&self->buckets, g_free);
}

void
tt_clock_pair_widen (TtClockPair *self, gint64 at_ns)
{
  self->first_ns = MIN (self->first_ns, at_ns);
  self->last_ns = MAX (self->last_ns, at_ns);
}

static TtClockBucket *
bucket_at (TtClockPair *self, gint64 at_ns)
{
  double part = self->last_ns <= self->first_ns
                    ? 0
                    : (double) (at_ns - self->first_ns) / (double) (self->last_ns - self->first_ns);
  int index = CLAMP ((int) (part * TT_CLOCK_BUCKETS), 0, (int) TT_CLOCK_BUCKETS - 1);

  if (self->slots[index] == 0)
    {
      if (self->n_buckets == self->n_allocated)
        {
          self->n_allocated = self->n_allocated == 0 ? 1 : (guint8) (2 * self->n_allocated);
          self->buckets = g_renew (TtClockBucket, self->buckets, self->n_allocated);
        }
      self->buckets[self->n_buckets] = (TtClockBucket){ 0 };
      self->slots[index] = ++self->n_buckets;
    }
  return &self->buckets[self->slots[index] - 1];
}

void
tt_clock_pair_add_lower (TtClockPair *self, gint64 at_ns, gint64 ns)
{
  TtClockBucket *bucket = bucket_at (self, at_ns);

  if (bucket->has_lower && bucket->lower_ns >= ns)
    return;
  bucket->has_lower = TRUE;
  bucket->lower_at_ns = at_ns;
  bucket->lower_ns = ns;
}

void
tt_clock_pair_add_upper (TtClockPair *self, gint64 at_ns, gint64 ns)
{
  TtClockBucket *bucket = bucket_at (self, at_ns);

  if (bucket->has_upper && bucket->upper_ns <= ns)
    return;
  bucket->has_upper = TRUE;
  bucket->upper_at_ns = at_ns;
  bucket->upper_ns = ns;
}

void
tt_clock_pair_add_near (TtClockPair *self, gint64 at_ns, gint64 ns, gint64 width_ns, gint64 least_ns)
{
  TtClockBucket *bucket = bucket_at (self, at_ns);

  if (bucket->has_near && bucket->near_width_ns <= width_ns)
    return;
  bucket->has_near = TRUE;
  bucket->near_at_ns = at_ns;
  bucket->near_ns = ns;
  bucket->near_width_ns = width_ns;
  bucket->near_least_ns = least_ns;
}
