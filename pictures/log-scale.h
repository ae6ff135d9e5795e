/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts by equal factors: buckets, ten to a decade, and an axis of whole decades.
 *
 * Below 10 each whole number is a bucket; above, buckets begin at the rounded powers of the tenth root of ten (10, 13, 16, 20,
 * 25, 32, 40, 50, 63, 79, 100 ...). Places on the axis are found with integers, so that no picture depends on how a
 * processor rounds.
 */
#pragma once

#include "pictures/axis.h"

#define TT_LOG_BUCKETS 192u

/* Which bucket @value is in; negative values are in the first, the greatest in the last. */
guint tt_log_bucket (tt_int128 value);
/* Where a bucket begins. */
tt_int128 tt_log_edge (guint bucket);
/* A round number in the largest unit that it has one of: "20 kB". Returns buffer. */
char *tt_log_text (char buffer[TT_QUANTITY_TEXT], TtQuantity quantity, tt_int128 value);

typedef struct
{
  guint first, n; /* from 10^first on so many decades */
  gint64 length;  /* in hundredths of a pixel */
} TtLogAxis;

/* The decades that have @least, which is above 0, to @most. */
void tt_log_axis_init (TtLogAxis *self, tt_int128 least, tt_int128 most, gint64 length);
/* Of @value on the axis: 0 to its length. */
gint64 tt_log_axis_place (const TtLogAxis *self, tt_int128 value);
/* 10^(first + tick). */
tt_int128 tt_log_axis_tick (const TtLogAxis *self, guint tick);
