/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/dep-graph.h"

#include "analyzers/dependencies/graph-builder.h"
#include "analyzers/dependencies/joint-graph.h"

/* As one rank of several. *@is_alone: rank 0 has to do it otherwise, the others have nothing more to do. */
static gboolean
build_jointly (TtGraphBuilder *self, TtSharedScan *shared, gboolean *is_alone, GError **error)
{
  const TtCrew *crew = shared->crew;
  GError *own = NULL;

  if (crew->rank > 0)
    return tt_joint_graph_build (self, shared, is_alone, error);
  crew->call (crew->id);
  const gboolean is_done = tt_joint_graph_build (self, shared, is_alone, &own);
  return tt_crew_end (crew, is_done, own, error);
}

TtGraph *
tt_dep_graph_ops (TtStore *store, const TtDepGraphOptions *options, GError **error)
{
  g_auto (TtGraphBuilder) self = { 0 };
  g_auto (TtSharedScan) shared = { NULL };
  const gboolean has_window = options->selection != NULL && tt_selection_has_window (options->selection);
  gboolean is_alone = FALSE, is_traced = FALSE;

  /* What devices wait for is in their source, which is therefore not cut. */
  if (options->crew != NULL && !tt_device_is_traced (store, &is_traced, error))
    return NULL;
  tt_shared_scan_init (&shared, store, options->crew, !has_window && !is_traced);
  if (!shared.is_shared && options->crew != NULL && options->crew->rank > 0)
    return NULL;
  tt_graph_builder_init (&self, store, options);
  self.links.has_devices = is_traced;
  if (shared.is_shared && !build_jointly (&self, &shared, &is_alone, error))
    return NULL;
  if (is_alone)
    {
      g_debug ("parts of the run do not tell what is around their spans: one rank reads all");
      tt_graph_builder_clear (&self);
      self = (TtGraphBuilder){ 0 };
      tt_graph_builder_init (&self, store, options);
    }
  if ((is_alone || !shared.is_shared) && !tt_graph_builder_scan (&self, error))
    return NULL;
  tt_graph_builder_sort (&self);
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
count_before (TtGraphBuilder *self,
              Occurrence *occurrences,
              guint n,
              const guint32 *first,
              guint32 n_ops,
              GError **error)
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
label_events (TtGraphBuilder *self, GError **error)
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
  g_auto (TtGraphBuilder) self = { .by_event = TRUE, .members = members };

  tt_graph_builder_init (&self, store, options);
  if (!tt_graph_builder_scan (&self, error) || !label_events (&self, error))
    return NULL;
  tt_graph_builder_sort (&self);
  tt_graph_finish (self.graph);
  return g_steal_pointer (&self.graph);
}
