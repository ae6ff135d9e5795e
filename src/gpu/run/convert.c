/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/real.h"

#include <math.h>

/* -- conversions ------------------------------------------------------------------------------------------- */

static guint64
whole_to_whole (const TtGpuOp *op, guint64 in)
{
  guint from = tt_ptx_type_bits (op->from), to = tt_ptx_type_bits (op->type);
  tt_int128 value =
      tt_ptx_type_is_signed (op->from) ? (tt_int128) tt_ptx_extend (in, from) : (tt_int128) tt_ptx_cut (in, from);

  if (op->is_set[TT_GPU_SAT])
    {
      gboolean is_signed = tt_ptx_type_is_signed (op->type);
      tt_int128 most = ((tt_int128) 1 << (is_signed ? to - 1 : to)) - 1, least = is_signed ? -most - 1 : 0;
      value = value > most ? most : value < least ? least : value;
    }
  guint64 bits = (guint64) value;
  return tt_ptx_type_is_signed (op->type) ? (guint64) tt_ptx_extend (bits, to) : tt_ptx_cut (bits, to);
}

static guint64
real_to_whole (const TtGpuOp *op, guint64 in)
{
  guint bits = tt_ptx_type_bits (op->type);
  gboolean is_signed = tt_ptx_type_is_signed (op->type);
  double value = tt_gpu_real_get (op->from, tt_gpu_real_flush (op, op->from, in));

  if (isnan (value))
    return op->from != TT_PTX_F64 && bits < 64 ? 0 : G_GUINT64_CONSTANT (1) << (bits - 1);
  value = tt_gpu_real_round_whole (value, op->is_set[TT_GPU_ROUND] ? op->value[TT_GPU_ROUND] : TT_GPU_RNI);
  double most = ldexp (1, (int) (is_signed ? bits - 1 : bits)), least = is_signed ? -most : 0;
  if (value >= most)
    return is_signed ? tt_ptx_cut (G_MAXUINT64, bits) >> 1 : tt_ptx_cut (G_MAXUINT64, bits);
  if (value <= least)
    return is_signed ? G_MAXUINT64 << (bits - 1) : 0;
  return is_signed ? (guint64) (gint64) value : (guint64) value;
}

static guint64
whole_to_real (const TtGpuOp *op, guint64 in)
{
  guint bits = tt_ptx_type_bits (op->from);
  TtGpuRound round = tt_gpu_real_round_of (op);
  volatile gint64 is = tt_ptx_extend (in, bits);
  volatile guint64 was = tt_ptx_cut (in, bits);
  gboolean is_signed = tt_ptx_type_is_signed (op->from);
  guint64 result;

  tt_gpu_real_set_round (round);
  if (op->type == TT_PTX_F32)
    {
      volatile float value = is_signed ? (float) is : (float) was;
      tt_gpu_real_reset ();
      result = tt_gpu_real_put (TT_PTX_F32, (double) value, TT_GPU_RN);
    }
  else
    {
      volatile double value = is_signed ? (double) is : (double) was;
      tt_gpu_real_reset ();
      result = tt_gpu_real_put (op->type, value, round);
    }
  return tt_gpu_real_saturate (op, op->type, result);
}

static guint64
real_to_real (const TtGpuOp *op, TtPtxType to, guint64 in)
{
  TtGpuRound round = tt_gpu_real_round_of (op);
  double value;

  in = tt_gpu_real_flush (op, op->from, in);
  value = tt_gpu_real_get (op->from, in);
  if (round >= TT_GPU_RNI)
    value = tt_gpu_real_round_whole (value, round);
  else if (to == op->from)
    return tt_gpu_real_flush (op, to, tt_gpu_real_saturate (op, to, in));
  guint64 result = tt_gpu_real_put (to, value, round >= TT_GPU_RNI ? TT_GPU_RN : round);
  return tt_gpu_real_flush (op, to, tt_gpu_real_saturate (op, to, result));
}

guint64
tt_gpu_pure_cvt (const TtGpuOp *op, const guint64 *in)
{
  gboolean from_real = tt_ptx_type_is_float (op->from), to_real = tt_ptx_type_is_float (op->type);

  if (tt_gpu_real_is_pair (op->type))
    return (real_to_real (op, op->type, in[1]) & 0xffff) | real_to_real (op, op->type, in[0]) << 16;
  if (!from_real)
    return to_real ? whole_to_real (op, in[0]) : whole_to_whole (op, in[0]);
  return to_real ? real_to_real (op, op->type, in[0]) : real_to_whole (op, in[0]);
}

/* -- comparisons --------------------------------------------------------------------------------------------- */

static gboolean
compare_whole (const TtGpuOp *op, guint64 a, guint64 b)
{
  guint bits = tt_ptx_type_bits (op->from);
  gboolean is_signed = tt_ptx_type_is_signed (op->from);
  guint64 x = tt_ptx_cut (a, bits), y = tt_ptx_cut (b, bits);
  gboolean is_less = is_signed ? tt_ptx_extend (a, bits) < tt_ptx_extend (b, bits) : x < y;

  switch ((TtGpuCompare) op->value[TT_GPU_COMPARE])
    {
    case TT_GPU_EQ:
      return x == y;
    case TT_GPU_NE:
      return x != y;
    case TT_GPU_LT:
    case TT_GPU_LO:
      return is_less;
    case TT_GPU_LE:
    case TT_GPU_LS:
      return is_less || x == y;
    case TT_GPU_GT:
    case TT_GPU_HI:
      return !is_less && x != y;
    default:
      return !is_less;
    }
}

static gboolean
combine (const TtGpuOp *op, gboolean value, guint64 with)
{
  switch (op->value[TT_GPU_BOOLEAN])
    {
    case TT_GPU_AND:
      return value && with != 0;
    case TT_GPU_OR:
      return value || with != 0;
    case TT_GPU_XOR:
      return value != (with != 0);
    default:
      return value;
    }
}

static gboolean
compare (const TtGpuOp *op, guint64 a, guint64 b)
{
  return tt_ptx_type_is_float (op->from) ? tt_gpu_real_compare (op, op->value[TT_GPU_COMPARE], a, b)
                                         : compare_whole (op, a, b);
}

guint64
tt_gpu_pure_set (const TtGpuOp *op, const guint64 *in)
{
  gboolean holds = combine (op, compare (op, in[0], in[1]), op->n > 3 ? in[2] : 0);

  return !holds ? 0 : op->type == TT_PTX_F32 ? tt_gpu_real_put (TT_PTX_F32, 1, TT_GPU_RN) : G_MAXUINT32;
}

void
tt_gpu_lane_setp (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint64 a = tt_gpu_read (self, thread, &op->operands[1]), b = tt_gpu_read (self, thread, &op->operands[2]);
  guint64 with = op->n > 3 ? tt_gpu_read (self, thread, &op->operands[3]) : 0;
  gboolean holds = compare (op, a, b);

  if (op->n_vector[0] == 0)
    {
      tt_gpu_write (thread, &op->operands[0], (guint64) combine (op, holds, with));
      return;
    }
  tt_gpu_write (thread, &op->vector[0][0], (guint64) combine (op, holds, with));
  tt_gpu_write (thread, &op->vector[0][1], (guint64) combine (op, !holds, with));
}
