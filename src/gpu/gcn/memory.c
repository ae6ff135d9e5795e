/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

#include "src/base/error.h"

/* Between two pieces of memory: an index that is too large by less meets none of them. */
#define GAP 65536u
#define MAX_MEMORY (G_GUINT64_CONSTANT (1) << 31)

void
tt_gcn_fault (TtGcnLaunch *self, const TtGcnWave *wave, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (self->fault != NULL)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  const TtGcnInstruction *source = self->op->source;
  g_set_error (&self->fault, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s: block %u,%u,%u, wave %u: %s", self->name,
               source->line, source->name, self->block_id[0], self->block_id[1], self->block_id[2], wave->index, text);
}

guint8 *
tt_gcn_add_region (TtGcnLaunch *self,
                   const char *name,
                   guint64 bytes,
                   gboolean is_constant,
                   guint64 *address,
                   GError **error)
{
  TtGcnRegion region = { .base = self->next_base, .bytes = bytes, .is_constant = is_constant };

  if (bytes > MAX_MEMORY || self->memory_bytes + bytes > MAX_MEMORY ||
      (region.data = g_try_malloc0 (MAX (bytes, 1))) == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: %" G_GUINT64_FORMAT " bytes: a launch has 2 GiB of memory",
                   name, bytes);
      return NULL;
    }
  region.name = g_strdup (name);
  self->memory_bytes += bytes;
  self->next_base += (bytes + GAP + 255) / 256 * 256;
  g_array_append_val (self->regions, region);
  *address = region.base;
  return region.data;
}

static const TtGcnRegion *
find_region (const TtGcnLaunch *self, guint64 address)
{
  guint low = 0, high = self->regions->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (self->regions, TtGcnRegion, middle).base <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low == 0 ? NULL : &g_array_index (self->regions, TtGcnRegion, low - 1);
}

guint8 *
tt_gcn_bytes (TtGcnLaunch *self, const TtGcnWave *wave, guint64 address, guint bytes, gboolean is_store)
{
  const TtGcnRegion *region = find_region (self, address);
  const char *does = is_store ? "store" : "load";

  if (region == NULL || address - region->base >= region->bytes + GAP)
    tt_gcn_fault (self, wave, "%s of %u bytes at 0x%" G_GINT64_MODIFIER "x: there is no memory", does, bytes, address);
  else if (address - region->base > region->bytes || region->bytes - (address - region->base) < bytes)
    tt_gcn_fault (self, wave,
                  "%s of %u bytes at 0x%" G_GINT64_MODIFIER "x: it ends %" G_GUINT64_FORMAT
                  " bytes behind '%s' of %" G_GUINT64_FORMAT,
                  does, bytes, address, address + bytes - region->base - region->bytes, region->name, region->bytes);
  else if (is_store && region->is_constant)
    tt_gcn_fault (self, wave, "store to '%s', which is constant", region->name);
  else
    return region->data + (address - region->base);
  return NULL;
}
