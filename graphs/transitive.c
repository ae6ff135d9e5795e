/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/order.h"
#include "graphs/reduce.h"

/* Of strong components: what can be reached from each, a bit a component. */
typedef struct
{
  const TtGraph *graph;
  const TtOrder *order;
  guint64 *reached;
  gsize n_words;       /* of a component */
  guint8 *is_left_out; /* by edge */
} Reduction;

static guint64 *
reached_from (const Reduction *self, guint32 component)
{
  return self->reached + component * self->n_words;
}

static gboolean
has_bit (const guint64 *bits, guint32 i)
{
  return (bits[i / 64] >> (i % 64)) & 1;
}

static gint
compare_downwards (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? 1 : x > y ? -1 : 0;
}

/* The components that edges out of @nodes (of guint32), of one component, lead to; the nearest in the order first. */
static GArray *
successors_of (const Reduction *self, const TtAdjacency *out, const GArray *nodes)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i), own = self->order->component[node];

      for (guint32 k = out->first[node]; k < out->first[node + 1]; k++)
        {
          guint32 other = self->order->component[tt_graph_edge (self->graph, out->edge[k])->dst];
          if (other != own)
            g_array_append_val (found, other);
        }
    }
  g_array_sort (found, compare_downwards);
  return found;
}

/* An edge to what another successor reaches says nothing new. Components are in reverse order: those that @nodes lead to
 * have a lower number and are done. */
static void
reduce_component (Reduction *self, const TtAdjacency *out, const GArray *nodes)
{
  g_autoptr (GArray) successors = successors_of (self, out, nodes);
  guint32 own = self->order->component[g_array_index (nodes, guint32, 0)];
  guint64 *reached = reached_from (self, own);
  g_autofree guint64 *kept = g_new0 (guint64, self->n_words);

  for (guint i = 0; i < successors->len; i++)
    {
      guint32 other = g_array_index (successors, guint32, i);
      const guint64 *far = reached_from (self, other);

      if (has_bit (reached, other))
        continue;
      kept[other / 64] |= (guint64) 1 << (other % 64);
      for (gsize word = 0; word < self->n_words; word++)
        reached[word] |= far[word];
    }
  reached[own / 64] |= (guint64) 1 << (own % 64);

  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);

      for (guint32 k = out->first[node]; k < out->first[node + 1]; k++)
        {
          guint32 other = self->order->component[tt_graph_edge (self->graph, out->edge[k])->dst];
          self->is_left_out[out->edge[k]] = other != own && !has_bit (kept, other);
        }
    }
}

static GPtrArray *
nodes_by_component (const TtOrder *order, guint n_nodes)
{
  GPtrArray *members = g_ptr_array_new_full (order->n_components, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < order->n_components; i++)
    g_ptr_array_add (members, g_array_new (FALSE, FALSE, sizeof (guint32)));
  for (guint32 node = 0; node < n_nodes; node++)
    g_array_append_val ((GArray *) g_ptr_array_index (members, order->component[node]), node);
  return members;
}

static TtGraph *
without_edges (const TtGraph *graph, const guint8 *is_left_out, guint *n_left_out)
{
  TtGraph *reduced = tt_graph_new ();

  *n_left_out = 0;
  for (guint i = 0; i < graph->nodes->len; i++)
    tt_graph_copy_node (reduced, tt_graph_node (graph, i));
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);

      *n_left_out += is_left_out[i];
      if (!is_left_out[i])
        tt_graph_add_edge (reduced, edge->src, edge->dst, edge->kind, edge->cnt, edge->gap_ns);
    }
  tt_graph_finish (reduced);
  return reduced;
}

TtGraph *
tt_graph_reduce (const TtGraph *graph, guint *n_left_out)
{
  g_autoptr (TtOrder) order = tt_order_new (graph, 0);
  gsize n_words = ((gsize) order->n_components + 63) / 64;

  if (order->n_components > TT_TRANSITIVE_MAX)
    return NULL;
  g_auto (TtAdjacency) out = { 0 };
  g_autofree guint64 *reached = g_new0 (guint64, n_words * order->n_components + 1);
  g_autofree guint8 *is_left_out = g_new0 (guint8, (gsize) graph->edges->len + 1);
  Reduction self = { graph, order, reached, n_words, is_left_out };
  g_autoptr (GPtrArray) members = nodes_by_component (order, graph->nodes->len);

  tt_adjacency_init (&out, graph, FALSE);
  for (guint i = 0; i < members->len; i++)
    reduce_component (&self, &out, g_ptr_array_index (members, i));
  return without_edges (graph, is_left_out, n_left_out);
}
