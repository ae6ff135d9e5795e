/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/replay-private.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"

#define MAX_LANES 64 /* on which a rank sends at once */

static gboolean
is_same_lane (const TtStepNode *a, const TtStepNode *b)
{
  return a->rank == b->rank && a->group == b->group && a->channel == b->channel && a->slice == b->slice;
}

/* The nodes of a ring follow each other loop by loop, the phases of a lane in a row. */
void
tt_step_order_loops (const TtStepGraph *graph, TtSchedule *schedule)
{
  guint32 n = graph->nodes->len, begin = 0, n_in_loop = 0;

  for (guint32 i = 1; i < n; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i), *before = tt_step_node (graph, i - 1);

      if (node->parts.suffix == NULL || node->peer != TT_STEP_NO_RANK || node->rank != before->rank ||
          node->group != before->group || before->parts.suffix == NULL)
        {
          begin = i;
          n_in_loop = 0;
          continue;
        }
      if (node->loop == 1 && n_in_loop == 0)
        n_in_loop = i - begin;
      if (node->kind != TT_STEP_NODE_SEND || node->loop == 0 || node->phase != 0 || n_in_loop == 0)
        continue;
      guint32 last = i - n_in_loop;
      const TtStepNode *old = tt_step_node (graph, last);
      if (!is_same_lane (old, node) || old->loop + 1 != node->loop)
        continue;
      while (last + 1 < i && is_same_lane (tt_step_node (graph, last + 1), node) &&
             tt_step_node (graph, last + 1)->loop == old->loop)
        last++;
      if (tt_step_node (graph, last)->kind == TT_STEP_NODE_RECV)
        tt_schedule_add_dependency (schedule, last, i, 0, FALSE);
    }
}

/* A SEND or RECV that was observed in the typical step. */
typedef struct
{
  guint32 rank, group, node;
  guint32 loop; /* of a ring */
  guint32 channel, peer;
  guint lane;
  gint64 begin_ns, end_ns;
} ObservedTransfer;

static int
compare_transfers (gconstpointer a, gconstpointer b)
{
  const ObservedTransfer *x = a, *y = b;

  if (x->rank != y->rank)
    return TT_COMPARE (x->rank, y->rank);
  if (x->group != y->group)
    return TT_COMPARE (x->group, y->group);
  if (x->begin_ns != y->begin_ns)
    return TT_COMPARE (x->begin_ns, y->begin_ns);
  return TT_COMPARE (x->node, y->node);
}

static int
compare_in_loops (gconstpointer a, gconstpointer b)
{
  const ObservedTransfer *x = a, *y = b;

  if (x->rank != y->rank)
    return TT_COMPARE (x->rank, y->rank);
  if (x->group == y->group && x->loop != y->loop)
    return TT_COMPARE (x->loop, y->loop);
  return compare_transfers (a, b);
}

static int
compare_in_lanes (gconstpointer a, gconstpointer b)
{
  const ObservedTransfer *x = a, *y = b;

  if (x->rank != y->rank)
    return TT_COMPARE (x->rank, y->rank);
  if (x->group != y->group)
    return TT_COMPARE (x->group, y->group);
  if (x->lane != y->lane)
    return TT_COMPARE (x->lane, y->lane);
  if (x->loop != y->loop)
    return TT_COMPARE (x->loop, y->loop);
  return compare_transfers (a, b);
}

static GArray *
find_observed (const TtStepGraph *graph, const TtStepNodeTimes *times, TtStepNodeKind kind)
{
  GArray *observed = g_array_new (FALSE, FALSE, sizeof (ObservedTransfer));

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      const ObservedTransfer one = {
        .rank = node->rank,
        .group = node->group,
        .node = i,
        .loop = node->peer == TT_STEP_NO_RANK ? node->loop : 0,
        .channel = node->channel,
        .peer = node->peer,
        .begin_ns = times[i].observed_begin_ns,
        .end_ns = times[i].observed_end_ns,
      };
      if (node->kind == kind && one.begin_ns != TT_STEP_NO_TIME)
        g_array_append_val (observed, one);
    }
  g_array_sort (observed, compare_transfers);
  return observed;
}

/* The first free lane; of a tree, whose two directions have lanes of their own, the lane whose last transfer had
 * the same channel and peer, else the same channel. If none is free, a new one. */
static guint
choose_lane (const ObservedTransfer *lanes, guint n_lanes, const ObservedTransfer *one)
{
  guint best = n_lanes < MAX_LANES ? n_lanes : 0, best_likeness = 0;

  for (guint i = 0; i < n_lanes; i++)
    {
      gboolean is_like = one->peer != TT_STEP_NO_RANK && lanes[i].channel == one->channel;
      guint likeness = !is_like ? 1 : lanes[i].peer != one->peer ? 2 : 3;
      if (lanes[i].end_ns > one->begin_ns || likeness <= best_likeness)
        continue;
      best = i;
      best_likeness = likeness;
    }
  return best;
}

#define NO_DEVICE G_MAXUINT32

/* The device of lane @lane, which is not the first, of a rank. @further: [(lane - 1) * n_ranks + rank]: device. */
static guint32
lane_device (GArray *further, TtSchedule *schedule, guint slot)
{
  guint32 none = NO_DEVICE;

  while (further->len <= slot)
    g_array_append_val (further, none);
  guint32 *device = &g_array_index (further, guint32, slot);
  if (*device == NO_DEVICE)
    *device = tt_schedule_add_device (schedule, FALSE);
  return *device;
}

/* A rank sends or receives as many pieces at once as were observed at once: each has an own lane; lanes after the first
 * are further devices. */
static void
find_lanes (GArray *observed, TtSchedule *schedule, guint n_ranks)
{
  ObservedTransfer lanes[MAX_LANES]; /* the last of each */
  guint n_lanes = 0;
  g_autoptr (GArray) further = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < observed->len; i++)
    {
      ObservedTransfer *one = &g_array_index (observed, ObservedTransfer, i), *before = i > 0 ? one - 1 : NULL;

      if (before == NULL || before->rank != one->rank || before->group != one->group)
        n_lanes = 0;
      one->lane = choose_lane (lanes, n_lanes, one);
      n_lanes = MAX (n_lanes, one->lane + 1);
      lanes[one->lane] = *one;
      if (one->lane > 0)
        tt_schedule_task (schedule, one->node)->device =
            lane_device (further, schedule, (one->lane - 1) * n_ranks + one->rank);
    }
}

/* @observed, sorted: where two neighbours in one loop of a group (and in one lane, if asked for) did not overlap,
 * the later waits for the earlier. */
static void
keep_order (const GArray *observed, TtSchedule *schedule, gboolean in_lanes)
{
  for (guint i = 1; i < observed->len; i++)
    {
      const ObservedTransfer *before = &g_array_index (observed, ObservedTransfer, i - 1), *one = before + 1;
      if (before->rank == one->rank && before->group == one->group && before->loop == one->loop &&
          (in_lanes ? before->lane == one->lane : one->peer == TT_STEP_NO_RANK) && before->end_ns <= one->begin_ns)
        tt_schedule_add_dependency (schedule, before->node, one->node, 0, FALSE);
    }
}

void
tt_step_order_sends (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule)
{
  g_autoptr (GArray) sent = find_observed (graph, times, TT_STEP_NODE_SEND);
  g_autoptr (GArray) received = find_observed (graph, times, TT_STEP_NODE_RECV);

  find_lanes (sent, schedule, graph->n_ranks);
  find_lanes (received, schedule, graph->n_ranks);
  g_array_sort (sent, compare_in_loops);
  keep_order (sent, schedule, FALSE);
  g_array_sort (sent, compare_in_lanes);
  keep_order (sent, schedule, TRUE);
}

void
tt_step_part_channels (const TtStepGraph *graph, TtSchedule *schedule, guint32 device)
{
  TtMap64 lanes = { 0 }; /* rank, channel and direction -> device */

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      guint64 key = (guint64) node->rank << 32 | (guint64) node->channel << 1 | (node->is_down ? 1 : 0);

      if (node->kind == TT_STEP_NODE_RECV)
        tt_schedule_task (schedule, i)->device = device;
      if (node->kind != TT_STEP_NODE_SEND)
        continue;
      guint32 lane = tt_map64_get (&lanes, key);
      if (lane == TT_MAP64_NONE)
        {
          lane = tt_schedule_add_device (schedule, FALSE);
          tt_map64_set (&lanes, key, lane);
        }
      tt_schedule_task (schedule, i)->device = lane;
    }
  tt_map64_clear (&lanes);
}

/* -- groups ------------------------------------------------------------------------------------------------ */

/* A group over all ranks. */
typedef struct
{
  guint32 number;
  gint64 begin_ns, end_ns;
} ObservedGroup;

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const ObservedGroup *x = a, *y = b;

  return x->begin_ns != y->begin_ns ? TT_COMPARE (x->begin_ns, y->begin_ns) : TT_COMPARE (x->number, y->number);
}

/* A node of the group itself, not one of its pieces. */
static gboolean
is_of_whole_group (const TtStepNode *node)
{
  return node->group != TT_STEP_NO_GROUP && node->parts.suffix == NULL && node->kind != TT_STEP_NODE_SYNC;
}

/* By number; a begin of G_MAXINT64: not observed. */
static GArray *
find_observed_groups (const TtStepGraph *graph, const TtStepNodeTimes *times)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (ObservedGroup));

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (!is_of_whole_group (node))
        continue;
      while (groups->len <= node->group)
        {
          const ObservedGroup group = { groups->len, G_MAXINT64, G_MININT64 };
          g_array_append_val (groups, group);
        }
      ObservedGroup *group = &g_array_index (groups, ObservedGroup, node->group);
      if (times[i].observed_begin_ns == TT_STEP_NO_TIME)
        continue;
      group->begin_ns = MIN (group->begin_ns, times[i].observed_begin_ns);
      group->end_ns = MAX (group->end_ns, times[i].observed_end_ns);
    }
  return groups;
}

void
tt_step_order_groups (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device)
{
  g_autoptr (GArray) groups = find_observed_groups (graph, times);
  /* By group: the task between it and the group before it, and the task between it and the next. */
  g_autofree guint32 *gate_before = g_new (guint32, (gsize) groups->len + 1);
  g_autofree guint32 *gate_after = g_new (guint32, (gsize) groups->len + 1);
  const TtTask task = { .device = device };

  for (guint i = 0; i < groups->len; i++)
    gate_before[i] = gate_after[i] = TT_NO_TASK;
  g_array_sort (groups, compare_groups);
  for (guint i = 1; i < groups->len; i++)
    {
      const ObservedGroup *before = &g_array_index (groups, ObservedGroup, i - 1), *group = before + 1;
      if (group->begin_ns != G_MAXINT64 && before->end_ns <= group->begin_ns)
        gate_before[group->number] = gate_after[before->number] = tt_schedule_add_task (schedule, &task);
    }
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (!is_of_whole_group (node))
        continue;
      if (gate_before[node->group] != TT_NO_TASK)
        tt_schedule_add_dependency (schedule, gate_before[node->group], i, 0, FALSE);
      if (gate_after[node->group] != TT_NO_TASK)
        tt_schedule_add_dependency (schedule, i, gate_after[node->group], times[i].turnaround_ns, FALSE);
    }
}
