/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/network-private.h"

/* How much longer SENDs of a host take whose NICs may be slower. */
#define SLOWER 1.2

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

/* Of a host: SENDs to others, and from others. */
typedef struct
{
  TtNetworkSends out, in;
} HostSends;

static double
mean_of (const TtNetworkSends *sends)
{
  return sends->n > 0 ? sends->sum_ns / (double) sends->n : 0;
}

static void
add_send (TtNetworkSends *sends, gint64 ns)
{
  sends->sum_ns += (double) ns;
  sends->n++;
}

/* What a slow NIC sends takes longer, and of a ring so does what it receives: of other hosts one of both does at most. A
 * host of a tree sends and receives more or less than others, so that this is only a suspicion: the fit says how slow it
 * is. Two hosts cannot be told apart. */
static void
find_slow_host (TtNetworkFit *self, const HostSends *hosts, guint n)
{
  gboolean is_ring = self->network->traced.algo == TT_COLLECTIVE_RING;
  double most = 0, next = 0;
  guint slowest = 0;

  for (guint i = 0; i < n; i++)
    {
      double out = mean_of (&hosts[i].out), in = mean_of (&hosts[i].in), own = is_ring ? MIN (out, in) : out;
      next = own > most ? most : MAX (next, own);
      slowest = own > most ? i : slowest;
      most = MAX (most, own);
    }
  self->slow_host = n > 2 && next > 0 && most > SLOWER * next ? slowest : TT_NETWORK_NO_HOST;
}

/* SENDs by their class, and by host. */
static void
measure_sends (TtNetworkFit *self, const TtJobNodeTime *seen, HostSends *hosts)
{
  TtJobNetwork *network = self->network;
  const TtStepGraph *graph = self->job->graph;
  guint per_host = network->traced.n_gpus;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->kind != TT_STEP_NODE_SEND || seen[i].begin_ns == TT_NO_TIME)
        continue;
      gint peer = peer_of (self->job, node);
      if (peer < 0 || peer >= (gint) self->job->n_ranks)
        continue;
      guint from = node->rank / per_host, to = (guint) peer / per_host;
      network->has_within = network->has_within || from == to;
      network->has_between = network->has_between || from != to;
      if (hosts == NULL)
        add_send (from == to                                         ? &self->within[node->group]
                  : from == self->slow_host || to == self->slow_host ? &self->slow[node->group]
                                                                     : &self->between[node->group],
                  seen[i].dur_ns);
      else if (from != to)
        {
          add_send (&hosts[from].out, seen[i].dur_ns);
          add_send (&hosts[to].in, seen[i].dur_ns);
        }
    }
}

void
tt_network_measure (TtNetworkFit *self)
{
  TtJobNetwork *network = self->network;
  const TtJobStepTimes *steps = self->job->timing->steps;
  guint n_hosts = network->traced.n_hosts;
  g_autofree guint *n_seen = g_new0 (guint, (gsize) network->n_groups + 1);

  g_autofree HostSends *hosts = g_new0 (HostSends, (gsize) n_hosts + 1);

  for (guint slot = 0; slot < steps->n_steps; slot++)
    measure_sends (self, tt_job_step_times_of (steps, slot), hosts);
  find_slow_host (self, hosts, n_hosts);
  for (guint slot = 0; slot < steps->n_steps; slot++)
    {
      measure_step (self, slot, network->measured_ns, n_seen);
      measure_sends (self, tt_job_step_times_of (steps, slot), NULL);
    }
  for (guint i = 0; i < network->n_groups; i++)
    network->measured_ns[i] = n_seen[i] > 0 ? network->measured_ns[i] / n_seen[i] : 0;
}
