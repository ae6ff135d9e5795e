/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLaneChart: what each lane was doing at each time, to the width of a pixel.
 *
 * Time is cut into columns of a pixel. A column of a lane has the colour of the part that most of its time went to, and is the
 * higher the more of it was spent on any: in quarters, so that the size of a picture does not depend on the number of
 * intervals. A part of a lane is a path with data-lane, data-part and data-value, the exact sum of its intervals inside the
 * times of the chart, which a part has, too, that is nowhere the largest of a column. A mark is a text with data-mark.
 */
#pragma once

#include "pictures/frame.h"

#define TT_LANES_MAX 64u
#define TT_LANES_MAX_PARTS 8u

typedef struct
{
  TtPictureHead head;
  TtQuantity quantity;
  gint64 begin, end; /* times of the chart */
  guint n_columns;
  guint n_lanes;
  const TtLegendEntry *parts; /* borrowed */
  guint n_parts;
  GPtrArray *labels; /* of lanes, char * */
  guint *n_members;  /* of lanes: how many intervals may run at once */
  const char *x_title;
  gboolean has_mark; /* a line down at @mark */
  gint64 mark;
  const char *mark_name;
  gint64 *spent;   /* of lanes, their columns, their parts */
  tt_int128 *sums; /* of lanes, their parts */
} TtLaneChart;

/* @begin < @end; @n_lanes: at most TT_LANES_MAX; @n_parts: at most TT_LANES_MAX_PARTS. */
void tt_lane_chart_init (TtLaneChart *self,
                         const char *title,
                         gint64 begin,
                         gint64 end,
                         guint n_lanes,
                         const TtLegendEntry *parts,
                         guint n_parts);
void tt_lane_chart_clear (TtLaneChart *self);

/* Takes a lane, counted from 0, for one more member. @label: of the first; the lane is called "first .. last". */
void tt_lane_chart_add_member (TtLaneChart *self, guint lane, const char *label);
/* What lies outside the times of the chart is cut off. */
void tt_lane_chart_add (TtLaneChart *self, guint lane, guint part, gint64 begin, gint64 end);
gboolean tt_lane_chart_is_empty (const TtLaneChart *self);
/* Leaves out lanes in which nothing is. */
void tt_lane_chart_write (TtLaneChart *self, TtOutput *out);
/* With letters, in lines of @width: how much of each column was busy, whatever with. */
void tt_lane_chart_write_text (TtLaneChart *self, TtOutput *out, guint width);
