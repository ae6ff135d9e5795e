/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBarChart: stacked bars, one a row, of parts that add up.
 *
 * More than TT_BARS_MAX_ROWS rows are folded: neighbours are added up until so many are left, and the picture says so.
 * A part is a rect with data-row, data-part and data-value, which is exact.
 */
#pragma once

#include "pictures/frame.h"

#define TT_BARS_MAX_ROWS 64u

typedef struct
{
  TtPictureHead head;
  TtQuantity quantity;
  const char *axis_title; /* "time" */
  const char *row_word;   /* "rank" */
  GArray *parts;          /* of TtLegendEntry; their names are borrowed */
  GPtrArray *labels;      /* of rows, char * */
  GArray *values;         /* of tt_int128: of the rows, one after the other, each of their parts */
} TtBarChart;

void tt_bar_chart_init (TtBarChart *self, const char *title);
void tt_bar_chart_clear (TtBarChart *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtBarChart, tt_bar_chart_clear)

void tt_bar_chart_add_part (TtBarChart *self, const char *name, const char *css_class);
/* After the parts. Returns the values of the new row, all 0: valid until the next row. */
tt_int128 *tt_bar_chart_add_row (TtBarChart *self, const char *label);
/* Likewise, of a row that is there. */
tt_int128 *tt_bar_chart_row (TtBarChart *self, guint row);

/* Leaves out parts that no row has, and folds rows. */
void tt_bar_chart_write (TtBarChart *self, TtOutput *out);

/* With letters, in lines of @width: each part has its own, the sum of a row stands behind it. */
void tt_bar_chart_write_text (TtBarChart *self, TtOutput *out, guint width);

/* "12.3 %" of integers. Returns buffer. */
#define TT_PERCENT_TEXT 32
char *tt_percent_text (char buffer[TT_PERCENT_TEXT], tt_int128 part, tt_int128 whole);
