/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/graph-svg/phases.h"

#include "formats/dot/dot.h"
#include "pictures/svg.h"
#include "src/base/compare.h"
#include "src/base/units.h"

#define PAD 5 /* around the nodes */
#define TOOLTIP_CHARS 200

/* What one phase of a process has in one layer. */
typedef struct
{
  guint32 lane, phase, layer;
  gint32 begin, end; /* across */
  guint32 node, n;   /* one of its nodes, and how many there are */
  tt_int128 self_ns;
} Stretch;

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const Stretch *x = a, *y = b;

  if (x->lane != y->lane)
    return TT_COMPARE (x->lane, y->lane);
  return x->phase != y->phase ? TT_COMPARE (x->phase, y->phase) : TT_COMPARE (x->layer, y->layer);
}

/* Those of one layer as one. */
static void
join_stretches (GArray *stretches)
{
  guint n = 0;

  g_array_sort (stretches, compare_stretches);
  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);
      Stretch *last = n == 0 ? NULL : &g_array_index (stretches, Stretch, n - 1);

      if (last == NULL || compare_stretches (last, stretch) != 0)
        {
          g_array_index (stretches, Stretch, n++) = *stretch;
          continue;
        }
      last->begin = MIN (last->begin, stretch->begin);
      last->end = MAX (last->end, stretch->end);
      last->n += stretch->n;
      last->self_ns += stretch->self_ns;
    }
  g_array_set_size (stretches, n);
}

static GArray *
list_stretches (const TtGraph *graph, const TtGraphLayout *layout)
{
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));

  for (guint i = 0; i < layout->items->len; i++)
    {
      const TtGraphLayoutItem *item = &g_array_index (layout->items, TtGraphLayoutItem, i);

      if (item->node == TT_GRAPH_LAYOUT_NONE || item->phase == 0)
        continue;
      const Stretch stretch = { .lane = item->lane,
                                .phase = item->phase,
                                .layer = item->layer,
                                .begin = item->at - item->across / 2 - PAD,
                                .end = item->at + item->across / 2 + PAD,
                                .node = item->node,
                                .n = 1,
                                .self_ns = tt_graph_node (graph, item->node)->self_ns };
      g_array_append_val (stretches, stretch);
    }
  join_stretches (stretches);
  return stretches;
}

/* Where the shade of @stretch ends along the picture: at the next layer where that has the phase too. */
static gint32
end_of (const TtGraphLayout *layout, const Stretch *stretch, const Stretch *next)
{
  gboolean goes_on =
      next != NULL && next->lane == stretch->lane && next->phase == stretch->phase && next->layer == stretch->layer + 1;

  return goes_on ? layout->layer_begin[next->layer] - PAD : layout->layer_end[stretch->layer] + PAD;
}

static void
append_title (const TtGraph *graph, const Stretch *stretches, guint n, GString *xml)
{
  const TtNode *node = tt_graph_node (graph, stretches->node);
  char time[TT_TIME_TEXT], count[TT_TIME_TEXT];
  tt_int128 self_ns = 0;
  guint64 n_nodes = 0;

  for (guint i = 0; i < n; i++)
    {
      self_ns += stretches[i].self_ns;
      n_nodes += stretches[i].n;
    }
  tt_svg_append_escaped (xml, node->op_cat, TOOLTIP_CHARS);
  if (node->pid != NULL)
    {
      g_string_append (xml, " of ");
      tt_svg_append_escaped (xml, node->pid, TOOLTIP_CHARS);
    }
  g_string_append_printf (xml, ": %s node%s, self time %s", tt_count_text (count, n_nodes), n_nodes == 1 ? "" : "s",
                          tt_time_shown (time, self_ns));
}

void
tt_phases_write (const TtGraph *graph,
                 const TtGraphLayout *layout,
                 gboolean is_wide,
                 gint32 left,
                 gint32 top,
                 TtOutput *out)
{
  g_autoptr (GArray) list = list_stretches (graph, layout);
  const Stretch *stretches = (const Stretch *) (void *) list->data;
  g_autoptr (GString) xml = g_string_new (NULL);

  for (guint i = 0, next; i < list->len; i = next)
    {
      for (next = i + 1;
           next < list->len && stretches[next].lane == stretches[i].lane && stretches[next].phase == stretches[i].phase;
           next++)
        ;
      g_string_append_printf (xml, "<path class=\"ph\" fill=\"%s\" d=\"",
                              tt_dot_fill (tt_graph_node (graph, stretches[i].node)));
      for (guint k = i; k < next; k++)
        {
          gint32 begin = layout->layer_begin[stretches[k].layer] - PAD, across = stretches[k].end - stretches[k].begin;
          gint32 along = end_of (layout, &stretches[k], k + 1 < next ? &stretches[k + 1] : NULL) - begin;

          g_string_append_printf (xml, "M%d %dh%dv%dh%dz", left + (is_wide ? begin : stretches[k].begin),
                                  top + (is_wide ? stretches[k].begin : begin), is_wide ? along : across,
                                  is_wide ? across : along, is_wide ? -along : -across);
        }
      g_string_append (xml, "\"><title>");
      append_title (graph, &stretches[i], next - i, xml);
      g_string_append (xml, "</title></path>\n");
    }
  tt_output_bytes (out, xml->str, xml->len);
}
