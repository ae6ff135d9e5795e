#include "config.h"

#include "graphs/edge-table.h"

#define FIRST_SLOTS 1024u

static guint64
hash_edge (guint32 src, guint32 dst, guint32 kind)
{
  guint64 x = ((guint64) src << 32 | dst) + kind * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 31)) * G_GUINT64_CONSTANT (0x7fb5d329728ea185);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x81dadef4bc2dd44d);
  return x ^ (x >> 33);
}

void
tt_edge_table_init (TtEdgeTable *self, TtGraph *graph)
{
  self->graph = graph;
  self->slots = g_new0 (guint32, FIRST_SLOTS);
  self->mask = FIRST_SLOTS - 1;
}

void
tt_edge_table_clear (TtEdgeTable *self)
{
  g_clear_pointer (&self->slots, g_free);
}

static void
grow (TtEdgeTable *self)
{
  const TtEdge *edges = (const TtEdge *) self->graph->edges->data;

  self->mask = self->mask * 2 + 1;
  g_free (self->slots);
  self->slots = g_new0 (guint32, self->mask + 1);
  for (guint i = 0; i < self->graph->edges->len; i++)
    {
      guint64 slot = hash_edge (edges[i].src, edges[i].dst, edges[i].kind) & self->mask;
      while (self->slots[slot] != 0)
        slot = (slot + 1) & self->mask;
      self->slots[slot] = i + 1;
    }
}

void
tt_edge_table_add (TtEdgeTable *self, guint32 src, guint32 dst, TtEdgeKind kind, guint64 cnt, gint64 gap_ns)
{
  GArray *edges = self->graph->edges;
  guint64 slot = hash_edge (src, dst, kind) & self->mask;

  for (; self->slots[slot] != 0; slot = (slot + 1) & self->mask)
    {
      TtEdge *edge = &g_array_index (edges, TtEdge, self->slots[slot] - 1);
      if (edge->src != src || edge->dst != dst || edge->kind != kind)
        continue;
      edge->cnt += cnt;
      if (__builtin_add_overflow (edge->gap_ns, gap_ns, &edge->gap_ns))
        edge->gap_ns = gap_ns < 0 ? G_MININT64 : G_MAXINT64;
      return;
    }

  tt_graph_add_edge (self->graph, src, dst, kind, cnt, gap_ns);
  self->slots[slot] = edges->len;
  if ((guint64) edges->len * 4 > self->mask * 3)
    grow (self);
}
