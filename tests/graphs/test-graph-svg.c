/* SPDX-License-Identifier: Apache-2.0 */
/* The layout and the SVG of graphs: what must hold of any, of random ones and of hostile names. */
#include "config.h"

#include "formats/graph-svg/graph-layout.h"
#include "formats/graph-svg/graph-svg.h"
#include "graphs/reduce.h"

#include "tests/graphs/graph-test.h"
#include "tests/require.h"

#include <stdlib.h>
#include <string.h>

static TtGraph *
graph_of_ranks (GRand *random)
{
  TtGraph *graph = tt_graph_new ();
  gint32 n = g_rand_int_range (random, 1, 120), n_lanes = g_rand_int_range (random, 1, 9);
  gint32 n_edges = g_rand_int_range (random, 0, 4 * n + 1);
  static const char *const categories[] = { "COMP", "I/O", "FW", "BW", "UPDATE_", "Comm" };
  gint32 n_categories = g_rand_boolean (random) ? 1 : (gint32) G_N_ELEMENTS (categories);

  for (gint32 i = 0; i < n; i++)
    {
      g_autofree char *pid = g_strdup_printf ("node%d", g_rand_int_range (random, 0, n_lanes));
      g_autofree char *name = g_strdup_printf ("COMP.f%d", i);
      g_autofree char *label = g_strdup_printf ("%s->%s", pid, name);
      guint32 number = tt_graph_add_node (graph, label, n_lanes == 1 ? NULL : pid,
                                          categories[g_rand_int_range (random, 0, n_categories)], name);
      TtNode *node = tt_graph_node (graph, number);

      node->cnt = (guint64) g_rand_int_range (random, 1, 1000);
      node->self_ns = node->sum_ns = g_rand_int (random);
    }
  for (gint32 i = 0; i < n_edges; i++)
    tt_graph_add_edge (graph, (guint32) g_rand_int_range (random, 0, n), (guint32) g_rand_int_range (random, 0, n),
                       (TtEdgeKind) g_rand_int_range (random, 0, TT_EDGE_END), 1, 0);
  if (g_rand_boolean (random))
    tt_graph_add_end (graph);
  tt_graph_finish (graph);
  return graph;
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtGraphLayout *layout = data;
  const TtGraphLayoutItem *x = &g_array_index (layout->items, TtGraphLayoutItem, *(const guint *) a);
  const TtGraphLayoutItem *y = &g_array_index (layout->items, TtGraphLayoutItem, *(const guint *) b);

  return x->layer != y->layer ? (x->layer < y->layer ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

/* Nothing lies over anything else, nor outside of its lane. */
static void
check_items (const TtGraphLayout *layout)
{
  g_autofree guint *order = g_new (guint, layout->items->len + 1);

  for (guint i = 0; i < layout->items->len; i++)
    {
      const TtGraphLayoutItem *item = &g_array_index (layout->items, TtGraphLayoutItem, i);

      order[i] = i;
      g_assert_cmpuint (item->layer, <, layout->n_layers);
      g_assert_cmpint (item->at - item->across / 2, >=, layout->lane_begin[item->lane]);
      g_assert_cmpint (item->at + item->across / 2, <=, layout->lane_end[item->lane]);
    }
  for (guint i = 1; i < layout->n_lanes; i++)
    g_assert_cmpint (layout->lane_begin[i], >=, layout->lane_end[i - 1]);
  g_qsort_with_data (order, (gint) layout->items->len, sizeof *order, compare_places, (gpointer) layout);
  for (guint i = 1; i < layout->items->len; i++)
    {
      const TtGraphLayoutItem *before = &g_array_index (layout->items, TtGraphLayoutItem, order[i - 1]);
      const TtGraphLayoutItem *item = &g_array_index (layout->items, TtGraphLayoutItem, order[i]);

      if (before->layer == item->layer)
        g_assert_cmpint (before->at + before->across / 2, <=, item->at - item->across / 2);
      if (before->layer == item->layer && before->lane == item->lane)
        g_assert_cmpuint (before->phase, <=, item->phase);
    }
}

/* Each edge is there once, links lead to the next layer, and bends lead from one end of the edge to the other. */
static void
check_links (const TtGraphLayout *layout, const TtGraph *graph)
{
  g_autofree guint *n_of_edge = g_new0 (guint, graph->edges->len + 1);
  g_autofree guint32 *before = g_new (guint32, layout->items->len + 1);

  for (guint i = 0; i < layout->links->len; i++)
    {
      const TtGraphLayoutLink *link = &g_array_index (layout->links, TtGraphLayoutLink, i);
      const TtGraphLayoutItem *from = &g_array_index (layout->items, TtGraphLayoutItem, link->from);
      const TtGraphLayoutItem *to = &g_array_index (layout->items, TtGraphLayoutItem, link->to);

      g_assert_cmpuint (from->layer + 1, ==, to->layer);
      g_assert_true ((link->edge == TT_GRAPH_LAYOUT_NONE) == (to->node == TT_GRAPH_LAYOUT_NONE));
      if (to->node == TT_GRAPH_LAYOUT_NONE)
        before[link->to] = link->from;
    }
  for (guint i = 0; i < layout->links->len; i++)
    {
      const TtGraphLayoutLink *link = &g_array_index (layout->links, TtGraphLayoutLink, i);
      guint32 first = link->from;

      if (link->edge == TT_GRAPH_LAYOUT_NONE)
        continue;
      const TtEdge *edge = tt_graph_edge (graph, link->edge);
      n_of_edge[link->edge]++;
      while (g_array_index (layout->items, TtGraphLayoutItem, first).node == TT_GRAPH_LAYOUT_NONE)
        first = before[first];
      g_assert_cmpuint (first, ==, layout->item_of[link->is_back ? edge->dst : edge->src]);
      g_assert_cmpuint (link->to, ==, layout->item_of[link->is_back ? edge->src : edge->dst]);
      g_assert_cmpuint (link->kind, ==, edge->kind);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      gboolean is_drawn = edge->src != edge->dst && edge->kind != TT_EDGE_END;
      g_assert_cmpuint (n_of_edge[i], ==, is_drawn);
    }
}

static void
test_layout (void)
{
  for (guint32 seed = 1; seed <= 300; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TtGraph) graph = graph_of_ranks (random);
      g_autoptr (TtGraphLayout) layout = tt_graph_layout_new (graph);
      g_autofree TtGraphLayoutSize *sizes = g_new (TtGraphLayoutSize, graph->nodes->len + 1);

      for (guint i = 0; i < graph->nodes->len; i++)
        sizes[i] = (TtGraphLayoutSize){ g_rand_int_range (random, 1, 200), g_rand_int_range (random, 1, 200) };
      tt_graph_layout_place (layout, sizes);
      check_items (layout);
      check_links (layout, graph);
    }
}

/* -- svg ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint n_nodes, n_edges, n_phases, n_scripts, n_others;
  GString *text;
} Seen;

static void
on_element (GMarkupParseContext *context,
            const char *name,
            const char **names,
            const char **values,
            gpointer data,
            GError **error)
{
  Seen *seen = data;

  for (guint i = 0; names[i] != NULL; i++)
    {
      seen->n_nodes +=
          strcmp (names[i], "class") == 0 && (strcmp (values[i], "n") == 0 || strcmp (values[i], "n p") == 0);
      seen->n_edges += strcmp (names[i], "data-a") == 0;
      seen->n_phases += strcmp (names[i], "class") == 0 && strcmp (values[i], "ph") == 0;
      g_assert_false (g_str_has_prefix (names[i], "on"));
    }
  seen->n_scripts += strcmp (name, "script") == 0;
  seen->n_others += strcmp (name, "img") == 0 || strcmp (name, "b") == 0;
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize len, gpointer data, GError **error)
{
  g_string_append_len (((Seen *) data)->text, text, (gssize) len);
}

static char *
svg_of (const TtGraph *graph, const TtGraphHeading *heading)
{
  g_autoptr (TtOutput) out = tt_output_open_memory ();

  tt_graph_svg_write (graph, heading, out);
  return g_string_free (tt_output_steal_text (out), FALSE);
}

static void
parse (const char *svg, Seen *seen)
{
  const GMarkupParser parser = { .start_element = on_element, .text = on_text };
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, seen, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_utf8_validate (svg, -1, NULL));
  g_markup_parse_context_parse (context, svg, -1, &error);
  require_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  require_no_error (error);
}

static void
test_hostile_names (void)
{
  static const char *const labels[] = { "<script>alert(1)</script>", "\"><img onerror=x>",
                                        "a & &lt; ]]> \x01\x1b[31m", "\xff\xfe bad",
                                        "\xef\xbf\xbf nonchar",      "" };
  g_autofree char *long_name = g_strnfill (70000, '<');
  g_autoptr (TtGraph) graph = make_graph (G_N_ELEMENTS (labels), labels);
  g_autoptr (GString) text = g_string_new (NULL);
  Seen seen = { .text = text };

  tt_graph_add_node (graph, long_name, long_name, long_name, long_name);
  for (guint32 i = 0; i < G_N_ELEMENTS (labels); i++)
    tt_graph_add_edge (graph, i, i + 1, TT_EDGE_MESSAGE, 1, 5);
  tt_graph_finish (graph);
  g_autofree char *svg = svg_of (graph, &(TtGraphHeading){ "<b>title</b>", "]]><b>note</b>" });
  g_autofree char *again = svg_of (graph, &(TtGraphHeading){ "<b>title</b>", "]]><b>note</b>" });

  g_assert_cmpstr (svg, ==, again);
  g_assert_cmpuint (strlen (svg), <, 40000);
  parse (svg, &seen);
  g_assert_cmpuint (seen.n_nodes, ==, G_N_ELEMENTS (labels) + 1);
  g_assert_cmpuint (seen.n_edges, ==, G_N_ELEMENTS (labels));
  g_assert_cmpuint (seen.n_scripts, ==, 1);
  g_assert_cmpuint (seen.n_others, ==, 0);
  g_assert_nonnull (strstr (text->str, "<script>alert(1)</script>"));
  g_assert_nonnull (strstr (text->str, "<b>title</b>"));
}

/* One shade for each process and category, where the graph is one of training. */
static guint
count_phases (const TtGraph *graph)
{
  g_autoptr (GHashTable) shades = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean has_forward = FALSE, has_backward = FALSE;

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);

      has_forward |= g_strcmp0 (node->op_cat, "FW") == 0;
      has_backward |= g_strcmp0 (node->op_cat, "BW") == 0;
      if (!node->is_end && g_strcmp0 (node->op_cat, "COMP") != 0)
        g_hash_table_add (shades, g_strdup_printf ("%s %s", node->pid == NULL ? "" : node->pid, node->op_cat));
    }
  return has_forward && has_backward ? g_hash_table_size (shades) : 0;
}

static void
test_random_svgs (void)
{
  guint n_with_phases = 0;

  for (guint32 seed = 1; seed <= 40; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TtGraph) graph = graph_of_ranks (random);
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *svg = svg_of (graph, &(TtGraphHeading){ NULL, NULL });
      Seen seen = { .text = text };
      guint n_nodes = 0, n_edges = 0;

      for (guint i = 0; i < graph->nodes->len; i++)
        n_nodes += !tt_graph_node (graph, i)->is_end;
      for (guint i = 0; i < graph->edges->len; i++)
        n_edges += tt_graph_edge (graph, i)->kind != TT_EDGE_END &&
                   tt_graph_edge (graph, i)->src != tt_graph_edge (graph, i)->dst;
      parse (svg, &seen);
      g_assert_cmpuint (seen.n_nodes, ==, n_nodes);
      g_assert_cmpuint (seen.n_edges, ==, n_edges);
      g_assert_cmpuint (seen.n_phases, ==, count_phases (graph));
      n_with_phases += seen.n_phases > 0;
    }
  g_assert_cmpuint (n_with_phases, >, 5);
}

/* -- folded ranks ---------------------------------------------------------------------------------------------- */

static void
test_fold_ranks (void)
{
  g_autoptr (TtGraph) graph = tt_graph_new ();
  guint n_folded;

  /* Of four ranks the last calls something else. */
  for (guint rank = 0; rank < 4; rank++)
    for (guint i = 0; i < 2; i++)
      {
        g_autofree char *pid = g_strdup_printf ("rank %u", rank);
        const char *name = i == 0 ? "COMP.main" : rank == 3 ? "COMP.other" : "Comm.send";
        g_autofree char *label = g_strdup_printf ("%s->%s", pid, name);
        guint32 number = tt_graph_add_node (graph, label, pid, "COMP", name);
        TtNode *node = tt_graph_node (graph, number);
        node->cnt = 1;
        node->sum_ns = node->self_ns = 10 + rank;
      }
  for (guint32 rank = 0; rank < 4; rank++)
    {
      tt_graph_add_edge (graph, 2 * rank, 2 * rank + 1, TT_EDGE_CALL, 1, 0);
      tt_graph_add_edge (graph, 2 * rank + 1, 2 * ((rank + 1) % 4), TT_EDGE_MESSAGE, 1, 7);
    }
  tt_graph_finish (graph);
  g_autoptr (TtGraph) folded = tt_graph_fold_ranks (graph, &n_folded);
  g_assert_cmpuint (n_folded, ==, 3);
  g_assert_cmpuint (folded->nodes->len, ==, 4);
  g_assert_cmpstr (tt_graph_node (folded, 0)->label, ==, "3 like rank 0->COMP.main");
  g_assert_cmpuint (tt_graph_node (folded, 0)->cnt, ==, 3);
  g_assert_true (tt_graph_node (folded, 1)->self_ns == 10 + 11 + 12);
  g_assert_cmpstr (tt_graph_node (folded, 2)->label, ==, "rank 3->COMP.main");
  guint64 n_calls = 0, n_messages = 0;
  for (guint i = 0; i < folded->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (folded, i);
      n_calls += edge->kind == TT_EDGE_CALL ? edge->cnt : 0;
      n_messages += edge->kind == TT_EDGE_MESSAGE ? edge->cnt : 0;
    }
  g_assert_cmpuint (n_calls, ==, 4);
  g_assert_cmpuint (n_messages, ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph-svg/layout", test_layout);
  g_test_add_func ("/graph-svg/hostile-names", test_hostile_names);
  g_test_add_func ("/graph-svg/random", test_random_svgs);
  g_test_add_func ("/graph-svg/fold-ranks", test_fold_ranks);
  return g_test_run ();
}
