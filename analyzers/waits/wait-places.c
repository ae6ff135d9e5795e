/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/wait-places.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"
#include "analyzers/statistics/grouping.h"
#include "src/base/array.h"
#include "src/base/compare.h"

typedef struct
{
  guint32 path;
} OpenSpan;

struct _TtWaitPlaces
{
  TtWaitPlace *places; /* by wait */
  guint32 *by_event;   /* numbers of waits, the last event first */
  guint n, next;       /* of these, in the scan */
  const TtWait *waits; /* while it lasts */
  TtGrouping *paths;
  TtSpanParents *parents;
};

static int
compare_events (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtWait *waits = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;

  return -TT_COMPARE (waits[i].event, waits[k].event);
}

/* Stretches of time that only have a name are no part of a path. */
static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  TtWaitPlaces *self = data;
  gpointer around = NULL;

  if (event->dur_ns == TT_NO_TIME)
    return TRUE;
  OpenSpan *span = tt_span_parents_add (self->parents, event, &around, error);
  if (span == NULL)
    return FALSE;
  guint32 parent = around == NULL ? 0 : ((OpenSpan *) around)->path;
  span->path = (event->flags & TT_FLAG_WINDOW) != 0 ? parent : tt_grouping_path (self->paths, parent, event->name);
  /* Of too many, what is called counts for its caller. */
  if (span->path == 0)
    span->path = parent;
  for (; self->next < self->n && self->waits[self->by_event[self->next]].event >= event->id; self->next++)
    if (self->waits[self->by_event[self->next]].event == event->id)
      self->places[self->by_event[self->next]] = (TtWaitPlace){ span->path, event->step };
  return TRUE;
}

TtWaitPlaces *
tt_wait_places_new (TtStore *store, const TtWaits *waits, GError **error)
{
  const TtGroupKeys keys = { 1, { TT_KEY_PATH } };
  g_autoptr (TtWaitPlaces) self = g_new0 (TtWaitPlaces, 1);

  self->waits = TT_ARRAY (waits->waits, TtWait);
  self->n = waits->waits->len;
  self->places = g_new (TtWaitPlace, (gsize) self->n + 1);
  self->by_event = g_new (guint32, (gsize) self->n + 1);
  for (guint32 i = 0; i < self->n; i++)
    {
      self->places[i] = (TtWaitPlace){ 0, TT_NO_STEP };
      self->by_event[i] = i;
    }
  g_qsort_with_data (self->by_event, (gint) self->n, sizeof (guint32), compare_events, (gpointer) self->waits);
  self->paths = tt_grouping_new (store, &keys);
  self->parents = tt_span_parents_new (tt_store_max_thread (store), sizeof (OpenSpan), NULL, NULL);
  if (!tt_each_event (store, TT_SCAN_REVERSE, take_event, self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_wait_places_free (TtWaitPlaces *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->parents, tt_span_parents_free);
  g_clear_pointer (&self->paths, tt_grouping_free);
  g_free (self->places);
  g_free (self->by_event);
  g_free (self);
}

TtWaitPlace
tt_wait_places_get (const TtWaitPlaces *self, guint wait)
{
  g_return_val_if_fail (wait < self->n, ((TtWaitPlace){ 0, TT_NO_STEP }));

  return self->places[wait];
}

char *
tt_wait_places_path_text (const TtWaitPlaces *self, guint32 path)
{
  return path == 0 ? NULL : tt_grouping_path_text (self->paths, path);
}
