/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/dep-graph.h"

#include "analyzers/dependencies/span-links.h"
#include "analyzers/dependencies/span-tree.h"
#include "analyzers/devices/roles.h"
#include "analyzers/spans/op-table.h"
#include "graphs/edge-table.h"
#include "src/base/error.h"
#include "src/base/progress.h"
#include "src/trace/native-groups.h"

/* A message, collective or flow; its ends become nodes as the scan passes the spans. */
typedef struct
{
  guint32 from, to;
  guint32 kind;
  gint64 gap_ns;
} Link;

typedef struct
{
  guint64 event;
  guint64 side; /* 2 * link, + 1 for its destination */
} LinkEnd;

typedef struct
{
  TtStore *store;
  const TtDepGraphOptions *options;
  GHashTable *members; /* at level event; NULL: all */
  gboolean by_event;
  TtOpTable *ops;
  TtGraph *graph;
  GArray *depths;    /* of guint32: depth of each node's first span */
  GArray *node_ops;  /* of guint32: operation of each node */
  GArray *stretches; /* of guint8: whether a node's spans are windows of the host */
  TtEdgeTable edges;
  GArray *links, *ends;
  guint next_end, n_missed; /* ends; of these, of events that the scan did not come to */
  TtDeviceRoles roles;
} Builder;

static void
builder_clear (Builder *self)
{
  g_clear_pointer (&self->ops, tt_op_table_free);
  g_clear_pointer (&self->graph, tt_graph_free);
  g_clear_pointer (&self->depths, g_array_unref);
  g_clear_pointer (&self->node_ops, g_array_unref);
  g_clear_pointer (&self->stretches, g_array_unref);
  tt_edge_table_clear (&self->edges);
  g_clear_pointer (&self->links, g_array_unref);
  g_clear_pointer (&self->ends, g_array_unref);
  tt_device_roles_clear (&self->roles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

static void
builder_init (Builder *self, TtStore *store, const TtDepGraphOptions *options)
{
  self->store = store;
  self->options = options;
  self->ops = tt_op_table_new (store, options->merge_ranks);
  self->graph = tt_graph_new ();
  self->depths = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->node_ops = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->stretches = g_array_new (FALSE, TRUE, sizeof (guint8));
  tt_edge_table_init (&self->edges, self->graph);
  self->links = g_array_new (FALSE, FALSE, sizeof (Link));
  self->ends = g_array_new (FALSE, FALSE, sizeof (LinkEnd));
}

/* -- links ----------------------------------------------------------------------------------------- */

static void
take_link (guint64 from, guint64 to, TtEdgeKind kind, gint64 gap_ns, gpointer data)
{
  Builder *self = data;
  Link link = { .from = TT_NO_NODE, .to = TT_NO_NODE, .kind = kind, .gap_ns = gap_ns };
  guint64 side = (guint64) self->links->len * 2;
  LinkEnd ends[2] = { { from, side }, { to, side + 1 } };

  if (self->members != NULL && (!g_hash_table_contains (self->members, GSIZE_TO_POINTER (from)) ||
                                !g_hash_table_contains (self->members, GSIZE_TO_POINTER (to))))
    return;
  g_array_append_val (self->links, link);
  g_array_append_vals (self->ends, ends, 2);
}

static int
compare_ends (const void *a, const void *b)
{
  const LinkEnd *x = a, *y = b;

  if (x->event != y->event)
    return x->event > y->event ? -1 : 1;
  return (x->side > y->side) - (x->side < y->side);
}

/* Events come with falling ids, and so do the ends. */
static void
resolve_ends (Builder *self, guint64 event, guint32 node)
{
  const LinkEnd *ends = (const LinkEnd *) self->ends->data;

  for (; self->next_end < self->ends->len && ends[self->next_end].event > event; self->next_end++)
    self->n_missed++;
  for (; self->next_end < self->ends->len && ends[self->next_end].event == event; self->next_end++)
    {
      Link *link = &g_array_index (self->links, Link, ends[self->next_end].side / 2);
      if (ends[self->next_end].side & 1)
        link->to = node;
      else
        link->from = node;
    }
}

static void
add_links (Builder *self)
{
  for (guint i = 0; i < self->links->len; i++)
    {
      const Link *link = &g_array_index (self->links, Link, i);
      if (link->from != TT_NO_NODE && link->to != TT_NO_NODE)
        tt_edge_table_add (&self->edges, link->from, link->to, link->kind, 1, link->gap_ns);
    }
}

/* -- nodes ----------------------------------------------------------------------------------------- */

static guint32
add_node (Builder *self, guint32 op_number, const TtEvent *event)
{
  const TtOp *op = tt_op_table_op (self->ops, op_number);
  const TtStoredName *name = tt_store_name (self->store, op->name);
  const TtProcess *process = op->process == TT_NO_ID ? NULL : tt_store_process (self->store, op->process);
  guint32 node = tt_graph_add_node (self->graph, self->by_event ? "" : op->label, process == NULL ? NULL : process->pid,
                                    name == NULL ? NULL : name->op_cat, name == NULL ? NULL : name->text);

  tt_graph_node (self->graph, node)->ts_ns = event->ts_ns;
  g_array_append_val (self->depths, event->depth);
  g_array_append_val (self->node_ops, op_number);
  g_array_set_size (self->stretches, node + 1);
  return node;
}

/* A window of the host: what its children leave of it is time in which the program ran unseen, which a path needs. */
static gboolean
is_stretch (const Builder *self, const TtEvent *event)
{
  return (event->flags & TT_FLAG_WINDOW) != 0 && tt_device_roles_of_event (&self->roles, event) == TT_ACTIVITY_NONE;
}

static void
leave_to_child (Builder *self, guint32 parent, const TtEvent *event)
{
  if (g_array_index (self->stretches, guint8, parent))
    tt_graph_node (self->graph, parent)->self_ns -= event->dur_ns;
}

/* Children that cross may be longer than their parent. */
static void
bound_stretches (Builder *self)
{
  for (guint i = 0; i < self->stretches->len; i++)
    if (g_array_index (self->stretches, guint8, i))
      tt_graph_node (self->graph, i)->self_ns = MAX (tt_graph_node (self->graph, i)->self_ns, 0);
}

static guint32
node_of (Builder *self, const TtEvent *event)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);
  guint32 op = tt_op_table_find (self->ops, thread == NULL ? TT_NO_ID : thread->process, event->name);
  guint32 number = op;

  if (self->by_event)
    number = add_node (self, op, event);
  else if (op == self->graph->nodes->len)
    add_node (self, op, event);

  TtNode *node = tt_graph_node (self->graph, number);
  node->cnt++;
  node->sum_ns += event->dur_ns;
  node->self_ns += event->self_ns;
  if (is_stretch (self, event))
    {
      node->self_ns += event->dur_ns;
      g_array_index (self->stretches, guint8, number) = TRUE;
    }
  if (self->by_event)
    node->event = event->id;
  if (event->ts_ns < node->ts_ns)
    {
      node->ts_ns = event->ts_ns;
      g_array_index (self->depths, guint32, number) = event->depth;
    }
  return number;
}

static gboolean
is_selected (const Builder *self, const TtEvent *event)
{
  const TtStoredName *name = tt_store_name (self->store, event->name);

  /* Marks say what a call waits for: they are nothing that was done. */
  if (tt_activity_is_mark (tt_device_roles_of (&self->roles, event->id)) ||
      (name != NULL && g_strcmp0 (name->group, TT_GROUP_NEGOTIATION) == 0))
    return FALSE;
  if (self->members != NULL && !g_hash_table_contains (self->members, GSIZE_TO_POINTER (event->id)))
    return FALSE;
  return self->options->selection == NULL || tt_selection_matches (self->options->selection, event);
}

/* -- the scan -------------------------------------------------------------------------------------- */

static gboolean
take_span (Builder *self, TtSpanTree *tree, const TtEvent *event, GError **error)
{
  guint32 node = is_selected (self, event) ? node_of (self, event) : TT_NO_NODE;
  TtSpanRef parent, next;

  if (self->by_event && self->graph->nodes->len > TT_DEP_MAX_EVENTS)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "more than %u spans are selected; narrow --time-window, or lower --depth", TT_DEP_MAX_EVENTS);
      return FALSE;
    }
  if (!tt_span_tree_add (tree, event, node, &parent, &next, error))
    return FALSE;
  resolve_ends (self, event->id, node != TT_NO_NODE ? node : parent.node);
  if (node == TT_NO_NODE)
    return TRUE;

  if (parent.event != 0)
    leave_to_child (self, parent.node, event);
  if (parent.event != 0 && (self->options->kinds & 1u << TT_EDGE_CALL))
    tt_edge_table_add (&self->edges, parent.node, node, TT_EDGE_CALL, 1, 0);
  if (next.event != 0 && (self->options->kinds & 1u << TT_EDGE_SEQUENCE))
    {
      gint64 end_ns = G_MAXINT64, gap_ns = 0;

      if (!__builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns) && next.ts_ns > end_ns &&
          __builtin_sub_overflow (next.ts_ns, end_ns, &gap_ns))
        gap_ns = G_MAXINT64;
      tt_edge_table_add (&self->edges, node, next.node, TT_EDGE_SEQUENCE, 1, gap_ns);
    }
  return TRUE;
}

static gboolean
scan_spans_between (Builder *self, gint64 begin_ns, gint64 end_ns, GError **error)
{
  g_autoptr (TtSpanTree) tree = tt_span_tree_new (tt_store_max_thread (self->store));
  g_autoptr (TtProgress) progress = NULL;
  TtEventScan *events = tt_event_scan_new_between (self->store, TT_SCAN_REVERSE, begin_ns, end_ns, error);
  TtEvent event;
  guint64 n = 0;
  gboolean ok = TRUE;

  if (events == NULL)
    return FALSE;
  progress = tt_progress_new ("graph", tt_store_n_events (self->store), "events");
  while (ok && tt_event_scan_next (events, &event))
    {
      if (event.dur_ns != TT_NO_TIME)
        ok = take_span (self, tree, &event, error);
      if (++n % 65536 == 0)
        {
          tt_progress_add (progress, 65536);
          ok = ok && !tt_cancelled (error);
        }
    }
  self->n_missed += self->ends->len - self->next_end;
  return tt_event_scan_finish (events, ok ? error : NULL) && ok;
}

static gboolean
load_links (Builder *self, GError **error)
{
  if (!tt_device_roles_load (&self->roles, self->store, NULL, NULL, error) ||
      !tt_span_links_each (self->store, self->options->kinds, self->options->selection, take_link, self, error))
    return FALSE;
  g_array_sort (self->ends, compare_ends);
  return TRUE;
}

/* Arrows that the trace itself has, and those of devices, may come from outside a window and belong to spans around both. */
static gboolean
has_arrows (const Builder *self)
{
  TtStoreCounts counts;

  return self->roles.by_event != NULL || !tt_store_counts (self->store, &counts, NULL) || counts.n_flows > 0;
}

/* Of a time window no more is read than touches it, where all ends of links do. */
static gboolean
scan_spans (Builder *self, GError **error)
{
  const TtSelection *selection = self->options->selection;
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  if (!load_links (self, error))
    return FALSE;
  if (selection != NULL && tt_selection_has_window (selection) && !has_arrows (self))
    tt_selection_window (selection, &begin_ns, &end_ns);
  if (!scan_spans_between (self, begin_ns, end_ns, error))
    return FALSE;
  if (self->n_missed > 0 && (begin_ns != G_MININT64 || end_ns != G_MAXINT64))
    {
      const Builder fresh = { .by_event = self->by_event, .members = self->members };
      TtStore *store = self->store;
      const TtDepGraphOptions *options = self->options;

      builder_clear (self);
      *self = fresh;
      builder_init (self, store, options);
      if (!load_links (self, error) || !scan_spans_between (self, G_MININT64, G_MAXINT64, error))
        return FALSE;
    }
  add_links (self);
  bound_stretches (self);
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
static void
sort_nodes (Builder *self)
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

TtGraph *
tt_dep_graph_ops (TtStore *store, const TtDepGraphOptions *options, GError **error)
{
  g_auto (Builder) self = { 0 };

  builder_init (&self, store, options);
  if (!scan_spans (&self, error))
    return NULL;
  sort_nodes (&self);
  tt_graph_finish (self.graph);
  return g_steal_pointer (&self.graph);
}

/* -- level event ------------------------------------------------------------------------------------ */

/* A node among those of its operation, in begin order: (ts, depth, id). */
typedef struct
{
  guint32 op, depth;
  gint64 ts_ns;
  guint64 event;
  guint32 node;
  guint64 n_before; /* events of the operation between the node before and this */
} Occurrence;

static int
compare_occurrences (const void *a, const void *b)
{
  const Occurrence *x = a, *y = b;

  if (x->op != y->op)
    return x->op < y->op ? -1 : 1;
  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  if (x->depth != y->depth)
    return x->depth < y->depth ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

static gboolean
count_before (Builder *self, Occurrence *occurrences, guint n, const guint32 *first, guint32 n_ops, GError **error)
{
  gint64 last_ns = n == 0 ? 0 : occurrences[0].ts_ns;
  TtEvent event;

  for (guint i = 0; i < n; i++)
    last_ns = MAX (last_ns, occurrences[i].ts_ns);
  TtEventScan *events =
      n == 0 ? NULL : tt_event_scan_new_between (self->store, TT_SCAN_DEFAULT, G_MININT64, last_ns, error);
  if (events == NULL)
    return n == 0;
  while (tt_event_scan_next (events, &event))
    {
      const TtThread *thread = tt_store_thread (self->store, event.thread);
      Occurrence key = {
        .op = tt_op_table_find (self->ops, thread == NULL ? TT_NO_ID : thread->process, event.name),
        .depth = event.depth,
        .ts_ns = event.ts_ns,
        .event = event.id,
      };
      guint low, high;

      if (key.op >= n_ops || event.dur_ns == TT_NO_TIME)
        continue;
      for (low = first[key.op], high = first[key.op + 1]; low < high;)
        {
          guint middle = low + (high - low) / 2;
          if (compare_occurrences (&occurrences[middle], &key) > 0)
            high = middle;
          else
            low = middle + 1;
        }
      if (low < first[key.op + 1])
        occurrences[low].n_before++;
    }
  return tt_event_scan_finish (events, error);
}

/* Labels "op_long_name#k". */
static gboolean
label_events (Builder *self, GError **error)
{
  guint n = self->graph->nodes->len;
  g_autofree Occurrence *occurrences = g_new0 (Occurrence, (gsize) n + 1);
  g_autofree guint32 *first = NULL;
  guint32 n_ops;

  for (guint i = 0; i < n; i++)
    {
      occurrences[i].op = g_array_index (self->node_ops, guint32, i);
      occurrences[i].depth = g_array_index (self->depths, guint32, i);
      occurrences[i].ts_ns = tt_graph_node (self->graph, i)->ts_ns;
      occurrences[i].event = tt_graph_node (self->graph, i)->event;
      occurrences[i].node = i;
    }
  qsort (occurrences, n, sizeof *occurrences, compare_occurrences);
  n_ops = tt_op_table_count (self->ops);
  first = g_new0 (guint32, (gsize) n_ops + 2);
  for (guint i = 0; i < n; i++)
    first[occurrences[i].op + 1]++;
  for (guint i = 1; i <= n_ops; i++)
    first[i] += first[i - 1];
  if (!count_before (self, occurrences, n, first, n_ops, error))
    return FALSE;

  guint64 k = 0;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = NULL;
      k = (i == first[occurrences[i].op] ? 0 : k) + occurrences[i].n_before;
      label = g_strdup_printf ("%s#%" G_GUINT64_FORMAT, tt_op_table_op (self->ops, occurrences[i].op)->label, k);
      tt_graph_node (self->graph, occurrences[i].node)->label = g_string_chunk_insert (self->graph->text, label);
    }
  return TRUE;
}

TtGraph *
tt_dep_graph_events (TtStore *store, const TtDepGraphOptions *options, GHashTable *members, GError **error)
{
  g_auto (Builder) self = { .by_event = TRUE, .members = members };

  builder_init (&self, store, options);
  if (!scan_spans (&self, error) || !label_events (&self, error))
    return NULL;
  sort_nodes (&self);
  tt_graph_finish (self.graph);
  return g_steal_pointer (&self.graph);
}
