/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/structure.h"

#include "graphs/structure.h"
#include "src/base/compare.h"

typedef struct
{
  const TtModelPath *path;
  const TtGraph *graph;
  TtStructure *structure;
  const TtReportView *view;
} Model;

/* -- rows -------------------------------------------------------------------------------------- */

/* A node, with what the table says of it. */
typedef struct
{
  const TtNode *node;
  guint32 number;
  double slack_ns, weight_ns;
  gboolean is_gate;
  guint32 n_reached, n_leading;
} NodeRow;

typedef enum
{
  NODE_SLACK,
  NODE_IS_GATE,
  NODE_REACHED,
  NODE_LEADING,
  NODE_WEIGHT,
  NODE_COUNT,
  NODE_LABEL,
} NodeFact;

static TtReportCell
node_fact (const TtReportField *self, const void *data, const void *context)
{
  const NodeRow *row = data;

  switch ((NodeFact) self->id)
    {
    case NODE_SLACK:
      return tt_cell_real (row->slack_ns);
    case NODE_IS_GATE:
      return tt_cell_text (row->is_gate ? "yes" : NULL);
    case NODE_REACHED:
      return tt_cell_int (row->n_reached);
    case NODE_LEADING:
      return tt_cell_int (row->n_leading);
    case NODE_WEIGHT:
      return tt_cell_real (row->weight_ns);
    case NODE_COUNT:
      return tt_cell_int (row->node->cnt);
    case NODE_LABEL:
      return tt_cell_text (row->node->label);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField slack_fields[] = {
  { TT_COLUMN_TIME, "Slack", "slack", node_fact, NODE_SLACK },
  { TT_COLUMN_TIME, "Self avg", "self_avg", node_fact, NODE_WEIGHT },
  { TT_COLUMN_COUNT, "Count", "count", node_fact, NODE_COUNT },
  { TT_COLUMN_TEXT, "Operation", "op_long_name", node_fact, NODE_LABEL },
};

static const TtReportField dominator_fields[] = {
  { TT_COLUMN_WORD, "All paths", "all_paths", node_fact, NODE_IS_GATE },
  { TT_COLUMN_COUNT, "Wait for it", "wait_for_it", node_fact, NODE_REACHED },
  { TT_COLUMN_COUNT, "Lead to it", "lead_to_it", node_fact, NODE_LEADING },
  { TT_COLUMN_TIME, "Self avg", "self_avg", node_fact, NODE_WEIGHT },
  { TT_COLUMN_COUNT, "Count", "count", node_fact, NODE_COUNT },
  { TT_COLUMN_TEXT, "Operation", "op_long_name", node_fact, NODE_LABEL },
};

typedef enum
{
  EDGE_FROM,
  EDGE_TO,
  EDGE_KIND,
  EDGE_COUNT,
} EdgeFact;

static TtReportCell
edge_fact (const TtReportField *self, const void *row, const void *context)
{
  const TtEdge *edge = row;
  const TtGraph *graph = context;

  switch ((EdgeFact) self->id)
    {
    case EDGE_FROM:
      return tt_cell_text (tt_graph_node (graph, edge->src)->label);
    case EDGE_TO:
      return tt_cell_text (tt_graph_node (graph, edge->dst)->label);
    case EDGE_KIND:
      return tt_cell_text (tt_edge_kind_text ((TtEdgeKind) edge->kind));
    case EDGE_COUNT:
      return tt_cell_int (edge->cnt);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

/* @context: the TtGraph. */
static const TtReportField feedback_fields[] = {
  { TT_COLUMN_COUNT, "Count", "count", edge_fact, EDGE_COUNT },
  { TT_COLUMN_WORD, "Kind", "kind", edge_fact, EDGE_KIND },
  { TT_COLUMN_TEXT, "From", "from", edge_fact, EDGE_FROM },
  { TT_COLUMN_TEXT, "To", "to", edge_fact, EDGE_TO },
};

/* -- tables ------------------------------------------------------------------------------------ */

static void
set_texts (TtReport *report, char *heading, guint n_left, const char *what)
{
  g_autofree char *owned = heading;

  tt_report_heading (report, owned);
  if (n_left > 0)
    {
      g_autofree char *footer = g_strdup_printf ("and %u more %s; '--top 0' shows all", n_left, what);
      tt_report_footer (report, footer);
    }
}

static guint
count_shown (const TtReportView *view, guint n)
{
  return view->top == 0 ? n : MIN (view->top, n);
}

static GArray *
list_nodes (const Model *model, const double *weights)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (NodeRow));

  for (guint32 i = 0; i < model->graph->nodes->len; i++)
    {
      NodeRow row = { .node = tt_graph_node (model->graph, i), .number = i, .weight_ns = weights[i] };
      if (!row.node->is_end && !row.node->is_rest)
        g_array_append_val (rows, row);
    }
  return rows;
}

static void
add_nodes (TtReport *report, const GArray *rows, guint n)
{
  for (guint i = 0; i < n; i++)
    tt_report_row (report, &g_array_index (rows, NodeRow, i));
}

static int
compare_slack (gconstpointer a, gconstpointer b)
{
  const NodeRow *x = a, *y = b;
  int order = TT_COMPARE (x->slack_ns, y->slack_ns);

  return order != 0 ? order : TT_COMPARE (x->number, y->number);
}

static TtReport *
make_slack_table (const Model *model, GError **error)
{
  g_autofree double *nodes = tt_model_node_weights (model->graph);
  g_autofree double *edges = tt_model_edge_weights (model->graph);
  g_autofree double *slack = tt_structure_slack (model->structure, nodes, edges, error);
  char time[TT_TIME_TEXT];
  guint n_without = 0;

  if (slack == NULL)
    return NULL;
  g_autoptr (GArray) rows = list_nodes (model, nodes);
  for (guint i = 0; i < rows->len; i++)
    {
      NodeRow *row = &g_array_index (rows, NodeRow, i);
      row->slack_ns = slack[row->number];
      n_without += row->slack_ns == 0;
    }
  g_array_sort (rows, compare_slack);

  TtReport *report = tt_report_of_fields (slack_fields, G_N_ELEMENTS (slack_fields), model->view, model);
  guint n = count_shown (model->view, rows->len);
  add_nodes (report, rows, n);
  set_texts (report,
             g_strdup_printf ("How much longer an operation may take before the longest path by averages, %s, grows: "
                              "%u of %u operations have no slack",
                              tt_time_auto (time, (gint64) (model->path->path->weight + 0.5)), n_without, rows->len),
             rows->len - n, "operations");
  return report;
}

static int
compare_dominators (gconstpointer a, gconstpointer b)
{
  const NodeRow *x = a, *y = b;
  guint64 n_x = (guint64) x->n_reached + x->n_leading, n_y = (guint64) y->n_reached + y->n_leading;
  int order = TT_COMPARE (y->is_gate, x->is_gate);

  if (order == 0)
    order = TT_COMPARE (n_y, n_x);
  return order != 0 ? order : TT_COMPARE (x->number, y->number);
}

static TtReport *
make_dominator_table (const Model *model, GError **error)
{
  g_autofree double *weights = tt_model_node_weights (model->graph);
  g_autoptr (TtDominators) dominators = tt_structure_dominators (model->structure, error);
  guint32 n_parts = 0;
  g_autofree guint32 *parts =
      dominators == NULL ? NULL : tt_structure_components (model->structure, TT_STRUCTURE_WEAK, &n_parts, error);
  guint n_rows = 0;

  if (parts == NULL)
    return NULL;
  g_autoptr (GArray) rows = list_nodes (model, weights);
  guint n_ops = rows->len;
  for (guint i = 0; i < n_ops; i++)
    {
      NodeRow row = g_array_index (rows, NodeRow, i);
      row.is_gate = dominators->is_gate[row.number];
      row.n_reached = dominators->n_reached[row.number];
      row.n_leading = dominators->n_leading[row.number];
      if (row.is_gate || row.n_reached > 0 || row.n_leading > 0)
        g_array_index (rows, NodeRow, n_rows++) = row;
    }
  g_array_set_size (rows, n_rows);
  g_array_sort (rows, compare_dominators);

  TtReport *report = tt_report_of_fields (dominator_fields, G_N_ELEMENTS (dominator_fields), model->view, model);
  guint n = count_shown (model->view, rows->len);
  g_autofree char *note =
      n_parts > 1 ? g_strdup_printf ("; the graph has %u parts that nothing joins", n_parts) : g_strdup ("");
  add_nodes (report, rows, n);
  set_texts (report,
             g_strdup_printf ("All paths from a first operation to a last one pass %u of %u operations%s",
                              dominators->n_gates, n_ops, note),
             rows->len - n, "operations that others wait for or lead to");
  return report;
}

static TtReport *
make_feedback_table (const Model *model, GError **error)
{
  g_autoptr (GArray) arcs = tt_structure_feedback_arcs (model->structure, error);

  if (arcs == NULL)
    return NULL;
  TtReport *report = tt_report_of_fields (feedback_fields, G_N_ELEMENTS (feedback_fields), model->view, model->graph);
  guint n = count_shown (model->view, arcs->len);
  for (guint i = 0; i < n; i++)
    tt_report_row (report, tt_graph_edge (model->graph, g_array_index (arcs, guint32, i)));
  set_texts (report,
             arcs->len == 0
                 ? g_strdup ("There is no cycle")
                 : g_strdup_printf ("Without these %u of %u edges there is no cycle; the path leaves out the %u that "
                                    "lead back in time",
                                    arcs->len, model->graph->edges->len, model->path->order->back->len),
             arcs->len - n, "edges");
  return report;
}

TtReport *
tt_structure_table (const TtModelPath *path, TtStructureTable table, const TtReportView *view, GError **error)
{
  g_autoptr (TtStructure) structure = tt_structure_new (path->graph, path->order);
  const Model model = { path, path->graph, structure, view };

  switch (table)
    {
    case TT_STRUCTURE_TABLE_SLACK:
      return make_slack_table (&model, error);
    case TT_STRUCTURE_TABLE_DOMINATORS:
      return make_dominator_table (&model, error);
    case TT_STRUCTURE_TABLE_FEEDBACK:
      return make_feedback_table (&model, error);
    }
  g_return_val_if_reached (NULL);
}
