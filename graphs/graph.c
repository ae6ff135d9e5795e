/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/graph.h"

#include <string.h>

#include "src/base/compare.h"

static const char *const kind_words[TT_N_EDGE_KINDS] = {
  [TT_EDGE_CALL] = "call",       [TT_EDGE_SEQUENCE] = "sequence",
  [TT_EDGE_MESSAGE] = "message", [TT_EDGE_COLLECTIVE] = "collective",
  [TT_EDGE_FLOW] = "flow",       [TT_EDGE_DEPENDENCY] = "dependency",
  [TT_EDGE_SYNC] = "sync",       [TT_EDGE_INFERRED] = "inferred",
  [TT_EDGE_END] = "end",         [TT_EDGE_VIA] = "via",
};

const char *
tt_edge_kind_text (TtEdgeKind kind)
{
  g_return_val_if_fail (kind < TT_N_EDGE_KINDS, NULL);

  return kind_words[kind];
}

TtGraph *
tt_graph_new (void)
{
  TtGraph *self = g_new0 (TtGraph, 1);

  self->nodes = g_array_new (FALSE, TRUE, sizeof (TtNode));
  self->edges = g_array_new (FALSE, FALSE, sizeof (TtEdge));
  self->text = g_string_chunk_new (4096);
  return self;
}

void
tt_graph_free (TtGraph *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->nodes);
  g_array_unref (self->edges);
  g_string_chunk_free (self->text);
  g_free (self);
}

guint32
tt_graph_add_node (TtGraph *self, const char *label, const char *pid, const char *op_cat, const char *name)
{
  TtNode node = { .n_merged = 1 };

  node.label = g_string_chunk_insert (self->text, label);
  node.pid = pid == NULL ? NULL : g_string_chunk_insert_const (self->text, pid);
  node.op_cat = op_cat == NULL ? NULL : g_string_chunk_insert_const (self->text, op_cat);
  node.name = name == NULL ? NULL : g_string_chunk_insert_const (self->text, name);
  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

guint32
tt_graph_copy_node (TtGraph *self, const TtNode *node)
{
  guint32 number = tt_graph_add_node (self, node->label, node->pid, node->op_cat, node->name);
  TtNode *copy = tt_graph_node (self, number);
  TtNode texts = *copy;

  *copy = *node;
  copy->label = texts.label;
  copy->pid = texts.pid;
  copy->op_cat = texts.op_cat;
  copy->name = texts.name;
  return number;
}

void
tt_graph_add_edge (TtGraph *self, guint32 src, guint32 dst, TtEdgeKind kind, guint64 cnt, gint64 gap_ns)
{
  g_return_if_fail (src < self->nodes->len && dst < self->nodes->len);

  TtEdge edge = { .src = src, .dst = dst, .kind = kind, .cnt = cnt, .gap_ns = gap_ns };

  g_array_append_val (self->edges, edge);
}

static int
compare_edges (const void *a, const void *b)
{
  const TtEdge *x = a, *y = b;
  int order = TT_COMPARE (x->src, y->src);

  if (order == 0)
    order = TT_COMPARE (x->dst, y->dst);
  return order != 0 ? order : TT_COMPARE (x->kind, y->kind);
}

static gboolean
are_edges_sorted (const GArray *edges)
{
  for (guint i = 1; i < edges->len; i++)
    if (compare_edges (&g_array_index (edges, TtEdge, i - 1), &g_array_index (edges, TtEdge, i)) > 0)
      return FALSE;
  return TRUE;
}

void
tt_graph_finish (TtGraph *self)
{
  if (!are_edges_sorted (self->edges))
    g_array_sort (self->edges, compare_edges);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      TtNode *node = tt_graph_node (self, i);
      memset (node->gap_cnt, 0, sizeof node->gap_cnt);
      memset (node->gap_ns, 0, sizeof node->gap_ns);
    }
  for (guint i = 0; i < self->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (self, i);
      TtNode *node = tt_graph_node (self, edge->src);

      if (edge->kind == TT_EDGE_CALL || edge->kind == TT_EDGE_END || edge->kind == TT_EDGE_VIA)
        continue;
      node->gap_cnt[edge->kind] += edge->cnt;
      node->gap_ns[edge->kind] += edge->gap_ns;
    }
}

void
tt_graph_add_end (TtGraph *self)
{
  guint n = self->nodes->len;
  g_autofree guint8 *calls = g_new0 (guint8, n + 1);
  g_autofree guint8 *follows = g_new0 (guint8, n + 1);
  gboolean only_calls = TRUE;

  if (n == 0)
    return;

  for (guint i = 0; i < self->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (self, i);
      if (edge->kind == TT_EDGE_CALL)
        calls[edge->src] = 1;
      else
        {
          follows[edge->src] = 1;
          only_calls = FALSE;
        }
    }

  guint32 end = tt_graph_add_node (self, "END", NULL, "virtual", "END");
  tt_graph_node (self, end)->is_end = TRUE;
  for (guint i = 0; i < n; i++)
    if (!follows[i] && !(only_calls && calls[i]))
      tt_graph_add_edge (self, i, end, TT_EDGE_END, MAX (tt_graph_node (self, i)->cnt, 1), 0);
}

/* A counting sort: 4 bytes an edge, and edges of one node stay in the order of their numbers. */
void
tt_adjacency_init (TtAdjacency *self, const TtGraph *graph, gboolean by_destination)
{
  guint n = graph->nodes->len;
  const TtEdge *edges = (const TtEdge *) graph->edges->data;

  self->first = g_new0 (guint32, (gsize) n + 2);
  self->edge = g_new (guint32, (gsize) graph->edges->len + 1);
  for (guint i = 0; i < graph->edges->len; i++)
    self->first[(by_destination ? edges[i].dst : edges[i].src) + 2]++;
  for (guint i = 2; i < n + 2; i++)
    self->first[i] += self->first[i - 1];
  for (guint i = 0; i < graph->edges->len; i++)
    self->edge[self->first[(by_destination ? edges[i].dst : edges[i].src) + 1]++] = i;
}

void
tt_adjacency_clear (TtAdjacency *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->edge, g_free);
}

gint64
tt_average_ns (tt_int128 sum_ns, guint64 cnt)
{
  if (cnt == 0)
    return 0;

  tt_int128 n = (tt_int128) cnt;
  tt_int128 twice = sum_ns * 2;

  return (gint64) ((twice + (sum_ns < 0 ? -n : n)) / (n * 2));
}

double
tt_graph_node_avg_us (const TtNode *node)
{
  return node->cnt == 0 ? 0.0 : (double) node->sum_ns / (double) node->cnt / 1000.0;
}

char *
tt_us_text (char buffer[TT_US_TEXT], gint64 ns)
{
  guint64 size = ns < 0 ? -(guint64) ns : (guint64) ns;
  gsize len = (gsize) g_snprintf (buffer, TT_US_TEXT, "%s%" G_GUINT64_FORMAT ".%03u", ns < 0 ? "-" : "", size / 1000,
                                  (guint) (size % 1000));

  while (buffer[len - 1] == '0')
    buffer[--len] = '\0';
  if (buffer[len - 1] == '.')
    buffer[--len] = '\0';
  return buffer;
}

char *
tt_graph_node_gaps_json (const TtNode *node)
{
  GString *json = g_string_new ("{");

  for (int kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    if (node->gap_cnt[kind] > 0)
      {
        char text[TT_US_TEXT];
        g_string_append_printf (json, "%s\"%s\":%s", json->len > 1 ? "," : "", kind_words[kind],
                                tt_us_text (text, tt_average_ns (node->gap_ns[kind], node->gap_cnt[kind])));
      }
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}
