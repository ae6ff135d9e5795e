/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/server-job.h"

#include "analyzers/training-job/factor.h"
#include "analyzers/training-job/notes.h"
#include "src/base/error.h"

#include <string.h>

void
tt_server_job_free (TtServerJob *self)
{
  if (self == NULL)
    return;
  tt_step_graph_free (self->own);
  g_free (self->from);
  g_free (self->turns);
  g_free (self->ports);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}

static gboolean
check_change (const TtServerNetwork *network, const TtNetworkChange *change, GError **error)
{
  const char *word = change->n_nics > 0          ? "--nics"
                     : change->n_channels > 0    ? "--channels"
                     : change->is_algo           ? "--algo"
                     : change->gpus_per_host > 0 ? "--gpus-per-host"
                                                 : NULL;

  if (word != NULL)
    g_set_error (
        error, TT_ERROR, TT_ERROR_USAGE,
        "'%s' is about how GPUs exchange tensors by collectives; with parameter servers what they do within a host "
        "was not traced, and between hosts there are pushes and pulls",
        word);
  else if (change->n_gpus % network->gpus_per_worker != 0)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--gpus %u': a worker has %u GPUs, and there is no part of one",
                 change->n_gpus, network->gpus_per_worker);
  else if (change->n_gpus / network->gpus_per_worker > TT_SERVER_MAX_WORKERS)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'--gpus %u' would be %u workers: with parameter servers at most %d are replayed", change->n_gpus,
                 change->n_gpus / network->gpus_per_worker, TT_SERVER_MAX_WORKERS);
  else
    return TRUE;
  return FALSE;
}

/* -- another number of workers ------------------------------------------------------------------------------------- */

typedef struct
{
  TtServerJob *self;
  const TtStepPlan *traced;
  guint n_workers, n_ranks;
  GPtrArray *pids;  /* of char *, by endpoint */
  GArray *like;     /* of guint32, by endpoint: the traced one */
  GArray *workers;  /* of guint32, by endpoint: ranks first */
  guint32 *renamed; /* [worker * traced endpoints + traced endpoint]: its endpoint, or TT_STEP_NO_RANK */
  GPtrArray *owned; /* memory of the plan */
} Builder;

static void
add_endpoint (Builder *b, char *pid, guint32 like, guint32 worker)
{
  guint n_traced = b->traced->n_endpoints;

  b->renamed[(gsize) worker * n_traced + like] = b->pids->len;
  g_ptr_array_add (b->pids, pid);
  g_array_append_val (b->like, like);
  g_array_append_val (b->workers, worker);
}

static guint32
endpoint_of (const Builder *b, guint32 worker, guint32 like)
{
  return like == TT_STEP_NO_RANK ? TT_STEP_NO_RANK : b->renamed[(gsize) worker * b->traced->n_endpoints + like];
}

/* Ranks of the traced worker that @worker is like. */
static void
add_ranks (Builder *b, guint32 worker)
{
  guint n_traced = b->self->network->n_workers, place = 0;

  for (guint32 rank = 0; rank < b->traced->n_ranks; rank++)
    if (b->traced->workers[rank] == worker % n_traced)
      add_endpoint (b, g_strdup_printf ("traces_%u.rank%u", worker, place++), rank, worker);
}

static void
add_links (Builder *b, guint32 worker)
{
  const TtJobTopology *topology = b->self->job->topology;
  guint n_traced = b->self->network->n_workers;

  for (guint32 i = topology->n_ranks; i < topology->n_endpoints; i++)
    {
      const TtJobLink *link = tt_job_topology_link (topology, i);
      if (link->is_thread || link->worker != worker % n_traced)
        continue;
      add_endpoint (b,
                    link->is_in ? g_strdup_printf ("server_%u::worker_%u", link->server, worker)
                                : g_strdup_printf ("worker_%u::server_%u", worker, link->server),
                    i, worker);
    }
}

static void
add_endpoints (Builder *b)
{
  const TtJobTopology *topology = b->self->job->topology;

  for (guint32 worker = 0; worker < b->n_workers; worker++)
    add_ranks (b, worker);
  b->n_ranks = b->pids->len;
  for (guint32 worker = 0; worker < b->n_workers; worker++)
    add_links (b, worker);
  for (guint32 i = topology->n_ranks; i < topology->n_endpoints; i++)
    if (tt_job_topology_link (topology, i)->is_thread)
      add_endpoint (b, g_strdup (topology->pids[i]), i, 0);
}

/* Of COPY_FIRST, each SUM, COPY_MERGED: all by the threads that were seen to. */
static const guint32 *
plan_threads (const Builder *b, const TtStepPart *part, guint n_before, guint n_after)
{
  guint32 *threads = g_new (guint32, (gsize) n_after + 1);

  g_ptr_array_add (b->owned, threads);
  for (guint i = 0; i < n_after; i++)
    threads[i] = endpoint_of (b, 0, part->threads[i == 0 || n_before < 2 ? 0 : 1 + (i - 1) % (n_before - 1)]);
  threads[n_after] = endpoint_of (b, 0, part->threads[n_before]);
  return threads;
}

static TtStepPart
plan_part (const Builder *b, const TtStepPart *part)
{
  guint n_traced = b->self->network->n_workers, n_before = 0, n_after = 0;
  guint32 *out = g_new (guint32, b->n_workers), *in = g_new (guint32, b->n_workers);

  g_ptr_array_add (b->owned, out);
  g_ptr_array_add (b->owned, in);
  for (guint worker = 0; worker < n_traced; worker++)
    n_before += part->out[worker] != TT_STEP_NO_RANK && part->in[worker] != TT_STEP_NO_RANK;
  for (guint worker = 0; worker < b->n_workers; worker++)
    {
      out[worker] = endpoint_of (b, worker, part->out[worker % n_traced]);
      in[worker] = endpoint_of (b, worker, part->in[worker % n_traced]);
      n_after += out[worker] != TT_STEP_NO_RANK && in[worker] != TT_STEP_NO_RANK;
    }
  return (TtStepPart){ .number = part->number,
                       .out = out,
                       .in = in,
                       .threads = part->threads == NULL ? NULL : plan_threads (b, part, n_before, n_after) };
}

static TtStepGroup *
plan_groups (const Builder *b)
{
  const TtStepPlan *traced = b->traced;
  TtStepGroup *groups = g_new0 (TtStepGroup, (gsize) traced->n_groups + 1);

  g_ptr_array_add (b->owned, groups);
  for (guint i = 0; i < traced->n_groups; i++)
    {
      groups[i] = traced->groups[i];
      TtStepPart *parts = g_new (TtStepPart, (gsize) groups[i].n_parts + 1);
      g_ptr_array_add (b->owned, parts);
      for (guint k = 0; k < groups[i].n_parts; k++)
        parts[k] = plan_part (b, &traced->groups[i].parts[k]);
      groups[i].parts = parts;
    }
  return groups;
}

/* -- which node is like which -------------------------------------------------------------------------------------- */

/* What it is on its endpoint; @sum: of a SUM, its number. */
static char *
key_of (const TtStepGraph *graph, const TtStepNode *node, guint32 endpoint, const char *name, guint sum)
{
  const char *tail = node->parts.suffix == NULL ? "" : node->parts.suffix + strlen (graph->pids[node->rank]);
  const char *part = strrchr (tail, ':');

  return g_strdup_printf ("%u %s %u %s", endpoint, name, sum, part == NULL ? "" : part);
}

/* "server_1_t3::2::~PART0" */
static guint
sum_of (const TtStepGraph *graph, const TtStepNode *node)
{
  return node->kind == TT_STEP_NODE_SERVER && node->parts.suffix != NULL
             ? (guint) g_ascii_strtoull (node->parts.suffix + strlen (graph->pids[node->rank]) + 2, NULL, 10)
             : 0;
}

static guint32
find_node (GHashTable *nodes, const TtStepGraph *graph, const TtStepNode *node, guint32 endpoint, guint n_sums)
{
  gboolean is_sum = g_strcmp0 (node->parts.sub_op, "SUM") == 0;
  g_autofree char *first = g_strdup_printf ("ServerOp.%s.COPY_FIRST", node->parts.op_name);
  guint sum = is_sum && n_sums > 0 ? sum_of (graph, node) % n_sums : 0;
  g_autofree char *key = key_of (graph, node, endpoint, is_sum && n_sums == 0 ? first : node->name, sum);
  gpointer found;

  return g_hash_table_lookup_extended (nodes, key, NULL, &found) ? GPOINTER_TO_UINT (found) : TT_STEP_NO_NODE;
}

static void
map_nodes (TtServerJob *self, const GArray *like)
{
  g_autoptr (GHashTable) nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const TtStepGraph *traced = self->job->graph;

  for (guint32 i = 0; i < traced->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (traced, i);
      if (node->rank != TT_STEP_NO_RANK)
        g_hash_table_insert (nodes, key_of (traced, node, node->rank, node->name, sum_of (traced, node)),
                             GUINT_TO_POINTER (i));
    }
  self->from = g_new (guint32, (gsize) self->own->nodes->len + 1);
  for (guint32 i = 0; i < self->own->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->own, i);
      self->from[i] = node->rank == TT_STEP_NO_RANK
                          ? TT_STEP_NO_NODE
                          : find_node (nodes, self->own, node, g_array_index (like, guint32, node->rank),
                                       MAX (self->network->n_workers, 1) - 1);
    }
}

static void
number_ports (TtServerJob *self, const Builder *b)
{
  self->ports = g_new0 (guint32, 2 * (gsize) b->pids->len + 1);
  for (guint32 i = b->n_ranks; i < b->pids->len; i++)
    {
      const TtJobLink *link = tt_job_topology_link (self->job->topology, g_array_index (b->like, guint32, i));
      if (!link->is_thread)
        tt_server_network_ports (self->network, b->n_workers, link, g_array_index (b->workers, guint32, i),
                                 &self->ports[2 * (gsize) i]);
    }
}

static gboolean
build (Builder *b, GError **error)
{
  TtServerJob *self = b->self;
  TtStepPlan plan = *b->traced;

  add_endpoints (b);
  plan.groups = plan_groups (b);
  plan.n_ranks = b->n_ranks;
  plan.n_endpoints = b->pids->len;
  g_ptr_array_add (b->pids, NULL);
  plan.pids = (const char *const *) b->pids->pdata;
  plan.n_workers = b->n_workers;
  plan.workers = (const guint32 *) (gconstpointer) b->workers->data;
  if (tt_step_plan_count_edges (&plan) > TT_STEP_MAX_EDGES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "a step on %u workers would have more than %u dependencies",
                   b->n_workers, TT_STEP_MAX_EDGES);
      return FALSE;
    }
  self->own = tt_step_graph_new (&plan);
  g_ptr_array_set_size (b->pids, (int) plan.n_endpoints);
  map_nodes (self, b->like);
  number_ports (self, b);
  self->turns = g_memdup2 (b->workers->data, (gsize) b->workers->len * sizeof (guint32));
  for (guint i = 0; i < b->workers->len; i++)
    self->turns[i] /= self->network->n_workers;
  return TRUE;
}

static gboolean
change_workers (TtServerJob *self, GError **error)
{
  g_autoptr (GPtrArray) pids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) like = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) workers = g_array_new (FALSE, FALSE, sizeof (guint32));
  const TtStepPlan *traced = &self->job->plan->step;
  guint n_workers = self->change.n_gpus / self->network->gpus_per_worker;
  gsize n = (gsize) n_workers * traced->n_endpoints;
  g_autofree guint32 *renamed = g_new (guint32, n + 1);
  Builder builder = { .self = self,
                      .traced = traced,
                      .n_workers = n_workers,
                      .pids = pids,
                      .like = like,
                      .workers = workers,
                      .renamed = renamed,
                      .owned = owned };

  memset (renamed, 0xff, n * sizeof *renamed);
  return build (&builder, error);
}

static void
note_workers (TtServerJob *self)
{
  g_auto (TtNotes) notes = { 0 };
  guint n_workers = self->change.n_gpus / self->network->gpus_per_worker, per_worker = self->network->gpus_per_worker;

  tt_notes_init (&notes);
  tt_notes_add (&notes, "on %u worker%s with %u GPU%s%s: operators take what they took, the %u server%s stay%s",
                n_workers, n_workers == 1 ? "" : "s", per_worker, per_worker == 1 ? "" : "s",
                n_workers == 1 ? "" : " each", self->network->n_servers, self->network->n_servers == 1 ? "" : "s",
                self->network->n_servers == 1 ? "s" : "");
  if (self->network->n_workers == 1 && n_workers > 1)
    tt_notes_add (&notes, "no SUM was traced: to add is taken to last as long as to copy");
  self->notes = g_steal_pointer (&notes.texts);
}

TtServerJob *
tt_server_job_new (const TtTrainingJob *job,
                   const TtServerNetwork *network,
                   const TtNetworkChange *change,
                   guint way,
                   GError **error)
{
  g_autoptr (TtServerJob) self = g_new0 (TtServerJob, 1);

  self->job = job;
  self->network = network;
  self->change = *change;
  self->way = way;
  if (!check_change (network, change, error))
    return NULL;
  self->is_other = change->n_gpus > 0 && change->n_gpus != network->n_workers * network->gpus_per_worker;
  if (!self->is_other)
    {
      self->graph = job->graph;
      return g_steal_pointer (&self);
    }
  if (!change_workers (self, error))
    return NULL;
  self->graph = self->own;
  note_workers (self);
  return g_steal_pointer (&self);
}

/* -- times --------------------------------------------------------------------------------------------------------- */

/* What it took apart from its bytes, if there is anything of it; @alone_ns: of its bytes. */
static void
set_transfer (const TtServerJob *self, TtStepNodeTimes *times, double taken_ns, double alone_ns, const guint32 *ports)
{
  const TtServerNetwork *network = self->network;
  double bytes = self->change.compression / (self->change.bandwidth * self->change.nic_bandwidth);
  double latency_ns = alone_ns > 0 ? MIN (network->latency_ns, taken_ns) : taken_ns;
  double work_ns = alone_ns * bytes, all_ns = latency_ns * self->change.latency + work_ns;
  gboolean is_shared = network->ways[self->way].is_shared;

  times->avg_ns = tt_factor_round (all_ns);
  times->flow.part = all_ns > 0 ? work_ns / all_ns : 0;
  times->flow.frees_early = network->is_piped;
  times->flow.ports[0] = is_shared ? ports[0] : TT_NO_PORT;
  times->flow.ports[1] = is_shared ? ports[1] : TT_NO_PORT;
}

static void
set_transfers (const TtServerJob *self, TtStepNodeTimes *times, guint slot)
{
  const TtServerNetwork *network = self->network;
  guint n_steps = self->job->step_model->input.steps->n_steps;
  gsize n_nodes = self->job->graph->nodes->len;
  const guint32 *ports = self->own != NULL ? self->ports : network->ports;

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      guint32 from = self->own != NULL ? self->from[i] : i;
      if (!tt_step_node_is_link_transfer (node->kind) || from == TT_STEP_NO_NODE)
        continue;
      guint turn = self->own != NULL ? self->turns[node->rank] : 0;
      gsize at = (gsize) ((slot + turn) % n_steps) * n_nodes + from;
      if (network->taken_ns[at] <= 0)
        at = (gsize) slot * n_nodes + from;
      if (network->taken_ns[at] > 0)
        set_transfer (self, &times[i], network->taken_ns[at], network->ways[self->way].alone_ns[at],
                      &ports[2 * node->rank]);
    }
}

TtStepNodeTimes *
tt_server_job_times (const TtServerJob *self, guint slot)
{
  const TtJobStepModel *model = self->job->step_model;
  const TtJobStepCopies copies = { .graph = self->graph, .from = self->from, .turns = self->turns };
  TtStepNodeTimes *times =
      self->own == NULL ? tt_job_step_model_times (model, slot) : tt_job_step_model_copied_times (model, slot, &copies);

  set_transfers (self, times, slot);
  return times;
}
