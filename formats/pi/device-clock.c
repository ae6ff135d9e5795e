/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/device-private.h"

#include "src/base/compare.h"
#include "src/base/int128.h"

/* Of one device; more are left out. */
#define MAX_READINGS (1u << 20)

void
tt_pi_clock_clear (TtPiDeviceClock *self)
{
  g_clear_pointer (&self->readings, g_array_unref);
}

void
tt_pi_clock_bound (TtPiDeviceClock *self, gint64 least, gint64 most)
{
  self->least = MAX (self->least, least);
  self->most = MIN (self->most, most);
}

void
tt_pi_clock_read (TtPiDeviceClock *self, guint64 device_ns, gint64 before_ns, gint64 after_ns)
{
  const TtPiClockReading new = { device_ns, before_ns, after_ns };

  if (self->readings == NULL)
    self->readings = g_array_new (FALSE, FALSE, sizeof new);
  if (self->readings->len < MAX_READINGS && after_ns >= before_ns)
    g_array_append_val (self->readings, new);
}

static const TtPiClockReading *
reading_at (const TtPiDeviceClock *self, guint index)
{
  return &g_array_index (self->readings, TtPiClockReading, index);
}

static gint64
middle (const TtPiClockReading *reading)
{
  return reading->before_ns + (reading->after_ns - reading->before_ns) / 2;
}

static int
compare_readings (gconstpointer a, gconstpointer b)
{
  const TtPiClockReading *x = a, *y = b;

  const int order = TT_COMPARE (x->device_ns, y->device_ns);
  return order != 0 ? order : TT_COMPARE (x->after_ns - x->before_ns, y->after_ns - y->before_ns);
}

/* Later times of the device are not before earlier ones of the host: a reading that says so is left out. */
static void
sort_readings (TtPiDeviceClock *self)
{
  guint n = 0;

  g_array_sort (self->readings, compare_readings);
  for (guint i = 0; i < self->readings->len; i++)
    {
      TtPiClockReading *of = &g_array_index (self->readings, TtPiClockReading, 0);
      if (n == 0 || (of[i].device_ns > of[n - 1].device_ns && of[i].after_ns >= of[n - 1].before_ns &&
                     middle (&of[i]) >= middle (&of[n - 1])))
        of[n++] = of[i];
    }
  g_array_set_size (self->readings, n);
}

/* One number for all readings, narrowed by the commands where they agree. */
static gboolean
settle_offset (TtPiDeviceClock *self)
{
  gint64 least = G_MININT64, most = G_MAXINT64;

  for (guint i = 0; i < self->readings->len; i++)
    {
      const TtPiClockReading *reading = reading_at (self, i);
      least = MAX (least, (gint64) reading->device_ns - reading->after_ns);
      most = MIN (most, (gint64) reading->device_ns - reading->before_ns);
    }
  if (least > most)
    return FALSE;
  if (MAX (least, self->least) <= MIN (most, self->most))
    {
      least = MAX (least, self->least);
      most = MIN (most, self->most);
    }
  self->least = least;
  self->most = most;
  return TRUE;
}

void
tt_pi_clock_settle (TtPiDeviceClock *self)
{
  self->error_ns = -1;
  if (self->readings != NULL)
    {
      sort_readings (self);
      self->drifts = !settle_offset (self);
      for (guint i = 0; self->drifts && i < self->readings->len; i++)
        self->error_ns =
            MAX (self->error_ns, (reading_at (self, i)->after_ns - reading_at (self, i)->before_ns + 1) / 2);
    }
  if (!self->drifts && self->least != G_MININT64 && self->most != G_MAXINT64 && self->least <= self->most)
    self->error_ns = (self->most - self->least + 1) / 2;
}

/* The number of readings at or before @device_ns. */
static guint
find_reading (const TtPiDeviceClock *self, guint64 device_ns)
{
  guint low = 0, high = self->readings->len;

  while (low < high)
    {
      guint at = low + (high - low) / 2;
      if (reading_at (self, at)->device_ns <= device_ns)
        low = at + 1;
      else
        high = at;
    }
  return low;
}

static gint64
interpolate (const TtPiDeviceClock *self, guint64 device_ns)
{
  guint n = self->readings->len;
  guint after = CLAMP (find_reading (self, device_ns), 1, n - 1);
  const TtPiClockReading *a = reading_at (self, after - 1), *b = reading_at (self, after);
  gint64 beyond = device_ns > b->device_ns ? (gint64) (device_ns - b->device_ns) : 0;

  /* Outside of all readings the clock runs as the calls'. */
  if (device_ns < a->device_ns)
    return middle (a) - (gint64) (a->device_ns - device_ns);
  tt_int128 part = (tt_int128) (device_ns - a->device_ns - (guint64) beyond) * (middle (b) - middle (a));
  return middle (a) + (gint64) (part / (gint64) (b->device_ns - a->device_ns)) + beyond;
}

gint64
tt_pi_clock_convert (const TtPiDeviceClock *self, guint64 device_ns)
{
  gint64 ahead;

  if (self->drifts)
    return interpolate (self, device_ns);
  if (self->least == G_MININT64)
    ahead = self->most;
  else if (self->most == G_MAXINT64)
    ahead = self->least;
  else
    ahead = self->least + (self->most - self->least) / 2;
  return (gint64) device_ns - ahead;
}

gint64
tt_pi_clock_rate_ppb (const TtPiDeviceClock *self)
{
  if (!self->drifts || self->readings->len < 2)
    return 0;
  const TtPiClockReading *first = reading_at (self, 0), *last = reading_at (self, self->readings->len - 1);
  gint64 host = middle (last) - middle (first), device = (gint64) (last->device_ns - first->device_ns);
  if (host <= 0)
    return 0;
  tt_int128 rate = (tt_int128) (device - host) * 1000000000 / host;
  return (gint64) CLAMP (rate, G_MININT64 / 2, G_MAXINT64 / 2);
}
