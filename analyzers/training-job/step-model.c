/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/step-model.h"

#include "graphs/graph.h"
#include "src/base/compare.h"

#include <stdlib.h>
#include <string.h>

static guint
count_groups (const TtStepGraph *graph)
{
  guint n = 0;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (tt_step_node (graph, i)->group != TT_STEP_NO_GROUP)
      n = MAX (n, tt_step_node (graph, i)->group + 1);
  return n;
}

/* Whether in a step each rank's updates begin after its last communication. *is_told: there were both. */
static gboolean
do_updates_wait (const TtStepGraph *graph, const TtJobNodeTime *seen, gboolean *is_told)
{
  g_autofree gint64 *update_ns = g_new (gint64, (gsize) graph->n_ranks + 1);
  g_autofree gint64 *comm_ns = g_new (gint64, (gsize) graph->n_ranks + 1);

  for (guint rank = 0; rank < graph->n_ranks; rank++)
    {
      update_ns[rank] = G_MAXINT64;
      comm_ns[rank] = TT_NO_TIME;
    }
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->rank >= graph->n_ranks || seen[i].begin_ns == TT_NO_TIME)
        continue;
      if (node->kind == TT_STEP_NODE_UPDATE)
        update_ns[node->rank] = MIN (update_ns[node->rank], seen[i].begin_ns);
      /* A proxy may still send when the collective has ended. */
      else if (node->group != TT_STEP_NO_GROUP && !tt_step_node_is_wait (node) && node->kind != TT_STEP_NODE_SEND)
        comm_ns[node->rank] = MAX (comm_ns[node->rank], seen[i].end_ns);
    }
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    {
      if (update_ns[rank] == G_MAXINT64 || comm_ns[rank] == TT_NO_TIME)
        continue;
      *is_told = TRUE;
      if (update_ns[rank] < comm_ns[rank])
        return FALSE;
    }
  return TRUE;
}

static void
observe_updates (TtJobStepModel *self)
{
  const TtJobStepTimes *steps = self->input.steps;
  gboolean is_told = FALSE, do_wait = TRUE;

  for (guint slot = 0; slot < steps->n_steps && do_wait; slot++)
    do_wait = do_updates_wait (self->input.graph, tt_job_step_times_of (steps, slot), &is_told);
  self->updates_wait = is_told ? do_wait : self->input.updates_wait;
}

TtJobStepModel *
tt_job_step_model_new (const TtJobStepModelInput *input)
{
  TtJobStepModel *self = g_new0 (TtJobStepModel, 1);

  self->input = *input;
  self->n_groups = count_groups (input->graph);
  gsize n = (gsize) self->n_groups * input->steps->n_steps;
  self->latency_ns = g_new0 (gint64, n + 1);
  self->turnaround_ns = g_new0 (gint64, n + 1);
  observe_updates (self);
  tt_job_step_model_observe_groups (self);
  return self;
}

void
tt_job_step_model_free (TtJobStepModel *self)
{
  if (self == NULL)
    return;
  g_free (self->latency_ns);
  g_free (self->turnaround_ns);
  g_free (self);
}

/* -- what nodes wait for ------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtJobStepModel *model;
  const TtStepGraph *graph;
  const TtJobNodeTime *seen;
  TtStepNodeTimes *times;
  gint64 *ready_ns;  /* by node: the end of what it needs of other devices of its rank; TT_NO_TIME: nothing known */
  gboolean *is_held; /* by node: it needs something */
  gint64 *out_ns;    /* by rank: the end of its last group */
  gint64 *delay_ns;  /* by rank: the delay of the last operator that waited for communication */
} Step;

static gint64
later (gint64 a_ns, gint64 b_ns)
{
  return a_ns == TT_NO_TIME || (b_ns != TT_NO_TIME && b_ns > a_ns) ? b_ns : a_ns;
}

/* The end of a node; a MEMCPY_OUT that was not traced ends with what it needs. Edges come by their source, so that the
 * pieces of a group are passed before it. */
static gint64
end_of (const Step *self, guint32 node)
{
  if (self->seen[node].begin_ns != TT_NO_TIME)
    return self->seen[node].end_ns;
  return tt_step_node (self->graph, node)->kind == TT_STEP_NODE_MEMCPY_OUT ? self->ready_ns[node] : TT_NO_TIME;
}

/* A SEND's end says nothing of when another rank may begin: clocks differ, and it has its RECV. */
static gboolean
is_told_by (const TtStepNode *from, const TtStepNode *to)
{
  if (from->rank != to->rank || from->kind == TT_STEP_NODE_SYNC)
    return from->rank == to->rank ? FALSE : tt_step_node_is_link_transfer (from->kind);
  return !tt_step_node_is_operator (from->kind) || !tt_step_node_is_operator (to->kind);
}

static void
find_ready (Step *self)
{
  const TtStepGraph *graph = self->graph;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    self->ready_ns[i] = TT_NO_TIME;
  /* Twice: a MEMCPY_OUT that was not traced may come after its updates. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < graph->edges->len; i++)
      {
        const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
        self->is_held[edge->to] = TRUE;
        const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
        if (is_told_by (from, to))
          self->ready_ns[edge->to] = later (self->ready_ns[edge->to], end_of (self, edge->from));
        if (from->kind == TT_STEP_NODE_PULL_RES && to->kind == TT_STEP_NODE_UPDATE)
          self->out_ns[to->rank] = later (self->out_ns[to->rank], end_of (self, edge->from));
      }
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->kind == TT_STEP_NODE_MEMCPY_OUT)
        self->out_ns[node->rank] = later (self->out_ns[node->rank], end_of (self, i));
    }
}

/* -- operators ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 rank, node;
  gint64 begin_ns;
} Operator;

static int
compare_operators (gconstpointer a, gconstpointer b)
{
  const Operator *x = a, *y = b;

  if (x->rank != y->rank)
    return TT_COMPARE (x->rank, y->rank);
  return x->begin_ns != y->begin_ns ? TT_COMPARE (x->begin_ns, y->begin_ns) : TT_COMPARE (x->node, y->node);
}

static GArray *
sort_operators (const Step *self)
{
  GArray *operators = g_array_new (FALSE, FALSE, sizeof (Operator));

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      const Operator one = { node->rank, i, self->seen[i].begin_ns };
      if (tt_step_node_is_operator (node->kind) && node->rank < self->graph->n_ranks && one.begin_ns != TT_NO_TIME)
        g_array_append_val (operators, one);
    }
  g_array_sort (operators, compare_operators);
  return operators;
}

/* @one follows @before on its rank. What was idle between them is a gap after @before, or where @one waited for
 * communication longer, a delay of @one. */
static void
set_gap (Step *self, const Operator *before, const Operator *one)
{
  gint64 free_ns = self->seen[before->node].end_ns, ready_ns = self->ready_ns[one->node];
  gboolean waits_for_all =
      self->model->updates_wait && tt_step_node (self->graph, one->node)->kind == TT_STEP_NODE_UPDATE;

  if (waits_for_all)
    ready_ns = later (ready_ns, self->out_ns[one->rank]);
  gint64 idle_ns = MAX (one->begin_ns - MAX (free_ns, ready_ns == TT_NO_TIME ? free_ns : ready_ns), 0);
  gboolean is_waiting = ready_ns != TT_NO_TIME && ready_ns > free_ns;
  self->times[before->node].operator_gap_ns = is_waiting ? 0 : idle_ns;
  self->times[before->node].server_wait_ns = 0;
  if (is_waiting && !waits_for_all)
    self->delay_ns[one->rank] = idle_ns;
  /* What came when the rank was still busy would have had the delay of those that it waited for. */
  self->times[one->node].start_delay_ns =
      waits_for_all || ready_ns == TT_NO_TIME ? 0 : CLAMP (one->begin_ns - ready_ns, 0, self->delay_ns[one->rank]);
  if (!is_waiting || !waits_for_all)
    return;
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      if (node->rank == one->rank && node->kind == TT_STEP_NODE_MEMCPY_OUT)
        self->times[i].update_gap_ns = idle_ns;
    }
  for (guint i = 0; i < self->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (self->graph->edges, TtStepEdge, i);
      if (tt_step_node (self->graph, edge->from)->kind == TT_STEP_NODE_PULL_RES &&
          tt_step_node (self->graph, edge->to)->rank == one->rank)
        self->times[edge->from].update_gap_ns = idle_ns;
    }
}

/* Ranks do not begin a step at once: each when it did, after the first. */
static void
set_begins (Step *self, const GArray *operators)
{
  g_autofree gint64 *begin_ns = g_new (gint64, self->graph->n_ranks);
  gint64 first_ns = G_MAXINT64;

  for (guint rank = 0; rank < self->graph->n_ranks; rank++)
    begin_ns[rank] = TT_NO_TIME;
  for (guint i = 0; i < operators->len; i++)
    {
      const Operator *one = &g_array_index (operators, Operator, i);
      if (begin_ns[one->rank] == TT_NO_TIME)
        begin_ns[one->rank] = one->begin_ns;
      first_ns = MIN (first_ns, one->begin_ns);
    }
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      if (tt_step_node_is_operator (node->kind) && node->rank < self->graph->n_ranks && !self->is_held[i] &&
          begin_ns[node->rank] != TT_NO_TIME)
        self->times[i].earliest_ns = begin_ns[node->rank] - first_ns;
    }
}

static void
set_operators (Step *self)
{
  g_autoptr (GArray) operators = sort_operators (self);

  set_begins (self, operators);
  for (guint i = 0; i < operators->len; i++)
    {
      const Operator *one = &g_array_index (operators, Operator, i), *before = one - 1;
      self->times[one->node].operator_gap_ns = 0;
      if (i > 0 && before->rank == one->rank)
        set_gap (self, before, one);
    }
}

/* -- communication ------------------------------------------------------------------------------------------------- */

/* A piece of work of a group: it counts from when all it needs was there. */
static void
set_work (Step *self, guint32 number)
{
  const TtJobNodeTime *seen = &self->seen[number];
  gint64 ready_ns = self->ready_ns[number], late_ns = ready_ns == TT_NO_TIME ? 0 : ready_ns - seen->begin_ns;

  if (tt_step_node (self->graph, number)->kind == TT_STEP_NODE_MEMCPY_IN)
    late_ns = MAX (late_ns, 0);
  if (late_ns >= 0)
    self->times[number].avg_ns = CLAMP (seen->end_ns - seen->begin_ns - late_ns, 0, seen->dur_ns);
  else
    {
      self->times[number].avg_ns = seen->dur_ns;
      self->times[number].start_delay_ns = -late_ns;
    }
}

typedef struct
{
  gint64 joined_ns;   /* the last begin */
  gint64 shortest_ns; /* on any rank */
} Joined;

/* Of a collective whose pieces are unknown the last rank to come begins the work; the others wait for it. */
static void
shorten_collectives (Step *self)
{
  g_autofree Joined *groups = g_new (Joined, (gsize) self->model->n_groups + 1);

  for (guint i = 0; i < self->model->n_groups; i++)
    groups[i] = (Joined){ TT_NO_TIME, G_MAXINT64 };
  for (guint pass = 0; pass < 2; pass++)
    for (guint32 i = 0; i < self->graph->nodes->len; i++)
      {
        const TtStepNode *node = tt_step_node (self->graph, i);
        const TtJobNodeTime *seen = &self->seen[i];
        if (!tt_step_node_is_collective (node) || seen->begin_ns == TT_NO_TIME)
          continue;
        Joined *group = &groups[node->group];
        if (pass == 0)
          {
            group->joined_ns = later (group->joined_ns, seen->begin_ns);
            group->shortest_ns = MIN (group->shortest_ns, seen->end_ns - seen->begin_ns);
          }
        else
          self->times[i].avg_ns =
              MAX (MIN (seen->end_ns - group->joined_ns, seen->end_ns - seen->begin_ns), group->shortest_ns / 2);
      }
}

static void
set_communication (Step *self, guint slot)
{
  const TtJobStepModel *model = self->model;

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      TtStepNodeTimes *times = &self->times[i];
      gboolean is_seen = self->seen[i].begin_ns != TT_NO_TIME;

      if (node->group == TT_STEP_NO_GROUP || node->rank >= self->graph->n_ranks)
        continue;
      times->observed_begin_ns = is_seen ? self->seen[i].begin_ns : TT_STEP_NO_TIME;
      times->observed_end_ns = is_seen ? self->seen[i].end_ns : TT_STEP_NO_TIME;
      if (node->kind == TT_STEP_NODE_SYNC)
        times->latency_ns = model->latency_ns[(gsize) slot * model->n_groups + node->group];
      if (is_seen && !tt_step_node_is_wait (node) && node->kind != TT_STEP_NODE_RECV)
        set_work (self, i);
      if (tt_step_node_is_wait (node))
        times->observed_begin_ns = times->observed_end_ns = TT_STEP_NO_TIME;
    }
}

/* The turnaround before a group is kept at the group before it. */
static void
set_turnarounds (Step *self, guint slot)
{
  const TtJobStepModel *model = self->model;
  g_autofree gint64 *begin_ns = g_new (gint64, (gsize) model->n_groups + 1);
  g_autofree guint32 *next = g_new (guint32, (gsize) model->n_groups + 1);

  for (guint i = 0; i < model->n_groups; i++)
    begin_ns[i] = G_MAXINT64;
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      if (node->group != TT_STEP_NO_GROUP && node->kind != TT_STEP_NODE_RECV && !tt_step_node_is_wait (node) &&
          self->seen[i].begin_ns != TT_NO_TIME)
        begin_ns[node->group] = MIN (begin_ns[node->group], self->seen[i].begin_ns);
    }
  for (guint i = 0; i < model->n_groups; i++)
    {
      next[i] = TT_STEP_NO_GROUP;
      for (guint k = 0; k < model->n_groups; k++)
        if (begin_ns[k] > begin_ns[i] && (next[i] == TT_STEP_NO_GROUP || begin_ns[k] < begin_ns[next[i]]))
          next[i] = k;
    }
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      if (node->kind == TT_STEP_NODE_MEMCPY_OUT && node->group != TT_STEP_NO_GROUP &&
          next[node->group] != TT_STEP_NO_GROUP)
        self->times[i].turnaround_ns = model->turnaround_ns[(gsize) slot * model->n_groups + next[node->group]];
    }
}

/* -- all ------------------------------------------------------------------------------------------------------------- */

TtStepNodeTimes *
tt_job_step_model_times (const TtJobStepModel *self, guint slot)
{
  const TtStepGraph *graph = self->input.graph;
  gsize n = graph->nodes->len;
  TtStepNodeTimes *times = g_new (TtStepNodeTimes, n + 1);
  g_autofree gint64 *ready_ns = g_new (gint64, n + 1);
  g_autofree gint64 *out_ns = g_new (gint64, (gsize) graph->n_endpoints + 1);
  g_autofree gint64 *delay_ns = g_new0 (gint64, (gsize) graph->n_endpoints + 1);
  g_autofree gboolean *is_held = g_new0 (gboolean, n + 1);
  Step step = {
    self, graph, tt_job_step_times_of (self->input.steps, slot), times, ready_ns, is_held, out_ns, delay_ns
  };

  memcpy (times, self->input.means, n * sizeof *times);
  for (guint rank = 0; rank < graph->n_endpoints; rank++)
    out_ns[rank] = TT_NO_TIME;
  for (guint32 i = 0; i < n; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (tt_step_node_is_wait (node))
        times[i].avg_ns = 0;
      else if (step.seen[i].begin_ns != TT_NO_TIME && node->kind != TT_STEP_NODE_RECV)
        times[i].avg_ns = step.seen[i].dur_ns;
    }
  find_ready (&step);
  set_operators (&step);
  set_communication (&step, slot);
  set_turnarounds (&step, slot);
  shorten_collectives (&step);
  return times;
}

TtStepNodeTimes *
tt_job_step_model_copied_times (const TtJobStepModel *self, guint slot, const TtJobStepCopies *copies)
{
  const TtStepGraph *graph = copies->graph;
  guint n_steps = MAX (self->input.steps->n_steps, 1);
  g_autoptr (GPtrArray) steps = g_ptr_array_new_full (n_steps, g_free);
  TtStepNodeTimes *times = g_new0 (TtStepNodeTimes, (gsize) graph->nodes->len + 1);

  g_ptr_array_set_size (steps, (int) n_steps);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      times[i] = (TtStepNodeTimes){ .observed_begin_ns = TT_STEP_NO_TIME, .observed_end_ns = TT_STEP_NO_TIME };
      if (copies->from[i] == TT_STEP_NO_NODE)
        continue;
      gboolean takes_turn = !copies->operators_alone || tt_step_node_is_operator (node->kind);
      gpointer *step = &steps->pdata[takes_turn ? (slot + copies->turns[node->rank]) % n_steps : slot];
      if (*step == NULL)
        *step = tt_job_step_model_times (self, (guint) (step - steps->pdata));
      times[i] = ((const TtStepNodeTimes *) *step)[copies->from[i]];
      if (copies->turns[node->rank] > 0)
        times[i].observed_begin_ns = times[i].observed_end_ns = TT_STEP_NO_TIME;
    }
  return times;
}

gint64
tt_job_step_model_measured_ns (const TtJobStepModel *self, guint slot)
{
  const TtStepGraph *graph = self->input.graph;
  const TtJobNodeTime *seen = tt_job_step_times_of (self->input.steps, slot);
  g_autofree gint64 *first_ns = g_new (gint64, (gsize) graph->n_ranks + 1);
  g_autofree gint64 *last_ns = g_new (gint64, (gsize) graph->n_ranks + 1);
  tt_int128 sum_ns = 0;
  guint n = 0;

  for (guint rank = 0; rank < graph->n_ranks; rank++)
    first_ns[rank] = last_ns[rank] = TT_NO_TIME;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (!tt_step_node_is_operator (node->kind) || node->rank >= graph->n_ranks || seen[i].begin_ns == TT_NO_TIME)
        continue;
      if (first_ns[node->rank] == TT_NO_TIME || seen[i].begin_ns < first_ns[node->rank])
        first_ns[node->rank] = seen[i].begin_ns;
      last_ns[node->rank] = later (last_ns[node->rank], seen[i].end_ns);
    }
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    if (first_ns[rank] != TT_NO_TIME)
      {
        sum_ns += last_ns[rank] - first_ns[rank];
        n++;
      }
  return n == 0 ? 0 : tt_average_ns (sum_ns, n);
}
