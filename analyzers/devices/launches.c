/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/devices/launches.h"

#include "analyzers/spans/each-event.h"
#include "src/base/packed.h"
#include "src/store/store.h"
#include "src/trace/span.h"

typedef struct
{
  guint64 event, launch;
} Pair;

struct _TtLaunches
{
  GArray *pairs;                   /* of Pair, by event */
  GArray *launches;                /* of TtLaunch, by event */
  guint pairs_left, launches_left; /* whose events are before the scan's */
  guint last;                      /* launch found last */
};

TtLaunches *
tt_launches_new (void)
{
  TtLaunches *self = g_new0 (TtLaunches, 1);

  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  self->launches = g_array_new (FALSE, FALSE, sizeof (TtLaunch));
  return self;
}

void
tt_launches_free (TtLaunches *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pairs);
  g_array_unref (self->launches);
  g_free (self);
}

static gboolean
take_row (const TtActivityRow *row, gpointer data)
{
  TtLaunches *self = data;
  const Pair pair = { row->event, row->launch };
  const TtLaunch call = { .event = row->launch, .begin_ns = TT_NO_TIME, .end_ns = TT_NO_TIME };

  if (row->launch == 0 || !tt_activity_is_work (row->what.role))
    return TRUE;
  g_array_append_val (self->pairs, pair);
  g_array_append_val (self->launches, call);
  return TRUE;
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

gboolean
tt_launches_load (TtLaunches *self, TtDeviceRoles *roles, TtStore *store, const TtDevicePart *part, GError **error)
{
  guint n = 0;

  if (!tt_device_roles_load_of (roles, store, part, take_row, self, error))
    return FALSE;
  sort (self->pairs);
  sort (self->launches);
  TtLaunch *launches = (TtLaunch *) (gpointer) self->launches->data;
  for (guint i = 0; i < self->launches->len; i++)
    if (n == 0 || launches[n - 1].event != launches[i].event)
      launches[n++] = launches[i];
  g_array_set_size (self->launches, n);
  self->pairs_left = self->pairs->len;
  self->launches_left = n;
  return TRUE;
}

/* By launch, of a time window. */
enum
{
  WORKS_IN_IT = 1,
  CALLED_IN_IT = 2,
};

typedef struct
{
  const TtLaunches *launches;
  guint8 *marks;
} Window;

static gpointer
find_by_event (const GArray *array, guint64 event)
{
  return array->len == 0
             ? NULL
             : bsearch (&event, array->data, array->len, g_array_get_element_size ((GArray *) array), compare_events);
}

static gboolean
mark_launch (const TtEvent *event, gpointer data, GError **error)
{
  Window *self = data;
  const TtLaunch *first = (const TtLaunch *) (gconstpointer) self->launches->launches->data;
  const Pair *pair = find_by_event (self->launches->pairs, event->id);
  const TtLaunch *call = find_by_event (self->launches->launches, event->id);

  if (call != NULL)
    self->marks[call - first] |= CALLED_IN_IT;
  call = pair == NULL ? NULL : find_by_event (self->launches->launches, pair->launch);
  if (call != NULL)
    self->marks[call - first] |= WORKS_IN_IT;
  return TRUE;
}

static gboolean
widen (const TtLaunches *self,
       TtStore *store,
       const TtEventPart *part,
       gint64 *begin_ns,
       gint64 *end_ns,
       GError **error)
{
  g_autofree guint8 *marks = g_new0 (guint8, (gsize) self->launches->len + 1);
  Window window = { self, marks };

  if (!tt_each_event_of (store, part, mark_launch, &window, error))
    return FALSE;
  /* Few: what was launched before the window and had not begun. */
  for (guint i = 0; i < self->launches->len; i++)
    {
      TtEvent call;

      if (marks[i] != WORKS_IN_IT)
        continue;
      /* One that is not there is not known, as in a scan of all. */
      if (!tt_store_event (store, g_array_index (self->launches, TtLaunch, i).event, &call, NULL))
        continue;
      *begin_ns = MIN (*begin_ns, call.ts_ns);
      *end_ns = MAX (*end_ns, tt_span_end (call.ts_ns, MAX (call.dur_ns, 0)));
    }
  return TRUE;
}

/* Of all ranks. */
typedef struct
{
  gint64 begin_ns, end_ns;
  guint n_ranks;
  GByteArray *told;
} Widest;

static gboolean
add_window (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Widest *self = data;
  TtUnpack from = tt_unpack_all (said);
  const gint64 begin_ns = tt_unpack_signed (&from), end_ns = tt_unpack_signed (&from);

  if (from.is_bad)
    return tt_crew_refuse (rank, error);
  self->begin_ns = MIN (self->begin_ns, begin_ns);
  self->end_ns = MAX (self->end_ns, end_ns);
  if (rank + 1 < self->n_ranks)
    return TRUE;
  tt_pack_signed (self->told, self->begin_ns);
  tt_pack_signed (self->told, self->end_ns);
  return TRUE;
}

static gboolean
find_widest (const TtCrew *crew, gint64 *begin_ns, gint64 *end_ns, GError **error)
{
  g_autoptr (GByteArray) own = g_byte_array_new (), told = g_byte_array_new ();
  Widest widest = { *begin_ns, *end_ns, crew->n, told };

  tt_pack_signed (own, *begin_ns);
  tt_pack_signed (own, *end_ns);
  if (!tt_crew_meet (crew, own, add_window, &widest, told, error))
    return FALSE;
  TtUnpack from = tt_unpack_all (told);
  *begin_ns = tt_unpack_signed (&from);
  *end_ns = tt_unpack_signed (&from);
  return !from.is_bad || tt_crew_refuse (0, error);
}

gboolean
tt_launches_widen (const TtLaunches *self,
                   TtStore *store,
                   const TtDevicePart *part,
                   gint64 *begin_ns,
                   gint64 *end_ns,
                   GError **error)
{
  TtEventPart events = TT_EVENT_PART_ALL;

  if (*begin_ns == G_MININT64 && *end_ns == G_MAXINT64)
    return TRUE;
  events.begin_ns = *begin_ns;
  events.end_ns = *end_ns;
  if (part != NULL)
    {
      events.first = part->first;
      events.last = part->last;
    }
  if (self->launches->len > 0 && events.first <= events.last && !widen (self, store, &events, begin_ns, end_ns, error))
    return FALSE;
  return part == NULL || find_widest (part->crew, begin_ns, end_ns, error);
}

/* What is launched one after the other was mostly launched by calls one after the other. */
static guint32
number_of (TtLaunches *self, guint64 event)
{
  const TtLaunch *launches = (const TtLaunch *) (gconstpointer) self->launches->data;
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
tt_launches_see (TtLaunches *self, const TtEvent *event, TtLaunch **launch)
{
  TtLaunch *launches = (TtLaunch *) (gpointer) self->launches->data;
  const Pair *pairs = (const Pair *) (gconstpointer) self->pairs->data;

  *launch = NULL;
  while (self->launches_left > 0 && launches[self->launches_left - 1].event > event->id)
    self->launches_left--;
  if (self->launches_left > 0 && launches[self->launches_left - 1].event == event->id && event->dur_ns != TT_NO_TIME)
    {
      *launch = &launches[self->launches_left - 1];
      (*launch)->begin_ns = event->ts_ns;
      (*launch)->end_ns = tt_span_end (event->ts_ns, event->dur_ns);
      (*launch)->thread = event->thread;
      (*launch)->name = event->name;
    }
  while (self->pairs_left > 0 && pairs[self->pairs_left - 1].event > event->id)
    self->pairs_left--;
  if (self->pairs_left == 0 || pairs[self->pairs_left - 1].event != event->id)
    return 0;
  return number_of (self, pairs[self->pairs_left - 1].launch);
}

const TtLaunch *
tt_launches_get (const TtLaunches *self, guint32 number)
{
  const TtLaunch *launch;

  if (number == 0 || number > self->launches->len)
    return NULL;
  launch = &g_array_index (self->launches, TtLaunch, number - 1);
  return launch->begin_ns == TT_NO_TIME ? NULL : launch;
}
