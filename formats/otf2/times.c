/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/times.h"

#include "src/base/int128.h"

#define STRIDES_A_SECOND 1000u

static guint64
clamp (tt_int128 ticks)
{
  return ticks < 0 ? 0 : ticks > (tt_int128) G_MAXUINT64 ? G_MAXUINT64 : (guint64) ticks;
}

void
tt_otf2_times_init (TtOtf2Times *self,
                    guint64 resolution,
                    guint64 first_tick,
                    guint64 length,
                    gint64 least_offset,
                    gint64 most_offset)
{
  *self = (TtOtf2Times){ .stride = MAX (resolution / STRIDES_A_SECOND, 1), .latest = G_MAXUINT64 };
  if (length == 0)
    return;
  /* Writers are not exact about it, nor are offsets between the times at which they were measured. */
  tt_int128 margin = MAX (length, resolution);
  self->earliest = clamp ((tt_int128) first_tick - most_offset - margin);
  self->latest = clamp ((tt_int128) first_tick + length - least_offset + margin);
}

gboolean
tt_otf2_times_can_be (const TtOtf2Times *self, guint64 ticks)
{
  return ticks >= self->earliest && ticks <= self->latest;
}

/* What @ticks is between @self->last and the time behind it. */
static guint64
mend (const TtOtf2Times *self, guint64 ticks, guint64 next, gboolean has_next)
{
  if (has_next && self->has_last && next >= self->last)
    {
      guint64 off = ticks > next ? ticks - next : ticks < self->last ? self->last - ticks : 0;
      gboolean is_far = off > MAX (self->stride, next - self->last) || !tt_otf2_times_can_be (self, ticks);

      return is_far ? self->last + (next - self->last) / 2 : ticks;
    }
  if (tt_otf2_times_can_be (self, ticks))
    return ticks;
  return self->has_last ? self->last : has_next ? next : CLAMP (ticks, self->earliest, self->latest);
}

guint64
tt_otf2_times_take (TtOtf2Times *self, guint64 ticks, TtOtf2NextTimeFunc next, gconstpointer data, gboolean *is_mended)
{
  guint64 told = ticks, later = 0;

  if (!self->has_last || ticks - self->last > self->stride)
    {
      gboolean has_later = next (data, &later);

      /* The archive is wrong, not they. */
      if (!self->has_last && has_later && !tt_otf2_times_can_be (self, ticks) && !tt_otf2_times_can_be (self, later))
        {
          self->earliest = 0;
          self->latest = G_MAXUINT64;
        }
      has_later = has_later && tt_otf2_times_can_be (self, later);
      if (!self->has_last && has_later && ticks > later && ticks - later > self->stride)
        ticks = later;
      else
        ticks = mend (self, ticks, later, has_later);
    }
  self->last = ticks;
  self->has_last = TRUE;
  *is_mended |= ticks != told;
  return ticks;
}
