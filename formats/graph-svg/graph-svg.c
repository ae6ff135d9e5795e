/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/graph-svg/graph-svg.h"

#include "formats/dot/dot.h"
#include "formats/graph-svg/graph-layout.h"
#include "formats/graph-svg/label.h"
#include "formats/graph-svg/legend.h"
#include "formats/graph-svg/phases.h"
#include "graphs/longest-path.h"
#include "pictures/svg.h"
#include "src/base/units.h"

#define NAME_CHARS 34
#define TOOLTIP_CHARS 1000
#define NODE_HEIGHT 34
#define MARGIN 16
#define HEAD 62 /* of the first row of the legend */
#define LEAST_WIDTH 620
#define LANE_LABEL 96 /* left of the lanes, where layers go from left to right */

#define ITEM(layout, i) (&g_array_index ((layout)->items, TtGraphLayoutItem, (i)))

typedef struct
{
  const TtGraph *graph;
  TtGraphLayout *layout;
  TtOutput *out;
  guint8 *on_path;        /* by node */
  guint32 *path_next;     /* by node: the one after it on the path */
  gboolean is_wide;       /* layers go from left to right */
  gint32 left, top;       /* where the layout begins */
  tt_int128 max_self_ns;  /* of a node */
  guint n_nodes, n_edges; /* that are drawn */
} Drawing;

/* -- places ---------------------------------------------------------------------------------------------------------- */

static const char *
name_of (const TtNode *node)
{
  return node->name != NULL ? node->name : node->label;
}

static char *
numbers_of (const TtNode *node, gboolean has_times)
{
  char count[TT_TIME_TEXT], time[TT_TIME_TEXT];

  if (!has_times)
    return g_strdup ("");
  if (node->event != 0)
    return g_strdup (tt_time_auto (time, (gint64) node->sum_ns));
  return g_strdup_printf ("%s x, avg %s", tt_count_text (count, node->cnt),
                          tt_time_auto (time, tt_average_ns (node->sum_ns, node->cnt)));
}

static TtGraphLayoutSize
size_of (const Drawing *self, const TtNode *node)
{
  g_autofree char *numbers = numbers_of (node, self->max_self_ns > 0);
  gint32 width = MAX (tt_label_width (name_of (node), NAME_CHARS), tt_label_width (numbers, NAME_CHARS)) + 16;

  width = CLAMP (width, 60, 260);
  return self->is_wide ? (TtGraphLayoutSize){ width, NODE_HEIGHT } : (TtGraphLayoutSize){ NODE_HEIGHT, width };
}

static void
lay_out (Drawing *self)
{
  guint n = self->graph->nodes->len;
  g_autofree TtGraphLayoutSize *sizes = g_new (TtGraphLayoutSize, (gsize) n + 1);

  self->layout = tt_graph_layout_new (self->graph);
  self->is_wide = tt_graph_layout_is_wide (self->layout, &(TtGraphLayoutSize){ 170, NODE_HEIGHT + 10 });
  for (guint i = 0; i < n; i++)
    sizes[i] = size_of (self, tt_graph_node (self->graph, i));
  tt_graph_layout_place (self->layout, sizes);
  self->left = MARGIN + (self->is_wide && self->layout->n_lanes > 1 ? LANE_LABEL : 0);
}

static void
mark_path (Drawing *self)
{
  guint n = self->graph->nodes->len;
  g_autoptr (TtLongestPath) path = tt_model_path_new (self->graph, NULL);

  self->on_path = g_new0 (guint8, (gsize) n + 1);
  self->path_next = g_new (guint32, (gsize) n + 1);
  for (guint i = 0; i <= n; i++)
    self->path_next[i] = TT_GRAPH_LAYOUT_NONE;
  for (guint i = 0; i < path->nodes->len; i++)
    {
      guint32 node = g_array_index (path->nodes, guint32, i);

      self->on_path[node] = 1;
      if (i + 1 < path->nodes->len)
        self->path_next[node] = g_array_index (path->nodes, guint32, i + 1);
    }
}

/* -- nodes ----------------------------------------------------------------------------------------------------------- */

static void
append_tooltip (const Drawing *self, const TtNode *node, GString *xml)
{
  char text[TT_TIME_TEXT];

  g_string_append (xml, "<title>");
  tt_svg_append_escaped (xml, node->label, TOOLTIP_CHARS);
  g_string_append_printf (xml, "\n%s x", tt_count_text (text, node->cnt));
  g_string_append_printf (xml, ", in all %s", tt_time_shown (text, node->sum_ns));
  g_string_append_printf (xml, ", self %s", tt_time_shown (text, node->self_ns));
  if (node->n_merged > 1)
    g_string_append_printf (xml, "\n%s operations in one", tt_count_text (text, node->n_merged));
  g_string_append (xml, "</title>");
}

static void
write_node (const Drawing *self, guint32 number)
{
  const TtNode *node = tt_graph_node (self->graph, number);
  const TtGraphLayoutItem *item = ITEM (self->layout, self->layout->item_of[number]);
  gint32 begin = self->layout->layer_begin[item->layer], side = item->at - item->across / 2;
  gint32 x = self->left + (self->is_wide ? begin : side), y = self->top + (self->is_wide ? side : begin);
  gint32 width = self->is_wide ? item->along : item->across;
  gint32 bar = self->max_self_ns > 0 ? (gint32) (node->self_ns * (width - 8) / self->max_self_ns) : 0;
  g_autofree char *numbers = numbers_of (node, self->max_self_ns > 0);
  g_autoptr (GString) xml = g_string_new (NULL);

  g_string_append_printf (xml, "<g class=\"n%s\" id=\"n%u\">",
                          self->on_path != NULL && self->on_path[number] ? " p" : "", number);
  append_tooltip (self, node, xml);
  g_string_append_printf (xml, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"%s\"/>", x, y, width,
                          NODE_HEIGHT, tt_dot_fill (node));
  g_string_append_printf (xml, "<text x=\"%d\" y=\"%d\">", x + 8, y + (*numbers == '\0' ? 21 : 14));
  tt_svg_append_escaped (xml, name_of (node), NAME_CHARS);
  g_string_append_printf (xml, "</text><text x=\"%d\" y=\"%d\">", x + 8, y + 26);
  tt_svg_append_escaped (xml, numbers, NAME_CHARS);
  g_string_append (xml, "</text>");
  if (bar > 0)
    g_string_append_printf (xml, "<rect class=\"b\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"3\"/>", x + 4,
                            y + NODE_HEIGHT - 4, bar);
  g_string_append (xml, "</g>\n");
  tt_output_bytes (self->out, xml->str, xml->len);
}

/* -- edges ----------------------------------------------------------------------------------------------------------- */

static void
append_point (const Drawing *self, GString *xml, gint32 along, gint32 across)
{
  g_string_append_printf (xml, "%d %d", self->left + (self->is_wide ? along : across),
                          self->top + (self->is_wide ? across : along));
}

static void
append_straight (const Drawing *self, GString *xml, gint32 along)
{
  g_string_append_printf (xml, "%c%d", self->is_wide ? 'H' : 'V', (self->is_wide ? self->left : self->top) + along);
}

/* Straight out of a layer, so that it passes over no other node of that, and then in a curve to the next. */
static void
append_line (const Drawing *self, const TtGraphLayoutLink *link, GString *xml)
{
  const TtGraphLayout *layout = self->layout;
  const TtGraphLayoutItem *from = ITEM (layout, link->from), *to = ITEM (layout, link->to);
  gint32 out = layout->layer_end[from->layer], in = layout->layer_begin[to->layer];
  gint32 begin = from->node == TT_GRAPH_LAYOUT_NONE ? out : layout->layer_begin[from->layer] + from->along;
  gint32 middle = out + (in - out) / 2;

  g_string_append (xml, " d=\"M");
  append_point (self, xml, begin, from->at);
  if (begin != out)
    append_straight (self, xml, out);
  g_string_append_c (xml, 'C');
  append_point (self, xml, middle, from->at);
  g_string_append_c (xml, ' ');
  append_point (self, xml, middle, to->at);
  g_string_append_c (xml, ' ');
  append_point (self, xml, in, to->at);
  if (to->node == TT_GRAPH_LAYOUT_NONE && layout->layer_end[to->layer] != in)
    append_straight (self, xml, layout->layer_end[to->layer]);
  g_string_append (xml, "\"");
}

static void
append_edge_tooltip (const Drawing *self, const TtEdge *edge, GString *xml)
{
  char text[TT_TIME_TEXT];

  g_string_append (xml, "><title>");
  tt_svg_append_escaped (xml, tt_graph_node (self->graph, edge->src)->label, TOOLTIP_CHARS);
  g_string_append (xml, "\nto ");
  tt_svg_append_escaped (xml, tt_graph_node (self->graph, edge->dst)->label, TOOLTIP_CHARS);
  if (edge->kind == TT_EDGE_VIA)
    g_string_append_printf (xml, "\nvia: %s left out", edge->cnt == 0 ? "what is" : tt_count_text (text, edge->cnt));
  else
    g_string_append_printf (xml, "\n%s: %s x", tt_edge_kind_text (edge->kind), tt_count_text (text, edge->cnt));
  if (edge->kind != TT_EDGE_CALL && edge->kind != TT_EDGE_END && edge->kind != TT_EDGE_VIA)
    g_string_append_printf (xml, ", gap %s", tt_time_auto (text, tt_average_ns (edge->gap_ns, edge->cnt)));
  g_string_append (xml, "</title></path>\n");
}

static void
write_link (const Drawing *self, const TtGraphLayoutLink *link)
{
  const TtEdge *edge = link->edge == TT_GRAPH_LAYOUT_NONE ? NULL : tt_graph_edge (self->graph, link->edge);
  const TtGraphLayoutItem *from = ITEM (self->layout, link->from), *to = ITEM (self->layout, link->to);
  const char *class = tt_legend_edge_class (link->kind);
  gboolean is_on_path = edge != NULL && self->path_next != NULL && self->path_next[edge->src] == edge->dst;
  g_autoptr (GString) xml = g_string_new (NULL);

  g_string_append_printf (xml, "<path class=\"e %s%s\"", class, is_on_path ? " p" : "");
  if (edge != NULL)
    g_string_append_printf (xml, " data-a=\"n%u\" data-b=\"n%u\"", edge->src, edge->dst);
  if (link->is_back ? from->node != TT_GRAPH_LAYOUT_NONE : to->node != TT_GRAPH_LAYOUT_NONE)
    g_string_append_printf (xml, " marker-%s=\"url(#a-%s)\"", link->is_back ? "start" : "end", class);
  append_line (self, link, xml);
  if (edge != NULL)
    append_edge_tooltip (self, edge, xml);
  else
    g_string_append (xml, "/>\n");
  tt_output_bytes (self->out, xml->str, xml->len);
}

/* -- all ------------------------------------------------------------------------------------------------------------- */

static void
write_lanes (const Drawing *self)
{
  const TtGraphLayout *layout = self->layout;
  g_autoptr (GString) xml = g_string_new (NULL);

  for (guint i = 0; layout->n_lanes > 1 && i < layout->n_lanes; i++)
    {
      const char *name = g_ptr_array_index (layout->lane_names, i);
      gint32 begin = layout->lane_begin[i], size = layout->lane_end[i] - begin;

      if (*name == '\0' || size == 0)
        continue;
      if (self->is_wide)
        g_string_append_printf (xml,
                                "<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                                "<text class=\"ln\" x=\"%d\" y=\"%d\">",
                                MARGIN, self->top + begin, layout->along + LANE_LABEL, size, MARGIN + 6,
                                self->top + begin + size / 2 + 4);
      else
        g_string_append_printf (xml,
                                "<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                                "<text class=\"ln\" x=\"%d\" y=\"%d\">",
                                self->left + begin, self->top - 24, size, layout->along + 24, self->left + begin + 6,
                                self->top - 9);
      tt_svg_append_escaped (xml, name, self->is_wide ? 15 : 30);
      g_string_append (xml, "<title>");
      tt_svg_append_escaped (xml, name, TOOLTIP_CHARS);
      g_string_append (xml, "</title></text>\n");
    }
  tt_output_bytes (self->out, xml->str, xml->len);
}

static void
write_head (const Drawing *self, const TtGraphHeading *heading, gint32 width, gint32 height)
{
  g_autoptr (GString) xml = g_string_new (NULL);

  tt_output_printf (
      self->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
      width, height, width, height);
  tt_svg_append_escaped (xml, heading->title == NULL ? "Operations" : heading->title, TOOLTIP_CHARS);
  tt_output_printf (self->out, "%s</title>\n", xml->str);
  tt_legend_write_styles (self->out);
  tt_output_printf (self->out, "<text class=\"t\" x=\"%d\" y=\"26\">%s</text>\n<text class=\"s\" x=\"%d\" y=\"44\">",
                    MARGIN, xml->str, MARGIN);
  g_string_truncate (xml, 0);
  g_string_append_printf (xml, "%u node%s, %u edge%s", self->n_nodes, self->n_nodes == 1 ? "" : "s", self->n_edges,
                          self->n_edges == 1 ? "" : "s");
  if (heading->note != NULL)
    {
      g_string_append (xml, "; ");
      tt_svg_append_escaped (xml, heading->note, TOOLTIP_CHARS);
    }
  tt_output_printf (self->out, "%s.%s</text>\n", xml->str,
                    heading->is_part_of_page ? "" : " <tspan id=\"find\">Search: /</tspan>");
}

/* What a click and a search do; it reads texts of the picture, and changes classes alone. */
static const char script[] =
    "<script><![CDATA[\n"
    "(function(){var "
    "d=document,N=[].slice.call(d.querySelectorAll('g.n')),E=[].slice.call(d.querySelectorAll('path[data-a]'));\n"
    "function clear(){N.concat(E).forEach(function(x){x.classList.remove('hit','far')})}\n"
    "function find(){var q=prompt('Part of a name');clear();if(!q)return;q=q.toLowerCase();var first=null;\n"
    "N.forEach(function(n){var t=n.querySelector('title').textContent.toLowerCase();\n"
    "if(t.indexOf(q)>=0){n.classList.add('hit');first=first||n}else n.classList.add('far')});\n"
    "if(first)first.scrollIntoView({block:'center',inline:'center'})}\n"
    "N.forEach(function(n){n.addEventListener('click',function(){clear();var k={};k[n.id]=1;\n"
    "E.forEach(function(e){var a=e.getAttribute('data-a'),b=e.getAttribute('data-b');\n"
    "if(a===n.id||b===n.id){k[a]=k[b]=1}else e.classList.add('far')});\n"
    "N.forEach(function(m){if(!k[m.id])m.classList.add('far')});n.classList.add('hit')})});\n"
    "d.addEventListener('keydown',function(e){if(e.key==='/"
    "'){e.preventDefault();find()}if(e.key==='Escape')clear()});\n"
    "var f=d.getElementById('find');if(f)f.addEventListener('click',find)})();\n"
    "]]></script>\n";

void
tt_graph_svg_write (const TtGraph *graph, const TtGraphHeading *heading, TtOutput *out)
{
  Drawing self = { .graph = graph, .out = out };
  g_autoptr (TtOutput) legend = tt_output_open_memory ();

  for (guint i = 0; i < graph->nodes->len; i++)
    if (!tt_graph_node (graph, i)->is_rest)
      self.max_self_ns = MAX (self.max_self_ns, tt_graph_node (graph, i)->self_ns);
  lay_out (&self);
  if (self.max_self_ns > 0)
    mark_path (&self);
  for (guint i = 0; i < graph->nodes->len; i++)
    self.n_nodes += self.layout->item_of[i] != TT_GRAPH_LAYOUT_NONE;
  for (guint i = 0; i < self.layout->links->len; i++)
    self.n_edges += g_array_index (self.layout->links, TtGraphLayoutLink, i).edge != TT_GRAPH_LAYOUT_NONE;
  const TtGraphLayout *layout = self.layout;
  gint32 right = self.left + (self.is_wide ? layout->along : layout->across), legend_y = HEAD;
  gint32 legend_end =
      tt_legend_write (graph, self.max_self_ns > 0, MARGIN, MAX (right, LEAST_WIDTH), &legend_y, legend);
  g_autoptr (GString) legend_text = tt_output_steal_text (legend);

  self.top = legend_y + 12 + (!self.is_wide && layout->n_lanes > 1 ? 24 : 0);
  gint32 bottom = self.top + (self.is_wide ? layout->across : layout->along);
  write_head (&self, heading, MAX (MAX (right, legend_end), LEAST_WIDTH) + MARGIN, bottom + MARGIN);
  tt_output_bytes (out, legend_text->str, legend_text->len);
  write_lanes (&self);
  tt_phases_write (graph, layout, self.is_wide, self.left, self.top, out);
  for (guint i = 0; i < layout->links->len; i++)
    write_link (&self, &g_array_index (layout->links, TtGraphLayoutLink, i));
  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (layout->item_of[i] != TT_GRAPH_LAYOUT_NONE)
      write_node (&self, i);
  if (!heading->is_part_of_page)
    tt_output_bytes (out, script, sizeof script - 1);
  tt_output_literal (out, "</svg>\n");
  tt_graph_layout_free (self.layout);
  g_free (self.on_path);
  g_free (self.path_next);
}
