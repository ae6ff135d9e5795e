/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtShades: which shade an amount has, and the legend that says so.
 *
 * Shades are of equal steps, or where amounts differ by more than a hundredfold of equal factors, up to round numbers.
 */
#pragma once

#include "pictures/frame.h"

typedef struct
{
  guint n;
  tt_int128 upper[TT_PICTURE_SHADES]; /* the greatest value of each shade */
  char names[TT_PICTURE_SHADES][TT_QUANTITY_TEXT + 8];
} TtShades;

/* For amounts from @least, above 0, to @most; both 0: there are none. */
void tt_shades_init (TtShades *self, TtQuantity quantity, tt_int128 least, tt_int128 most);
const char *tt_shades_class_of (const TtShades *self, tt_int128 value);
/* The same as one of TT_TEXT_LEVELS (text.h), from 1 on, and a line that says which is which. */
guint tt_shades_level_of (const TtShades *self, tt_int128 value);
/* Free it. */
char *tt_shades_text_legend (const TtShades *self);
/* @legend: of TtLegendEntry, which borrow. */
void tt_shades_add_legend (const TtShades *self, GArray *legend);
