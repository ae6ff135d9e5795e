/*
 * `depgraph --level task`: the task graph of a program, with what it says on stderr.
 */
#pragma once

#include "graphs/graph.h"
#include "src/store/handle.h"

/* Of the selected run. Says the longest chain of tasks, and how many edges are left out. NULL with @error: there is
 * none. */
TtGraph *tt_depgraph_task (TtStore *store, GError **error);
