/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GraphML and GML through igraph, with attributes; the same graph gives the same bytes.
 *
 * GraphML: node label, pid, op_cat, name, cnt, avg_us, self_us, gap_KIND_us; edge kind, cnt, gap_us (average).
 * GML keys have letters only: label, pid, opcat, name, cnt, avg (ms, as the original tools have it), self (ms),
 * gapKIND (us); edge kind, cnt, gap (us). Event nodes have event and ts_us (GML: ts) too.
 */
#pragma once

#include "graphs/graph.h"

typedef enum
{
  TT_GRAPH_FILE_GRAPHML,
  TT_GRAPH_FILE_GML,
} TtGraphFile;

/* The whole file; free it. NULL on error. */
char *tt_graph_to_text (const TtGraph *graph, TtGraphFile file, gsize *len, GError **error);
