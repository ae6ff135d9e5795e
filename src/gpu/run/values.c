/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

/* When the first instruction runs: a time as a clock of today shows it, always the same. */
#define START_NS G_GUINT64_CONSTANT (1700000000000000000)

TtGpuFunction *
tt_gpu_function_of (TtGpuLaunch *self, const TtPtxFunction *function)
{
  TtGpuFunction *found = g_hash_table_lookup (self->decoded, function);

  if (found != NULL)
    return found;
  found = g_new0 (TtGpuFunction, 1);
  found->source = function;
  found->index = self->functions->len;
  g_ptr_array_add (self->functions, found);
  g_hash_table_insert (self->decoded, (gpointer) function, found);
  return found;
}

guint64
tt_gpu_dynamic_base (const TtGpuLaunch *self)
{
  return (self->shared_static + 15) & ~G_GUINT64_CONSTANT (15);
}

guint64
tt_gpu_shared_bytes (const TtGpuLaunch *self)
{
  return self->shared_dynamic > 0 ? tt_gpu_dynamic_base (self) + self->shared_dynamic : self->shared_static;
}

guint
tt_gpu_lane (const TtGpuThread *thread)
{
  return thread->index % TT_GPU_WARP;
}

static guint64
read_lane_mask (guint special, guint lane)
{
  guint64 bit = G_GUINT64_CONSTANT (1) << lane;

  switch (special)
    {
    case TT_GPU_LANEMASK_EQ:
      return bit;
    case TT_GPU_LANEMASK_LE:
      return bit | (bit - 1);
    case TT_GPU_LANEMASK_LT:
      return bit - 1;
    case TT_GPU_LANEMASK_GE:
      return G_MAXUINT32 & ~(bit - 1);
    default:
      return G_MAXUINT32 & ~(bit | (bit - 1));
    }
}

static guint64
read_clock (const TtGpuLaunch *self, guint special)
{
  guint64 time = START_NS + self->n_steps;

  switch (special)
    {
    case TT_GPU_CLOCK:
      return self->n_steps & G_MAXUINT32;
    case TT_GPU_CLOCK_HI:
      return self->n_steps >> 32;
    case TT_GPU_CLOCK64:
      return self->n_steps;
    case TT_GPU_GLOBALTIMER_LO:
      return time & G_MAXUINT32;
    case TT_GPU_GLOBALTIMER_HI:
      return time >> 32;
    default:
      return time;
    }
}

static guint64
read_special (const TtGpuLaunch *self, const TtGpuThread *thread, guint special)
{
  if (special <= TT_GPU_TID_Z)
    return thread->tid[special - TT_GPU_TID_X];
  if (special <= TT_GPU_NTID_Z)
    return self->block[special - TT_GPU_NTID_X];
  if (special <= TT_GPU_CTAID_Z)
    return self->block_id[special - TT_GPU_CTAID_X];
  if (special <= TT_GPU_NCTAID_Z)
    return self->grid[special - TT_GPU_NCTAID_X];
  if (special >= TT_GPU_LANEMASK_EQ && special <= TT_GPU_LANEMASK_GT)
    return read_lane_mask (special, tt_gpu_lane (thread));
  if (special >= TT_GPU_CLOCK && special <= TT_GPU_GLOBALTIMER_HI)
    return read_clock (self, special);
  switch (special)
    {
    case TT_GPU_LANEID:
      return tt_gpu_lane (thread);
    case TT_GPU_WARPID:
      return thread->index / TT_GPU_WARP;
    case TT_GPU_NWARPID:
      return self->n_warps;
    case TT_GPU_SMID:
      return self->block_index % TT_GPU_N_UNITS;
    case TT_GPU_NSMID:
      return TT_GPU_N_UNITS;
    case TT_GPU_DYNAMIC_SHARED:
      return self->shared_dynamic;
    case TT_GPU_TOTAL_SHARED:
      return tt_gpu_shared_bytes (self);
    default:
      return special == TT_GPU_ONE;
    }
}

guint64
tt_gpu_read (const TtGpuLaunch *self, const TtGpuThread *thread, const TtGpuOperand *operand)
{
  const TtGpuFrame *frame = &thread->frames[thread->depth];
  guint64 value;

  switch (operand->kind)
    {
    case TT_GPU_REGISTER:
      value = frame->registers[operand->reg] + operand->value;
      return operand->is_inverted ? value == 0 : value;
    case TT_GPU_VALUE:
      return operand->value;
    case TT_GPU_SPECIAL:
      return read_special (self, thread, operand->reg);
    case TT_GPU_LOCAL:
      return frame->local_base + operand->value;
    case TT_GPU_PARAM:
      return TT_GPU_PARAM_WINDOW + (guint64) thread->depth * TT_GPU_PARAM_FRAME + operand->value;
    default:
      return 0;
    }
}

void
tt_gpu_write (TtGpuThread *thread, const TtGpuOperand *operand, guint64 value)
{
  if (operand->kind == TT_GPU_REGISTER)
    thread->frames[thread->depth].registers[operand->reg] =
        operand->bits == 1 ? value != 0 : tt_ptx_cut (value, operand->bits);
}
