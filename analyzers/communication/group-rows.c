/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communication/group-rows.h"

#include <string.h>

#include "analyzers/communication/bus-factor.h"

static void
group_clear (gpointer data)
{
  TtCommGroup *self = data;

  g_free (self->group);
  g_free (self->description);
  g_free (self->function);
  g_free (self->members_text);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const TtCommGroup *x = a, *y = b;
  int order = strcmp (x->group, y->group);

  if (order == 0)
    order = strcmp (x->members_text, y->members_text);
  if (order == 0)
    order = x->members < y->members ? -1 : x->members > y->members;
  return order != 0 ? order : strcmp (x->function, y->function);
}

/* Rows all of whose spans are told of by better ones. */
static void
drop_empty_rows (GArray *rows)
{
  for (guint i = rows->len; i-- > 0;)
    if (g_array_index (rows, TtCommGroup, i).n_calls == 0)
      g_array_remove_index (rows, i);
}

TtCommGroups *
tt_comm_groups_new_empty (void)
{
  TtCommGroups *self = g_new0 (TtCommGroups, 1);

  self->rows = g_array_new (FALSE, FALSE, sizeof (TtCommGroup));
  g_array_set_clear_func (self->rows, group_clear);
  self->kernels = tt_comm_kernels_new ();
  return self;
}

void
tt_comm_groups_finish (TtCommGroups *self)
{
  drop_empty_rows (self->rows);
  g_array_sort (self->rows, compare_rows);
  tt_comm_kernels_finish (self->kernels);
}

void
tt_comm_groups_free (TtCommGroups *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  tt_comm_kernels_free (self->kernels);
  g_free (self);
}

gboolean
tt_comm_group_algorithm_bandwidth (const TtCommGroup *self, double *gb_per_s)
{
  if (self->timed_ns <= 0)
    return FALSE;
  *gb_per_s = (double) self->timed_bytes / (double) self->timed_ns;
  return TRUE;
}

gboolean
tt_comm_group_bus_bandwidth (const TtCommGroup *self, double *gb_per_s)
{
  double factor;

  if (!tt_comm_group_algorithm_bandwidth (self, gb_per_s) || !tt_comm_bus_factor (self->function, self->size, &factor))
    return FALSE;
  *gb_per_s *= factor;
  return TRUE;
}
