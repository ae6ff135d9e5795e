/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Welch's two-sided t-test: how likely means differ as much as these do, though nothing but chance is at work.
 *
 * From exact sums, so the order of the samples does not matter. p is right to 1e-9 of itself or 1e-12, whichever is
 * more; below 1e-300 it may be 0. B. L. Welch, Biometrika 34 (1947) 28-35.
 */
#pragma once

#include "src/base/int128.h"

typedef struct
{
  guint64 count; /* below 2^63 */
  tt_int128 sum;
  tt_uint128 sum_sq; /* all bits set: it did not fit */
} TtSample;

/* NAN where nobody can tell: a side has fewer than two values, or squares that did not fit. Without any variance on
 * both sides it is 1 for equal means, else 0. */
double tt_welch_p (const TtSample *a, const TtSample *b);

/* The mean of @b less that of @a, of which neither is empty: near means do not cancel each other's digits. */
double tt_difference_of_means (const TtSample *a, const TtSample *b);
