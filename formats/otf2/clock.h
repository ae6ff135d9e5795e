/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Clock: ticks of an archive's clock in ns.
 *
 * Rounded down, exactly; since 1970 where the archive says when it was recorded, else as the clock shows them.
 */
#pragma once

#include "src/trace/event.h"

typedef struct
{
  guint64 resolution; /* ticks a second, > 0 */
  guint64 first_tick;
  gint64 realtime_ns; /* of the first tick; TT_NO_TIME: not known */

  /* The last that was asked for: most are near it, and need no long division. */
  guint64 last_ticks, last_rest;
  gint64 last_ns;
} TtOtf2Clock;

void tt_otf2_clock_init (TtOtf2Clock *self, guint64 resolution, guint64 first_tick, guint64 realtime_ns);
gint64 tt_otf2_clock_seek (TtOtf2Clock *self, guint64 ticks);

static inline gint64
tt_otf2_clock_ns (TtOtf2Clock *self, guint64 ticks)
{
  guint64 more = ticks - self->last_ticks;
  gint64 ns;

  if (G_UNLIKELY (more > G_MAXUINT32 || ticks < self->last_ticks))
    return tt_otf2_clock_seek (self, ticks);
  /* Below 2^62 and 2^63. */
  guint64 scaled = more * 1000000000 + self->last_rest;
  if (__builtin_add_overflow (self->last_ns, (gint64) (scaled / self->resolution), &ns) || ns > G_MAXINT64 / 2)
    return tt_otf2_clock_seek (self, ticks);
  self->last_ticks = ticks;
  self->last_ns = ns;
  self->last_rest = scaled % self->resolution;
  return ns;
}
