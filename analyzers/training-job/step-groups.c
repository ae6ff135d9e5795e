/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/step-model.h"

#include "analyzers/training-job/median.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

#include <stdlib.h>

/*
 * When groups of tensors begin: some time after their last gradient (negotiation, which may be in cycles), or, where
 * the groups before them still run, some time after these. What of a group is work tells; QUEUE ends with its wait.
 */

/* Gradients that are there so much (a part of all of BW) before communication begins would have been sent. */
#define IDLE_PART 20
/* One of so many is few. */
#define FEW 10

typedef struct
{
  guint32 number;
  gint64 gradients_ns; /* the end of the last gradient, over all ranks */
  gint64 asked_ns;     /* the last begin of its negotiation */
  gint64 there_ns;     /* the last end of it */
  gint64 begin_ns;     /* its first work on any rank */
  gint64 end_ns;       /* its last on all */
} Group;

static gint64
later (gint64 a_ns, gint64 b_ns)
{
  return a_ns == TT_NO_TIME || (b_ns != TT_NO_TIME && b_ns > a_ns) ? b_ns : a_ns;
}

static gint64
earlier (gint64 a_ns, gint64 b_ns)
{
  return a_ns == TT_NO_TIME || (b_ns != TT_NO_TIME && b_ns < a_ns) ? b_ns : a_ns;
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *x = a, *y = b;

  return x->begin_ns != y->begin_ns ? TT_COMPARE (x->begin_ns, y->begin_ns) : TT_COMPARE (x->number, y->number);
}

/* The groups of a step, by begin; those without one last. */
static Group *
find_groups (const TtJobStepModel *self, guint slot)
{
  const TtStepGraph *graph = self->input.graph;
  const TtJobNodeTime *times = tt_job_step_times_of (self->input.steps, slot);
  Group *groups = g_new (Group, (gsize) self->n_groups + 1);

  for (guint i = 0; i < self->n_groups; i++)
    groups[i] = (Group){ i, TT_NO_TIME, TT_NO_TIME, TT_NO_TIME, TT_NO_TIME, TT_NO_TIME };
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->group == TT_STEP_NO_GROUP || times[i].begin_ns == TT_NO_TIME)
        continue;
      Group *group = &groups[node->group];
      if (node->kind == TT_STEP_NODE_SYNC)
        {
          group->asked_ns = later (group->asked_ns, times[i].begin_ns);
          group->there_ns = later (group->there_ns, times[i].end_ns);
        }
      if (tt_step_node_is_wait (node))
        continue;
      /* A RECV may be posted early. */
      if (node->kind != TT_STEP_NODE_RECV)
        group->begin_ns = earlier (group->begin_ns, times[i].begin_ns);
      group->end_ns = later (group->end_ns, times[i].end_ns);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
      if (to->group != TT_STEP_NO_GROUP && tt_step_node_is_operator (from->kind) && from->rank == to->rank)
        groups[to->group].gradients_ns = later (groups[to->group].gradients_ns, times[edge->from].end_ns);
    }
  for (guint i = 0; i < self->n_groups; i++)
    if (groups[i].begin_ns == TT_NO_TIME)
      groups[i].begin_ns = G_MAXINT64;
  qsort (groups, self->n_groups, sizeof *groups, compare_groups);
  return groups;
}

static gboolean
is_timed (const Group *group)
{
  return group->begin_ns != G_MAXINT64 && group->gradients_ns != TT_NO_TIME;
}

/* Whether its negotiation is no witness of how long that takes: there was none, or it was put off until the group
 * before it had ended at @free_ns. */
static gboolean
is_not_told (const Group *group, gint64 free_ns)
{
  return group->there_ns == TT_NO_TIME || group->there_ns < group->gradients_ns ||
         (free_ns != TT_NO_TIME && free_ns > group->gradients_ns && group->asked_ns >= free_ns);
}

/* -- whether groups wait for all of BW --------------------------------------------------------------------------- */

typedef struct
{
  gint64 first_bw_ns, last_bw_ns;                     /* the begin of the first, the end of the last */
  gint64 first_comm_ns, first_send_ns, first_recv_ns; /* of the first: all but SEND and RECV */
} Backward;

static Backward *
find_backward (const TtJobStepModel *self, guint slot)
{
  const TtStepGraph *graph = self->input.graph;
  const TtJobNodeTime *times = tt_job_step_times_of (self->input.steps, slot);
  Backward *ranks = g_new (Backward, (gsize) graph->n_endpoints + 1);

  for (guint rank = 0; rank < graph->n_endpoints; rank++)
    ranks[rank] = (Backward){ TT_NO_TIME, TT_NO_TIME, TT_NO_TIME, TT_NO_TIME, TT_NO_TIME };
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->rank == TT_STEP_NO_RANK || times[i].begin_ns == TT_NO_TIME)
        continue;
      Backward *rank = &ranks[node->rank];
      if (node->kind == TT_STEP_NODE_BW)
        {
          rank->first_bw_ns = earlier (rank->first_bw_ns, times[i].begin_ns);
          rank->last_bw_ns = later (rank->last_bw_ns, times[i].end_ns);
        }
      else if (node->group == TT_STEP_NO_GROUP || tt_step_node_is_wait (node))
        continue;
      else if (node->kind == TT_STEP_NODE_SEND)
        rank->first_send_ns = earlier (rank->first_send_ns, times[i].begin_ns);
      else if (node->kind == TT_STEP_NODE_RECV)
        rank->first_recv_ns = earlier (rank->first_recv_ns, times[i].begin_ns);
      else
        rank->first_comm_ns = earlier (rank->first_comm_ns, times[i].begin_ns);
    }
  /* A RECV may be posted early, and a SEND of the step before may end late. */
  for (guint rank = 0; rank < graph->n_endpoints; rank++)
    ranks[rank].first_comm_ns =
        earlier (ranks[rank].first_comm_ns, later (ranks[rank].first_send_ns, ranks[rank].first_recv_ns));
  return ranks;
}

typedef struct
{
  guint n, n_early; /* ranks in steps; those that communicated before their last BW had ended */
  gboolean is_told; /* some gradient was there long before */
} Witnesses;

static void
ask_step (const TtJobStepModel *self, guint slot, const Group *groups, Witnesses *witnesses)
{
  g_autofree Backward *ranks = find_backward (self, slot);
  gint64 gradients_ns = TT_NO_TIME;

  for (guint i = 0; i < self->n_groups; i++)
    if (is_timed (&groups[i]))
      gradients_ns = earlier (gradients_ns, groups[i].gradients_ns);
  for (guint rank = 0; rank < self->input.graph->n_ranks; rank++)
    {
      const Backward *own = &ranks[rank];
      if (own->first_comm_ns == TT_NO_TIME || own->last_bw_ns == TT_NO_TIME)
        continue;
      witnesses->n++;
      witnesses->n_early += own->first_comm_ns < own->last_bw_ns;
      if (gradients_ns != TT_NO_TIME &&
          gradients_ns < own->last_bw_ns - (own->last_bw_ns - own->first_bw_ns) / IDLE_PART)
        witnesses->is_told = TRUE;
    }
}

/* Times are of clocks that may differ by little: a few ranks in steps may say otherwise. */
static gboolean
do_groups_wait (const TtJobStepModel *self, Group *const *groups)
{
  Witnesses witnesses = { 0 };

  for (guint slot = 0; slot < self->input.steps->n_steps; slot++)
    ask_step (self, slot, groups[slot], &witnesses);
  return witnesses.is_told && witnesses.n_early * FEW <= witnesses.n;
}

/* Then all groups have the same last gradient. */
static void
wait_for_all (const TtJobStepModel *self, guint slot, Group *groups)
{
  g_autofree Backward *ranks = find_backward (self, slot);
  gint64 last_ns = TT_NO_TIME;

  for (guint rank = 0; rank < self->input.graph->n_ranks; rank++)
    last_ns = later (last_ns, ranks[rank].last_bw_ns);
  for (guint i = 0; i < self->n_groups; i++)
    groups[i].gradients_ns = later (groups[i].gradients_ns, last_ns);
}

/* -- latency and turnaround ---------------------------------------------------------------------------------------- */

typedef struct
{
  GArray *latencies, *turnarounds, *launches; /* of gint64 */
} Gaps;

/* Of groups for which nothing is in the way: latency, and the time from the end of the negotiation to the begin. */
static void
add_latencies (const TtJobStepModel *self, const Group *groups, Gaps *gaps)
{
  gint64 free_ns = TT_NO_TIME;

  for (guint i = 0; i < self->n_groups; i++)
    {
      const Group *group = &groups[i];
      if (!is_timed (group))
        continue;
      if (free_ns == TT_NO_TIME || free_ns <= group->gradients_ns)
        {
          gint64 latency_ns = MAX (group->begin_ns - group->gradients_ns, 0);
          g_array_append_val (gaps->latencies, latency_ns);
          gint64 launch_ns = tt_time_since (group->begin_ns, group->there_ns);
          if (group->there_ns != TT_NO_TIME && launch_ns >= 0)
            g_array_append_val (gaps->launches, launch_ns);
        }
      free_ns = later (free_ns, group->end_ns);
    }
}

/* Groups that were late for another, which was negotiated before that had ended. */
static void
add_turnarounds (const TtJobStepModel *self, const Group *groups, Gaps *gaps)
{
  gint64 free_ns = TT_NO_TIME;

  for (guint i = 0; i < self->n_groups; i++)
    {
      const Group *group = &groups[i];
      if (!is_timed (group))
        continue;
      gint64 there_ns = is_not_told (group, free_ns) ? group->gradients_ns : group->there_ns;
      gint64 turnaround_ns = tt_time_since (group->begin_ns, free_ns);
      if (free_ns != TT_NO_TIME && free_ns > there_ns && turnaround_ns >= 0)
        g_array_append_val (gaps->turnarounds, turnaround_ns);
      free_ns = later (free_ns, group->end_ns);
    }
}

typedef struct
{
  gint64 latency_ns, turnaround_ns, launch_ns; /* medians */
} Typical;

/* A group begins when it was negotiated and the device is free. Which of both it was is told by the end of its
 * negotiation, else by what groups take for that elsewhere. */
static void
set_gaps (TtJobStepModel *self, guint slot, const Group *groups, const Typical *typical)
{
  gint64 free_ns = TT_NO_TIME;

  for (guint i = 0; i < self->n_groups; i++)
    {
      const Group *group = &groups[i];
      gsize at = (gsize) slot * self->n_groups + group->number;
      self->latency_ns[at] = typical->latency_ns;
      self->turnaround_ns[at] = typical->turnaround_ns;
      if (!is_timed (group))
        continue;
      gint64 whole_ns = MAX (group->begin_ns - group->gradients_ns, 0), latency_ns = typical->latency_ns;
      gboolean is_told = !is_not_told (group, free_ns);
      if (is_told)
        latency_ns = group->there_ns - group->gradients_ns + typical->launch_ns;
      gboolean is_late = free_ns != TT_NO_TIME && free_ns > (is_told ? group->there_ns : group->gradients_ns);
      self->latency_ns[at] = is_late ? MIN (latency_ns, whole_ns) : whole_ns;
      if (is_late)
        self->turnaround_ns[at] = MAX (group->begin_ns - free_ns, 0);
      free_ns = later (free_ns, group->end_ns);
    }
}

void
tt_job_step_model_observe_groups (TtJobStepModel *self)
{
  guint n_steps = self->input.steps->n_steps;
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) latencies = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) turnarounds = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) launches = g_array_new (FALSE, FALSE, sizeof (gint64));
  Gaps gaps = { latencies, turnarounds, launches };

  if (self->n_groups == 0)
    return;
  for (guint slot = 0; slot < n_steps; slot++)
    g_ptr_array_add (groups, find_groups (self, slot));
  self->groups_wait = do_groups_wait (self, (Group *const *) groups->pdata);
  for (guint slot = 0; slot < n_steps; slot++)
    {
      if (self->groups_wait)
        wait_for_all (self, slot, groups->pdata[slot]);
      add_latencies (self, groups->pdata[slot], &gaps);
    }
  Typical typical = { .latency_ns = tt_median_ns (latencies), .launch_ns = tt_median_ns (launches) };
  for (guint slot = 0; slot < n_steps; slot++)
    add_turnarounds (self, groups->pdata[slot], &gaps);
  typical.turnaround_ns = tt_median_ns (turnarounds);
  for (guint slot = 0; slot < n_steps; slot++)
    set_gaps (self, slot, groups->pdata[slot], &typical);
}
