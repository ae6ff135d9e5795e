/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/plot.h"

#include "analyzers/call-tree/call-tree.h"
#include "pictures/flame.h"

typedef struct
{
  const TtCallTree *tree;
  TtStore *store;
  TtFlameGraph graph;
  tt_int128 *used; /* by depth: where the next box begins */
} Drawing;

/* By op_cat. The last is for all others. */
static const TtLegendEntry colours[] = {
  { "COMP", "c0" }, { "FW", "c4" },  { "BW", "c7" },  { "UPDATE_", "c2" }, { "Comm", "c1" },
  { "SYNC", "c5" }, { "I/O", "c6" }, { "MEM", "c3" }, { "RT", "c8" },      { "other", "none" },
};

static guint
colour_of (const char *op_cat)
{
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (colours) && g_strcmp0 (op_cat, colours[i].name) != 0)
    i++;
  return i;
}

/* Whether it is drawn. Children stand side by side at the begin of their parent, the longest first. */
static gboolean
add_node (Drawing *self, guint32 at)
{
  const TtCallNode *node = tt_call_tree_node (self->tree, at);
  const TtStoredName *name = tt_store_name (self->store, node->name);
  guint depth = MIN (node->depth, TT_FLAME_MAX_DEPTH + 1);
  const TtFlameBox box = {
    .depth = node->depth,
    .begin = self->used[depth],
    .total = node->total_ns,
    .self = node->self_ns,
    .count = node->count,
    .colour = colour_of (name == NULL ? NULL : name->op_cat),
    .name = name == NULL || name->text == NULL ? "?" : name->text,
  };

  if (!tt_flame_graph_add (&self->graph, &box))
    return FALSE;
  self->used[depth] += node->total_ns;
  self->used[depth + 1] = box.begin;
  return TRUE;
}

static void
add_nodes (Drawing *self)
{
  guint32 at = tt_call_tree_node (self->tree, 0)->first;

  while (at != 0)
    {
      guint32 next = add_node (self, at) ? tt_call_tree_node (self->tree, at)->first : 0;

      for (guint32 up = at; next == 0 && up != 0; up = tt_call_tree_node (self->tree, up)->parent)
        next = tt_call_tree_node (self->tree, up)->next;
      at = next;
    }
}

static gboolean
draw_graph (Drawing *self, const TtPlotRequest *request, TtOutput *out, GError **error)
{
  TtFlameGraph *graph = &self->graph;

  if (!tt_plot_head (request, &graph->head, error))
    return FALSE;
  graph->quantity = tt_plot_time (request);
  g_array_append_vals (graph->legend, colours, G_N_ELEMENTS (colours));
  if (self->tree->nodes->len > 1)
    tt_picture_head_note (&graph->head,
                          "A box is a call path of all threads together, as wide as its total time; from left "
                          "to right the longest first, not in the order of time.");
  if (self->tree->n_folded > 0)
    tt_picture_head_note (&graph->head, "%" G_GUINT64_FORMAT " calls count for their callers: more than %u paths.",
                          self->tree->n_folded, TT_CALL_TREE_MAX_NODES);
  if (self->tree->nodes->len == 1)
    tt_picture_head_note (&graph->head, "No span is there.");
  add_nodes (self);
  tt_flame_graph_write (graph, out);
  return TRUE;
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_autoptr (TtCallTree) tree = tt_call_tree_new (request->store, request->selection, request->crew, error);
  g_autofree tt_int128 *used = g_new0 (tt_int128, TT_FLAME_MAX_DEPTH + 3);
  Drawing drawing = { .tree = tree, .store = request->store, .used = used };

  if (tree == NULL)
    return FALSE;
  tt_flame_graph_init (&drawing.graph, "Call paths: what ran inside what", tt_call_tree_node (tree, 0)->total_ns);
  gboolean is_ok = draw_graph (&drawing, request, out, error);
  tt_flame_graph_clear (&drawing.graph);
  return is_ok;
}

const TtPlot tt_plot_flame = {
  .word = "flame",
  .summary = "which operations ran inside which, and how long",
  .is_shared = TRUE,
  .draw = draw,
};
