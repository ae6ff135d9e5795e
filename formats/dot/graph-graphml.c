/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/graph-graphml.h"

#include "formats/dot/graph-columns.h"

static void
write_key (TtOutput *out, const char *owner, const char *name, const char *type)
{
  tt_output_printf (out, "  <key id=\"%c_%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                    owner[0] == 'n' ? 'v' : 'e', name, owner, name, type);
}

static void
write_keys (TtOutput *out, const TtGraphColumns *columns)
{
  write_key (out, "node", "label", "string");
  write_key (out, "node", "pid", "string");
  write_key (out, "node", "op_cat", "string");
  write_key (out, "node", "name", "string");
  write_key (out, "node", "cnt", "long");
  write_key (out, "node", "avg_us", "double");
  write_key (out, "node", "self_us", "double");
  for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    if (columns->gaps[kind])
      {
        g_autofree char *name = g_strconcat ("gap_", tt_edge_kind_text ((TtEdgeKind) kind), "_us", NULL);
        write_key (out, "node", name, "double");
      }
  if (columns->events)
    {
      write_key (out, "node", "event", "long");
      write_key (out, "node", "ts_us", "double");
    }
  write_key (out, "edge", "kind", "string");
  write_key (out, "edge", "cnt", "long");
  write_key (out, "edge", "gap_us", "double");
}

static void
write_text (TtOutput *out, const char *key, const char *text)
{
  g_autofree char *line = tt_graph_line (text);
  g_autofree char *escaped = g_markup_escape_text (line, -1);

  tt_output_printf (out, "      <data key=\"%s\">", key);
  tt_output_text (out, escaped);
  tt_output_literal (out, "</data>\n");
}

static void
write_count (TtOutput *out, const char *key, guint64 count)
{
  tt_output_printf (out, "      <data key=\"%s\">%" G_GUINT64_FORMAT "</data>\n", key, count);
}

static void
write_us (TtOutput *out, const char *key, gint64 ns)
{
  tt_output_printf (out, "      <data key=\"%s\">", key);
  tt_output_us (out, ns);
  tt_output_literal (out, "</data>\n");
}

static void
write_node (TtOutput *out, const TtNode *node, guint number)
{
  tt_output_printf (out, "    <node id=\"n%u\">\n", number);
  write_text (out, "v_label", node->label);
  write_text (out, "v_pid", node->pid);
  write_text (out, "v_op_cat", node->op_cat);
  write_text (out, "v_name", node->name);
  write_count (out, "v_cnt", node->cnt);
  write_us (out, "v_avg_us", tt_average_ns (node->sum_ns, node->cnt));
  write_us (out, "v_self_us", (gint64) CLAMP (node->self_ns, G_MININT64, G_MAXINT64));
  for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    if (node->gap_cnt[kind] > 0)
      {
        g_autofree char *key = g_strconcat ("v_gap_", tt_edge_kind_text ((TtEdgeKind) kind), "_us", NULL);
        write_us (out, key, tt_average_ns (node->gap_ns[kind], node->gap_cnt[kind]));
      }
  if (node->event != 0)
    {
      write_count (out, "v_event", node->event);
      write_us (out, "v_ts_us", node->ts_ns);
    }
  tt_output_literal (out, "    </node>\n");
}

static void
write_edge (TtOutput *out, const TtEdge *edge)
{
  tt_output_printf (out, "    <edge source=\"n%u\" target=\"n%u\">\n", edge->src, edge->dst);
  write_text (out, "e_kind", tt_edge_kind_text (edge->kind));
  write_count (out, "e_cnt", edge->cnt);
  write_us (out, "e_gap_us", tt_average_ns (edge->gap_ns, edge->cnt));
  tt_output_literal (out, "    </edge>\n");
}

void
tt_graph_graphml_write (const TtGraph *graph, TtOutput *out)
{
  const TtGraphColumns columns = tt_graph_columns (graph);

  tt_output_literal (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"\n"
                          "         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
                          "         xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns\n"
                          "         http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n");
  write_keys (out, &columns);
  tt_output_literal (out, "  <graph id=\"G\" edgedefault=\"directed\">\n");
  for (guint i = 0; i < graph->nodes->len; i++)
    write_node (out, tt_graph_node (graph, i), i);
  for (guint i = 0; i < graph->edges->len; i++)
    write_edge (out, tt_graph_edge (graph, i));
  tt_output_literal (out, "  </graph>\n</graphml>\n");
}
