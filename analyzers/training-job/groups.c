#include "config.h"

#include "analyzers/training-job/private.h"

#include <string.h>

/* -- receiving ------------------------------------------------------------------------------------------------- */

/* By the means of the ends where each SEND has its RECV, else by the typical step. A RECV that began when its SEND had ended counts whole. */
static gint64
after_send (const TtJobCell *send, const TtJobCell *recv, gint64 recv_ns)
{
  gint64 trailing_gap_ns = recv_ns;

  if (send == NULL || recv == NULL)
    return recv_ns;
  if (send->cnt == recv->cnt)
    trailing_gap_ns = tt_average_ns (recv->end_sum_ns - send->end_sum_ns, recv->cnt);
  else if (send->typical_end_ns != TT_NO_TIME && recv->typical_end_ns != TT_NO_TIME)
    trailing_gap_ns = recv->typical_end_ns - send->typical_end_ns;
  return CLAMP (trailing_gap_ns, 0, recv_ns);
}

void
tt_job_fill_transfers (TtJobParts *self)
{
  const TtStepGraph *graph = self->job->graph;
  TtStepNodeTimes *times = self->job->times;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      gboolean is_transfer = node->kind == TT_STEP_NODE_SEND || node->kind == TT_STEP_NODE_RECV;
      const TtJobCell *cell = is_transfer ? tt_job_cell_of_node (self, node) : NULL;
      times[i].after_send_ns = times[i].avg_ns;
      times[i].observed_begin_ns = cell == NULL ? TT_NO_TIME : cell->typical_ts_ns;
      times[i].observed_end_ns = cell == NULL ? TT_NO_TIME : cell->typical_end_ns;
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
      if (from->kind == TT_STEP_NODE_SEND && to->kind == TT_STEP_NODE_RECV)
        times[edge->to].after_send_ns =
            after_send (tt_job_cell_of_node (self, from), tt_job_cell_of_node (self, to), times[edge->to].avg_ns);
    }
}

/* -- gaps between groups ------------------------------------------------------------------------------------- */

/* What a group does in the typical step; TT_NO_TIME: not known. */
typedef struct
{
  gint64 begin_ns, end_ns; /* of its own operations but Sync, SEND and RECV */
} GroupSpan;

typedef struct
{
  GroupSpan span;      /* over all ranks */
  gint64 gradients_ns; /* when the last of them was there */
  guint number;
} GroupTimes;

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
stretch (GroupSpan *span, const TtJobCell *cell)
{
  if (cell == NULL || cell->typical_ts_ns == TT_NO_TIME)
    return;
  span->begin_ns = earlier (span->begin_ns, cell->typical_ts_ns);
  span->end_ns = later (span->end_ns, cell->typical_end_ns);
}

/* Its own span and those of its members. */
static void
stretch_by_node (TtJobParts *self, const TtStepNode *node, GroupSpan *span)
{
  const TtJobShape *shape = &g_array_index (self->job->shapes, TtJobShape, node->group);
  const char *sub_op = node->parts.sub_op;

  stretch (span, tt_job_cell_of_node (self, node));
  for (guint i = 0; shape->tensors[i] != NULL; i++)
    {
      g_autofree char *text = g_strdup_printf ("Comm.%s.%s", shape->tensors[i], sub_op);
      stretch (span, tt_job_cell_of_text (self, node->rank, text));
    }
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const GroupTimes *x = a, *y = b;

  if (x->span.begin_ns != y->span.begin_ns)
    return x->span.begin_ns < y->span.begin_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* @spans: [rank * n_groups + group]. */
static GArray *
time_groups (TtJobParts *self, GroupSpan *spans)
{
  const TtStepGraph *graph = self->job->graph;
  guint n_groups = self->job->shapes->len;
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (GroupTimes));

  for (guint i = 0; i < n_groups * graph->n_ranks; i++)
    spans[i] = (GroupSpan){ TT_NO_TIME, TT_NO_TIME };
  for (guint i = 0; i < n_groups; i++)
    {
      const GroupTimes group = { { TT_NO_TIME, TT_NO_TIME }, TT_NO_TIME, i };
      g_array_append_val (groups, group);
    }
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->group == TT_STEP_NO_GROUP || node->kind == TT_STEP_NODE_SYNC || node->parts.suffix != NULL)
        continue;
      GroupSpan *span = &spans[node->rank * n_groups + node->group], own = { TT_NO_TIME, TT_NO_TIME };
      stretch_by_node (self, node, &own);
      span->begin_ns = earlier (span->begin_ns, own.begin_ns);
      span->end_ns = later (span->end_ns, own.end_ns);
      self->job->times[i].observed_begin_ns = own.begin_ns;
      self->job->times[i].observed_end_ns = own.end_ns;
      GroupTimes *group = &g_array_index (groups, GroupTimes, node->group);
      group->span.begin_ns = earlier (group->span.begin_ns, span->begin_ns);
      group->span.end_ns = later (group->span.end_ns, span->end_ns);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
      if (from->kind != TT_STEP_NODE_BW || to->kind != TT_STEP_NODE_SYNC || to->group == TT_STEP_NO_GROUP)
        continue;
      const TtJobCell *cell = tt_job_cell_of_node (self, from);
      GroupTimes *group = &g_array_index (groups, GroupTimes, to->group);
      if (cell != NULL)
        group->gradients_ns = later (group->gradients_ns, cell->typical_end_ns);
    }
  g_array_sort (groups, compare_begins);
  return groups;
}

/* A group begins some time after its last gradient, or, where the groups before it are still at it, after these. */
static void
find_group_gaps (const GArray *groups, TtJobGap *latency, TtJobGap *turnaround)
{
  gint64 free_ns = TT_NO_TIME;

  for (guint i = 0; i < groups->len; i++)
    {
      const GroupTimes *group = &g_array_index (groups, GroupTimes, i);
      gboolean is_late = free_ns != TT_NO_TIME && free_ns > group->gradients_ns;
      gint64 ready_ns = is_late ? free_ns : group->gradients_ns;
      TtJobGap *gap = is_late ? turnaround : latency;

      if (group->gradients_ns == TT_NO_TIME || group->span.begin_ns == TT_NO_TIME)
        continue;
      gap->sum_ns += MAX (group->span.begin_ns - ready_ns, 0);
      gap->cnt++;
      free_ns = later (free_ns, group->span.end_ns);
    }
}

/* By rank: the end of the last PULL_RES that its updates wait for; TT_NO_TIME: none. */
static gint64 *
find_pulled (TtJobParts *self)
{
  const TtStepGraph *graph = self->job->graph;
  gint64 *pulled_ns = g_new (gint64, graph->n_ranks);

  for (guint rank = 0; rank < graph->n_ranks; rank++)
    pulled_ns[rank] = TT_NO_TIME;
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
      const TtJobCell *cell =
          from->kind == TT_STEP_NODE_PULL_RES && to->kind == TT_STEP_NODE_UPDATE ? tt_job_cell_of_node (self, from) : NULL;
      if (cell != NULL)
        pulled_ns[to->rank] = later (pulled_ns[to->rank], cell->typical_end_ns);
    }
  return pulled_ns;
}

/* From each rank's last group to its first update, below 0 if that does not wait; TT_NO_TIME: one of them is not known. */
static gint64 *
find_update_gaps (TtJobParts *self, const GroupSpan *spans)
{
  const TtStepGraph *graph = self->job->graph;
  guint n_groups = self->job->shapes->len;
  gint64 *gaps = g_new (gint64, graph->n_ranks);

  for (guint rank = 0; rank < graph->n_ranks; rank++)
    gaps[rank] = TT_NO_TIME;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      const TtJobCell *cell = node->kind == TT_STEP_NODE_UPDATE ? tt_job_cell_of_node (self, node) : NULL;
      if (cell != NULL)
        gaps[node->rank] = earlier (gaps[node->rank], cell->typical_ts_ns);
    }
  g_autofree gint64 *pulled_ns = find_pulled (self);
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    {
      gint64 out_ns = pulled_ns[rank];
      for (guint i = 0; i < n_groups; i++)
        out_ns = later (out_ns, spans[rank * n_groups + i].end_ns);
      gaps[rank] = out_ns == TT_NO_TIME || gaps[rank] == TT_NO_TIME ? TT_NO_TIME : gaps[rank] - out_ns;
    }
  return gaps;
}

void
tt_job_fill_group_gaps (TtJobParts *self)
{
  TtTrainingJob *job = self->job;
  guint n_groups = job->shapes->len;
  g_autofree GroupSpan *spans = g_new (GroupSpan, (gsize) n_groups * job->n_ranks);
  TtJobGap latency = { 0 }, turnaround = { 0 };

  if (n_groups == 0)
    return;
  g_autoptr (GArray) groups = time_groups (self, spans);
  find_group_gaps (groups, &latency, &turnaround);
  g_autofree gint64 *update_gaps = find_update_gaps (self, spans);
  job->updates_wait = TRUE;
  for (guint rank = 0; rank < job->n_ranks; rank++)
    job->updates_wait = job->updates_wait && update_gaps[rank] != TT_NO_TIME && update_gaps[rank] >= 0;
  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (job->graph, i);
      TtStepNodeTimes *times = &job->times[i];
      if (node->kind == TT_STEP_NODE_SYNC)
        times->latency_ns = tt_average_ns (latency.sum_ns, latency.cnt);
      else if (node->kind == TT_STEP_NODE_MEMCPY_OUT)
        {
          times->turnaround_ns = tt_average_ns (turnaround.sum_ns, turnaround.cnt);
          times->update_gap_ns = job->updates_wait ? update_gaps[node->rank] : 0;
        }
    }
  for (guint i = 0; job->updates_wait && i < job->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (job->graph->edges, TtStepEdge, i);
      const TtStepNode *to = tt_step_node (job->graph, edge->to);
      if (to->kind == TT_STEP_NODE_UPDATE && tt_step_node (job->graph, edge->from)->kind == TT_STEP_NODE_PULL_RES)
        job->times[edge->from].update_gap_ns = update_gaps[to->rank];
    }
}
