/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of a program (SYCL) and what each of them needs, from the rows of the store. */
#include "config.h"

#include "analyzers/dependencies/task-graph.h"
#include "graphs/longest-path.h"
#include "src/base/units.h"
#include "src/cli/command.h"
#include "src/cli/levels/find-label.h"
#include "src/cli/session.h"

/* Names of the longest chain that a message lists. */
#define MAX_SHOWN 8u

static void
report_longest (const TtGraph *graph)
{
  g_autoptr (TtOrder) order = NULL;
  g_autoptr (TtLongestPath) path = tt_model_path_new (graph, &order);
  g_autoptr (GString) names = g_string_new (NULL);
  char time[TT_TIME_TEXT];

  if (path == NULL || path->nodes->len == 0 || path->weight <= 0)
    return;
  for (guint i = 0; i < path->nodes->len && i < MAX_SHOWN; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            tt_graph_node (graph, g_array_index (path->nodes, guint32, i))->name);
  if (path->nodes->len > MAX_SHOWN)
    g_string_append_printf (names, " and %u more", path->nodes->len - MAX_SHOWN);
  tt_message ("the longest chain of tasks takes %s us: %s", tt_time_text (time, (gint64) path->weight, TT_UNIT_US, 0),
              names->str);
}

/* Says why there is no graph where it is not the trace that lacks one. */
static TtGraph *
build_tasks (TtStore *store, guint *n_left, GError **error)
{
  g_autoptr (GError) failure = NULL;
  TtGraph *graph = tt_task_graph_new (store, n_left, &failure);
  guint n_old = 0;

  if (graph != NULL || !tt_store_count_gap (store, TT_GAP_TASKS, &n_old, error))
    return graph;
  if (n_old > 0)
    g_set_error (error, TT_ERROR, TT_ERROR_GRAPH,
                 "no task graph in this run: an older tracetool, which did not keep it, imported the trace; "
                 "'import --again' of it gets it");
  else
    g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}

static TtGraph *
build (TtStore *store, const TtGraphRequest *request, TtTrail **trail, GError **error)
{
  guint n_left = 0;
  TtGraph *graph = tt_command_check_one_run (store, error) ? build_tasks (store, &n_left, error) : NULL;

  if (graph == NULL)
    return NULL;
  if (n_left > 0)
    tt_message ("%u edge%s of tasks that are not in the graph left out", n_left, n_left == 1 ? "" : "s");
  report_longest (graph);
  return graph;
}

const TtGraphLevel tt_graph_level_task = {
  .name = "task",
  .shows = "Tasks",
  .option = "--level task",
  .refuses = TT_GRAPH_OF_SPANS | TT_GRAPH_OF_STEPS,
  .build = build,
  .find = tt_graph_level_find_label,
};
