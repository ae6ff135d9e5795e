/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/graph.h"
#include "graphs/step-graph/replay-private.h"

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
device_of (const TtStepNode *node, const TtStepReplayOptions *options)
{
  switch (node->kind)
    {
    case TT_STEP_NODE_IO:
      return DEVICE_IO;
    case TT_STEP_NODE_SYNC:
      return DEVICE_SYNC;
    case TT_STEP_NODE_MEMCPY_IN:
    case TT_STEP_NODE_MEMCPY_OUT:
    case TT_STEP_NODE_COMM:
      return DEVICE_KERNEL;
    case TT_STEP_NODE_SEND:
      return DEVICE_SEND;
    case TT_STEP_NODE_RECV:
      return options->shared_lanes ? DEVICE_SEND : DEVICE_RECV;
    case TT_STEP_NODE_UPDATE:
      return options->parallel_updates ? DEVICE_UPDATE : DEVICE_OPERATOR;
    default:
      return DEVICE_OPERATOR;
    }
}

static gint32
priority_of (TtStepNodeKind kind)
{
  switch (kind)
    {
    case TT_STEP_NODE_FW:
      return 0;
    case TT_STEP_NODE_OUTPUT:
      return 1;
    case TT_STEP_NODE_BW:
      return 2;
    case TT_STEP_NODE_UPDATE:
      return 3;
    default:
      return 100;
    }
}

static gboolean
is_communication (TtStepNodeKind kind)
{
  return kind == TT_STEP_NODE_SYNC || kind == TT_STEP_NODE_MEMCPY_IN || kind == TT_STEP_NODE_MEMCPY_OUT ||
         kind == TT_STEP_NODE_SEND || kind == TT_STEP_NODE_RECV || kind == TT_STEP_NODE_COMM ||
         tt_step_node_is_link_transfer (kind);
}

/* By group: it holds the kernel's device, because a MEMCPY_OUT ends its hold. */
static gboolean *
find_held_groups (const TtStepGraph *graph)
{
  guint32 n = 0;

  for (guint i = 0; i < graph->nodes->len; i++)
    if (tt_step_node (graph, i)->group != TT_STEP_NO_GROUP)
      n = MAX (n, tt_step_node (graph, i)->group + 1);
  gboolean *is_held = g_new0 (gboolean, (gsize) n + 1);
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->kind == TT_STEP_NODE_MEMCPY_OUT && node->group != TT_STEP_NO_GROUP)
        is_held[node->group] = TRUE;
    }
  return is_held;
}

/* The lock of a node's task: one a group; 0: none. */
static guint32
lock_of (const TtStepNode *node, DeviceKind device, const gboolean *is_held)
{
  return device == DEVICE_KERNEL && node->group != TT_STEP_NO_GROUP && is_held[node->group] ? node->group + 1 : 0;
}

/* The delay on an edge. */
static gint64
lag_of (const TtStepGraph *graph,
        const TtStepEdge *edge,
        const TtStepNodeTimes *times,
        const TtStepReplayOptions *options)
{
  TtStepNodeKind from = tt_step_node (graph, edge->from)->kind, to = tt_step_node (graph, edge->to)->kind;
  gboolean from_link = tt_step_node_is_link_transfer (from), to_link = tt_step_node_is_link_transfer (to);

  if (options->group_gaps)
    return from == TT_STEP_NODE_SYNC && is_communication (to) ? times[edge->from].latency_ns
           : from_link || to_link || to == TT_STEP_NODE_SERVER || is_communication (from)
               ? times[edge->to].start_delay_ns
               : 0;
  if (from_link && to_link)
    return times[edge->from].network_gap_ns;
  return is_communication (to) && (tt_step_node_is_operator (from) || from == TT_STEP_NODE_SYNC)
             ? times[edge->from].comm_gap_ns
             : 0;
}

/* How long the device stays busy after the node. */
static gint64
trailing_gap_of (const TtStepNode *node, const TtStepNodeTimes *times, const TtStepReplayOptions *options)
{
  if (tt_step_node_is_operator (node->kind))
    return MAX (times->operator_gap_ns - (options->group_gaps ? times->server_wait_ns : 0), 0);
  if (options->group_gaps)
    return node->kind == TT_STEP_NODE_MEMCPY_OUT ? times->turnaround_ns : 0;
  return tt_step_node_is_link_transfer (node->kind) ? times->link_gap_ns : 0;
}

TtStepReplayOptions
tt_step_replay_options_default (gboolean updates_wait)
{
  return (TtStepReplayOptions){
    .order = TT_SCHEDULE_BY_START,
    .group_gaps = TRUE,
    .traced_order = TRUE,
    .updates_wait = updates_wait,
  };
}

TtSchedule *
tt_step_schedule_new (const TtStepGraph *graph, const TtStepNodeTimes *times, const TtStepReplayOptions *options)
{
  TtSchedule *schedule = tt_schedule_new ();
  g_autofree gboolean *is_held = find_held_groups (graph);

  for (guint device = 0; device < graph->n_endpoints * N_DEVICES; device++)
    tt_schedule_add_device (schedule, device % N_DEVICES == DEVICE_UPDATE);
  guint32 end_device = tt_schedule_add_device (schedule, TRUE);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      DeviceKind device = device_of (node, options);
      const TtTask task = {
        .device = node->rank == TT_STEP_NO_RANK ? end_device : node->rank * N_DEVICES + device,
        .priority = priority_of (node->kind),
        .lock = lock_of (node, device, is_held),
        .unlocks = node->kind == TT_STEP_NODE_MEMCPY_OUT,
        .dur_ns = MAX (times[i].avg_ns, 0),
        .trailing_gap_ns = trailing_gap_of (node, &times[i], options),
        .ports = { times[i].flow.ports[0], times[i].flow.ports[1] },
        .flow_part = times[i].flow.part,
        .frees_early = times[i].flow.frees_early,
      };
      tt_schedule_add_task (schedule, &task);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      gboolean with_send = options->recv_with_send && tt_step_node (graph, edge->from)->kind == TT_STEP_NODE_SEND &&
                           tt_step_node (graph, edge->to)->kind == TT_STEP_NODE_RECV;

      if (!options->group_gaps || !tt_step_edge_is_queued (graph, edge))
        tt_schedule_add_dependency (schedule, edge->from, edge->to, lag_of (graph, edge, times, options), with_send);
    }
  tt_step_add_arrivals (graph, times, schedule, options, end_device);
  if (options->group_gaps)
    tt_step_order_loops (graph, schedule);
  if (options->channel_lanes)
    tt_step_part_channels (graph, schedule, end_device);
  if (options->traced_order)
    {
      tt_step_order_sends (graph, times, schedule);
      tt_step_order_groups (graph, times, schedule, end_device);
    }
  if (options->updates_wait)
    tt_step_hold_updates (graph, times, schedule, end_device);
  if (options->groups_wait)
    tt_step_hold_groups (graph, schedule, end_device);
  if (options->group_gaps)
    tt_step_join_collectives (graph, schedule, end_device);
  if (options->group_gaps)
    tt_step_hold_begins (graph, times, schedule, end_device);
  return schedule;
}

void
tt_step_schedule_update (const TtStepGraph *graph,
                         TtSchedule *schedule,
                         const TtStepNodeTimes *times,
                         const TtStepReplayOptions *options)
{
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      TtTask *task = tt_schedule_task (schedule, i);
      task->dur_ns = MAX (times[i].avg_ns, 0);
      task->trailing_gap_ns = trailing_gap_of (tt_step_node (graph, i), &times[i], options);
    }
}

void
tt_step_times_after_send (const TtStepGraph *graph, TtStepNodeTimes *times)
{
  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (tt_step_node (graph, i)->kind == TT_STEP_NODE_RECV)
      times[i].avg_ns = times[i].after_send_ns;
}

/* Each rank's end of its last node. */
static gint64 *
find_rank_ends (const TtStepGraph *graph, const TtSchedule *schedule, gint64 *mean_ns)
{
  gint64 *ends = g_new0 (gint64, graph->n_ranks);
  tt_int128 sum = 0;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      guint32 rank = tt_step_node (graph, i)->rank;
      if (rank < graph->n_ranks)
        ends[rank] = MAX (ends[rank], tt_schedule_end_ns (schedule, i));
    }
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    sum += ends[rank];
  *mean_ns = tt_average_ns (sum, graph->n_ranks);
  return ends;
}

gint64 *
tt_step_rank_iterations (const TtStepGraph *graph,
                         const TtSchedule *schedule,
                         const TtStepReplayOptions *options,
                         gint64 *mean_ns)
{
  gint64 *iterations = find_rank_ends (graph, schedule, mean_ns);
  g_autofree gint64 *first = g_new (gint64, graph->n_ranks);
  g_autofree gint64 *last = g_new0 (gint64, graph->n_ranks);
  tt_int128 sum = 0;

  if (options->order == TT_SCHEDULE_BY_CLOCK)
    return iterations;
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    first[rank] = G_MAXINT64;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (!tt_step_node_is_operator (node->kind) || node->rank >= graph->n_ranks)
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
tt_step_device_name (const TtStepGraph *graph, guint32 number, const TtStepReplayOptions *options)
{
  const TtStepNode *node = tt_step_node (graph, number);
  DeviceKind device = device_of (node, options);

  if (node->rank == TT_STEP_NO_RANK)
    return g_strdup (node->name);
  if (node->rank >= graph->n_ranks)
    return g_strdup (graph->pids[node->rank]);
  return g_strconcat (graph->pids[node->rank], "->",
                      device == DEVICE_SEND && options->shared_lanes ? "Comm" : device_texts[device], NULL);
}
