#include "config.h"

#include "analyzers/open-groups.h"

/* Below this depth the stack is searched, which is faster than counting; beyond it groups are counted. */
#define SHALLOW 16

typedef struct
{
  guint32 *group; /* by depth */
  guint32 n, size;
} Stack;

typedef struct
{
  guint64 key; /* thread, group; + 1 so that zero is empty */
  guint32 count;
} Counter;

struct _TtOpenGroups
{
  Stack *stacks; /* by thread */
  guint32 max_thread;
  Counter *counters; /* of what is open at SHALLOW and deeper */
  guint64 n_counters, n_used;
};

TtOpenGroups *
tt_open_groups_new (guint32 max_thread)
{
  TtOpenGroups *self = g_new0 (TtOpenGroups, 1);

  self->stacks = g_new0 (Stack, (gsize) max_thread + 1);
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
  for (guint64 thread = 0; thread <= self->max_thread; thread++)
    g_free (self->stacks[thread].group);
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
grow (TtOpenGroups *self)
{
  guint64 n_counters = self->n_counters * 2;
  Counter *counters = g_new0 (Counter, n_counters);

  self->n_used = 0;
  for (guint64 i = 0; i < self->n_counters; i++)
    if (self->counters[i].count > 0)
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
      grow (self);
      counter = find_counter (self->counters, self->n_counters, key);
    }
  self->n_used++;
  counter->key = key;
  return counter;
}

static void
cut_stack (TtOpenGroups *self, guint32 thread, Stack *stack, guint32 depth)
{
  while (stack->n > depth)
    {
      guint32 group = stack->group[--stack->n];
      if (stack->n >= SHALLOW && group != TT_NO_GROUP)
        counter_of (self, thread, group)->count--;
    }
}

gboolean
tt_open_groups_put (TtOpenGroups *self, guint32 thread, guint32 depth, guint32 group)
{
  gboolean is_open = FALSE;

  if (G_UNLIKELY (thread > self->max_thread))
    return FALSE;

  Stack *stack = &self->stacks[thread];
  /* A parent always comes first, so a greater depth is a damaged database. */
  depth = MIN (depth, stack->n);
  cut_stack (self, thread, stack, depth);

  if (group != TT_NO_GROUP)
    {
      for (guint32 i = 0; i < MIN (depth, SHALLOW) && !is_open; i++)
        is_open = stack->group[i] == group;
      if (!is_open && depth > SHALLOW)
        is_open = counter_of (self, thread, group)->count > 0;
    }

  if (G_UNLIKELY (stack->n == stack->size))
    {
      stack->size = MAX (SHALLOW, stack->size * 2);
      stack->group = g_renew (guint32, stack->group, stack->size);
    }
  stack->group[stack->n++] = group;
  if (depth >= SHALLOW && group != TT_NO_GROUP)
    counter_of (self, thread, group)->count++;
  return is_open;
}
