#include "config.h"

#include "analyzers/spans/around.h"

#include "src/base/error.h"

#include <string.h>

/* What is kept of a span, in begin order; its payload lies behind it. */
typedef struct
{
  gint64 ts_ns;
  guint64 depth;
} Kept;

typedef struct
{
  guint8 *items;
  guint n, allocated;
  guint32 source;
  gboolean is_crossed; /* spans that cross have come */
  guint64 most_depth;  /* that the next span can have */
} Stack;

struct _TtAround
{
  Stack *stacks; /* by thread; the last is for asynchronous spans */
  guint32 max_thread;
  gsize payload_size, item_size;
  TtAroundOver over;
  gpointer data;
};

TtAround *
tt_around_new (guint32 max_thread, gsize payload_size, TtAroundOver over, gpointer data)
{
  TtAround *self = g_new0 (TtAround, 1);

  self->stacks = g_new0 (Stack, (gsize) max_thread + 2);
  self->max_thread = max_thread;
  self->payload_size = payload_size;
  self->item_size = sizeof (Kept) + (payload_size + 7) / 8 * 8;
  self->over = over;
  self->data = data;
  return self;
}

void
tt_around_free (TtAround *self)
{
  if (self == NULL)
    return;
  for (gsize i = 0; i < (gsize) self->max_thread + 2; i++)
    g_free (self->stacks[i].items);
  g_free (self->stacks);
  g_free (self);
}

static inline Kept *
kept_at (const TtAround *self, const Stack *stack, guint i)
{
  return (Kept *) (gpointer) (stack->items + i * self->item_size);
}

static inline void
drop_last (TtAround *self, Stack *stack)
{
  stack->n--;
  if (self->over != NULL)
    self->over (kept_at (self, stack, stack->n) + 1, self->data);
}

static void
drop_all (TtAround *self, Stack *stack)
{
  while (stack->n > 0)
    drop_last (self, stack);
}

/* Those that begin behind its end are over; those that begin inside it cross it. */
static guint
place_among_crossed (TtAround *self, Stack *stack, const TtEvent *event)
{
  gint64 end_ns;
  guint place;

  if (__builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns))
    end_ns = G_MAXINT64;
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

/* Where the span goes; those before its place are around it. NULL: nowhere. */
static Stack *
find_place (TtAround *self, const TtEvent *event, guint *place, GError **error)
{
  gboolean is_async = (event->flags & TT_FLAG_ASYNC) != 0;
  Stack *stack =
      event->thread > self->max_thread ? NULL : &self->stacks[is_async ? self->max_thread + 1 : event->thread];

  if (stack != NULL && G_UNLIKELY (stack->source != event->source))
    {
      drop_all (self, stack);
      *stack = (Stack){ .items = stack->items, .allocated = stack->allocated, .source = event->source };
    }
  if (stack == NULL || (event->depth > stack->most_depth && !stack->is_crossed))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "the database is damaged: event %" G_GUINT64_FORMAT " is at depth %u with nothing around it",
                   event->id, event->depth);
      return NULL;
    }

  stack->most_depth = (guint64) event->depth + 1;
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
payload_before (const TtAround *self, const Stack *stack, guint place)
{
  return place == 0 ? NULL : kept_at (self, stack, place - 1) + 1;
}

gpointer
tt_around_add (TtAround *self, const TtEvent *event, gpointer *parent, GError **error)
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
  while (stack->n - place > TT_AROUND_MOST)
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
tt_around_pass (TtAround *self, const TtEvent *event, gpointer *parent, GError **error)
{
  guint place;
  const Stack *stack = find_place (self, event, &place, error);

  if (stack != NULL)
    *parent = payload_before (self, stack, place);
  return stack != NULL;
}

void
tt_around_finish (TtAround *self)
{
  for (gsize i = 0; i < (gsize) self->max_thread + 2; i++)
    drop_all (self, &self->stacks[i]);
}
