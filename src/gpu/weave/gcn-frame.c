/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/gcn-frame.h"

#include "src/base/error.h"

#define MOST_KERNARG_BYTES 65528u
#define MOST_USER 16u
#define MOST_VECTORS 512u

/* In the order in which they come. */
enum
{
  KERNARG = 3,
  BLOCK = 7,
  N_ITEMS = 12,
};

static const struct
{
  const char *name;
  guint n;
} items[N_ITEMS] = {
  { "user_sgpr_private_segment_buffer", 4 },
  { "user_sgpr_dispatch_ptr", 2 },
  { "user_sgpr_queue_ptr", 2 },
  { "user_sgpr_kernarg_segment_ptr", 2 },
  { "user_sgpr_dispatch_id", 2 },
  { "user_sgpr_flat_scratch_init", 2 },
  { "user_sgpr_private_segment_size", 1 },
  { "system_sgpr_workgroup_id_x", 1 },
  { "system_sgpr_workgroup_id_y", 1 },
  { "system_sgpr_workgroup_id_z", 1 },
  { "system_sgpr_workgroup_info", 1 },
  { "system_sgpr_private_segment_wavefront_offset", 1 },
};

/* -- what a kernel finds ------------------------------------------------------------------------------- */

static gboolean
has_item (const TtGcnKernel *kernel, guint item)
{
  if (item == BLOCK && !g_hash_table_contains (kernel->descriptor, items[item].name))
    return TRUE;
  return tt_gcn_kernel_number (kernel, items[item].name) != 0;
}

/* Returns how many user registers there are. */
static guint
lay_out (const TtGpuGcnFrame *self, const TtGcnKernel *kernel, gboolean is_woven, guint *at)
{
  guint next = 0, n_user = 0, more = is_woven && !self->has_kernarg ? 2 : 0;

  for (guint i = 0; i < N_ITEMS; i++)
    {
      if (i == BLOCK)
        n_user = next = MAX (next, self->n_user + (self->n_user > 0 ? more : 0));
      gboolean is_ours = i == KERNARG || (i >= BLOCK && i < BLOCK + 3);
      at[i] = next;
      if (has_item (kernel, i) || (is_woven && is_ours))
        next += items[i].n;
    }
  return n_user;
}

/* Ascending, each to a place that was read before. */
static void
find_moves (TtGpuGcnFrame *self, const TtGcnKernel *kernel, const guint *old, const guint *new)
{
  for (guint i = 0; i < N_ITEMS; i++)
    for (guint r = 0; r < items[i].n && has_item (kernel, i) && old[i] != new[i]; r++)
      {
        self->moves[self->n_moves].from = new[i] + r;
        self->moves[self->n_moves++].to = old[i] + r;
      }
}

/* -- free registers -------------------------------------------------------------------------------------- */

void
tt_gpu_gcn_use_add (TtGpuGcnUse *self, const TtGcnInstruction *instruction)
{
  for (guint i = 0; i < instruction->n; i++)
    {
      const TtGcnOperand *operand = &instruction->operands[i];
      guint end = operand->index + operand->n;

      if (operand->kind == TT_GCN_VECTOR)
        self->vectors = MAX (self->vectors, end);
      else if (operand->kind == TT_GCN_SCALAR)
        self->scalars = MAX (self->scalars, end);
      else if (operand->kind == TT_GCN_ACCUM)
        self->accums = MAX (self->accums, end);
    }
}

static void
find_free (TtGpuGcnFrame *self, const TtGcnKernel *kernel, const TtGpuGcnUse *use)
{
  guint64 vectors = tt_gcn_kernel_number (kernel, "next_free_vgpr");
  guint64 accum = tt_gcn_kernel_number (kernel, "accum_offset");

  self->old_scalars = (guint) MIN (tt_gcn_kernel_number (kernel, "next_free_sgpr"), TT_GCN_N_SCALARS);
  self->n_accums = accum > 0 && vectors > accum ? (guint) MIN (vectors - accum, TT_GCN_N_VECTORS) : 0;
  self->first_vector = (guint) MIN (self->n_accums > 0 ? accum : vectors, TT_GCN_N_VECTORS);
  self->first_vector = MAX (self->first_vector, use->vectors);
  self->first_vector += self->first_vector & 1;
  self->first_scalar = MAX (self->old_scalars, use->scalars);
  self->n_accums = MAX (self->n_accums, use->accums);
}

static const char *
find_fault (const TtGcnKernel *kernel)
{
  if (!kernel->has_descriptor)
    return "it has no descriptor (.amdhsa_kernel)";
  if (!g_hash_table_contains (kernel->descriptor, "next_free_vgpr") ||
      !g_hash_table_contains (kernel->descriptor, "next_free_sgpr"))
    return ".amdhsa_next_free_vgpr or .amdhsa_next_free_sgpr is missing or no number";
  if (tt_gcn_kernel_number (kernel, "kernarg_size") > MOST_KERNARG_BYTES)
    return "its parameters take too many bytes";
  if (tt_gcn_kernel_number (kernel, "user_sgpr_kernarg_preload_length") > 0)
    return "its parameters come in registers (.amdhsa_user_sgpr_kernarg_preload_length)";
  if (tt_gcn_kernel_number (kernel, "user_sgpr_count") > MOST_USER)
    return "more than 16 registers for what it finds (.amdhsa_user_sgpr_count)";
  return NULL;
}

gboolean
tt_gpu_gcn_frame_init (TtGpuGcnFrame *self,
                       const TtGcnKernel *kernel,
                       const TtGpuGcnUse *use,
                       const char *name,
                       GError **error)
{
  const char *fault = find_fault (kernel);
  guint old[N_ITEMS], new[N_ITEMS];

  *self = (TtGpuGcnFrame){ 0 };
  if (fault == NULL)
    {
      self->has_kernarg = has_item (kernel, KERNARG);
      self->n_user = (guint) tt_gcn_kernel_number (kernel, "user_sgpr_count");
      self->n_thread_axes = (guint) MIN (tt_gcn_kernel_number (kernel, "system_vgpr_workitem_id"), 2);
      lay_out (self, kernel, FALSE, old);
      if (lay_out (self, kernel, TRUE, new) > MOST_USER)
        fault = "no register is left for the address of its parameters";
    }
  if (fault != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: kernel '%s' cannot be woven: %s", name, kernel->name, fault);
      return FALSE;
    }
  self->kernarg = new[KERNARG];
  for (guint axis = 0; axis < 3; axis++)
    self->block[axis] = new[BLOCK + axis];
  find_moves (self, kernel, old, new);
  find_free (self, kernel, use);
  self->first_scalar = MAX (self->first_scalar, new[N_ITEMS - 1] + 1);
  self->first_scalar += self->first_scalar & 1;
  self->param_offset = (tt_gcn_kernel_number (kernel, "kernarg_size") + 7) / 8 * 8;
  return TRUE;
}

/* -- counts --------------------------------------------------------------------------------------------- */

gboolean
tt_gpu_gcn_frame_count (const TtGpuGcnFrame *self,
                        guint n_vectors,
                        guint n_scalars,
                        const char *what,
                        TtGpuGcnCounts *counts,
                        GError **error)
{
  guint vectors = self->first_vector + n_vectors, offset = (vectors + 3) / 4 * 4;

  counts->scalars = self->first_scalar + n_scalars;
  counts->accum_offset = offset;
  counts->vectors = self->n_accums > 0 ? offset + self->n_accums : vectors;
  if (vectors <= TT_GCN_N_VECTORS && counts->vectors <= MOST_VECTORS && counts->scalars <= TT_GCN_N_SCALARS)
    return TRUE;
  g_set_error (
      error, TT_ERROR, TT_ERROR_FORMAT,
      "%s: it uses %u vector and %u scalar registers, the probe needs %u and %u more, and there are 256 and %u", what,
      self->first_vector, self->first_scalar, n_vectors, n_scalars, TT_GCN_N_SCALARS);
  return FALSE;
}
