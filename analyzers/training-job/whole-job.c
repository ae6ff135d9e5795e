/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/whole-job.h"

#include "analyzers/training-job/factor.h"
#include "analyzers/training-job/notes.h"
#include "src/base/error.h"

#include <string.h>

/* That a collective may be played through with. */
#define MAX_SENDS 2e7

void
tt_whole_job_free (TtWholeJob *self)
{
  if (self == NULL)
    return;
  tt_job_step_model_free (self->model);
  tt_job_step_times_free (self->steps);
  g_free (self->means);
  if (self->graph != self->traced)
    tt_step_graph_free (self->graph);
  tt_step_graph_free (self->traced);
  g_free (self->from);
  g_free (self->turns);
  g_free (self->ratios);
  g_strfreev (self->pids);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}

/* -- graphs ------------------------------------------------------------------------------------------------------ */

TtStepGraph *
tt_whole_job_graph (const TtTrainingJob *job, TtStepGroup *groups, guint n_groups, guint n_ranks, char *const *pids)
{
  static const char *const sub_ops[] = {
    "Sync", "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER", NULL,
  };
  TtStepPlan plan = job->plan->step;

  for (guint i = 0; i < n_groups; i++)
    if (groups[i].algo == TT_STEP_ALGO_RING || groups[i].algo == TT_STEP_ALGO_TREE)
      {
        groups[i].algo = TT_STEP_ALGO_NONE;
        groups[i].sub_ops = sub_ops;
      }
  plan.groups = groups;
  plan.n_groups = n_groups;
  plan.n_ranks = n_ranks;
  plan.n_endpoints = n_ranks;
  plan.pids = (const char *const *) pids;
  if (n_ranks == 1)
    plan.n_groups = 0;
  return tt_step_graph_new (&plan);
}

static TtStepGraph *
make_graph (const TtTrainingJob *job, guint n_ranks, char *const *pids)
{
  const TtStepPlan *plan = &job->plan->step;
  g_autofree TtStepGroup *groups = g_memdup2 (plan->groups, plan->n_groups * sizeof *groups);

  return tt_whole_job_graph (job, groups, plan->n_groups, n_ranks, pids);
}

GHashTable *
tt_whole_job_index (const TtStepGraph *graph)
{
  GHashTable *nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->rank != TT_STEP_NO_RANK && node->parts.suffix == NULL)
        g_hash_table_insert (nodes, g_strdup_printf ("%u %s", node->rank, node->name), GUINT_TO_POINTER (i));
    }
  return nodes;
}

guint32
tt_whole_job_find (GHashTable *nodes, guint rank, const char *name)
{
  g_autofree char *key = g_strdup_printf ("%u %s", rank, name);
  gpointer found;

  return g_hash_table_lookup_extended (nodes, key, NULL, &found) ? GPOINTER_TO_UINT (found) : TT_STEP_NO_NODE;
}

/* -- the traced job ------------------------------------------------------------------------------------------------ */

static gboolean
is_piece (const TtStepNode *node)
{
  return node->kind == TT_STEP_NODE_SEND || node->kind == TT_STEP_NODE_RECV;
}

/* By node of the job's graph: that of the whole job. Pieces are of their collective. */
static guint32 *
map_nodes (const TtWholeJob *self)
{
  const TtStepGraph *pieces = self->job->graph;
  g_autoptr (GHashTable) nodes = tt_whole_job_index (self->traced);
  guint32 *whole = g_new (guint32, (gsize) pieces->nodes->len + 1);
  guint n_groups = self->job->plan->step.n_groups;
  g_autofree guint32 *kernels = g_new (guint32, (gsize) n_groups * self->job->n_ranks + 1);

  for (guint rank = 0; rank < self->job->n_ranks; rank++)
    for (guint i = 0; i < n_groups; i++)
      {
        g_autofree char *name = g_strdup_printf ("Comm.%s.NCCL_ALLREDUCE", self->job->plan->step.groups[i].name);
        kernels[(gsize) rank * n_groups + i] = tt_whole_job_find (nodes, rank, name);
      }
  for (guint32 i = 0; i < pieces->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (pieces, i);
      whole[i] = node->rank == TT_STEP_NO_RANK ? TT_STEP_NO_NODE
                 : is_piece (node)             ? kernels[(gsize) node->rank * n_groups + node->group]
                                               : tt_whole_job_find (nodes, node->rank, node->name);
    }
  return whole;
}

/* By rank and group: its QUEUE in the whole job, or TT_STEP_NO_NODE. */
static guint32 *
find_queues (const TtWholeJob *self)
{
  guint n_groups = self->job->plan->step.n_groups;
  gsize n = (gsize) n_groups * self->job->n_ranks;
  guint32 *queues = g_new (guint32, n + 1);

  for (gsize i = 0; i < n; i++)
    queues[i] = TT_STEP_NO_NODE;
  for (guint32 i = 0; i < self->traced->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->traced, i);
      if (node->group != TT_STEP_NO_GROUP && g_strcmp0 (node->parts.sub_op, "QUEUE") == 0)
        queues[(gsize) node->rank * n_groups + node->group] = i;
    }
  return queues;
}

/* Widens @own by @seen. A proxy may still send when the collective has ended. */
static void
add_seen (TtJobNodeTime *own, const TtJobNodeTime *seen, TtStepNodeKind kind)
{
  gboolean is_first = own->begin_ns == TT_NO_TIME;

  own->begin_ns = is_first ? seen->begin_ns : MIN (own->begin_ns, seen->begin_ns);
  own->end_ns = MAX (is_first ? own->begin_ns : own->end_ns, kind == TT_STEP_NODE_SEND ? own->begin_ns : seen->end_ns);
  own->dur_ns = kind == TT_STEP_NODE_SEND || kind == TT_STEP_NODE_RECV ? own->end_ns - own->begin_ns : seen->dur_ns;
}

/* The operations themselves first: a SEND of the step before may have ended in this one, before its QUEUE. */
static void
join_step (const TtWholeJob *self, const guint32 *whole, const guint32 *queues, guint slot)
{
  const TtJobNodeTime *pieces = tt_job_step_times_of (self->job->timing->steps, slot);
  TtJobNodeTime *times = tt_job_step_times_of (self->steps, slot);

  for (guint pass = 0; pass < 2; pass++)
    for (guint32 i = 0; i < self->job->graph->nodes->len; i++)
      {
        const TtStepNode *node = tt_step_node (self->job->graph, i);
        if (whole[i] == TT_STEP_NO_NODE || pieces[i].begin_ns == TT_NO_TIME || is_piece (node) != (pass == 1))
          continue;
        guint32 queue =
            pass == 0 ? TT_STEP_NO_NODE : queues[(gsize) node->rank * self->job->plan->step.n_groups + node->group];
        if (queue == TT_STEP_NO_NODE || pieces[i].begin_ns >= times[queue].begin_ns)
          add_seen (&times[whole[i]], &pieces[i], node->kind);
      }
}

static void
join_times (TtWholeJob *self, const guint32 *whole)
{
  const TtJobStepTimes *pieces = self->job->timing->steps;
  g_autofree guint32 *queues = find_queues (self);

  self->steps = g_new0 (TtJobStepTimes, 1);
  self->steps->n_steps = pieces->n_steps;
  self->steps->n_nodes = self->traced->nodes->len;
  memcpy (self->steps->steps, pieces->steps, sizeof pieces->steps);
  gsize n = (gsize) pieces->n_steps * self->steps->n_nodes;
  self->steps->times = g_new (TtJobNodeTime, n + 1);
  for (gsize i = 0; i < n; i++)
    self->steps->times[i] = (TtJobNodeTime){ TT_NO_TIME, TT_NO_TIME, 0 };
  for (guint slot = 0; slot < pieces->n_steps; slot++)
    join_step (self, whole, queues, slot);
}

static void
read_traced (TtWholeJob *self)
{
  const TtTrainingJob *job = self->job;

  self->traced = make_graph (job, job->n_ranks, job->pids);
  g_autofree guint32 *whole = map_nodes (self);
  self->means = g_new0 (TtStepNodeTimes, (gsize) self->traced->nodes->len + 1);
  for (guint32 i = 0; i < self->traced->nodes->len; i++)
    self->means[i].observed_begin_ns = self->means[i].observed_end_ns = TT_STEP_NO_TIME;
  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    if (whole[i] != TT_STEP_NO_NODE && !is_piece (tt_step_node (job->graph, i)))
      self->means[whole[i]] = job->times[i];
  join_times (self, whole);
  const TtJobStepModelInput input = { self->traced, self->means, self->steps, job->updates_wait };
  self->model = tt_job_step_model_new (&input);
}

/* -- the changed one ----------------------------------------------------------------------------------------------- */

/* The traced rank that a rank computes like: that of its place on the host, hosts in turn. */
static guint
traced_rank (const TtTrainingJob *job, guint per_host, guint rank)
{
  guint traced_per_host = MAX (tt_job_gpus_per_host (job), 1), n_hosts = MAX (job->n_ranks / traced_per_host, 1);

  return (rank / per_host % n_hosts * traced_per_host + rank % per_host) % job->n_ranks;
}

static void
change_ranks (TtWholeJob *self, const TtNetworkChange *change)
{
  guint per_host = change->gpus_per_host > 0 ? change->gpus_per_host : MAX (tt_job_gpus_per_host (self->job), 1);
  guint n_ranks = MIN (change->n_gpus > 0 ? change->n_gpus : self->job->n_ranks, TT_WHOLE_MAX_RANKS);
  g_autoptr (GHashTable) nodes = tt_whole_job_index (self->traced);

  self->pids = g_new0 (char *, (gsize) n_ranks + 1);
  for (guint rank = 0; rank < n_ranks; rank++)
    self->pids[rank] = g_strdup_printf ("host%u.rank%u", rank / per_host, rank % per_host);
  self->graph = make_graph (self->job, n_ranks, self->pids);
  self->turns = g_new (guint32, (gsize) n_ranks + 1);
  for (guint rank = 0; rank < n_ranks; rank++)
    self->turns[rank] = rank / self->job->n_ranks;
  self->from = g_new (guint32, (gsize) self->graph->nodes->len + 1);
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      self->from[i] = node->rank == TT_STEP_NO_RANK
                          ? TT_STEP_NO_NODE
                          : tt_whole_job_find (nodes, traced_rank (self->job, per_host, node->rank), node->name);
    }
}

static TtAllReduce
changed_collective (const TtJobNetwork *network, const TtNetworkChange *change, guint group)
{
  TtAllReduce collective = tt_job_network_collective (network, group);

  if (change->n_gpus > 0 || change->gpus_per_host > 0)
    {
      guint n_ranks = change->n_gpus > 0 ? change->n_gpus : collective.n_hosts * collective.n_gpus;
      collective.n_gpus = MIN (change->gpus_per_host > 0 ? change->gpus_per_host : collective.n_gpus, n_ranks);
      collective.n_hosts = (n_ranks + collective.n_gpus - 1) / collective.n_gpus;
    }
  if (change->n_nics > 0)
    collective.n_nics = change->n_nics;
  if (change->n_channels > 0)
    collective.n_channels = change->n_channels;
  if (change->is_algo)
    collective.algo = change->algo;
  if (collective.algo == TT_COLLECTIVE_NVLS && change->n_channels == 0)
    collective.n_channels = TT_COLLECTIVE_NVLS_CHANNELS;
  if (collective.algo != network->traced.algo || change->n_channels > 0)
    collective.n_pieces = 0;
  return collective;
}

static TtNetworkModel
changed_network (const TtJobNetwork *network, const TtNetworkChange *change)
{
  TtNetworkModel model = network->model;

  model.within.bytes_per_ns *= change->bandwidth;
  model.between.bytes_per_ns *= change->bandwidth * change->nic_bandwidth;
  model.within.latency_ns *= change->latency;
  model.between.latency_ns *= change->latency;
  if (change->slow_host == TT_SLOW_HOST_GOES)
    model.slow_part = 0;
  else if (change->slow_host == TT_SLOW_HOST_STAYS)
    model.slow_host = 0;
  return model;
}

double
tt_whole_job_play_ns (const TtJobNetwork *network, const TtNetworkChange *change, double bytes)
{
  TtAllReduce collective = changed_collective (network, change, 0);
  const TtNetworkModel model = changed_network (network, change);

  collective.bytes = bytes * change->compression;
  collective.n_pieces = 0;
  return tt_collective_play (&collective, &model).ns;
}

/* What of it the trace of rings or trees does not tell. */
static gboolean
check_nvls (const TtJobNetwork *network, const TtAllReduce *collective, TtNotes *notes, GError **error)
{
  if (collective->n_gpus < 2 || (!network->has_within && !network->is_told))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "NVLS: %s, and it is over NVLink within hosts that NVLS adds",
                   collective->n_gpus < 2 ? "hosts have one GPU each" : "transfers within hosts were not traced");
      return FALSE;
    }
  if (network->model.within.sharing == TT_LINK_OF_HOST)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "NVLS: the GPUs of a host share a bus, and NVLS needs NVLinks to a switch that adds");
      return FALSE;
    }
  tt_notes_add (
      notes,
      "NVLS: nothing was traced of it: the GPUs of a host are taken to have a switch that adds (NVLink SHARP), "
      "at %.0f to %.0f %% of their bandwidth",
      100 * TT_COLLECTIVE_NVLS_LOW, 100 * TT_COLLECTIVE_NVLS_HIGH);
  return TRUE;
}

static gboolean
check_change (const TtJobNetwork *network, const TtNetworkChange *change, TtNotes *notes, GError **error)
{
  const TtAllReduce collective = changed_collective (network, change, 0);
  guint n_hosts = network->traced.n_hosts;

  if ((change->n_nics > 0 || change->nic_bandwidth != 1) && collective.n_hosts < 2)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "NICs: this job runs on one host");
      return FALSE;
    }
  if (collective.algo == TT_COLLECTIVE_NVLS && !check_nvls (network, &collective, notes, error))
    return FALSE;
  if ((collective.n_hosts > 1 && !network->has_between) || (collective.n_gpus > 1 && !network->has_within))
    tt_notes_add (notes, "transfers %s were never traced: they are taken to be %s",
                  network->has_between ? "within a host" : "between hosts",
                  network->is_told ? "what the topology says they can be"
                                   : "like the others; '--topology' may know more");
  if (change->n_gpus == 1)
    tt_notes_add (notes, "on 1 GPU nothing is communicated");
  else if (collective.n_hosts != n_hosts || collective.n_gpus != network->traced.n_gpus)
    tt_notes_add (notes, "on %u host%s with %u GPU%s%s: operators take what they took, tensors have as many bytes",
                  collective.n_hosts, collective.n_hosts == 1 ? "" : "s", collective.n_gpus,
                  collective.n_gpus == 1 ? "" : "s", collective.n_hosts == 1 ? "" : " each");
  return TRUE;
}

static gboolean
change_network (TtWholeJob *self, const TtJobNetwork *network, const TtNetworkChange *change, GError **error)
{
  g_auto (TtNotes) notes = { 0 };

  tt_notes_init (&notes);
  if (!check_change (network, change, &notes, error))
    return FALSE;
  const TtNetworkModel model = changed_network (network, change);
  for (guint i = 0; i < network->n_groups; i++)
    {
      const TtAllReduce before = tt_job_network_collective (network, i);
      TtAllReduce after = changed_collective (network, change, i);
      after.bytes *= change->compression;
      if (before.bytes <= 0)
        continue;
      TtAllReduce played = after;
      played.n_hosts = MIN (after.n_hosts, TT_COLLECTIVE_MAX_RANKS);
      played.bytes = after.bytes * played.n_hosts / after.n_hosts;
      if (tt_collective_n_sends (&played) > MAX_SENDS)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "Comm.%s would have more than %.0f transfers",
                       self->job->plan->step.groups[i].name, MAX_SENDS);
          return FALSE;
        }
      double before_ns = tt_collective_play (&before, &network->model).ns;
      if (before_ns > 0)
        self->ratios[i] = tt_collective_play (&after, &model).ns / before_ns;
    }
  const TtAllReduce any = changed_collective (network, change, 0);
  self->has_other_algo = any.algo != network->traced.algo;
  self->has_other_lanes = any.n_nics != network->traced.n_nics || any.n_channels != network->traced.n_channels ||
                          (change->n_nics > 0 && network->traced.algo == TT_COLLECTIVE_TREE);
  self->has_nvls = any.algo == TT_COLLECTIVE_NVLS;
  self->has_other_hosts = any.n_hosts != network->traced.n_hosts || any.n_gpus != network->traced.n_gpus;
  self->notes = g_steal_pointer (&notes.texts);
  return TRUE;
}

TtWholeJob *
tt_whole_job_new (const TtTrainingJob *job, const TtJobNetwork *network, const TtNetworkChange *change, GError **error)
{
  g_autoptr (TtWholeJob) self = g_new0 (TtWholeJob, 1);

  self->job = job;
  self->ratios = g_new (double, (gsize) job->plan->step.n_groups + 1);
  for (guint i = 0; i < job->plan->step.n_groups; i++)
    self->ratios[i] = 1;
  read_traced (self);
  if (network != NULL && !change_network (self, network, change, error))
    return NULL;
  self->graph = self->traced;
  if (network != NULL && ((change->n_gpus > 0 && change->n_gpus != job->n_ranks) || change->gpus_per_host > 0))
    change_ranks (self, change);
  return g_steal_pointer (&self);
}

static void
scale_kernels (const TtWholeJob *self, TtStepNodeTimes *times)
{
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    if (tt_step_node_is_collective (tt_step_node (self->graph, i)))
      times[i].avg_ns = tt_factor_round ((double) times[i].avg_ns * self->ratios[tt_step_node (self->graph, i)->group]);
}

/* Ranks that were not traced take what another step took, so that the slowest of more ranks is later. */
TtStepNodeTimes *
tt_whole_job_times (const TtWholeJob *self, guint slot)
{
  const TtJobStepCopies copies = {
    .graph = self->graph, .from = self->from, .turns = self->turns, .operators_alone = TRUE
  };
  TtStepNodeTimes *times = self->graph == self->traced ? tt_job_step_model_times (self->model, slot)
                                                       : tt_job_step_model_copied_times (self->model, slot, &copies);

  scale_kernels (self, times);
  return times;
}
