/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/event-list.h"

#include "src/base/compare.h"
#include "src/trace/span.h"

struct _TtEventList
{
  TtDeviceFactsReader reader;
  GArray *events;
};

TtEventList *
tt_event_list_new (TtDeviceFactsReader reader)
{
  TtEventList *self = g_new0 (TtEventList, 1);

  self->reader = reader;
  self->events = g_array_new (FALSE, FALSE, sizeof (TtListedEvent));
  return self;
}

void
tt_event_list_free (TtEventList *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->events);
  g_free (self);
}

void
tt_event_list_add (TtEventList *self, const TtEvent *event, TtActivityRole role, guint32 name)
{
  TtListedEvent listed = { .thread = event->thread,
                           .name = name,
                           .begin_ns = event->ts_ns,
                           .end_ns = tt_span_end (event->ts_ns, event->dur_ns),
                           .is_async = (event->flags & TT_FLAG_ASYNC) != 0,
                           .role = role };

  self->reader (event->args, event->args_len, &listed.facts);
  g_array_append_val (self->events, listed);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const TtListedEvent *x = a, *y = b;
  int order = TT_COMPARE (x->begin_ns, y->begin_ns);

  if (order == 0)
    order = TT_COMPARE (y->end_ns, x->end_ns);
  if (order == 0)
    order = TT_COMPARE (x->thread, y->thread);
  if (order == 0)
    order = TT_COMPARE (x->name, y->name);
  return order != 0 ? order : TT_COMPARE (x->facts.correlation, y->facts.correlation);
}

void
tt_event_list_finish (TtEventList *self)
{
  g_array_sort (self->events, compare_events);
}

const GArray *
tt_event_list_events (const TtEventList *self)
{
  return self->events;
}
