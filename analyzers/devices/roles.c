/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/devices/roles.h"

#include "src/base/error.h"

typedef struct
{
  TtDeviceRoles *roles;
  TtActivityFunc func;
  gpointer data;
  GError *error;
} Loader;

static void
find_range (TtDeviceRoles *self, TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);
  guint64 last = 0;

  self->first_event = G_MAXUINT64;
  for (guint i = 0; i < n; i++)
    if (sources[i].last_event != 0)
      {
        self->first_event = MIN (self->first_event, sources[i].first_event);
        last = MAX (last, sources[i].last_event);
      }
  self->n_events = last == 0 ? 0 : last - self->first_event + 1;
}

static gboolean
allocate (TtDeviceRoles *self)
{
  self->by_event = g_try_malloc0 (self->n_events);
  self->is_queue = g_try_malloc0 ((gsize) self->max_thread + 1);
  return self->by_event != NULL && self->is_queue != NULL;
}

static gboolean
on_row (const TtActivityRow *row, gpointer data)
{
  Loader *loader = data;
  TtDeviceRoles *self = loader->roles;
  guint64 at = row->event - self->first_event;

  if (at >= self->n_events)
    return TRUE;
  if (self->by_event == NULL && !allocate (self))
    {
      g_set_error (&loader->error, TT_ERROR, TT_ERROR_STORE,
                   "no memory for the roles of %" G_GUINT64_FORMAT " events", self->n_events);
      return FALSE;
    }
  if (tt_activity_is_work (row->what.role) && row->what.queue <= self->max_thread)
    self->is_queue[row->what.queue] = 1;
  if (row->what.role != TT_ACTIVITY_BACKWARD || self->by_event[at] == TT_ACTIVITY_NONE)
    self->by_event[at] = (guint8) (row->what.role | (row->what.blocks ? TT_DEVICE_BLOCKS : 0));
  return loader->func == NULL || loader->func (row, loader->data);
}

gboolean
tt_device_roles_load (TtDeviceRoles *self, TtStore *store, TtActivityFunc func, gpointer data, GError **error)
{
  Loader loader = { self, func, data, NULL };

  *self = (TtDeviceRoles){ .max_thread = tt_store_max_thread (store) };
  find_range (self, store);
  if (!tt_store_each_activity (store, on_row, &loader, error))
    return FALSE;
  if (loader.error == NULL)
    return TRUE;
  g_propagate_error (error, loader.error);
  return FALSE;
}

void
tt_device_roles_clear (TtDeviceRoles *self)
{
  g_clear_pointer (&self->by_event, g_free);
  g_clear_pointer (&self->is_queue, g_free);
}

static gboolean
find_work (const TtActivityRow *row, gpointer data)
{
  gboolean *is_traced = data;

  *is_traced = tt_activity_is_work (row->what.role);
  return !*is_traced;
}

gboolean
tt_device_is_traced (TtStore *store, gboolean *is_traced, GError **error)
{
  *is_traced = FALSE;
  return tt_store_each_activity (store, find_work, is_traced, error);
}
