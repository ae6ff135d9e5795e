/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What colours and lines of a drawn graph mean: the style sheet, the heads of arrows, and the legend.
 */
#pragma once

#include "formats/graph-svg/graph-svg.h"

/* The style sheet, and a head for the arrows of each kind. */
void tt_legend_write_styles (TtOutput *out);
/* What @graph has, from *y downwards, which becomes the y of the last row; as far as @right, if there is more than one entry.
 * Returns how far it reaches. @has_times: nodes have bars, and a path is marked. */
#define TT_LEGEND_ROW 18
gint32 tt_legend_write (const TtGraph *graph, gboolean has_times, gint32 left, gint32 right, gint32 *y, TtOutput *out);
/* The class of the edges of @kind. */
const char *tt_legend_edge_class (guint kind);
