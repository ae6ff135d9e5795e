/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What GML and GraphML have in common: the columns of a graph, and texts that both can hold.
 */
#pragma once

#include "graphs/graph.h"

/* That some node has a value for. */
typedef struct
{
  gboolean gaps[TT_N_EDGE_KINDS], events;
} TtGraphColumns;

TtGraphColumns tt_graph_columns (const TtGraph *graph);
/* One line of UTF-8 without what XML has no words for: each such character becomes a blank. Free it. */
char *tt_graph_line (const char *text);
