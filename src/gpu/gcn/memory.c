/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

#include "src/base/error.h"

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
  /* A kernel without an instruction has no line. */
  g_autofree char *place = self->op == NULL
                               ? g_strdup ("")
                               : g_strdup_printf ("line %u: %s: ", self->op->source->line, self->op->source->name);
  g_set_error (&self->fault, TT_ERROR, TT_ERROR_FORMAT, "%s: %sblock %u,%u,%u, wave %u: %s", self->name, place,
               self->block_id[0], self->block_id[1], self->block_id[2], wave->index, text);
}

guint8 *
tt_gcn_bytes (TtGcnLaunch *self, const TtGcnWave *wave, guint64 address, guint bytes, gboolean is_store)
{
  const TtGpuRegion *region = tt_gpu_regions_find (&self->regions, address);
  const char *does = is_store ? "store" : "load";

  if (region == NULL || address - region->base >= region->bytes + TT_GPU_GAP)
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
