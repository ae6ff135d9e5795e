/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/held-locks.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const TtLockPoint *x = a, *y = b;
  int order = TT_COMPARE (tt_held_lock_key (x->process, x->kind), tt_held_lock_key (y->process, y->kind));

  if (order == 0)
    order = TT_COMPARE (x->ns, y->ns);
  /* One thread lets go when another gets it. */
  if (order == 0)
    order = TT_COMPARE (y->is_end, x->is_end);
  return order != 0 ? order : TT_COMPARE (x->thread, y->thread);
}

/* Whether two threads hold at once: those of one kind in one process. Of threads of which it is not traced when they let go
 * nothing is known. */
static gboolean
hold_at_once (const TtLockPoint *points, guint n)
{
  TtMap64 depth_of = { NULL }; /* by thread, of those that let go */
  guint n_holding = 0;

  for (guint i = 0; i < n; i++)
    if (points[i].is_end)
      tt_map64_set (&depth_of, points[i].thread, 0);
  for (guint i = 0; i < n && n_holding < 2; i++)
    {
      guint32 depth = tt_map64_get (&depth_of, points[i].thread);

      if (depth == TT_MAP64_NONE || (points[i].is_end && depth == 0))
        continue;
      n_holding += !points[i].is_end && depth == 0;
      depth = points[i].is_end ? depth - 1 : depth + 1;
      n_holding -= points[i].is_end && depth == 0;
      tt_map64_set (&depth_of, points[i].thread, depth);
    }
  tt_map64_clear (&depth_of);
  return n_holding > 1;
}

GHashTable *
tt_held_locks_find (GArray *points)
{
  GHashTable *found = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  const TtLockPoint *all = TT_ARRAY (points, TtLockPoint);

  g_array_sort (points, compare_points);
  for (guint first = 0, end; first < points->len; first = end)
    {
      gint64 key = tt_held_lock_key (all[first].process, all[first].kind);

      for (end = first; end < points->len && tt_held_lock_key (all[end].process, all[end].kind) == key; end++)
        ;
      if (hold_at_once (&all[first], end - first))
        g_hash_table_add (found, g_memdup2 (&key, sizeof key));
    }
  return found;
}
