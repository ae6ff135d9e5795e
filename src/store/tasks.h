/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The task graph of the selected runs: tables task and task_edge.
 *
 * The one of the first process that has one; where it has several, the one that was imported last. Texts are valid
 * during the call, and a callback that returns FALSE ends the scan. Rows come in the order of the recording.
 */
#pragma once

#include "src/store/handle.h"
#include "src/trace/task-graph.h"

typedef gboolean (*TtTaskFunc) (guint32 process, const TtTaskNode *task, gpointer data);
typedef gboolean (*TtTaskEdgeFunc) (guint32 process, const TtTaskEdge *edge, gpointer data);

gboolean tt_store_each_task (TtStore *self, TtTaskFunc func, gpointer data, GError **error);
gboolean tt_store_each_task_edge (TtStore *self, TtTaskEdgeFunc func, gpointer data, GError **error);

/* The graphs of all processes; where one has several, the one that was imported last. */
gboolean tt_store_each_task_of_all (TtStore *self, TtTaskFunc func, gpointer data, GError **error);
gboolean tt_store_each_task_edge_of_all (TtStore *self, TtTaskEdgeFunc func, gpointer data, GError **error);
/* *n_tasks: of graphs that these leave out. */
gboolean tt_store_count_earlier_tasks (TtStore *self, guint64 *n_tasks, GError **error);
