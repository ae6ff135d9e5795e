/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/network-private.h"

#include "src/base/error.h"

#include <math.h>
#include <string.h>

/* A chunk of a ring is at most half of NCCL_BUFFSIZE. */
#define MAX_RING_CHUNK (2.0 * 1024 * 1024)

guint
tt_job_gpus_per_host (const TtTrainingJob *job)
{
  guint n = 1;

  while (n < job->n_ranks && tt_job_is_same_host (job->pids[0], job->pids[n]))
    n++;
  for (guint rank = 0; rank < job->n_ranks; rank++)
    if (!tt_job_is_same_host (job->pids[rank - rank % n], job->pids[rank]) ||
        (rank % n == 0 && rank > 0 && tt_job_is_same_host (job->pids[rank - 1], job->pids[rank])))
      return 0;
  return job->n_ranks % n == 0 ? n : 0;
}

void
tt_job_network_free (TtJobNetwork *self)
{
  if (self == NULL)
    return;
  g_free (self->bytes);
  g_free (self->n_pieces);
  g_free (self->measured_ns);
  g_free (self->played_ns);
  g_free (self->slow_host);
  g_free (self);
}

/* -- what is known ------------------------------------------------------------------------------------------------- */

/* NICs that connections between hosts go over; whether GPUs of a host have a bus between them, as far as it is told. */
static void
read_transports (TtNetworkFit *self)
{
  const GArray *links = tt_nccl_links (self->job->nccl);
  g_autoptr (GHashTable) nics = g_hash_table_new (g_str_hash, g_str_equal);
  TtJobNetwork *network = self->network;

  for (guint i = 0; i < links->len; i++)
    {
      const char *transport = g_array_index (links, TtNcclLink, i).transport;
      if (transport == NULL)
        continue;
      if (g_str_has_prefix (transport, "NET"))
        g_hash_table_add (nics, (gpointer) transport);
      else if (strstr (transport, "P2P") != NULL || strstr (transport, "shared memory") != NULL)
        {
          self->is_bus_known = TRUE;
          network->model.within.sharing =
              strstr (transport, "shared memory") != NULL ? TT_LINK_OF_HOST : TT_LINK_OF_PORT;
        }
    }
  network->traced.n_nics = MAX (g_hash_table_size (nics), 1);
  if (self->is_bus_known || self->machine == NULL || self->machine->within == TT_MACHINE_UNKNOWN)
    return;
  self->is_bus_known = TRUE;
  network->model.within.sharing = self->machine->within == TT_MACHINE_NVL ? TT_LINK_OF_PORT : TT_LINK_OF_HOST;
}

static gboolean
read_shapes (TtNetworkFit *self, GError **error)
{
  TtJobNetwork *network = self->network;
  const TtStepPlan *plan = &self->job->plan->step;
  guint per_host = tt_job_gpus_per_host (self->job);

  if (self->job->topology->workers != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "transfers to and from parameter servers do not tell what of their time is latency, nor who shares "
                   "links: of the network only --bandwidth can be tried");
      return FALSE;
    }
  if (self->job->nccl == NULL || self->job->n_ranks < 2 || plan->n_groups == 0 || per_host == 0 ||
      self->job->graph->n_without_ring > 0 ||
      (plan->groups[0].algo != TT_STEP_ALGO_RING && plan->groups[0].algo != TT_STEP_ALGO_TREE))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "this can be tried only where the traces show transfers over rings or trees, of hosts with as many "
                   "GPUs each");
      return FALSE;
    }
  network->traced =
      (TtAllReduce){ .algo = plan->groups[0].algo == TT_STEP_ALGO_TREE ? TT_COLLECTIVE_TREE : TT_COLLECTIVE_RING,
                     .n_hosts = self->job->n_ranks / per_host,
                     .n_gpus = per_host,
                     .n_slices = 1,
                     .n_channels = 1,
                     .max_chunk = MAX_RING_CHUNK };
  for (guint i = 0; i < network->n_groups; i++)
    {
      const TtStepGroup *group = &plan->groups[i];
      network->bytes[i] = (double) g_array_index (self->job->shapes, TtJobShape, i).bytes;
      network->traced.n_channels = MAX (network->traced.n_channels, group->n_channels);
      network->traced.n_slices = MAX (network->traced.n_slices, group->n_slices);
    }
  for (guint i = 0; i < network->n_groups; i++)
    {
      const TtAllReduce collective = tt_job_network_collective (network, i);
      guint n_pieces = network->traced.algo == TT_COLLECTIVE_TREE ? plan->groups[i].n_chunks * plan->groups[i].n_loops
                                                                  : plan->groups[i].n_loops;
      if (collective.bytes > 0 && tt_collective_n_pieces (&collective) != n_pieces)
        network->n_pieces[i] = n_pieces;
    }
  return TRUE;
}

/* -- links that were not traced ------------------------------------------------------------------------------------ */

static void
suppose_all (const TtNetworkFit *self)
{
  TtJobNetwork *network = self->network;
  const TtJobMachine *machine = self->machine;

  tt_job_machine_suppose (machine, network->has_within, network->has_between, &network->model);
  for (guint i = 0; i < network->n_others; i++)
    tt_job_machine_suppose (machine, network->has_within, network->has_between, &network->others[i]);
  if (machine == NULL)
    return;
  network->is_told = (!network->has_within && machine->within_bytes_per_ns > 0) ||
                     (!network->has_between && machine->between_bytes_per_ns > 0);
  if (!network->has_between && machine->n_nics > 0)
    network->traced.n_nics = machine->n_nics;
}

/* Bytes of groups of which they are not known: those that take as long. */
static double
bytes_for (const TtJobNetwork *self, double ns)
{
  double low = 1, high = 1e12;

  for (guint i = 0; i < 40; i++)
    {
      TtAllReduce collective = self->traced;
      collective.bytes = sqrt (low * high);
      if (tt_collective_n_sends (&collective) > 1e6 || tt_collective_play (&collective, &self->model).ns > ns)
        high = collective.bytes;
      else
        low = collective.bytes;
    }
  return sqrt (low * high);
}

static void
play_all (TtJobNetwork *self)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < self->n_groups; i++)
    {
      if (self->measured_ns[i] <= 0)
        continue;
      if (self->bytes[i] <= 0)
        {
          self->bytes[i] = bytes_for (self, self->measured_ns[i]);
          self->is_guessed = TRUE;
          continue;
        }
      const TtAllReduce collective = tt_job_network_collective (self, i);
      self->played_ns[i] = tt_collective_play (&collective, &self->model).ns;
      sum += tt_network_square_log (self->played_ns[i], self->measured_ns[i]);
      n++;
    }
  self->residual = n > 0 ? sqrt (sum / n) : 0;
}

TtJobNetwork *
tt_job_network_new (const TtTrainingJob *job, const TtJobMachine *machine, GError **error)
{
  g_autoptr (TtJobNetwork) self = g_new0 (TtJobNetwork, 1);
  guint n = job->plan->step.n_groups;
  g_autofree TtNetworkSends *within = g_new0 (TtNetworkSends, (gsize) n + 1);
  g_autofree TtNetworkSends *between = g_new0 (TtNetworkSends, (gsize) n + 1);
  g_autofree TtNetworkSends *slow = g_new0 (TtNetworkSends, (gsize) n + 1);
  TtNetworkFit own = {
    .network = self, .job = job, .machine = machine, .within = within, .between = between, .slow = slow
  };

  self->n_groups = n;
  self->bytes = g_new0 (double, (gsize) n + 1);
  self->n_pieces = g_new0 (guint, (gsize) n + 1);
  self->measured_ns = g_new0 (double, (gsize) n + 1);
  self->played_ns = g_new0 (double, (gsize) n + 1);
  if (!read_shapes (&own, error))
    return NULL;
  read_transports (&own);
  tt_network_measure (&own);
  tt_network_choose_fitted (&own);
  if (own.n_fitted == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "the network cannot be told from the traces: how many bytes tensors have is not known");
      return NULL;
    }
  tt_network_fit (&own);
  if (self->model.slow_part > 0)
    self->slow_host = g_strdup (job->pids[self->model.slow_host * self->traced.n_gpus]);
  suppose_all (&own);
  play_all (self);
  return g_steal_pointer (&self);
}
