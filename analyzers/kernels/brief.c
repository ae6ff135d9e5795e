/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/brief.h"

typedef struct
{
  TtKernels *result;
  TtKernelNames names;
  guint64 *n_short_of_name;
  guint64 last_event;
  gboolean last_is_work;
  gboolean is_unclear;
} Brief;

static void
brief_clear (Brief *self)
{
  tt_kernel_names_clear (&self->names);
  g_free (self->n_short_of_name);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Brief, brief_clear)

/* A window may be of a device or of the host; of an event with several rows the last counts; work that is listed among the
 * host's calls stands there with those. */
static gboolean
is_clear (const Brief *self, const TtWorkRow *row, gboolean is_work)
{
  if (row->event == self->last_event && (is_work || self->last_is_work))
    return FALSE;
  return !is_work || ((row->flags & TT_FLAG_WINDOW) == 0 && self->names.lists[row->name] == 0);
}

static gboolean
take_row (const TtWorkRow *row, gpointer data)
{
  Brief *self = data;
  gboolean is_work = tt_activity_is_work (row->role);

  self->is_unclear = !is_clear (self, row, is_work);
  if (self->is_unclear)
    return FALSE;
  self->last_event = row->event;
  self->last_is_work = is_work;
  if (!is_work || row->dur_ns == TT_NO_TIME || (row->flags & TT_FLAG_ASYNC) != 0)
    return TRUE;
  guint32 group = self->names.groups[row->name];
  tt_spreads_add (self->result->times, group, row->dur_ns);
  self->n_short_of_name[group] += row->is_short;
  return TRUE;
}

gboolean
tt_kernels_new_brief (TtStore *store, gboolean by_operation, gboolean has_short, TtKernels **result, GError **error)
{
  g_autoptr (TtKernels) kernels = tt_kernels_new_empty ();
  g_auto (Brief) self = { .result = kernels };

  *result = NULL;
  if (!tt_kernel_names_load (&self.names, store, by_operation, error))
    return FALSE;
  self.n_short_of_name = g_new0 (guint64, self.names.n);
  if (!tt_store_each_work (store, has_short, take_row, &self, error))
    return FALSE;
  if (self.is_unclear)
    return TRUE;
  if (!tt_spreads_finish (kernels->times, error) || !tt_spreads_finish (kernels->sizes, error))
    return FALSE;
  tt_kernels_add_work_rows (kernels, &self.names, self.n_short_of_name, NULL);
  *result = g_steal_pointer (&kernels);
  return TRUE;
}
