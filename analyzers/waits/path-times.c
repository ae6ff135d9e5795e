/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/path-times.h"

#include "src/base/array.h"
#include "src/base/compare.h"

void
tt_path_times_init (TtPathTimes *self, guint n_paths)
{
  self->times = g_array_new (FALSE, FALSE, sizeof (TtPathTime));
  self->place = g_new0 (guint32, (gsize) n_paths + 1);
}

void
tt_path_times_clear (TtPathTimes *self)
{
  g_clear_pointer (&self->times, g_array_unref);
  g_clear_pointer (&self->place, g_free);
}

void
tt_path_times_reset (TtPathTimes *self)
{
  const TtPathTime *all = TT_ARRAY (self->times, TtPathTime);

  for (guint i = 0; i < self->times->len; i++)
    self->place[all[i].path] = 0;
  g_array_set_size (self->times, 0);
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const TtPathTime *) a)->path, ((const TtPathTime *) b)->path);
}

void
tt_path_times_sort (TtPathTimes *self)
{
  TtPathTime *all = TT_ARRAY (self->times, TtPathTime);

  if (self->times->len > 1)
    qsort (all, self->times->len, sizeof *all, compare_paths);
  for (guint i = 0; i < self->times->len; i++)
    self->place[all[i].path] = i + 1;
}

void
tt_path_times_reset_other (TtPathTimes *self)
{
  TtPathTime *all = TT_ARRAY (self->times, TtPathTime);

  for (guint i = 0; i < self->times->len; i++)
    all[i].other_ns = 0;
}
