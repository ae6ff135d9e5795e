/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/activity.h"

#include "src/base/spill.h"

#define POOL_CACHE_BYTES ((gsize) 1 << 20)

const char *
tt_activity_role_text (TtActivityRole role)
{
  static const char *const words[TT_N_ACTIVITY_ROLES] = {
    [TT_ACTIVITY_COPY_CALL] = "copy_call",
    [TT_ACTIVITY_SYNCHRONIZE] = "synchronize",
    [TT_ACTIVITY_RECORD] = "record",
    [TT_ACTIVITY_QUEUE_WAIT] = "queue_wait",
    [TT_ACTIVITY_POLL] = "poll",
    [TT_ACTIVITY_KERNEL] = "kernel",
    [TT_ACTIVITY_COPY] = "copy",
    [TT_ACTIVITY_SET] = "set",
    [TT_ACTIVITY_AWAITS_DEVICE] = "awaits_device",
    [TT_ACTIVITY_AWAITS_QUEUE] = "awaits_queue",
    [TT_ACTIVITY_AWAITS_EVENT] = "awaits_event",
    [TT_ACTIVITY_QUEUE_AWAITS] = "queue_awaits",
    [TT_ACTIVITY_BACKWARD] = "backward",
    [TT_ACTIVITY_TRACER] = "tracer",
  };

  return role < TT_N_ACTIVITY_ROLES ? words[role] : NULL;
}

const TtFlowKind *
tt_flow_kind (const char *text)
{
  static GMutex lock;
  static GHashTable *kinds;
  TtFlowKind *kind;

  g_mutex_lock (&lock);
  if (kinds == NULL)
    kinds = g_hash_table_new (g_str_hash, g_str_equal);
  kind = g_hash_table_lookup (kinds, text);
  if (kind == NULL)
    {
      kind = g_new0 (TtFlowKind, 1);
      kind->text = g_intern_string (text);
      g_hash_table_insert (kinds, (gpointer) kind->text, kind);
    }
  g_mutex_unlock (&lock);
  return kind;
}

/* -- the pool ---------------------------------------------------------------------------------------------- */

/* A place of the pool; a free one has the number of the next free one. */
typedef union
{
  TtActivity activity;
  guint32 next_free;
} Place;

struct _TtActivityPool
{
  TtSpill *places;
  guint32 n_places;
  guint32 first_free; /* 0: none */
};

TtActivityPool *
tt_activity_pool_new (void)
{
  TtActivityPool *self = g_new0 (TtActivityPool, 1);

  self->places = tt_spill_new (POOL_CACHE_BYTES);
  return self;
}

void
tt_activity_pool_free (TtActivityPool *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->places);
  g_free (self);
}

static guint64
offset_of (guint32 number)
{
  return (guint64) (number - 1) * sizeof (Place);
}

guint32
tt_activity_pool_hold (TtActivityPool *self, const TtActivity *activity)
{
  Place place = { .activity = *activity }, free_place;
  guint32 number = self->first_free;

  if (number == 0)
    number = ++self->n_places;
  else
    {
      tt_spill_read (self->places, offset_of (number), &free_place, sizeof free_place);
      self->first_free = free_place.next_free;
    }
  tt_spill_write (self->places, offset_of (number), &place, sizeof place);
  return number;
}

TtActivity
tt_activity_pool_take (TtActivityPool *self, guint32 number)
{
  Place place, free_place = { .next_free = self->first_free };

  tt_spill_read (self->places, offset_of (number), &place, sizeof place);
  tt_spill_write (self->places, offset_of (number), &free_place, sizeof free_place);
  self->first_free = number;
  return place.activity;
}

gboolean
tt_activity_pool_check (const TtActivityPool *self, GError **error)
{
  return tt_spill_check (self->places, error);
}
