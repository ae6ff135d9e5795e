/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/devices.h"

#include "analyzers/devices/waits.h"
#include "analyzers/waits/wait-names.h"

struct _TtDeviceWaits
{
  GArray *waits; /* of TtUnnamedWait, until they are all there */
  TtWaitNames names;
  guint8 *claimed; /* by thread, of a part; NULL: none */
  guint32 max_thread;
  gboolean is_entangled;
};

/* TT_N_WAIT_KINDS: of another matter. */
static TtWaitKind
kind_of (const TtSyncPoint *point)
{
  switch (point->hop)
    {
    case TT_HOP_SYNCHRONIZE:
      return TT_WAIT_HOST_FOR_DEVICE;
    case TT_HOP_LAUNCH:
      return TT_WAIT_DEVICE_FOR_HOST;
    case TT_HOP_EVENT:
      return TT_WAIT_DEVICE_FOR_DEVICE;
    default:
      return TT_N_WAIT_KINDS;
    }
}

static void
add_wait (TtDeviceWaits *self, const TtWaitWindow *window, const TtSyncPoint *point)
{
  const TtUnnamedWait wait = {
    .thread = point->thread,
    .kind = (guint8) kind_of (point),
    .event = point->event,
    .begin_ns = point->wait_ns,
    .end_ns = point->from_ns,
    .at_ns = point->at_ns,
    .from_event = point->from_event,
    .from_thread = point->from_thread,
    .from_name = TT_NO_ID,
    .is_inferred = point->is_inferred != FALSE,
    .left_at_end = TRUE,
  };

  if (wait.kind != TT_N_WAIT_KINDS && wait.event != 0 && wait.begin_ns < wait.end_ns &&
      tt_wait_window_has (window, wait.begin_ns, wait.end_ns))
    g_array_append_val (self->waits, wait);
}

static void
find_waits (TtDeviceWaits *self, const TtDeviceWork *work, const TtWaitWindow *window)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TtSyncPoint));
  TtDeviceWaitCounts counts;

  tt_device_waits_points (work, points, &counts);
  for (guint i = 0; i < points->len; i++)
    add_wait (self, window, &g_array_index (points, TtSyncPoint, i));
}

TtDeviceWaits *
tt_device_waits_new (TtStore *store, const TtDevicePart *part, const TtWaitWindow *window, GError **error)
{
  g_autoptr (TtDeviceWaits) self = g_new0 (TtDeviceWaits, 1);
  g_auto (TtDeviceWork) work = { 0 };
  gboolean is_traced;

  self->waits = g_array_new (FALSE, FALSE, sizeof (TtUnnamedWait));
  self->max_thread = tt_store_max_thread (store);
  if (!tt_device_is_traced (store, &is_traced, error) ||
      (is_traced && !tt_device_work_collect_of (&work, store, part, error)))
    return NULL;
  if (!is_traced)
    return g_steal_pointer (&self);
  self->is_entangled = work.roles.is_entangled;
  if (part != NULL)
    {
      self->claimed = g_new0 (guint8, (gsize) self->max_thread + 1);
      tt_device_work_claim (&work, self->claimed, self->max_thread);
    }
  if (!self->is_entangled)
    find_waits (self, &work, window);
  return g_steal_pointer (&self);
}

gboolean
tt_device_waits_are_entangled (const TtDeviceWaits *self)
{
  return self->is_entangled;
}

gboolean
tt_device_waits_claim (const TtDeviceWaits *self, guint32 thread)
{
  return self->claimed != NULL && thread <= self->max_thread && self->claimed[thread];
}

void
tt_device_waits_begin (TtDeviceWaits *self)
{
  tt_wait_names_init (&self->names, self->waits, FALSE);
}

void
tt_device_waits_free (TtDeviceWaits *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->waits);
  tt_wait_names_clear (&self->names);
  g_free (self->claimed);
  g_free (self);
}

guint64
tt_device_waits_next (const TtDeviceWaits *self)
{
  return tt_wait_names_next (&self->names);
}

void
tt_device_waits_take (TtDeviceWaits *self, const TtWaitSpan *span)
{
  tt_wait_names_take (&self->names, span, ~0u);
}

void
tt_device_waits_find (TtDeviceWaits *self, GArray *waits)
{
  tt_wait_names_append (&self->names, waits);
}

gboolean
tt_device_waits_read_rest (TtDeviceWaits *self, TtStore *store, gboolean is_all)
{
  return tt_wait_names_read_rest (&self->names, store, is_all);
}
