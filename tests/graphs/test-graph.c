/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/edge-table.h"
#include "graphs/longest-path.h"
#include "graphs/reduce.h"

#include "tests/graphs/graph-test.h"

#include <igraph.h>
#include <string.h>

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
  g_autoptr (TtGraph) small = NULL, all = NULL, heavy = NULL;
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

  small = tt_graph_limit (graph, &(TtGraphLimits){ .max_nodes = 7 }, &n_dropped, &self, NULL);
  g_assert_cmpuint (small->nodes->len, ==, 7);
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
    {
      const TtEdge *edge = tt_graph_edge (small, i);

      if (edge->src == 0 && edge->dst == 5)
        cnt = edge->cnt;
      /* Nothing runs through them. */
      g_assert_cmpuint (edge->src, !=, 5);
      g_assert_cmpuint (edge->dst, !=, 6);
      g_assert_true (edge->src != 6 || tt_graph_node (small, edge->dst)->is_end);
    }
  g_assert_cmpuint (cnt, ==, 6);
  g_assert_true (tt_graph_node (small, 6)->is_rest);
  g_assert_cmpstr (tt_graph_node (small, 6)->label, ==, "from 6 more");
  g_assert_cmpuint (tt_graph_node (small, 6)->n_merged, ==, 0);

  /* By share: the path, and what has as much of it. */
  heavy =
      tt_graph_limit (graph, &(TtGraphLimits){ .max_nodes = 500, .min_share = 67.5 / 612 }, &n_dropped, &self, NULL);
  g_assert_cmpuint (n_dropped, ==, 5);
  g_assert_cmpstr (tt_graph_node (heavy, 3)->label, ==, "n8");
  g_assert_cmpstr (tt_graph_node (heavy, 4)->label, ==, "n9");

  all = tt_graph_limit (graph, &(TtGraphLimits){ .max_nodes = 11 }, &n_dropped, NULL, NULL);
  g_assert_cmpuint (n_dropped, ==, 0);
  g_assert_cmpuint (all->nodes->len, ==, 11);
  g_assert_cmpuint (all->edges->len, ==, graph->edges->len);
}

/* Many edges stay, and many lead to what is left out. */
static void
test_limit_of_many_edges (void)
{
  enum
  {
    N = 1600,
    N_KEPT = 498
  };
  g_autoptr (TtGraph) graph = make_graph (N, NULL);
  guint64 cnt = 0, all = 0;

  for (guint32 i = 0; i < N; i++)
    {
      tt_graph_node (graph, i)->self_ns = N - i;
      for (guint32 k = 1; k <= 12; k++)
        tt_graph_add_edge (graph, i, (i * k + k) % N, (TtEdgeKind) (k % 3), i, 0);
      all += 12 * i;
    }
  tt_graph_finish (graph);
  g_autoptr (TtGraph) small = tt_graph_limit (graph, &(TtGraphLimits){ .max_nodes = N_KEPT + 2 }, NULL, NULL, NULL);
  g_assert_cmpuint (small->nodes->len, ==, N_KEPT + 2);
  for (guint i = 0; i < small->edges->len; i++)
    cnt += tt_graph_edge (small, i)->kind == TT_EDGE_VIA ? 0 : tt_graph_edge (small, i)->cnt;
  /* What is between two that are left out is gone. */
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      all -= tt_graph_node (graph, edge->src)->self_ns <= N - N_KEPT &&
                     tt_graph_node (graph, edge->dst)->self_ns <= N - N_KEPT
                 ? edge->cnt
                 : 0;
    }
  g_assert_cmpuint (cnt, ==, all);
}

static gboolean
has_edge (const TtGraph *graph, guint32 src, guint32 dst)
{
  for (guint i = 0; i < graph->edges->len; i++)
    if (tt_graph_edge (graph, i)->src == src && tt_graph_edge (graph, i)->dst == dst)
      return TRUE;
  return FALSE;
}

static void
test_reduce (void)
{
  /* 0 -> 1 -> 2 -> 3 with short cuts; 4 and 5 are a cycle between 1 and 3. */
  g_autoptr (TtGraph) graph = make_graph (6, NULL);
  g_autoptr (TtGraph) reduced = NULL;
  static const guint32 kept[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 1, 4 }, { 4, 5 }, { 5, 4 }, { 5, 3 }, { 2, 2 } };
  static const guint32 implied[][2] = { { 0, 2 }, { 0, 3 }, { 1, 3 }, { 0, 4 }, { 0, 5 } };
  guint n_left_out = 0;

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    tt_graph_add_edge (graph, kept[i][0], kept[i][1], TT_EDGE_SEQUENCE, 1, 0);
  for (guint i = 0; i < G_N_ELEMENTS (implied); i++)
    tt_graph_add_edge (graph, implied[i][0], implied[i][1], TT_EDGE_MESSAGE, 1, 0);
  tt_graph_finish (graph);
  reduced = tt_graph_reduce (graph, &n_left_out);
  g_assert_cmpuint (n_left_out, ==, G_N_ELEMENTS (implied));
  g_assert_cmpuint (reduced->edges->len, ==, G_N_ELEMENTS (kept));
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    g_assert_true (has_edge (reduced, kept[i][0], kept[i][1]));

  g_autoptr (TtGraph) large = make_graph (TT_TRANSITIVE_MAX + 1, NULL);
  tt_graph_finish (large);
  g_assert_null (tt_graph_reduce (large, &n_left_out));
}

/* -- large ones ------------------------------------------------------------------------------------------------ */

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
  g_test_add_func ("/graph/around-takes-hops-either-way", test_around);
  g_test_add_func ("/graph/around-does-not-pass-end", test_around_not_through_end);
  g_test_add_func ("/graph/collapse-merges-chains", test_collapse);
  g_test_add_func ("/graph/collapse-leaves-rings", test_collapse_ring);
  g_test_add_func ("/graph/limit-keeps-path-then-self-time", test_limit);
  g_test_add_func ("/graph/limit-of-many-edges", test_limit_of_many_edges);
  g_test_add_func ("/graph/reduce-leaves-out-what-is-implied", test_reduce);
  g_test_add_func ("/graph/million-edges", test_million_edges);
  g_test_add_func ("/graph/meet", test_meet);
  return g_test_run ();
}
