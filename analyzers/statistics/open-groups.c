/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/open-groups.h"

#include "src/trace/lane.h"
#include "src/trace/span.h"

/* Below this depth the stack is searched, which is faster than counting; beyond it groups are counted. */
#define SHALLOW 16

typedef struct
{
  gint64 ts_ns;
  guint32 group, depth;
} Open;

typedef struct
{
  Open *open; /* outermost first */
  guint32 n, size;
  TtLane lane;
  guint32 n_lanes;     /* so far */
  gboolean is_crossed; /* spans that cross have come: open is not used any more */
} Stack;

/* @count: open at SHALLOW and deeper. @first_ns: among crossed spans the earliest begin so far, of the thread's @lane. */
typedef struct
{
  guint64 key; /* thread, group; + 1 so that zero is empty */
  gint64 first_ns;
  guint32 count, lane;
} Counter;

struct _TtOpenGroups
{
  Stack *stacks; /* by thread; the last is for asynchronous spans */
  guint32 max_thread;
  Counter *counters;
  guint64 n_counters, n_used;
  gboolean is_odd; /* not plain */
};

TtOpenGroups *
tt_open_groups_new (guint32 max_thread)
{
  TtOpenGroups *self = g_new0 (TtOpenGroups, 1);

  self->stacks = g_new0 (Stack, (gsize) max_thread + 2);
  self->max_thread = max_thread;
  self->n_counters = 256;
  self->counters = g_new0 (Counter, self->n_counters);
  return self;
}

void
tt_open_groups_free (TtOpenGroups *self)
{
  if (self == NULL)
    return;
  for (guint64 thread = 0; thread <= (guint64) self->max_thread + 1; thread++)
    g_free (self->stacks[thread].open);
  g_free (self->stacks);
  g_free (self->counters);
  g_free (self);
}

static Counter *
find_counter (Counter *counters, guint64 n_counters, guint64 key)
{
  guint64 hash = key * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  hash ^= hash >> 32;
  for (guint64 i = hash & (n_counters - 1);; i = (i + 1) & (n_counters - 1))
    if (counters[i].key == key || counters[i].key == 0)
      return &counters[i];
}

static void
grow_stack (TtOpenGroups *self)
{
  guint64 n_counters = self->n_counters * 2;
  Counter *counters = g_new0 (Counter, n_counters);

  self->n_used = 0;
  for (guint64 i = 0; i < self->n_counters; i++)
    if (self->counters[i].count > 0 || self->counters[i].lane != 0)
      {
        *find_counter (counters, n_counters, self->counters[i].key) = self->counters[i];
        self->n_used++;
      }
  g_free (self->counters);
  self->counters = counters;
  self->n_counters = n_counters;
}

static Counter *
counter_of (TtOpenGroups *self, guint32 thread, guint32 group)
{
  guint64 key = ((guint64) thread << 32 | group) + 1;
  Counter *counter = find_counter (self->counters, self->n_counters, key);

  if (counter->key != 0)
    return counter;
  if ((self->n_used + 1) * 2 > self->n_counters)
    {
      grow_stack (self);
      counter = find_counter (self->counters, self->n_counters, key);
    }
  self->n_used++;
  counter->key = key;
  return counter;
}

static void
cut_stack (TtOpenGroups *self, guint32 thread, Stack *stack, guint32 depth)
{
  while (stack->n > 0 && stack->open[stack->n - 1].depth >= depth)
    {
      guint32 group = stack->open[--stack->n].group;
      if (stack->n >= SHALLOW && group != TT_NO_GROUP)
        counter_of (self, thread, group)->count--;
    }
}

static gboolean
put_on_stack (TtOpenGroups *self, guint32 thread, Stack *stack, const TtEvent *event, guint32 group)
{
  gboolean is_open = FALSE;

  cut_stack (self, thread, stack, event->depth);
  if (group != TT_NO_GROUP)
    {
      for (guint32 i = 0; i < MIN (stack->n, SHALLOW) && !is_open; i++)
        is_open = stack->open[i].group == group;
      if (!is_open && stack->n > SHALLOW)
        is_open = counter_of (self, thread, group)->count > 0;
    }

  if (G_UNLIKELY (stack->n == stack->size))
    {
      stack->size = MAX (SHALLOW, stack->size * 2);
      stack->open = g_renew (Open, stack->open, stack->size);
    }
  if (stack->n >= SHALLOW && group != TT_NO_GROUP)
    counter_of (self, thread, group)->count++;
  stack->open[stack->n++] = (Open){ event->ts_ns, group, event->depth };
  return is_open;
}

/* All that came before ends no earlier, so what begins no later is around it. */
static gboolean
put_among_crossed (TtOpenGroups *self, guint32 thread, guint32 lane, gint64 ts_ns, guint32 group)
{
  if (group == TT_NO_GROUP)
    return FALSE;

  Counter *counter = counter_of (self, thread, group);
  gboolean is_known = counter->lane == lane, is_open = is_known && counter->first_ns <= ts_ns;

  counter->first_ns = is_known ? MIN (counter->first_ns, ts_ns) : ts_ns;
  counter->lane = lane;
  return is_open;
}

static void
begin_crossed (TtOpenGroups *self, guint32 thread, Stack *stack)
{
  for (guint32 i = 0; i < stack->n; i++)
    put_among_crossed (self, thread, stack->n_lanes, stack->open[i].ts_ns, stack->open[i].group);
  cut_stack (self, thread, stack, 0);
  stack->is_crossed = TRUE;
}

/* Asynchronous spans come key by key. */
static inline gboolean
begins_lane (Stack *stack, const TtEvent *event, gboolean is_async)
{
  return tt_lane_begins (&stack->lane, event->source, is_async ? 0 : tt_span_end (event->ts_ns, event->dur_ns));
}

gboolean
tt_open_groups_put (TtOpenGroups *self, const TtEvent *event, guint32 group)
{
  gboolean is_async = (event->flags & TT_FLAG_ASYNC) != 0;
  guint32 thread = is_async ? self->max_thread + 1 : event->thread;

  if (G_UNLIKELY (event->thread > self->max_thread))
    return FALSE;

  Stack *stack = &self->stacks[thread];
  const guint32 source = stack->lane.source;
  if (G_UNLIKELY (begins_lane (stack, event, is_async)))
    {
      cut_stack (self, thread, stack, 0);
      stack->is_crossed = FALSE;
      stack->n_lanes++;
      self->is_odd |= source == event->source;
    }
  if (G_UNLIKELY ((event->flags & (TT_FLAG_OVERLAP | TT_FLAG_ASYNC)) != 0))
    self->is_odd = TRUE;
  if (G_UNLIKELY ((event->flags & TT_FLAG_OVERLAP) != 0 && !is_async && !stack->is_crossed))
    begin_crossed (self, thread, stack);
  return stack->is_crossed ? put_among_crossed (self, thread, stack->n_lanes, event->ts_ns, group)
                           : put_on_stack (self, thread, stack, event, group);
}

gboolean
tt_open_groups_are_plain (const TtOpenGroups *self)
{
  return !self->is_odd;
}
