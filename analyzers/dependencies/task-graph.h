/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The task graph of a run (`depgraph --level task`): a node for each task (kernel, copy, allocation ...) that the
 * program's runtime reported, an edge where one must finish before another starts. From the rows of `task` and
 * `task_edge`.
 */
#pragma once

#include "graphs/graph.h"
#include "src/store/handle.h"

/* Finished. *@n_edges_left: edges of tasks that are not in the graph, left out. NULL with @error: the run has no tasks. */
TtGraph *tt_task_graph_new (TtStore *store, guint *n_edges_left, GError **error);
