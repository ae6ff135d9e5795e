/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/task-graph.h"

#include "src/base/error.h"
#include "src/base/map64.h"
#include "src/store/tasks.h"

typedef struct
{
  TtGraph *graph;
  TtMap64 nodes; /* by task id */
  guint n_edges_left;
} Builder;

static const char *
get_category (TtTaskKind kind)
{
  return kind == TT_TASK_KERNEL ? "COMP" : kind == TT_TASK_COMMAND ? "RT" : "MEM";
}

/* "#102 vector_add (CPU, vector_add.cpp:41)", "#104 copy 1 -> 0". Free it. */
static char *
make_label (const TtTaskNode *task)
{
  const char *const *text = task->text;
  g_autoptr (GString) label = g_string_new (NULL);
  g_autoptr (GString) more = g_string_new (NULL);

  g_string_printf (label, "#%" G_GINT64_FORMAT " %s", task->id, text[TT_TASK_NAME]);
  if (text[TT_TASK_COPY_FROM] != NULL && text[TT_TASK_COPY_TO] != NULL)
    g_string_append_printf (label, " %s -> %s", text[TT_TASK_COPY_FROM], text[TT_TASK_COPY_TO]);
  if (text[TT_TASK_DEVICE] != NULL)
    g_string_append (more, text[TT_TASK_DEVICE]);
  if (text[TT_TASK_ALLOCATION_TYPE] != NULL)
    g_string_append_printf (more, "%s%s", more->len > 0 ? ", " : "", text[TT_TASK_ALLOCATION_TYPE]);
  if (text[TT_TASK_FILE] != NULL)
    g_string_append_printf (more, "%s%s%s%s", more->len > 0 ? ", " : "", text[TT_TASK_FILE],
                            text[TT_TASK_LINE] != NULL ? ":" : "",
                            text[TT_TASK_LINE] != NULL ? text[TT_TASK_LINE] : "");
  if (more->len > 0)
    g_string_append_printf (label, " (%s)", more->str);
  return g_string_free (g_steal_pointer (&label), FALSE);
}

/* Of tasks with one id the first counts. */
static gboolean
add_task (guint32 process G_GNUC_UNUSED, const TtTaskNode *task, gpointer data)
{
  Builder *self = data;
  const char *device = task->text[TT_TASK_DEVICE_ID];

  if (tt_map64_get (&self->nodes, (guint64) task->id) != TT_MAP64_NONE)
    return TRUE;
  g_autofree char *label = make_label (task);
  guint32 number = tt_graph_add_node (self->graph, label, device != NULL ? device : "", get_category (task->kind),
                                      task->text[TT_TASK_NAME]);
  tt_map64_set (&self->nodes, (guint64) task->id, number);

  TtNode *node = tt_graph_node (self->graph, number);
  node->cnt = 1;
  node->ts_ns = task->begin_ns >= 0 ? task->begin_ns : 0;
  if (task->begin_ns >= 0 && task->end_ns > task->begin_ns)
    node->sum_ns = node->self_ns = task->end_ns - task->begin_ns;
  return TRUE;
}

static guint32
find_node (const Builder *self, gboolean has, gint64 id)
{
  return has ? tt_map64_get (&self->nodes, (guint64) id) : TT_MAP64_NONE;
}

static gboolean
add_edge (guint32 process G_GNUC_UNUSED, const TtTaskEdge *edge, gpointer data)
{
  Builder *self = data;
  guint32 src = find_node (self, edge->has_src, edge->src), dst = find_node (self, edge->has_dst, edge->dst);

  if (src == TT_MAP64_NONE || dst == TT_MAP64_NONE)
    self->n_edges_left++;
  else
    tt_graph_add_edge (self->graph, src, dst, TT_EDGE_DEPENDENCY, 1, 0);
  return TRUE;
}

TtGraph *
tt_task_graph_new (TtStore *store, guint *n_edges_left, GError **error)
{
  g_autoptr (TtGraph) graph = tt_graph_new ();
  Builder builder = { .graph = graph };
  gboolean is_read = tt_store_each_task (store, add_task, &builder, error) &&
                     tt_store_each_task_edge (store, add_edge, &builder, error);

  tt_map64_clear (&builder.nodes);
  if (!is_read)
    return NULL;
  if (graph->nodes->len == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH,
                   "no task graph in this run: a PI trace has one where sycl.graph_trace or graph.json lies beside the "
                   "calls");
      return NULL;
    }
  tt_graph_finish (graph);
  *n_edges_left = builder.n_edges_left;
  return g_steal_pointer (&graph);
}
