/*
 * `depgraph --level task`: the task graph of a SYCL program, which its runtime tells and a PI trace carries.
 */
#pragma once

#include "graphs/graph.h"
#include "src/store/store.h"

/* Of the selected run: a node for each command (kernel, copy, allocation ...), an edge where one must finish before
 * another. Finished. Says the longest chain, and what makes no sense. NULL with @error: there is none. */
TtGraph *tt_depgraph_task (TtStore *store, GError **error);
