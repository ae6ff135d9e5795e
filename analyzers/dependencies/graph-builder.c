/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/graph-builder.h"

#include "src/base/error.h"
#include "src/base/progress.h"
#include "src/trace/native-groups.h"

void
tt_graph_builder_clear (TtGraphBuilder *self)
{
  g_clear_pointer (&self->ops, tt_op_table_free);
  g_clear_pointer (&self->graph, tt_graph_free);
  g_clear_pointer (&self->depths, g_array_unref);
  g_clear_pointer (&self->node_ops, g_array_unref);
  g_clear_pointer (&self->stretches, g_array_unref);
  tt_edge_table_clear (&self->edges);
  tt_graph_links_clear (&self->links);
  g_clear_pointer (&self->tree, tt_span_tree_free);
}

void
tt_graph_builder_init (TtGraphBuilder *self, TtStore *store, const TtDepGraphOptions *options)
{
  self->store = store;
  self->options = options;
  self->ops = tt_op_table_new (store, options->merge_ranks);
  self->graph = tt_graph_new ();
  self->depths = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->node_ops = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->stretches = g_array_new (FALSE, TRUE, sizeof (guint8));
  tt_edge_table_init (&self->edges, self->graph);
  tt_graph_links_init (&self->links, options, self->members);
}

/* -- nodes ----------------------------------------------------------------------------------------- */

static guint32
add_node (TtGraphBuilder *self, guint32 op_number, gint64 ts_ns, guint32 depth)
{
  const TtOp *op = tt_op_table_op (self->ops, op_number);
  const TtStoredName *name = tt_store_name (self->store, op->name);
  const TtProcess *process = op->process == TT_NO_ID ? NULL : tt_store_process (self->store, op->process);
  guint32 node = tt_graph_add_node (self->graph, self->by_event ? "" : op->label, process == NULL ? NULL : process->pid,
                                    name == NULL ? NULL : name->op_cat, name == NULL ? NULL : name->text);

  tt_graph_node (self->graph, node)->ts_ns = ts_ns;
  g_array_append_val (self->depths, depth);
  g_array_append_val (self->node_ops, op_number);
  g_array_set_size (self->stretches, node + 1);
  return node;
}

/* A window of the host: what its children leave of it is time in which the program ran unseen, which a path needs. */
static gboolean
is_stretch (const TtGraphBuilder *self, const TtEvent *event)
{
  return (event->flags & TT_FLAG_WINDOW) != 0 &&
         tt_device_roles_of_event (&self->links.roles, event) == TT_ACTIVITY_NONE;
}

static void
leave_to_child (TtGraphBuilder *self, guint32 parent, const TtEvent *event)
{
  if (g_array_index (self->stretches, guint8, parent))
    tt_graph_node (self->graph, parent)->self_ns -= event->dur_ns;
}

/* Children that cross may be longer than their parent. */
void
tt_graph_builder_bound (TtGraphBuilder *self)
{
  for (guint i = 0; i < self->stretches->len; i++)
    if (g_array_index (self->stretches, guint8, i))
      tt_graph_node (self->graph, i)->self_ns = MAX (tt_graph_node (self->graph, i)->self_ns, 0);
}

guint32
tt_graph_builder_node (TtGraphBuilder *self, guint32 process, guint32 name, gint64 ts_ns, guint32 depth)
{
  const guint32 op = tt_op_table_find (self->ops, process, name);

  return self->by_event || op == self->graph->nodes->len ? add_node (self, op, ts_ns, depth) : op;
}

/* Its node, without what it adds. */
static guint32
seen_node (TtGraphBuilder *self, const TtEvent *event, gboolean is_window)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);
  const guint n = self->graph->nodes->len;
  const guint32 number = tt_graph_builder_node (self, thread == NULL ? TT_NO_ID : thread->process, event->name,
                                                event->ts_ns, event->depth);
  guint8 *flag = &g_array_index (self->stretches, guint8, number);

  if (is_window != (*flag != 0))
    *flag = TT_STRETCH_SOME | (number < n ? TT_STRETCH_MIXED : 0);
  return number;
}

static guint32
node_of (TtGraphBuilder *self, const TtEvent *event)
{
  const gboolean is_window = is_stretch (self, event);
  const guint32 number = seen_node (self, event, is_window);
  TtNode *node = tt_graph_node (self->graph, number);

  node->cnt++;
  node->sum_ns += event->dur_ns;
  node->self_ns += event->self_ns;
  if (is_window)
    node->self_ns += event->dur_ns;
  if (self->by_event)
    node->event = event->id;
  if (node->cnt == 1 || event->ts_ns < node->ts_ns)
    {
      node->ts_ns = event->ts_ns;
      g_array_index (self->depths, guint32, number) = event->depth;
    }
  return number;
}

static gboolean
is_selected (const TtGraphBuilder *self, const TtEvent *event)
{
  const TtStoredName *name = tt_store_name (self->store, event->name);

  /* Marks say what a call waits for: they are nothing that was done. */
  if (tt_activity_is_mark (tt_device_roles_of (&self->links.roles, event->id)) ||
      (name != NULL && g_strcmp0 (name->group, TT_GROUP_NEGOTIATION) == 0))
    return FALSE;
  if (self->members != NULL && !g_hash_table_contains (self->members, GSIZE_TO_POINTER (event->id)))
    return FALSE;
  return self->options->selection == NULL || tt_selection_matches (self->options->selection, event);
}

/* -- the scan -------------------------------------------------------------------------------------- */

gint64
tt_graph_builder_gap (gint64 end_ns, gint64 next_ns)
{
  gint64 gap_ns = 0;

  if (next_ns > end_ns && __builtin_sub_overflow (next_ns, end_ns, &gap_ns))
    gap_ns = G_MAXINT64;
  return gap_ns;
}

static gboolean
take_span (TtGraphBuilder *self, const TtEvent *event, GError **error)
{
  guint32 node = is_selected (self, event) ? node_of (self, event) : TT_NO_NODE;
  TtSpanRef parent, next;

  if (self->by_event && self->graph->nodes->len > TT_DEP_MAX_EVENTS)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "more than %u spans are selected; narrow --time-window, or lower --depth", TT_DEP_MAX_EVENTS);
      return FALSE;
    }
  if (!tt_span_tree_add (self->tree, event, node, &parent, &next, error))
    return FALSE;
  tt_graph_links_reach (&self->links, event->id, node != TT_NO_NODE ? node : parent.node);
  if (node == TT_NO_NODE)
    return TRUE;

  if (parent.event != 0)
    leave_to_child (self, parent.node, event);
  if (parent.event != 0 && (self->options->kinds & 1u << TT_EDGE_CALL))
    tt_edge_table_add (&self->edges, parent.node, node, TT_EDGE_CALL, 1, 0);
  if (next.event != 0 && (self->options->kinds & 1u << TT_EDGE_SEQUENCE))
    {
      gint64 end_ns = G_MAXINT64;
      const gboolean is_known = !__builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns);

      tt_edge_table_add (&self->edges, node, next.node, TT_EDGE_SEQUENCE, 1,
                         is_known ? tt_graph_builder_gap (end_ns, next.ts_ns) : 0);
    }
  return TRUE;
}

static gboolean
take_kept (const TtEvent *event, gpointer data, GError **error)
{
  return event->dur_ns == TT_NO_TIME || take_span (data, event, error);
}

static gboolean
read_vicinity (TtGraphBuilder *self, GError **error)
{
  self->tree = tt_span_tree_new (tt_store_max_thread (self->store));
  if (!tt_vicinity_each (self->vicinity, take_kept, self, error))
    return FALSE;
  tt_graph_links_end (&self->links);
  return TRUE;
}

static gboolean
scan_spans_between (TtGraphBuilder *self, gint64 begin_ns, gint64 end_ns, GError **error)
{
  g_autoptr (TtProgress) progress = NULL;
  TtEventScan *events = tt_event_scan_new_between (self->store, TT_SCAN_REVERSE, begin_ns, end_ns, error);
  TtEvent event;
  guint64 n = 0;
  gboolean ok = TRUE;

  if (events == NULL)
    return FALSE;
  self->tree = tt_span_tree_new (tt_store_max_thread (self->store));
  progress = tt_progress_new ("graph", tt_store_n_events (self->store), "events");
  while (ok && tt_event_scan_next (events, &event))
    {
      if (event.dur_ns != TT_NO_TIME)
        ok = take_span (self, &event, error);
      if (++n % 65536 == 0)
        {
          tt_progress_add (progress, 65536);
          ok = ok && !tt_cancelled (error);
        }
    }
  tt_graph_links_end (&self->links);
  return tt_event_scan_finish (events, ok ? error : NULL) && ok;
}

/* Arrows that the trace itself has, and those of devices, may come from outside a window and belong to spans around both. */
static gboolean
has_arrows (const TtGraphBuilder *self)
{
  TtStoreCounts counts;

  return self->links.roles.by_event != NULL || !tt_store_counts (self->store, &counts, NULL) || counts.n_flows > 0;
}

/* Of a time window no more is read than touches it, where all ends of links do. */
static void
find_window (const TtGraphBuilder *self, gint64 *begin_ns, gint64 *end_ns)
{
  const TtSelection *selection = self->options->selection;

  *begin_ns = G_MININT64;
  *end_ns = G_MAXINT64;
  if (selection != NULL && tt_selection_has_window (selection) && !has_arrows (self))
    tt_selection_window (selection, begin_ns, end_ns);
}

gboolean
tt_graph_builder_scan (TtGraphBuilder *self, GError **error)
{
  gint64 begin_ns, end_ns;

  if (!tt_graph_links_load (&self->links, self->store, error))
    return FALSE;
  find_window (self, &begin_ns, &end_ns);
  if (self->vicinity != NULL ? !read_vicinity (self, error) : !scan_spans_between (self, begin_ns, end_ns, error))
    return FALSE;
  if (self->vicinity == NULL && self->links.n_missed > 0 && (begin_ns != G_MININT64 || end_ns != G_MAXINT64))
    {
      const TtGraphBuilder fresh = { .by_event = self->by_event, .members = self->members };
      TtStore *store = self->store;
      const TtDepGraphOptions *options = self->options;

      tt_graph_builder_clear (self);
      *self = fresh;
      tt_graph_builder_init (self, store, options);
      if (!tt_graph_links_load (&self->links, self->store, error) ||
          !scan_spans_between (self, G_MININT64, G_MAXINT64, error))
        return FALSE;
    }
  tt_graph_links_add_edges (&self->links, &self->edges);
  tt_graph_builder_bound (self);
  return TRUE;
}

/* -- a part ----------------------------------------------------------------------------------------- */

/* What is around the part has nodes, whose spans others count. */
static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  TtGraphBuilder *self = data;
  TtSpanRef parent, next;

  if (event->dur_ns == TT_NO_TIME)
    return TRUE;
  tt_span_tree_set_around (self->tree, self->shared->is_around);
  if (G_LIKELY (!self->shared->is_around))
    return take_span (self, event, error);
  /* Whose caller is not read begins after the part. */
  if (!tt_span_tree_fits (self->tree, event))
    return TRUE;
  const guint32 node = is_selected (self, event) ? seen_node (self, event, is_stretch (self, event)) : TT_NO_NODE;
  return tt_span_tree_add (self->tree, event, node, &parent, &next, error);
}

gboolean
tt_graph_builder_scan_part (TtGraphBuilder *self, TtSharedScan *shared, GError **error)
{
  gint64 begin_ns, end_ns;

  self->shared = self->links.shared = shared;
  if (!tt_graph_links_load (&self->links, self->store, error))
    return FALSE;
  shared->is_odd |= self->links.roles.is_entangled;
  if (self->links.roles.is_entangled)
    return TRUE;
  find_window (self, &begin_ns, &end_ns);
  self->tree = tt_span_tree_new (tt_store_max_thread (self->store));
  tt_span_tree_begin_part (self->tree, shared->crew->rank == 0);
  if (!tt_shared_scan_run (shared, begin_ns, end_ns, take_event, self, error))
    return FALSE;
  tt_graph_links_end (&self->links);
  for (guint i = 0; shared->is_cut && i < self->stretches->len; i++)
    shared->is_odd |= (g_array_index (self->stretches, guint8, i) & TT_STRETCH_MIXED) != 0;
  shared->is_odd |= self->links.n_missed > 0 && (begin_ns != G_MININT64 || end_ns != G_MAXINT64);
  tt_graph_links_add_edges (&self->links, &self->edges);
  return TRUE;
}

/* -- order ----------------------------------------------------------------------------------------- */

typedef struct
{
  const TtNode *node;
  guint32 depth, number;
} Begin;

static int
compare_begins (const void *a, const void *b)
{
  const Begin *x = a, *y = b;
  int by_label;

  if (x->node->ts_ns != y->node->ts_ns)
    return x->node->ts_ns < y->node->ts_ns ? -1 : 1;
  if (x->depth != y->depth)
    return x->depth < y->depth ? -1 : 1;
  by_label = g_strcmp0 (x->node->label, y->node->label);
  if (by_label != 0)
    return by_label;
  return x->node->event < y->node->event ? -1 : x->node->event > y->node->event;
}

/* Numbers the nodes by their begins. */
void
tt_graph_builder_sort (TtGraphBuilder *self)
{
  guint n = self->graph->nodes->len;
  g_autofree Begin *begins = g_new (Begin, (gsize) n + 1);
  g_autofree guint32 *place = g_new (guint32, (gsize) n + 1);
  GArray *sorted = g_array_sized_new (FALSE, TRUE, sizeof (TtNode), n);

  for (guint i = 0; i < n; i++)
    begins[i] = (Begin){ tt_graph_node (self->graph, i), g_array_index (self->depths, guint32, i), i };
  qsort (begins, n, sizeof *begins, compare_begins);
  for (guint i = 0; i < n; i++)
    {
      place[begins[i].number] = i;
      g_array_append_val (sorted, *begins[i].node);
    }
  g_array_unref (self->graph->nodes);
  self->graph->nodes = sorted;
  for (guint i = 0; i < self->graph->edges->len; i++)
    {
      TtEdge *edge = tt_graph_edge (self->graph, i);
      edge->src = place[edge->src];
      edge->dst = place[edge->dst];
    }
}
