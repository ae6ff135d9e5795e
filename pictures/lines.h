/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLineChart: how a quantity goes over numbered steps, a line a series.
 *
 * A chart has at most TT_LINES_MAX_COLUMNS columns, each of as many steps as it takes; a line then shows the range of what
 * is in a column. A point is a circle with data-series, data-step (the first of the column), data-n, data-min, data-max.
 */
#pragma once

#include "pictures/frame.h"

#define TT_LINES_MAX_COLUMNS 240u
#define TT_LINES_MAX_SERIES TT_PICTURE_GREY

typedef struct
{
  tt_int128 min, max;
  guint64 n; /* 0: no point */
} TtLinePoint;

typedef struct
{
  TtPictureHead head;
  TtQuantity quantity;
  const char *x_title, *y_title;
  gint64 first_step, steps_per_column;
  guint n_columns;
  GPtrArray *names;  /* of series, char * */
  GArray *points;    /* of TtLinePoint: of the series, one after the other, each of its columns */
  gboolean has_mark; /* a line across at @mark */
  tt_int128 mark;
  const char *mark_name;
} TtLineChart;

/* For steps from @first to @last. */
void tt_line_chart_init (TtLineChart *self, const char *title, gint64 first_step, gint64 last_step);
void tt_line_chart_clear (TtLineChart *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtLineChart, tt_line_chart_clear)

/* Returns its number. */
guint tt_line_chart_add_series (TtLineChart *self, const char *name);
/* @step: one of those of the chart. */
void tt_line_chart_add (TtLineChart *self, guint series, gint64 step, tt_int128 value);

/* Notes where the axis does not begin at 0. */
void tt_line_chart_write (TtLineChart *self, TtOutput *out);
