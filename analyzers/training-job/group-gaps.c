/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/timing-parts.h"

#include "graphs/graph.h"
#include "src/base/compare.h"

/*
 * What a replay needs to know of the communication beyond averages: when it was observed in the typical step, how long
 * a RECV goes on after its SEND, and the gaps between groups of tensors.
 */

/* -- receiving ------------------------------------------------------------------------------------------------- */

/* By the means of the ends where each SEND has its RECV, else by the typical step. A RECV that started after the end of
 * its SEND counts whole. */
static gint64
time_after_send (const TtJobSamples *send, const TtJobSamples *recv, gint64 recv_ns)
{
  gint64 after_ns = recv_ns;

  if (send == NULL || recv == NULL)
    return recv_ns;
  if (send->cnt == recv->cnt)
    after_ns = tt_average_ns (recv->end_sum_ns - send->end_sum_ns, recv->cnt);
  else if (send->typical_end_ns != TT_NO_TIME && recv->typical_end_ns != TT_NO_TIME)
    after_ns = recv->typical_end_ns - send->typical_end_ns;
  return CLAMP (after_ns, 0, recv_ns);
}

void
tt_job_fill_transfer_times (TtJobTiming *self, const TtJobTimingInput *input, const TtJobNodeSamples *samples)
{
  const TtStepGraph *graph = input->plan->graph;
  TtStepNodeTimes *times = self->times;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      gboolean is_transfer = node->kind == TT_STEP_NODE_SEND || node->kind == TT_STEP_NODE_RECV;
      const TtJobSamples *own = is_transfer ? samples->of_node[i] : NULL;
      times[i].after_send_ns = times[i].avg_ns;
      times[i].observed_begin_ns = own == NULL ? TT_STEP_NO_TIME : own->typical_ts_ns;
      times[i].observed_end_ns = own == NULL ? TT_STEP_NO_TIME : own->typical_end_ns;
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      if (tt_step_node (graph, edge->from)->kind == TT_STEP_NODE_SEND &&
          tt_step_node (graph, edge->to)->kind == TT_STEP_NODE_RECV)
        times[edge->to].after_send_ns =
            time_after_send (samples->of_node[edge->from], samples->of_node[edge->to], times[edge->to].avg_ns);
    }
}

/* -- observed times of groups ------------------------------------------------------------------------------------- */

/* In the typical step, of a group's own operations but Sync, SEND and RECV; TT_NO_TIME: not known. */
typedef struct
{
  gint64 begin_ns, end_ns;
} GroupSpan;

typedef struct
{
  GroupSpan span;      /* over all ranks */
  gint64 gradients_ns; /* the end of its last gradient */
  guint number;
} GroupTimes;

typedef struct
{
  const TtJobTimingInput *input;
  const TtJobNodeSamples *samples;
  const TtStepGraph *graph;
  guint n_groups;
  GroupSpan *spans; /* [rank * n_groups + group] */
} GroupTimer;

static gint64
earlier (gint64 a_ns, gint64 b_ns)
{
  return a_ns == TT_NO_TIME || (b_ns != TT_NO_TIME && b_ns < a_ns) ? b_ns : a_ns;
}

static gint64
later (gint64 a_ns, gint64 b_ns)
{
  return a_ns == TT_NO_TIME || (b_ns != TT_NO_TIME && b_ns > a_ns) ? b_ns : a_ns;
}

static void
widen_span (GroupSpan *span, gint64 begin_ns, gint64 end_ns)
{
  span->begin_ns = earlier (span->begin_ns, begin_ns);
  span->end_ns = later (span->end_ns, end_ns);
}

static void
widen_by_samples (GroupSpan *span, const TtJobSamples *samples)
{
  if (samples != NULL && samples->typical_ts_ns != TT_NO_TIME)
    widen_span (span, samples->typical_ts_ns, samples->typical_end_ns);
}

/* The span of a node of a group: its own samples and those of the group's members. */
static GroupSpan
span_of_node (const GroupTimer *self, guint32 number)
{
  const TtStepNode *node = tt_step_node (self->graph, number);
  const TtJobShape *shape = &g_array_index (self->input->plan->shapes, TtJobShape, node->group);
  GroupSpan span = { TT_NO_TIME, TT_NO_TIME };

  widen_by_samples (&span, self->samples->of_node[number]);
  for (guint i = 0; shape->tensors[i] != NULL; i++)
    widen_by_samples (&span, tt_job_node_samples_of_member (self->samples, node, shape->tensors[i]));
  return span;
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const GroupTimes *x = a, *y = b;

  return x->span.begin_ns != y->span.begin_ns ? TT_COMPARE (x->span.begin_ns, y->span.begin_ns)
                                              : TT_COMPARE (x->number, y->number);
}

static void
time_gradients (const GroupTimer *self, GroupTimes *groups)
{
  for (guint i = 0; i < self->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (self->graph->edges, TtStepEdge, i);
      const TtStepNode *to = tt_step_node (self->graph, edge->to);
      const TtJobSamples *samples = self->samples->of_node[edge->from];
      if (tt_step_node (self->graph, edge->from)->kind == TT_STEP_NODE_BW && to->kind == TT_STEP_NODE_SYNC &&
          to->group != TT_STEP_NO_GROUP && samples != NULL)
        groups[to->group].gradients_ns = later (groups[to->group].gradients_ns, samples->typical_end_ns);
    }
}

/* Fills self->spans and the observed times of the groups' nodes. Returns GroupTimes by start. */
static GroupTimes *
time_groups (GroupTimer *self, TtStepNodeTimes *times)
{
  GroupTimes *groups = g_new (GroupTimes, self->n_groups);

  for (guint i = 0; i < self->n_groups * self->graph->n_ranks; i++)
    self->spans[i] = (GroupSpan){ TT_NO_TIME, TT_NO_TIME };
  for (guint i = 0; i < self->n_groups; i++)
    groups[i] = (GroupTimes){ { TT_NO_TIME, TT_NO_TIME }, TT_NO_TIME, i };
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      if (node->group == TT_STEP_NO_GROUP || tt_step_node_is_wait (node) || node->parts.suffix != NULL)
        continue;
      const GroupSpan own = span_of_node (self, i);
      GroupSpan *span = &self->spans[node->rank * self->n_groups + node->group];
      widen_span (span, own.begin_ns, own.end_ns);
      widen_span (&groups[node->group].span, span->begin_ns, span->end_ns);
      times[i].observed_begin_ns = own.begin_ns;
      times[i].observed_end_ns = own.end_ns;
    }
  time_gradients (self, groups);
  qsort (groups, self->n_groups, sizeof *groups, compare_begins);
  return groups;
}

/* -- gaps between groups ------------------------------------------------------------------------------------------- */

/* A group starts after its last gradient (latency), or, where the groups before it still run, after these
 * (turnaround). */
static void
find_group_gaps (const GroupTimes *groups, guint n, TtJobGap *latency, TtJobGap *turnaround)
{
  gint64 free_ns = TT_NO_TIME;

  for (guint i = 0; i < n; i++)
    {
      const GroupTimes *group = &groups[i];
      gboolean is_late = free_ns != TT_NO_TIME && free_ns > group->gradients_ns;
      gint64 ready_ns = is_late ? free_ns : group->gradients_ns;

      if (group->gradients_ns == TT_NO_TIME || group->span.begin_ns == TT_NO_TIME)
        continue;
      tt_job_gap_add (is_late ? turnaround : latency, MAX (group->span.begin_ns - ready_ns, 0));
      free_ns = later (free_ns, group->span.end_ns);
    }
}

/* Whether an edge leads from what was pulled to an update. */
static gboolean
is_pulled_update (const TtStepGraph *graph, const TtStepEdge *edge)
{
  return tt_step_node (graph, edge->from)->kind == TT_STEP_NODE_PULL_RES &&
         tt_step_node (graph, edge->to)->kind == TT_STEP_NODE_UPDATE;
}

/* By rank: the end of the last PULL_RES that its updates wait for; TT_NO_TIME: none. */
static gint64 *
find_pulled (const GroupTimer *self)
{
  gint64 *pulled_ns = g_new (gint64, self->graph->n_ranks);

  for (guint rank = 0; rank < self->graph->n_ranks; rank++)
    pulled_ns[rank] = TT_NO_TIME;
  for (guint i = 0; i < self->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (self->graph->edges, TtStepEdge, i);
      const TtJobSamples *samples = is_pulled_update (self->graph, edge) ? self->samples->of_node[edge->from] : NULL;
      guint32 rank = tt_step_node (self->graph, edge->to)->rank;
      if (samples != NULL)
        pulled_ns[rank] = later (pulled_ns[rank], samples->typical_end_ns);
    }
  return pulled_ns;
}

/* From each rank's last group to its first update, below 0 if that does not wait; TT_NO_TIME: one of them is not
 * known. */
static gint64 *
find_update_gaps (const GroupTimer *self)
{
  guint n_ranks = self->graph->n_ranks;
  gint64 *gaps = g_new (gint64, n_ranks);
  g_autofree gint64 *pulled_ns = find_pulled (self);

  for (guint rank = 0; rank < n_ranks; rank++)
    gaps[rank] = TT_NO_TIME;
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      const TtJobSamples *samples = node->kind == TT_STEP_NODE_UPDATE ? self->samples->of_node[i] : NULL;
      if (samples != NULL)
        gaps[node->rank] = earlier (gaps[node->rank], samples->typical_ts_ns);
    }
  for (guint rank = 0; rank < n_ranks; rank++)
    {
      gint64 last_ns = pulled_ns[rank];
      for (guint i = 0; i < self->n_groups; i++)
        last_ns = later (last_ns, self->spans[rank * self->n_groups + i].end_ns);
      gaps[rank] = last_ns == TT_NO_TIME || gaps[rank] == TT_NO_TIME ? TT_NO_TIME : gaps[rank] - last_ns;
    }
  return gaps;
}

static void
set_update_gaps (TtJobTiming *self, const TtStepGraph *graph, const gint64 *gaps_ns)
{
  self->updates_wait = TRUE;
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    self->updates_wait = self->updates_wait && gaps_ns[rank] != TT_NO_TIME && gaps_ns[rank] >= 0;
  for (guint32 i = 0; self->updates_wait && i < graph->nodes->len; i++)
    if (tt_step_node (graph, i)->kind == TT_STEP_NODE_MEMCPY_OUT)
      self->times[i].update_gap_ns = gaps_ns[tt_step_node (graph, i)->rank];
  for (guint i = 0; self->updates_wait && i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      if (is_pulled_update (graph, edge))
        self->times[edge->from].update_gap_ns = gaps_ns[tt_step_node (graph, edge->to)->rank];
    }
}

void
tt_job_fill_group_gaps (TtJobTiming *self, const TtJobTimingInput *input, const TtJobNodeSamples *samples)
{
  const TtStepGraph *graph = input->plan->graph;
  guint n_groups = input->plan->shapes->len;
  g_autofree GroupSpan *spans = g_new (GroupSpan, (gsize) n_groups * graph->n_ranks);
  GroupTimer timer = { input, samples, graph, n_groups, spans };
  TtJobGap latency = { 0 }, turnaround = { 0 };

  if (n_groups == 0)
    return;
  g_autofree GroupTimes *groups = time_groups (&timer, self->times);
  find_group_gaps (groups, n_groups, &latency, &turnaround);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      TtStepNodeKind kind = tt_step_node (graph, i)->kind;
      if (kind == TT_STEP_NODE_SYNC)
        self->times[i].latency_ns = tt_average_ns (latency.sum_ns, latency.cnt);
      else if (kind == TT_STEP_NODE_MEMCPY_OUT)
        self->times[i].turnaround_ns = tt_average_ns (turnaround.sum_ns, turnaround.cnt);
    }
  g_autofree gint64 *update_gaps_ns = find_update_gaps (&timer);
  set_update_gaps (self, graph, update_gaps_ns);
}
