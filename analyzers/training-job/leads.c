#include "config.h"

#include "analyzers/training-job/private.h"

#include <stdlib.h>

/*
 * How long what passes between workers and servers hesitates: from when all that it waits for is done until it begins,
 * where its link (or the server's thread, or the rank) was free by then. The mean is taken over all steps and all operations of a kind
 * on one place; where none found its place free, it is what was left between the end of what was before it and its begin.
 */

#define N_LEAD_KINDS 8
/* operatorGAPComm of the page is no more than this. */
#define MOST_COMM_GAP_NS 10000

typedef struct
{
  TtJobGap free, any;
  TtJobGap rest; /* from the end of one of its kind, which it had to wait for */
} Lead;

typedef struct
{
  TtJobParts *parts;
  gint64 *ts_ns, *end_ns; /* by node, in the step at hand; TT_NO_TIME: not there */
  gint64 *ready_ns;       /* by node */
  Lead *leads;            /* [place * N_LEAD_KINDS + kind] */
} Leads;

/* Arrivals and what is merged of them are kinds of their own. */
static guint
lead_kind (const TtStepNode *node)
{
  switch (node->kind)
    {
    case TT_STEP_NODE_PUSH_REQ:
      return 1;
    case TT_STEP_NODE_PUSH_RES:
      return 2;
    case TT_STEP_NODE_PULL_REQ:
      return 3;
    case TT_STEP_NODE_PULL_RES:
      return 4;
    case TT_STEP_NODE_SERVER:
      return g_strcmp0 (node->parts.sub_op, "COPY_MERGED") == 0 ? 6 : 5;
    case TT_STEP_NODE_UPDATE:
      return 7;
    default:
      return 0;
    }
}

static Lead *
lead_of (const Leads *self, const TtStepNode *node)
{
  return &self->leads[(gsize) node->rank * N_LEAD_KINDS + lead_kind (node)];
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const TtJobTransfer *x = a, *y = b;

  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  return x->name < y->name ? -1 : x->name > y->name;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

/* The k-th work waits for the k-th PUSH_REQ to end. */
static void
meet (Leads *self, guint first, guint n)
{
  const TtStepArrival *arrivals = &g_array_index (self->parts->job->graph->arrivals, TtStepArrival, first);
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
find_ready (Leads *self)
{
  const TtStepGraph *graph = self->parts->job->graph;
  const TtStepArrival *arrivals = (const TtStepArrival *) (gconstpointer) graph->arrivals->data;

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
      meet (self, i, n);
    }
}

static void
add_sample (TtJobGap *gap, gint64 ns)
{
  gap->sum_ns += ns;
  gap->cnt++;
}

/* @spans: of one step, by place and time. */
static void
take_step (Leads *self, const TtJobTransfer *spans, guint n)
{
  const TtStepGraph *graph = self->parts->job->graph;
  gint64 free_ns = TT_NO_TIME;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    self->ts_ns[i] = self->end_ns[i] = self->ready_ns[i] = TT_NO_TIME;
  for (guint i = 0; i < n; i++)
    {
      guint32 node = spans[i].node;
      if (node == TT_NO_TASK)
        continue;
      self->ts_ns[node] = spans[i].ts_ns;
      self->end_ns[node] = spans[i].ts_ns + spans[i].dur_ns;
    }
  find_ready (self);
  for (guint i = 0; i < n; i++)
    {
      guint32 number = spans[i].node;
      gint64 ready_ns = number == TT_NO_TASK ? TT_NO_TIME : self->ready_ns[number];

      if (i == 0 || spans[i - 1].rank != spans[i].rank)
        free_ns = TT_NO_TIME;
      if (ready_ns != TT_NO_TIME && lead_kind (tt_step_node (graph, number)) != 0)
        {
          Lead *lead = lead_of (self, tt_step_node (graph, number));
          TtStepNodeKind kind = tt_step_node (graph, number)->kind;
          gboolean is_free = free_ns == TT_NO_TIME || free_ns <= ready_ns;
          gint64 start_delay_ns = MAX (spans[i].ts_ns - (is_free ? ready_ns : free_ns), 0);
          add_sample (&lead->any, start_delay_ns);
          if (is_free)
            add_sample (&lead->free, start_delay_ns);
          else if (spans[i - 1].node != TT_NO_TASK && tt_step_node (graph, spans[i - 1].node)->kind == kind)
            add_sample (&lead->rest, start_delay_ns);
        }
      free_ns = MAX (free_ns, spans[i].ts_ns + spans[i].dur_ns);
    }
}

static const TtJobGap *
gap_of (const Leads *self, const TtStepNode *node)
{
  const Lead *lead = lead_of (self, node);

  return lead->free.cnt > 0 ? &lead->free : &lead->any;
}

static void
put_leads (Leads *self)
{
  TtTrainingJob *job = self->parts->job;

  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (job->graph, i);
      if (node->rank == TT_STEP_NO_RANK || lead_kind (node) == 0)
        continue;
      const TtJobGap *gap = gap_of (self, node);
      if (node->kind != TT_STEP_NODE_UPDATE || !job->updates_wait)
        job->times[i].start_delay_ns = tt_average_ns (gap->sum_ns, gap->cnt);
      if (node->kind == TT_STEP_NODE_UPDATE)
        {
          const TtJobGap *rest = &lead_of (self, node)->rest;
          job->times[i].server_wait_ns = job->times[i].operator_gap_ns - tt_average_ns (rest->sum_ns, rest->cnt);
        }
    }
  for (guint i = 0; i < job->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (job->graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (job->graph, edge->from), *to = tt_step_node (job->graph, edge->to);
      if (!tt_job_is_link_kind (from->kind) || !tt_job_is_link_kind (to->kind))
        continue;
      job->facts[edge->from].network = *gap_of (self, to);
      job->times[edge->from].network_gap_ns = job->times[edge->to].start_delay_ns;
    }
}

/* operatorGAPComm: from the last gradient that a worker's first PUSH_REQ of the typical step waits for, on every BW. */
static void
put_comm_gaps (TtJobParts *self)
{
  TtTrainingJob *job = self->job;
  g_autofree gint64 *begin_ns = g_new (gint64, job->n_ranks), *gradient_ns = g_new (gint64, job->n_ranks);

  for (guint rank = 0; rank < job->n_ranks; rank++)
    begin_ns[rank] = gradient_ns[rank] = TT_NO_TIME;
  for (guint i = 0; i < job->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (job->graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (job->graph, edge->from), *to = tt_step_node (job->graph, edge->to);
      if (from->kind != TT_STEP_NODE_BW || to->kind != TT_STEP_NODE_PUSH_REQ)
        continue;
      const TtJobCell *bw = tt_job_cell_of_node (self, from), *push = tt_job_cell_of_node (self, to);
      if (bw == NULL || push == NULL || bw->typical_end_ns == TT_NO_TIME || push->typical_ts_ns == TT_NO_TIME)
        continue;
      gboolean is_first = begin_ns[from->rank] == TT_NO_TIME || push->typical_ts_ns < begin_ns[from->rank];
      if (!is_first && push->typical_ts_ns > begin_ns[from->rank])
        continue;
      begin_ns[from->rank] = push->typical_ts_ns;
      gradient_ns[from->rank] = is_first ? bw->typical_end_ns : MAX (gradient_ns[from->rank], bw->typical_end_ns);
    }
  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (job->graph, i);
      if (node->kind != TT_STEP_NODE_BW || begin_ns[node->rank] == TT_NO_TIME)
        continue;
      gint64 gap_ns = CLAMP (begin_ns[node->rank] - gradient_ns[node->rank], 0, MOST_COMM_GAP_NS);
      job->facts[i].operator_comm = (TtJobGap){ gap_ns, 1 };
      job->times[i].comm_gap_ns = gap_ns;
    }
}

void
tt_job_fill_leads (TtJobParts *self)
{
  TtTrainingJob *job = self->job;
  guint32 n = job->graph->nodes->len;

  if (self->n_workers == 0)
    return;
  g_autofree gint64 *ts_ns = g_new (gint64, n), *end_ns = g_new (gint64, n), *ready_ns = g_new (gint64, n);
  g_autofree Lead *leads = g_new0 (Lead, (gsize) job->n_endpoints * N_LEAD_KINDS);
  Leads leading = { self, ts_ns, end_ns, ready_ns, leads };

  g_array_sort (self->transfers, compare_steps);
  const TtJobTransfer *spans = (const TtJobTransfer *) (gconstpointer) self->transfers->data;
  for (guint i = 0, m; i < self->transfers->len; i += m)
    {
      for (m = 1; i + m < self->transfers->len && spans[i + m].step == spans[i].step;)
        m++;
      if (spans[i].step != TT_NO_STEP)
        take_step (&leading, &spans[i], m);
    }
  put_leads (&leading);
  put_comm_gaps (self);
}
