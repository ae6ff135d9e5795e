/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where items lie across a layout: their order in each layer, so that few edges cross, and their places, so that edges are
 * straight.
 */
#pragma once

#include "formats/graph-svg/graph-layout.h"

#define TT_GRAPH_LAYOUT_BEND 6 /* the room of one */

/* Needs layers, lanes and sizes of items; gives them places, and lanes. @lane_gap: between two lanes. */
void tt_graph_layout_place_across (TtGraphLayout *layout, gint32 lane_gap);
