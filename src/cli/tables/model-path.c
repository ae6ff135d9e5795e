/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/model-path.h"

/* -- the path ------------------------------------------------------------------------------------ */

/* An operation of the path and the edge by which it is reached. */
typedef struct
{
  const TtNode *node;
  const TtEdge *edge; /* NULL: the path starts here */
  double self_ns, gap_ns;
} Hop;

typedef enum
{
  HOP_SELF,
  HOP_GAP,
  HOP_SHARE,
  HOP_COUNT,
  HOP_EDGE,
  HOP_NAME,
} HopFact;

/* @context: the TtLongestPath. */
static TtReportCell
hop_fact (const TtReportField *self, const void *row, const void *context)
{
  const TtLongestPath *path = context;
  const Hop *hop = row;

  switch ((HopFact) self->id)
    {
    case HOP_SELF:
      return tt_cell_real (hop->self_ns);
    case HOP_GAP:
      return tt_cell_real (hop->gap_ns);
    case HOP_SHARE:
      return tt_cell_real (path->weight > 0 ? 100.0 * (hop->self_ns + hop->gap_ns) / path->weight : 0.0);
    case HOP_COUNT:
      return tt_cell_int (hop->node->cnt);
    case HOP_EDGE:
      return tt_cell_text (hop->edge == NULL ? "begin" : tt_edge_kind_text (hop->edge->kind));
    case HOP_NAME:
      return tt_cell_text (hop->node->label);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField hop_fields[] = {
  { TT_COLUMN_TIME, "Self avg", "self_avg", hop_fact, HOP_SELF },
  { TT_COLUMN_TIME, "Gap before", "gap_before", hop_fact, HOP_GAP },
  { TT_COLUMN_PERCENT, "Path %", "path_percent", hop_fact, HOP_SHARE },
  { TT_COLUMN_COUNT, "Count", "count", hop_fact, HOP_COUNT },
  { TT_COLUMN_WORD, "Came by", "came_by", hop_fact, HOP_EDGE },
  { TT_COLUMN_TEXT, "Operation", "op_long_name", hop_fact, HOP_NAME },
};

/* The edge by which the path goes from @src to @dst: the heaviest, then the first kind. */
static const TtEdge *
find_edge (const TtGraph *graph, const TtOrder *order, const double *weights, guint32 src, guint32 dst, double *weight)
{
  const TtEdge *found = NULL;

  *weight = 0;
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (edge->src != src || edge->dst != dst || tt_order_is_back (order, edge) ||
          (found != NULL && weights[i] <= *weight))
        continue;
      found = edge;
      *weight = weights[i];
    }
  return found;
}

TtReport *
tt_model_path_table (const TtModelPath *self, const TtReportView *view)
{
  const GArray *path = self->path->nodes;
  TtReport *report = tt_report_of_fields (hop_fields, G_N_ELEMENTS (hop_fields), view, self->path);
  guint n = view->top == 0 ? path->len : MIN (view->top, path->len);
  g_autofree double *nodes = tt_model_node_weights (self->graph);
  g_autofree double *edges = tt_model_edge_weights (self->graph);

  for (guint i = 0; i < n; i++)
    {
      guint32 number = g_array_index (path, guint32, i);
      Hop hop = { .node = tt_graph_node (self->graph, number), .self_ns = nodes[number] };

      if (i > 0)
        hop.edge =
            find_edge (self->graph, self->order, edges, g_array_index (path, guint32, i - 1), number, &hop.gap_ns);
      tt_report_row (report, &hop);
    }
  if (n < path->len)
    {
      g_autofree char *footer = g_strdup_printf ("and %u more operations; '--top 0' shows all", path->len - n);
      tt_report_footer (report, footer);
    }
  return report;
}

/* -- cycles -------------------------------------------------------------------------------------- */

typedef struct
{
  guint cycle; /* from 1 */
  guint32 node;
} CycleNode;

/* @context of these columns: the TtModelPath. */
static TtReportCell
cycle_number (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const CycleNode *) row)->cycle);
}

static TtReportCell
cycle_operation (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (tt_graph_node (((const TtModelPath *) context)->graph, ((const CycleNode *) row)->node)->label);
}

/* NULL: none. Free it. */
static char *
list_back_edges (const TtGraph *graph, const TtOrder *order, guint32 node)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < order->back->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, g_array_index (order->back, guint32, i));
      if (edge->src == node)
        g_string_append_printf (text, "%s%s (%s)", text->len > 0 ? ", " : "", tt_graph_node (graph, edge->dst)->label,
                                tt_edge_kind_text (edge->kind));
    }
  return g_string_free (text, text->len == 0);
}

static TtReportCell
cycle_left_out (const TtReportField *self, const void *row, const void *context)
{
  const TtModelPath *model = context;

  return tt_cell_take (list_back_edges (model->graph, model->order, ((const CycleNode *) row)->node));
}

static const TtReportField cycle_fields[] = {
  { TT_COLUMN_COUNT, "Cycle", "cycle", cycle_number },
  { TT_COLUMN_TEXT, "Operation", "op_long_name", cycle_operation },
  { TT_COLUMN_TEXT, "Left out: back to", "left_out", cycle_left_out },
};

TtReport *
tt_model_cycle_table (const TtModelPath *self, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (cycle_fields, G_N_ELEMENTS (cycle_fields), view, self);
  guint n_rows = 0, n_left = 0;

  for (guint i = 0; i < self->order->cycles->len; i++)
    {
      const GArray *cycle = g_ptr_array_index (self->order->cycles, i);
      for (guint k = 0; k < cycle->len; k++)
        {
          const CycleNode row = { i + 1, g_array_index (cycle, guint32, k) };

          if (view->top > 0 && n_rows >= view->top)
            {
              n_left++;
              continue;
            }
          tt_report_row (report, &row);
          n_rows++;
        }
    }
  if (n_left > 0)
    {
      g_autofree char *footer = g_strdup_printf ("and %u more operations in cycles; '--top 0' shows all", n_left);
      tt_report_footer (report, footer);
    }
  return report;
}
