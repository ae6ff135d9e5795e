/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

#include "src/base/error.h"

#include <string.h>

#define DEFAULT_STEPS (G_GUINT64_CONSTANT (1) << 32)
#define MAX_GRID 2147483647u

static void
function_free (gpointer data)
{
  TtGpuFunction *self = data;

  g_free (self->ops);
  g_free (self);
}

TtGpuLaunch *
tt_gpu_launch_new (const TtPtxModule *module, const TtPtxFunction *kernel, const char *name, GError **error)
{
  g_autoptr (TtGpuLaunch) self = g_new0 (TtGpuLaunch, 1);

  self->module = module;
  self->name = name;
  self->functions = g_ptr_array_new_with_free_func (function_free);
  self->decoded = g_hash_table_new (NULL, NULL);
  self->places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->memory = g_ptr_array_new_with_free_func (g_free);
  tt_gpu_regions_init (&self->regions, TT_GPU_GLOBAL_WINDOW);
  self->max_steps = DEFAULT_STEPS;
  if (module->address_size != 64)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: only modules with '.address_size 64' can be run here", name);
      return NULL;
    }
  TtGpuFunction *function = tt_gpu_function_of (self, kernel);
  if (!tt_gpu_place_variables (self, error) || !tt_gpu_decode (self, error))
    return NULL;
  self->params = g_malloc0 (MAX (function->param_bytes, 1));
  self->has_param = g_new0 (gboolean, MAX (kernel->params->len, 1));
  for (guint i = 0; i < 3; i++)
    self->grid[i] = self->block[i] = 1;
  return g_steal_pointer (&self);
}

void
tt_gpu_launch_free (TtGpuLaunch *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->functions, g_ptr_array_unref);
  g_clear_pointer (&self->decoded, g_hash_table_unref);
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_clear_pointer (&self->memory, g_ptr_array_unref);
  tt_gpu_regions_clear (&self->regions);
  g_clear_error (&self->fault);
  g_free (self->params);
  g_free (self->has_param);
  g_free (self);
}

/* -- what is given -------------------------------------------------------------------------------------- */

gboolean
tt_gpu_launch_set_size (TtGpuLaunch *self, const guint grid[3], const guint block[3], GError **error)
{
  const TtPtxFunction *kernel = ((TtGpuFunction *) self->functions->pdata[0])->source;
  guint64 n_blocks = 1, n_threads = 1;

  for (guint i = 0; i < 3; i++)
    {
      n_blocks *= MIN (grid[i], MAX_GRID);
      n_threads *= MIN (block[i], TT_GPU_MAX_BLOCK + 1);
      if (n_blocks == 0 || n_threads == 0 || n_blocks > MAX_GRID)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                       "a grid has from 1 to 2147483647 blocks, a block at least a thread");
          return FALSE;
        }
      if (kernel->required[0] != 0 && kernel->required[i] != block[i])
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "kernel '%s' requires blocks of %u,%u,%u (.reqntid)",
                       kernel->name, kernel->required[0], kernel->required[1], kernel->required[2]);
          return FALSE;
        }
      self->grid[i] = grid[i];
      self->block[i] = block[i];
    }
  if (n_threads > TT_GPU_MAX_BLOCK)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "a block has up to 1024 threads");
      return FALSE;
    }
  return TRUE;
}

gboolean
tt_gpu_launch_set_shared (TtGpuLaunch *self, guint64 bytes, GError **error)
{
  self->shared_dynamic = bytes;
  if (bytes <= 1u << 20)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "a block has up to 1 MiB of shared memory");
  return FALSE;
}

void
tt_gpu_launch_set_max_steps (TtGpuLaunch *self, guint64 steps)
{
  self->max_steps = steps;
}

gboolean
tt_gpu_launch_set_param (TtGpuLaunch *self, guint i, gconstpointer bytes, gsize len, GError **error)
{
  const TtPtxFunction *kernel = ((TtGpuFunction *) self->functions->pdata[0])->source;
  const TtPtxVariable *param = i < kernel->params->len ? kernel->params->pdata[i] : NULL;

  if (param == NULL || param->bytes != len)
    {
      if (param == NULL)
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "kernel '%s' has %u parameters, argument %u is too many",
                     kernel->name, kernel->params->len, i);
      else
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                     "parameter %u of kernel '%s' has %" G_GUINT64_FORMAT " bytes, the argument has %" G_GSIZE_FORMAT,
                     i, kernel->name, param->bytes, len);
      return FALSE;
    }
  memcpy (self->params + param->offset, bytes, len);
  self->has_param[i] = TRUE;
  return TRUE;
}

/* -- running -------------------------------------------------------------------------------------------- */

static void
free_threads (TtGpuLaunch *self)
{
  for (guint i = 0; self->threads != NULL && i < self->n_threads; i++)
    {
      for (guint depth = 0; depth <= self->threads[i].depth; depth++)
        {
          g_free (self->threads[i].frames[depth].registers);
          g_free (self->threads[i].frames[depth].params);
        }
      g_byte_array_unref (self->threads[i].local);
    }
  g_clear_pointer (&self->threads, g_free);
  g_clear_pointer (&self->warps, g_free);
  g_clear_pointer (&self->shared, g_free);
}

/* Memory for all threads of a block, that of the last one used again. */
static gboolean
make_threads (TtGpuLaunch *self, GError **error)
{
  const TtGpuFunction *kernel = self->functions->pdata[0];

  self->n_threads = self->block[0] * self->block[1] * self->block[2];
  self->n_warps = (self->n_threads + TT_GPU_WARP - 1) / TT_GPU_WARP;
  if ((guint64) self->n_threads * (kernel->n_registers * 8 + (guint64) kernel->param_bytes + kernel->local_bytes) >
      TT_GPU_MAX_FRAME_BYTES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: a block has more than 1 GiB of registers and local memory",
                   self->name);
      return FALSE;
    }
  self->threads = g_new0 (TtGpuThread, self->n_threads);
  self->warps = g_new0 (TtGpuWarp, self->n_warps);
  self->shared = g_malloc0 (MAX (tt_gpu_shared_bytes (self), 1));
  for (guint i = 0; i < self->n_warps; i++)
    self->warps[i] = (TtGpuWarp){ .threads = &self->threads[i * TT_GPU_WARP],
                                  .index = i,
                                  .n = MIN (TT_GPU_WARP, self->n_threads - i * TT_GPU_WARP) };
  for (guint i = 0; i < self->n_threads; i++)
    {
      TtGpuThread *thread = &self->threads[i];

      thread->index = i;
      thread->tid[0] = i % self->block[0];
      thread->tid[1] = i / self->block[0] % self->block[1];
      thread->tid[2] = i / self->block[0] / self->block[1];
      thread->warp = &self->warps[i / TT_GPU_WARP];
      thread->local = g_byte_array_new ();
      thread->frames[0].function = kernel;
      thread->frames[0].registers = g_new (guint64, MAX (kernel->n_registers, 1));
      thread->frames[0].params = g_malloc (MAX (kernel->param_bytes, 1));
    }
  return TRUE;
}

static void
reset_block (TtGpuLaunch *self)
{
  const TtGpuFunction *kernel = self->functions->pdata[0];

  memset (self->shared, 0, tt_gpu_shared_bytes (self));
  self->frame_bytes = 0;
  memset (self->n_arrived, 0, sizeof self->n_arrived);
  for (guint i = 0; i < self->n_threads; i++)
    {
      TtGpuThread *thread = &self->threads[i];
      TtGpuFrame *frame = &thread->frames[0];

      for (; thread->depth > 0; thread->depth--)
        {
          g_free (thread->frames[thread->depth].registers);
          g_free (thread->frames[thread->depth].params);
        }
      thread->state = TT_GPU_RUNS;
      thread->carry = FALSE;
      frame->pc = 0;
      memset (frame->registers, 0, kernel->n_registers * sizeof (guint64));
      memcpy (frame->params, self->params, kernel->param_bytes);
      g_byte_array_set_size (thread->local, kernel->local_bytes);
      if (kernel->local_bytes > 0)
        memset (thread->local->data, 0, kernel->local_bytes);
    }
}

static gboolean
run_blocks (TtGpuLaunch *self, GError **error)
{
  guint64 n_blocks = (guint64) self->grid[0] * self->grid[1] * self->grid[2];

  for (guint64 i = 0; i < n_blocks; i++)
    {
      self->block_index = i;
      self->block_id[0] = (guint) (i % self->grid[0]);
      self->block_id[1] = (guint) (i / self->grid[0] % self->grid[1]);
      self->block_id[2] = (guint) (i / self->grid[0] / self->grid[1]);
      reset_block (self);
      if (!tt_gpu_run_block (self, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tt_gpu_launch_run (TtGpuLaunch *self, TtGpuCounts *counts, GError **error)
{
  const TtPtxFunction *kernel = ((TtGpuFunction *) self->functions->pdata[0])->source;
  gboolean ok;

  for (guint i = 0; i < kernel->params->len; i++)
    if (!self->has_param[i])
      {
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "parameter %u of kernel '%s' ('%s') has no argument (--arg)", i,
                     kernel->name, ((const TtPtxVariable *) kernel->params->pdata[i])->name);
        return FALSE;
      }
  self->n_steps = self->n_thread_steps = 0;
  ok = make_threads (self, error) && run_blocks (self, error);
  free_threads (self);
  *counts = (TtGpuCounts){ self->n_steps, self->n_thread_steps };
  return ok;
}
