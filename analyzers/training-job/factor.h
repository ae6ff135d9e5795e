/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Factors of times with nine decimals, in whole numbers.
 */
#pragma once

#include "src/base/int128.h"

#include <glib.h>

#define TT_FACTOR_ONE 1000000000
/* No time is scaled or delayed beyond this. */
#define TT_FACTOR_MAX_NS (G_MAXINT64 / 4)

/* In whole ns. */
static inline gint64
tt_factor_round (double ns)
{
  return ns < (double) TT_FACTOR_MAX_NS ? (gint64) (ns + 0.5) : TT_FACTOR_MAX_NS;
}

/* @ns * @numerator / @denominator, rounded half away from zero. */
static inline gint64
tt_factor_apply (gint64 ns, gint64 numerator, gint64 denominator)
{
  tt_int128 scaled = (tt_int128) ns * numerator, half = denominator / 2;
  tt_int128 rounded = (scaled + (scaled < 0 ? -half : half)) / denominator;

  return rounded > TT_FACTOR_MAX_NS ? TT_FACTOR_MAX_NS : (gint64) rounded;
}
