/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of the spans of a run: a node for each operation (--level op), or for each span (--level event). */
#include "config.h"

#include "analyzers/spans/op-table.h"
#include "src/base/error.h"
#include "src/cli/command.h"
#include "src/cli/levels/level.h"

/* Adds the node END to @graph, which may be NULL. */
static TtGraph *
close_graph (TtGraph *graph)
{
  if (graph == NULL)
    return NULL;
  if (graph->nodes->len == 0)
    tt_message ("nothing is selected: the graph is empty");
  tt_graph_add_end (graph);
  tt_graph_finish (graph);
  return graph;
}

/* -- operations ---------------------------------------------------------------------------------- */

static TtGraph *
build_operations (TtStore *store, const TtGraphRequest *request, TtTrail **trail, GError **error)
{

  return close_graph (tt_dep_graph_ops (store, &request->spans, error));
}

/* The nodes of @graph that --around names. */
static GArray *
find_operations (TtStore *store, const TtGraph *graph, const TtGraphRequest *request, GError **error)
{
  g_autoptr (TtOpTable) ops = tt_op_table_new (store, request->spans.merge_ranks);
  g_autoptr (GArray) matched = NULL;
  g_autoptr (GHashTable) nodes = g_hash_table_new (g_str_hash, g_str_equal); /* label -> number + 1 */
  g_autoptr (GArray) centres = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (!tt_op_table_fill (ops, error) || (matched = tt_op_table_match (ops, request->around, error)) == NULL)
    return NULL;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (!tt_graph_node (graph, i)->is_end)
      g_hash_table_insert (nodes, (gpointer) tt_graph_node (graph, i)->label, GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < matched->len; i++)
    {
      const TtOp *op = tt_op_table_op (ops, g_array_index (matched, guint32, i));
      guint32 node = GPOINTER_TO_UINT (g_hash_table_lookup (nodes, op->label));
      if (node-- > 0)
        g_array_append_val (centres, node);
    }
  if (centres->len == 0)
    tt_message ("'%s' is not among what is selected", request->around);
  return g_steal_pointer (&centres);
}

const TtGraphLevel tt_graph_level_op = {
  .name = "op",
  .shows = "Operations",
  .option = "--level op",
  .refuses = TT_GRAPH_OF_STEPS,
  .build = build_operations,
  .find = find_operations,
};

/* -- events -------------------------------------------------------------------------------------- */

static gboolean
check_events (const TtGraphRequest *request, GError **error)
{
  if (request->around != NULL || (request->given & TT_GRAPH_TIME_WINDOW) != 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "'--level event' draws every span: limit it with '--around NAME#K' or '--time-window A:B'");
  return FALSE;
}

static TtGraph *
build_events (TtStore *store, const TtGraphRequest *request, TtTrail **trail, GError **error)
{
  TtGraph *graph = request->around != NULL
                       ? tt_dep_graph_around (store, &request->spans, request->around, request->hops, error)
                       : tt_dep_graph_events (store, &request->spans, NULL, NULL, error);

  return close_graph (graph);
}

const TtGraphLevel tt_graph_level_event = {
  .name = "event",
  .shows = "Spans",
  .option = "--level event",
  .refuses = TT_GRAPH_OF_STEPS | TT_GRAPH_MERGE_RANKS | TT_GRAPH_SAVE,
  .check = check_events,
  .build = build_events,
};
