/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/real.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#define NAN_F32 0x7fffffffu
#define NAN_F64 G_GUINT64_CONSTANT (0xfff8000000000000)
#define NAN_F16 0x7fffu

/* -- bits ---------------------------------------------------------------------------------------- */

static float
get_f32 (guint64 bits)
{
  guint32 narrow = (guint32) bits;
  float value;

  memcpy (&value, &narrow, sizeof value);
  return value;
}

static guint64
put_f32 (float value)
{
  guint32 bits;

  if (isnan (value))
    return NAN_F32;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static double
get_f64 (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static guint64
put_f64 (double value)
{
  guint64 bits;

  if (isnan (value))
    return NAN_F64;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static guint
fraction_bits (TtPtxType type)
{
  return type == TT_PTX_F16 || type == TT_PTX_F16X2 ? 10 : 7;
}

static double
get_half (TtPtxType type, guint64 bits)
{
  guint n = fraction_bits (type), n_exponent = 15 - n;
  int bias = (1 << (n_exponent - 1)) - 1;
  int exponent = (int) (bits >> n) & ((1 << n_exponent) - 1);
  double fraction = (double) tt_ptx_cut (bits, n), value;

  if (exponent == (1 << n_exponent) - 1)
    value = fraction != 0 ? (double) NAN : (double) INFINITY;
  else if (exponent == 0)
    value = ldexp (fraction, 1 - bias - (int) n);
  else
    value = ldexp (fraction + (double) (1u << n), exponent - bias - (int) n);
  return (bits & 0x8000) != 0 ? -value : value;
}

double
tt_gpu_real_round_whole (double value, TtGpuRound round)
{
  switch (round)
    {
    case TT_GPU_RZ:
    case TT_GPU_RZI:
      return trunc (value);
    case TT_GPU_RM:
    case TT_GPU_RMI:
      return floor (value);
    case TT_GPU_RP:
    case TT_GPU_RPI:
      return ceil (value);
    case TT_GPU_RNA:
      return copysign (floor (fabs (value) + 0.5), value);
    default:
      return nearbyint (value);
    }
}

static guint64
put_half (TtPtxType type, double value, TtGpuRound round)
{
  guint n = fraction_bits (type), n_exponent = 15 - n;
  int bias = (1 << (n_exponent - 1)) - 1, exponent;
  guint64 sign = signbit (value) ? 0x8000 : 0, infinite = (guint64) ((1 << n_exponent) - 1) << n;
  gboolean goes_up = round == TT_GPU_RN || (round == TT_GPU_RP && sign == 0) || (round == TT_GPU_RM && sign != 0);

  if (isnan (value))
    return NAN_F16;
  if (isinf (value))
    return sign | infinite;
  if (value == 0)
    return sign;
  frexp (value, &exponent);
  exponent = MAX (exponent - 1, 1 - bias);
  /* In units of the last place the fraction with its leading one, of which an overflow goes into the exponent. */
  double units = fabs (tt_gpu_real_round_whole (ldexp (value, (int) n - exponent), round));
  guint64 bits = (guint64) units;
  if (bits >> n != 0)
    bits += (guint64) (exponent + bias - 1) << n;
  if (bits >= infinite)
    return sign | (goes_up ? infinite : infinite - 1);
  return sign | bits;
}

double
tt_gpu_real_get (TtPtxType type, guint64 bits)
{
  return type == TT_PTX_F64 ? get_f64 (bits) : type == TT_PTX_F32 ? (double) get_f32 (bits) : get_half (type, bits);
}

guint64
tt_gpu_real_put (TtPtxType type, double value, TtGpuRound round)
{
  volatile double wide = value;
  volatile float narrow;

  if (type == TT_PTX_F64)
    return put_f64 (value);
  if (type != TT_PTX_F32)
    return put_half (type, value, round);
  tt_gpu_real_set_round (round);
  narrow = (float) wide;
  tt_gpu_real_reset ();
  return put_f32 (narrow);
}

void
tt_gpu_real_set_round (TtGpuRound round)
{
  if (round == TT_GPU_RZ)
    fesetround (FE_TOWARDZERO);
  else if (round == TT_GPU_RM)
    fesetround (FE_DOWNWARD);
  else if (round == TT_GPU_RP)
    fesetround (FE_UPWARD);
}

void
tt_gpu_real_reset (void)
{
  if (fegetround () != FE_TONEAREST)
    fesetround (FE_TONEAREST);
}

guint64
tt_gpu_real_flush (const TtGpuOp *op, TtPtxType type, guint64 bits)
{
  if (op->value[TT_GPU_FTZ] && type == TT_PTX_F32 && (bits & 0x7f800000u) == 0)
    return bits & 0x80000000u;
  return bits;
}

guint64
tt_gpu_real_saturate (const TtGpuOp *op, TtPtxType type, guint64 bits)
{
  double value;

  if (!op->is_set[TT_GPU_SAT] && !op->is_set[TT_GPU_RELU])
    return bits;
  value = tt_gpu_real_get (type, bits);
  if (op->is_set[TT_GPU_RELU])
    return isnan (value) || value > 0 ? bits : 0;
  return isnan (value) || value <= 0 ? 0 : value >= 1 ? tt_gpu_real_put (type, 1, TT_GPU_RN) : bits;
}

TtGpuRound
tt_gpu_real_round_of (const TtGpuOp *op)
{
  return op->is_set[TT_GPU_ROUND] ? op->value[TT_GPU_ROUND] : TT_GPU_RN;
}

/* -- sums, products, quotients -------------------------------------------------------------------------- */

static float
compute_f32 (TtGpuRealOp what, volatile float a, volatile float b)
{
  switch (what)
    {
    case TT_GPU_REAL_ADD:
      return a + b;
    case TT_GPU_REAL_SUB:
      return a - b;
    case TT_GPU_REAL_MUL:
      return a * b;
    default:
      return a / b;
    }
}

static double
compute_f64 (TtGpuRealOp what, volatile double a, volatile double b)
{
  switch (what)
    {
    case TT_GPU_REAL_ADD:
      return a + b;
    case TT_GPU_REAL_SUB:
      return a - b;
    case TT_GPU_REAL_MUL:
      return a * b;
    default:
      return a / b;
    }
}

static guint64
choose (const TtGpuOp *op, TtPtxType type, TtGpuRealOp what, guint64 a, guint64 b)
{
  double x = tt_gpu_real_get (type, a), y = tt_gpu_real_get (type, b);
  guint64 nan = tt_gpu_real_put (type, (double) NAN, TT_GPU_RN);

  if (op->is_set[TT_GPU_NAN] && (isnan (x) || isnan (y)))
    return nan;
  if (isnan (x))
    return isnan (y) ? nan : b;
  if (isnan (y))
    return a;
  gboolean is_less = x < y || (x == y && signbit (x) && !signbit (y));
  return is_less == (what == TT_GPU_REAL_MIN) ? a : b;
}

static guint64
compute_one (const TtGpuOp *op, TtPtxType type, TtGpuRealOp what, guint64 a, guint64 b)
{
  TtGpuRound round = tt_gpu_real_round_of (op);
  guint64 result;

  a = tt_gpu_real_flush (op, type, a);
  b = tt_gpu_real_flush (op, type, b);
  if (what == TT_GPU_REAL_MIN || what == TT_GPU_REAL_MAX)
    return tt_gpu_real_saturate (op, type, choose (op, type, what, a, b));
  tt_gpu_real_set_round (round);
  if (type == TT_PTX_F32)
    {
      volatile float value = compute_f32 (what, get_f32 (a), get_f32 (b));
      tt_gpu_real_reset ();
      result = put_f32 (value);
    }
  else
    {
      volatile double value = compute_f64 (what, tt_gpu_real_get (type, a), tt_gpu_real_get (type, b));
      tt_gpu_real_reset ();
      result = tt_gpu_real_put (type, value, round);
    }
  return tt_gpu_real_flush (op, type, tt_gpu_real_saturate (op, type, result));
}

gboolean
tt_gpu_real_is_pair (TtPtxType type)
{
  return type == TT_PTX_F16X2 || type == TT_PTX_BF16X2;
}

guint64
tt_gpu_real_binary (const TtGpuOp *op, TtGpuRealOp what, guint64 a, guint64 b)
{
  if (!tt_gpu_real_is_pair (op->type))
    return compute_one (op, op->type, what, a, b);
  return (compute_one (op, op->type, what, a & 0xffff, b & 0xffff) & 0xffff) |
         compute_one (op, op->type, what, a >> 16 & 0xffff, b >> 16 & 0xffff) << 16;
}

static guint64
fma_one (const TtGpuOp *op, guint64 a, guint64 b, guint64 c)
{
  TtPtxType type = op->type;
  TtGpuRound round = tt_gpu_real_round_of (op);
  guint64 result;

  a = tt_gpu_real_flush (op, type, a);
  b = tt_gpu_real_flush (op, type, b);
  c = tt_gpu_real_flush (op, type, c);
  tt_gpu_real_set_round (round);
  if (type == TT_PTX_F32)
    {
      volatile float x = get_f32 (a), y = get_f32 (b), z = get_f32 (c);
      volatile float value = fmaf (x, y, z);
      tt_gpu_real_reset ();
      result = put_f32 (value);
    }
  else
    {
      volatile double x = tt_gpu_real_get (type, a), y = tt_gpu_real_get (type, b), z = tt_gpu_real_get (type, c);
      volatile double value = fma (x, y, z);
      tt_gpu_real_reset ();
      result = tt_gpu_real_put (type, value, round);
    }
  return tt_gpu_real_flush (op, type, tt_gpu_real_saturate (op, type, result));
}

guint64
tt_gpu_real_fma (const TtGpuOp *op, guint64 a, guint64 b, guint64 c)
{
  if (!tt_gpu_real_is_pair (op->type))
    return fma_one (op, a, b, c);
  return (fma_one (op, a & 0xffff, b & 0xffff, c & 0xffff) & 0xffff) |
         fma_one (op, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16;
}

guint64
tt_gpu_real_sign (const TtGpuOp *op, guint64 a, gboolean negates)
{
  guint bits = tt_ptx_type_bits (op->type);
  guint64 sign = G_GUINT64_CONSTANT (1) << (bits - 1);

  if (tt_gpu_real_is_pair (op->type))
    sign |= 0x8000;
  a = tt_gpu_real_flush (op, op->type, a);
  return negates ? a ^ sign : a & ~sign;
}

gboolean
tt_gpu_real_compare (const TtGpuOp *op, TtGpuCompare compare, guint64 a, guint64 b)
{
  double x = tt_gpu_real_get (op->from, tt_gpu_real_flush (op, op->from, a));
  double y = tt_gpu_real_get (op->from, tt_gpu_real_flush (op, op->from, b));
  gboolean has_nan = isnan (x) || isnan (y);

  switch (compare)
    {
    case TT_GPU_EQ:
      return x == y;
    case TT_GPU_NE:
      return !has_nan && x != y;
    case TT_GPU_LT:
      return x < y;
    case TT_GPU_LE:
      return x <= y;
    case TT_GPU_GT:
      return x > y;
    case TT_GPU_GE:
      return x >= y;
    case TT_GPU_EQU:
      return has_nan || x == y;
    case TT_GPU_NEU:
      return x != y;
    case TT_GPU_LTU:
      return has_nan || x < y;
    case TT_GPU_LEU:
      return has_nan || x <= y;
    case TT_GPU_GTU:
      return has_nan || x > y;
    case TT_GPU_GEU:
      return has_nan || x >= y;
    case TT_GPU_NUM:
      return !has_nan;
    default:
      return has_nan;
    }
}

/* -- functions of one ------------------------------------------------------------------------------------ */

static guint64
apply_one (const TtGpuOp *op, guint64 a, double (*function) (double))
{
  volatile double value = tt_gpu_real_get (op->type, tt_gpu_real_flush (op, op->type, a));

  value = function (value);
  return tt_gpu_real_flush (op, op->type,
                            tt_gpu_real_saturate (op, op->type, tt_gpu_real_put (op->type, value, TT_GPU_RN)));
}

static guint64
apply (const TtGpuOp *op, guint64 a, double (*function) (double))
{
  if (!tt_gpu_real_is_pair (op->type))
    return apply_one (op, a, function);
  return (apply_one (op, a & 0xffff, function) & 0xffff) | apply_one (op, a >> 16 & 0xffff, function) << 16;
}

guint64
tt_gpu_pure_rcp (const TtGpuOp *op, const guint64 *in)
{
  return compute_one (op, op->type, TT_GPU_REAL_DIV, tt_gpu_real_put (op->type, 1, TT_GPU_RN), in[0]);
}

guint64
tt_gpu_pure_sqrt (const TtGpuOp *op, const guint64 *in)
{
  guint64 a = tt_gpu_real_flush (op, op->type, in[0]), result;

  tt_gpu_real_set_round (tt_gpu_real_round_of (op));
  if (op->type == TT_PTX_F32)
    {
      volatile float x = get_f32 (a), value = sqrtf (x);
      tt_gpu_real_reset ();
      result = put_f32 (value);
    }
  else
    {
      volatile double x = get_f64 (a), value = sqrt (x);
      tt_gpu_real_reset ();
      result = put_f64 (value);
    }
  return tt_gpu_real_flush (op, op->type, result);
}

static double
inverse_root (double x)
{
  return 1 / sqrt (x);
}

guint64
tt_gpu_pure_rsqrt (const TtGpuOp *op, const guint64 *in)
{
  return apply (op, in[0], inverse_root);
}

guint64
tt_gpu_pure_ex2 (const TtGpuOp *op, const guint64 *in)
{
  return apply (op, in[0], exp2);
}

guint64
tt_gpu_pure_lg2 (const TtGpuOp *op, const guint64 *in)
{
  return apply (op, in[0], log2);
}

guint64
tt_gpu_pure_sin (const TtGpuOp *op, const guint64 *in)
{
  return apply (op, in[0], sin);
}

guint64
tt_gpu_pure_cos (const TtGpuOp *op, const guint64 *in)
{
  return apply (op, in[0], cos);
}

guint64
tt_gpu_pure_tanh (const TtGpuOp *op, const guint64 *in)
{
  return apply (op, in[0], tanh);
}

guint64
tt_gpu_pure_copysign (const TtGpuOp *op, const guint64 *in)
{
  guint64 sign = G_GUINT64_CONSTANT (1) << (tt_ptx_type_bits (op->type) - 1);

  return (in[1] & ~sign) | (in[0] & sign);
}

guint64
tt_gpu_pure_testp (const TtGpuOp *op, const guint64 *in)
{
  double value = tt_gpu_real_get (op->type, in[0]);
  double least = op->type == TT_PTX_F32 ? 0x1p-126 : 0x1p-1022;

  switch (op->value[TT_GPU_MODE])
    {
    case TT_GPU_FINITE:
      return isfinite (value) != 0;
    case TT_GPU_INFINITE:
      return isinf (value) != 0;
    case TT_GPU_NUMBER:
      return !isnan (value);
    case TT_GPU_NOTANUMBER:
      return isnan (value) != 0;
    case TT_GPU_NORMAL:
      return isfinite (value) && fabs (value) >= least;
    default:
      return value != 0 && fabs (value) < least;
    }
}
