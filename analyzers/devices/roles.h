/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtDeviceRoles: the role of each event of a run, from its rows of activity: one byte an event where there are any.
 */
#pragma once

#include "src/base/crew.h"
#include "src/store/store.h"

typedef struct
{
  guint8 *by_event; /* TtActivityRole, and TT_DEVICE_BLOCKS; NULL: no activity in the run */
  guint64 first_event, n_events;
  guint8 *is_queue; /* by thread: work of a device is on it; NULL likewise */
  guint32 max_thread;
  gboolean is_part;      /* only of some events */
  gboolean is_entangled; /* then: rows of one speak of events of another, so that one process has to do all */
} TtDeviceRoles;

/* What one of the ranks of a crew reads: whole sources. */
typedef struct
{
  guint64 first, last; /* their events; first > last: none */
  const TtCrew *crew;
} TtDevicePart;

/* Beside a role: the activity blocks. */
#define TT_DEVICE_BLOCKS 0x80u

/* @func: gets each row, too; may be NULL. */
gboolean tt_device_roles_load (TtDeviceRoles *self, TtStore *store, TtActivityFunc func, gpointer data, GError **error);
/* Of @part, by all ranks of its crew, which then tell each other what is known of the whole run: queues, whether there is activity at all, and whether
 * parts are entangled. NULL: as above. */
gboolean tt_device_roles_load_of (TtDeviceRoles *self,
                                  TtStore *store,
                                  const TtDevicePart *part,
                                  TtActivityFunc func,
                                  gpointer data,
                                  GError **error);
/* What a rank says of the run. */
void tt_device_roles_pack (const TtDeviceRoles *self, GByteArray *bytes);
/* Adds what another says. FALSE: it cannot be right, or @error: no memory. */
gboolean tt_device_roles_unpack (TtDeviceRoles *self, const GByteArray *bytes, GError **error);
void tt_device_roles_clear (TtDeviceRoles *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtDeviceRoles, tt_device_roles_clear)

static inline guint
tt_device_roles_bits (const TtDeviceRoles *self, guint64 event)
{
  guint64 at = event - self->first_event;

  return self->by_event == NULL || at >= self->n_events ? TT_ACTIVITY_NONE : self->by_event[at];
}

/* The role as the source says it. */
static inline TtActivityRole
tt_device_roles_of (const TtDeviceRoles *self, guint64 event)
{
  return (TtActivityRole) (tt_device_roles_bits (self, event) & ~TT_DEVICE_BLOCKS);
}

/* The same with what an event's shape says: instants, windows of devices and asynchronous spans are nothing done in the
 * run. While a window of the host lasts, the program is there. */
static inline TtActivityRole
tt_device_roles_of_event (const TtDeviceRoles *self, const TtEvent *event)
{
  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0)
    return TT_ACTIVITY_TRACER;
  if ((event->flags & TT_FLAG_WINDOW) != 0 && self->is_queue != NULL && event->thread <= self->max_thread &&
      self->is_queue[event->thread])
    return TT_ACTIVITY_TRACER;
  return tt_device_roles_of (self, event->id);
}

/* Whether the run has work on devices. */
gboolean tt_device_is_traced (TtStore *store, gboolean *is_traced, GError **error);
