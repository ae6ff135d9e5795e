/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/graph-svg/graph-layout.h"

#include "formats/graph-svg/graph-places.h"
#include "graphs/order.h"

#include <string.h>

/* Beyond, edges cross layers without bends. */
#define MOST_BENDS 200000u
/* More processes are not told apart by their place. */
#define MOST_LANES 512u
#define MOST_CELLS (1u << 22) /* lanes times layers */
#define LAYER_GAP 46
#define LANE_GAP 18

#define ITEM(self, i) (&g_array_index ((self)->items, TtGraphLayoutItem, (i)))
#define LINK(self, i) (&g_array_index ((self)->links, TtGraphLayoutLink, (i)))

/* -- layers ---------------------------------------------------------------------------------------------------------- */

/* END follows everything, and the rest is everywhere: neither tells anything by its place. */
static gboolean
has_place (const TtNode *node)
{
  return !node->is_rest && !node->is_end;
}

static gboolean
is_drawn (const TtGraph *graph, const TtEdge *edge)
{
  return edge->src != edge->dst && has_place (tt_graph_node (graph, edge->src)) &&
         has_place (tt_graph_node (graph, edge->dst));
}

/* Each node comes one layer after the last that leads to it, in an order in which few edges lead back. */
static guint32 *
assign_layers (const TtGraph *graph, const guint32 *place)
{
  guint n = graph->nodes->len;
  guint32 *layer = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *by_place = g_new (guint32, (gsize) n + 1);
  g_auto (TtAdjacency) out = { 0 }, in = { 0 };

  tt_adjacency_init (&out, graph, FALSE);
  tt_adjacency_init (&in, graph, TRUE);
  for (guint i = 0; i < n; i++)
    by_place[place[i]] = i;
  for (guint i = 0; i < n; i++)
    for (guint side = 0; side < 2; side++)
      {
        const TtAdjacency *edges = side == 0 ? &out : &in;
        guint32 node = by_place[i];

        for (guint32 k = edges->first[node]; k < edges->first[node + 1]; k++)
          {
            const TtEdge *edge = tt_graph_edge (graph, edges->edge[k]);
            guint32 other = side == 0 ? edge->dst : edge->src;

            if (is_drawn (graph, edge) && place[other] > i)
              layer[other] = MAX (layer[other], layer[node] + 1);
          }
      }
  return layer;
}

/* Nodes without edges are dealt out over all layers, so that they do not make one pile in the first. */
static void
spread_lone_nodes (const TtGraph *graph, const guint32 *lane_of, guint n_lanes, guint32 *layer)
{
  guint n = graph->nodes->len, n_lone = 0, n_layers = 1;
  g_autofree guint8 *has_edge = g_new0 (guint8, (gsize) n + 1);
  g_autofree guint32 *next = g_new0 (guint32, (gsize) n_lanes + 1);

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (is_drawn (graph, edge))
        has_edge[edge->src] = has_edge[edge->dst] = 1;
    }
  for (guint i = 0; i < n; i++)
    {
      n_lone += !has_edge[i];
      n_layers = MAX (n_layers, layer[i] + 1);
    }
  while ((guint64) n_layers * n_layers * n_lanes < n_lone)
    n_layers++;
  for (guint i = 0; i < n; i++)
    if (!has_edge[i] && has_place (tt_graph_node (graph, i)))
      layer[i] = next[lane_of[i]]++ % n_layers;
}

static guint32 *
list_places (const TtGraph *graph)
{
  g_autoptr (TtOrder) order = tt_order_new (graph, 0);
  guint32 *place = g_new (guint32, (gsize) graph->nodes->len + 1);

  for (guint i = 0; i < graph->nodes->len; i++)
    place[order->order[i]] = i;
  return place;
}

/* -- lanes ----------------------------------------------------------------------------------------------------------- */

/* So that rank 10 comes after rank 9; no name first. */
static int
compare_names (gconstpointer a, gconstpointer b)
{
  const char *x = *(const char *const *) a, *y = *(const char *const *) b;

  for (; *x != '\0' || *y != '\0'; x++, y++)
    {
      if (g_ascii_isdigit (*x) && g_ascii_isdigit (*y))
        {
          gsize n = strspn (x, "0123456789"), m = strspn (y, "0123456789");

          if (n != m)
            return n < m ? -1 : 1;
        }
      if (*x != *y)
        return (guchar) *x < (guchar) *y ? -1 : 1;
    }
  return 0;
}

static void
add_lanes (TtGraphLayout *self, const TtGraph *graph, const guint32 *layer, guint32 *lane_of)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  guint64 n_layers = 1;

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);
      n_layers = MAX (n_layers, (guint64) layer[i] + 1);
      const char *pid = node->pid == NULL ? "" : node->pid;

      if (has_place (node) && g_hash_table_add (known, (gpointer) pid))
        g_ptr_array_add (self->lane_names, (gpointer) pid);
    }
  g_ptr_array_sort (self->lane_names, compare_names);
  if (self->lane_names->len > MOST_LANES || self->lane_names->len * n_layers > MOST_CELLS || self->lane_names->len == 0)
    {
      g_ptr_array_set_size (self->lane_names, 0);
      g_ptr_array_add (self->lane_names, (gpointer) "");
    }
  g_hash_table_remove_all (known);
  self->n_lanes = self->lane_names->len;
  for (guint i = 0; i < self->n_lanes; i++)
    g_hash_table_insert (known, g_ptr_array_index (self->lane_names, i), GUINT_TO_POINTER (i));
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const char *pid = tt_graph_node (graph, i)->pid;
      lane_of[i] = GPOINTER_TO_UINT (g_hash_table_lookup (known, pid == NULL ? "" : pid));
    }
}

/* -- phases ---------------------------------------------------------------------------------------------------------- */

/* Only a training step has phases: what else has categories changes between them all the time. */
static gboolean
has_phases (const TtGraph *graph)
{
  gboolean has_forward = FALSE, has_backward = FALSE;

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const char *op_cat = tt_graph_node (graph, i)->op_cat;

      has_forward |= g_strcmp0 (op_cat, "FW") == 0;
      has_backward |= g_strcmp0 (op_cat, "BW") == 0;
    }
  return has_forward && has_backward;
}

/* In the order in which the phases of a step begin, but for communication: it goes on beside the others. */
static guint32
phase_of (const TtNode *node)
{
  static const char *const phases[] = { "I/O", "FW", "BW", "UPDATE_", "Comm" };

  for (guint32 i = 0; i < G_N_ELEMENTS (phases); i++)
    if (g_strcmp0 (node->op_cat, phases[i]) == 0)
      return i + 1;
  return 0;
}

/* -- bends ----------------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 edge, from, to; /* items, by layer */
  guint8 kind;
  gboolean is_back;
} Span;

static int
compare_spans (const void *a, const void *b)
{
  const Span *x = a, *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->is_back != y->is_back)
    return x->is_back < y->is_back ? -1 : 1;
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static GArray *
list_spans (const TtGraphLayout *self, const TtGraph *graph)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (Span));

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);

      if (!is_drawn (graph, edge))
        continue;
      guint32 src = self->item_of[edge->src], dst = self->item_of[edge->dst];
      gboolean is_back = ITEM (self, src)->layer > ITEM (self, dst)->layer;
      const Span span = { i, is_back ? dst : src, is_back ? src : dst, (guint8) edge->kind, is_back };
      g_array_append_val (spans, span);
    }
  g_array_sort (spans, compare_spans);
  return spans;
}

static void
link_items (TtGraphLayout *self, guint32 from, guint32 to, const Span *span, guint32 edge)
{
  const TtGraphLayoutLink link = { from, to, edge, span->kind, span->is_back };

  g_array_append_val (self->links, link);
}

/* The bend of the spans of one kind from one node in @layer, made if it is not there; @chain: those that are. */
static guint32
bend_in (TtGraphLayout *self, const Span *span, GArray *chain, guint32 layer)
{
  guint32 first = ITEM (self, span->from)->layer + 1;

  while (chain->len <= layer - first)
    {
      guint32 before = chain->len == 0 ? span->from : g_array_index (chain, guint32, chain->len - 1);
      guint32 bend = self->items->len;
      const TtGraphLayoutItem item = { .node = TT_GRAPH_LAYOUT_NONE,
                                       .layer = first + chain->len,
                                       .lane = ITEM (self, span->from)->lane,
                                       .phase = ITEM (self, span->from)->phase };

      g_array_append_val (self->items, item);
      g_array_append_val (chain, bend);
      link_items (self, before, bend, span, TT_GRAPH_LAYOUT_NONE);
    }
  return g_array_index (chain, guint32, layer - first);
}

static void
add_links (TtGraphLayout *self, const TtGraph *graph)
{
  g_autoptr (GArray) spans = list_spans (self, graph);
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 n_nodes = self->items->len;

  for (guint i = 0; i < spans->len; i++)
    {
      const Span *span = &g_array_index (spans, Span, i), *before = i == 0 ? NULL : span - 1;
      guint32 layer = ITEM (self, span->to)->layer, from = span->from;

      if (before == NULL || before->from != from || before->kind != span->kind || before->is_back != span->is_back)
        g_array_set_size (chain, 0);
      if (layer > ITEM (self, from)->layer + 1 &&
          self->items->len - n_nodes + (layer - ITEM (self, from)->layer) <= MOST_BENDS)
        from = bend_in (self, span, chain, layer - 1);
      link_items (self, from, span->to, span, span->edge);
    }
}

/* -- public ---------------------------------------------------------------------------------------------------------- */

TtGraphLayout *
tt_graph_layout_new (const TtGraph *graph)
{
  TtGraphLayout *self = g_new0 (TtGraphLayout, 1);
  guint n = graph->nodes->len;
  gboolean with_phases = has_phases (graph);
  g_autofree guint32 *lane_of = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *place = list_places (graph);
  g_autofree guint32 *layer = assign_layers (graph, place);

  self->items = g_array_new (FALSE, TRUE, sizeof (TtGraphLayoutItem));
  self->links = g_array_new (FALSE, FALSE, sizeof (TtGraphLayoutLink));
  self->item_of = g_new (guint32, (gsize) n + 1);
  self->lane_names = g_ptr_array_new ();
  add_lanes (self, graph, layer, lane_of);
  spread_lone_nodes (graph, lane_of, self->n_lanes, layer);
  for (guint32 i = 0; i < n; i++)
    {
      const TtGraphLayoutItem item = {
        .node = i, .layer = layer[i], .lane = lane_of[i], .phase = with_phases ? phase_of (tt_graph_node (graph, i)) : 0
      };

      self->item_of[i] = has_place (tt_graph_node (graph, i)) ? self->items->len : TT_GRAPH_LAYOUT_NONE;
      if (self->item_of[i] == TT_GRAPH_LAYOUT_NONE)
        continue;
      g_array_append_val (self->items, item);
      self->n_layers = MAX (self->n_layers, layer[i] + 1);
    }
  add_links (self, graph);
  return self;
}

void
tt_graph_layout_free (TtGraphLayout *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_array_unref (self->links);
  g_ptr_array_unref (self->lane_names);
  g_free (self->item_of);
  g_free (self->layer_begin);
  g_free (self->layer_end);
  g_free (self->lane_begin);
  g_free (self->lane_end);
  g_free (self);
}

/* How many nodes lie beside each other: the most of each lane. */
static guint64
count_across (const TtGraphLayout *self)
{
  g_autofree guint32 *n = g_new0 (guint32, (gsize) self->n_layers * self->n_lanes + 1);
  guint64 across = 0;

  for (guint i = 0; i < self->items->len && ITEM (self, i)->node != TT_GRAPH_LAYOUT_NONE; i++)
    n[(gsize) ITEM (self, i)->lane * self->n_layers + ITEM (self, i)->layer]++;
  for (guint lane = 0; lane < self->n_lanes; lane++)
    {
      guint32 most = 0;
      for (guint layer = 0; layer < self->n_layers; layer++)
        most = MAX (most, n[(gsize) lane * self->n_layers + layer]);
      across += most;
    }
  return across;
}

gboolean
tt_graph_layout_is_wide (const TtGraphLayout *self, const TtGraphLayoutSize *size)
{
  guint64 n_across = count_across (self), n_along = self->n_layers;
  guint64 wide = MAX (n_along * (guint64) (size->along + LAYER_GAP) / 16, n_across * (guint64) size->across / 9);
  guint64 high = MAX (n_across * (guint64) size->along / 16, n_along * (guint64) (size->across + LAYER_GAP) / 9);

  return wide <= high;
}

static void
place_layers (TtGraphLayout *self)
{
  self->layer_begin = g_new0 (gint32, (gsize) self->n_layers + 1);
  self->layer_end = g_new0 (gint32, (gsize) self->n_layers + 1);
  for (guint i = 0; i < self->items->len; i++)
    {
      gint32 *end = &self->layer_end[ITEM (self, i)->layer];
      *end = MAX (*end, ITEM (self, i)->along);
    }
  for (guint i = 0; i < self->n_layers; i++)
    {
      self->layer_begin[i] = i == 0 ? 0 : self->layer_end[i - 1] + LAYER_GAP;
      self->layer_end[i] += self->layer_begin[i];
      self->along = self->layer_end[i];
    }
}

void
tt_graph_layout_place (TtGraphLayout *self, const TtGraphLayoutSize *sizes)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      TtGraphLayoutItem *item = ITEM (self, i);

      item->along = item->node == TT_GRAPH_LAYOUT_NONE ? 0 : sizes[item->node].along;
      item->across = item->node == TT_GRAPH_LAYOUT_NONE ? TT_GRAPH_LAYOUT_BEND : sizes[item->node].across;
    }
  place_layers (self);
  tt_graph_layout_place_across (self, self->n_lanes > 1 ? LANE_GAP : 0);
}
