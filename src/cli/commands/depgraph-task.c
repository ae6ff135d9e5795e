#include "config.h"

#include "src/cli/commands/depgraph-task.h"

#include "analyzers/dependencies/task-graph.h"
#include "graphs/longest-path.h"
#include "src/base/units.h"
#include "src/cli/command.h"

static void
report_longest (const TtGraph *graph)
{
  TtOrder *made = NULL;
  g_autoptr (TtLongestPath) path = tt_model_path_new (graph, &made);
  g_autoptr (TtOrder) order = made;
  g_autoptr (GString) names = g_string_new (NULL);
  char time[TT_TIME_TEXT];

  if (path == NULL || path->nodes->len == 0 || path->weight <= 0)
    return;
  for (guint i = 0; i < path->nodes->len && i < 8; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            tt_graph_node (graph, g_array_index (path->nodes, guint32, i))->name);
  if (path->nodes->len > 8)
    g_string_append_printf (names, " and %u more", path->nodes->len - 8);
  tt_message ("the longest chain of tasks takes %s us: %s", tt_time_text (time, (gint64) path->weight, TT_UNIT_US, 0),
              names->str);
}

TtGraph *
tt_depgraph_task (TtStore *store, GError **error)
{
  guint n_left;
  g_autoptr (TtGraph) graph = tt_task_graph_new (store, &n_left, error);

  if (graph == NULL)
    return NULL;
  if (n_left > 0)
    tt_message ("%u edge%s of tasks that are not in the graph left out", n_left, n_left == 1 ? "" : "s");
  report_longest (graph);
  return g_steal_pointer (&graph);
}
