/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFlameGraph: boxes inside boxes, the outermost on top, each as wide as its share of the whole.
 *
 * Boxes that are narrower than half a pixel or deeper than TT_FLAME_MAX_DEPTH are left out, and of what is left at most
 * TT_FLAME_MAX_BOXES are drawn, the widest; the picture says what is missing. A box is a rect with data-name, data-depth,
 * data-total, data-self and data-count, which are exact.
 */
#pragma once

#include "pictures/frame.h"

#define TT_FLAME_MAX_DEPTH 48u
#define TT_FLAME_MAX_BOXES 3000u

typedef struct
{
  guint depth;     /* 1: outermost */
  tt_int128 begin; /* where it begins in the whole */
  tt_int128 total, self;
  guint64 count;
  guint colour;     /* of the legend */
  const char *name; /* borrowed until the graph is written */
} TtFlameBox;

typedef struct
{
  TtPictureHead head;
  TtQuantity quantity;
  tt_int128 whole;
  GArray *boxes;  /* of TtFlameBox */
  GArray *legend; /* of TtLegendEntry; borrowed names */
  guint64 n_narrow, n_deep;
} TtFlameGraph;

void tt_flame_graph_init (TtFlameGraph *self, const char *title, tt_int128 whole);
void tt_flame_graph_clear (TtFlameGraph *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtFlameGraph, tt_flame_graph_clear)

/* FALSE: it is not drawn, and so is nothing inside it. */
gboolean tt_flame_graph_add (TtFlameGraph *self, const TtFlameBox *box);
void tt_flame_graph_write (TtFlameGraph *self, TtOutput *out);
