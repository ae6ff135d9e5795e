/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/student.h"

#include <glib.h>
#include <math.h>

#define MAX_TERMS 100000
/* From here on the asymptotic formula has more right digits than the continued fraction. */
#define MANY_DEGREES 1e4
#define MANY_FOR_LGAMMA 1e3

static double
away_from_zero (double value)
{
  return fabs (value) > 1e-300 ? value : 1e-300;
}

/* The continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method. */
static double
beta_fraction (double a, double b, double x)
{
  double c = 1, d = 1 / away_from_zero (1 - (a + b) * x / (a + 1)), value = d;

  for (guint i = 1; i < MAX_TERMS; i++)
    {
      double m = i;
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

      d = 1 / away_from_zero (1 + even * d);
      c = away_from_zero (1 + even / c);
      value *= d * c;
      d = 1 / away_from_zero (1 + odd * d);
      c = away_from_zero (1 + odd / c);
      value *= d * c;
      if (fabs (d * c - 1) < 1e-16)
        break;
    }
  return value;
}

static double
stirling_tail (double z)
{
  return 1 / (12 * z) - 1 / (360 * z * z * z) + 1 / (1260 * z * z * z * z * z);
}

/* log B(a, 1/2). The difference of two large lgamma() would lose digits: there Stirling's series cancels by hand. */
static double
log_beta_half (double a)
{
  const double b = 0.5, log_gamma_half = 0.5 * log (G_PI);

  if (a < MANY_FOR_LGAMMA)
    return lgamma (a) + log_gamma_half - lgamma (a + b);
  return log_gamma_half + b - b * log (a + b) - (a - 0.5) * log1p (b / a) + stirling_tail (a) - stirling_tail (a + b);
}

/* I_x(a, 1/2) for x = v / (v + t^2), a = v / 2: the two tails of Student's t. */
static double
tails_by_fraction (double t2, double v)
{
  double a = v / 2, b = 0.5, x = v / (v + t2), y = t2 / (v + t2);
  double log_x = x < 0.5 ? log (x) : log1p (-y), log_y = y < 0.5 ? log (y) : log1p (-x);
  double front = exp (a * log_x + b * log_y - log_beta_half (a));

  if (x < (a + 1) / (a + b + 2))
    return front * beta_fraction (a, b, x) / a;
  return 1 - front * beta_fraction (b, a, y) / b;
}

/* t as a normal deviate: G. W. Hill, Algorithm 395, Communications of the ACM 13 (1970) 617-619. */
static double
tails_by_normal (double t2, double v)
{
  double a = v - 0.5, w = a * log1p (t2 / v), b = 48 * a * a;
  double series = (((-0.4 * w - 3.3) * w - 24) * w - 85.5) / (0.8 * w * w + 100 + b) + w + 3;

  return erfc ((series / b + 1) * sqrt (w) / G_SQRT2);
}

double
tt_student_p (double t2, double degrees)
{
  if (isnan (t2) || !(degrees > 0))
    return NAN;
  if (t2 <= 0)
    return 1;
  if (isinf (t2))
    return 0;
  return CLAMP (degrees > MANY_DEGREES ? tails_by_normal (t2, degrees) : tails_by_fraction (t2, degrees), 0, 1);
}

double
tt_student_t (double p, double degrees)
{
  double low = 0, high = 1e6;

  for (guint i = 0; i < 100; i++)
    {
      double middle = (low + high) / 2;
      if (tt_student_p (middle * middle, degrees) > p)
        low = middle;
      else
        high = middle;
    }
  return high;
}
