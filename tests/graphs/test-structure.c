/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What igraph says of a graph, against definitions worked out the slow way on random graphs.
 */
#include "config.h"

#include <string.h>

#include "graphs/edge-table.h"
#include "graphs/igraph-view.h"
#include "graphs/longest-path.h"
#include "graphs/reduce.h"
#include "graphs/structure.h"
#include "src/base/error.h"

#include "tests/require.h"

#define NONE TT_STRUCTURE_NONE

static TtGraph *
make_graph (guint n_nodes)
{
  TtGraph *graph = tt_graph_new ();

  for (guint i = 0; i < n_nodes; i++)
    {
      char label[16];
      g_snprintf (label, sizeof label, "n%u", i);
      tt_graph_add_node (graph, label, "node0", "COMP", label);
      tt_graph_node (graph, i)->cnt = 1;
    }
  return graph;
}

static void
add_edges (TtGraph *graph, const guint32 (*edges)[2], guint n_edges)
{
  for (guint i = 0; i < n_edges; i++)
    tt_graph_add_edge (graph, edges[i][0], edges[i][1], TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_finish (graph);
}

/* With cycles, loops, and edges of two kinds between the same nodes. */
static TtGraph *
make_random_graph (guint n, guint n_edges, gboolean is_cyclic)
{
  TtGraph *graph = make_graph (n);
  g_auto (TtEdgeTable) table = { 0 };

  tt_edge_table_init (&table, graph);
  for (guint i = 0; i < n_edges; i++)
    {
      guint32 a = (guint32) g_test_rand_int_range (0, (gint32) n), b = (guint32) g_test_rand_int_range (0, (gint32) n);
      if (is_cyclic || a != b)
        tt_edge_table_add (&table, is_cyclic ? a : MIN (a, b), is_cyclic ? b : MAX (a, b),
                           (TtEdgeKind) g_test_rand_int_range (0, 3), (guint64) g_test_rand_int_range (1, 9),
                           g_test_rand_int_range (0, 50));
    }
  tt_graph_finish (graph);
  return graph;
}

/* Whether @b can be reached from @a without passing @without (which may be an end), by edges that @order counts. */
static gboolean
is_reached (const TtGraph *graph, const TtOrder *order, guint32 a, guint32 b, guint32 without)
{
  g_autofree guint8 *is_seen = g_new0 (guint8, graph->nodes->len);
  gboolean is_new = TRUE;

  if (a == without || b == without)
    return FALSE;
  is_seen[a] = 1;
  while (is_new)
    {
      is_new = FALSE;
      for (guint i = 0; i < graph->edges->len; i++)
        {
          const TtEdge *edge = tt_graph_edge (graph, i);
          if (is_seen[edge->src] && !is_seen[edge->dst] && edge->dst != without &&
              (order == NULL || !tt_order_is_back (order, edge)))
            is_seen[edge->dst] = is_new = TRUE;
        }
    }
  return is_seen[b];
}

static void
check_points_forward (const TtGraph *graph, const TtOrder *order, const guint32 *sorted)
{
  guint n = graph->nodes->len;
  g_autofree guint32 *at = g_new (guint32, n);

  memset (at, 0xff, n * sizeof (guint32));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (at[sorted[i]], ==, NONE);
      at[sorted[i]] = i;
    }
  for (guint i = 0; i < graph->edges->len; i++)
    if (!tt_order_is_back (order, tt_graph_edge (graph, i)))
      g_assert_cmpuint (at[tt_graph_edge (graph, i)->src], <, at[tt_graph_edge (graph, i)->dst]);
}

static void
test_order (void)
{
  for (int round = 0; round < 1000; round++)
    {
      g_autoptr (TtGraph) graph =
          make_random_graph ((guint) g_test_rand_int_range (1, 25), (guint) g_test_rand_int_range (0, 50), round % 2);
      g_autoptr (TtOrder) order = tt_order_new (graph, 0);
      g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
      g_autoptr (GError) error = NULL;
      g_autofree guint32 *sorted = tt_structure_order (structure, &error);
      g_autofree guint32 *again = tt_structure_order (structure, &error);

      require_no_error (error);
      check_points_forward (graph, order, sorted);
      g_assert_cmpmem (sorted, graph->nodes->len * sizeof (guint32), again, graph->nodes->len * sizeof (guint32));
    }
}

static void
test_components (void)
{
  for (int round = 0; round < 500; round++)
    {
      guint n = (guint) g_test_rand_int_range (1, 16);
      g_autoptr (TtGraph) graph = make_random_graph (n, (guint) g_test_rand_int_range (0, 24), TRUE);
      g_autoptr (TtOrder) order = tt_order_new (graph, 0);
      g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
      guint32 n_strong = 0, n_weak = 0, n_seen = 0;
      g_autofree guint32 *strong = tt_structure_components (structure, TT_STRUCTURE_STRONG, &n_strong, NULL);
      g_autofree guint32 *weak = tt_structure_components (structure, TT_STRUCTURE_WEAK, &n_weak, NULL);
      g_autofree guint32 *expected = g_new (guint32, n);

      require_nonnull (strong);
      require_nonnull (weak);
      g_assert_cmpuint (n_strong, ==, order->n_components);
      for (guint32 a = 0; a < n; a++)
        for (guint32 b = 0; b < n; b++)
          {
            gboolean is_strong = is_reached (graph, NULL, a, b, NONE) && is_reached (graph, NULL, b, a, NONE);
            g_assert_cmpint (strong[a] == strong[b], ==, is_strong);
            g_assert_cmpint (order->component[a] == order->component[b], ==, is_strong);
          }

      for (guint i = 0; i < n; i++)
        expected[i] = i;
      for (guint pass = 0; pass < n; pass++)
        for (guint i = 0; i < graph->edges->len; i++)
          {
            const TtEdge *edge = tt_graph_edge (graph, i);
            expected[edge->src] = expected[edge->dst] = MIN (expected[edge->src], expected[edge->dst]);
          }
      for (guint a = 0; a < n; a++)
        {
          for (guint b = 0; b < n; b++)
            g_assert_cmpint (weak[a] == weak[b], ==, expected[a] == expected[b]);
          g_assert_cmpuint (weak[a], <=, n_seen);
          n_seen += weak[a] == n_seen;
        }
      g_assert_cmpuint (n_seen, ==, n_weak);
    }
}

/* -- dominators ---------------------------------------------------------------------------------------- */

/* Nodes that no edge which @order counts leads to, or (@leaving) leaves. */
static guint8 *
find_tips (const TtGraph *graph, const TtOrder *order, gboolean leaving)
{
  guint8 *is_tip = g_malloc (graph->nodes->len);

  memset (is_tip, 1, graph->nodes->len);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (!tt_order_is_back (order, edge))
        is_tip[leaving ? edge->src : edge->dst] = 0;
    }
  return is_tip;
}

/* Whether all paths that end at @node (or, @forward, begin there) pass @other: none is left when it is removed. */
static gboolean
passes (const TtGraph *graph, const TtOrder *order, guint32 node, guint32 other, gboolean forward)
{
  g_autofree guint8 *is_tip = find_tips (graph, order, forward);

  for (guint32 tip = 0; tip < graph->nodes->len && node != other; tip++)
    if (is_tip[tip] &&
        (forward ? is_reached (graph, order, node, tip, other) : is_reached (graph, order, tip, node, other)))
      return FALSE;
  return TRUE;
}

static gboolean
is_gate (const TtGraph *graph, const TtOrder *order, guint32 node)
{
  g_autofree guint8 *is_first = find_tips (graph, order, FALSE);

  for (guint32 first = 0; first < graph->nodes->len; first++)
    if (is_first[first] && !passes (graph, order, first, node, TRUE))
      return FALSE;
  return TRUE;
}

static void
check_dominators (const TtGraph *graph, const TtOrder *order, const TtDominators *found)
{
  guint32 n = graph->nodes->len, n_gates = 0;

  for (guint32 node = 0; node < n; node++)
    {
      guint32 n_before = 0, n_after = 0, n_reached = 0, n_leading = 0, steps = 0;

      for (guint32 other = 0; other < n; other++)
        if (other != node)
          {
            n_before += passes (graph, order, node, other, FALSE);
            n_after += passes (graph, order, node, other, TRUE);
            n_reached += passes (graph, order, other, node, FALSE);
            n_leading += passes (graph, order, other, node, TRUE);
          }
      /* Each step of the chain is one that all paths pass, and there are as many of them. */
      for (guint32 at = found->before[node]; at != NONE; at = found->before[at], steps++)
        g_assert_true (passes (graph, order, node, at, FALSE));
      g_assert_cmpuint (steps, ==, n_before);
      steps = 0;
      for (guint32 at = found->after[node]; at != NONE; at = found->after[at], steps++)
        g_assert_true (passes (graph, order, node, at, TRUE));
      g_assert_cmpuint (steps, ==, n_after);
      g_assert_cmpuint (found->n_reached[node], ==, n_reached);
      g_assert_cmpuint (found->n_leading[node], ==, n_leading);
      g_assert_cmpint (found->is_gate[node], ==, is_gate (graph, order, node));
      n_gates += found->is_gate[node];
    }
  g_assert_cmpuint (found->n_gates, ==, n_gates);
}

static void
test_dominators_random (void)
{
  for (int round = 0; round < 400; round++)
    {
      guint n = (guint) g_test_rand_int_range (1, 11);
      g_autoptr (TtGraph) graph = make_random_graph (n, (guint) g_test_rand_int_range (0, 20), round % 2);
      g_autoptr (TtOrder) order = tt_order_new (graph, 0);
      g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
      g_autoptr (GError) error = NULL;
      g_autoptr (TtDominators) found = tt_structure_dominators (structure, &error);

      require_no_error (error);
      check_dominators (graph, order, found);
    }
}

/* 0 -> 1 -> {2, 3} -> 4 -> 5, and 6 -> 4: all but 0 wait for 0, all ends need 4 and 5. */
static void
test_dominators_by_hand (void)
{
  static const guint32 edges[][2] = { { 0, 1 }, { 1, 2 }, { 1, 3 }, { 2, 4 }, { 3, 4 }, { 4, 5 }, { 6, 4 } };
  g_autoptr (TtGraph) graph = make_graph (7);
  add_edges (graph, edges, G_N_ELEMENTS (edges));
  g_autoptr (TtOrder) order = tt_order_new (graph, 0);
  g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
  g_autoptr (TtDominators) found = tt_structure_dominators (structure, NULL);
  static const guint32 before[] = { NONE, 0, 1, 1, NONE, 4, NONE }, after[] = { 1, 4, 4, 4, 5, NONE, 4 };

  require_nonnull (found);
  g_assert_cmpmem (found->before, sizeof before, before, sizeof before);
  g_assert_cmpmem (found->after, sizeof after, after, sizeof after);
  g_assert_cmpuint (found->n_gates, ==, 2);
  g_assert_true (found->is_gate[4] && found->is_gate[5]);
  g_assert_cmpuint (found->n_reached[0], ==, 3);
  g_assert_cmpuint (found->n_leading[4], ==, 5);
}

/* -- feedback arcs --------------------------------------------------------------------------------------- */

static void
test_feedback_arcs (void)
{
  guint64 n_found = 0, n_back = 0;

  for (int round = 0; round < 1000; round++)
    {
      g_autoptr (TtGraph) graph = make_random_graph ((guint) g_test_rand_int_range (1, 25),
                                                     (guint) g_test_rand_int_range (0, 60), round % 4 != 0);
      g_autoptr (TtOrder) order = tt_order_new (graph, 0);
      g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
      g_autoptr (GArray) arcs = tt_structure_feedback_arcs (structure, NULL);
      g_autoptr (GArray) again = tt_structure_feedback_arcs (structure, NULL);
      g_autoptr (TtGraph) rest = make_graph (graph->nodes->len);

      require_nonnull (arcs);
      g_assert_cmpmem (arcs->data, arcs->len * sizeof (guint32), again->data, again->len * sizeof (guint32));
      for (guint i = 0, k = 0; i < graph->edges->len; i++)
        {
          const TtEdge *edge = tt_graph_edge (graph, i);
          if (k < arcs->len && g_array_index (arcs, guint32, k) == i)
            k++;
          else
            tt_graph_add_edge (rest, edge->src, edge->dst, edge->kind, 1, 0);
        }
      g_assert_cmpuint (rest->edges->len, ==, graph->edges->len - arcs->len);
      g_autoptr (TtOrder) opened = tt_order_new (rest, 0);
      g_assert_cmpuint (opened->cycles->len, ==, 0);
      g_assert_cmpint (arcs->len > 0, ==, order->cycles->len > 0);
      n_found += arcs->len;
      n_back += order->back->len;
    }
  /* A heuristic that leaves out more than the rule of time would be of no use. */
  g_test_message ("edges left out: %" G_GUINT64_FORMAT "; back in time: %" G_GUINT64_FORMAT, n_found, n_back);
  g_assert_cmpuint (n_found, <, n_back);
}

/* 0 -> 1 -> 2 -> 0, of which 1 -> 2 counts least. */
static void
test_feedback_arcs_count_least (void)
{
  g_autoptr (TtGraph) graph = make_graph (3);
  tt_graph_add_edge (graph, 0, 1, TT_EDGE_SEQUENCE, 5, 0);
  tt_graph_add_edge (graph, 1, 2, TT_EDGE_SEQUENCE, 1, 0);
  tt_graph_add_edge (graph, 2, 0, TT_EDGE_SEQUENCE, 5, 0);
  g_autoptr (TtOrder) order = tt_order_new (graph, 0);
  g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
  g_autoptr (GArray) arcs = tt_structure_feedback_arcs (structure, NULL);

  require_nonnull (arcs);
  g_assert_cmpuint (arcs->len, ==, 1);
  g_assert_cmpuint (g_array_index (arcs, guint32, 0), ==, 1);
}

/* -- slack ----------------------------------------------------------------------------------------------- */

/* By adding to the node and computing the longest path again: with the slack it stays, with one more it grows. */
static void
test_slack_random (void)
{
  for (int round = 0; round < 500; round++)
    {
      guint n = (guint) g_test_rand_int_range (1, 12);
      g_autoptr (TtGraph) graph = make_random_graph (n, (guint) g_test_rand_int_range (0, 25), round % 2);
      g_autoptr (TtOrder) order = tt_order_new (graph, 0);
      g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
      g_autofree double *nodes = g_new0 (double, n), *edges = g_new0 (double, graph->edges->len + 1);

      for (guint i = 0; i < n; i++)
        nodes[i] = g_test_rand_int_range (0, 20);
      for (guint i = 0; i < graph->edges->len; i++)
        edges[i] = g_test_rand_int_range (0, 6);
      g_autofree double *slack = tt_structure_slack (structure, nodes, edges, NULL);
      g_autoptr (TtLongestPath) path = tt_longest_path_new (graph, order, 0, nodes, edges);
      require_nonnull (slack);
      for (guint i = 0; i < path->nodes->len; i++)
        g_assert_cmpfloat (slack[g_array_index (path->nodes, guint32, i)], ==, 0);
      for (guint i = 0; i < n; i++)
        {
          double weight = nodes[i];

          nodes[i] = weight + slack[i];
          g_autoptr (TtLongestPath) same = tt_longest_path_new (graph, order, 0, nodes, edges);
          g_assert_cmpfloat (same->weight, ==, path->weight);
          nodes[i] += 1;
          g_autoptr (TtLongestPath) longer = tt_longest_path_new (graph, order, 0, nodes, edges);
          g_assert_cmpfloat (longer->weight, ==, path->weight + 1);
          nodes[i] = weight;
        }
    }
}

/* -- reach ----------------------------------------------------------------------------------------------- */

/* tt_graph_around() finds what igraph's neighbourhood does. */
static void
test_around_is_neighborhood (void)
{
  for (int round = 0; round < 300; round++)
    {
      guint n = (guint) g_test_rand_int_range (1, 30);
      guint hops = (guint) g_test_rand_int_range (0, 4);
      guint32 centre = (guint32) g_test_rand_int_range (0, (gint32) n);
      g_autoptr (TtGraph) graph = make_random_graph (n, (guint) g_test_rand_int_range (0, 30), TRUE);
      g_autoptr (TtIgraphView) view = tt_igraph_view_new (graph, TT_IGRAPH_WHOLE, NULL, NULL);
      g_autoptr (GArray) centres = g_array_new (FALSE, FALSE, sizeof (guint32));
      igraph_vector_int_list_t near;

      require_nonnull (view);
      g_array_append_val (centres, centre);
      g_autoptr (TtGraph) around = tt_graph_around (graph, centres, hops);
      igraph_vector_int_list_init (&near, 0);
      g_assert_cmpint (igraph_neighborhood (&view->igraph, &near, igraph_vss_1 (centre), hops, IGRAPH_ALL, 0), ==, 0);
      igraph_vector_int_t *nodes = igraph_vector_int_list_get_ptr (&near, 0);
      g_assert_cmpint (igraph_vector_int_size (nodes), ==, around->nodes->len);
      igraph_vector_int_sort (nodes);
      for (guint i = 0; i < around->nodes->len; i++)
        g_assert_cmpstr (tt_graph_node (around, i)->label, ==,
                         tt_graph_node (graph, (guint) VECTOR (*nodes)[i])->label);
      igraph_vector_int_list_destroy (&near);
    }
}

/* The opened view is what a layered layout takes: it puts every edge from a layer to a later one. */
static void
test_layered_layout (void)
{
  g_autoptr (TtGraph) graph = make_random_graph (40, 70, TRUE);
  g_autoptr (TtOrder) order = tt_order_new (graph, 0);
  g_autoptr (TtIgraphView) view = tt_igraph_view_new (graph, TT_IGRAPH_WITH_ENDS, order, NULL);
  igraph_matrix_t places;

  require_nonnull (view);
  igraph_matrix_init (&places, 0, 0);
  g_assert_cmpint (igraph_layout_sugiyama (&view->igraph, &places, NULL, NULL, NULL, 1, 1, 100, NULL), ==, 0);
  g_assert_cmpint (igraph_matrix_nrow (&places), >=, graph->nodes->len);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (!tt_order_is_back (order, edge))
        g_assert_cmpfloat (MATRIX (places, edge->src, 1), <, MATRIX (places, edge->dst, 1));
    }
  igraph_matrix_destroy (&places);
}

/* -- borders --------------------------------------------------------------------------------------------- */

/* What igraph refuses is an error with its reason, and nothing aborts. */
static void
test_error (void)
{
  static const guint32 edges[][2] = { { 0, 1 }, { 1, 0 } };
  g_autoptr (TtGraph) graph = make_graph (2);
  add_edges (graph, edges, G_N_ELEMENTS (edges));
  g_autoptr (TtIgraphView) view = tt_igraph_view_new (graph, TT_IGRAPH_WHOLE, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_auto (igraph_vector_int_t) sorted = { 0 };

  require_nonnull (view);
  igraph_vector_int_init (&sorted, 0);
  igraph_error_t code = igraph_topological_sorting (&view->igraph, &sorted, IGRAPH_OUT);
  g_assert_false (tt_igraph_check (code, "order it", &error));
  require_error (error, TT_ERROR, TT_ERROR_GRAPH);
  g_assert_true (g_str_has_prefix (error->message, "cannot order it: "));
  g_assert_nonnull (strstr (error->message, "cycle"));
}

static void
test_large (void)
{
  guint n = TT_STRUCTURE_MAX_EDGES + 2;
  g_autoptr (TtGraph) graph = make_graph (n);
  g_autoptr (GError) error = NULL;
  g_autofree double *nodes = g_new0 (double, n);
  guint32 n_components;

  for (guint32 i = 0; i + 1 < n; i++)
    tt_graph_add_edge (graph, i, i + 1, TT_EDGE_SEQUENCE, 1, 0);
  nodes[5] = 7;
  g_autoptr (TtOrder) order = tt_order_new (graph, 0);
  g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
  g_autofree double *slack = tt_structure_slack (structure, nodes, NULL, &error);

  require_no_error (error);
  g_assert_cmpfloat (slack[0], ==, 0);
  g_assert_null (tt_structure_dominators (structure, &error));
  require_error (error, TT_ERROR, TT_ERROR_GRAPH);
  g_assert_nonnull (strstr (error->message, "more than"));
  g_assert_null (tt_structure_feedback_arcs (structure, NULL));
  g_assert_null (tt_structure_components (structure, TT_STRUCTURE_WEAK, &n_components, NULL));
}

static void
test_empty (void)
{
  g_autoptr (TtGraph) graph = tt_graph_new ();
  g_autoptr (TtOrder) order = tt_order_new (graph, 0);
  g_autoptr (TtStructure) structure = tt_structure_new (graph, order);
  double none = 0;
  guint32 n_components = 1;
  g_autoptr (TtDominators) dominators = tt_structure_dominators (structure, NULL);
  g_autoptr (GArray) arcs = tt_structure_feedback_arcs (structure, NULL);
  g_autofree double *slack = tt_structure_slack (structure, &none, NULL, NULL);
  g_autofree guint32 *component = tt_structure_components (structure, TT_STRUCTURE_WEAK, &n_components, NULL);

  require_nonnull (dominators);
  g_assert_cmpuint (dominators->n_gates, ==, 0);
  require_nonnull (arcs);
  g_assert_cmpuint (arcs->len, ==, 0);
  g_assert_nonnull (slack);
  g_assert_nonnull (component);
  g_assert_cmpuint (n_components, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();

  g_test_add_func ("/structure/order-points-forward", test_order);
  g_test_add_func ("/structure/components-reach-each-other", test_components);
  g_test_add_func ("/structure/dominators-agree-with-removal", test_dominators_random);
  g_test_add_func ("/structure/dominators-by-hand", test_dominators_by_hand);
  g_test_add_func ("/structure/feedback-arcs-open-all-cycles", test_feedback_arcs);
  g_test_add_func ("/structure/feedback-arcs-count-least", test_feedback_arcs_count_least);
  g_test_add_func ("/structure/slack-agrees-with-longer-nodes", test_slack_random);
  g_test_add_func ("/structure/around-is-igraphs-neighborhood", test_around_is_neighborhood);
  g_test_add_func ("/structure/layered-layout-takes-the-view", test_layered_layout);
  g_test_add_func ("/structure/igraph-fails-without-abort", test_error);
  g_test_add_func ("/structure/large-graphs-have-slack-only", test_large);
  g_test_add_func ("/structure/empty", test_empty);
  return g_test_run ();
}
