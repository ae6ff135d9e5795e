/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/network-private.h"

/* From the last rank's first transfer to the end of the last, in a step; 0: not seen. */
static void
measure_step (TtNetworkFit *self, guint slot, double *sums, guint *n_seen)
{
  const TtStepGraph *graph = self->job->graph;
  const TtJobNodeTime *seen = tt_job_step_times_of (self->job->timing->steps, slot);
  guint n_groups = self->network->n_groups;
  gsize n = (gsize) n_groups * graph->n_ranks;
  g_autofree gint64 *begin_ns = g_new (gint64, n + 1);
  g_autofree gint64 *last_ns = g_new (gint64, (gsize) n_groups + 1);

  for (gsize i = 0; i < n; i++)
    begin_ns[i] = TT_NO_TIME;
  for (guint i = 0; i < n_groups; i++)
    last_ns[i] = TT_NO_TIME;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if ((node->kind != TT_STEP_NODE_SEND && node->kind != TT_STEP_NODE_RECV) || seen[i].begin_ns == TT_NO_TIME)
        continue;
      gint64 *begin = &begin_ns[(gsize) node->rank * n_groups + node->group];
      if (*begin == TT_NO_TIME || seen[i].begin_ns < *begin)
        *begin = seen[i].begin_ns;
      if (last_ns[node->group] == TT_NO_TIME || seen[i].end_ns > last_ns[node->group])
        last_ns[node->group] = seen[i].end_ns;
    }
  for (guint i = 0; i < n_groups; i++)
    {
      gint64 joined_ns = TT_NO_TIME;
      for (guint rank = 0; rank < graph->n_ranks; rank++)
        joined_ns = MAX (joined_ns, begin_ns[(gsize) rank * n_groups + i]);
      if (joined_ns == TT_NO_TIME || last_ns[i] <= joined_ns)
        continue;
      sums[i] += (double) (last_ns[i] - joined_ns);
      n_seen[i]++;
    }
}

static gint
peer_of (const TtTrainingJob *job, const TtStepNode *node)
{
  return node->peer != TT_STEP_NO_RANK ? (gint) node->peer : tt_nccl_next (job->nccl, node->channel, (gint) node->rank);
}

void
tt_network_measure (TtNetworkFit *self)
{
  TtJobNetwork *network = self->network;
  const TtStepGraph *graph = self->job->graph;
  const TtJobStepTimes *steps = self->job->timing->steps;
  g_autofree guint *n_seen = g_new0 (guint, (gsize) network->n_groups + 1);

  for (guint slot = 0; slot < steps->n_steps; slot++)
    {
      const TtJobNodeTime *seen = tt_job_step_times_of (steps, slot);
      measure_step (self, slot, network->measured_ns, n_seen);
      for (guint32 i = 0; i < graph->nodes->len; i++)
        {
          const TtStepNode *node = tt_step_node (graph, i);
          if (node->kind != TT_STEP_NODE_SEND || seen[i].begin_ns == TT_NO_TIME)
            continue;
          gint peer = peer_of (self->job, node);
          if (peer < 0 || peer >= (gint) self->job->n_ranks)
            continue;
          gboolean is_within = tt_job_is_same_host (self->job->pids[node->rank], self->job->pids[peer]);
          TtNetworkSends *sends = is_within ? &self->within[node->group] : &self->between[node->group];
          sends->sum_ns += (double) seen[i].dur_ns;
          sends->n++;
          network->has_within = network->has_within || is_within;
          network->has_between = network->has_between || !is_within;
        }
    }
  for (guint i = 0; i < network->n_groups; i++)
    network->measured_ns[i] = n_seen[i] > 0 ? network->measured_ns[i] / n_seen[i] : 0;
}
