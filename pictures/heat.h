/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtHeatMap: how much goes from each row to each column of a square, as shades.
 *
 * More than TT_HEAT_MAX members are folded: neighbours are added up until so many are left, and the picture says so.
 * A cell is a rect with data-src, data-dst, data-value and data-count, which are exact.
 */
#pragma once

#include "pictures/frame.h"

#define TT_HEAT_MAX 64u

typedef struct
{
  tt_int128 value;
  guint64 count;
} TtHeatCell;

typedef struct
{
  TtPictureHead head;
  TtQuantity quantity;
  const char *count_word; /* "messages" */
  guint n_members, fold;  /* members, and how many are one row */
  guint n;                /* rows and columns */
  GPtrArray *labels;      /* of rows, char * */
  TtHeatCell *cells;      /* n * n, a row after the other */
} TtHeatMap;

/* @labels: of @n_members, NULL is "?"; borrowed. */
void tt_heat_map_init (TtHeatMap *self, const char *title, const char *const *labels, guint n_members);
void tt_heat_map_clear (TtHeatMap *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtHeatMap, tt_heat_map_clear)

/* From one member to another, by their numbers. */
void tt_heat_map_add (TtHeatMap *self, guint from, guint to, tt_int128 value, guint64 count);
void tt_heat_map_write (TtHeatMap *self, TtOutput *out);
