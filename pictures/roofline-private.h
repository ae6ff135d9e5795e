/* SPDX-License-Identifier: Apache-2.0 */
/* What a roofline has in common as a picture and with letters. */
#pragma once

#include "pictures/log-scale.h"
#include "pictures/roofline.h"

#define TT_NS_PER_S 1000000000
/* More series than these are one. */
#define TT_ROOFLINE_MAX_NAMES 24u

typedef struct
{
  guint64 key; /* series, bucket of the size, bucket of the bandwidth */
  guint64 count;
  tt_int128 bytes, ns;
} TtRooflineCell;

typedef struct
{
  guint64 count;
  tt_int128 bytes;            /* of all */
  gint64 peak_bytes, peak_ns; /* of the fastest */
  gint64 latency_ns;          /* the shortest time */
  gint64 least, most;         /* size, of those that have any */
} TtRoof;

typedef struct
{
  const TtRoofline *chart;
  TtFrame frame; /* with letters: one is a pixel wide and high */
  TtLogAxis x, y;
  guint64 most; /* transfers of a point */
} TtRooflineDrawing;

/* Bytes a second. */
tt_int128 tt_roofline_bandwidth (tt_int128 bytes, tt_int128 ns);
const TtRoof *tt_roofline_roof (const TtRoofline *self, guint series);
/* Where a size, and a bandwidth, is in the picture. */
gint64 tt_roofline_x (const TtRooflineDrawing *self, tt_int128 bytes);
gint64 tt_roofline_y (const TtRooflineDrawing *self, tt_int128 bytes_per_s);
/* The size above which the bandwidth bounds a transfer, below which the latency does. */
tt_int128 tt_roofline_knee (const TtRoof *roof);
/* By the width and height of the frame. */
void tt_roofline_find_axes (TtRooflineDrawing *self);
/* "H2D: to 12.3 GB/s, from 2.4 us"; @texts keeps what @legend points to. */
void tt_roofline_add_legend (const TtRoofline *self, GArray *legend, GPtrArray *texts);
/* Of TtRooflineCell, the largest first. Free it. */
GPtrArray *tt_roofline_list_cells (const TtRoofline *self);
