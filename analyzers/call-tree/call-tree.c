/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/call-tree/call-tree.h"

#include "analyzers/call-tree/call-nodes.h"
#include "analyzers/call-tree/joint-tree.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"

typedef struct
{
  const TtSelection *selection;
  TtCallNodes *nodes;
  TtSpanParents *parents; /* payload: guint32, the node */
  const guint32 *first_names;
  guint64 n_folded;
  const TtSharedScan *shared;
} Builder;

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Builder *self = data;
  gpointer around = NULL;

  if (event->dur_ns == TT_NO_TIME)
    return TRUE;
  /* Of what is around a part, that whose parent is not read begins after it. */
  if (self->shared->is_around && !tt_span_parents_fits (self->parents, event))
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
      self->n_folded += !self->shared->is_around;
      *own = parent;
      tt_call_nodes_get (self->nodes, parent)->self_ns += event->self_ns;
      return TRUE;
    }
  *own = node;
  if (self->shared->is_around)
    return TRUE;
  TtCallNode *call = tt_call_nodes_get (self->nodes, node);
  call->count++;
  call->total_ns += event->own_ns;
  call->self_ns += event->self_ns;
  return TRUE;
}

/* All spans, or those of this rank's part. */
static gboolean
scan_spans (Builder *self, TtSharedScan *shared, GError **error)
{
  g_autoptr (TtSpanParents) parents = tt_span_parents_new (shared->max_thread, sizeof (guint32), NULL, NULL);
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;
  gboolean is_ok;

  self->parents = parents;
  self->shared = shared;
  if (self->selection != NULL)
    tt_selection_window (self->selection, &begin_ns, &end_ns);
  is_ok = shared->is_shared
              ? tt_shared_scan_run (shared, begin_ns, end_ns, take_event, self, error)
              : tt_each_event_between (shared->store, TT_SCAN_REVERSE, begin_ns, end_ns, take_event, self, error);
  /* Which paths there are too many of depends on the order of all. */
  shared->is_odd |= self->n_folded > 0;
  return is_ok;
}

/* As rank 0 of several. */
static gboolean
lead (Builder *self, TtSharedScan *shared, gboolean *is_alone, GError **error)
{
  const TtCrew *crew = shared->crew;
  GError *own = NULL;

  crew->call (crew->id);
  const gboolean is_done =
      scan_spans (self, shared, &own) && tt_joint_tree_join (self->nodes, shared, self->first_names, is_alone, &own);
  return tt_crew_end (crew, is_done, own, error);
}

/* *@is_alone: the nodes are not those of all. FALSE: @error, or another than rank 0 is done. */
static gboolean
find_nodes (Builder *self, TtSharedScan *shared, gboolean *is_alone, GError **error)
{
  const TtCrew *crew = shared->crew;

  *is_alone = FALSE;
  if (crew != NULL && crew->rank > 0)
    return shared->is_shared && scan_spans (self, shared, error) &&
           tt_joint_tree_join (self->nodes, shared, self->first_names, is_alone, error);
  return shared->is_shared ? lead (self, shared, is_alone, error) : scan_spans (self, shared, error);
}

TtCallTree *
tt_call_tree_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  g_autofree guint32 *first_names = tt_store_first_names (store, error);
  gboolean is_alone = first_names != NULL;
  TtCallTree *tree = NULL;

  for (const TtCrew *by = crew; is_alone && tree == NULL; by = NULL)
    {
      g_autoptr (TtCallNodes) nodes = tt_call_nodes_new ();
      g_auto (TtSharedScan) shared = { NULL };
      Builder builder = { .selection = selection, .nodes = nodes, .first_names = first_names };

      /* In a time window pieces are not read that may be around others. */
      tt_shared_scan_init (&shared, store, by, selection == NULL || !tt_selection_has_window (selection));
      if (!find_nodes (&builder, &shared, &is_alone, error))
        return NULL;
      if (is_alone)
        continue;
      tree = tt_call_nodes_finish (nodes);
      tree->n_folded = builder.n_folded;
    }
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
      for (guint32 at = i; at != 0 && levels < TT_CALL_TREE_MAX_CALLERS;
           at = tt_call_tree_node (self, at)->parent, levels++)
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
