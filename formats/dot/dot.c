/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/dot.h"

#include <math.h>
#include <string.h>

#include "src/base/units.h"

#define LINE_CHARS 28
#define MAX_LINES 4
/* dot takes no string longer than 16384 bytes. */
#define MAX_QUOTED 4000

static const struct
{
  const char *op_cat, *fill;
} colours[] = {
  { "COMP", "#c6dbef" },    { "Comm", "#fdd0a2" },   { "SYNC", "#fcbba1" },     { "I/O", "#c7e9c0" },
  { "MEM", "#dadaeb" },     { "RT", "#e6e0d0" },     { "FW", "#d4e6f9" },       { "BW", "#f9d9e6" },
  { "UPDATE_", "#fff2b3" }, { "OUTPUT", "#d5f0ee" }, { "ServerOp", "#ecd9c6" },
};

static const char *const edge_styles[TT_N_EDGE_KINDS] = {
  [TT_EDGE_CALL] = "color=\"#555555\"",
  [TT_EDGE_SEQUENCE] = "color=\"#1f78b4\", style=dashed",
  [TT_EDGE_MESSAGE] = "color=\"#d95f02\", style=bold",
  [TT_EDGE_COLLECTIVE] = "color=\"#7570b3\", style=bold",
  [TT_EDGE_FLOW] = "color=\"#1b9e77\", style=bold",
  [TT_EDGE_DEPENDENCY] = "color=\"#555555\"",
  [TT_EDGE_SYNC] = "color=\"#e7298a\", style=bold",
  [TT_EDGE_INFERRED] = "color=\"#1b9e77\", style=dashed",
  [TT_EDGE_END] = "color=\"#999999\", style=dotted, arrowhead=none",
  [TT_EDGE_VIA] = "color=\"#8a8a8a\", style=dotted",
};

const char *
tt_dot_fill (const TtNode *node)
{
  if (node->is_rest)
    return "#d0d0d0";
  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    if (g_strcmp0 (colours[i].op_cat, node->op_cat) == 0)
      return colours[i].fill;
  return TT_DOT_NO_FILL;
}

/* Within quotes. In an id only quotes and backslashes matter; a label also knows \n, \N, \G and entities. */
static void
append_char (GString *text, gunichar c, gboolean is_label)
{
  if (c == '"' || c == '\\')
    g_string_append_c (text, '\\');
  if (c < 0x20 || (c >= 0x7f && c < 0xa0))
    g_string_append_c (text, ' ');
  else if (c == '&' && is_label)
    g_string_append (text, "&amp;");
  else
    g_string_append_unichar (text, c);
}

static gboolean
breaks_after (const char *p)
{
  return strchr (" ./_,;)>-]}", *p) != NULL || (*p == ':' && p[1] != ':') || *p == '(';
}

/* Lines of at most LINE_CHARS characters, broken where a name has a seam; what is too long ends in "...". */
static void
append_wrapped (GString *text, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  const char *line = valid;

  for (int lines = 1; *line != '\0'; lines++)
    {
      const char *seam = NULL, *p = line;
      int n = 0;

      for (; *p != '\0' && n < LINE_CHARS; p = g_utf8_next_char (p), n++)
        if (n >= LINE_CHARS / 3 && breaks_after (p) && !(p[0] == '-' && p[1] == '>'))
          seam = g_utf8_next_char (p);
      if (*p != '\0' && seam != NULL)
        p = seam;
      for (; line < p; line = g_utf8_next_char (line))
        append_char (text, g_utf8_get_char (line), TRUE);
      while (text->len > 0 && text->str[text->len - 1] == ' ')
        g_string_truncate (text, text->len - 1);
      while (*line == ' ')
        line++;
      if (*line != '\0' && lines == MAX_LINES)
        {
          g_string_append (text, "...");
          line += strlen (line);
        }
      g_string_append (text, "\\n");
    }
}

void
tt_dot_quote (GString *text, const char *name, gboolean is_label)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  gsize start = text->len;

  g_string_append_c (text, '"');
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      append_char (text, g_utf8_get_char (p), is_label);
      if (text->len - start > MAX_QUOTED)
        {
          g_string_append (text, "...");
          break;
        }
    }
  g_string_append_c (text, '"');
}

/* Ids: the quoted label, with the node's number after one that was there before. */
static char **
make_ids (const TtGraph *graph)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  char **ids = g_new0 (char *, (gsize) graph->nodes->len + 1);

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      GString *id = g_string_new (NULL);
      tt_dot_quote (id, tt_graph_node (graph, i)->label, FALSE);
      if (g_hash_table_contains (seen, id->str))
        {
          g_string_truncate (id, id->len - 1);
          g_string_append_printf (id, " [%u]\"", i);
        }
      ids[i] = g_string_free (id, FALSE);
      g_hash_table_add (seen, ids[i]);
    }
  return ids;
}

static void
append_numbers (GString *text, const TtNode *node)
{
  char count[TT_TIME_TEXT], time[TT_TIME_TEXT];

  if (node->is_end || (node->is_rest && node->n_merged == 0))
    return;
  if (node->is_rest)
    g_string_append_printf (text, "%s spans, self %s", tt_count_text (count, node->cnt),
                            tt_time_auto (time, (gint64) node->self_ns));
  else if (node->event != 0)
    g_string_append (text, tt_time_auto (time, (gint64) node->sum_ns));
  else
    g_string_append_printf (text, "%s x, avg %s", tt_count_text (count, node->cnt),
                            tt_time_auto (time, tt_average_ns (node->sum_ns, node->cnt)));
}

static void
write_node (const TtNode *node, const char *id, TtOutput *out)
{
  g_autoptr (GString) text = g_string_new ("  ");

  g_string_append_printf (text, "%s [label=\"", id);
  append_wrapped (text, node->label);
  append_numbers (text, node);
  if (g_str_has_suffix (text->str, "\\n"))
    g_string_truncate (text, text->len - 2);
  g_string_append_printf (text, "\", fillcolor=\"%s\"", tt_dot_fill (node));
  if (node->is_end)
    g_string_append (text, ", shape=doublecircle");
  if (node->is_rest)
    g_string_append (text, ", style=\"filled,dashed\", color=\"#808080\"");
  g_string_append (text, ", tooltip=");
  tt_dot_quote (text, node->label, TRUE);
  g_string_append (text, "];\n");
  tt_output_bytes (out, text->str, text->len);
}

/* 1 to 4 by the logarithm of the count, in tenths so that no float is printed. */
static guint
width_tenths (guint64 cnt, guint64 max_cnt)
{
  if (cnt <= 1 || max_cnt <= 1)
    return 10;
  return 10 + (guint) (30.0 * log ((double) cnt) / log ((double) max_cnt) + 0.5);
}

static void
write_edge (const TtEdge *edge, char **ids, guint64 max_cnt, TtOutput *out)
{
  char count[TT_TIME_TEXT], time[TT_TIME_TEXT];
  gboolean has_count = edge->kind != TT_EDGE_END && edge->kind != TT_EDGE_VIA;
  guint width = width_tenths (has_count ? edge->cnt : 1, max_cnt);
  g_autoptr (GString) text = g_string_new ("  ");

  g_string_append_printf (text, "%s -> %s [%s, penwidth=%u.%u", ids[edge->src], ids[edge->dst], edge_styles[edge->kind],
                          width / 10, width % 10);
  if (edge->kind == TT_EDGE_VIA)
    g_string_append_printf (text, ", tooltip=\"via: %s left out\"",
                            edge->cnt == 0 ? "what is" : tt_count_text (count, edge->cnt));
  if (has_count)
    {
      if (edge->cnt > 1)
        g_string_append_printf (text, ", label=\"%s\"", tt_count_text (count, edge->cnt));
      g_string_append_printf (text, ", tooltip=\"%s: %s x", tt_edge_kind_text (edge->kind),
                              tt_count_text (count, edge->cnt));
      if (edge->kind != TT_EDGE_CALL)
        g_string_append_printf (text, ", gap %s", tt_time_auto (time, tt_average_ns (edge->gap_ns, edge->cnt)));
      g_string_append_c (text, '"');
    }
  g_string_append (text, "];\n");
  tt_output_bytes (out, text->str, text->len);
}

void
tt_dot_write (const TtGraph *graph, TtOutput *out)
{
  g_auto (GStrv) ids = make_ids (graph);
  guint64 max_cnt = 1;

  tt_output_literal (out, "digraph tracetool {\n"
                          "  charset=\"UTF-8\";\n"
                          "  rankdir=TB;\n"
                          "  node [shape=box, style=\"filled,rounded\", color=\"#606060\", fontname=\"Helvetica\", "
                          "fontsize=10];\n"
                          "  edge [fontname=\"Helvetica\", fontsize=8, fontcolor=\"#555555\", arrowsize=0.7];\n");
  for (guint i = 0; i < graph->nodes->len; i++)
    write_node (tt_graph_node (graph, i), ids[i], out);
  for (guint i = 0; i < graph->edges->len; i++)
    if (tt_graph_edge (graph, i)->kind != TT_EDGE_END && tt_graph_edge (graph, i)->kind != TT_EDGE_VIA)
      max_cnt = MAX (max_cnt, tt_graph_edge (graph, i)->cnt);
  for (guint i = 0; i < graph->edges->len; i++)
    write_edge (tt_graph_edge (graph, i), ids, max_cnt, out);
  tt_output_literal (out, "}\n");
}
