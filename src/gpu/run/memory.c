/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

#include "src/base/error.h"

#include <string.h>

#define MAX_SHARED (1u << 20)

void
tt_gpu_fault (TtGpuLaunch *self, const TtGpuThread *thread, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (self->fault != NULL)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  const TtPtxInstruction *source = self->op->source;
  g_set_error (&self->fault, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s: block %u,%u,%u, thread %u,%u,%u: %s",
               self->name, source->line, source->opcode, self->block_id[0], self->block_id[1], self->block_id[2],
               thread->tid[0], thread->tid[1], thread->tid[2], text);
}

/* -- placing ------------------------------------------------------------------------------------------ */

guint8 *
tt_gpu_launch_allocate (TtGpuLaunch *self, const char *name, guint64 bytes, guint64 *address, GError **error)
{
  return tt_gpu_regions_add (&self->regions, name, bytes, FALSE, address, error);
}

static void
keep_place (TtGpuLaunch *self, const TtPtxVariable *variable, guint64 address)
{
  guint64 *kept = g_memdup2 (&address, sizeof address);

  g_hash_table_insert (self->places, (gpointer) variable, kept);
}

static gboolean
place_global (TtGpuLaunch *self, const TtPtxVariable *variable, GError **error)
{
  guint64 address;
  guint8 *data;

  self->regions.next_base = (self->regions.next_base + variable->align - 1) & ~(variable->align - 1);
  data = tt_gpu_regions_add (&self->regions, variable->name, variable->bytes, variable->space == TT_PTX_CONST, &address,
                             error);
  if (data == NULL)
    return FALSE;
  if (variable->initial != NULL)
    memcpy (data, variable->initial, variable->bytes);
  keep_place (self, variable, address);
  return TRUE;
}

static gboolean
place_shared (TtGpuLaunch *self, const GPtrArray *variables, GError **error)
{
  for (guint i = 0; i < variables->len; i++)
    {
      const TtPtxVariable *variable = variables->pdata[i];
      guint64 align = variable->align - 1;

      if (variable->space != TT_PTX_SHARED || variable->bytes == 0)
        continue;
      self->shared_static = (self->shared_static + align) & ~align;
      keep_place (self, variable, self->shared_static);
      self->shared_static += variable->bytes;
      if (self->shared_static > MAX_SHARED)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: more than 1 MiB of shared variables", self->name,
                       variable->line);
          return FALSE;
        }
    }
  return TRUE;
}

/* All of those without a size are one. */
static void
place_dynamic (TtGpuLaunch *self, const GPtrArray *variables)
{
  for (guint i = 0; i < variables->len; i++)
    {
      const TtPtxVariable *variable = variables->pdata[i];

      if (variable->space == TT_PTX_SHARED && variable->bytes == 0)
        keep_place (self, variable, tt_gpu_dynamic_base (self));
    }
}

static gboolean
fix_up (TtGpuLaunch *self, const TtPtxVariable *variable, GError **error)
{
  guint64 *place = g_hash_table_lookup (self->places, variable);
  const TtGpuRegion *region = tt_gpu_regions_find (&self->regions, *place);

  for (guint i = 0; i < variable->fixups->len; i++)
    {
      const TtPtxFixup *fixup = &g_array_index (variable->fixups, TtPtxFixup, i);
      const TtPtxVariable *to = tt_ptx_module_variable (self->module, fixup->name);
      const TtPtxFunction *function = to == NULL ? tt_ptx_module_function (self->module, fixup->name) : NULL;
      const guint64 *address = to == NULL ? NULL : g_hash_table_lookup (self->places, to);
      guint64 value;

      if (function != NULL)
        value = TT_GPU_CODE_WINDOW + 16u * tt_gpu_function_of (self, function)->index;
      else if (address != NULL && (to->space == TT_PTX_GLOBAL || to->space == TT_PTX_CONST))
        value = *address + fixup->addend;
      else
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: '%s' has no address", self->name, fixup->line,
                       fixup->name);
          return FALSE;
        }
      for (guint byte = 0; byte < fixup->bytes; byte++)
        region->data[fixup->offset + byte] = (guint8) (value >> (8 * byte));
    }
  return TRUE;
}

gboolean
tt_gpu_place_variables (TtGpuLaunch *self, GError **error)
{
  const GPtrArray *variables = self->module->variables;

  for (guint i = 0; i < variables->len; i++)
    {
      const TtPtxVariable *variable = variables->pdata[i];
      if (variable->space != TT_PTX_SHARED && variable->bytes > 0 && !place_global (self, variable, error))
        return FALSE;
    }
  if (!place_shared (self, variables, error))
    return FALSE;
  for (guint i = 0; i < self->module->functions->len; i++)
    {
      const TtPtxFunction *function = self->module->functions->pdata[i];
      gboolean is_other = function->is_entry && function != ((TtGpuFunction *) self->functions->pdata[0])->source;

      if (!is_other && !place_shared (self, function->variables, error))
        return FALSE;
      for (guint j = 0; j < function->variables->len; j++)
        {
          const TtPtxVariable *variable = function->variables->pdata[j];
          if ((variable->space == TT_PTX_GLOBAL || variable->space == TT_PTX_CONST) && variable->bytes > 0 &&
              !place_global (self, variable, error))
            return FALSE;
        }
    }
  place_dynamic (self, variables);
  for (guint i = 0; i < variables->len; i++)
    {
      const TtPtxVariable *variable = variables->pdata[i];
      if (variable->fixups != NULL && g_hash_table_contains (self->places, variable) && !fix_up (self, variable, error))
        return FALSE;
    }
  return TRUE;
}

/* -- finding ----------------------------------------------------------------------------------------------- */

typedef struct
{
  TtPtxSpace space;
  guint64 address;
  guint bytes, align;
  const char *does;
} Access;

static guint8 *
fail_access (TtGpuLaunch *self, const TtGpuThread *thread, const Access *access, const char *fault)
{
  tt_gpu_fault (self, thread, "%s of %u bytes at 0x%" G_GINT64_MODIFIER "x (%s): %s", access->does, access->bytes,
                access->address, tt_ptx_spaces[access->space], fault);
  return NULL;
}

static guint8 *
find_global (TtGpuLaunch *self, const TtGpuThread *thread, const Access *access)
{
  const TtGpuRegion *region = tt_gpu_regions_find (&self->regions, access->address);
  guint64 offset = region == NULL ? 0 : access->address - region->base;
  g_autofree char *fault = NULL;

  if (region == NULL)
    return fail_access (self, thread, access, "there is no memory");
  if (access->bytes > region->bytes || offset > region->bytes - access->bytes)
    {
      fault = offset > region->bytes + TT_GPU_GAP
                  ? g_strdup ("there is no memory")
                  : g_strdup_printf ("it ends %" G_GUINT64_FORMAT " bytes behind '%s' of %" G_GUINT64_FORMAT,
                                     offset + access->bytes - region->bytes, region->name, region->bytes);
      return fail_access (self, thread, access, fault);
    }
  if (region->is_constant && access->does[0] != 'l')
    return fail_access (self, thread, access, "constant memory is read only");
  return region->data + offset;
}

static guint8 *
find_window (TtGpuLaunch *self,
             const TtGpuThread *thread,
             const Access *access,
             guint8 *data,
             guint64 offset,
             guint64 size)
{
  g_autofree char *fault = NULL;

  if (access->bytes <= size && offset <= size - access->bytes)
    return data + offset;
  fault = g_strdup_printf ("there are %" G_GUINT64_FORMAT " bytes", size);
  return fail_access (self, thread, access, fault);
}

static guint8 *
find_param (TtGpuLaunch *self, const TtGpuThread *thread, const Access *access)
{
  guint64 offset = access->address - TT_GPU_PARAM_WINDOW, depth = offset / TT_GPU_PARAM_FRAME;
  const TtGpuFrame *frame;

  if (depth > thread->depth)
    return fail_access (self, thread, access, "there is no parameter");
  frame = &thread->frames[depth];
  return find_window (self, thread, access, frame->params, offset % TT_GPU_PARAM_FRAME, frame->function->param_bytes);
}

guint8 *
tt_gpu_find_bytes (TtGpuLaunch *self,
                   TtGpuThread *thread,
                   TtPtxSpace space,
                   guint64 address,
                   guint bytes,
                   guint align,
                   const char *does)
{
  Access access = { .space = space, .address = address, .bytes = bytes, .align = align, .does = does };
  guint64 offset = address;

  if (address % align != 0)
    {
      g_autofree char *fault = g_strdup_printf ("misaligned, it needs a multiple of %u", align);
      return fail_access (self, thread, &access, fault);
    }
  if (space == TT_PTX_GENERIC)
    {
      guint64 window = address & ~(TT_GPU_WINDOW_BYTES - 1);
      offset = address - window;
      space = window == TT_GPU_SHARED_WINDOW  ? TT_PTX_SHARED
              : window == TT_GPU_LOCAL_WINDOW ? TT_PTX_LOCAL
              : window == TT_GPU_PARAM_WINDOW ? TT_PTX_PARAM
                                              : TT_PTX_GLOBAL;
    }
  switch (space)
    {
    case TT_PTX_SHARED:
      return find_window (self, thread, &access, self->shared, offset, tt_gpu_shared_bytes (self));
    case TT_PTX_LOCAL:
      return find_window (self, thread, &access, thread->local->data, offset, thread->local->len);
    case TT_PTX_PARAM:
      return find_param (self, thread, &access);
    default:
      return find_global (self, thread, &access);
    }
}
