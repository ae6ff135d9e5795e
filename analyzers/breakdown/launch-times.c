/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/launch-times.h"

typedef struct
{
  guint64 event, launch;
} Pair;

typedef struct
{
  guint64 event;
  gint64 ns;
} Launch;

struct _TtLaunchTimes
{
  GArray *pairs;    /* of Pair, by event */
  GArray *launches; /* of Launch, by event */
  guint pairs_left, launches_left; /* whose events are before the scan's */
  guint last; /* launch found last */
};

TtLaunchTimes *
tt_launch_times_new (void)
{
  TtLaunchTimes *self = g_new0 (TtLaunchTimes, 1);

  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  self->launches = g_array_new (FALSE, FALSE, sizeof (Launch));
  return self;
}

void
tt_launch_times_free (TtLaunchTimes *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pairs);
  g_array_unref (self->launches);
  g_free (self);
}

void
tt_launch_times_add (TtLaunchTimes *self, guint64 event, guint64 launch)
{
  const Pair pair = { event, launch };
  const Launch call = { launch, TT_NO_TIME };

  g_array_append_val (self->pairs, pair);
  g_array_append_val (self->launches, call);
}

/* Both begin with the id of an event. */
static int
compare_events (gconstpointer a, gconstpointer b)
{
  guint64 first = *(const guint64 *) a, second = *(const guint64 *) b;

  return first < second ? -1 : first > second;
}

/* Mostly they are in order. */
static void
sort (GArray *array)
{
  gsize size = g_array_get_element_size (array);

  for (guint i = 1; i < array->len; i++)
    if (compare_events (array->data + (i - 1) * size, array->data + i * size) > 0)
      {
        g_array_sort (array, compare_events);
        return;
      }
}

void
tt_launch_times_prepare (TtLaunchTimes *self)
{
  guint n = 0;

  sort (self->pairs);
  sort (self->launches);
  Launch *launches = (Launch *) (gpointer) self->launches->data;
  for (guint i = 0; i < self->launches->len; i++)
    if (n == 0 || launches[n - 1].event != launches[i].event)
      launches[n++] = launches[i];
  g_array_set_size (self->launches, n);
  self->pairs_left = self->pairs->len;
  self->launches_left = n;
}

/* What is launched one after the other was mostly launched by calls one after the other. */
static guint32
number_of (TtLaunchTimes *self, guint64 event)
{
  const Launch *launches = (const Launch *) (gconstpointer) self->launches->data;
  guint low = 0, high = self->launches->len;

  if (self->last < high && launches[self->last].event == event)
    return self->last + 1;
  if (self->last > 0 && self->last <= high && launches[self->last - 1].event == event)
    return self->last--;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (launches[middle].event < event)
        low = middle + 1;
      else
        high = middle;
    }
  self->last = low;
  return low + 1;
}

guint32
tt_launch_times_see (TtLaunchTimes *self, const TtEvent *event)
{
  Launch *launches = (Launch *) (gpointer) self->launches->data;
  const Pair *pairs = (const Pair *) (gconstpointer) self->pairs->data;

  while (self->launches_left > 0 && launches[self->launches_left - 1].event > event->id)
    self->launches_left--;
  if (self->launches_left > 0 && launches[self->launches_left - 1].event == event->id)
    launches[self->launches_left - 1].ns = event->ts_ns;
  while (self->pairs_left > 0 && pairs[self->pairs_left - 1].event > event->id)
    self->pairs_left--;
  if (self->pairs_left == 0 || pairs[self->pairs_left - 1].event != event->id)
    return 0;
  return number_of (self, pairs[self->pairs_left - 1].launch);
}

gint64
tt_launch_times_ns (const TtLaunchTimes *self, guint32 number)
{
  return number == 0 || number > self->launches->len ? TT_NO_TIME : g_array_index (self->launches, Launch, number - 1).ns;
}
