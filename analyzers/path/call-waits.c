/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/call-waits.h"

#include "src/base/compare.h"
#include "src/trace/span.h"

typedef struct
{
  guint64 to, from;
  guint32 link; /* TtLink */
} Link;

/* An event that others waited for. */
typedef struct
{
  guint64 event;
  gint64 end_ns;
  guint32 thread; /* TT_NO_ID: has not come */
} Origin;

struct _TtCallWaits
{
  GArray *links;   /* of Link, sorted */
  GArray *origins; /* of Origin, sorted */
  guint next_link, next_origin;
  const TtDevicePart *part; /* while links are read; NULL: all */
  gboolean is_entangled;
};

static gboolean
is_of_another (const TtCallWaits *self, guint64 event)
{
  return self->part != NULL && (event < self->part->first || event > self->part->last);
}

/* -- flows ------------------------------------------------------------------------------------------- */

static gboolean
on_flow (const TtFlow *flow, gpointer data)
{
  TtCallWaits *self = data;
  const Link link = { .to = flow->to_event, .from = flow->from_event, .link = flow->link };
  const Origin origin = { .event = flow->from_event, .thread = TT_NO_ID };

  if (flow->from_event != 0 && flow->from_event < flow->to_event)
    {
      self->is_entangled |= is_of_another (self, link.from) || is_of_another (self, link.to);
      g_array_append_val (self->links, link);
      g_array_append_val (self->origins, origin);
    }
  return TRUE;
}

static int
compare_links (const void *a, const void *b)
{
  const Link *x = a, *y = b;
  int order = TT_COMPARE (x->to, y->to);

  order = order != 0 ? order : TT_COMPARE (x->from, y->from);
  return order != 0 ? order : TT_COMPARE (x->link, y->link);
}

static int
compare_origins (const void *a, const void *b)
{
  const Origin *x = a, *y = b;

  return TT_COMPARE (x->event, y->event);
}

static void
keep_one_of_each (GArray *origins)
{
  Origin *all = (Origin *) origins->data;
  guint n = 0;

  for (guint i = 0; i < origins->len; i++)
    if (n == 0 || all[i].event != all[n - 1].event)
      all[n++] = all[i];
  g_array_set_size (origins, n);
}

TtCallWaits *
tt_call_waits_new (TtStore *store, const TtDevicePart *part, GError **error)
{
  const guint links = 1u << TT_LINK_THREAD | 1u << TT_LINK_OBJECT | 1u << TT_LINK_QUEUE;
  const TtRowRange all = TT_ROWS_ALL;
  const TtRowRange own = { part == NULL ? 0 : (gint64) part->first, part == NULL ? 0 : (gint64) part->last };
  g_autoptr (TtCallWaits) self = g_new0 (TtCallWaits, 1);

  self->part = part;
  self->links = g_array_new (FALSE, FALSE, sizeof (Link));
  self->origins = g_array_new (FALSE, FALSE, sizeof (Origin));
  if (!tt_store_each_link_of (store, links, part == NULL ? &all : &own, on_flow, self, error))
    return NULL;
  g_array_sort (self->links, compare_links);
  g_array_sort (self->origins, compare_origins);
  keep_one_of_each (self->origins);
  self->part = NULL;
  return g_steal_pointer (&self);
}

void
tt_call_waits_free (TtCallWaits *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->links, g_array_unref);
  g_clear_pointer (&self->origins, g_array_unref);
  g_free (self);
}

/* -- events ------------------------------------------------------------------------------------------ */

static gint64
end_of (const TtEvent *event)
{
  return event->dur_ns == TT_NO_TIME ? event->ts_ns : tt_span_end (event->ts_ns, event->dur_ns);
}

/* NULL: it has not come. */
static const Origin *
find_origin (const TtCallWaits *self, guint64 event)
{
  const Origin key = { .event = event };
  const Origin *origin = NULL;
  guint at;

  if (g_array_binary_search (self->origins, &key, compare_origins, &at))
    origin = &g_array_index (self->origins, Origin, at);
  return origin == NULL || origin->thread == TT_NO_ID ? NULL : origin;
}

/* The moment at which @origin let @event go on; FALSE: it did not hold it up. */
static gboolean
held_up (TtLink link, const Origin *origin, const TtEvent *event, gint64 before_ns, TtSyncPoint *point)
{
  gint64 begin_ns = event->ts_ns, end_ns = origin->end_ns;

  switch (link)
    {
    case TT_LINK_THREAD:
      *point = (TtSyncPoint){ .at_ns = begin_ns, .wait_ns = begin_ns, .hop = TT_HOP_THREAD };
      return TRUE;
    case TT_LINK_OBJECT:
      *point = (TtSyncPoint){ .at_ns = end_ns, .wait_ns = before_ns, .hop = TT_HOP_OBJECT, .is_inferred = TRUE };
      return before_ns != TT_NO_TIME && before_ns < end_ns && end_ns <= begin_ns;
    case TT_LINK_QUEUE:
      *point = (TtSyncPoint){ .at_ns = end_ns, .wait_ns = begin_ns, .hop = TT_HOP_QUEUE, .is_inferred = TRUE };
      return begin_ns < end_ns && end_ns <= end_of (event);
    default:
      return FALSE;
    }
}

void
tt_call_waits_take (TtCallWaits *self, const TtEvent *event, gint64 before_ns, GArray *points)
{
  Origin *origins = (Origin *) self->origins->data;

  while (self->next_origin < self->origins->len && origins[self->next_origin].event < event->id)
    self->next_origin++;
  if (self->next_origin < self->origins->len && origins[self->next_origin].event == event->id)
    {
      origins[self->next_origin].thread = event->thread;
      origins[self->next_origin].end_ns = end_of (event);
    }

  for (; self->next_link < self->links->len; self->next_link++)
    {
      const Link *link = &g_array_index (self->links, Link, self->next_link);
      const Origin *origin;
      TtSyncPoint point;

      if (link->to > event->id)
        break;
      if (link->to < event->id || (origin = find_origin (self, link->from)) == NULL ||
          origin->thread == event->thread || !held_up ((TtLink) link->link, origin, event, before_ns, &point))
        continue;
      point.from_ns = point.at_ns;
      point.thread = event->thread;
      point.from_thread = origin->thread;
      g_array_append_val (points, point);
    }
}

gboolean
tt_call_waits_are_entangled (const TtCallWaits *self)
{
  return self->is_entangled;
}
