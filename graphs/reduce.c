/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/reduce.h"

#include "graphs/edge-table.h"

#define NONE TT_NOT_IN_GRAPH

void
tt_graph_move_edges (const TtGraph *graph, const guint32 *new_number, TtGraph *reduced)
{
  g_auto (TtEdgeTable) table = { 0 };

  tt_edge_table_init (&table, reduced);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      guint32 src = new_number[edge->src], dst = new_number[edge->dst];

      /* A loop of one node stays; the reduction itself makes none. */
      if (src != NONE && dst != NONE && (src != dst || edge->src == edge->dst))
        tt_edge_table_add (&table, src, dst, edge->kind, edge->cnt, edge->gap_ns);
    }
}

/* Nodes in the order in which they were reached. */
typedef struct
{
  guint32 *nodes, n;
  guint8 *is_in; /* by node */
} Reached;

static void
reach_node (Reached *self, guint32 node)
{
  if (!self->is_in[node])
    self->nodes[self->n++] = node;
  self->is_in[node] = 1;
}

/* The nodes at the far ends of the node's edges in one direction. */
static void
reach_neighbours (Reached *self, const TtGraph *graph, const TtAdjacency *edges, guint32 node, gboolean by_destination)
{
  for (guint32 k = edges->first[node]; k < edges->first[node + 1]; k++)
    {
      const TtEdge *edge = tt_graph_edge (graph, edges->edge[k]);
      reach_node (self, by_destination ? edge->src : edge->dst);
    }
}

TtGraph *
tt_graph_around (const TtGraph *graph, const GArray *centres, guint hops)
{
  guint n = graph->nodes->len;
  g_auto (TtAdjacency) out = { 0 }, in = { 0 };
  g_autofree guint32 *new_number = g_new (guint32, (gsize) n + 1);
  g_autofree guint32 *nodes = g_new (guint32, (gsize) n + 1);
  g_autofree guint8 *is_in = g_new0 (guint8, (gsize) n + 1);
  Reached reached = { .nodes = nodes, .is_in = is_in };
  guint32 n_done = 0;

  tt_adjacency_init (&out, graph, FALSE);
  tt_adjacency_init (&in, graph, TRUE);
  for (guint i = 0; i < centres->len; i++)
    reach_node (&reached, g_array_index (centres, guint32, i));
  for (guint hop = 0; hop < hops && n_done < reached.n; hop++)
    for (guint32 end = reached.n; n_done < end; n_done++)
      if (!tt_graph_node (graph, nodes[n_done])->is_end)
        {
          reach_neighbours (&reached, graph, &out, nodes[n_done], FALSE);
          reach_neighbours (&reached, graph, &in, nodes[n_done], TRUE);
        }

  TtGraph *reduced = tt_graph_new ();
  for (guint i = 0; i < n; i++)
    new_number[i] = is_in[i] ? tt_graph_copy_node (reduced, tt_graph_node (graph, i)) : NONE;
  tt_graph_move_edges (graph, new_number, reduced);
  tt_graph_finish (reduced);
  return reduced;
}

/* -- chains -------------------------------------------------------------------------------------- */

/* The only other node at the far end of the node's edges in one direction, END aside, or NONE. Nodes between which
 * others are left out are no chain. */
static guint32
find_only_neighbour (const TtGraph *graph, const TtAdjacency *edges, guint32 node, gboolean by_destination)
{
  guint32 only = NONE;

  for (guint32 k = edges->first[node]; k < edges->first[node + 1]; k++)
    {
      const TtEdge *edge = tt_graph_edge (graph, edges->edge[k]);
      guint32 other = by_destination ? edge->src : edge->dst;

      if (edge->kind == TT_EDGE_END)
        continue;
      if (other == node || edge->kind == TT_EDGE_VIA || (only != NONE && other != only))
        return NONE;
      only = other;
    }
  return only;
}

static gboolean
has_call (const TtGraph *graph, const TtAdjacency *out, guint32 src, guint32 dst)
{
  for (guint32 k = out->first[src]; k < out->first[src + 1]; k++)
    {
      const TtEdge *edge = tt_graph_edge (graph, out->edge[k]);
      if (edge->dst == dst && edge->kind == TT_EDGE_CALL)
        return TRUE;
    }
  return FALSE;
}

/* Adds the chain from @first along @next to @reduced. */
static void
add_chain (const TtGraph *graph,
           const TtAdjacency *out,
           const guint32 *next,
           guint32 first,
           guint32 *new_number,
           TtGraph *reduced)
{
  guint32 number = tt_graph_copy_node (reduced, tt_graph_node (graph, first));
  TtNode *merged = tt_graph_node (reduced, number);
  guint32 last = first;

  new_number[first] = number;
  for (guint32 node = next[first]; node != NONE; node = next[node])
    {
      const TtNode *member = tt_graph_node (graph, node);

      merged->self_ns += member->self_ns;
      if (!has_call (graph, out, last, node))
        merged->sum_ns += member->sum_ns;
      merged->n_merged += member->n_merged;
      new_number[node] = number;
      last = node;
    }
  if (last == first)
    return;

  g_autofree char *label = g_strdup_printf ("%s ... %s (%" G_GUINT64_FORMAT ")", tt_graph_node (graph, first)->label,
                                            tt_graph_node (graph, last)->label, merged->n_merged);
  merged->label = g_string_chunk_insert (reduced->text, label);
  merged->event = 0;
}

TtGraph *
tt_graph_collapse (const TtGraph *graph)
{
  guint n = graph->nodes->len;
  g_auto (TtAdjacency) out = { 0 }, in = { 0 };
  g_autofree guint32 *next = g_new (guint32, (gsize) n + 1);
  g_autofree guint8 *has_before = g_new0 (guint8, (gsize) n + 1);
  g_autofree guint32 *new_number = g_new (guint32, (gsize) n + 1);

  tt_adjacency_init (&out, graph, FALSE);
  tt_adjacency_init (&in, graph, TRUE);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 other = find_only_neighbour (graph, &out, i, FALSE);

      next[i] = new_number[i] = NONE;
      if (other == NONE || tt_graph_node (graph, i)->is_rest || tt_graph_node (graph, other)->is_rest ||
          find_only_neighbour (graph, &in, other, TRUE) != i)
        continue;
      next[i] = other;
      has_before[other] = 1;
    }

  TtGraph *reduced = tt_graph_new ();
  for (guint32 i = 0; i < n; i++)
    if (!has_before[i])
      add_chain (graph, &out, next, i, new_number, reduced);
  /* The others are rings that nothing else leads into. They stay as they are. */
  for (guint32 i = 0; i < n; i++)
    if (new_number[i] == NONE)
      new_number[i] = tt_graph_copy_node (reduced, tt_graph_node (graph, i));
  tt_graph_move_edges (graph, new_number, reduced);
  tt_graph_finish (reduced);
  return reduced;
}

/* -- collectives ---------------------------------------------------------------------------------------- */

/* Everything that leads to the source of @edge, the last to arrive, leads to its target as well. */
static void
share_needs (const TtGraph *graph, const TtAdjacency *in, const TtEdge *edge, TtEdgeTable *table)
{
  for (guint32 k = in->first[edge->src]; k < in->first[edge->src + 1]; k++)
    {
      const TtEdge *need = tt_graph_edge (graph, in->edge[k]);
      if (need->kind != TT_EDGE_COLLECTIVE && need->src != edge->dst && need->src != edge->src)
        tt_edge_table_add (table, need->src, edge->dst, TT_EDGE_COLLECTIVE, edge->cnt, edge->gap_ns);
    }
}

TtGraph *
tt_graph_meet (const TtGraph *graph)
{
  TtGraph *met = tt_graph_new ();
  g_auto (TtAdjacency) in = { 0 };
  g_auto (TtEdgeTable) table = { 0 };

  for (guint i = 0; i < graph->nodes->len; i++)
    tt_graph_copy_node (met, tt_graph_node (graph, i));
  tt_adjacency_init (&in, graph, TRUE);
  tt_edge_table_init (&table, met);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (edge->kind != TT_EDGE_COLLECTIVE)
        {
          tt_edge_table_add (&table, edge->src, edge->dst, edge->kind, edge->cnt, edge->gap_ns);
          continue;
        }
      TtNode *waiting = tt_graph_node (met, edge->dst);
      waiting->self_ns = MAX (waiting->self_ns - edge->gap_ns, 0);
      share_needs (graph, &in, edge, &table);
    }
  tt_graph_finish (met);
  return met;
}
