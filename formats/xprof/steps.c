/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/xprof/steps.h"

#include "src/trace/event.h"

typedef struct
{
  gint64 from_ns, to_ns;
  guint32 lane;
  gint32 number;
} Stretch;

typedef struct
{
  gboolean is_known;
  gint32 number;
} Group;

struct _TtXprofSteps
{
  GArray *of_processes, *of_threads; /* of Stretch */
  GHashTable *ids;                   /* gint64 -> group */
  GArray *groups;                    /* of Group */
  gboolean is_sorted;
};

TtXprofSteps *
tt_xprof_steps_new (void)
{
  TtXprofSteps *self = g_new0 (TtXprofSteps, 1);

  self->of_processes = g_array_new (FALSE, FALSE, sizeof (Stretch));
  self->of_threads = g_array_new (FALSE, FALSE, sizeof (Stretch));
  self->ids = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->groups = g_array_new (FALSE, TRUE, sizeof (Group));
  return self;
}

void
tt_xprof_steps_free (TtXprofSteps *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->of_processes);
  g_array_unref (self->of_threads);
  g_hash_table_unref (self->ids);
  g_array_unref (self->groups);
  g_free (self);
}

gboolean
tt_xprof_steps_add (TtXprofSteps *self, const TtXprofStep *step)
{
  Stretch stretch = { step->from_ns, step->to_ns, step->process, step->number };

  if (self->of_processes->len == TT_XPROF_MOST_STEPS)
    return FALSE;
  g_array_append_val (self->of_processes, stretch);
  stretch.lane = step->thread;
  g_array_append_val (self->of_threads, stretch);
  self->is_sorted = FALSE;
  return TRUE;
}

guint32
tt_xprof_steps_group (TtXprofSteps *self, gint64 id)
{
  guint32 group = GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, &id));

  if (group != 0 || self->groups->len == TT_XPROF_MOST_STEPS)
    return group;
  g_array_set_size (self->groups, self->groups->len + 1);
  g_hash_table_insert (self->ids, g_memdup2 (&id, sizeof id), GUINT_TO_POINTER (self->groups->len));
  return self->groups->len;
}

void
tt_xprof_steps_set_group (TtXprofSteps *self, guint32 group, gint32 number)
{
  if (group == 0)
    return;
  Group *known = &g_array_index (self->groups, Group, group - 1);
  if (!known->is_known || known->number == TT_NO_STEP)
    known->number = number;
  known->is_known = TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Stretch *x = a, *y = b;

  if (x->lane != y->lane)
    return x->lane < y->lane ? -1 : 1;
  if (x->from_ns != y->from_ns)
    return x->from_ns < y->from_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* The last that has begun by @ts_ns and not ended then. */
static gint32
find (const GArray *stretches, guint32 lane, gint64 ts_ns)
{
  guint low = 0, high = stretches->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Stretch *stretch = &g_array_index (stretches, Stretch, middle);

      if (stretch->lane < lane || (stretch->lane == lane && stretch->from_ns <= ts_ns))
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return TT_NO_STEP;
  const Stretch *last = &g_array_index (stretches, Stretch, low - 1);
  return last->lane == lane && ts_ns < last->to_ns ? last->number : TT_NO_STEP;
}

gint32
tt_xprof_steps_at (TtXprofSteps *self, guint32 process, guint32 thread, guint32 group, gint64 ts_ns)
{
  if (!self->is_sorted)
    {
      g_array_sort (self->of_processes, compare);
      g_array_sort (self->of_threads, compare);
    }
  self->is_sorted = TRUE;
  gint32 number = find (self->of_threads, thread, ts_ns);
  if (number != TT_NO_STEP)
    return number;
  const Group *known = group == 0 ? NULL : &g_array_index (self->groups, Group, group - 1);
  return known != NULL && known->is_known ? known->number : find (self->of_processes, process, ts_ns);
}
