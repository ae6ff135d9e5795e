/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/dep-graph.h"

#include "analyzers/dependencies/graph-builder.h"
#include "analyzers/dependencies/joint-graph.h"
#include "analyzers/spans/each-event.h"

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

/* Of all nodes, by operation: those of @op from first[op] to first[op + 1]. */
typedef struct
{
  TtGraphBuilder *builder;
  Occurrence *occurrences;
  guint n;
  const guint32 *first;
  guint32 n_ops;
} Labels;

/* The first node of @op after @key. The end of its nodes: none. */
static guint
node_after (const Labels *self, guint32 op, const Occurrence *key)
{
  guint low = self->first[op], high = self->first[op + 1];

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (compare_occurrences (&self->occurrences[middle], key) > 0)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static gboolean
count_event (const TtEvent *event, gpointer data, GError **error)
{
  const Labels *self = data;
  const TtThread *thread = tt_store_thread (self->builder->store, event->thread);
  const Occurrence key = {
    .op = tt_op_table_find (self->builder->ops, thread == NULL ? TT_NO_ID : thread->process, event->name),
    .depth = event->depth,
    .ts_ns = event->ts_ns,
    .event = event->id,
  };

  if (key.op >= self->n_ops || event->dur_ns == TT_NO_TIME)
    return TRUE;

  const guint node = node_after (self, key.op, &key);

  if (node < self->first[key.op + 1])
    self->occurrences[node].n_before++;
  return TRUE;
}

/* Spans of @op that begin from @piece's first begin to its last end are before the same node. *@node: that one. */
static gboolean
is_before_one (const Labels *self, const TtEventPiece *piece, guint32 op, guint *node)
{
  const Occurrence begin = { .op = op, .ts_ns = piece->first_ns };
  const Occurrence end = { .op = op, .depth = G_MAXUINT32, .ts_ns = piece->last_ns, .event = G_MAXUINT64 };

  *node = node_after (self, op, &begin);
  return *node == node_after (self, op, &end);
}

/* Of a piece, all of whose spans are before one node for each operation. FALSE: it has to be read. */
static gboolean
count_piece (const Labels *self,
             const TtEventIndex *index,
             const TtEventPiece *piece,
             const guint32 *ops,
             gboolean is_sum)
{
  const TtEventCount *counts = tt_event_index_counts (index, piece);
  guint node;

  for (guint i = 0; i < piece->n_counts; i++)
    {
      const guint32 op = ops[counts[i].op];

      if (op >= self->n_ops || self->first[op] == self->first[op + 1])
        continue;
      if (!is_before_one (self, piece, op, &node))
        return FALSE;
      if (is_sum && node < self->first[op + 1])
        self->occurrences[node].n_before += counts[i].n;
    }
  return piece->is_counted;
}

/* Of operations of the index those of the nodes. Free it. */
static guint32 *
number_ops (const Labels *self, TtOpTable *ops)
{
  const guint32 n = tt_op_table_count (ops);
  guint32 *numbers = g_new (guint32, (gsize) n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      const TtOp *op = tt_op_table_op (ops, i);
      numbers[i] = tt_op_table_find (self->builder->ops, op->process, op->name);
    }
  return numbers;
}

/* Pieces that follow each other are read at once. */
static gboolean
count_by_index (Labels *self, const TtEventIndex *index, gint64 last_ns, GError **error)
{
  g_autofree guint32 *ops = number_ops (self, tt_event_index_ops (index));
  const guint n = tt_event_index_n_pieces (index);
  TtEventPart part = TT_EVENT_PART_ALL;
  gboolean is_open = FALSE;

  for (guint i = 0; i <= n; i++)
    {
      const TtEventPiece *piece = i == n ? NULL : tt_event_index_piece (index, i);
      const gboolean is_wanted = piece != NULL && piece->first_ns <= last_ns;
      const gboolean is_summed = is_wanted && count_piece (self, index, piece, ops, FALSE);

      if (is_summed)
        count_piece (self, index, piece, ops, TRUE);
      if (is_wanted && !is_summed)
        {
          part.first = is_open ? part.first : piece->first;
          part.last = piece->last;
          is_open = TRUE;
          continue;
        }
      if (is_open && !tt_each_event_of (self->builder->store, &part, count_event, self, error))
        return FALSE;
      is_open = FALSE;
    }
  return TRUE;
}

static gboolean
count_before (Labels *self, const TtDepGraphNear *near, GError **error)
{
  gint64 last_ns = G_MININT64;

  for (guint i = 0; i < self->n; i++)
    last_ns = MAX (last_ns, self->occurrences[i].ts_ns);
  if (self->n == 0)
    return TRUE;
  if (near != NULL)
    return count_by_index (self, near->index, last_ns, error);
  return tt_each_event_between (self->builder->store, TT_SCAN_DEFAULT, G_MININT64, last_ns, count_event, self, error);
}

/* Labels "op_long_name#k". */
static gboolean
label_events (TtGraphBuilder *self, const TtDepGraphNear *near, GError **error)
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

  Labels labels = { self, occurrences, n, first, n_ops };

  if (!count_before (&labels, near, error))
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

/* The vicinity with all members; NULL: it cannot be had. */
static gboolean
find_vicinity (TtDepGraphNear *near, GHashTable *members, TtVicinity **vicinity, GError **error)
{
  GHashTableIter iter;
  gpointer event;

  *vicinity = NULL;
  if (near == NULL || near->vicinity == NULL || members == NULL)
    return TRUE;
  g_hash_table_iter_init (&iter, members);
  while (tt_vicinity_is_complete (near->vicinity) && g_hash_table_iter_next (&iter, &event, NULL))
    if (!tt_vicinity_add (near->vicinity, GPOINTER_TO_SIZE (event), error))
      return FALSE;
  if (tt_vicinity_is_complete (near->vicinity))
    *vicinity = near->vicinity;
  return TRUE;
}

TtGraph *
tt_dep_graph_events (TtStore *store,
                     const TtDepGraphOptions *options,
                     GHashTable *members,
                     TtDepGraphNear *near,
                     GError **error)
{
  g_auto (TtGraphBuilder) self = { .by_event = TRUE, .members = members };

  if (!find_vicinity (near, members, &self.vicinity, error))
    return NULL;
  tt_graph_builder_init (&self, store, options);
  if (near != NULL)
    self.links.work = &near->work;
  if (!tt_graph_builder_scan (&self, error) || !label_events (&self, near, error))
    return NULL;
  tt_graph_builder_sort (&self);
  tt_graph_finish (self.graph);
  return g_steal_pointer (&self.graph);
}

/* -- around one span -------------------------------------------------------------------------------- */

/* Runs of no more are read as often as it takes. */
#define FEW_EVENTS 262144u

void
tt_dep_graph_near_clear (TtDepGraphNear *self)
{
  g_clear_pointer (&self->vicinity, tt_vicinity_free);
  g_clear_pointer (&self->index, tt_event_index_free);
  g_clear_pointer (&self->ops, tt_op_table_free);
  tt_device_work_clear (&self->work);
}

TtGraph *
tt_dep_graph_around (TtStore *store, const TtDepGraphOptions *options, const char *text, guint hops, GError **error)
{
  g_auto (TtDepGraphNear) near = { .ops = tt_op_table_new (store, FALSE), .events_a_piece = TT_EVENTS_A_PIECE };
  g_autoptr (GHashTable) members = NULL;
  guint64 centre;

  if (!tt_dep_graph_find_event (store, text, &near, &centre, error))
    return NULL;
  near.vicinity =
      tt_vicinity_new (store, near.index, options->selection, MAX (tt_store_n_events (store) / 2, FEW_EVENTS));
  members = tt_dep_graph_neighbours (store, options, &near, centre, hops, error);
  return members == NULL ? NULL : tt_dep_graph_events (store, options, members, &near, error);
}
