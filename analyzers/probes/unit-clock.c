/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/probes/unit-clock.h"

/* Products of three such differences have room in 128 bits. */
#define MOST_APART ((gint64) 1 << 40)
/* Times that are mapped keep so far from the ends of their type. */
#define MOST_NS (G_MAXINT64 / 4)

static const TtClockReading *
corner (const GArray *hull, guint i)
{
  return &g_array_index (hull, TtClockReading, i);
}

void
tt_unit_clock_init (TtUnitClock *self)
{
  *self = (TtUnitClock){ .lower = g_array_new (FALSE, FALSE, sizeof (TtClockReading)),
                         .upper = g_array_new (FALSE, FALSE, sizeof (TtClockReading)) };
}

void
tt_unit_clock_clear (TtUnitClock *self)
{
  g_clear_pointer (&self->lower, g_array_unref);
  g_clear_pointer (&self->upper, g_array_unref);
}

/* Above 0: @c lies above the line from @a to @b. */
static tt_int128
side (const TtClockReading *a, const TtClockReading *b, const TtClockReading *c)
{
  return (tt_int128) (b->cycles - a->cycles) * (c->ns - a->ns) - (tt_int128) (b->ns - a->ns) * (c->cycles - a->cycles);
}

/* @sign 1: of the lower hull, -1: of the upper one. */
static void
add_corner (GArray *hull, const TtClockReading *reading, int sign)
{
  while (hull->len >= 2 && side (corner (hull, hull->len - 2), corner (hull, hull->len - 1), reading) * sign <= 0)
    g_array_set_size (hull, hull->len - 1);
  g_array_append_vals (hull, reading, 1);
}

void
tt_unit_clock_add (TtUnitClock *self, gint64 cycles, gint64 ns)
{
  const TtClockReading reading = { cycles, ns };
  gint64 apart_cycles, apart_ns;

  self->n++;
  if (self->lower->len > 0)
    {
      const TtClockReading *first = corner (self->lower, 0);

      if (__builtin_sub_overflow (cycles, first->cycles, &apart_cycles) ||
          __builtin_sub_overflow (ns, first->ns, &apart_ns) || apart_cycles > MOST_APART || apart_ns > MOST_APART ||
          apart_ns < -MOST_APART)
        self->is_out_of_range = TRUE;
      if (self->is_out_of_range)
        return;
    }
  /* Of readings of one cycle the first is below, the last above. */
  if (self->lower->len == 0 || corner (self->lower, self->lower->len - 1)->cycles != cycles)
    add_corner (self->lower, &reading, 1);
  if (self->upper->len > 0 && corner (self->upper, self->upper->len - 1)->cycles == cycles)
    g_array_set_size (self->upper, self->upper->len - 1);
  add_corner (self->upper, &reading, -1);
}

/* -- the narrowest strip ----------------------------------------------------------------------------------- */

static tt_int128
absolute (tt_int128 value)
{
  return value < 0 ? -value : value;
}

/* Of strips along an edge of @hull. The corner of @other that is farthest goes left when edges go right. */
static void
try_edges (TtUnitClock *self, const GArray *hull, const GArray *other)
{
  guint farthest = other->len - 1;

  for (guint i = 0; i + 1 < hull->len; i++)
    {
      const TtClockReading *a = corner (hull, i), *b = corner (hull, i + 1);
      gint64 rise = b->ns - a->ns, run = b->cycles - a->cycles;

      while (farthest > 0 &&
             absolute (side (a, b, corner (other, farthest - 1))) >= absolute (side (a, b, corner (other, farthest))))
        farthest--;
      tt_int128 above = side (a, b, corner (other, farthest));
      if (self->is_fitted && absolute (above) * self->run >= absolute (self->above) * run)
        continue;
      self->is_fitted = TRUE;
      self->at = *a;
      self->rise = rise;
      self->run = run;
      self->above = above;
    }
}

gboolean
tt_unit_clock_fit (TtUnitClock *self)
{
  self->is_fitted = FALSE;
  if (self->is_out_of_range || self->n == 0)
    return FALSE;
  try_edges (self, self->lower, self->upper);
  try_edges (self, self->upper, self->lower);
  self->is_fitted &= self->rise > 0;
  return self->is_fitted;
}

gboolean
tt_unit_clock_borrow (TtUnitClock *self, const TtUnitClock *other)
{
  if (self->is_out_of_range || self->lower->len != 1)
    return FALSE;
  self->is_fitted = self->is_borrowed = TRUE;
  self->at = *corner (self->lower, 0);
  self->rise = other->rise;
  self->run = other->run;
  self->above = (tt_int128) (corner (self->upper, 0)->ns - self->at.ns) * self->run;
  return TRUE;
}

gint64
tt_unit_clock_error (const TtUnitClock *self)
{
  tt_int128 twice = (tt_int128) 2 * self->run;

  return (gint64) ((absolute (self->above) + twice - 1) / twice);
}

gint64
tt_unit_clock_ns (const TtUnitClock *self, gint64 cycles)
{
  tt_int128 twice = (tt_int128) 2 * self->run;
  tt_int128 sum = ((tt_int128) cycles - self->at.cycles) * 2 * self->rise + self->above, ns = sum / twice;

  ns -= sum % twice < 0;
  ns += self->at.ns;
  return (gint64) CLAMP (ns, -(tt_int128) MOST_NS, (tt_int128) MOST_NS);
}
