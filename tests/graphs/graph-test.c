/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/graphs/graph-test.h"

#include "graphs/edge-table.h"

TtGraph *
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

TtGraph *
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
