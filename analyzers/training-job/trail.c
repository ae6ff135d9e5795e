/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/trail.h"

static double
average_ms (const TtJobNodeFacts *facts)
{
  /* Of a fused group's parts the average is the mean of its members'. */
  if (facts->cnt > 0 && tt_average_ns (facts->sum_ns, facts->cnt) == facts->avg_ns)
    return (double) facts->sum_ns / (double) facts->cnt / 1e6;
  return (double) facts->avg_ns / 1e6;
}

static void
add_gap (TtTrail *trail, const char *kind, const TtJobGap *gap)
{
  if (gap->cnt > 0)
    tt_trail_add_gap (trail, kind, (double) gap->sum_ns / (double) gap->cnt / 1e3);
}

TtTrail *
tt_job_trail_new (const TtTrainingJob *job, gboolean with_end)
{
  const TtStepGraph *graph = job->graph;
  TtTrail *trail = tt_trail_new ();
  guint32 n = graph->nodes->len;

  /* END comes last. */
  while (!with_end && n > 0 && tt_step_node (graph, n - 1)->kind == TT_STEP_NODE_END)
    n--;
  for (guint32 i = 0; i < n; i++)
    {
      const TtJobNodeFacts *facts = &job->facts[i];
      g_autofree char *label = tt_step_node_long_name (graph, i);

      tt_trail_add_node (trail, label, average_ms (facts),
                         facts->operator_operator.cnt > 0 ? (gint64) facts->operator_operator.cnt
                         : facts->comm_comm.cnt > 0       ? (gint64) facts->comm_comm.cnt
                                                          : -1);
      add_gap (trail, "operatorGAPoperator", &facts->operator_operator);
      add_gap (trail, "operatorGAPComm", &facts->operator_comm);
      add_gap (trail, "CommGAPoperator", &facts->comm_operator);
      add_gap (trail, "CommGAPComm", &facts->comm_comm);
      add_gap (trail, "INTERNODEGAP", &facts->network);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      if (edge->from < n && edge->to < n)
        tt_trail_add_edge (trail, edge->from, edge->to);
    }
  return trail;
}

static TtTrailEnd
end_of (const TtStepGraph *graph, guint32 number)
{
  const TtStepNode *node = tt_step_node (graph, number);
  gboolean is_end = node->rank == TT_STEP_NO_RANK;

  return (TtTrailEnd){ is_end ? NULL : graph->pids[node->rank], node->parts, is_end };
}

static gint64
gap_between (const TtStepNodeTimes *times, const TtTrailEnd *from, const TtTrailEnd *to)
{
  if (to->is_end)
    return 0;
  if (g_strcmp0 (to->parts.op_cat, "Comm") == 0)
    return times->comm_gap_ns;
  return g_strcmp0 (from->parts.op_cat, "Comm") == 0 ? 0 : times->operator_gap_ns;
}

static void
add_nodes (const TtTrainingJob *job, TtGraph *graph)
{
  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtJobNodeFacts *facts = &job->facts[i];
      const TtTrailEnd end = end_of (job->graph, i);
      g_autofree char *label = tt_step_node_long_name (job->graph, i);
      guint32 number = tt_graph_add_node (graph, label, end.pid, end.parts.op_cat, tt_step_node (job->graph, i)->name);
      TtNode *node = tt_graph_node (graph, number);
      gboolean is_plain = tt_average_ns (facts->sum_ns, facts->cnt) == facts->avg_ns;

      node->is_end = end.is_end;
      node->cnt = facts->cnt;
      node->sum_ns = node->self_ns = is_plain ? facts->sum_ns : (tt_int128) facts->avg_ns * (gint64) facts->cnt;
    }
}

TtGraph *
tt_job_draw (const TtTrainingJob *job)
{
  TtGraph *graph = tt_graph_new ();

  add_nodes (job, graph);
  for (guint i = 0; i < job->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (job->graph->edges, TtStepEdge, i);
      const TtTrailEnd from = end_of (job->graph, edge->from), to = end_of (job->graph, edge->to);

      tt_graph_add_edge (graph, edge->from, edge->to, tt_trail_edge_kind (&from, &to), 1,
                         gap_between (&job->times[edge->from], &from, &to));
    }
  return graph;
}
