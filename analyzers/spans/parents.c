/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/spans/parents.h"

#include "src/base/error.h"
#include "src/trace/lane.h"
#include "src/trace/span.h"

#include <string.h>

/* What is kept of a span, in order of starts; its payload follows. */
typedef struct
{
  gint64 ts_ns;
  guint64 depth;
} Kept;

typedef struct
{
  guint8 *items;
  guint n, allocated;
  TtLane lane;
  gboolean is_crossed; /* a span crosses another */
  guint64 max_depth;   /* that the next span can have */
} Stack;

struct _TtSpanParents
{
  Stack *stacks; /* by thread; the last is for asynchronous spans */
  guint32 max_thread;
  gsize payload_size, item_size;
  TtSpanClosed on_closed;
  gpointer data;
};

TtSpanParents *
tt_span_parents_new (guint32 max_thread, gsize payload_size, TtSpanClosed on_closed, gpointer data)
{
  TtSpanParents *self = g_new0 (TtSpanParents, 1);

  self->stacks = g_new0 (Stack, (gsize) max_thread + 2);
  self->max_thread = max_thread;
  self->payload_size = payload_size;
  self->item_size = sizeof (Kept) + (payload_size + 7) / 8 * 8;
  self->on_closed = on_closed;
  self->data = data;
  return self;
}

void
tt_span_parents_free (TtSpanParents *self)
{
  if (self == NULL)
    return;
  for (gsize i = 0; i < (gsize) self->max_thread + 2; i++)
    g_free (self->stacks[i].items);
  g_free (self->stacks);
  g_free (self);
}

static inline Kept *
kept_at (const TtSpanParents *self, const Stack *stack, guint i)
{
  return (Kept *) (gpointer) (stack->items + i * self->item_size);
}

static inline void
drop_last (TtSpanParents *self, Stack *stack)
{
  stack->n--;
  if (self->on_closed != NULL)
    self->on_closed (kept_at (self, stack, stack->n) + 1, self->data);
}

static void
drop_all (TtSpanParents *self, Stack *stack)
{
  while (stack->n > 0)
    drop_last (self, stack);
}

/* Closes the spans that start after the end of @event; those that start inside it cross it. */
static guint
place_among_crossed (TtSpanParents *self, Stack *stack, const TtEvent *event)
{
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  guint place;

  for (; stack->n > 0; drop_last (self, stack))
    {
      gint64 ts_ns = kept_at (self, stack, stack->n - 1)->ts_ns;
      if (ts_ns <= event->ts_ns || ts_ns < end_ns)
        break;
    }
  for (place = stack->n; place > 0 && kept_at (self, stack, place - 1)->ts_ns > event->ts_ns;)
    place--;
  return place;
}

/* NULL: there is no such thread. */
static Stack *
stack_of (const TtSpanParents *self, const TtEvent *event)
{
  const gboolean is_async = (event->flags & TT_FLAG_ASYNC) != 0;

  return event->thread > self->max_thread ? NULL : &self->stacks[is_async ? self->max_thread + 1 : event->thread];
}

static gboolean
fits (const Stack *stack, const TtEvent *event)
{
  return stack != NULL && (event->depth <= stack->max_depth || stack->is_crossed);
}

gboolean
tt_span_parents_fits (const TtSpanParents *self, const TtEvent *event)
{
  return fits (stack_of (self, event), event);
}

/* The stack of the span and its place there; those below may contain it. NULL: it fits nowhere. */
static Stack *
find_place (TtSpanParents *self, const TtEvent *event, guint *place, GError **error)
{
  gboolean is_async = (event->flags & TT_FLAG_ASYNC) != 0;
  Stack *stack = stack_of (self, event);

  /* Asynchronous spans come key by key. */
  if (stack != NULL && G_UNLIKELY (tt_lane_begins (&stack->lane, event->source,
                                                   is_async ? 0 : tt_span_end (event->ts_ns, event->dur_ns))))
    {
      drop_all (self, stack);
      *stack = (Stack){ .items = stack->items, .allocated = stack->allocated, .lane = stack->lane };
    }
  if (!fits (stack, event))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "the database is damaged: event %" G_GUINT64_FORMAT " is at depth %u without a parent", event->id,
                   event->depth);
      return NULL;
    }

  stack->max_depth = (guint64) event->depth + 1;
  stack->is_crossed |= !is_async && (event->flags & TT_FLAG_OVERLAP) != 0;
  if (G_UNLIKELY (stack->is_crossed))
    *place = place_among_crossed (self, stack, event);
  else
    {
      while (stack->n > 0 && kept_at (self, stack, stack->n - 1)->depth >= event->depth)
        drop_last (self, stack);
      *place = stack->n;
    }
  return stack;
}

static gpointer
payload_before (const TtSpanParents *self, const Stack *stack, guint place)
{
  return place == 0 ? NULL : kept_at (self, stack, place - 1) + 1;
}

gpointer
tt_span_parents_add (TtSpanParents *self, const TtEvent *event, gpointer *parent, GError **error)
{
  guint place;
  Stack *stack = find_place (self, event, &place, error);

  if (stack == NULL)
    return NULL;
  if (stack->n == stack->allocated)
    {
      stack->allocated = MAX (2 * stack->allocated, 16);
      stack->items = g_realloc (stack->items, stack->allocated * self->item_size);
    }
  while (stack->n - place > TT_SPAN_PARENTS_MAX_CROSSED)
    drop_last (self, stack);

  Kept *kept = kept_at (self, stack, place);
  memmove (stack->items + (place + 1) * self->item_size, kept, (stack->n - place) * self->item_size);
  stack->n++;
  *kept = (Kept){ .ts_ns = event->ts_ns, .depth = event->depth };
  memset (kept + 1, 0, self->payload_size);
  *parent = payload_before (self, stack, place);
  return kept + 1;
}

gboolean
tt_span_parents_pass (TtSpanParents *self, const TtEvent *event, gpointer *parent, GError **error)
{
  guint place;
  const Stack *stack = find_place (self, event, &place, error);

  if (stack != NULL)
    *parent = payload_before (self, stack, place);
  return stack != NULL;
}

void
tt_span_parents_each (const TtSpanParents *self, TtSpanClosed func, gpointer data)
{
  for (gsize i = 0; i < (gsize) self->max_thread + 2; i++)
    for (guint k = 0; k < self->stacks[i].n; k++)
      func (kept_at (self, &self->stacks[i], k) + 1, data);
}

void
tt_span_parents_finish (TtSpanParents *self)
{
  for (gsize i = 0; i < (gsize) self->max_thread + 2; i++)
    drop_all (self, &self->stacks[i]);
}
