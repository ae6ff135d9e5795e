/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/edge-table.h"
#include "graphs/longest-path.h"
#include "graphs/reduce.h"
#include "graphs/via.h"
#include "src/base/compare.h"

typedef struct
{
  guint32 node;
  guint rank; /* 0: END, 1: on the path, 2: others */
  tt_int128 self_ns;
} Candidate;

static int
compare_candidates (const void *a, const void *b)
{
  const Candidate *x = a, *y = b;
  int order = TT_COMPARE (x->rank, y->rank);

  if (order == 0)
    order = TT_COMPARE (y->self_ns, x->self_ns);
  return order != 0 ? order : TT_COMPARE (x->node, y->node);
}

static GArray *
rank_nodes (const TtGraph *graph)
{
  g_autoptr (TtLongestPath) path = tt_model_path_new (graph, NULL);
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);
      Candidate candidate = { .node = i, .rank = node->is_end ? 0 : 2, .self_ns = node->self_ns };
      g_array_append_val (candidates, candidate);
    }
  for (guint i = 0; i < path->nodes->len; i++)
    {
      Candidate *candidate = &g_array_index (candidates, Candidate, g_array_index (path->nodes, guint32, i));
      candidate->rank = MIN (candidate->rank, 1);
    }
  g_array_sort (candidates, compare_candidates);
  return candidates;
}

/* A grey node. */
static guint32
add_grey (TtGraph *reduced, const char *before, guint n)
{
  g_autofree char *label = g_strdup_printf ("%s%u more", before, n);
  guint32 number = tt_graph_add_node (reduced, label, NULL, "virtual", label);

  tt_graph_node (reduced, number)->is_rest = TRUE;
  tt_graph_node (reduced, number)->n_merged = 0;
  return number;
}

static void
sum_up (const TtGraph *graph, const GArray *candidates, guint n_kept, TtNode *rest)
{
  for (guint i = n_kept; i < candidates->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, g_array_index (candidates, Candidate, i).node);

      rest->cnt += node->cnt;
      rest->sum_ns += node->sum_ns;
      rest->self_ns += node->self_ns;
      rest->n_merged += node->n_merged;
    }
}

/* The edges between nodes of which one is left out. @new_number: NOT_IN_GRAPH for these. */
static void
join_rest (const TtGraph *graph, const guint32 *new_number, guint n_dropped, guint32 rest, TtGraph *reduced)
{
  g_auto (TtEdgeTable) table = { 0 };
  guint32 from = TT_NOT_IN_GRAPH;

  tt_edge_table_init (&table, reduced);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      guint32 src = new_number[edge->src], dst = new_number[edge->dst];

      if ((src == TT_NOT_IN_GRAPH) == (dst == TT_NOT_IN_GRAPH))
        continue;
      if (src == TT_NOT_IN_GRAPH && from == TT_NOT_IN_GRAPH)
        from = add_grey (reduced, "from ", n_dropped);
      tt_edge_table_add (&table, src == TT_NOT_IN_GRAPH ? from : src, dst == TT_NOT_IN_GRAPH ? rest : dst, edge->kind,
                         edge->cnt, edge->gap_ns);
    }
}

/* How many of @candidates stay. */
static guint
count_kept (const GArray *candidates, const TtGraphLimits *limits, tt_int128 all_ns)
{
  guint n = candidates->len, n_kept = 0;

  while (n_kept < n)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, n_kept);

      if (candidate->rank == 2 && (double) candidate->self_ns < limits->min_share * (double) all_ns)
        break;
      n_kept++;
    }
  return n_kept <= limits->max_nodes && (n_kept == n || n_kept + 2 <= limits->max_nodes)
             ? n_kept
             : MAX (limits->max_nodes, 3) - 2;
}

TtGraph *
tt_graph_limit (const TtGraph *graph,
                const TtGraphLimits *limits,
                guint *n_dropped,
                double *dropped_self,
                guint *n_ways)
{
  guint n = graph->nodes->len;
  g_autoptr (GArray) candidates = rank_nodes (graph);
  g_autofree guint32 *new_number = g_new (guint32, (gsize) n + 1);
  tt_int128 all = 0, dropped = 0;

  for (guint i = 0; i < n; i++)
    all += g_array_index (candidates, Candidate, i).self_ns;
  guint n_kept = count_kept (candidates, limits, all);
  for (guint i = 0; i < n; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);

      dropped += i < n_kept ? 0 : candidate->self_ns;
      new_number[candidate->node] = i < n_kept ? 0 : TT_NOT_IN_GRAPH;
    }

  TtGraph *reduced = tt_graph_new ();
  for (guint i = 0; i < n; i++)
    if (new_number[i] != TT_NOT_IN_GRAPH)
      new_number[i] = tt_graph_copy_node (reduced, tt_graph_node (graph, i));
  tt_graph_move_edges (graph, new_number, reduced);
  guint n_via = tt_graph_add_via (graph, new_number, reduced);
  if (n_kept < n)
    {
      guint32 rest = add_grey (reduced, "", n - n_kept);

      sum_up (graph, candidates, n_kept, tt_graph_node (reduced, rest));
      join_rest (graph, new_number, n - n_kept, rest, reduced);
    }
  tt_graph_finish (reduced);

  if (n_dropped != NULL)
    *n_dropped = n - n_kept;
  if (n_ways != NULL)
    *n_ways = n_via;
  if (dropped_self != NULL)
    *dropped_self = all > 0 ? (double) dropped / (double) all : 0.0;
  return reduced;
}
