/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/devices/roles.h"

#include "src/base/error.h"
#include "src/base/packed.h"

typedef struct
{
  TtDeviceRoles *roles;
  const TtDevicePart *part; /* NULL: all */
  TtActivityFunc func;
  gpointer data;
  GError *error;
} Loader;

static void
find_range (TtDeviceRoles *self, TtStore *store, const TtDevicePart *part)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);
  guint64 last = 0;

  self->first_event = G_MAXUINT64;
  if (part != NULL)
    {
      self->first_event = part->first;
      self->n_events = part->first > part->last ? 0 : part->last - part->first + 1;
      return;
    }
  for (guint i = 0; i < n; i++)
    if (sources[i].last_event != 0)
      {
        self->first_event = MIN (self->first_event, sources[i].first_event);
        last = MAX (last, sources[i].last_event);
      }
  self->n_events = last == 0 ? 0 : last - self->first_event + 1;
}

static gboolean
allocate (TtDeviceRoles *self, GError **error)
{
  self->by_event = g_try_malloc0 (MAX (self->n_events, 1));
  self->is_queue = g_try_malloc0 ((gsize) self->max_thread + 1);
  if (self->by_event != NULL && self->is_queue != NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "no memory for the roles of %" G_GUINT64_FORMAT " events",
               self->n_events);
  return FALSE;
}

static gboolean
is_of_another (const Loader *self, guint64 event)
{
  return self->part != NULL && event != 0 && (event < self->part->first || event > self->part->last);
}

static gboolean
on_row (const TtActivityRow *row, gpointer data)
{
  Loader *loader = data;
  TtDeviceRoles *self = loader->roles;
  guint64 at = row->event - self->first_event;

  self->is_entangled |= is_of_another (loader, row->event) || is_of_another (loader, row->launch);
  if (at >= self->n_events)
    return TRUE;
  if (self->by_event == NULL && !allocate (self, &loader->error))
    return FALSE;
  if (tt_activity_is_work (row->what.role) && row->what.queue <= self->max_thread)
    self->is_queue[row->what.queue] = 1;
  if (row->what.role != TT_ACTIVITY_BACKWARD || self->by_event[at] == TT_ACTIVITY_NONE)
    self->by_event[at] = (guint8) (row->what.role | (row->what.blocks ? TT_DEVICE_BLOCKS : 0));
  return loader->func == NULL || loader->func (row, loader->data);
}

/* -- by several ranks ---------------------------------------------------------------------------------------------- */

typedef struct
{
  TtDeviceRoles sum; /* of what is known of the run */
  guint n_ranks;
  GByteArray *told;
} Sum;

void
tt_device_roles_pack (const TtDeviceRoles *self, GByteArray *bytes)
{
  tt_pack_number (bytes, self->by_event != NULL);
  tt_pack_number (bytes, self->is_entangled != FALSE);
  if (self->by_event != NULL)
    tt_pack_places (bytes, self->is_queue, self->max_thread);
}

gboolean
tt_device_roles_unpack (TtDeviceRoles *self, const GByteArray *bytes, GError **error)
{
  TtUnpack from = tt_unpack_all (bytes);
  const gboolean has_activity = tt_unpack_below (&from, 1) != 0;
  guint32 thread;

  self->is_entangled |= tt_unpack_below (&from, 1) != 0;
  if (has_activity && self->by_event == NULL && !allocate (self, error))
    return FALSE;
  if (has_activity)
    {
      TtUnpackPlaces queues = tt_unpack_places (&from, self->max_thread);
      while (tt_unpack_place (&from, &queues, &thread))
        self->is_queue[thread] = 1;
    }
  return !from.is_bad && from.at == from.end;
}

static gboolean
add_part (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Sum *self = data;
  GError *failure = NULL;

  if (!tt_device_roles_unpack (&self->sum, said, &failure))
    {
      if (failure == NULL)
        return tt_crew_refuse (rank, error);
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (rank + 1 == self->n_ranks)
    tt_device_roles_pack (&self->sum, self->told);
  return TRUE;
}

static gboolean
tell_each_other (TtDeviceRoles *self, const TtCrew *crew, GError **error)
{
  g_autoptr (GByteArray) own = g_byte_array_new (), told = g_byte_array_new ();
  Sum sum = { { .max_thread = self->max_thread }, crew->n, told };
  GError *failure = NULL;

  tt_device_roles_pack (self, own);
  gboolean is_ok = tt_crew_meet (crew, own, add_part, &sum, told, error);
  tt_device_roles_clear (&sum.sum);
  if (!is_ok || tt_device_roles_unpack (self, told, &failure))
    return is_ok;
  if (failure == NULL)
    return tt_crew_refuse (0, error);
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- all ------------------------------------------------------------------------------------------------------------ */

gboolean
tt_device_roles_load_of (TtDeviceRoles *self,
                         TtStore *store,
                         const TtDevicePart *part,
                         TtActivityFunc func,
                         gpointer data,
                         GError **error)
{
  const TtRowRange all = TT_ROWS_ALL;
  const TtRowRange own = { part == NULL ? 0 : (gint64) part->first, part == NULL ? 0 : (gint64) part->last };
  Loader loader = { self, part, func, data, NULL };

  *self = (TtDeviceRoles){ .max_thread = tt_store_max_thread (store), .is_part = part != NULL };
  find_range (self, store, part);
  if (!tt_store_each_activity_of (store, part == NULL ? &all : &own, on_row, &loader, error))
    return FALSE;
  if (loader.error == NULL)
    return part == NULL || tell_each_other (self, part->crew, error);
  g_propagate_error (error, loader.error);
  return FALSE;
}

gboolean
tt_device_roles_load (TtDeviceRoles *self, TtStore *store, TtActivityFunc func, gpointer data, GError **error)
{
  return tt_device_roles_load_of (self, store, NULL, func, data, error);
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
