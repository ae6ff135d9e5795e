/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/graph-svg/legend.h"

#include "formats/dot/dot.h"
#include "formats/graph-svg/label.h"
#include "pictures/svg.h"

#include <string.h>

/* Colours that colour-blind people tell apart (Okabe and Ito 2008), darker on white, lighter on black. */
static const struct
{
  const char *name, *light, *dark, *dashes;
} edge_styles[TT_N_EDGE_KINDS] = {
  [TT_EDGE_CALL] = { "call", "#666666", "#999999", "" },
  [TT_EDGE_SEQUENCE] = { "sequence", "#0072b2", "#56b4e9", "5 3" },
  [TT_EDGE_MESSAGE] = { "message", "#d55e00", "#e69f00", "" },
  [TT_EDGE_COLLECTIVE] = { "collective", "#7a4fb0", "#b08fe0", "" },
  [TT_EDGE_FLOW] = { "flow", "#007a58", "#00b383", "" },
  [TT_EDGE_SYNC] = { "sync", "#b0407f", "#e58bbd", "" },
  [TT_EDGE_INFERRED] = { "inferred", "#007a58", "#00b383", "2 3" },
  [TT_EDGE_DEPENDENCY] = { "dependency", "#666666", "#999999", "" },
  [TT_EDGE_END] = { "end", "#999999", "#777777", "1 3" },
  [TT_EDGE_VIA] = { "via", "#777777", "#999999", "2 4" },
};

const char *
tt_legend_edge_class (guint kind)
{
  return edge_styles[kind].name;
}

void
tt_legend_write_styles (TtOutput *out)
{
  tt_output_literal (out, "<style>\n"
                          "svg{background:#fff;font:11px Helvetica,Arial,sans-serif;fill:#222}\n"
                          ".t{font-size:15px;font-weight:bold}.s{fill:#555}.lane{fill:#f4f4f4}.ln{fill:#555}\n"
                          ".ph{fill-opacity:.45}\n"
                          ".n rect{stroke:#606060}.n text{fill:#111}.n .b{fill:#333;fill-opacity:.55;stroke:none}\n"
                          ".n{cursor:pointer}.e{fill:none;stroke-opacity:.8}.p rect{stroke:#c00000;stroke-width:2.5}\n"
                          ".e.p{stroke-width:3.5}.hit rect{stroke:#000;stroke-width:4}.far{opacity:.12}\n"
                          "#find{cursor:pointer;text-decoration:underline}\n");
  for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    tt_output_printf (out, ".%s{stroke:%s;stroke-dasharray:%s}.h-%s{fill:%s;stroke:none}\n", edge_styles[kind].name,
                      edge_styles[kind].light, *edge_styles[kind].dashes == '\0' ? "none" : edge_styles[kind].dashes,
                      edge_styles[kind].name, edge_styles[kind].light);
  tt_output_literal (out, "@media(prefers-color-scheme:dark){svg{background:#16181d;fill:#ddd}.s,.ln{fill:#aaa}.lane{"
                          "fill:#1f2229}.ph{fill-opacity:.2}"
                          ".p rect{stroke:#ff5c5c}.hit rect{stroke:#fff}\n");
  for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    tt_output_printf (out, ".%s{stroke:%s}.h-%s{fill:%s}\n", edge_styles[kind].name, edge_styles[kind].dark,
                      edge_styles[kind].name, edge_styles[kind].dark);
  tt_output_literal (out, "}\n</style>\n<defs>\n");
  for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    tt_output_printf (
        out,
        "<marker id=\"a-%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path class=\"h-%s\" d=\"M0 0L8 4L0 8z\"/>"
        "</marker>\n",
        edge_styles[kind].name, edge_styles[kind].name);
  tt_output_literal (out, "</defs>\n");
}

/* -- the legend ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  TtOutput *out;
  gint32 left, right, x, y, reached;
} Legend;

/* Makes room for a sample of @width and @text after it; returns where the sample begins. */
static gint32
begin_entry (Legend *self, gint32 width, const char *text)
{
  gint32 need = width + 4 + tt_label_width (text, 40);

  if (self->x > self->left && self->x + need > self->right)
    {
      self->x = self->left;
      self->y += TT_LEGEND_ROW;
    }
  gint32 x = self->x;
  g_autoptr (GString) xml = g_string_new (NULL);
  tt_svg_append_escaped (xml, text, 40);
  tt_output_printf (self->out, "<text x=\"%d\" y=\"%d\">%s</text>\n", x + width + 4, self->y, xml->str);
  self->reached = MAX (self->reached, x + need);
  self->x += need + 16;
  return x;
}

static void
add_categories (Legend *self, const TtGraph *graph)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);

      if (node->is_rest || node->is_end || node->op_cat == NULL || strcmp (tt_dot_fill (node), TT_DOT_NO_FILL) == 0 ||
          !g_hash_table_add (seen, (gpointer) node->op_cat))
        continue;
      gint32 x = begin_entry (self, 12, node->op_cat);
      tt_output_printf (
          self->out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" rx=\"2\" fill=\"%s\" stroke=\"#606060\"/>\n",
          x, self->y - 10, tt_dot_fill (node));
    }
}

static void
add_kinds (Legend *self, const TtGraph *graph)
{
  guint kinds = 0;

  for (guint i = 0; i < graph->edges->len; i++)
    kinds |= tt_graph_edge (graph, i)->kind == TT_EDGE_END ? 0 : 1u << tt_graph_edge (graph, i)->kind;
  for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
    if ((kinds & 1u << kind) != 0)
      {
        const char *name = edge_styles[kind].name;
        gint32 x = begin_entry (self, 26, kind == TT_EDGE_VIA ? "via what is left out" : name);
        tt_output_printf (self->out, "<path class=\"e %s\" marker-end=\"url(#a-%s)\" d=\"M%d %dH%d\"/>\n", name, name,
                          x, self->y - 4, x + 26);
      }
}

gint32
tt_legend_write (const TtGraph *graph, gboolean has_times, gint32 left, gint32 right, gint32 *y, TtOutput *out)
{
  Legend self = { .out = out, .left = left, .right = right, .x = left, .y = *y };

  add_categories (&self, graph);
  add_kinds (&self, graph);
  if (has_times)
    {
      gint32 x = begin_entry (&self, 18, "path by averages");
      tt_output_printf (
          out, "<g class=\"p\"><rect x=\"%d\" y=\"%d\" width=\"18\" height=\"12\" rx=\"3\" fill=\"none\"/></g>\n", x,
          self.y - 10);
      x = begin_entry (&self, 18, "self time, of the largest");
      tt_output_printf (out, "<rect x=\"%d\" y=\"%d\" width=\"18\" height=\"3\" fill=\"#777\"/>\n", x, self.y - 5);
    }
  *y = self.y;
  return self.reached;
}
