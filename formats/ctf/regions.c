/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/regions.h"

#define MAX_REGIONS 4096u

static guint
hash_region (gconstpointer key)
{
  const TtCtfRegion *region = key;

  return g_int64_hash (&region->key[0]) * 31 + g_int64_hash (&region->key[1]);
}

static gboolean
equal_regions (gconstpointer a, gconstpointer b)
{
  const TtCtfRegion *x = a, *y = b;

  return x->key[0] == y->key[0] && x->key[1] == y->key[1];
}

static void
free_region (gpointer data)
{
  TtCtfRegion *region = data;

  g_ptr_array_unref (region->threads);
  g_array_unref (region->teams);
  g_free (region);
}

void
tt_ctf_regions_clear (TtCtfRegions *self)
{
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  g_queue_clear (&self->oldest_first);
}

TtCtfRegion *
tt_ctf_regions_find (const TtCtfRegions *self, const gint64 *key)
{
  const TtCtfRegion wanted = { .key = { key[0], key[1] } };

  return self->by_key == NULL ? NULL : g_hash_table_lookup (self->by_key, &wanted);
}

TtCtfRegion *
tt_ctf_regions_get (TtCtfRegions *self, const gint64 *key)
{
  TtCtfRegion *region = tt_ctf_regions_find (self, key);

  if (region != NULL)
    return region;
  if (self->by_key == NULL)
    self->by_key = g_hash_table_new_full (hash_region, equal_regions, free_region, NULL);
  if (self->oldest_first.length >= MAX_REGIONS)
    tt_ctf_regions_remove (self, g_queue_peek_head (&self->oldest_first));
  region = g_new0 (TtCtfRegion, 1);
  region->key[0] = key[0];
  region->key[1] = key[1];
  region->threads = g_ptr_array_new ();
  region->teams = g_array_new (FALSE, FALSE, sizeof (TtCtfTeam));
  region->alive_ns = G_MININT64;
  g_hash_table_add (self->by_key, region);
  g_queue_push_tail (&self->oldest_first, region);
  return region;
}

void
tt_ctf_regions_remove (TtCtfRegions *self, TtCtfRegion *region)
{
  if (region->is_removed)
    return;
  region->is_removed = TRUE;
  g_queue_remove (&self->oldest_first, region);
  g_hash_table_steal (self->by_key, region);
  if (!region->is_held)
    free_region (region);
}

void
tt_ctf_region_hold (TtCtfRegion *region)
{
  region->is_held = TRUE;
}

gboolean
tt_ctf_region_let_go (TtCtfRegion *region)
{
  gboolean is_removed = region->is_removed;

  region->is_held = FALSE;
  if (is_removed)
    free_region (region);
  return is_removed;
}
