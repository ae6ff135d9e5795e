/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/graph-json.h"

static void
write_text (TtOutput *out, const char *key, const char *text)
{
  tt_output_printf (out, ",\"%s\":", key);
  if (text == NULL)
    tt_output_literal (out, "null");
  else
    tt_output_json_string (out, text);
}

static void
write_node (const TtNode *node, guint number, TtOutput *out)
{
  g_autofree char *gaps = tt_graph_node_gaps_json (node);

  tt_output_printf (out, "{\"id\":%u", number);
  write_text (out, "label", node->label);
  write_text (out, "pid", node->pid);
  write_text (out, "op_cat", node->op_cat);
  write_text (out, "name", node->name);
  tt_output_printf (out, ",\"cnt\":%" G_GUINT64_FORMAT ",\"avg_us\":", node->cnt);
  tt_output_us (out, tt_average_ns (node->sum_ns, node->cnt));
  tt_output_literal (out, ",\"self_us\":");
  tt_output_us (out, (gint64) CLAMP (node->self_ns, G_MININT64, G_MAXINT64));
  tt_output_literal (out, ",\"gaps\":");
  tt_output_text (out, gaps);
  if (node->event != 0)
    {
      tt_output_printf (out, ",\"event\":%" G_GUINT64_FORMAT ",\"ts_us\":", node->event);
      tt_output_us (out, node->ts_ns);
    }
  if (node->n_merged != 1)
    tt_output_printf (out, ",\"merged\":%" G_GUINT64_FORMAT, node->n_merged);
  if (node->is_rest)
    tt_output_literal (out, ",\"rest\":true");
  if (node->is_end)
    tt_output_literal (out, ",\"end\":true");
  tt_output_literal (out, "}");
}

static void
write_edge (const TtEdge *edge, TtOutput *out)
{
  tt_output_printf (out,
                    "{\"src\":%u,\"dst\":%u,\"source\":%u,\"target\":%u,\"kind\":\"%s\",\"cnt\":%" G_GUINT64_FORMAT
                    ",\"gap_us\":",
                    edge->src, edge->dst, edge->src, edge->dst, tt_edge_kind_text (edge->kind), edge->cnt);
  tt_output_us (out, tt_average_ns (edge->gap_ns, edge->cnt));
  tt_output_literal (out, "}");
}

void
tt_graph_json_write (const TtGraph *graph, TtOutput *out)
{
  tt_output_literal (out, "{\"directed\":true,\"multigraph\":true,\"nodes\":[");
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      tt_output_text (out, i == 0 ? "\n" : ",\n");
      write_node (tt_graph_node (graph, i), i, out);
    }
  tt_output_literal (out, "\n],\"edges\":[");
  for (guint i = 0; i < graph->edges->len; i++)
    {
      tt_output_text (out, i == 0 ? "\n" : ",\n");
      write_edge (tt_graph_edge (graph, i), out);
    }
  tt_output_literal (out, "\n]}\n");
}
