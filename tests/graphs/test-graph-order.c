/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/longest-path.h"

#include "tests/graphs/graph-test.h"

#include <igraph.h>
#include <string.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  igraph_set_error_handler (igraph_error_handler_ignore);

  g_test_add_func ("/graph/order-agrees-with-igraph", test_order_random);
  g_test_add_func ("/graph/order-names-cycles", test_order_names_cycles);
  g_test_add_func ("/graph/order-of-a-long-chain", test_order_long_chain);
  g_test_add_func ("/graph/longest-path-agrees-with-brute-force", test_longest_path_random);
  g_test_add_func ("/graph/longest-path-breaks-ties-by-number", test_longest_path_ties);
  g_test_add_func ("/graph/model-counts-nothing-twice", test_model_counts_nothing_twice);
  return g_test_run ();
}
