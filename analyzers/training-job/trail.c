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

static gint64
gap_between (const TtTrainingJob *job, const TtStepEdge *edge, const TtNode *from, const TtNode *to)
{
  gboolean to_comm = g_strcmp0 (to->op_cat, "Comm") == 0;

  if (to_comm)
    return job->times[edge->from].comm_gap_ns;
  return g_strcmp0 (from->op_cat, "Comm") == 0 ? 0 : job->times[edge->from].operator_gap_ns;
}

TtGraph *
tt_job_draw (const TtTrainingJob *job)
{
  const TtStepGraph *jobs = job->graph;
  TtGraph *graph = tt_graph_new ();

  for (guint32 i = 0; i < jobs->nodes->len; i++)
    {
      const TtJobNodeFacts *facts = &job->facts[i];
      g_autofree char *label = tt_step_node_long_name (jobs, i);
      guint32 number = tt_trail_add_named (graph, label);
      TtNode *node = tt_graph_node (graph, number);
      gboolean is_plain = tt_average_ns (facts->sum_ns, facts->cnt) == facts->avg_ns;

      node->cnt = facts->cnt;
      node->sum_ns = node->self_ns = is_plain ? facts->sum_ns : (tt_int128) facts->avg_ns * (gint64) facts->cnt;
    }
  for (guint i = 0; i < jobs->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (jobs->edges, TtStepEdge, i);
      const TtNode *from = tt_graph_node (graph, edge->from), *to = tt_graph_node (graph, edge->to);

      tt_graph_add_edge (graph, edge->from, edge->to, tt_trail_edge_kind (from, to), 1,
                         to->is_end ? 0 : gap_between (job, edge, from, to));
    }
  return graph;
}
