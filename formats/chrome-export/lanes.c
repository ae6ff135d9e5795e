/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/lanes.h"

#include "src/base/heap.h"
#include "src/base/map64.h"

/* Spans that an inner one is compared with. */
#define N_RECENT 16u

typedef struct
{
  gint64 end_ns;
  guint64 number;
} Lane;

typedef struct
{
  gint64 end_ns, inner_end_ns; /* inner: of the last span that it contains */
  guint64 lane;
  guint32 thread, depth;
} Recent;

struct _ChromeLanes
{
  TtMap64 group_of;  /* thread << 32 | name -> its group */
  GPtrArray *groups; /* of GArray of Lane, each a heap by the time at which they become free */
  guint64 n;
  Recent recent[N_RECENT];
  guint next_recent;
};

static void
free_group (gpointer group)
{
  g_array_unref (group);
}

ChromeLanes *
tt_chrome_lanes_new (void)
{
  ChromeLanes *self = g_new0 (ChromeLanes, 1);

  self->groups = g_ptr_array_new_with_free_func (free_group);
  return self;
}

void
tt_chrome_lanes_free (ChromeLanes *self)
{
  if (self == NULL)
    return;
  tt_map64_clear (&self->group_of);
  g_ptr_array_unref (self->groups);
  g_free (self);
}

static gboolean
is_free_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const Lane *x = a, *y = b;

  return x->end_ns != y->end_ns ? x->end_ns < y->end_ns : x->number < y->number;
}

static guint64
take_lane (ChromeLanes *self, guint64 key, gint64 ts_ns, gint64 end_ns, gboolean *is_new)
{
  guint32 number = tt_map64_get (&self->group_of, key);
  Lane lane;

  if (number == TT_MAP64_NONE)
    {
      number = self->groups->len;
      g_ptr_array_add (self->groups, g_array_new (FALSE, FALSE, sizeof (Lane)));
      tt_map64_set (&self->group_of, key, number);
    }
  GArray *group = self->groups->pdata[number];
  *is_new = group->len == 0 || g_array_index (group, Lane, 0).end_ns > ts_ns;
  if (*is_new)
    lane.number = ++self->n;
  else
    tt_heap_pop (group, &lane, sizeof lane, is_free_before, NULL);
  lane.end_ns = end_ns;
  tt_heap_push (group, &lane, sizeof lane, is_free_before, NULL);
  return lane.number;
}

/* The span that contains one of @depth; NULL if that is not certain: which id a span had is not kept. */
static Recent *
find_outer (ChromeLanes *self, guint32 thread, guint32 depth, gint64 ts_ns, gint64 end_ns)
{
  Recent *outer = NULL;

  for (guint i = 0; depth > 0 && i < N_RECENT; i++)
    {
      Recent *recent = &self->recent[i];
      if (recent->lane == 0 || recent->thread != thread || recent->depth + 1 != depth || recent->end_ns < end_ns)
        continue;
      if (outer != NULL)
        return NULL;
      outer = recent;
    }
  return outer == NULL || outer->inner_end_ns > ts_ns ? NULL : outer;
}

guint64
tt_chrome_lane_for (ChromeLanes *self,
                    guint32 thread,
                    guint32 name,
                    guint32 depth,
                    gint64 ts_ns,
                    gint64 end_ns,
                    gboolean *is_new)
{
  Recent *outer = find_outer (self, thread, depth, ts_ns, end_ns);
  guint64 lane = outer != NULL ? outer->lane : 0;

  *is_new = FALSE;
  if (outer != NULL)
    outer->inner_end_ns = end_ns;
  else
    lane = take_lane (self, (guint64) thread << 32 | name, ts_ns, end_ns, is_new);
  self->recent[self->next_recent] = (Recent){ end_ns, G_MININT64, lane, thread, depth };
  self->next_recent = (self->next_recent + 1) % N_RECENT;
  return lane;
}
