/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/clock.h"

#include "src/base/int128.h"

#define NS G_GUINT64_CONSTANT (1000000000)

void
tt_otf2_clock_init (TtOtf2Clock *self, guint64 resolution, guint64 first_tick, guint64 realtime_ns)
{
  /* Faster clocks than this there are none, and sums stay within 64 bits. */
  *self = (TtOtf2Clock){ .resolution = MIN (resolution, G_GUINT64_CONSTANT (1) << 62), .first_tick = first_tick };
  self->realtime_ns = realtime_ns == 0 || realtime_ns > G_MAXINT64 ? TT_NO_TIME : (gint64) realtime_ns;
  tt_otf2_clock_seek (self, first_tick);
}

/* The quotient rounded down, also of negative numbers, within half of 64 bits, so that sums stay within. */
static gint64
divide (tt_int128 ticks, guint64 resolution, guint64 *rest)
{
  tt_int128 scaled = ticks * (tt_int128) NS, ns = scaled / (tt_int128) resolution;

  if (scaled < 0 && ns * (tt_int128) resolution != scaled)
    ns--;
  *rest = (guint64) (scaled - ns * (tt_int128) resolution);
  if (ns > G_MAXINT64 / 4)
    return G_MAXINT64 / 4;
  return ns < -(G_MAXINT64 / 4) ? -(G_MAXINT64 / 4) : (gint64) ns;
}

gint64
tt_otf2_clock_seek (TtOtf2Clock *self, guint64 ticks)
{
  gboolean is_dated = self->realtime_ns != TT_NO_TIME;
  tt_int128 from = is_dated ? (tt_int128) self->first_tick : 0;

  self->last_ticks = ticks;
  self->last_ns = divide ((tt_int128) ticks - from, self->resolution, &self->last_rest);
  if (is_dated)
    self->last_ns = MIN (self->last_ns, G_MAXINT64 / 4) + MIN (self->realtime_ns, G_MAXINT64 / 4);
  return self->last_ns;
}
