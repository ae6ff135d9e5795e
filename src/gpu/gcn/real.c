/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector instructions on f32 and f64, for one lane, rounded to the nearest even. Approximations (rcp, rsq, sqrt, exp, log)
 * are the nearest values.
 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

#include <float.h>
#include <math.h>
#include <string.h>

static float
single (guint64 bits)
{
  guint32 word = (guint32) bits;
  float value;

  memcpy (&value, &word, sizeof value);
  return value;
}

static double
wide (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static guint64
of_single (float value)
{
  guint32 word;

  memcpy (&word, &value, sizeof word);
  return word;
}

static guint64
of_wide (double value)
{
  guint64 word;

  memcpy (&word, &value, sizeof word);
  return word;
}

#define FA single (v->in[0])
#define FB single (v->in[1])
#define FC single (v->in[2])
#define DA wide (v->in[0])
#define DB wide (v->in[1])
#define DC wide (v->in[2])
#define REAL(name, make, value)        \
  static guint64 name (TtGcnValues *v) \
  {                                    \
    return make (value);               \
  }

REAL (add_f32, of_single, FA + FB)
REAL (sub_f32, of_single, FA - FB)
REAL (subrev_f32, of_single, FB - FA)
REAL (mul_f32, of_single, FA *FB)
REAL (fma_f32, of_single, fmaf (FA, FB, FC))
REAL (min_f32, of_single, fminf (FA, FB))
REAL (max_f32, of_single, fmaxf (FA, FB))
REAL (rcp_f32, of_single, (float) (1 / (double) FA))
REAL (rsq_f32, of_single, (float) (1 / sqrt ((double) FA)))
REAL (sqrt_f32, of_single, sqrtf (FA))
REAL (exp_f32, of_single, (float) exp2 ((double) FA))
REAL (log_f32, of_single, (float) log2 ((double) FA))
REAL (trunc_f32, of_single, truncf (FA))
REAL (floor_f32, of_single, floorf (FA))
REAL (ceil_f32, of_single, ceilf (FA))
REAL (rndne_f32, of_single, rintf (FA))
REAL (fract_f32, of_single, FA - floorf (FA))
REAL (add_f64, of_wide, DA + DB)
REAL (mul_f64, of_wide, DA *DB)
REAL (fma_f64, of_wide, fma (DA, DB, DC))
REAL (min_f64, of_wide, fmin (DA, DB))
REAL (max_f64, of_wide, fmax (DA, DB))
REAL (rcp_f64, of_wide, 1 / DA)
REAL (rsq_f64, of_wide, 1 / sqrt (DA))
REAL (sqrt_f64, of_wide, sqrt (DA))
REAL (trunc_f64, of_wide, trunc (DA))
REAL (floor_f64, of_wide, floor (DA))
REAL (ceil_f64, of_wide, ceil (DA))
REAL (rndne_f64, of_wide, rint (DA))
REAL (f32_of_f64, of_single, (float) DA)
REAL (f64_of_f32, of_wide, (double) FA)
REAL (f32_of_u32, of_single, (float) (guint32) v->in[0])
REAL (f32_of_i32, of_single, (float) (gint32) (guint32) v->in[0])
REAL (f64_of_u32, of_wide, (double) (guint32) v->in[0])
REAL (f64_of_i32, of_wide, (double) (gint32) (guint32) v->in[0])
REAL (ldexp_f32, of_single, ldexpf (FA, (gint32) (guint32) v->in[1]))
REAL (ldexp_f64, of_wide, ldexp (DA, (gint32) (guint32) v->in[1]))

/* mad, mac, madmk: two roundings. */
static guint64
mad_f32 (TtGcnValues *v)
{
  volatile float product = FA * FB;

  return of_single (product + FC);
}

/* -- to integers, which end at the ends --------------------------------------------------------------- */

static guint64
clamp (double value, double least, double most)
{
  if (isnan (value))
    return 0;
  return (guint64) (gint64) CLAMP (trunc (value), least, most);
}

static guint64
u32_of_f32 (TtGcnValues *v)
{
  return clamp ((double) FA, 0, G_MAXUINT32);
}

static guint64
i32_of_f32 (TtGcnValues *v)
{
  return clamp ((double) FA, G_MININT32, G_MAXINT32);
}

static guint64
u32_of_f64 (TtGcnValues *v)
{
  return clamp (DA, 0, G_MAXUINT32);
}

static guint64
i32_of_f64 (TtGcnValues *v)
{
  return clamp (DA, G_MININT32, G_MAXINT32);
}

static guint64
frexp_mant_f32 (TtGcnValues *v)
{
  int exponent;

  return of_single (frexpf (FA, &exponent));
}

static guint64
frexp_exp_f32 (TtGcnValues *v)
{
  int exponent = 0;

  if (isfinite (FA))
    frexpf (FA, &exponent);
  return (guint64) exponent;
}

static guint64
frexp_mant_f64 (TtGcnValues *v)
{
  int exponent;

  return of_wide (frexp (DA, &exponent));
}

static guint64
frexp_exp_f64 (TtGcnValues *v)
{
  int exponent = 0;

  if (isfinite (DA))
    frexp (DA, &exponent);
  return (guint64) exponent;
}

/* -- steps of division ------------------------------------------------------------------------------------ */

/* The biased exponent. */
static int
exponent_of (double value, gboolean is_wide)
{
  guint64 bits = is_wide ? of_wide (value) : of_single ((float) value);

  return is_wide ? (int) (bits >> 52 & 2047) : (int) (bits >> 23 & 255);
}

static gboolean
is_small (double value, gboolean is_wide)
{
  return value != 0 && fabs (value) < (is_wide ? DBL_MIN : (double) FLT_MIN);
}

/* @s: what is scaled; @d: the divisor; @n: what is divided. */
static double
div_scale (TtGcnValues *v, double s, double d, double n, gboolean is_wide)
{
  int far = is_wide ? 768 : 96, up = is_wide ? 128 : 64, low = is_wide ? 53 : 23;
  double inverse = is_wide ? 1 / d : (double) (float) (1 / d), quotient = is_wide ? n / d : (double) (float) (n / d);

  v->carry = FALSE;
  if (n == 0 || d == 0)
    return NAN;
  if (exponent_of (n, is_wide) - exponent_of (d, is_wide) >= far)
    {
      v->carry = TRUE;
      return s == d ? ldexp (s, up) : s;
    }
  if (is_small (d, is_wide))
    return ldexp (s, up);
  if (is_small (inverse, is_wide) && is_small (quotient, is_wide))
    {
      v->carry = TRUE;
      return s == d ? ldexp (s, up) : s;
    }
  if (is_small (inverse, is_wide))
    return ldexp (s, -up);
  if (is_small (quotient, is_wide))
    {
      v->carry = TRUE;
      return s == n ? ldexp (s, up) : s;
    }
  return exponent_of (n, is_wide) <= low ? ldexp (s, up) : s;
}

static guint64
div_scale_f32 (TtGcnValues *v)
{
  return of_single ((float) div_scale (v, (double) FA, (double) FB, (double) FC, FALSE));
}

static guint64
div_scale_f64 (TtGcnValues *v)
{
  return of_wide (div_scale (v, DA, DB, DC, TRUE));
}

/* Takes back what div_scale did: up or down, by how large the numerator was. */
static guint64
div_fmas_f32 (TtGcnValues *v)
{
  float sum = fmaf (FA, FB, FC);

  return of_single (v->bit ? ldexpf (sum, exponent_of ((double) FC, FALSE) > 127 ? 64 : -64) : sum);
}

static guint64
div_fmas_f64 (TtGcnValues *v)
{
  double sum = fma (DA, DB, DC);

  return of_wide (v->bit ? ldexp (sum, exponent_of (DC, TRUE) > 1023 ? 128 : -128) : sum);
}

/* @q: the quotient that was found; @d: the divisor; @n: what is divided. */
static double
div_fixup (double q, double d, double n)
{
  double sign = signbit (d) != signbit (n) ? -1 : 1;

  if (isnan (n) || isnan (d))
    return isnan (n) ? n : d;
  if ((n == 0 && d == 0) || (isinf (n) && isinf (d)))
    return NAN;
  if (d == 0 || isinf (n))
    return sign * INFINITY;
  if (isinf (d) || n == 0)
    return sign * 0.0;
  return sign * fabs (q);
}

static guint64
div_fixup_f32 (TtGcnValues *v)
{
  return of_single ((float) div_fixup ((double) FA, (double) FB, (double) FC));
}

static guint64
div_fixup_f64 (TtGcnValues *v)
{
  return of_wide (div_fixup (DA, DB, DC));
}

const TtGcnAlu tt_gcn_reals[] = {
  { "v_add_f32", "f=ff", add_f32, 0 },
  { "v_sub_f32", "f=ff", sub_f32, 0 },
  { "v_subrev_f32", "f=ff", subrev_f32, 0 },
  { "v_mul_f32", "f=ff", mul_f32, 0 },
  { "v_fma_f32", "f=fff", fma_f32, 0 },
  { "v_mad_f32", "f=fff", mad_f32, 0 },
  { "v_fmac_f32", "f=ff+", fma_f32, 0 },
  { "v_mac_f32", "f=ff+", mad_f32, 0 },
  { "v_fmamk_f32", "f=fff", fma_f32, 0 },
  { "v_fmaak_f32", "f=fff", fma_f32, 0 },
  { "v_madmk_f32", "f=fff", mad_f32, 0 },
  { "v_madak_f32", "f=fff", mad_f32, 0 },
  { "v_min_f32", "f=ff", min_f32, 0 },
  { "v_max_f32", "f=ff", max_f32, 0 },
  { "v_rcp_f32", "f=f", rcp_f32, 't' },
  { "v_rcp_iflag_f32", "f=f", rcp_f32, 't' },
  { "v_rsq_f32", "f=f", rsq_f32, 't' },
  { "v_sqrt_f32", "f=f", sqrt_f32, 't' },
  { "v_exp_f32", "f=f", exp_f32, 't' },
  { "v_log_f32", "f=f", log_f32, 't' },
  { "v_trunc_f32", "f=f", trunc_f32, 0 },
  { "v_floor_f32", "f=f", floor_f32, 0 },
  { "v_ceil_f32", "f=f", ceil_f32, 0 },
  { "v_rndne_f32", "f=f", rndne_f32, 0 },
  { "v_fract_f32", "f=f", fract_f32, 0 },
  { "v_add_f64", "d=dd", add_f64, 0 },
  { "v_mul_f64", "d=dd", mul_f64, 0 },
  { "v_fma_f64", "d=ddd", fma_f64, 0 },
  { "v_fmac_f64", "d=dd+", fma_f64, 0 },
  { "v_min_f64", "d=dd", min_f64, 0 },
  { "v_max_f64", "d=dd", max_f64, 0 },
  { "v_rcp_f64", "d=d", rcp_f64, 't' },
  { "v_rsq_f64", "d=d", rsq_f64, 't' },
  { "v_sqrt_f64", "d=d", sqrt_f64, 't' },
  { "v_trunc_f64", "d=d", trunc_f64, 0 },
  { "v_floor_f64", "d=d", floor_f64, 0 },
  { "v_ceil_f64", "d=d", ceil_f64, 0 },
  { "v_rndne_f64", "d=d", rndne_f64, 0 },
  { "v_cvt_f32_f64", "f=d", f32_of_f64, 0 },
  { "v_cvt_f64_f32", "d=f", f64_of_f32, 0 },
  { "v_cvt_f32_u32", "f=w", f32_of_u32, 0 },
  { "v_cvt_f32_i32", "f=w", f32_of_i32, 0 },
  { "v_cvt_f64_u32", "d=w", f64_of_u32, 0 },
  { "v_cvt_f64_i32", "d=w", f64_of_i32, 0 },
  { "v_cvt_u32_f32", "w=f", u32_of_f32, 0 },
  { "v_cvt_i32_f32", "w=f", i32_of_f32, 0 },
  { "v_cvt_u32_f64", "w=d", u32_of_f64, 0 },
  { "v_cvt_i32_f64", "w=d", i32_of_f64, 0 },
  { "v_ldexp_f32", "f=fw", ldexp_f32, 0 },
  { "v_ldexp_f64", "d=dw", ldexp_f64, 0 },
  { "v_frexp_mant_f32", "f=f", frexp_mant_f32, 0 },
  { "v_frexp_exp_i32_f32", "w=f", frexp_exp_f32, 0 },
  { "v_frexp_mant_f64", "d=d", frexp_mant_f64, 0 },
  { "v_frexp_exp_i32_f64", "w=d", frexp_exp_f64, 0 },
  { "v_div_scale_f32", "fm=fff", div_scale_f32, 0 },
  { "v_div_scale_f64", "dm=ddd", div_scale_f64, 0 },
  { "v_div_fmas_f32", "f=fff!", div_fmas_f32, 0 },
  { "v_div_fmas_f64", "d=ddd!", div_fmas_f64, 0 },
  { "v_div_fixup_f32", "f=fff", div_fixup_f32, 0 },
  { "v_div_fixup_f64", "d=ddd", div_fixup_f64, 0 },
  { NULL, NULL, NULL, 0 },
};
