/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/path.h"

static TtStepPath *
path_new (void)
{
  TtStepPath *self = g_new0 (TtStepPath, 1);

  self->hops = g_array_new (FALSE, FALSE, sizeof (TtStepHop));
  return self;
}

void
tt_step_path_free (TtStepPath *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->hops);
  g_free (self);
}

static void
reverse_hops (GArray *hops)
{
  for (guint i = 0; i < hops->len / 2; i++)
    {
      TtStepHop *a = &g_array_index (hops, TtStepHop, i), *b = &g_array_index (hops, TtStepHop, hops->len - 1 - i);
      TtStepHop swap = *a;
      *a = *b;
      *b = swap;
    }
}

/* -- by a schedule ------------------------------------------------------------------------------------- */

static guint32
find_last (const TtStepGraph *graph, const TtSchedule *schedule)
{
  guint32 last = TT_NO_TASK;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (tt_step_node (graph, i)->rank != TT_STEP_NO_RANK &&
        (last == TT_NO_TASK || tt_schedule_end_ns (schedule, i) > tt_schedule_end_ns (schedule, last)))
      last = i;
  return last;
}

TtStepPath *
tt_step_path_of_schedule (const TtStepGraph *graph, const TtSchedule *schedule)
{
  TtStepPath *self = path_new ();
  guint32 node = find_last (graph, schedule);

  if (node == TT_NO_TASK)
    return self;
  self->length_ns = tt_schedule_end_ns (schedule, node);
  gint64 until_ns = self->length_ns;
  while (node != TT_NO_TASK)
    {
      TtStepHop hop = { .node = node, .cost_ns = until_ns - tt_schedule_start_ns (schedule, node) };
      guint32 before = tt_schedule_cause (schedule, node), neighbour = tt_schedule_previous (schedule, node);

      /* Tasks that hold updates back, or stand for arrivals at a server, are no nodes. */
      if (before != TT_NO_TASK && before >= graph->nodes->len)
        before = tt_schedule_cause (schedule, before);
      until_ns = tt_schedule_start_ns (schedule, node);
      hop.reason = before == TT_NO_TASK ? TT_STEP_HOP_START : TT_STEP_HOP_DEPENDENCY;
      if (neighbour != TT_NO_TASK && until_ns > tt_schedule_ready_ns (schedule, node))
        {
          hop.reason = TT_STEP_HOP_DEVICE;
          before = neighbour;
        }
      g_array_append_val (self->hops, hop);
      node = before;
    }
  self->length_ns -= until_ns;
  reverse_hops (self->hops);
  return self;
}

TtStepPath *
tt_step_path_back (const TtStepGraph *graph, const TtSchedule *schedule, guint32 last, gint64 from_ns)
{
  TtStepPath *self = path_new ();
  gint64 until_ns = tt_schedule_end_ns (schedule, last);

  self->length_ns = MAX (until_ns - from_ns, 0);
  for (guint32 node = last; node != TT_NO_TASK && until_ns > from_ns; node = tt_schedule_cause (schedule, node))
    {
      gint64 start_ns = MAX (tt_schedule_start_ns (schedule, node), from_ns);
      TtStepHop hop = { .node = node, .cost_ns = until_ns - start_ns };

      hop.reason = tt_schedule_cause (schedule, node) == TT_NO_TASK ? TT_STEP_HOP_START : TT_STEP_HOP_DEPENDENCY;
      if (hop.cost_ns > 0)
        g_array_append_val (self->hops, hop);
      until_ns = MIN (until_ns, start_ns);
    }
  reverse_hops (self->hops);
  return self;
}

/* -- by costs ---------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 to;
  gint64 cost_ns;
} Arc;

typedef struct
{
  gint64 distance_ns, cost_ns;
  guint32 before;
} Reached;

static gint64
edge_cost (const TtStepNode *from, const TtStepNode *to, const TtStepNodeTimes *times)
{
  if (to->kind == TT_STEP_NODE_END)
    return 0;
  if (from->kind == TT_STEP_NODE_PUSH_RES && to->kind == TT_STEP_NODE_PULL_REQ)
    return times->avg_ns + times->network_gap_ns;
  if (!tt_step_node_is_operator (from->kind))
    return times->avg_ns;
  if (tt_step_node_is_operator (to->kind))
    return times->avg_ns + times->operator_gap_ns;
  return times->avg_ns + (to->kind == TT_STEP_NODE_IO ? 0 : times->comm_gap_ns);
}

static gboolean
is_on_device_path (const TtStepGraph *graph, guint32 from, guint32 to)
{
  return tt_step_node (graph, from)->kind != TT_STEP_NODE_BW || tt_step_node (graph, to)->kind != TT_STEP_NODE_UPDATE;
}

/* Arcs by source: first[n] .. first[n + 1]; between neighbours on a device only the device's arc has a cost. */
static Arc *
make_arcs (const TtStepGraph *graph, const TtStepNodeTimes *times, const TtSchedule *schedule, guint32 *first)
{
  guint32 n = graph->nodes->len;
  Arc *arcs = g_new (Arc, (gsize) graph->edges->len + n);

  for (guint i = 0; i < graph->edges->len; i++)
    first[g_array_index (graph->edges, TtStepEdge, i).from + 1]++;
  for (guint32 i = 0; schedule != NULL && i < n; i++)
    if (tt_schedule_previous (schedule, i) != TT_NO_TASK)
      first[tt_schedule_previous (schedule, i) + 1]++;
  for (guint32 i = 0; i < n; i++)
    first[i + 1] += first[i];

  g_autofree guint32 *at = g_memdup2 (first, n * sizeof *first);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      gboolean is_device = schedule != NULL && tt_schedule_previous (schedule, edge->to) == edge->from &&
                           is_on_device_path (graph, edge->from, edge->to);
      gint64 cost_ns =
          is_device ? 0
                    : edge_cost (tt_step_node (graph, edge->from), tt_step_node (graph, edge->to), &times[edge->from]);
      arcs[at[edge->from]++] = (Arc){ edge->to, cost_ns };
    }
  for (guint32 i = 0; schedule != NULL && i < n; i++)
    {
      guint32 before = tt_schedule_previous (schedule, i);
      if (before == TT_NO_TASK)
        continue;
      gint64 cost_ns = is_on_device_path (graph, before, i)
                           ? tt_schedule_start_ns (schedule, i) - tt_schedule_start_ns (schedule, before)
                           : 0;
      arcs[at[before]++] = (Arc){ i, cost_ns };
    }
  return arcs;
}

/* Distances in topological order; FALSE with *cycle: a node that is never free of predecessors. */
static gboolean
find_distances (guint32 n, const guint32 *first, const Arc *arcs, Reached *reached, guint32 *cycle)
{
  g_autofree guint32 *missing = g_new0 (guint32, n);
  g_autofree guint32 *order = g_new (guint32, n);
  guint32 n_ready = 0, n_done = 0;

  for (guint32 i = 0; i < first[n]; i++)
    missing[arcs[i].to]++;
  for (guint32 i = 0; i < n; i++)
    {
      reached[i].before = TT_NO_TASK;
      if (missing[i] == 0)
        order[n_ready++] = i;
    }
  while (n_done < n_ready)
    {
      guint32 from = order[n_done++];
      for (guint32 i = first[from]; i < first[from + 1]; i++)
        {
          Reached *to = &reached[arcs[i].to];
          gint64 distance_ns = reached[from].distance_ns + arcs[i].cost_ns;
          if (to->before == TT_NO_TASK || distance_ns > to->distance_ns)
            *to = (Reached){ .distance_ns = distance_ns, .cost_ns = arcs[i].cost_ns, .before = from };
          if (--missing[arcs[i].to] == 0)
            order[n_ready++] = arcs[i].to;
        }
    }
  for (guint32 i = 0; n_done < n && i < n; i++)
    if (missing[i] != 0)
      {
        *cycle = i;
        return FALSE;
      }
  return TRUE;
}

TtStepPath *
tt_step_path_longest (const TtStepGraph *graph,
                      const TtStepNodeTimes *times,
                      const TtSchedule *schedule,
                      guint32 *cycle)
{
  guint32 n = graph->nodes->len, last = 0;
  g_autofree guint32 *first = g_new0 (guint32, (gsize) n + 1);
  g_autofree Arc *arcs = make_arcs (graph, times, schedule, first);
  g_autofree Reached *reached = g_new0 (Reached, n);

  if (!find_distances (n, first, arcs, reached, cycle))
    return NULL;
  TtStepPath *self = path_new ();
  for (guint32 i = 1; i < n; i++)
    if (reached[i].distance_ns > reached[last].distance_ns)
      last = i;
  if (n == 0)
    return self;
  self->length_ns = reached[last].distance_ns;
  gint64 cost_ns = 0;
  for (guint32 node = last; node != TT_NO_TASK; node = reached[node].before)
    {
      TtStepHop hop = { .node = node, .cost_ns = cost_ns };
      guint32 before = reached[node].before;
      gboolean is_device = schedule != NULL && tt_schedule_previous (schedule, node) == before;
      hop.reason = before == TT_NO_TASK ? TT_STEP_HOP_START : is_device ? TT_STEP_HOP_DEVICE : TT_STEP_HOP_DEPENDENCY;
      g_array_append_val (self->hops, hop);
      cost_ns = reached[node].cost_ns;
    }
  reverse_hops (self->hops);
  return self;
}
