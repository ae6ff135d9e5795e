#include "config.h"

#include "graphs/job-replay.h"

#define MOST_LANES 64 /* that a rank sends on at once */

typedef enum
{
  DEVICE_OPERATOR,
  DEVICE_IO,
  DEVICE_SYNC,
  DEVICE_KERNEL,
  DEVICE_SEND,
  DEVICE_RECV,
  DEVICE_UPDATE,
  N_DEVICES,
} DeviceKind;

static const char *const device_texts[N_DEVICES] = {
  "operator", "I/O", "Comm~>Sync", "Comm~>Kernel", "Comm~>SEND", "Comm~>RECV", "operator~>UPDATE",
};

static DeviceKind
device_of (const TtJobNode *node, const TtReplayOptions *options)
{
  switch (node->kind)
    {
    case TT_JOB_IO:
      return DEVICE_IO;
    case TT_JOB_SYNC:
      return DEVICE_SYNC;
    case TT_JOB_MEMCPY_IN:
    case TT_JOB_MEMCPY_OUT:
    case TT_JOB_COMM:
      return DEVICE_KERNEL;
    case TT_JOB_SEND:
      return DEVICE_SEND;
    case TT_JOB_RECV:
      return options->shared_lanes ? DEVICE_SEND : DEVICE_RECV;
    case TT_JOB_UPDATE:
      return options->parallel_updates ? DEVICE_UPDATE : DEVICE_OPERATOR;
    default:
      return DEVICE_OPERATOR;
    }
}

static gint32
priority_of (TtJobKind kind)
{
  switch (kind)
    {
    case TT_JOB_FW:
      return 0;
    case TT_JOB_OUTPUT:
      return 1;
    case TT_JOB_BW:
      return 2;
    case TT_JOB_UPDATE:
      return 3;
    default:
      return 100;
    }
}

static gboolean
is_operator (TtJobKind kind)
{
  return kind == TT_JOB_FW || kind == TT_JOB_BW || kind == TT_JOB_UPDATE || kind == TT_JOB_OUTPUT;
}

static gboolean
is_communication (TtJobKind kind)
{
  return kind == TT_JOB_SYNC || kind == TT_JOB_MEMCPY_IN || kind == TT_JOB_MEMCPY_OUT || kind == TT_JOB_SEND ||
         kind == TT_JOB_RECV || kind == TT_JOB_COMM;
}

/* A group holds the kernel's device only if something ends its hold. */
static gboolean *
find_held_groups (const TtJobGraph *graph, guint *n_groups)
{
  guint n = 0;

  for (guint i = 0; i < graph->nodes->len; i++)
    n = MAX (n, tt_job_node (graph, i)->group);
  gboolean *is_held = g_new0 (gboolean, n + 1);
  for (guint i = 0; i < graph->nodes->len; i++)
    if (tt_job_node (graph, i)->kind == TT_JOB_MEMCPY_OUT)
      is_held[tt_job_node (graph, i)->group] = TRUE;
  *n_groups = n;
  return is_held;
}

static gint64
lag_of (const TtJobGraph *graph, const TtJobEdge *edge, const TtJobTimes *times, const TtReplayOptions *options)
{
  TtJobKind from = tt_job_node (graph, edge->from)->kind, to = tt_job_node (graph, edge->to)->kind;

  if (!is_communication (to))
    return 0;
  if (options->group_gaps)
    return from == TT_JOB_SYNC ? times[edge->from].latency_ns : 0;
  return is_operator (from) || from == TT_JOB_SYNC ? times[edge->from].comm_gap_ns : 0;
}

static gint64
rest_of (const TtJobNode *node, const TtJobTimes *times, const TtReplayOptions *options)
{
  if (is_operator (node->kind))
    return times->operator_gap_ns;
  return options->group_gaps && node->kind == TT_JOB_MEMCPY_OUT ? times->turnaround_ns : 0;
}

static gboolean
is_same_lane (const TtJobNode *a, const TtJobNode *b)
{
  return a->rank == b->rank && a->group == b->group && a->channel == b->channel && a->slice == b->slice;
}

/* A lane's next loop begins when it has received the last chunk of the one before. The pieces of a ring lie loop by
 * loop, each lane's steps in a row. */
static void
order_loops (const TtJobGraph *graph, TtSchedule *schedule)
{
  guint32 n = graph->nodes->len, begin = 0, n_in_loop = 0;

  for (guint32 i = 1; i < n; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i), *before = tt_job_node (graph, i - 1);

      if (node->suffix == NULL || node->rank != before->rank || node->group != before->group || before->suffix == NULL)
        {
          begin = i;
          n_in_loop = 0;
          continue;
        }
      if (node->loop == 1 && n_in_loop == 0)
        n_in_loop = i - begin;
      if (node->kind != TT_JOB_SEND || node->loop == 0 || node->step != 0 || n_in_loop == 0)
        continue;
      guint32 last = i - n_in_loop;
      const TtJobNode *old = tt_job_node (graph, last);
      if (!is_same_lane (old, node) || old->loop + 1 != node->loop)
        continue;
      while (last + 1 < i && is_same_lane (tt_job_node (graph, last + 1), node) &&
             tt_job_node (graph, last + 1)->loop == old->loop)
        last++;
      if (tt_job_node (graph, last)->kind == TT_JOB_RECV)
        tt_schedule_add_dependency (schedule, last, i, 0, FALSE);
    }
}

/* A SEND that was seen. */
typedef struct
{
  guint32 rank, group, loop, node;
  gint64 begin_ns, end_ns;
} SeenSend;

static int
compare_seen (gconstpointer a, gconstpointer b)
{
  const SeenSend *x = a, *y = b;

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
  const SeenSend *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->group == y->group && x->loop != y->loop)
    return x->loop < y->loop ? -1 : 1;
  return compare_seen (a, b);
}

static GArray *
find_seen_sends (const TtJobGraph *graph, const TtJobTimes *times)
{
  GArray *seen = g_array_new (FALSE, FALSE, sizeof (SeenSend));

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      SeenSend one = { node->rank, node->group, node->loop, i, times[i].seen_begin_ns, times[i].seen_end_ns };
      if (node->kind == TT_JOB_SEND && one.begin_ns != TT_NO_TIME)
        g_array_append_val (seen, one);
    }
  return seen;
}

/* A rank sends as many pieces at once as it was seen to: each of these has a lane of its own, after the first further devices. */
static void
find_send_lanes (GArray *seen, TtSchedule *schedule, guint n_ranks)
{
  gint64 free_ns[MOST_LANES];
  guint32 devices[MOST_LANES];
  guint n_lanes = 0;
  g_autoptr (GArray) further = g_array_new (FALSE, TRUE, sizeof (guint32)); /* [(lane - 1) * n_ranks + rank]: device */

  g_array_sort (seen, compare_seen);
  for (guint i = 0; i < seen->len; i++)
    {
      const SeenSend *one = &g_array_index (seen, SeenSend, i), *before = i > 0 ? one - 1 : NULL;
      TtTask *task = tt_schedule_task (schedule, one->node);
      guint lane = 0;

      if (before == NULL || before->rank != one->rank || before->group != one->group)
        n_lanes = 0;
      while (lane < n_lanes && free_ns[lane] > one->begin_ns)
        lane++;
      if (lane == MOST_LANES)
        lane = 0;
      if (lane == n_lanes)
        {
          devices[lane] = task->device;
          if (lane > 0)
            {
              guint place = (lane - 1) * n_ranks + one->rank;
              if (further->len <= place)
                g_array_set_size (further, place + 1);
              guint32 *device = &g_array_index (further, guint32, place);
              if (*device == 0)
                *device = tt_schedule_add_device (schedule, FALSE);
              devices[lane] = *device;
            }
          n_lanes++;
        }
      free_ns[lane] = one->end_ns;
      task->device = devices[lane];
    }
}

/* Pieces of a loop are sent in an order that the program fixed: one that is late holds up those behind it. */
static void
order_sends (const TtJobGraph *graph, const TtJobTimes *times, TtSchedule *schedule)
{
  g_autoptr (GArray) seen = find_seen_sends (graph, times);

  find_send_lanes (seen, schedule, graph->n_ranks);
  g_array_sort (seen, compare_seen_in_loops);
  for (guint i = 1; i < seen->len; i++)
    {
      const SeenSend *before = &g_array_index (seen, SeenSend, i - 1), *one = before + 1;
      if (before->rank == one->rank && before->group == one->group && before->loop == one->loop &&
          before->end_ns <= one->begin_ns)
        tt_schedule_add_dependency (schedule, before->node, one->node, 0, FALSE);
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
is_groups_own (const TtJobNode *node)
{
  return node->group != 0 && node->suffix == NULL && node->kind != TT_JOB_SYNC;
}

/* By number; a begin of G_MAXINT64: not seen. */
static GArray *
find_seen_groups (const TtJobGraph *graph, const TtJobTimes *times)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (SeenGroup));

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      if (!is_groups_own (node))
        continue;
      while (groups->len < node->group)
        {
          SeenGroup group = { groups->len + 1, G_MAXINT64, G_MININT64 };
          g_array_append_val (groups, group);
        }
      SeenGroup *group = &g_array_index (groups, SeenGroup, node->group - 1);
      if (times[i].seen_begin_ns == TT_NO_TIME)
        continue;
      group->begin_ns = MIN (group->begin_ns, times[i].seen_begin_ns);
      group->end_ns = MAX (group->end_ns, times[i].seen_end_ns);
    }
  return groups;
}

/* A rank takes part in the next group only when it is done with the one before: no group begins anywhere before
 * the one before it is out everywhere. */
static void
order_groups (const TtJobGraph *graph, const TtJobTimes *times, TtSchedule *schedule, guint32 device)
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
      const TtJobNode *node = tt_job_node (graph, i);
      if (!is_groups_own (node))
        continue;
      if (gate_before[node->group] != TT_NO_TASK)
        tt_schedule_add_dependency (schedule, gate_before[node->group], i, 0, FALSE);
      if (gate_behind[node->group] != TT_NO_TASK)
        tt_schedule_add_dependency (schedule, i, gate_behind[node->group], times[i].turnaround_ns, FALSE);
    }
}

/* A task a rank, between what ends groups and the updates. */
static void
hold_updates (const TtJobGraph *graph, const TtJobTimes *times, TtSchedule *schedule, guint32 device)
{
  const TtTask task = { .device = device };
  guint32 first = tt_schedule_n_tasks (schedule);

  for (guint rank = 0; rank < graph->n_ranks; rank++)
    tt_schedule_add_task (schedule, &task);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      if (node->kind == TT_JOB_MEMCPY_OUT)
        tt_schedule_add_dependency (schedule, i, first + node->rank, times[i].update_gap_ns, FALSE);
      else if (node->kind == TT_JOB_UPDATE)
        tt_schedule_add_dependency (schedule, first + node->rank, i, 0, FALSE);
    }
}

TtReplayOptions
tt_replay_options_default (gboolean updates_wait)
{
  return (TtReplayOptions){
    .order = TT_SCHEDULE_BY_START,
    .group_gaps = TRUE,
    .traced_order = TRUE,
    .updates_wait = updates_wait,
  };
}

TtSchedule *
tt_job_schedule (const TtJobGraph *graph, const TtJobTimes *times, const TtReplayOptions *options)
{
  TtSchedule *schedule = tt_schedule_new ();
  guint n_groups;
  g_autofree gboolean *is_held = find_held_groups (graph, &n_groups);

  for (guint device = 0; device < graph->n_ranks * N_DEVICES; device++)
    tt_schedule_add_device (schedule, device % N_DEVICES == DEVICE_UPDATE);
  guint32 end_device = tt_schedule_add_device (schedule, TRUE);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      DeviceKind device = device_of (node, options);
      const TtTask task = {
        .device = node->rank == TT_JOB_NO_RANK ? end_device : node->rank * N_DEVICES + device,
        .priority = priority_of (node->kind),
        .lock = device == DEVICE_KERNEL && is_held[node->group] ? node->group : 0,
        .unlocks = node->kind == TT_JOB_MEMCPY_OUT,
        .dur_ns = MAX (times[i].avg_ns, 0),
        .rest_ns = rest_of (node, &times[i], options),
      };
      tt_schedule_add_task (schedule, &task);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtJobEdge *edge = &g_array_index (graph->edges, TtJobEdge, i);
      gboolean with_send = options->recv_with_send && tt_job_node (graph, edge->from)->kind == TT_JOB_SEND &&
                           tt_job_node (graph, edge->to)->kind == TT_JOB_RECV;

      tt_schedule_add_dependency (schedule, edge->from, edge->to, lag_of (graph, edge, times, options), with_send);
    }
  if (options->group_gaps)
    order_loops (graph, schedule);
  if (options->traced_order)
    {
      order_sends (graph, times, schedule);
      order_groups (graph, times, schedule, end_device);
    }
  if (options->updates_wait)
    hold_updates (graph, times, schedule, end_device);
  return schedule;
}

void
tt_job_schedule_change (const TtJobGraph *graph,
                        TtSchedule *schedule,
                        const TtJobTimes *times,
                        const TtReplayOptions *options)
{
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      TtTask *task = tt_schedule_task (schedule, i);
      task->dur_ns = MAX (times[i].avg_ns, 0);
      task->rest_ns = rest_of (tt_job_node (graph, i), &times[i], options);
    }
}

void
tt_job_times_after_send (const TtJobGraph *graph, TtJobTimes *times)
{
  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (tt_job_node (graph, i)->kind == TT_JOB_RECV)
      times[i].avg_ns = times[i].after_send_ns;
}

gint64 *
tt_job_rank_ends (const TtJobGraph *graph, const TtSchedule *schedule, gint64 *mean_ns)
{
  gint64 *ends = g_new0 (gint64, graph->n_ranks);
  tt_int128 sum = 0;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      guint32 rank = tt_job_node (graph, i)->rank;
      if (rank != TT_JOB_NO_RANK)
        ends[rank] = MAX (ends[rank], tt_schedule_end_ns (schedule, i));
    }
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    sum += ends[rank];
  *mean_ns = tt_average_ns (sum, graph->n_ranks);
  return ends;
}

gint64 *
tt_job_rank_iterations (const TtJobGraph *graph,
                        const TtSchedule *schedule,
                        const TtReplayOptions *options,
                        gint64 *mean_ns)
{
  gint64 *iterations = tt_job_rank_ends (graph, schedule, mean_ns);
  g_autofree gint64 *first = g_new (gint64, graph->n_ranks);
  g_autofree gint64 *last = g_new0 (gint64, graph->n_ranks);
  tt_int128 sum = 0;

  if (options->order == TT_SCHEDULE_BY_CLOCK)
    return iterations;
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    first[rank] = G_MAXINT64;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      if (!is_operator (node->kind) || node->rank == TT_JOB_NO_RANK)
        continue;
      first[node->rank] = MIN (first[node->rank], tt_schedule_start_ns (schedule, i));
      last[node->rank] = MAX (last[node->rank], tt_schedule_end_ns (schedule, i));
    }
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    {
      if (first[rank] != G_MAXINT64)
        iterations[rank] = last[rank] - first[rank];
      sum += iterations[rank];
    }
  *mean_ns = tt_average_ns (sum, graph->n_ranks);
  return iterations;
}

char *
tt_job_device_name (const TtJobGraph *graph, guint32 number, const TtReplayOptions *options)
{
  const TtJobNode *node = tt_job_node (graph, number);
  DeviceKind device = device_of (node, options);

  if (node->rank == TT_JOB_NO_RANK)
    return g_strdup (node->name);
  return g_strconcat (graph->pids[node->rank], "->",
                      device == DEVICE_SEND && options->shared_lanes ? "Comm" : device_texts[device], NULL);
}
