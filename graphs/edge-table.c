/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/edge-table.h"

static inline guint64
hash_key (guint32 src, guint32 dst, guint32 kind)
{
  guint64 x = ((guint64) src << 32 | dst) + kind * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 31)) * G_GUINT64_CONSTANT (0x7fb5d329728ea185);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x81dadef4bc2dd44d);
  return x ^ (x >> 33);
}

static guint64
hash_edge (gconstpointer edges, guint32 number)
{
  const TtEdge *edge = (const TtEdge *) edges + number;

  return hash_key (edge->src, edge->dst, edge->kind);
}

void
tt_edge_table_init (TtEdgeTable *self, TtGraph *graph)
{
  GArray *edges = graph->edges;

  *self = (TtEdgeTable){ .graph = graph };
  for (guint32 i = 0; i < edges->len; i++)
    {
      guint64 slot = tt_row_index_first (&self->index, hash_edge (edges->data, i));

      while (self->index.slots[slot] != 0)
        slot = tt_row_index_next (&self->index, slot);
      tt_row_index_add (&self->index, slot, i, hash_edge, edges->data);
    }
}

void
tt_edge_table_clear (TtEdgeTable *self)
{
  tt_row_index_clear (&self->index);
}

void
tt_edge_table_add (TtEdgeTable *self, guint32 src, guint32 dst, TtEdgeKind kind, guint64 cnt, gint64 gap_ns)
{
  GArray *edges = self->graph->edges;
  TtRowIndex *index = &self->index;
  guint64 slot = tt_row_index_first (index, hash_key (src, dst, kind));

  for (; index->slots[slot] != 0; slot = tt_row_index_next (index, slot))
    {
      TtEdge *edge = &g_array_index (edges, TtEdge, index->slots[slot] - 1);
      if (edge->src != src || edge->dst != dst || edge->kind != kind)
        continue;
      edge->cnt += cnt;
      if (__builtin_add_overflow (edge->gap_ns, gap_ns, &edge->gap_ns))
        edge->gap_ns = gap_ns < 0 ? G_MININT64 : G_MAXINT64;
      return;
    }

  tt_graph_add_edge (self->graph, src, dst, kind, cnt, gap_ns);
  tt_row_index_add (index, slot, edges->len - 1, hash_edge, edges->data);
}
