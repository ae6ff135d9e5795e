/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"
#include "src/gpu/run/real.h"

#define BITS(op) tt_ptx_type_bits ((op)->type)
#define U(i) tt_ptx_cut (in[i], bits)
#define S(i) tt_ptx_extend (in[i], bits)
#define IS_SIGNED tt_ptx_type_is_signed (op->type)

static gint64
clamp (tt_int128 value, guint bits)
{
  tt_int128 most = ((tt_int128) 1 << (bits - 1)) - 1;

  return (gint64) (value > most ? most : value < -most - 1 ? -most - 1 : value);
}

guint64
tt_gpu_pure_add (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  if (tt_ptx_type_is_float (op->type))
    return tt_gpu_real_binary (op, TT_GPU_REAL_ADD, in[0], in[1]);
  if (op->is_set[TT_GPU_SAT])
    return (guint64) clamp ((tt_int128) S (0) + S (1), bits);
  return in[0] + in[1];
}

guint64
tt_gpu_pure_sub (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  if (tt_ptx_type_is_float (op->type))
    return tt_gpu_real_binary (op, TT_GPU_REAL_SUB, in[0], in[1]);
  if (op->is_set[TT_GPU_SAT])
    return (guint64) clamp ((tt_int128) S (0) - S (1), bits);
  return in[0] - in[1];
}

static guint64
multiply (const TtGpuOp *op, const guint64 *in, guint part)
{
  guint bits = BITS (op);
  tt_uint128 product = IS_SIGNED ? (tt_uint128) ((tt_int128) S (0) * S (1)) : (tt_uint128) U (0) * U (1);

  return (guint64) (part == TT_GPU_PART_HI ? product >> bits : product);
}

guint64
tt_gpu_pure_mul (const TtGpuOp *op, const guint64 *in)
{
  if (tt_ptx_type_is_float (op->type))
    return tt_gpu_real_binary (op, TT_GPU_REAL_MUL, in[0], in[1]);
  return multiply (op, in, op->value[TT_GPU_PART]);
}

guint64
tt_gpu_pure_mad (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);
  guint part = op->value[TT_GPU_PART];

  if (tt_ptx_type_is_float (op->type))
    return tt_gpu_real_fma (op, in[0], in[1], in[2]);
  if (op->is_set[TT_GPU_SAT])
    return (guint64) clamp ((tt_int128) tt_ptx_extend (multiply (op, in, part), bits) + S (2), bits);
  return multiply (op, in, part) + in[2];
}

guint64
tt_gpu_pure_fma (const TtGpuOp *op, const guint64 *in)
{
  return tt_gpu_real_fma (op, in[0], in[1], in[2]);
}

guint64
tt_gpu_pure_mul24 (const TtGpuOp *op, const guint64 *in)
{
  tt_uint128 product = IS_SIGNED ? (tt_uint128) ((tt_int128) tt_ptx_extend (in[0], 24) * tt_ptx_extend (in[1], 24))
                                 : (tt_uint128) tt_ptx_cut (in[0], 24) * tt_ptx_cut (in[1], 24);

  return (guint64) (op->value[TT_GPU_PART] == TT_GPU_PART_HI ? product >> 16 : product);
}

guint64
tt_gpu_pure_mad24 (const TtGpuOp *op, const guint64 *in)
{
  return tt_gpu_pure_mul24 (op, in) + in[2];
}

guint64
tt_gpu_pure_sad (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  if (IS_SIGNED)
    return in[2] + (S (0) < S (1) ? (guint64) S (1) - (guint64) S (0) : (guint64) S (0) - (guint64) S (1));
  return in[2] + (U (0) < U (1) ? U (1) - U (0) : U (0) - U (1));
}

/* By 0 a machine gives all ones, and the dividend as what remains. */
guint64
tt_gpu_pure_div (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  if (tt_ptx_type_is_float (op->type))
    return tt_gpu_real_binary (op, TT_GPU_REAL_DIV, in[0], in[1]);
  if (U (1) == 0)
    return G_MAXUINT64;
  return IS_SIGNED ? (guint64) ((tt_int128) S (0) / S (1)) : U (0) / U (1);
}

guint64
tt_gpu_pure_rem (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  if (U (1) == 0)
    return in[0];
  return IS_SIGNED ? (guint64) ((tt_int128) S (0) % S (1)) : U (0) % U (1);
}

guint64
tt_gpu_pure_abs (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  if (tt_ptx_type_is_float (op->type))
    return tt_gpu_real_sign (op, in[0], FALSE);
  return S (0) < 0 ? -in[0] : in[0];
}

guint64
tt_gpu_pure_neg (const TtGpuOp *op, const guint64 *in)
{
  return tt_ptx_type_is_float (op->type) ? tt_gpu_real_sign (op, in[0], TRUE) : -in[0];
}

guint64
tt_gpu_pure_min (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  if (tt_ptx_type_is_float (op->type))
    return tt_gpu_real_binary (op, TT_GPU_REAL_MIN, in[0], in[1]);
  return (IS_SIGNED ? S (0) < S (1) : U (0) < U (1)) ? in[0] : in[1];
}

guint64
tt_gpu_pure_max (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  if (tt_ptx_type_is_float (op->type))
    return tt_gpu_real_binary (op, TT_GPU_REAL_MAX, in[0], in[1]);
  return (IS_SIGNED ? S (0) > S (1) : U (0) > U (1)) ? in[0] : in[1];
}

/* -- bits -------------------------------------------------------------------------------------- */

guint64
tt_gpu_pure_popc (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  return (guint64) __builtin_popcountll (U (0));
}

guint64
tt_gpu_pure_clz (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  return U (0) == 0 ? bits : (guint64) __builtin_clzll (U (0)) - (64 - bits);
}

guint64
tt_gpu_pure_bfind (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);
  guint64 value = IS_SIGNED && S (0) < 0 ? tt_ptx_cut (~in[0], bits) : U (0);

  if (value == 0)
    return G_MAXUINT32;
  guint at = 63 - (guint) __builtin_clzll (value);
  return op->value[TT_GPU_MODE] == TT_GPU_SHIFTAMT ? bits - 1 - at : at;
}

guint64
tt_gpu_pure_brev (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);
  guint64 result = 0;

  for (guint i = 0; i < bits; i++)
    result |= (in[0] >> i & 1) << (bits - 1 - i);
  return result;
}

guint64
tt_gpu_pure_bfe (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);
  guint at = (guint) in[1] & 255, len = (guint) in[2] & 255;
  guint64 sign;

  if (len == 0)
    return 0;
  sign = IS_SIGNED ? U (0) >> MIN (at + len - 1, bits - 1) & 1 : 0;
  guint64 value = at >= bits ? 0 : U (0) >> at;
  guint n = at >= bits ? 0 : MIN (len, bits - at);
  value = n == 0 ? 0 : tt_ptx_cut (value, n);
  if (sign != 0)
    value |= n >= 64 ? 0 : G_MAXUINT64 << n;
  return value;
}

guint64
tt_gpu_pure_bfi (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);
  guint at = (guint) in[2] & 255, len = (guint) in[3] & 255;
  guint64 mask;

  if (len == 0 || at >= bits)
    return in[1];
  mask = tt_ptx_cut (G_MAXUINT64, MIN (len, bits - at)) << at;
  return (in[1] & ~mask) | (in[0] << at & mask);
}

guint64
tt_gpu_pure_bmsk (const TtGpuOp *op, const guint64 *in)
{
  gboolean wraps = op->value[TT_GPU_MODE] == TT_GPU_WRAP;
  guint64 at = wraps ? in[0] & 31 : tt_ptx_cut (in[0], 32), len = wraps ? in[1] & 31 : tt_ptx_cut (in[1], 32);

  if (at >= 32)
    return 0;
  return tt_ptx_cut (len >= 32 ? G_MAXUINT64 : tt_ptx_cut (G_MAXUINT64, (guint) len), 32) << at;
}

guint64
tt_gpu_pure_szext (const TtGpuOp *op, const guint64 *in)
{
  guint64 n = op->value[TT_GPU_MODE] == TT_GPU_WRAP ? in[1] & 31 : tt_ptx_cut (in[1], 32);

  if (n == 0)
    return 0;
  if (n >= 32)
    return in[0];
  return IS_SIGNED ? (guint64) tt_ptx_extend (in[0], (guint) n) : tt_ptx_cut (in[0], (guint) n);
}

guint64
tt_gpu_pure_and (const TtGpuOp *op, const guint64 *in)
{
  return in[0] & in[1];
}

guint64
tt_gpu_pure_or (const TtGpuOp *op, const guint64 *in)
{
  return in[0] | in[1];
}

guint64
tt_gpu_pure_xor (const TtGpuOp *op, const guint64 *in)
{
  return in[0] ^ in[1];
}

guint64
tt_gpu_pure_not (const TtGpuOp *op, const guint64 *in)
{
  return ~in[0];
}

guint64
tt_gpu_pure_cnot (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);

  return U (0) == 0;
}

guint64
tt_gpu_pure_lop3 (const TtGpuOp *op, const guint64 *in)
{
  guint64 result = 0;

  for (guint i = 0; i < 8; i++)
    if ((in[3] >> i & 1) != 0)
      result |= (i & 4 ? in[0] : ~in[0]) & (i & 2 ? in[1] : ~in[1]) & (i & 1 ? in[2] : ~in[2]);
  return result;
}

guint64
tt_gpu_pure_shl (const TtGpuOp *op, const guint64 *in)
{
  guint64 count = tt_ptx_cut (in[1], 32);

  return count >= BITS (op) ? 0 : in[0] << count;
}

guint64
tt_gpu_pure_shr (const TtGpuOp *op, const guint64 *in)
{
  guint bits = BITS (op);
  guint64 count = tt_ptx_cut (in[1], 32);

  if (IS_SIGNED)
    return (guint64) (S (0) >> MIN (count, bits - 1));
  return count >= bits ? 0 : U (0) >> count;
}

guint64
tt_gpu_pure_shf (const TtGpuOp *op, const guint64 *in)
{
  gboolean is_left = op->value[TT_GPU_MODE] == TT_GPU_LEFT || op->mode2 == TT_GPU_LEFT;
  gboolean wraps = op->value[TT_GPU_MODE] == TT_GPU_WRAP || op->mode2 == TT_GPU_WRAP;
  guint64 whole = tt_ptx_cut (in[1], 32) << 32 | tt_ptx_cut (in[0], 32), count = tt_ptx_cut (in[2], 32);

  count = wraps ? count & 31 : MIN (count, 32);
  return is_left ? whole << count >> 32 : whole >> count;
}

static guint
select_byte (guint64 both, guint selector)
{
  guint byte = (guint) (both >> (8 * (selector & 7))) & 255;

  return selector & 8 ? (byte & 128 ? 255 : 0) : byte;
}

guint64
tt_gpu_pure_prmt (const TtGpuOp *op, const guint64 *in)
{
  static const guint8 tables[][4][4] = {
    [TT_GPU_F4E] = { { 0, 1, 2, 3 }, { 1, 2, 3, 4 }, { 2, 3, 4, 5 }, { 3, 4, 5, 6 } },
    [TT_GPU_B4E] = { { 0, 7, 6, 5 }, { 1, 0, 7, 6 }, { 2, 1, 0, 7 }, { 3, 2, 1, 0 } },
    [TT_GPU_RC8] = { { 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 2, 2, 2, 2 }, { 3, 3, 3, 3 } },
    [TT_GPU_ECL] = { { 0, 1, 2, 3 }, { 1, 1, 2, 3 }, { 2, 2, 2, 3 }, { 3, 3, 3, 3 } },
    [TT_GPU_ECR] = { { 0, 0, 0, 0 }, { 0, 1, 1, 1 }, { 0, 1, 2, 2 }, { 0, 1, 2, 3 } },
    [TT_GPU_RC16] = { { 0, 1, 0, 1 }, { 2, 3, 2, 3 }, { 0, 1, 0, 1 }, { 2, 3, 2, 3 } },
  };
  guint64 both = tt_ptx_cut (in[1], 32) << 32 | tt_ptx_cut (in[0], 32), result = 0;
  guint mode = op->value[TT_GPU_MODE];

  for (guint i = 0; i < 4; i++)
    {
      guint selector = mode == 0 ? (guint) (in[2] >> (4 * i)) & 15 : tables[mode][in[2] & 3][i];
      result |= (guint64) select_byte (both, selector) << (8 * i);
    }
  return result;
}

guint64
tt_gpu_pure_dp4a (const TtGpuOp *op, const guint64 *in)
{
  guint64 sum = in[2];

  for (guint i = 0; i < 4; i++)
    {
      guint64 a = in[0] >> (8 * i), b = in[1] >> (8 * i);
      gint64 x = op->type == TT_PTX_S32 ? tt_ptx_extend (a, 8) : (gint64) (a & 255);
      gint64 y = op->from == TT_PTX_S32 ? tt_ptx_extend (b, 8) : (gint64) (b & 255);
      sum += (guint64) (x * y);
    }
  return sum;
}

/* -- choices ------------------------------------------------------------------------------------------ */

guint64
tt_gpu_pure_selp (const TtGpuOp *op, const guint64 *in)
{
  return in[2] != 0 ? in[0] : in[1];
}

guint64
tt_gpu_pure_slct (const TtGpuOp *op, const guint64 *in)
{
  if (op->from == TT_PTX_F32)
    return tt_gpu_real_compare (op, TT_GPU_GE, in[2], 0) ? in[0] : in[1];
  return tt_ptx_extend (in[2], 32) >= 0 ? in[0] : in[1];
}
