/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/timing-parts.h"

#include "graphs/graph.h"
#include "src/base/array.h"
#include "src/base/compare.h"

#include <stdlib.h>

/*
 * Start delay of push/pull transfers and server work: ready time to actual start.
 *
 * A node is ready when all it waits for has ended. Its delay counts where its link (or the server's thread, or the
 * rank) was free by then; the mean is over all steps and all nodes of a kind on one endpoint. Where no node of a kind
 * found its endpoint free, the delay is the time between the end of the span before it and its start.
 */

/* operatorGAPComm of the page is no more than this. */
#define MAX_COMM_GAP_NS 10000

/* Nodes of one class on one endpoint share their delay: merging is a class of its own. */
typedef enum
{
  CLASS_NONE,
  CLASS_PUSH_REQ,
  CLASS_PUSH_RES,
  CLASS_PULL_REQ,
  CLASS_PULL_RES,
  CLASS_WORK,
  CLASS_MERGE,
  CLASS_UPDATE,
  N_CLASSES,
} DelayClass;

typedef struct
{
  TtJobGap free, any;  /* the endpoint was free; or not */
  TtJobGap after_same; /* from the end of a span of the same kind that it had to wait for */
} Delay;

typedef struct
{
  const TtStepGraph *graph;
  gint64 *ts_ns, *end_ns; /* by node, in the current step; TT_NO_TIME: not there */
  gint64 *ready_ns;       /* by node */
  Delay *delays;          /* [endpoint * N_CLASSES + class] */
} Delays;

static DelayClass
class_of (const TtStepNode *node)
{
  switch (node->kind)
    {
    case TT_STEP_NODE_PUSH_REQ:
      return CLASS_PUSH_REQ;
    case TT_STEP_NODE_PUSH_RES:
      return CLASS_PUSH_RES;
    case TT_STEP_NODE_PULL_REQ:
      return CLASS_PULL_REQ;
    case TT_STEP_NODE_PULL_RES:
      return CLASS_PULL_RES;
    case TT_STEP_NODE_SERVER:
      return g_strcmp0 (node->parts.sub_op, "COPY_MERGED") == 0 ? CLASS_MERGE : CLASS_WORK;
    case TT_STEP_NODE_UPDATE:
      return CLASS_UPDATE;
    default:
      return CLASS_NONE;
    }
}

static Delay *
delay_of (const Delays *self, const TtStepNode *node)
{
  return &self->delays[(gsize) node->rank * N_CLASSES + class_of (node)];
}

static int
compare_in_steps (gconstpointer a, gconstpointer b)
{
  const TtJobSpan *x = a, *y = b;

  if (x->step != y->step)
    return TT_COMPARE (x->step, y->step);
  if (x->endpoint != y->endpoint)
    return TT_COMPARE (x->endpoint, y->endpoint);
  if (x->ts_ns != y->ts_ns)
    return TT_COMPARE (x->ts_ns, y->ts_ns);
  return TT_COMPARE (x->name, y->name);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

/* -- one step ----------------------------------------------------------------------------------------------------- */

/* The k-th work of an arrival queue waits for the k-th PUSH_REQ to end. */
static void
pass_arrival_queue (Delays *self, guint first, guint n)
{
  const TtStepArrival *arrivals = &g_array_index (self->graph->arrivals, TtStepArrival, first);
  g_autofree gint64 *ends_ns = g_new (gint64, n);
  guint n_ends = 0;

  for (guint i = 0; i < n; i++)
    if (self->end_ns[arrivals[i].push] != TT_NO_TIME)
      ends_ns[n_ends++] = self->end_ns[arrivals[i].push];
  if (n_ends < n)
    return;
  qsort (ends_ns, n, sizeof *ends_ns, compare_times);
  for (guint i = 0; i < n; i++)
    self->ready_ns[arrivals[i].work] = MAX (self->ready_ns[arrivals[i].work], ends_ns[i]);
}

static void
find_ready (Delays *self)
{
  const TtStepGraph *graph = self->graph;
  const TtStepArrival *arrivals = TT_ARRAY (graph->arrivals, TtStepArrival);

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      if (self->end_ns[edge->from] != TT_NO_TIME && self->ts_ns[edge->to] != TT_NO_TIME)
        self->ready_ns[edge->to] = MAX (self->ready_ns[edge->to], self->end_ns[edge->from]);
    }
  for (guint i = 0, n; i < graph->arrivals->len; i += n)
    {
      for (n = 1; i + n < graph->arrivals->len && arrivals[i + n].queue == arrivals[i].queue;)
        n++;
      pass_arrival_queue (self, i, n);
    }
}

/* @before: the span before @span on its endpoint, if there is one; @free_ns: the end of all before it. */
static void
add_delay (Delays *self, const TtJobSpan *span, const TtJobSpan *before, gint64 free_ns)
{
  if (span->node == TT_STEP_NO_NODE || self->ready_ns[span->node] == TT_NO_TIME)
    return;
  const TtStepNode *node = tt_step_node (self->graph, span->node);
  gint64 ready_ns = self->ready_ns[span->node];
  gboolean is_free = free_ns == TT_NO_TIME || free_ns <= ready_ns;
  gint64 delay_ns = MAX (span->ts_ns - (is_free ? ready_ns : free_ns), 0);

  if (class_of (node) == CLASS_NONE)
    return;
  Delay *delay = delay_of (self, node);
  tt_job_gap_add (&delay->any, delay_ns);
  if (is_free)
    tt_job_gap_add (&delay->free, delay_ns);
  else if (before->node != TT_STEP_NO_NODE && tt_step_node (self->graph, before->node)->kind == node->kind)
    tt_job_gap_add (&delay->after_same, delay_ns);
}

/* @spans: of one step, by endpoint and time. */
static void
add_step (Delays *self, const TtJobSpan *spans, guint n)
{
  gint64 free_ns = TT_NO_TIME;

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    self->ts_ns[i] = self->end_ns[i] = self->ready_ns[i] = TT_NO_TIME;
  for (guint i = 0; i < n; i++)
    if (spans[i].node != TT_STEP_NO_NODE)
      {
        self->ts_ns[spans[i].node] = spans[i].ts_ns;
        self->end_ns[spans[i].node] = spans[i].ts_ns + spans[i].dur_ns;
      }
  find_ready (self);
  for (guint i = 0; i < n; i++)
    {
      if (i == 0 || spans[i - 1].endpoint != spans[i].endpoint)
        free_ns = TT_NO_TIME;
      add_delay (self, &spans[i], i == 0 ? NULL : &spans[i - 1], free_ns);
      free_ns = MAX (free_ns, spans[i].ts_ns + spans[i].dur_ns);
    }
}

/* -- results ------------------------------------------------------------------------------------------------------- */

static const TtJobGap *
gap_of (const Delays *self, const TtStepNode *node)
{
  const Delay *delay = delay_of (self, node);

  return delay->free.cnt > 0 ? &delay->free : &delay->any;
}

static void
set_delays (const Delays *self, TtJobTiming *timing)
{
  TtStepNodeTimes *times = timing->times;

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      if (node->rank == TT_STEP_NO_RANK || class_of (node) == CLASS_NONE)
        continue;
      const TtJobGap *gap = gap_of (self, node);
      if (node->kind != TT_STEP_NODE_UPDATE || !timing->updates_wait)
        times[i].start_delay_ns = tt_average_ns (gap->sum_ns, gap->cnt);
      if (node->kind == TT_STEP_NODE_UPDATE)
        {
          const TtJobGap *after_same = &delay_of (self, node)->after_same;
          times[i].server_wait_ns = times[i].operator_gap_ns - tt_average_ns (after_same->sum_ns, after_same->cnt);
        }
    }
  for (guint i = 0; i < self->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (self->graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (self->graph, edge->from), *to = tt_step_node (self->graph, edge->to);
      if (!tt_step_node_is_link_transfer (from->kind) || !tt_step_node_is_link_transfer (to->kind))
        continue;
      timing->facts[edge->from].network = *gap_of (self, to);
      times[edge->from].network_gap_ns = times[edge->to].start_delay_ns;
    }
}

/* operatorGAPComm: from the last gradient that a worker's first PUSH_REQ of the typical step waits for, on every BW. */
static void
set_comm_gaps (TtJobTiming *timing, const TtStepGraph *graph, const TtJobNodeSamples *samples)
{
  g_autofree gint64 *begin_ns = g_new (gint64, graph->n_ranks), *gradient_ns = g_new (gint64, graph->n_ranks);

  for (guint rank = 0; rank < graph->n_ranks; rank++)
    begin_ns[rank] = gradient_ns[rank] = TT_NO_TIME;
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtJobSamples *bw = samples->of_node[edge->from], *push = samples->of_node[edge->to];
      guint32 rank = tt_step_node (graph, edge->from)->rank;
      if (tt_step_node (graph, edge->from)->kind != TT_STEP_NODE_BW ||
          tt_step_node (graph, edge->to)->kind != TT_STEP_NODE_PUSH_REQ || bw == NULL || push == NULL ||
          bw->typical_end_ns == TT_NO_TIME || push->typical_ts_ns == TT_NO_TIME)
        continue;
      gboolean is_first = begin_ns[rank] == TT_NO_TIME || push->typical_ts_ns < begin_ns[rank];
      if (!is_first && push->typical_ts_ns > begin_ns[rank])
        continue;
      begin_ns[rank] = push->typical_ts_ns;
      gradient_ns[rank] = is_first ? bw->typical_end_ns : MAX (gradient_ns[rank], bw->typical_end_ns);
    }
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->kind != TT_STEP_NODE_BW || begin_ns[node->rank] == TT_NO_TIME)
        continue;
      gint64 gap_ns = CLAMP (begin_ns[node->rank] - gradient_ns[node->rank], 0, MAX_COMM_GAP_NS);
      timing->facts[i].operator_comm = (TtJobGap){ gap_ns, 1 };
      timing->times[i].comm_gap_ns = gap_ns;
    }
}

void
tt_job_fill_server_delays (TtJobTiming *self, const TtJobTimingInput *input, const TtJobNodeSamples *samples)
{
  const TtStepGraph *graph = input->plan->graph;
  GArray *all = samples->spans;
  guint32 n = graph->nodes->len;

  if (input->topology->n_workers == 0)
    return;
  g_autofree gint64 *ts_ns = g_new (gint64, n), *end_ns = g_new (gint64, n), *ready_ns = g_new (gint64, n);
  g_autofree Delay *delays = g_new0 (Delay, (gsize) graph->n_endpoints * N_CLASSES);
  Delays sums = { graph, ts_ns, end_ns, ready_ns, delays };

  g_array_sort (all, compare_in_steps);
  const TtJobSpan *spans = TT_ARRAY (all, TtJobSpan);
  for (guint i = 0, m; i < all->len; i += m)
    {
      for (m = 1; i + m < all->len && spans[i + m].step == spans[i].step;)
        m++;
      if (spans[i].step != TT_NO_STEP)
        add_step (&sums, &spans[i], m);
    }
  set_delays (&sums, self);
  set_comm_gaps (self, graph, samples);
}
