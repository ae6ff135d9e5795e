/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/order.h"

#include <string.h>

#define NONE G_MAXUINT32

/* Tarjan's algorithm with its own stack, in an eighth of the memory of igraph's (docs/performance.md). */
typedef struct
{
  const TtGraph *graph;
  guint skip_kinds;
  TtAdjacency out;
  guint32 *index, *low; /* low is NONE once the node's component is known */
  guint32 *next;        /* position in out.edge where the walk goes on */
  guint32 *path, *open; /* nodes being walked; nodes without a component */
  guint32 n_path, n_open, n_index;
  TtOrder *order;
} Walk;

static void
close_component (Walk *self, guint32 root)
{
  guint32 node;

  do
    {
      node = self->open[--self->n_open];
      self->order->component[node] = self->order->n_components;
      self->low[node] = NONE;
    }
  while (node != root);
  self->order->n_components++;
}

static void
enter_node (Walk *self, guint32 node)
{
  self->index[node] = self->low[node] = self->n_index++;
  self->next[node] = self->out.first[node];
  self->path[self->n_path++] = node;
  self->open[self->n_open++] = node;
}

static void
walk_from (Walk *self, guint32 start)
{
  enter_node (self, start);
  while (self->n_path > 0)
    {
      guint32 node = self->path[self->n_path - 1];

      if (self->next[node] < self->out.first[node + 1])
        {
          const TtEdge *edge = tt_graph_edge (self->graph, self->out.edge[self->next[node]++]);

          if (self->skip_kinds & (1u << edge->kind))
            continue;
          if (self->index[edge->dst] == NONE)
            enter_node (self, edge->dst);
          else if (self->low[edge->dst] != NONE)
            self->low[node] = MIN (self->low[node], self->index[edge->dst]);
          continue;
        }

      guint32 low = self->low[node];
      self->n_path--;
      if (low == self->index[node])
        close_component (self, node);
      else
        {
          guint32 caller = self->path[self->n_path - 1];
          self->low[caller] = MIN (self->low[caller], low);
        }
    }
}

/* By component downwards, then by number: back edges are the only ones that lead backwards. */
static void
sort_nodes (TtOrder *self, guint n)
{
  g_autofree guint32 *first = g_new0 (guint32, (gsize) self->n_components + 1);

  for (guint i = 0; i < n; i++)
    first[self->n_components - self->component[i]]++;
  for (guint i = 1; i <= self->n_components; i++)
    first[i] += first[i - 1];
  for (guint i = 0; i < n; i++)
    self->order[first[self->n_components - 1 - self->component[i]]++] = i;
}

gboolean
tt_order_is_back (const TtOrder *self, const TtEdge *edge)
{
  return edge->dst <= edge->src && self->component[edge->src] == self->component[edge->dst];
}

static void
list_cycles (TtOrder *self, const TtGraph *graph, guint skip_kinds)
{
  guint n = graph->nodes->len;
  g_autofree guint32 *cycle_of = g_new0 (guint32, (gsize) self->n_components + 1);

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if ((skip_kinds & (1u << edge->kind)) || !tt_order_is_back (self, edge))
        continue;
      g_array_append_val (self->back, i);
      cycle_of[self->component[edge->src]] = NONE;
    }

  for (guint32 i = 0; i < n; i++)
    {
      guint32 *cycle = &cycle_of[self->component[i]];
      if (*cycle == 0)
        continue;
      if (*cycle == NONE)
        {
          g_ptr_array_add (self->cycles, g_array_new (FALSE, FALSE, sizeof (guint32)));
          *cycle = self->cycles->len;
        }
      g_array_append_val ((GArray *) g_ptr_array_index (self->cycles, *cycle - 1), i);
    }
}

static void
free_cycle (gpointer cycle)
{
  g_array_unref (cycle);
}

TtOrder *
tt_order_new (const TtGraph *graph, guint skip_kinds)
{
  guint n = graph->nodes->len;
  TtOrder *self = g_new0 (TtOrder, 1);
  Walk walk = { .graph = graph, .skip_kinds = skip_kinds, .order = self };
  g_autofree guint32 *memory = g_new (guint32, (gsize) n * 5 + 1);

  self->component = g_new0 (guint32, (gsize) n + 1);
  self->order = g_new0 (guint32, (gsize) n + 1);
  self->back = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->cycles = g_ptr_array_new_with_free_func (free_cycle);

  walk.index = memory;
  walk.low = memory + n;
  walk.next = memory + 2 * (gsize) n;
  walk.path = memory + 3 * (gsize) n;
  walk.open = memory + 4 * (gsize) n;
  memset (walk.index, 0xff, n * sizeof (guint32));
  tt_adjacency_init (&walk.out, graph, FALSE);
  for (guint32 i = 0; i < n; i++)
    if (walk.index[i] == NONE)
      walk_from (&walk, i);
  tt_adjacency_clear (&walk.out);

  sort_nodes (self, n);
  list_cycles (self, graph, skip_kinds);
  return self;
}

void
tt_order_free (TtOrder *self)
{
  if (self == NULL)
    return;

  g_free (self->component);
  g_free (self->order);
  g_array_unref (self->back);
  g_ptr_array_unref (self->cycles);
  g_free (self);
}
