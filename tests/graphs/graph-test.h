/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs for tests: by number of nodes, and at random. */
#pragma once

#include "graphs/graph.h"

/* Nodes without edges; @labels: n0, n1 ... where NULL. */
TtGraph *make_graph (guint n_nodes, const char *const *labels);

/* A graph without equal edges; edges go up unless @cyclic. */
TtGraph *random_graph (guint n, guint n_edges, gboolean cyclic);
