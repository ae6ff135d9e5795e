/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFrame: what all charts have around them: title, run, legend, axes, and notes on what is shown and what is left out.
 */
#pragma once

#include "pictures/axis.h"
#include "pictures/svg.h"

#define TT_PICTURE_WIDTH TT_PX (960)

/* What a picture says of itself. Owned by whoever makes the chart. */
typedef struct
{
  char *title;      /* "Step times per rank" */
  char *run;        /* which run */
  GPtrArray *notes; /* of char *, sentences */
} TtPictureHead;

void tt_picture_head_init (TtPictureHead *self, const char *title);
void tt_picture_head_clear (TtPictureHead *self);
void tt_picture_head_note (TtPictureHead *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

typedef struct
{
  const char *name;
  const char *css_class; /* c0 ... */
} TtLegendEntry;

typedef struct
{
  TtOutput *out;
  const TtPictureHead *head;
  GPtrArray *lines;                /* the notes, wrapped */
  gint64 left, top, width, height; /* of the plot */
  gint64 picture_height;
} TtFrame;

/* Begins the picture. The plot is @height high and keeps @left for labels; below it @below, for an axis. */
void tt_frame_begin (TtFrame *self,
                     TtOutput *out,
                     const TtPictureHead *head,
                     const TtLegendEntry *legend,
                     guint n_legend,
                     gint64 left,
                     gint64 height,
                     gint64 below);
/* The notes, and the end of the picture. */
void tt_frame_end (TtFrame *self);

/* The picture of nothing: the head and the notes, which say why. */
void tt_frame_write_empty (TtOutput *out, const TtPictureHead *head);

/* Height of an axis below the plot, for tt_frame_begin(). */
#define TT_FRAME_AXIS TT_PX (42)
/* Ticks below the plot with lines through it; @title: "time", the unit is added. */
void tt_frame_x_axis (const TtFrame *self, const TtAxis *axis, const char *title);
/* The same at its left. */
void tt_frame_y_axis (const TtFrame *self, const TtAxis *axis, const char *title);
/* A line through the plot at @y, which stands for @value; @text: above its right end, NULL: none. */
void tt_frame_mark (const TtFrame *self, gint64 y, tt_int128 value, const char *text);
/* Where the plot should begin, for labels of so many characters. */
gint64 tt_frame_left (guint n_chars);
/* The same for the ticks of an axis at its left. */
gint64 tt_frame_axis_left (const TtAxis *axis);
/* @text below the plot at @x, moved where the picture would end within it; left out where it would begin before *@used, which
 * afterwards is where the next may begin. Starts with G_MININT64. */
void tt_frame_tick (const TtFrame *self, gint64 x, gint64 *used, const char *text);
