/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of operations as SVG: one file that a browser shows by itself.
 *
 * A node has its name, how often it ran and its mean time; its bar is its part of the largest self time. Lanes are processes,
 * shades in them the phases of a training step; the path by averages is marked, a legend names colours and lines. What a node,
 * a phase or an edge is in full is its tooltip; `/` searches, and a click shows what leads to a node and from it. No text of
 * a trace is markup or script. Same graph, same bytes.
 */
#pragma once

#include "graphs/graph.h"
#include "src/base/output.h"

typedef struct
{
  const char *title;        /* what is shown, and of which run; NULL: only the numbers of nodes and edges */
  const char *note;         /* what is left out; NULL: nothing */
  gboolean is_part_of_page; /* whose script answers clicks, and searches */
} TtGraphHeading;

/* @graph has at most this many nodes. */
#define TT_GRAPH_SVG_MOST_NODES 100000u
void tt_graph_svg_write (const TtGraph *graph, const TtGraphHeading *heading, TtOutput *out);
