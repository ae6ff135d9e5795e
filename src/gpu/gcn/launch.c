/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

#include "src/base/error.h"

#include <string.h>

#define DEFAULT_STEPS (G_GUINT64_CONSTANT (1) << 32)
#define MAX_GRID 2147483647u
#define MAX_ARGUMENT_BYTES 65536u
#define PACKET_BYTES 64u
#define TURN 256u /* instructions of a wave before the next one */
#define N_REGISTERS (2 * TT_GCN_N_VECTORS)

static const TtGcnArgument *
find_argument (const TtGcnLaunch *self, guint wanted)
{
  const GArray *arguments = self->kernel->arguments;

  for (guint i = 0, n = 0; i < arguments->len; i++)
    if (!tt_gcn_argument_is_hidden (&g_array_index (arguments, TtGcnArgument, i)) && n++ == wanted)
      return &g_array_index (arguments, TtGcnArgument, i);
  return NULL;
}

/* -- a new one ------------------------------------------------------------------------------------ */

static gboolean
check_kernel (TtGcnLaunch *self, GError **error)
{
  guint64 bytes = tt_gcn_kernel_number (self->kernel, "kernarg_size");
  const GArray *arguments = self->kernel->arguments;
  const char *why = NULL;

  if (!self->kernel->has_descriptor)
    why = "it has no descriptor (.amdhsa_kernel)";
  else if (g_strcmp0 (self->module->target, "gfx90a") != 0 && !self->is_gfx942)
    why = "only gfx90a, gfx942 and gfx950 can be run here (.amdgcn_target)";
  else if (bytes > MAX_ARGUMENT_BYTES || arguments->len > bytes)
    why = "its arguments take too many bytes, or there are more than it has bytes for";
  else if (tt_gcn_kernel_number (self->kernel, "group_segment_fixed_size") > TT_GCN_MAX_SHARED)
    why = "it has more than 64 KiB of shared memory";
  else if (tt_gcn_kernel_number (self->kernel, "private_segment_fixed_size") > 0)
    why = "it has memory of each thread (scratch), which cannot be run here";
  for (guint i = 0; i < arguments->len && why == NULL; i++)
    {
      const TtGcnArgument *argument = &g_array_index (arguments, TtGcnArgument, i);

      if (argument->size > bytes || argument->offset > bytes - argument->size)
        why = "an argument lies behind the end of all (.amdgpu_metadata)";
      self->n_explicit += !tt_gcn_argument_is_hidden (argument);
    }
  if (why != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: kernel '%s': %s", self->name, self->kernel->name, why);
  return why == NULL;
}

TtGcnLaunch *
tt_gcn_launch_new (const TtGcnModule *module, const TtGcnKernel *kernel, const char *name, GError **error)
{
  g_autoptr (TtGcnLaunch) self = g_new0 (TtGcnLaunch, 1);
  guint64 bytes = tt_gcn_kernel_number (kernel, "kernarg_size");

  self->module = module;
  self->kernel = kernel;
  self->name = name;
  /* What gfx950 has beside gfx942 cannot be run here, and what both have runs alike. */
  self->is_gfx942 = g_strcmp0 (module->target, "gfx942") == 0 || g_strcmp0 (module->target, "gfx940") == 0 ||
                    g_strcmp0 (module->target, "gfx950") == 0;
  tt_gpu_regions_init (&self->regions, TT_GCN_GLOBAL_BASE);
  self->places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->max_steps = DEFAULT_STEPS;
  for (guint i = 0; i < 3; i++)
    self->grid[i] = self->block[i] = 1;
  if (!check_kernel (self, error))
    return NULL;
  self->has_argument = g_new0 (gboolean, MAX (self->n_explicit, 1));
  self->arguments = tt_gpu_regions_add (&self->regions, "arguments", bytes, FALSE, &self->arguments_address, error);
  if (self->arguments == NULL)
    return NULL;
  self->packet =
      tt_gpu_regions_add (&self->regions, "dispatch packet", PACKET_BYTES, FALSE, &self->packet_address, error);
  if (self->packet == NULL || !tt_gcn_decode (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_gcn_launch_free (TtGcnLaunch *self)
{
  if (self == NULL)
    return;
  tt_gpu_regions_clear (&self->regions);
  g_hash_table_unref (self->places);
  g_clear_error (&self->fault);
  g_free (self->ops);
  g_free (self->has_argument);
  g_free (self);
}

/* -- what is given -------------------------------------------------------------------------------- */

/* Each of four units has 512 registers, given out by eights, and at most eight waves. */
guint
tt_gcn_most_threads (guint64 n_vectors)
{
  guint waves = (guint) MIN (512 / MAX ((MIN (n_vectors, 512) + 7) / 8 * 8, 8), 8);

  return MIN (waves * 4 * TT_GCN_WAVE, TT_GCN_MAX_BLOCK);
}

static gboolean
has_room (const TtGcnLaunch *self, guint64 n_threads, GError **error)
{
  guint64 n_vectors = tt_gcn_kernel_number (self->kernel, "next_free_vgpr");

  if (n_threads <= tt_gcn_most_threads (n_vectors))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "kernel '%s' has %" G_GUINT64_FORMAT " vector registers: a block has room for %u threads",
               self->kernel->name, n_vectors, tt_gcn_most_threads (n_vectors));
  return FALSE;
}

gboolean
tt_gcn_launch_set_size (TtGcnLaunch *self, const guint grid[3], const guint block[3], GError **error)
{
  guint64 n_blocks = 1, n_threads = 1;

  for (guint i = 0; i < 3; i++)
    {
      n_blocks *= MIN (grid[i], MAX_GRID);
      n_threads *= MIN (block[i], TT_GCN_MAX_BLOCK + 1);
      if (n_blocks == 0 || n_threads == 0 || n_blocks > MAX_GRID || n_threads > TT_GCN_MAX_BLOCK)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                       n_threads > TT_GCN_MAX_BLOCK
                           ? "a block has up to 1024 threads"
                           : "a grid has from 1 to 2147483647 blocks, a block at least a thread");
          return FALSE;
        }
      self->grid[i] = grid[i];
      self->block[i] = block[i];
    }
  return has_room (self, n_threads, error);
}

gboolean
tt_gcn_launch_set_shared (TtGcnLaunch *self, guint64 bytes, GError **error)
{
  guint64 fixed = tt_gcn_kernel_number (self->kernel, "group_segment_fixed_size");

  self->shared_dynamic = bytes;
  if (bytes <= TT_GCN_MAX_SHARED - MIN (fixed, TT_GCN_MAX_SHARED))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "a block has up to 64 KiB of shared memory");
  return FALSE;
}

void
tt_gcn_launch_set_max_steps (TtGcnLaunch *self, guint64 steps)
{
  self->max_steps = steps;
}

guint8 *
tt_gcn_launch_allocate (TtGcnLaunch *self, const char *name, guint64 bytes, guint64 *address, GError **error)
{
  return tt_gpu_regions_add (&self->regions, name, bytes, FALSE, address, error);
}

gboolean
tt_gcn_launch_set_param (TtGcnLaunch *self, guint i, gconstpointer bytes, gsize len, GError **error)
{
  const TtGcnArgument *argument = find_argument (self, i);

  if (argument == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "kernel '%s' has %u parameters, argument %u is too many",
                 self->kernel->name, self->n_explicit, i);
  else if (argument->size != len)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "parameter %u of kernel '%s' has %" G_GUINT64_FORMAT " bytes, the argument has %" G_GSIZE_FORMAT, i,
                 self->kernel->name, argument->size, len);
  else
    {
      memcpy (self->arguments + argument->offset, bytes, len);
      self->has_argument[i] = TRUE;
      return TRUE;
    }
  return FALSE;
}

/* -- what a kernel finds --------------------------------------------------------------------------- */

static void
put (guint8 *at, guint64 bytes, guint64 value)
{
  for (guint64 i = 0; i < MIN (bytes, 8); i++)
    at[i] = (guint8) (value >> (8 * i));
}

/* Those that a runtime sets. */
static void
fill_hidden (TtGcnLaunch *self)
{
  static const char axes[] = "xyz";
  const GArray *arguments = self->kernel->arguments;
  guint n_dimensions = self->grid[2] * self->block[2] > 1 ? 3 : self->grid[1] * self->block[1] > 1 ? 2 : 1;

  for (guint i = 0; i < arguments->len; i++)
    {
      const TtGcnArgument *argument = &g_array_index (arguments, TtGcnArgument, i);
      guint64 value = 0;

      if (!tt_gcn_argument_is_hidden (argument))
        continue;
      const char *last = argument->kind + strlen (argument->kind) - 1, *axis = strchr (axes, *last);
      guint a = axis == NULL ? 0 : (guint) (axis - axes);
      if (g_str_has_prefix (argument->kind, "hidden_block_count_"))
        value = self->grid[a];
      else if (g_str_has_prefix (argument->kind, "hidden_group_size_"))
        value = self->block[a];
      else if (g_str_equal (argument->kind, "hidden_grid_dims"))
        value = n_dimensions;
      else if (g_str_equal (argument->kind, "hidden_dynamic_lds_size"))
        value = self->shared_dynamic;
      put (self->arguments + argument->offset, argument->size, value);
    }
}

/* The packet by which a runtime starts kernels. */
static void
fill_packet (TtGcnLaunch *self)
{
  for (guint axis = 0; axis < 3; axis++)
    {
      put (self->packet + 4 + 2 * axis, 2, self->block[axis]);
      put (self->packet + 12 + 4 * axis, 4, (guint64) self->grid[axis] * self->block[axis]);
    }
  put (self->packet + 40, 8, self->arguments_address);
}

/* Scalar registers as the descriptor asks for them, in its order. */
static void
fill_scalars (const TtGcnLaunch *self, TtGcnWave *wave)
{
  const struct
  {
    const char *name;
    guint n;
    guint64 value;
  } user[] = {
    { "user_sgpr_private_segment_buffer", 4, 0 },
    { "user_sgpr_dispatch_ptr", 2, self->packet_address },
    { "user_sgpr_queue_ptr", 2, 0 },
    { "user_sgpr_kernarg_segment_ptr", 2, self->arguments_address },
    { "user_sgpr_dispatch_id", 2, 0 },
    { "user_sgpr_flat_scratch_init", 2, 0 },
    { "user_sgpr_private_segment_size", 1, 0 },
  };
  static const char *const blocks[] = { "system_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_y",
                                        "system_sgpr_workgroup_id_z" };
  guint at = 0;

  for (guint i = 0; i < G_N_ELEMENTS (user); i++)
    if (tt_gcn_kernel_number (self->kernel, user[i].name) != 0)
      {
        tt_gcn_write_scalar (wave, at, user[i].value, user[i].n == 2);
        at += user[i].n;
      }
  at = (guint) MAX (at, MIN (tt_gcn_kernel_number (self->kernel, "user_sgpr_count"), 32));
  for (guint i = 0; i < 3; i++)
    if (tt_gcn_kernel_number (self->kernel, blocks[i]) != 0 ||
        (i == 0 && !g_hash_table_contains (self->kernel->descriptor, blocks[0])))
      wave->scalars[at++] = self->block_id[i];
}

/* The number of each thread, packed into v0: x, y, z of 10 bits. */
static void
fill_vectors (const TtGcnLaunch *self, TtGcnWave *wave)
{
  guint64 n = tt_gcn_kernel_number (self->kernel, "system_vgpr_workitem_id");

  for (guint lane = 0; lane < wave->n_threads; lane++)
    {
      guint i = wave->index * TT_GCN_WAVE + lane, x = i % self->block[0], y = i / self->block[0] % self->block[1];
      guint z = i / self->block[0] / self->block[1];

      wave->vectors[0][lane] = x | (n >= 1 ? y << 10 : 0) | (n >= 2 ? z << 20 : 0);
    }
}

/* -- blocks ----------------------------------------------------------------------------------------- */

static void
reset_wave (const TtGcnLaunch *self, TtGcnWave *wave, guint i, guint n_threads)
{
  guint32 (*vectors)[TT_GCN_WAVE] = wave->vectors;
  guint n = MIN (n_threads - i * TT_GCN_WAVE, TT_GCN_WAVE);

  memset (wave, 0, sizeof *wave);
  memset (vectors, 0, N_REGISTERS * sizeof *vectors);
  wave->vectors = vectors;
  wave->index = i;
  wave->n_threads = n;
  wave->pc = self->kernel->entry;
  tt_gcn_write_scalar (wave, TT_GCN_EXEC_PLACE, n == TT_GCN_WAVE ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << n) - 1,
                       TRUE);
  fill_scalars (self, wave);
  fill_vectors (self, wave);
}

/* Whether it did anything. */
static gboolean
run_wave (TtGcnLaunch *self, TtGcnWave *wave)
{
  guint n = 0;

  for (; n < TURN && self->fault == NULL && wave->state == TT_GCN_RUNS; n++)
    {
      if (wave->pc >= self->n_ops || self->ops[wave->pc].run == NULL)
        {
          tt_gcn_fault (self, wave, "the kernel goes on behind its end");
          break;
        }
      const TtGcnOp *op = self->op = &self->ops[wave->pc++];
      if (self->n_steps++ >= self->max_steps)
        {
          tt_gcn_fault (self, wave, "more than %" G_GUINT64_FORMAT " instructions of waves (--max-steps)",
                        self->max_steps);
          break;
        }
      self->n_thread_steps += (guint) __builtin_popcountll (tt_gcn_exec (wave));
      tt_gcn_check_waits (self, wave, op);
      if (self->fault == NULL)
        op->run (self, wave, op);
    }
  return n > 0;
}

/* Waves that have ended are not waited for. */
static gboolean
release_barrier (TtGcnLaunch *self)
{
  guint n_waiting = 0, n_live = 0;

  for (guint i = 0; i < self->n_waves; i++)
    {
      n_live += self->waves[i].state != TT_GCN_ENDED;
      n_waiting += self->waves[i].state == TT_GCN_AT_BARRIER;
    }
  for (guint i = 0; i < self->n_waves && n_waiting == n_live; i++)
    if (self->waves[i].state == TT_GCN_AT_BARRIER)
      self->waves[i].state = TT_GCN_RUNS;
  return n_live > 0;
}

static gboolean
run_block (TtGcnLaunch *self, guint n_threads)
{
  memset (self->shared, 0, MAX (self->shared_bytes, 1));
  for (guint i = 0; i < self->n_waves; i++)
    reset_wave (self, &self->waves[i], i, n_threads);
  do
    for (guint i = 0; i < self->n_waves; i++)
      run_wave (self, &self->waves[i]);
  while (self->fault == NULL && release_barrier (self));
  return self->fault == NULL;
}

static gboolean
run_blocks (TtGcnLaunch *self)
{
  guint64 n_blocks = (guint64) self->grid[0] * self->grid[1] * self->grid[2];
  guint n_threads = self->block[0] * self->block[1] * self->block[2];

  for (guint64 i = 0; i < n_blocks; i++)
    {
      self->block_index = i;
      self->block_id[0] = (guint) (i % self->grid[0]);
      self->block_id[1] = (guint) (i / self->grid[0] % self->grid[1]);
      self->block_id[2] = (guint) (i / self->grid[0] / self->grid[1]);
      if (!run_block (self, n_threads))
        return FALSE;
    }
  return TRUE;
}

gboolean
tt_gcn_launch_run (TtGcnLaunch *self, guint64 *wave_steps, guint64 *thread_steps, GError **error)
{
  guint n_threads = self->block[0] * self->block[1] * self->block[2];
  g_autofree guint8 *shared = NULL;
  g_autofree TtGcnWave *waves = NULL;
  g_autofree guint32 *registers = NULL;

  for (guint i = 0; i < self->n_explicit; i++)
    if (!self->has_argument[i])
      {
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "parameter %u of kernel '%s' has no argument (--arg)", i,
                     self->kernel->name);
        return FALSE;
      }
  self->n_steps = self->n_thread_steps = 0;
  self->n_waves = (n_threads + TT_GCN_WAVE - 1) / TT_GCN_WAVE;
  self->shared_bytes = tt_gcn_kernel_number (self->kernel, "group_segment_fixed_size") + self->shared_dynamic;
  self->shared = shared = g_malloc0 (MAX (self->shared_bytes, 1));
  self->waves = waves = g_new0 (TtGcnWave, self->n_waves);
  registers = g_new0 (guint32, (gsize) self->n_waves * N_REGISTERS * TT_GCN_WAVE);
  for (guint i = 0; i < self->n_waves; i++)
    waves[i].vectors = (guint32 (*)[TT_GCN_WAVE]) (registers + (gsize) i * N_REGISTERS * TT_GCN_WAVE);
  fill_hidden (self);
  fill_packet (self);
  gboolean ok = run_blocks (self);
  self->waves = NULL;
  self->shared = NULL;
  *wave_steps = self->n_steps;
  *thread_steps = self->n_thread_steps;
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&self->fault));
  return ok;
}
