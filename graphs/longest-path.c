/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/longest-path.h"

#define NONE G_MAXUINT32

static void
relax_edge (const TtGraph *graph,
            const TtOrder *order,
            guint32 number,
            const double *edge_weight,
            double *weight_to,
            guint32 *before)
{
  const TtEdge *edge = tt_graph_edge (graph, number);

  if (tt_order_is_back (order, edge))
    return;

  double weight = weight_to[edge->src] + (edge_weight == NULL ? 0.0 : edge_weight[number]);
  guint32 dst = edge->dst;
  if (before[dst] == NONE || weight > weight_to[dst] || (weight == weight_to[dst] && edge->src < before[dst]))
    {
      weight_to[dst] = weight;
      before[dst] = edge->src;
    }
}

TtLongestPath *
tt_longest_path_new (const TtGraph *graph,
                     const TtOrder *order,
                     guint skip_kinds,
                     const double *node_weight,
                     const double *edge_weight)
{
  guint n = graph->nodes->len;
  TtLongestPath *self = g_new0 (TtLongestPath, 1);
  /* The weight of the heaviest path to a node; from its turn on with its own weight. */
  g_autofree double *weight_to = g_new0 (double, (gsize) n + 1);
  g_autofree guint32 *before = g_new (guint32, (gsize) n + 1);
  g_auto (TtAdjacency) out = { 0 };
  guint32 last = NONE;

  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  tt_adjacency_init (&out, graph, FALSE);
  for (guint i = 0; i < n; i++)
    before[i] = NONE;

  for (guint i = 0; i < n; i++)
    {
      guint32 node = order->order[i];

      weight_to[node] += node_weight[node];
      for (guint32 k = out.first[node]; k < out.first[node + 1]; k++)
        if (!(skip_kinds & (1u << tt_graph_edge (graph, out.edge[k])->kind)))
          relax_edge (graph, order, out.edge[k], edge_weight, weight_to, before);
      if (last == NONE || weight_to[node] > weight_to[last] || (weight_to[node] == weight_to[last] && node < last))
        last = node;
    }

  if (last != NONE)
    self->weight = weight_to[last];
  for (guint32 node = last; node != NONE; node = before[node])
    g_array_append_val (self->nodes, node);
  for (guint i = 0; i < self->nodes->len / 2; i++)
    {
      guint32 *a = &g_array_index (self->nodes, guint32, i);
      guint32 *b = &g_array_index (self->nodes, guint32, self->nodes->len - 1 - i);
      guint32 node = *a;
      *a = *b;
      *b = node;
    }
  return self;
}

void
tt_longest_path_free (TtLongestPath *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->nodes);
  g_free (self);
}

double *
tt_model_node_weights (const TtGraph *graph)
{
  double *weights = g_new0 (double, (gsize) graph->nodes->len + 1);

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);
      if (!node->is_end && !node->is_rest && node->cnt > 0 && node->self_ns > 0)
        weights[i] = (double) node->self_ns / (double) node->cnt;
    }
  return weights;
}

double *
tt_model_edge_weights (const TtGraph *graph)
{
  double *weights = g_new0 (double, (gsize) graph->edges->len + 1);
  g_autofree guint8 *called = g_new0 (guint8, (gsize) graph->nodes->len + 1);

  for (guint i = 0; i < graph->edges->len; i++)
    if (tt_graph_edge (graph, i)->kind == TT_EDGE_CALL)
      called[tt_graph_edge (graph, i)->dst] = 1;
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (edge->kind == TT_EDGE_SEQUENCE && edge->cnt > 0 && edge->gap_ns > 0 && !called[edge->src] &&
          !called[edge->dst])
        weights[i] = (double) edge->gap_ns / (double) edge->cnt;
    }
  return weights;
}

TtLongestPath *
tt_model_path_new (const TtGraph *graph, TtOrder **order)
{
  g_autoptr (TtOrder) own = tt_order_new (graph, 1u << TT_EDGE_VIA);
  g_autofree double *nodes = tt_model_node_weights (graph);
  g_autofree double *edges = tt_model_edge_weights (graph);
  TtLongestPath *path = tt_longest_path_new (graph, own, 1u << TT_EDGE_VIA, nodes, edges);

  if (order != NULL)
    *order = g_steal_pointer (&own);
  return path;
}
