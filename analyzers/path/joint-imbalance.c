/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/joint-path-private.h"

/* What an operation takes of the path. */
typedef struct
{
  gint64 ns;
  guint32 name;
} OnPath;

typedef struct
{
  gint64 ns;
  guint32 thread, name;
} OnThread;

static GArray *
new_elements (guint size)
{
  return g_array_new (FALSE, FALSE, size);
}

gboolean
tt_joint_impact_find (TtJointPath *self, const GArray *pieces, GError **error)
{
  const TtWaitWindow all = TT_WAIT_WINDOW_ALL;
  g_auto (TtWaitPart) part = { .of = TT_WAITS_ALL };
  gboolean is_alone;

  if (!tt_wait_part_find (&part, self->store, NULL, &all, self->crew, NULL, &is_alone, error))
    return FALSE;
  if (is_alone)
    {
      tt_impact_finder_clear (self->impact);
      self->impact = NULL;
      return TRUE;
    }
  return tt_impact_scan_path (self->impact, pieces, part.events.first, part.events.last, error) &&
         tt_impact_scan_places (self->impact, part.waits, part.events.first, part.events.last, error);
}

void
tt_joint_impact_pack (const TtJointPath *self, GByteArray *bytes)
{
  const TtImpactFinder *impact = self->impact;
  g_autoptr (GArray) on_path = new_elements (sizeof (OnPath)), on_threads = new_elements (sizeof (OnThread));

  for (guint32 i = 0; i < impact->by_op->len; i++)
    {
      const OnPath one = { g_array_index (impact->by_op, TtOpImpact, i).on_path_ns,
                           tt_op_table_op (impact->ops, i)->name };
      if (one.ns > 0)
        g_array_append_val (on_path, one);
    }
  for (guint i = 0; i < impact->times->len; i++)
    {
      const TtPlaceTime *time = &g_array_index (impact->times, TtPlaceTime, i);
      const OnThread one = { time->ns, time->place, tt_op_table_op (impact->ops, time->op)->name };
      g_array_append_val (on_threads, one);
    }
  tt_dealt_pack (on_path, bytes);
  tt_dealt_pack (on_threads, bytes);
}

gboolean
tt_joint_impact_unpack (TtJointPath *self, TtUnpack *from)
{
  const guint32 max_name = tt_store_max_name (self->store);
  g_autoptr (GArray) on_path = new_elements (sizeof (OnPath)), on_threads = new_elements (sizeof (OnThread));

  if (!tt_dealt_take (from, on_path) || !tt_dealt_take (from, on_threads))
    return FALSE;
  for (guint i = 0; i < on_path->len; i++)
    {
      const OnPath *one = &g_array_index (on_path, OnPath, i);
      if (one->name > max_name || one->ns <= 0)
        return FALSE;
      tt_impact_add_on_path (self->impact, one->name, one->ns);
    }
  for (guint i = 0; i < on_threads->len; i++)
    {
      const OnThread *one = &g_array_index (on_threads, OnThread, i);
      if (one->name > max_name || one->ns <= 0 || one->thread >= self->path->points.n_threads)
        return FALSE;
      tt_impact_add_time (self->impact, one->thread, one->name, one->ns);
    }
  return TRUE;
}
