#include "config.h"

#include "graphs/step-graph/replay-private.h"

#define MOST_LANES 64 /* that a rank sends on at once */

static gboolean
is_same_lane (const TtStepNode *a, const TtStepNode *b)
{
  return a->rank == b->rank && a->group == b->group && a->channel == b->channel && a->slice == b->slice;
}

/* The pieces of a ring lie loop by loop, each lane's steps in a row. */
void
tt_step_order_loops (const TtStepGraph *graph, TtSchedule *schedule)
{
  guint32 n = graph->nodes->len, begin = 0, n_in_loop = 0;

  for (guint32 i = 1; i < n; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i), *before = tt_step_node (graph, i - 1);

      if (node->suffix == NULL || node->peer != TT_STEP_NO_RANK || node->rank != before->rank ||
          node->group != before->group || before->suffix == NULL)
        {
          begin = i;
          n_in_loop = 0;
          continue;
        }
      if (node->loop == 1 && n_in_loop == 0)
        n_in_loop = i - begin;
      if (node->kind != TT_STEP_NODE_SEND || node->loop == 0 || node->step != 0 || n_in_loop == 0)
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

/* A SEND or RECV that was seen. */
typedef struct
{
  guint32 rank, group, node;
  guint32 loop; /* of a ring */
  guint32 channel, peer;
  guint lane;
  gint64 begin_ns, end_ns;
} SeenTransfer;

static int
compare_seen (gconstpointer a, gconstpointer b)
{
  const SeenTransfer *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

static int
compare_seen_in_loops (gconstpointer a, gconstpointer b)
{
  const SeenTransfer *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->group == y->group && x->loop != y->loop)
    return x->loop < y->loop ? -1 : 1;
  return compare_seen (a, b);
}

static int
compare_seen_in_lanes (gconstpointer a, gconstpointer b)
{
  const SeenTransfer *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  if (x->lane != y->lane)
    return x->lane < y->lane ? -1 : 1;
  if (x->loop != y->loop)
    return x->loop < y->loop ? -1 : 1;
  return compare_seen (a, b);
}

static GArray *
find_seen (const TtStepGraph *graph, const TtStepNodeTimes *times, TtStepNodeKind kind)
{
  GArray *seen = g_array_new (FALSE, FALSE, sizeof (SeenTransfer));

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      const SeenTransfer one = {
        .rank = node->rank,
        .group = node->group,
        .node = i,
        .loop = node->peer == TT_STEP_NO_RANK ? node->loop : 0,
        .channel = node->channel,
        .peer = node->peer,
        .begin_ns = times[i].observed_begin_ns,
        .end_ns = times[i].observed_end_ns,
      };
      if (node->kind == kind && one.begin_ns != TT_NO_TIME)
        g_array_append_val (seen, one);
    }
  g_array_sort (seen, compare_seen);
  return seen;
}

/* The first lane that is free; of a tree, whose ways up and down have lanes of their own, the one that had the same channel and
 * peer last, else the same channel. None is free: one more. */
static guint
choose_lane (const SeenTransfer *lanes, guint n_lanes, const SeenTransfer *one)
{
  guint best = n_lanes < MOST_LANES ? n_lanes : 0, best_likeness = 0;

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

/* A rank sends or receives as many pieces at once as it was seen to: each of these has a lane of its own, after the first
 * further devices. */
static void
find_lanes (GArray *seen, TtSchedule *schedule, guint n_ranks)
{
  SeenTransfer lanes[MOST_LANES]; /* the last of each */
  guint n_lanes = 0;
  g_autoptr (GArray) further = g_array_new (FALSE, TRUE, sizeof (guint32)); /* [(lane - 1) * n_ranks + rank]: device */

  for (guint i = 0; i < seen->len; i++)
    {
      SeenTransfer *one = &g_array_index (seen, SeenTransfer, i), *before = i > 0 ? one - 1 : NULL;

      if (before == NULL || before->rank != one->rank || before->group != one->group)
        n_lanes = 0;
      one->lane = choose_lane (lanes, n_lanes, one);
      n_lanes = MAX (n_lanes, one->lane + 1);
      lanes[one->lane] = *one;
      if (one->lane == 0)
        continue;
      guint place = (one->lane - 1) * n_ranks + one->rank;
      if (further->len <= place)
        g_array_set_size (further, place + 1);
      guint32 *device = &g_array_index (further, guint32, place);
      if (*device == 0)
        *device = tt_schedule_add_device (schedule, FALSE);
      tt_schedule_task (schedule, one->node)->device = *device;
    }
}

/* @seen, sorted: of neighbours in one loop of a group (in one lane, if asked for) that did not overlap the later waits. */
static void
keep_order (const GArray *seen, TtSchedule *schedule, gboolean in_lanes)
{
  for (guint i = 1; i < seen->len; i++)
    {
      const SeenTransfer *before = &g_array_index (seen, SeenTransfer, i - 1), *one = before + 1;
      if (before->rank == one->rank && before->group == one->group && before->loop == one->loop &&
          (in_lanes ? before->lane == one->lane : one->peer == TT_STEP_NO_RANK) && before->end_ns <= one->begin_ns)
        tt_schedule_add_dependency (schedule, before->node, one->node, 0, FALSE);
    }
}

void
tt_step_order_sends (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule)
{
  g_autoptr (GArray) seen = find_seen (graph, times, TT_STEP_NODE_SEND);
  g_autoptr (GArray) received = find_seen (graph, times, TT_STEP_NODE_RECV);

  find_lanes (seen, schedule, graph->n_ranks);
  find_lanes (received, schedule, graph->n_ranks);
  g_array_sort (seen, compare_seen_in_loops);
  keep_order (seen, schedule, FALSE);
  g_array_sort (seen, compare_seen_in_lanes);
  keep_order (seen, schedule, TRUE);
}

void
tt_step_part_channels (const TtStepGraph *graph, TtSchedule *schedule, guint32 device)
{
  g_autoptr (GHashTable) lanes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL); /* -> device + 1 */

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      gint64 key = (gint64) ((guint64) node->rank << 32 | (guint64) node->channel << 1 | (node->is_down ? 1 : 0));

      if (node->kind == TT_STEP_NODE_RECV)
        tt_schedule_task (schedule, i)->device = device;
      if (node->kind != TT_STEP_NODE_SEND)
        continue;
      guint32 lane = GPOINTER_TO_UINT (g_hash_table_lookup (lanes, &key));
      if (lane == 0)
        {
          lane = tt_schedule_add_device (schedule, FALSE) + 1;
          g_hash_table_insert (lanes, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (lane));
        }
      tt_schedule_task (schedule, i)->device = lane - 1;
    }
}

/* A group over all ranks. */
typedef struct
{
  guint32 number;
  gint64 begin_ns, end_ns;
} SeenGroup;

static int
compare_seen_groups (gconstpointer a, gconstpointer b)
{
  const SeenGroup *x = a, *y = b;

  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static gboolean
is_groups_own (const TtStepNode *node)
{
  return node->group != 0 && node->suffix == NULL && node->kind != TT_STEP_NODE_SYNC;
}

/* By number; a begin of G_MAXINT64: not seen. */
static GArray *
find_seen_groups (const TtStepGraph *graph, const TtStepNodeTimes *times)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (SeenGroup));

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (!is_groups_own (node))
        continue;
      while (groups->len < node->group)
        {
          SeenGroup group = { groups->len + 1, G_MAXINT64, G_MININT64 };
          g_array_append_val (groups, group);
        }
      SeenGroup *group = &g_array_index (groups, SeenGroup, node->group - 1);
      if (times[i].observed_begin_ns == TT_NO_TIME)
        continue;
      group->begin_ns = MIN (group->begin_ns, times[i].observed_begin_ns);
      group->end_ns = MAX (group->end_ns, times[i].observed_end_ns);
    }
  return groups;
}

void
tt_step_order_groups (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device)
{
  g_autoptr (GArray) groups = find_seen_groups (graph, times);
  g_autofree guint32 *gate_before = g_new (guint32, groups->len + 1);
  g_autofree guint32 *gate_behind = g_new (guint32, groups->len + 1);
  const TtTask task = { .device = device };

  for (guint i = 0; i <= groups->len; i++)
    gate_before[i] = gate_behind[i] = TT_NO_TASK;
  g_array_sort (groups, compare_seen_groups);
  for (guint i = 1; i < groups->len; i++)
    {
      const SeenGroup *before = &g_array_index (groups, SeenGroup, i - 1), *group = before + 1;
      if (group->begin_ns != G_MAXINT64 && before->end_ns <= group->begin_ns)
        gate_before[group->number] = gate_behind[before->number] = tt_schedule_add_task (schedule, &task);
    }
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (!is_groups_own (node))
        continue;
      if (gate_before[node->group] != TT_NO_TASK)
        tt_schedule_add_dependency (schedule, gate_before[node->group], i, 0, FALSE);
      if (gate_behind[node->group] != TT_NO_TASK)
        tt_schedule_add_dependency (schedule, i, gate_behind[node->group], times[i].turnaround_ns, FALSE);
    }
}

void
tt_step_hold_updates (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device)
{
  const TtTask task = { .device = device };
  guint32 first = tt_schedule_n_tasks (schedule);

  for (guint rank = 0; rank < graph->n_ranks; rank++)
    tt_schedule_add_task (schedule, &task);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->kind == TT_STEP_NODE_MEMCPY_OUT)
        tt_schedule_add_dependency (schedule, i, first + node->rank, times[i].update_gap_ns, FALSE);
      else if (node->kind == TT_STEP_NODE_UPDATE)
        tt_schedule_add_dependency (schedule, first + node->rank, i, 0, FALSE);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *to = tt_step_node (graph, edge->to);
      if (to->kind == TT_STEP_NODE_UPDATE && tt_step_node (graph, edge->from)->kind == TT_STEP_NODE_PULL_RES)
        tt_schedule_add_dependency (schedule, edge->from, first + to->rank, times[edge->from].update_gap_ns, FALSE);
    }
}

void
tt_step_add_arrivals (const TtStepGraph *graph,
                     const TtStepNodeTimes *times,
                     TtSchedule *schedule,
                     const TtStepReplayOptions *options,
                     guint32 device)
{
  g_autoptr (GArray) come = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) works = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) lags = g_array_new (FALSE, FALSE, sizeof (gint64));
  const TtTask task = { .device = device };
  guint n = graph->arrivals->len;

  for (guint i = 0; i < n; i++)
    {
      const TtStepArrival *arrival = &g_array_index (graph->arrivals, TtStepArrival, i);
      guint32 arrived = tt_schedule_add_task (schedule, &task);
      gint64 lag_ns = options->group_gaps ? times[arrival->work].start_delay_ns : 0;

      tt_schedule_add_dependency (schedule, arrival->push, arrived, 0, FALSE);
      g_array_append_val (come, arrived);
      g_array_append_val (works, arrival->work);
      g_array_append_val (lags, lag_ns);
      if (i + 1 < n && g_array_index (graph->arrivals, TtStepArrival, i + 1).number == arrival->number)
        continue;
      tt_schedule_add_arrival_queue (schedule, (const guint32 *) (gconstpointer) come->data,
                               (const guint32 *) (gconstpointer) works->data,
                               (const gint64 *) (gconstpointer) lags->data, come->len);
      g_array_set_size (come, 0);
      g_array_set_size (works, 0);
      g_array_set_size (lags, 0);
    }
}
