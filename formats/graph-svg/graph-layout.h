/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGraphLayout: where the nodes and edges of a graph stand in a picture.
 *
 * Layers follow each other along the picture: an edge leads from one layer to a later one, but for those that close a
 * cycle. Across the picture lie lanes, one for each process, and in each layer the items of a lane lie beside each other;
 * so do those of a phase of a training step (FW, BW, Comm, ...) in a lane.
 * An edge that crosses layers has a bend in each, so that no edge passes over a node; edges of one kind from one node
 * share their bends. (Sugiyama, Tagawa and Toda 1981; order by barycentres, places by least squares.)
 * All numbers are whole pixels, so that a graph always looks the same. Time is near linear in items and links.
 */
#pragma once

#include "graphs/graph.h"

#define TT_GRAPH_LAYOUT_NONE G_MAXUINT32

typedef struct
{
  guint32 node; /* TT_GRAPH_LAYOUT_NONE: a bend */
  guint32 layer, lane;
  guint32 phase;        /* of its lane, from 1; 0: it has none */
  gint32 along, across; /* its size */
  gint32 at;            /* its middle, across */
} TtGraphLayoutItem;

/* Between items of two layers, mostly neighbours. */
typedef struct
{
  guint32 from, to; /* items; the layer of `from` is before that of `to` */
  guint32 edge;     /* that ends here; TT_GRAPH_LAYOUT_NONE: several share it */
  guint8 kind;      /* TtEdgeKind */
  gboolean is_back; /* the edge leads from a later layer to an earlier one */
} TtGraphLayoutLink;

typedef struct
{
  gint32 along, across;
} TtGraphLayoutSize;

typedef struct
{
  GArray *items;    /* of TtGraphLayoutItem; those of nodes first */
  GArray *links;    /* of TtGraphLayoutLink */
  guint32 *item_of; /* by node; TT_GRAPH_LAYOUT_NONE: it is not drawn: END, and the rest (reduce.h) */
  guint32 n_layers, n_lanes;
  GPtrArray *lane_names; /* of const char *; "": no name */
  gint32 *layer_begin, *layer_end;
  gint32 *lane_begin, *lane_end;
  gint32 along, across; /* size of all */
} TtGraphLayout;

/* Layers and lanes of @graph; then is_wide() tells how it is best drawn, and place() needs the sizes of nodes. */
TtGraphLayout *tt_graph_layout_new (const TtGraph *graph);
void tt_graph_layout_free (TtGraphLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGraphLayout, tt_graph_layout_free)

/* Whether layers from left to right, of nodes of @size, make a picture nearer to a screen's shape than from top to bottom. */
gboolean tt_graph_layout_is_wide (const TtGraphLayout *self, const TtGraphLayoutSize *size);
/* @sizes: by node. */
void tt_graph_layout_place (TtGraphLayout *self, const TtGraphLayoutSize *sizes);
