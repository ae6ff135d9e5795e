/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/regions.h"

#include "src/base/error.h"

static void
region_clear (gpointer data)
{
  TtGpuRegion *self = data;

  g_free (self->data);
  g_free (self->name);
}

void
tt_gpu_regions_init (TtGpuRegions *self, guint64 base)
{
  self->regions = g_array_new (FALSE, TRUE, sizeof (TtGpuRegion));
  g_array_set_clear_func (self->regions, region_clear);
  self->bytes = 0;
  self->next_base = base;
}

void
tt_gpu_regions_clear (TtGpuRegions *self)
{
  g_clear_pointer (&self->regions, g_array_unref);
}

guint8 *
tt_gpu_regions_add (TtGpuRegions *self,
                    const char *name,
                    guint64 bytes,
                    gboolean is_constant,
                    guint64 *address,
                    GError **error)
{
  TtGpuRegion region = { .base = self->next_base, .bytes = bytes, .is_constant = is_constant };

  if (bytes > TT_GPU_MAX_MEMORY || self->bytes + bytes > TT_GPU_MAX_MEMORY ||
      (region.data = g_try_malloc0 (MAX (bytes, 1))) == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: %" G_GUINT64_FORMAT " bytes: a launch has 2 GiB of memory",
                   name, bytes);
      return NULL;
    }
  region.name = g_strdup (name);
  self->bytes += bytes;
  self->next_base += (bytes + TT_GPU_GAP + 255) / 256 * 256;
  g_array_append_val (self->regions, region);
  *address = region.base;
  return region.data;
}

const TtGpuRegion *
tt_gpu_regions_find (const TtGpuRegions *self, guint64 address)
{
  guint low = 0, high = self->regions->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->regions, TtGpuRegion, middle).base <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low == 0 ? NULL : &g_array_index (self->regions, TtGpuRegion, low - 1);
}
