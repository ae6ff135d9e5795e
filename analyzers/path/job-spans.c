/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/job-spans.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/training-job/tree-transfers.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

#include <string.h>

typedef struct
{
  TtJobSpans *result;
  TtStore *store;
  TtJobNames names;
  TtMap64 node_of; /* endpoint << 32 | name -> node */
  guint8 *is_wait; /* by name */
} Collector;

static void
collector_clear (Collector *self)
{
  tt_job_names_clear (&self->names);
  tt_map64_clear (&self->node_of);
  g_free (self->is_wait);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Collector, collector_clear)

static guint64
key_of (guint32 high, guint32 low)
{
  return (guint64) high << 32 | low;
}

/* -- names and nodes ------------------------------------------------------------------------------------------- */

static gboolean
is_waiting (const char *sub_op)
{
  return sub_op != NULL && (g_str_equal (sub_op, "Sync") || g_str_has_prefix (sub_op, "QUEUE") ||
                            g_str_has_prefix (sub_op, "NEGOTIATE") || g_str_has_prefix (sub_op, "WAIT_FOR"));
}

static void
find_waits (Collector *self)
{
  self->is_wait = g_malloc0 ((gsize) self->names.max_name + 1);
  for (guint32 id = 1; id <= self->names.max_name && id != 0; id++)
    if (self->names.kinds[id] != TT_STEP_NODE_OTHER)
      {
        const TtStoredName *name = tt_store_name (self->store, id);
        self->is_wait[id] = name != NULL && g_strcmp0 (name->op_cat, "Comm") == 0 && is_waiting (name->sub_op);
      }
}

static void
map_name (Collector *self, guint32 endpoint, const char *text, guint32 node)
{
  guint32 name = tt_job_names_find (&self->names, text);

  if (name != TT_NO_ID && tt_map64_get (&self->node_of, key_of (endpoint, name)) == TT_MAP64_NONE)
    tt_map64_set (&self->node_of, key_of (endpoint, name), node);
}

/* A node of a fused group stands for what its tensors do under their own names, too. */
static void
map_nodes (Collector *self)
{
  const TtTrainingJob *job = self->result->job;

  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (job->graph, i);
      const char *suffix = node->parts.suffix;

      if (node->rank == TT_STEP_NO_RANK || node->peer != TT_STEP_NO_RANK)
        continue;
      g_autofree char *text = g_strconcat (node->name, suffix == NULL ? NULL : "~>", suffix, NULL);
      map_name (self, node->rank, text, i);
      if (node->group == TT_STEP_NO_GROUP || suffix != NULL || node->parts.sub_op == NULL)
        continue;
      const TtJobShape *shape = &g_array_index (job->shapes, TtJobShape, node->group);
      for (guint k = 0; shape->tensors[k] != NULL; k++)
        {
          g_autofree char *member = g_strconcat ("Comm.", shape->tensors[k], ".", node->parts.sub_op, NULL);
          map_name (self, node->rank, member, i);
        }
    }
}

/* -- spans ------------------------------------------------------------------------------------------------------- */

static void
add_span (Collector *self, const TtEvent *event)
{
  const TtJobTopology *topology = self->result->job->topology;
  const TtThread *thread = tt_store_thread (self->store, event->thread);

  if (event->dur_ns == TT_NO_TIME || event->dur_ns < 0 || thread == NULL || event->name > self->names.max_name ||
      (event->flags & TT_FLAG_WINDOW) != 0)
    return;
  guint32 name = self->names.first_name[event->name], endpoint = topology->endpoint_of[thread->process];
  TtStepNodeKind kind = tt_job_names_kind (&self->names, name);
  if (endpoint == TT_STEP_NO_RANK || kind == TT_STEP_NODE_OTHER)
    return;
  const TtJobPathSpan span = {
    .event = event->id,
    .begin_ns = event->ts_ns,
    .end_ns = tt_span_end (event->ts_ns, event->dur_ns),
    .thread = event->thread,
    .name = name,
    .endpoint = endpoint,
    .node = tt_map64_get (&self->node_of, key_of (endpoint, name)),
    .step = event->step,
    .kind = (guint8) kind,
    .is_wait = self->is_wait[name],
  };
  g_array_append_val (self->result->spans, span);
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  add_span (data, event);
  return TRUE;
}

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const TtJobPathSpan *x = a, *y = b;
  int order = TT_COMPARE (x->end_ns, y->end_ns);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (x->event, y->event);
}

/* -- transfers over trees ---------------------------------------------------------------------------------- */

typedef struct
{
  guint32 endpoint, name;
  gint32 step;
  gint64 ts_ns, dur_ns;
  guint32 span;
} Transfer;

static int
compare_transfers (gconstpointer a, gconstpointer b)
{
  const Transfer *x = a, *y = b;

  if (x->endpoint != y->endpoint)
    return TT_COMPARE (x->endpoint, y->endpoint);
  if (x->name != y->name)
    return TT_COMPARE (x->name, y->name);
  if (x->step != y->step)
    return TT_COMPARE (x->step, y->step);
  if (x->ts_ns != y->ts_ns)
    return TT_COMPARE (x->ts_ns, y->ts_ns);
  return TT_COMPARE (x->dur_ns, y->dur_ns);
}

/* The matching sorts by the same keys, so that the k-th of both are of one sort. */
static void
match_trees (Collector *self)
{
  TtTrainingJob *job = self->result->job;
  g_autoptr (GArray) transfers = g_array_new (FALSE, FALSE, sizeof (Transfer));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (TtJobSpan));
  const TtJobTreeInput trees = { .names = &self->names,
                                 .nccl = job->nccl,
                                 .graph = job->graph,
                                 .spans = spans,
                                 .n_steps = job->n_steps,
                                 .typical_step = job->typical_step };

  for (guint32 i = 0; i < self->result->spans->len; i++)
    {
      const TtJobPathSpan *span = tt_job_span (self->result, i);
      if (span->kind != TT_STEP_NODE_SEND && span->kind != TT_STEP_NODE_RECV)
        continue;
      const gint64 dur_ns = span->end_ns - span->begin_ns;
      const Transfer transfer = { span->endpoint, span->name, span->step, span->begin_ns, dur_ns, i };
      const TtJobSpan copy = { span->endpoint, span->name, span->step, TT_STEP_NO_NODE, span->begin_ns, dur_ns };
      g_array_append_val (transfers, transfer);
      g_array_append_val (spans, copy);
    }
  g_array_sort (transfers, compare_transfers);
  g_autofree TtJobSamples *samples = tt_job_match_tree_transfers (&trees);
  for (guint i = 0; i < transfers->len; i++)
    tt_job_span (self->result, g_array_index (transfers, Transfer, i).span)->node =
        g_array_index (spans, TtJobSpan, i).node;
}

/* -- devices ----------------------------------------------------------------------------------------------- */

typedef enum
{
  DEVICE_OPERATORS,
  DEVICE_IO,
  DEVICE_KERNELS,
  DEVICE_SEND,
  DEVICE_RECV,
  DEVICE_ALL, /* of a link or a server's thread */
} Device;

static Device
device_of_kind (TtStepNodeKind kind)
{
  switch (kind)
    {
    case TT_STEP_NODE_FW:
    case TT_STEP_NODE_BW:
    case TT_STEP_NODE_UPDATE:
    case TT_STEP_NODE_OUTPUT:
      return DEVICE_OPERATORS;
    case TT_STEP_NODE_IO:
      return DEVICE_IO;
    case TT_STEP_NODE_SEND:
      return DEVICE_SEND;
    case TT_STEP_NODE_RECV:
      return DEVICE_RECV;
    case TT_STEP_NODE_SYNC:
    case TT_STEP_NODE_COMM:
    case TT_STEP_NODE_MEMCPY_IN:
    case TT_STEP_NODE_MEMCPY_OUT:
      return DEVICE_KERNELS;
    default:
      return DEVICE_ALL;
    }
}

static guint64
device_key (const TtJobSpans *self, guint32 endpoint, TtStepNodeKind kind, guint32 channel)
{
  Device device = device_of_kind (kind);
  gboolean has_channel = (device == DEVICE_SEND || device == DEVICE_RECV) && self->has_channels[endpoint];

  return key_of (endpoint, (guint32) device << 24 | (has_channel ? channel & 0xffffff : 0));
}

guint32
tt_job_spans_device (const TtJobSpans *self, guint32 endpoint, TtStepNodeKind kind, guint32 channel)
{
  return tt_map64_get (&self->device_of, device_key (self, endpoint, kind, channel));
}

/* Channels, and the ways of a tree's. */
static guint32
channel_of (const TtJobSpans *self, const TtJobPathSpan *span)
{
  if (span->node == TT_STEP_NO_NODE)
    return 0;
  const TtStepNode *node = tt_step_node (self->job->graph, span->node);
  return node->channel * 2 + node->is_down;
}

static int
compare_begins (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtJobPathSpan *x = tt_job_span ((TtJobSpans *) data, *(const guint32 *) a);
  const TtJobPathSpan *y = tt_job_span ((TtJobSpans *) data, *(const guint32 *) b);
  int order = TT_COMPARE (x->endpoint, y->endpoint);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (*(const guint32 *) a, *(const guint32 *) b);
}

/* Whether an endpoint sends over two channels at once. */
static void
find_channels (TtJobSpans *self)
{
  g_autoptr (GArray) sends = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64 end_ns = G_MININT64;
  guint32 channel = 0, endpoint = TT_STEP_NO_RANK;

  self->has_channels = g_malloc0 ((gsize) self->job->n_endpoints + 1);
  for (guint32 i = 0; i < self->spans->len; i++)
    if (tt_job_span (self, i)->kind == TT_STEP_NODE_SEND)
      g_array_append_val (sends, i);
  g_array_sort_with_data (sends, compare_begins, self);
  for (guint i = 0; i < sends->len; i++)
    {
      const TtJobPathSpan *span = tt_job_span (self, g_array_index (sends, guint32, i));
      if (span->endpoint == endpoint && span->begin_ns < end_ns && channel_of (self, span) != channel)
        self->has_channels[endpoint] = TRUE;
      if (span->endpoint != endpoint || span->end_ns > end_ns)
        {
          endpoint = span->endpoint;
          end_ns = span->end_ns;
          channel = channel_of (self, span);
        }
    }
}

static void
find_devices (TtJobSpans *self)
{
  for (guint32 i = 0; i < self->spans->len; i++)
    {
      TtJobPathSpan *span = tt_job_span (self, i);
      guint64 key = device_key (self, span->endpoint, (TtStepNodeKind) span->kind, channel_of (self, span));

      span->device = span->is_wait ? TT_JOB_NO_SPAN : tt_map64_get (&self->device_of, key);
      if (span->is_wait || span->device != TT_MAP64_NONE)
        continue;
      span->device = (guint32) self->device_of.n;
      tt_map64_set (&self->device_of, key, span->device);
    }
}

/* -- lists ------------------------------------------------------------------------------------------------- */

static guint32
list_of (const TtJobPathSpan *span, gboolean by_device)
{
  return by_device ? span->device : span->node;
}

static void
make_lists (TtJobSpanLists *lists, const TtJobSpans *self, guint32 n_lists, gboolean by_device)
{
  g_autofree guint32 *next = g_new (guint32, (gsize) n_lists + 1);

  lists->n_lists = n_lists;
  lists->first = g_new0 (guint32, (gsize) n_lists + 2);
  lists->spans = g_new (guint32, (gsize) self->spans->len + 1);
  for (guint32 i = 0; i < self->spans->len; i++)
    if (list_of (tt_job_span (self, i), by_device) < n_lists)
      lists->first[list_of (tt_job_span (self, i), by_device) + 1]++;
  for (guint32 i = 0; i < n_lists; i++)
    lists->first[i + 1] += lists->first[i];
  memcpy (next, lists->first, (gsize) n_lists * sizeof *next);
  for (guint32 i = 0; i < self->spans->len; i++)
    if (list_of (tt_job_span (self, i), by_device) < n_lists)
      lists->spans[next[list_of (tt_job_span (self, i), by_device)]++] = i;
}

guint32
tt_job_spans_last (const TtJobSpans *self, const TtJobSpanLists *lists, guint32 list, gint64 ns, guint32 before)
{
  if (list >= lists->n_lists)
    return TT_JOB_NO_SPAN;
  guint32 low = lists->first[list], high = lists->first[list + 1], first = low;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2, span = lists->spans[middle];
      if (span < before && tt_job_span (self, span)->end_ns <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low > first ? lists->spans[low - 1] : TT_JOB_NO_SPAN;
}

guint32
tt_job_spans_occurrence (const TtJobSpans *self, guint32 span)
{
  const TtJobSpanLists *lists = &self->of_node;
  guint32 node = tt_job_span (self, span)->node, low = lists->first[node], high = lists->first[node + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (lists->spans[middle] < span)
        low = middle + 1;
      else
        high = middle;
    }
  return low - lists->first[node];
}

/* -- all --------------------------------------------------------------------------------------------------- */

/* Where transfers are nodes, NCCL_ALLREDUCE is none and lasts as long as they do. */
static void
drop_wholes (TtJobSpans *self)
{
  guint n = 0;

  for (guint32 i = 0; i < self->spans->len; i++)
    {
      const TtJobPathSpan span = *tt_job_span (self, i);
      TtStepNodeKind kind = (TtStepNodeKind) span.kind;
      if (span.node != TT_STEP_NO_NODE || tt_step_node_is_operator (kind) || kind == TT_STEP_NODE_IO)
        *tt_job_span (self, n++) = span;
    }
  g_array_set_size (self->spans, n);
}

gboolean
tt_job_spans_init (TtJobSpans *self, TtTrainingJob *job, TtStore *store, GError **error)
{
  g_auto (Collector) collector = { .result = self, .store = store };

  *self = (TtJobSpans){ .job = job, .spans = g_array_new (FALSE, FALSE, sizeof (TtJobPathSpan)) };
  if (!tt_job_names_init (&collector.names, store, error))
    return FALSE;
  find_waits (&collector);
  map_nodes (&collector);
  if (!tt_each_event (collector.store, TT_SCAN_DEFAULT, take_event, &collector, error))
    return FALSE;
  if (job->nccl != NULL && tt_job_topology_has_only_trees (job->topology))
    match_trees (&collector);
  drop_wholes (self);
  g_array_sort (self->spans, compare_ends);
  find_channels (self);
  find_devices (self);
  make_lists (&self->of_node, self, job->graph->nodes->len, FALSE);
  make_lists (&self->of_device, self, (guint32) self->device_of.n, TRUE);
  return TRUE;
}

static void
clear_lists (TtJobSpanLists *lists)
{
  g_clear_pointer (&lists->spans, g_free);
  g_clear_pointer (&lists->first, g_free);
}

void
tt_job_spans_clear (TtJobSpans *self)
{
  g_clear_pointer (&self->job, tt_training_job_free);
  g_clear_pointer (&self->spans, g_array_unref);
  tt_map64_clear (&self->device_of);
  g_clear_pointer (&self->has_channels, g_free);
  clear_lists (&self->of_node);
  clear_lists (&self->of_device);
}
