/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/replay-private.h"

#include "src/base/array.h"

/* Tasks that stand for no node, and hold nodes back. */

static guint32
add_tasks (TtSchedule *schedule, guint n, guint32 device)
{
  const TtTask task = { .device = device };
  guint32 first = tt_schedule_n_tasks (schedule);

  for (guint i = 0; i < n; i++)
    tt_schedule_add_task (schedule, &task);
  return first;
}

void
tt_step_hold_updates (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device)
{
  guint32 first = add_tasks (schedule, graph->n_ranks, device);

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

gboolean
tt_step_edge_is_queued (const TtStepGraph *graph, const TtStepEdge *edge)
{
  const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);

  return from->kind == TT_STEP_NODE_SERVER && to->kind == TT_STEP_NODE_SERVER && from->rank == to->rank;
}

/* The work that follows the last on a part, on its thread: it is asked for when all have pushed. @arrivals: of its queue. */
static void
add_merge (const TtStepGraph *graph, TtSchedule *schedule, const TtStepArrival *arrivals, guint n, gint64 lag_ns)
{
  TtStepEdge edge = { arrivals[n - 1].work, arrivals[n - 1].work + 1 };

  if (edge.to >= graph->nodes->len || !tt_step_edge_is_queued (graph, &edge) ||
      tt_step_node (graph, edge.to)->group != tt_step_node (graph, edge.from)->group)
    return;
  for (guint i = 0; i < n; i++)
    tt_schedule_add_dependency (schedule, arrivals[i].push, edge.to, lag_ns, FALSE);
}

void
tt_step_add_arrivals (const TtStepGraph *graph,
                      const TtStepNodeTimes *times,
                      TtSchedule *schedule,
                      const TtStepReplayOptions *options,
                      guint32 device)
{
  g_autoptr (GArray) arrived = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) works = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) lags = g_array_new (FALSE, FALSE, sizeof (gint64));
  const TtTask task = { .device = device };
  guint n = graph->arrivals->len;

  for (guint i = 0; i < n; i++)
    {
      const TtStepArrival *arrival = &g_array_index (graph->arrivals, TtStepArrival, i);
      guint32 gate_task = tt_schedule_add_task (schedule, &task);
      gint64 lag_ns = options->group_gaps ? times[arrival->work].start_delay_ns : 0;

      tt_schedule_add_dependency (schedule, arrival->push, gate_task, 0, FALSE);
      g_array_append_val (arrived, gate_task);
      g_array_append_val (works, arrival->work);
      g_array_append_val (lags, lag_ns);
      if (i + 1 < n && g_array_index (graph->arrivals, TtStepArrival, i + 1).queue == arrival->queue)
        continue;
      tt_schedule_add_arrival_queue (schedule, TT_ARRAY (arrived, guint32), TT_ARRAY (works, guint32),
                                     TT_ARRAY (lags, gint64), arrived->len);
      if (options->group_gaps)
        add_merge (graph, schedule, arrival - (arrived->len - 1), arrived->len, lag_ns);
      g_array_set_size (arrived, 0);
      g_array_set_size (works, 0);
      g_array_set_size (lags, 0);
    }
}

void
tt_step_hold_groups (const TtStepGraph *graph, TtSchedule *schedule, guint32 device)
{
  guint32 first = add_tasks (schedule, graph->n_ranks, device);

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->kind == TT_STEP_NODE_BW)
        tt_schedule_add_dependency (schedule, i, first + node->rank, 0, FALSE);
      else if (node->kind == TT_STEP_NODE_SYNC)
        tt_schedule_add_dependency (schedule, first + node->rank, i, 0, FALSE);
    }
}

void
tt_step_join_collectives (const TtStepGraph *graph, TtSchedule *schedule, guint32 device)
{
  g_autoptr (GArray) gates = g_array_new (FALSE, FALSE, sizeof (guint32)); /* by group */
  const guint32 none = TT_NO_TASK;

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *to = tt_step_node (graph, edge->to);
      if (!tt_step_node_is_collective (to))
        continue;
      while (gates->len <= to->group)
        g_array_append_val (gates, none);
      guint32 *gate = &g_array_index (gates, guint32, to->group);
      if (*gate == TT_NO_TASK)
        *gate = add_tasks (schedule, 1, device);
      tt_schedule_add_dependency (schedule, edge->from, *gate, 0, FALSE);
      tt_schedule_add_dependency (schedule, *gate, edge->to, 0, FALSE);
    }
}

void
tt_step_hold_begins (const TtStepGraph *graph, const TtStepNodeTimes *times, TtSchedule *schedule, guint32 device)
{
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtTask task = { .device = device, .dur_ns = times[i].earliest_ns };
      if (times[i].earliest_ns > 0)
        tt_schedule_add_dependency (schedule, tt_schedule_add_task (schedule, &task), i, 0, FALSE);
    }
}
