/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/longest-path.h"
#include "graphs/reduce.h"
#include "graphs/via.h"

#include "tests/graphs/graph-test.h"

#define MOST 24u

/* What can be reached from what, by Warshall's algorithm; by label, END and grey nodes aside. */
typedef struct
{
  gboolean is_in[MOST], leads[MOST][MOST];
} Closure;

static void
close_graph (Closure *self, const TtGraph *graph)
{
  guint32 number[MOST + 3];

  *self = (Closure){ 0 };
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);
      number[i] = node->is_rest || node->is_end ? MOST : (guint32) g_ascii_strtoull (node->label + 1, NULL, 10);
      if (number[i] < MOST)
        self->is_in[number[i]] = TRUE;
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (number[edge->src] < MOST && number[edge->dst] < MOST)
        self->leads[number[edge->src]][number[edge->dst]] = TRUE;
    }
  for (guint k = 0; k < MOST; k++)
    for (guint a = 0; a < MOST; a++)
      for (guint b = 0; self->leads[a][k] && b < MOST; b++)
        self->leads[a][b] |= self->leads[k][b];
}

static guint
check_limit (const TtGraph *graph, guint max_nodes)
{
  Closure whole, few;
  guint n_ways, n_via = 0;
  g_autoptr (TtGraph) small = tt_graph_limit (graph, &(TtGraphLimits){ .max_nodes = max_nodes }, NULL, NULL, &n_ways);

  close_graph (&whole, graph);
  close_graph (&few, small);
  for (guint a = 0; a < MOST; a++)
    for (guint b = 0; b < MOST; b++)
      if (a != b && few.is_in[a] && few.is_in[b])
        g_assert_cmpint (few.leads[a][b], ==, whole.leads[a][b]);
  for (guint i = 0; i < small->edges->len; i++)
    n_via += tt_graph_edge (small, i)->kind == TT_EDGE_VIA;
  g_assert_cmpuint (n_via, ==, n_ways);
  return n_ways;
}

static void
test_reaches_the_same (void)
{
  guint n_ways[2] = { 0 };

  for (guint round = 0; round < 1200; round++)
    {
      guint n = (guint) g_test_rand_int_range (4, MOST);
      g_autoptr (TtGraph) graph = random_graph (n, (guint) g_test_rand_int_range (2, 2 * (gint) n), round % 2 == 1);

      for (guint i = 0; i < n; i++)
        tt_graph_node (graph, i)->self_ns = g_test_rand_int_range (0, 100);
      if (round % 3 == 0)
        tt_graph_add_end (graph);
      tt_graph_finish (graph);
      n_ways[round % 2] += check_limit (graph, (guint) g_test_rand_int_range (4, (gint) n + 1));
    }
  g_assert_cmpuint (n_ways[0], >, 50);
  g_assert_cmpuint (n_ways[1], >, 50);
}

/* 0 -> 3 -> 4 -> 1 -> 5 -> 2, and 0 -> 5: with 3 to 5 left out, two ways; 0 to 2 says nothing new. */
static void
test_says_how_many (void)
{
  g_autoptr (TtGraph) graph = make_graph (6, NULL), few = make_graph (3, NULL);
  const guint32 edges[][2] = { { 0, 3 }, { 3, 4 }, { 4, 1 }, { 1, 5 }, { 5, 2 }, { 0, 5 } };
  const guint32 new_number[] = { 0, 1, 2, TT_NOT_IN_GRAPH, TT_NOT_IN_GRAPH, TT_NOT_IN_GRAPH };

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    tt_graph_add_edge (graph, edges[i][0], edges[i][1], TT_EDGE_SEQUENCE, 7, 100);
  tt_graph_finish (graph);
  g_assert_cmpuint (tt_graph_add_via (graph, new_number, few), ==, 2);
  tt_graph_finish (few);
  g_assert_cmpuint (few->edges->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const TtEdge *edge = tt_graph_edge (few, i);
      g_assert_cmpuint (edge->src, ==, i);
      g_assert_cmpuint (edge->dst, ==, i + 1);
      g_assert_cmpuint (edge->kind, ==, TT_EDGE_VIA);
      g_assert_cmpuint (edge->cnt, ==, 2 - i);
      g_assert_cmpuint (tt_graph_node (few, i)->gap_cnt[TT_EDGE_VIA], ==, 0);
    }

  /* Neither the path by averages nor a chain goes along them. */
  for (guint i = 0; i < 3; i++)
    tt_graph_node (few, i)->self_ns = 10;
  g_autoptr (TtLongestPath) path = tt_model_path_new (few, NULL);
  g_assert_cmpuint (path->nodes->len, ==, 1);
  g_autoptr (TtGraph) collapsed = tt_graph_collapse (few);
  g_assert_cmpuint (collapsed->nodes->len, ==, 3);
}

/* Of 600 nodes before a hub and 600 behind, each to each: more than can be followed. */
static void
test_too_many (void)
{
  enum
  {
    N = 1200,
    HUB = N
  };
  g_autoptr (TtGraph) graph = make_graph (N + 1, NULL), few = make_graph (N, NULL);
  g_autofree guint32 *new_number = g_new (guint32, N + 1);

  for (guint32 i = 0; i < N; i++)
    {
      new_number[i] = i;
      tt_graph_add_edge (graph, i < N / 2 ? i : HUB, i < N / 2 ? HUB : i, TT_EDGE_SEQUENCE, 1, 0);
    }
  new_number[HUB] = TT_NOT_IN_GRAPH;
  tt_graph_finish (graph);
  g_assert_cmpuint (tt_graph_add_via (graph, new_number, few), ==, N / 2 * (N / 2));
  g_assert_cmpuint (few->edges->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();

  g_test_add_func ("/via/what-is-reached-stays-so", test_reaches_the_same);
  g_test_add_func ("/via/how-many-are-left-out", test_says_how_many);
  g_test_add_func ("/via/too-many", test_too_many);
  return g_test_run ();
}
