/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* What was recorded as it is now: handles, addresses, memory of a call's own. */
#include "src/pi/drive/private.h"

gboolean
tt_drive_live_handle (TtDriver *self, guint64 recorded, guint64 *live)
{
  g_mutex_lock (&self->lock);
  guint64 *found = g_hash_table_lookup (self->handles, &recorded);
  if (found != NULL)
    *live = *found;
  g_mutex_unlock (&self->lock);
  return found != NULL;
}

/* The newest region counts: an address that was freed is given out again. */
gboolean
tt_drive_live_address (TtDriver *self, guint64 recorded, guint64 *live, gboolean *is_device)
{
  gboolean found = FALSE;

  g_mutex_lock (&self->lock);
  for (guint i = self->regions->len; i > 0 && !found; i--)
    {
      const TtDriveRegion *region = &g_array_index (self->regions, TtDriveRegion, i - 1);
      if (recorded < region->recorded || recorded - region->recorded >= MAX (region->size, 1))
        continue;
      *live = region->live + (recorded - region->recorded);
      *is_device = region->is_device;
      found = TRUE;
    }
  g_mutex_unlock (&self->lock);
  return found;
}

gpointer
tt_drive_own_memory (TtDriveCall *call, gsize size)
{
  gpointer memory = g_malloc0 (MAX (size, 8));

  g_ptr_array_add (call->owned, memory);
  return memory;
}

void
tt_drive_translate (TtDriver *self, TtDriveCall *call, guint8 *bytes, gsize len, gboolean must_be_handles)
{
  for (gsize at = 0; at + 8 <= len; at += 8)
    {
      guint64 word = tt_pi_get (bytes + at, 8), live;
      gboolean is_device;
      if (word == 0)
        continue;
      if (tt_drive_live_handle (self, word, &live) ||
          (!must_be_handles && tt_drive_live_address (self, word, &live, &is_device)))
        tt_pi_put64 (bytes + at, live);
      else if (must_be_handles)
        call->problem = "it uses a handle that no recorded call returned";
    }
}
