/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <igraph.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/dot/dot.h"
#include "formats/dot/graph-json.h"
#include "formats/dot/render.h"
#include "graphs/edge-table.h"
#include "graphs/longest-path.h"
#include "graphs/reduce.h"
#include "graphs/write-igraph.h"
#include "src/base/error.h"

#include "tests/require.h"

static TtGraph *
make_graph (guint n_nodes, const char *const *labels)
{
  TtGraph *graph = tt_graph_new ();

  for (guint i = 0; i < n_nodes; i++)
    {
      char label[16];
      g_snprintf (label, sizeof label, "n%u", i);
      tt_graph_add_node (graph, labels == NULL ? label : labels[i], "node0", "COMP", label);
      tt_graph_node (graph, i)->cnt = 1;
    }
  return graph;
}

/* A graph without equal edges; edges go up unless @cyclic. */
static TtGraph *
random_graph (guint n, guint n_edges, gboolean cyclic)
{
  TtGraph *graph = make_graph (n, NULL);
  g_auto (TtEdgeTable) table = { 0 };

  tt_edge_table_init (&table, graph);
  for (guint i = 0; i < n_edges && n > 1; i++)
    {
      guint32 a = (guint32) g_test_rand_int_range (0, (gint32) n);
      guint32 b = (guint32) g_test_rand_int_range (0, (gint32) n);
      if (!cyclic && a == b)
        continue;
      if (!cyclic && a > b)
        {
          guint32 c = a;
          a = b;
          b = c;
        }
      tt_edge_table_add (&table, a, b, (TtEdgeKind) g_test_rand_int_range (0, 3), 1, g_test_rand_int_range (0, 50));
    }
  tt_graph_finish (graph);
  return graph;
}

/* -- edges ------------------------------------------------------------------------------------------ */

static void
test_edge_table (void)
{
  g_autoptr (TtGraph) graph = make_graph (100, NULL);
  g_auto (TtEdgeTable) table = { 0 };
  static guint64 cnt[100][100][3];
  static gint64 gap[100][100][3];
  guint n = 0;

  tt_edge_table_init (&table, graph);
  for (int i = 0; i < 60000; i++)
    {
      guint32 a = (guint32) g_test_rand_int_range (0, 100), b = (guint32) g_test_rand_int_range (0, 100);
      guint kind = (guint) g_test_rand_int_range (0, 3);
      gint64 ns = g_test_rand_int_range (-5, 1000);
      tt_edge_table_add (&table, a, b, (TtEdgeKind) kind, 2, ns);
      cnt[a][b][kind] += 2;
      gap[a][b][kind] += ns;
    }
  tt_graph_finish (graph);

  for (guint a = 0; a < 100; a++)
    for (guint b = 0; b < 100; b++)
      for (guint kind = 0; kind < 3; kind++)
        if (cnt[a][b][kind] > 0)
          {
            const TtEdge *edge = tt_graph_edge (graph, n);
            n++;
            g_assert_cmpuint (edge->src, ==, a);
            g_assert_cmpuint (edge->dst, ==, b);
            g_assert_cmpuint (edge->kind, ==, kind);
            g_assert_cmpuint (edge->cnt, ==, cnt[a][b][kind]);
            g_assert_cmpint (edge->gap_ns, ==, gap[a][b][kind]);
          }
  g_assert_cmpuint (graph->edges->len, ==, n);
}

static void
test_edge_gap_saturates (void)
{
  g_autoptr (TtGraph) graph = make_graph (2, NULL);
  g_auto (TtEdgeTable) table = { 0 };

  tt_edge_table_init (&table, graph);
  tt_edge_table_add (&table, 0, 1, TT_EDGE_SEQUENCE, 1, G_MAXINT64);
  tt_edge_table_add (&table, 0, 1, TT_EDGE_SEQUENCE, 1, 5);
  g_assert_cmpint (tt_graph_edge (graph, 0)->gap_ns, ==, G_MAXINT64);
}

static void
test_gaps (void)
{
  g_autoptr (TtGraph) graph = make_graph (3, NULL);
  g_autofree char *gaps = NULL, *none = NULL;

  tt_graph_add_edge (graph, 0, 2, TT_EDGE_MESSAGE, 1, 4000);
  tt_graph_add_edge (graph, 0, 1, TT_EDGE_SEQUENCE, 2, 3001);
  tt_graph_add_edge (graph, 0, 1, TT_EDGE_CALL, 7, 0);
  tt_graph_finish (graph);
  gaps = tt_graph_node_gaps_json (tt_graph_node (graph, 0));
  none = tt_graph_node_gaps_json (tt_graph_node (graph, 1));
  g_assert_cmpstr (gaps, ==, "{\"sequence\":1.501,\"message\":4}");
  g_assert_cmpstr (none, ==, "{}");
}

static void
test_end (void)
{
  /* 0 calls 1 and 2, 1 then 2; nothing follows 0 and 2. */
  g_autoptr (TtGraph) graph = make_graph (3, NULL);
  g_autoptr (TtGraph) calls = make_graph (3, NULL);

  tt_graph_add_edge (graph, 0, 1, TT_EDGE_CALL, 1, 0);
  tt_graph_add_edge (graph, 0, 2, TT_EDGE_CALL, 1, 0);
  tt_graph_add_edge (graph, 1, 2, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_end (graph);
  g_assert_cmpuint (graph->nodes->len, ==, 4);
  g_assert_true (tt_graph_node (graph, 3)->is_end);
  g_assert_cmpstr (tt_graph_node (graph, 3)->label, ==, "END");
  g_assert_cmpuint (graph->edges->len, ==, 5);
  g_assert_cmpuint (tt_graph_edge (graph, 3)->src, ==, 0);
  g_assert_cmpuint (tt_graph_edge (graph, 4)->src, ==, 2);

  /* With calls alone the leaves are what nothing follows. */
  tt_graph_add_edge (calls, 0, 1, TT_EDGE_CALL, 1, 0);
  tt_graph_add_edge (calls, 0, 2, TT_EDGE_CALL, 1, 0);
  tt_graph_add_end (calls);
  g_assert_cmpuint (calls->edges->len, ==, 4);
  g_assert_cmpuint (tt_graph_edge (calls, 2)->src, ==, 1);
  g_assert_cmpuint (tt_graph_edge (calls, 3)->src, ==, 2);
}

/* -- order ------------------------------------------------------------------------------------------ */

static void
check_order (const TtGraph *graph, const TtOrder *order)
{
  guint n = graph->nodes->len;
  g_autofree guint32 *at = g_new (guint32, n + 1);
  guint n_back = 0;

  for (guint i = 0; i < n; i++)
    at[i] = G_MAXUINT32;
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (at[order->order[i]], ==, G_MAXUINT32);
      at[order->order[i]] = i;
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (!tt_order_is_back (order, edge))
        g_assert_cmpuint (at[edge->src], <, at[edge->dst]);
      else
        {
          g_assert_cmpuint (n_back, <, order->back->len);
          g_assert_cmpuint (g_array_index (order->back, guint32, n_back), ==, i);
          n_back++;
        }
    }
  g_assert_cmpuint (n_back, ==, order->back->len);
}

/* igraph is the oracle for strong components. */
static void
check_components (const TtGraph *graph, const TtOrder *order)
{
  igraph_vector_int_t ends, membership;
  igraph_integer_t n_components;
  igraph_t igraph;
  guint n = graph->nodes->len, n_in_cycles = 0, n_expected = 0;
  g_autofree guint *size = g_new0 (guint, n + 1);
  g_autofree gboolean *has_loop = g_new0 (gboolean, n + 1);

  igraph_vector_int_init (&ends, 2 * (igraph_integer_t) graph->edges->len);
  igraph_vector_int_init (&membership, 0);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      VECTOR (ends)[2 * i] = tt_graph_edge (graph, i)->src;
      VECTOR (ends)[2 * i + 1] = tt_graph_edge (graph, i)->dst;
      if (tt_graph_edge (graph, i)->src == tt_graph_edge (graph, i)->dst)
        has_loop[tt_graph_edge (graph, i)->src] = TRUE;
    }
  igraph_create (&igraph, &ends, (igraph_integer_t) n, IGRAPH_DIRECTED);
  igraph_connected_components (&igraph, &membership, NULL, &n_components, IGRAPH_STRONG);
  g_assert_cmpint (n_components, ==, order->n_components);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      g_assert_cmpint (VECTOR (membership)[i] == VECTOR (membership)[j], ==,
                       order->component[i] == order->component[j]);

  for (guint i = 0; i < n; i++)
    size[order->component[i]]++;
  for (guint i = 0; i < n; i++)
    n_expected += size[order->component[i]] > 1 || has_loop[i];
  for (guint i = 0; i < order->cycles->len; i++)
    n_in_cycles += ((GArray *) g_ptr_array_index (order->cycles, i))->len;
  g_assert_cmpuint (n_in_cycles, ==, n_expected);

  igraph_destroy (&igraph);
  igraph_vector_int_destroy (&ends);
  igraph_vector_int_destroy (&membership);
}

static void
test_order_random (void)
{
  for (int round = 0; round < 2000; round++)
    {
      guint n = (guint) g_test_rand_int_range (1, 25);
      g_autoptr (TtGraph) graph = random_graph (n, (guint) g_test_rand_int_range (0, 50), round % 2 == 0);
      g_autoptr (TtOrder) order = tt_order_new (graph, 0);

      check_order (graph, order);
      check_components (graph, order);
      if (round % 2 == 1)
        g_assert_cmpuint (order->cycles->len, ==, 0);
    }
}

static void
test_order_names_cycles (void)
{
  /* 0 -> 1 -> 2 -> 1; 3 -> 3; 4 -> 5 */
  g_autoptr (TtGraph) graph = make_graph (6, NULL);
  g_autoptr (TtOrder) order = NULL;

  tt_graph_add_edge (graph, 0, 1, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 1, 2, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 2, 1, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 3, 3, TT_EDGE_CALL, 1, 0);
  tt_graph_add_edge (graph, 4, 5, TT_EDGE_CALL, 1, 0);
  order = tt_order_new (graph, 0);
  g_assert_cmpuint (order->cycles->len, ==, 2);
  if (order->cycles->len == 2)
    {
      const GArray *first = g_ptr_array_index (order->cycles, 0), *second = g_ptr_array_index (order->cycles, 1);
      g_assert_cmpuint (first->len, ==, 2);
      g_assert_cmpuint (g_array_index (first, guint32, 0), ==, 1);
      g_assert_cmpuint (g_array_index (first, guint32, 1), ==, 2);
      g_assert_cmpuint (second->len, ==, 1);
      g_assert_cmpuint (g_array_index (second, guint32, 0), ==, 3);
    }
  g_assert_cmpuint (order->back->len, ==, 2);

  g_autoptr (TtOrder) without_calls = tt_order_new (graph, 1u << TT_EDGE_CALL);
  g_assert_cmpuint (without_calls->cycles->len, ==, 1);
}

/* A chain as long as a stack is not: nothing recurses. */
static void
test_order_long_chain (void)
{
  guint n = 300000;
  g_autoptr (TtGraph) graph = make_graph (n, NULL);
  g_autoptr (TtOrder) order = NULL;

  for (guint32 i = 0; i + 1 < n; i++)
    tt_graph_add_edge (graph, i, i + 1, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, n - 1, 0, TT_EDGE_SEQUENCE, 1, 0);
  order = tt_order_new (graph, 0);
  g_assert_cmpuint (order->n_components, ==, 1);
  g_assert_cmpuint (order->back->len, ==, 1);
}

/* -- longest path ------------------------------------------------------------------------------------- */

/* The heaviest path that begins at @node, by trying all. */
static double
brute_force (const TtGraph *graph, const double *nodes, const double *edges, guint32 node)
{
  double best = 0;

  for (guint i = 0; i < graph->edges->len; i++)
    if (tt_graph_edge (graph, i)->src == node)
      best = MAX (best, edges[i] + brute_force (graph, nodes, edges, tt_graph_edge (graph, i)->dst));
  return nodes[node] + best;
}

static double
weigh (const TtGraph *graph, const double *nodes, const double *edges, const GArray *path)
{
  double weight = 0;

  for (guint i = 0; i < path->len; i++)
    {
      double heaviest = -1;
      weight += nodes[g_array_index (path, guint32, i)];
      if (i == 0)
        continue;
      for (guint k = 0; k < graph->edges->len; k++)
        if (tt_graph_edge (graph, k)->src == g_array_index (path, guint32, i - 1) &&
            tt_graph_edge (graph, k)->dst == g_array_index (path, guint32, i))
          heaviest = MAX (heaviest, edges[k]);
      g_assert_cmpfloat (heaviest, >=, 0);
      weight += heaviest;
    }
  return weight;
}

static void
test_longest_path_random (void)
{
  for (int round = 0; round < 5000; round++)
    {
      guint n = (guint) g_test_rand_int_range (1, 11);
      g_autoptr (TtGraph) graph = random_graph (n, (guint) g_test_rand_int_range (0, 25), FALSE);
      g_autoptr (TtOrder) order = tt_order_new (graph, 0);
      g_autofree double *nodes = g_new0 (double, n), *edges = g_new0 (double, graph->edges->len + 1);
      g_autoptr (TtLongestPath) path = NULL;
      double best = 0;

      for (guint i = 0; i < n; i++)
        nodes[i] = g_test_rand_int_range (0, 20);
      for (guint i = 0; i < graph->edges->len; i++)
        edges[i] = g_test_rand_int_range (0, 6);
      path = tt_longest_path_new (graph, order, 0, nodes, edges);
      for (guint32 i = 0; i < n; i++)
        best = MAX (best, brute_force (graph, nodes, edges, i));
      g_assert_cmpfloat (path->weight, ==, best);
      g_assert_cmpfloat (weigh (graph, nodes, edges, path->nodes), ==, best);
    }
}

static void
test_longest_path_ties (void)
{
  /* 0 -> {1, 2} -> 3, all the same: by way of 1, whatever the order of the edges. */
  static const guint32 edges[2][4][2] = { { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 } },
                                          { { 2, 3 }, { 1, 3 }, { 0, 2 }, { 0, 1 } } };

  for (int way = 0; way < 2; way++)
    {
      g_autoptr (TtGraph) graph = make_graph (4, NULL);
      g_autoptr (TtOrder) order = NULL;
      g_autoptr (TtLongestPath) path = NULL;
      static const double weights[] = { 1, 5, 5, 1 };

      for (int i = 0; i < 4; i++)
        tt_graph_add_edge (graph, edges[way][i][0], edges[way][i][1], TT_EDGE_SEQUENCE, 1, 0);
      order = tt_order_new (graph, 0);
      path = tt_longest_path_new (graph, order, 0, weights, NULL);
      g_assert_cmpuint (path->nodes->len, ==, 3);
      g_assert_cmpuint (g_array_index (path->nodes, guint32, 1), ==, 1);
      g_assert_cmpfloat (path->weight, ==, 7);
    }
}

static void
test_model_counts_nothing_twice (void)
{
  /* main (self 10) calls a (self 30) and b (self 20), a then b with a gap, which is main's own time. */
  g_autoptr (TtGraph) graph = make_graph (3, NULL);
  g_autoptr (TtLongestPath) path = NULL;

  tt_graph_node (graph, 0)->self_ns = 10;
  tt_graph_node (graph, 1)->self_ns = 60;
  tt_graph_node (graph, 1)->cnt = 2;
  tt_graph_node (graph, 2)->self_ns = 20;
  tt_graph_add_edge (graph, 0, 1, TT_EDGE_CALL, 1, 0);
  tt_graph_add_edge (graph, 0, 2, TT_EDGE_CALL, 1, 0);
  tt_graph_add_edge (graph, 1, 2, TT_EDGE_SEQUENCE, 1, 7);
  tt_graph_add_end (graph);
  tt_graph_finish (graph);
  path = tt_model_path_new (graph, NULL);
  g_assert_cmpfloat (path->weight, ==, 60);
  g_assert_cmpuint (path->nodes->len, ==, 3);

  /* Nobody calls these: the gap is in no span and counts. */
  g_autoptr (TtGraph) flat = make_graph (2, NULL);
  g_autoptr (TtLongestPath) flat_path = NULL;
  tt_graph_node (flat, 0)->self_ns = 10;
  tt_graph_node (flat, 1)->self_ns = 20;
  tt_graph_add_edge (flat, 0, 1, TT_EDGE_SEQUENCE, 2, 14);
  tt_graph_finish (flat);
  flat_path = tt_model_path_new (flat, NULL);
  g_assert_cmpfloat (flat_path->weight, ==, 37);
}

/* -- reductions ------------------------------------------------------------------------------------------ */

static void
test_around (void)
{
  for (int round = 0; round < 300; round++)
    {
      guint n = (guint) g_test_rand_int_range (2, 15), hops = (guint) g_test_rand_int_range (0, 4);
      g_autoptr (TtGraph) graph = random_graph (n, 15, TRUE);
      g_autoptr (TtGraph) near = NULL;
      g_autoptr (GArray) centres = g_array_new (FALSE, FALSE, sizeof (guint32));
      guint32 centre = (guint32) g_test_rand_int_range (0, (gint32) n);
      g_autofree guint *distance = g_new (guint, n);
      guint n_near = 0, n_edges = 0;

      g_array_append_val (centres, centre);
      for (guint i = 0; i < n; i++)
        distance[i] = i == centre ? 0 : 1000;
      for (guint pass = 0; pass < n; pass++)
        for (guint i = 0; i < graph->edges->len; i++)
          {
            const TtEdge *edge = tt_graph_edge (graph, i);
            distance[edge->dst] = MIN (distance[edge->dst], distance[edge->src] + 1);
            distance[edge->src] = MIN (distance[edge->src], distance[edge->dst] + 1);
          }
      near = tt_graph_around (graph, centres, hops);
      for (guint i = 0; i < n; i++)
        if (distance[i] <= hops)
          {
            g_assert_cmpstr (tt_graph_node (near, n_near)->label, ==, tt_graph_node (graph, i)->label);
            n_near++;
          }
      for (guint i = 0; i < graph->edges->len; i++)
        n_edges += distance[tt_graph_edge (graph, i)->src] <= hops && distance[tt_graph_edge (graph, i)->dst] <= hops;
      g_assert_cmpuint (near->nodes->len, ==, n_near);
      g_assert_cmpuint (near->edges->len, ==, n_edges);
    }
}

static void
test_around_not_through_end (void)
{
  g_autoptr (TtGraph) graph = make_graph (3, NULL);
  g_autoptr (TtGraph) near = NULL;
  g_autoptr (GArray) centres = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 centre = 0;

  tt_graph_add_end (graph);
  tt_graph_finish (graph);
  g_array_append_val (centres, centre);
  near = tt_graph_around (graph, centres, 5);
  g_assert_cmpuint (near->nodes->len, ==, 2);
  g_assert_true (tt_graph_node (near, 1)->is_end);
}

static void
test_collapse (void)
{
  /* 0 -> 1 -> 2 -> 3, 2 -> 4, 4 -> 5 (a call): {0 1 2} 3 {4 5} */
  g_autoptr (TtGraph) graph = make_graph (6, NULL);
  g_autoptr (TtGraph) short_graph = NULL;

  for (guint i = 0; i < 6; i++)
    {
      tt_graph_node (graph, i)->sum_ns = 10;
      tt_graph_node (graph, i)->self_ns = 4;
    }
  tt_graph_add_edge (graph, 0, 1, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 1, 2, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 2, 3, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 2, 4, TT_EDGE_SEQUENCE, 1, 5);
  tt_graph_add_edge (graph, 4, 5, TT_EDGE_CALL, 1, 0);
  tt_graph_add_end (graph);
  tt_graph_finish (graph);
  short_graph = tt_graph_collapse (graph);
  g_assert_cmpuint (short_graph->nodes->len, ==, 4);
  g_assert_cmpstr (tt_graph_node (short_graph, 0)->label, ==, "n0 ... n2 (3)");
  g_assert_cmpint ((gint64) tt_graph_node (short_graph, 0)->sum_ns, ==, 30);
  g_assert_cmpint ((gint64) tt_graph_node (short_graph, 0)->self_ns, ==, 12);
  g_assert_cmpuint (tt_graph_node (short_graph, 0)->n_merged, ==, 3);
  g_assert_cmpstr (tt_graph_node (short_graph, 2)->label, ==, "n4 ... n5 (2)");
  g_assert_cmpint ((gint64) tt_graph_node (short_graph, 2)->sum_ns, ==, 10);
  g_assert_cmpint ((gint64) tt_graph_node (short_graph, 0)->gap_ns[TT_EDGE_SEQUENCE], ==, 5);
}

static void
test_collapse_ring (void)
{
  g_autoptr (TtGraph) graph = make_graph (3, NULL);
  g_autoptr (TtGraph) same = NULL;

  tt_graph_add_edge (graph, 0, 1, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 1, 2, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 2, 0, TT_EDGE_SEQUENCE, 1, 0);
  same = tt_graph_collapse (graph);
  g_assert_cmpuint (same->nodes->len, ==, 3);
  g_assert_cmpuint (same->edges->len, ==, 3);
}

static void
test_limit (void)
{
  /* A path of light nodes 0 -> 1 -> 2 that together are the heaviest path; 3 to 9 hang on 0. */
  g_autoptr (TtGraph) graph = make_graph (10, NULL);
  g_autoptr (TtGraph) small = NULL, all = NULL;
  guint n_dropped = 0;
  double self = 0;
  guint64 cnt = 0;

  for (guint i = 0; i < 10; i++)
    tt_graph_node (graph, i)->self_ns = i < 3 ? 50 : 60 + i;
  for (guint32 i = 0; i < 2; i++)
    tt_graph_add_edge (graph, i, i + 1, TT_EDGE_SEQUENCE, 1, 0);
  for (guint32 i = 3; i < 10; i++)
    tt_graph_add_edge (graph, 0, i, TT_EDGE_CALL, 1, 0);
  tt_graph_add_end (graph);
  tt_graph_finish (graph);

  small = tt_graph_limit (graph, 6, &n_dropped, &self);
  g_assert_cmpuint (small->nodes->len, ==, 6);
  g_assert_cmpuint (n_dropped, ==, 6);
  g_assert_cmpstr (tt_graph_node (small, 0)->label, ==, "n0");
  g_assert_cmpstr (tt_graph_node (small, 1)->label, ==, "n1");
  g_assert_cmpstr (tt_graph_node (small, 2)->label, ==, "n2");
  g_assert_cmpstr (tt_graph_node (small, 3)->label, ==, "n9");
  g_assert_true (tt_graph_node (small, 4)->is_end);
  g_assert_true (tt_graph_node (small, 5)->is_rest);
  g_assert_cmpuint (tt_graph_node (small, 5)->n_merged, ==, 6);
  g_assert_cmpuint (tt_graph_node (small, 5)->cnt, ==, 6);
  g_assert_cmpfloat_with_epsilon (self, (63 + 64 + 65 + 66 + 67 + 68) / 612.0, 1e-9);
  for (guint i = 0; i < small->edges->len; i++)
    if (tt_graph_edge (small, i)->src == 0 && tt_graph_edge (small, i)->dst == 5)
      cnt = tt_graph_edge (small, i)->cnt;
  g_assert_cmpuint (cnt, ==, 6);

  all = tt_graph_limit (graph, 11, &n_dropped, NULL);
  g_assert_cmpuint (n_dropped, ==, 0);
  g_assert_cmpuint (all->nodes->len, ==, 11);
  g_assert_cmpuint (all->edges->len, ==, graph->edges->len);
}

/* -- writers ---------------------------------------------------------------------------------------------- */

static TtGraph *
nasty_graph (void)
{
  static const char *const labels[] = {
    "node0->COMP.say \"hi\" \\N \\",
    "node0->COMP.a<b, c> & &lt; \x01\n d",
    "node0->COMP.\xff\xfe bad",
    "node1->Comm.\xc3\xa4\xe2\x82\xac[{}]->x",
    "twin",
    "twin",
    ("COMP.a_very_long_name::with::many<template, arguments>::and_more(int, double, std::vector<std::string> "
     "const&)"),
  };
  TtGraph *graph = make_graph (G_N_ELEMENTS (labels), labels);

  for (guint32 i = 0; i + 1 < G_N_ELEMENTS (labels); i++)
    {
      tt_graph_node (graph, i)->cnt = i + 1;
      tt_graph_node (graph, i)->sum_ns = 1234567 * i;
      tt_graph_add_edge (graph, i, i + 1, i % 2 == 0 ? TT_EDGE_SEQUENCE : TT_EDGE_CALL, 1 + i * i, (gint64) i * 1500);
    }
  tt_graph_add_end (graph);
  tt_graph_finish (graph);
  return graph;
}

static char *
dot_of (const TtGraph *graph)
{
  g_autoptr (TtOutput) out = tt_output_open_memory ();

  tt_dot_write (graph, out);
  return g_string_free (tt_output_steal_text (out), FALSE);
}

static gboolean
has_dot (void)
{
  g_autofree char *program = g_find_program_in_path ("dot");

  if (program == NULL)
    g_test_skip ("no dot");
  return program != NULL;
}

static void
test_dot_quoting (void)
{
  g_autoptr (TtGraph) graph = nasty_graph ();
  g_autofree char *text = dot_of (graph), *again = dot_of (graph);

  g_assert_cmpstr (text, ==, again);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_nonnull (strstr (text, "  \"node0->COMP.say \\\"hi\\\" \\\\N \\\\\" [label="));
  g_assert_nonnull (strstr (text, "\"twin\" ["));
  g_assert_nonnull (strstr (text, "\"twin [5]\" ["));
  g_assert_nonnull (strstr (text, "&amp;lt;"));
  g_assert_null (strchr (text, '\x01'));
}

/* What dot reads is what was written: as many nodes and edges, with these names. */
static void
test_dot_reads_it (void)
{
  g_autoptr (TtGraph) graph = nasty_graph ();
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autoptr (GError) error = NULL;
  g_autofree char *svg = NULL;
  guint n_nodes = 0, n_edges = 0;

  if (!has_dot ())
    return;
  g_assert_true (tt_render (graph, "svg", NULL, TT_RENDER_TIMEOUT_MS, out, &error));
  require_no_error (error);
  svg = g_string_free (tt_output_steal_text (out), FALSE);
  for (const char *p = svg; (p = strstr (p, "class=\"node\"")) != NULL; p++)
    n_nodes++;
  for (const char *p = svg; (p = strstr (p, "class=\"edge\"")) != NULL; p++)
    n_edges++;
  g_assert_cmpuint (n_nodes, ==, graph->nodes->len);
  g_assert_cmpuint (n_edges, ==, graph->edges->len);
  g_assert_nonnull (strstr (svg, "say &quot;hi&quot; \\N"));
  g_assert_nonnull (strstr (svg, "&amp;lt;"));
}

/* Longer than a string of dot may be; what is left of them stays apart. */
static void
test_dot_long_names (void)
{
  g_autofree char *first = g_strnfill (70000, '"'), *second = g_strnfill (70001, '"');
  const char *const labels[] = { first, second };
  g_autoptr (TtGraph) graph = make_graph (G_N_ELEMENTS (labels), labels);
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autoptr (GError) error = NULL;

  tt_graph_add_edge (graph, 0, 1, TT_EDGE_CALL, 1, 0);
  tt_graph_finish (graph);
  g_autofree char *dot = dot_of (graph);
  g_assert_cmpuint (strlen (dot), <, 40000);
  if (!has_dot ())
    return;
  g_assert_true (tt_render (graph, "svg", NULL, TT_RENDER_TIMEOUT_MS, out, &error));
  require_no_error (error);
  g_autofree char *svg = g_string_free (tt_output_steal_text (out), FALSE);
  guint n_nodes = 0;
  for (const char *p = svg; (p = strstr (p, "class=\"node\"")) != NULL; p++)
    n_nodes++;
  g_assert_cmpuint (n_nodes, ==, 2);
}

static void
test_render_too_late (void)
{
  g_autoptr (TtGraph) graph = nasty_graph ();
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("tracetool-XXXXXX", NULL);
  g_autofree char *program = g_build_filename (folder, "dot", NULL);
  g_autofree char *kept = g_build_filename (folder, "g.svg.dot", NULL);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *path_here = g_strconcat (folder, ":", path, NULL);
  g_autofree char *text = NULL, *expected = dot_of (graph);
  gint64 begin = g_get_monotonic_time ();

  g_file_set_contents (program, "#!/bin/sh\nexec sleep 30\n", -1, NULL);
  g_assert_cmpint (chmod (program, 0755), ==, 0);
  g_setenv ("PATH", path_here, TRUE);
  g_assert_false (tt_render (graph, "svg", kept, 200, out, &error));
  require_error (error, TT_ERROR, TT_ERROR_GRAPH);
  g_assert_nonnull (strstr (error->message, "--max-nodes 10"));
  g_assert_nonnull (strstr (error->message, "g.svg.dot'"));
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
  g_assert_true (g_file_get_contents (kept, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);

  g_clear_error (&error);
  g_file_set_contents (program, "#!/bin/sh\ncat >/dev/null; echo 'syntax error in line 3' >&2\nexit 1\n", -1, NULL);
  g_assert_cmpint (chmod (program, 0755), ==, 0);
  g_assert_false (tt_render (graph, "svg", NULL, 5000, out, &error));
  g_assert_nonnull (strstr (error->message, "syntax error in line 3"));

  g_clear_error (&error);
  g_setenv ("PATH", "/nowhere", TRUE);
  g_assert_false (tt_render (graph, "png", NULL, 5000, out, &error));
  g_assert_nonnull (strstr (error->message, "not installed"));
  g_setenv ("PATH", path, TRUE);
  remove (program);
  remove (kept);
  remove (folder);
}

/* igraph reads back what it wrote. */
static void
check_read_back (const char *text, gsize len, TtGraphFile file, const TtGraph *graph)
{
  igraph_t igraph;
  FILE *stream = fmemopen ((void *) text, len, "r");

  g_assert_nonnull (stream);
  igraph_set_attribute_table (&igraph_cattribute_table);
  g_assert_cmpint (file == TT_GRAPH_FILE_GML ? igraph_read_graph_gml (&igraph, stream)
                                             : igraph_read_graph_graphml (&igraph, stream, 0),
                   ==, 0);
  g_assert_cmpint (igraph_vcount (&igraph), ==, graph->nodes->len);
  g_assert_cmpint (igraph_ecount (&igraph), ==, graph->edges->len);
  g_assert_cmpstr (VAS (&igraph, "label", 4), ==, "twin");
  g_assert_nonnull (strstr (VAS (&igraph, "label", 0), "say \"hi\" \\N \\"));
  g_assert_cmpfloat (VAN (&igraph, "cnt", 1), ==, 2);
  g_assert_cmpstr (EAS (&igraph, "kind", 0), ==, "sequence");
  /* avg is ms in GML, us in GraphML. */
  g_assert_cmpfloat_with_epsilon (
      file == TT_GRAPH_FILE_GML ? VAN (&igraph, "avg", 1) * 1000 : VAN (&igraph, "avg_us", 1), 617.284, 0.001);
  igraph_destroy (&igraph);
  fclose (stream);
}

static void
test_igraph_files (void)
{
  g_autoptr (TtGraph) graph = nasty_graph ();

  for (int file = TT_GRAPH_FILE_GRAPHML; file <= TT_GRAPH_FILE_GML; file++)
    {
      g_autoptr (GError) error = NULL;
      gsize len = 0;
      g_autofree char *text = tt_graph_to_text (graph, (TtGraphFile) file, &len, &error);
      g_autofree char *again = tt_graph_to_text (graph, (TtGraphFile) file, NULL, NULL);

      require_no_error (error);
      g_assert_cmpstr (text, ==, again);
      g_assert_true (g_utf8_validate (text, (gssize) len, NULL));
      g_assert_null (strstr (text, "NaN"));
      g_assert_null (strstr (text, "nan"));
      if (file == TT_GRAPH_FILE_GML)
        for (gsize i = 0; i < len; i++)
          g_assert_cmpint ((guchar) text[i], <, 0x80);
      check_read_back (text, len, (TtGraphFile) file, graph);
    }
}

static void
test_empty (void)
{
  g_autoptr (TtGraph) graph = tt_graph_new ();
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  g_autofree char *dot = NULL, *gml = NULL, *json = NULL;
  g_autoptr (TtLongestPath) path = NULL;

  tt_graph_add_end (graph);
  tt_graph_finish (graph);
  dot = dot_of (graph);
  gml = tt_graph_to_text (graph, TT_GRAPH_FILE_GML, NULL, NULL);
  tt_graph_json_write (graph, out);
  json = g_string_free (tt_output_steal_text (out), FALSE);
  path = tt_model_path_new (graph, NULL);
  g_assert_nonnull (dot);
  g_assert_nonnull (gml);
  g_assert_cmpstr (json, ==, "{\"nodes\":[\n],\"edges\":[\n]}\n");
  g_assert_cmpuint (path->nodes->len, ==, 0);
}

/* A million edges: by hash, order and longest path. */
static void
test_million_edges (void)
{
  guint n = 100000;
  g_autoptr (TtGraph) graph = make_graph (n, NULL);
  g_autoptr (TtLongestPath) path = NULL;
  g_auto (TtEdgeTable) table = { 0 };
  guint64 random = 12345;
  gint64 begin;
  double seconds;

  begin = g_get_monotonic_time ();
  tt_edge_table_init (&table, graph);
  while (graph->edges->len < 1000000)
    {
      random = random * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407;
      guint32 a = (guint32) (random >> 33) % n, b = (guint32) ((random >> 12) & 0xfffff) % n;
      if (a != b)
        tt_edge_table_add (&table, MIN (a, b), MAX (a, b), TT_EDGE_SEQUENCE, 1, 0);
    }
  tt_edge_table_clear (&table);
  g_test_message ("hash: %.3f s", (double) (g_get_monotonic_time () - begin) / 1e6);

  begin = g_get_monotonic_time ();
  for (guint i = 0; i < n; i++)
    tt_graph_node (graph, i)->self_ns = i % 977;
  path = tt_model_path_new (graph, NULL);
  seconds = (double) (g_get_monotonic_time () - begin) / 1e6;
  g_test_message ("order and longest path of 1 M edges: %.3f s", seconds);
  g_assert_cmpuint (path->nodes->len, >, 10);
}

/* a -> late, early -> b; late is the last to come to what early is in as well, which waited 30 for it. */
static void
test_meet (void)
{
  g_autoptr (TtGraph) graph = tt_graph_new ();
  static const char *const names[] = { "a", "early", "late", "b" };
  static const gint64 self_ns[] = { 50, 40, 10, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint32 node = tt_graph_add_node (graph, names[i], NULL, "COMP", names[i]);
      tt_graph_node (graph, node)->cnt = 1;
      tt_graph_node (graph, node)->sum_ns = tt_graph_node (graph, node)->self_ns = self_ns[i];
      tt_graph_node (graph, node)->ts_ns = i;
    }
  tt_graph_add_edge (graph, 0, 2, TT_EDGE_FLOW, 1, 0);
  tt_graph_add_edge (graph, 2, 1, TT_EDGE_COLLECTIVE, 1, 30);
  tt_graph_add_edge (graph, 1, 3, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_finish (graph);

  g_autoptr (TtGraph) met = tt_graph_meet (graph);
  g_assert_cmpuint (met->edges->len, ==, 3);
  g_assert_cmpuint (tt_graph_edge (met, 0)->dst, ==, 1);
  g_assert_cmpuint (tt_graph_edge (met, 0)->kind, ==, TT_EDGE_COLLECTIVE);
  g_assert_cmpuint (tt_graph_edge (met, 1)->dst, ==, 2);
  g_assert_cmpint ((gint64) tt_graph_node (met, 1)->self_ns, ==, 10);
  g_assert_cmpint ((gint64) tt_graph_node (graph, 1)->self_ns, ==, 40);

  g_autoptr (TtLongestPath) path = tt_model_path_new (met, NULL);
  g_assert_cmpuint (path->nodes->len, ==, 3);
  g_assert_cmpfloat (path->weight, ==, 67);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  igraph_set_error_handler (igraph_error_handler_ignore);

  g_test_add_func ("/graph/edge-table-counts-by-ends-and-kind", test_edge_table);
  g_test_add_func ("/graph/edge-gap-does-not-wrap", test_edge_gap_saturates);
  g_test_add_func ("/graph/gaps-are-averages-by-kind", test_gaps);
  g_test_add_func ("/graph/end-follows-what-nothing-follows", test_end);
  g_test_add_func ("/graph/order-agrees-with-igraph", test_order_random);
  g_test_add_func ("/graph/order-names-cycles", test_order_names_cycles);
  g_test_add_func ("/graph/order-of-a-long-chain", test_order_long_chain);
  g_test_add_func ("/graph/longest-path-agrees-with-brute-force", test_longest_path_random);
  g_test_add_func ("/graph/longest-path-breaks-ties-by-number", test_longest_path_ties);
  g_test_add_func ("/graph/model-counts-nothing-twice", test_model_counts_nothing_twice);
  g_test_add_func ("/graph/around-takes-hops-either-way", test_around);
  g_test_add_func ("/graph/around-does-not-pass-end", test_around_not_through_end);
  g_test_add_func ("/graph/collapse-merges-chains", test_collapse);
  g_test_add_func ("/graph/collapse-leaves-rings", test_collapse_ring);
  g_test_add_func ("/graph/limit-keeps-path-then-self-time", test_limit);
  g_test_add_func ("/graph/dot-quotes-everything", test_dot_quoting);
  g_test_add_func ("/graph/dot-long-names", test_dot_long_names);
  g_test_add_func ("/graph/dot-reads-its-dot", test_dot_reads_it);
  g_test_add_func ("/graph/render-gives-up", test_render_too_late);
  g_test_add_func ("/graph/igraph-files-are-stable-and-read-back", test_igraph_files);
  g_test_add_func ("/graph/empty", test_empty);
  g_test_add_func ("/graph/million-edges", test_million_edges);
  g_test_add_func ("/graph/meet", test_meet);
  return g_test_run ();
}
