/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/comparison/welch.h"

#include "analyzers/statistics/tally.h"
#include "analyzers/student.h"

#include <math.h>

/* Of the mean: the variance of the sample by the number of values. */
static double
squared_error (const TtSample *self)
{
  return tt_tally_variance_ns2 (self->count, self->sum, self->sum_sq) / (double) (self->count - 1);
}

/* Exact but for the last division, unless the sums are so large that their product does not fit. */
double
tt_difference_of_means (const TtSample *a, const TtSample *b)
{
  tt_int128 of_a, of_b, difference;

  if (!__builtin_mul_overflow (a->sum, (tt_int128) b->count, &of_a) &&
      !__builtin_mul_overflow (b->sum, (tt_int128) a->count, &of_b) &&
      !__builtin_sub_overflow (of_b, of_a, &difference))
    return (double) difference / ((double) a->count * (double) b->count);
  return (double) b->sum / (double) b->count - (double) a->sum / (double) a->count;
}

double
tt_welch_p (const TtSample *a, const TtSample *b)
{
  if (a->count < 2 || b->count < 2)
    return NAN;

  double error_a = squared_error (a), error_b = squared_error (b), both = error_a + error_b;
  double difference = tt_difference_of_means (a, b);
  if (both == 0)
    return difference == 0 ? 1 : 0;

  double rest_a = error_a * error_a / (double) (a->count - 1), rest_b = error_b * error_b / (double) (b->count - 1);
  double degrees = both * both / (rest_a + rest_b);
  return tt_student_p (difference * difference / both, degrees);
}
