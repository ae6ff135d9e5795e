/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/call-tree/call-tree.h"

#include "analyzers/call-tree/call-nodes.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"

typedef struct
{
  const TtSelection *selection;
  TtCallNodes *nodes;
  TtSpanParents *parents; /* payload: guint32, the node */
  guint32 *first_names;
  guint64 n_folded;
} Builder;

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Builder *self = data;
  gpointer around = NULL;

  if (event->dur_ns == TT_NO_TIME)
    return TRUE;
  if ((event->flags & TT_FLAG_WINDOW) != 0 ||
      (self->selection != NULL && !tt_selection_matches (self->selection, event)))
    return tt_span_parents_pass (self->parents, event, &around, error);
  guint32 *own = tt_span_parents_add (self->parents, event, &around, error);
  if (own == NULL)
    return FALSE;
  guint32 parent = around == NULL ? 0 : *(const guint32 *) around;
  guint32 node = tt_call_nodes_child (self->nodes, parent, self->first_names[event->name]);
  if (node == 0)
    {
      /* No more nodes: the caller's own time. */
      self->n_folded++;
      *own = parent;
      tt_call_nodes_get (self->nodes, parent)->self_ns += event->self_ns;
      return TRUE;
    }
  *own = node;
  TtCallNode *call = tt_call_nodes_get (self->nodes, node);
  call->count++;
  call->total_ns += event->own_ns;
  call->self_ns += event->self_ns;
  return TRUE;
}

TtCallTree *
tt_call_tree_new (TtStore *store, const TtSelection *selection, GError **error)
{
  g_autoptr (TtCallNodes) nodes = tt_call_nodes_new ();
  g_autoptr (TtSpanParents) parents =
      tt_span_parents_new (tt_store_max_thread (store), sizeof (guint32), NULL, NULL);
  g_autofree guint32 *first_names = tt_store_first_names (store, error);
  Builder builder = { .selection = selection, .nodes = nodes, .parents = parents, .first_names = first_names };

  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  if (selection != NULL)
    tt_selection_window (selection, &begin_ns, &end_ns);
  if (first_names == NULL ||
      !tt_each_event_between (store, TT_SCAN_REVERSE, begin_ns, end_ns, take_event, &builder, error))
    return NULL;
  TtCallTree *tree = tt_call_nodes_finish (nodes);
  tree->n_folded = builder.n_folded;
  return tree;
}

void
tt_call_tree_free (TtCallTree *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_free (self);
}

/* -- views -------------------------------------------------------------------------------------------------------- */

/* For each node, whether it is inside one that is asked for. Parents come first. */
static guint8 *
find_inside (const TtCallTree *self, const guint8 *is_asked)
{
  guint8 *is_inside = g_new0 (guint8, self->nodes->len);

  for (guint32 i = 1; i < self->nodes->len; i++)
    {
      guint32 parent = tt_call_tree_node (self, i)->parent;

      is_inside[i] = is_inside[parent] || (parent != 0 && is_asked[tt_call_tree_node (self, parent)->name]);
    }
  return is_inside;
}

TtCallTree *
tt_call_tree_callers (const TtCallTree *self, const guint8 *is_asked)
{
  g_autoptr (TtCallNodes) nodes = tt_call_nodes_new ();
  g_autofree guint8 *is_inside = find_inside (self, is_asked);
  guint64 n_folded = self->n_folded;

  for (guint32 i = 1; i < self->nodes->len; i++)
    {
      const TtCallNode *call = tt_call_tree_node (self, i);
      guint32 into = 0, levels = 0;

      if (!is_asked[call->name])
        continue;
      for (guint32 at = i; at != 0 && levels < TT_CALL_TREE_MAX_CALLERS; at = tt_call_tree_node (self, at)->parent, levels++)
        {
          guint32 child = tt_call_nodes_child (nodes, into, tt_call_tree_node (self, at)->name);
          if (child == 0)
            {
              n_folded += call->count;
              break;
            }
          into = child;
          TtCallNode *node = tt_call_nodes_get (nodes, into);
          node->count += call->count;
          node->total_ns += is_inside[i] ? 0 : call->total_ns;
          node->self_ns += call->self_ns;
        }
    }
  TtCallTree *tree = tt_call_nodes_finish (nodes);
  tree->n_folded = n_folded;
  return tree;
}

TtCallTree *
tt_call_tree_callees (const TtCallTree *self, const guint8 *is_asked)
{
  g_autoptr (TtCallNodes) nodes = tt_call_nodes_new ();
  g_autofree guint32 *into = g_new0 (guint32, self->nodes->len); /* the node that stands for each; 0: none */
  guint64 n_folded = self->n_folded;

  for (guint32 i = 1; i < self->nodes->len; i++)
    {
      const TtCallNode *call = tt_call_tree_node (self, i);
      gboolean is_top = is_asked[call->name] && into[call->parent] == 0;

      if (!is_top && into[call->parent] == 0)
        continue;
      into[i] = tt_call_nodes_child (nodes, is_top ? 0 : into[call->parent], call->name);
      if (into[i] == 0)
        {
          n_folded += call->count;
          continue;
        }
      TtCallNode *node = tt_call_nodes_get (nodes, into[i]);
      node->count += call->count;
      node->total_ns += call->total_ns;
      node->self_ns += call->self_ns;
    }
  TtCallTree *tree = tt_call_nodes_finish (nodes);
  tree->n_folded = n_folded;
  return tree;
}
