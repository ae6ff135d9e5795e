/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtAxis: from 0, or a round number, to a round number not below the largest value, with ticks at round numbers in a unit
 * that fits.
 *
 * Integers throughout: a value's place is rounded once, at the end.
 */
#pragma once

#include "src/base/int128.h"

typedef enum
{
  TT_QUANTITY_TIME, /* ns */
  TT_QUANTITY_TICKS,
  TT_QUANTITY_BYTES,
  TT_QUANTITY_COUNT,
} TtQuantity;

/* For ticks and for tooltips: sign, 39 digits, separators, a unit. */
#define TT_QUANTITY_TEXT 72

typedef struct
{
  TtQuantity quantity;
  tt_int128 start, end, step; /* start + step * n_steps == end */
  guint n_steps;
  gint64 length; /* of the axis, in hundredths of a pixel */
} TtAxis;

/* At most @max_steps + 1 ticks. */
void tt_axis_init (TtAxis *self, TtQuantity quantity, tt_int128 largest, guint max_steps, gint64 length);
/* The same from a round number not above @least, where values are so near to each other that it would be hard to see how
 * they differ: where they all lie within the upper third. */
void tt_axis_init_near (TtAxis *self,
                        TtQuantity quantity,
                        tt_int128 least,
                        tt_int128 largest,
                        guint max_steps,
                        gint64 length);
/* Of @value on the axis: 0 to its length. */
gint64 tt_axis_place (const TtAxis *self, tt_int128 value);
/* The number at the tick, without the unit. Returns buffer. */
char *tt_axis_tick_text (char buffer[TT_QUANTITY_TEXT], const TtAxis *self, guint tick);
/* "ms", "kB"; "" of a count. */
const char *tt_axis_unit (const TtAxis *self);

/* As people read it: "1.234 ms", "12.4 MB", "1,234". Returns buffer. */
char *tt_quantity_text (char buffer[TT_QUANTITY_TEXT], TtQuantity quantity, tt_int128 value);
/* @value * @length / @whole, rounded half up; 0 where @whole is 0. */
gint64 tt_scale (tt_int128 value, tt_int128 whole, gint64 length);
