/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/graph-gml.h"

#include "formats/dot/graph-columns.h"

/* Digits after the point. */
#define IN_MS 6
#define IN_US 3

typedef struct
{
  TtOutput *out;
  TtGraphColumns columns; /* of all nodes: a number is 0 where it is missing */
  GHashTable *labels;     /* that are taken */
} Writer;

/* What is not ASCII, or GML's own, becomes an entity. Free it. */
static char *
quote (const char *text)
{
  g_autofree char *line = tt_graph_line (text);
  GString *quoted = g_string_new (NULL);

  for (const char *p = line; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '"')
        g_string_append (quoted, "&quot;");
      else if (c == '&')
        g_string_append (quoted, "&amp;");
      else if (c >= 0x80)
        g_string_append_printf (quoted, "&#%u;", c);
      else
        g_string_append_c (quoted, (char) c);
    }
  return g_string_free (quoted, FALSE);
}

static void
write_text (const Writer *self, const char *key, const char *text)
{
  g_autofree char *quoted = quote (text);

  tt_output_printf (self->out, "    %s \"", key);
  tt_output_text (self->out, quoted);
  tt_output_literal (self->out, "\"\n");
}

/* With the node's number after one that was there before, as in DOT. */
static void
write_label (const Writer *self, const char *label, guint number)
{
  g_autofree char *quoted = quote (label);

  while (g_hash_table_contains (self->labels, quoted))
    {
      char *other = g_strdup_printf ("%s [%u]", quoted, number);
      g_free (quoted);
      quoted = other;
    }
  tt_output_literal (self->out, "    label \"");
  tt_output_text (self->out, quoted);
  tt_output_literal (self->out, "\"\n");
  g_hash_table_add (self->labels, g_steal_pointer (&quoted));
}

/* Exactly, and without an exponent. */
static void
write_time (const Writer *self, const char *key, tt_int128 ns, guint n_digits)
{
  gint64 clamped = (gint64) CLAMP (ns, -G_MAXINT64, G_MAXINT64);
  guint64 whole = (guint64) ABS (clamped), part = 0, scale = 1;

  for (guint i = 0; i < n_digits; i++)
    scale *= 10;
  part = whole % scale;
  for (; part != 0 && part % 10 == 0; n_digits--)
    part /= 10;
  tt_output_printf (self->out, "    %s %s%" G_GUINT64_FORMAT, key, clamped < 0 ? "-" : "", whole / scale);
  if (part != 0)
    tt_output_printf (self->out, ".%0*" G_GINT64_MODIFIER "u", (int) n_digits, part);
  tt_output_literal (self->out, "\n");
}

static void
write_node (const Writer *self, const TtNode *node, guint number)
{
  tt_output_printf (self->out, "  node\n  [\n    id %u\n", number);
  write_label (self, node->label, number);
  write_text (self, "pid", node->pid);
  write_text (self, "opcat", node->op_cat);
  write_text (self, "name", node->name);
  tt_output_printf (self->out, "    cnt %" G_GUINT64_FORMAT "\n", node->cnt);
  write_time (self, "avg", tt_average_ns (node->sum_ns, node->cnt), IN_MS);
  write_time (self, "selftime", node->self_ns, IN_MS);
  for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    if (self->columns.gaps[kind])
      {
        g_autofree char *key = g_strconcat ("gap", tt_edge_kind_text ((TtEdgeKind) kind), NULL);
        write_time (self, key, node->gap_cnt[kind] == 0 ? 0 : tt_average_ns (node->gap_ns[kind], node->gap_cnt[kind]),
                    IN_US);
      }
  if (self->columns.events)
    {
      tt_output_printf (self->out, "    event %" G_GUINT64_FORMAT "\n", node->event);
      write_time (self, "ts", node->ts_ns, IN_US);
    }
  tt_output_literal (self->out, "  ]\n");
}

static void
write_edge (const Writer *self, const TtEdge *edge)
{
  tt_output_printf (self->out,
                    "  edge\n  [\n    source %u\n    target %u\n    kind \"%s\"\n    cnt %" G_GUINT64_FORMAT "\n",
                    edge->src, edge->dst, tt_edge_kind_text (edge->kind), edge->cnt);
  write_time (self, "gap", tt_average_ns (edge->gap_ns, edge->cnt), IN_US);
  tt_output_literal (self->out, "  ]\n");
}

void
tt_graph_gml_write (const TtGraph *graph, TtOutput *out)
{
  g_autoptr (GHashTable) labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Writer self = { .out = out, .columns = tt_graph_columns (graph), .labels = labels };

  tt_output_literal (out, "Creator \"tracetool\"\nVersion 1\ngraph\n[\n  directed 1\n  multigraph 1\n");
  for (guint i = 0; i < graph->nodes->len; i++)
    write_node (&self, tt_graph_node (graph, i), i);
  for (guint i = 0; i < graph->edges->len; i++)
    write_edge (&self, tt_graph_edge (graph, i));
  tt_output_literal (out, "]\n");
}
