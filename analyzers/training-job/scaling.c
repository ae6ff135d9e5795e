/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/scaling.h"

#include "analyzers/training-job/factor.h"
#include "analyzers/training-job/network.h"
#include "analyzers/training-job/notes.h"
#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/base/units.h"

#include <string.h>

#define MAX_NODES (1u << 24)

/* Transfers of one group, within hosts or between them. */
typedef struct
{
  tt_int128 sum_ns;
  guint64 cnt;
} Mean;

enum
{
  SEND_WITHIN,
  SEND_BETWEEN,
  RECV_WITHIN,
  RECV_BETWEEN,
  N_CLASSES,
};

void
tt_scaled_job_free (TtScaledJob *self)
{
  if (self == NULL)
    return;
  tt_nccl_free (self->nccl);
  g_strfreev (self->pids);
  tt_step_graph_free (self->graph);
  g_free (self->times);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}

/* -- hosts ------------------------------------------------------------------------------------------- */

static void
name_ranks (TtScaledJob *self, guint n_ranks, guint per_host)
{
  self->pids = g_new0 (char *, (gsize) n_ranks + 1);
  for (guint rank = 0; rank < n_ranks; rank++)
    self->pids[rank] = g_strdup_printf ("host%u.rank%u", rank / per_host, rank % per_host);
}

static gboolean
make_rings (TtScaledJob *self, guint n_ranks, guint n_channels, GError **error)
{
  for (guint channel = 0; channel < n_channels; channel++)
    for (guint rank = 0; rank < n_ranks; rank++)
      {
        g_autofree char *text = g_strdup_printf ("%u[0] -> %u[0] [send] via ring", rank, (rank + 1) % n_ranks);
        gint own;
        if (!tt_nccl_add_ring (self->nccl, TT_NCCL_RING, channel, text, &own, error))
          return FALSE;
      }
  return TRUE;
}

/* How a scaled tree is laid out. */
typedef struct
{
  guint n_ranks, per_host, n_hosts;
  gboolean is_row; /* of hosts */
} TreeShape;

/* Hosts of odd channels are counted from the last. */
static guint
mirror_host (const TreeShape *shape, guint channel, guint host)
{
  return channel % 2 == 0 ? host : shape->n_hosts - 1 - host;
}

static gint
parent_of (const TreeShape *shape, guint channel, guint rank)
{
  guint host = mirror_host (shape, channel, rank / shape->per_host);

  if (rank % shape->per_host != 0)
    return (gint) rank - 1;
  if (host == 0)
    return TT_NCCL_NONE;
  return (gint) (mirror_host (shape, channel, shape->is_row ? host - 1 : (host - 1) / 2) * shape->per_host);
}

static gboolean
make_trees (TtScaledJob *self, const TreeShape *shape, guint n_channels, GError **error)
{
  for (guint channel = 0; channel < n_channels; channel++)
    for (guint rank = 0; rank < shape->n_ranks; rank++)
      {
        gint own, parent = parent_of (shape, channel, rank);
        /* The children's side says all; the parent's is left empty. */
        g_autofree char *text =
            g_strdup_printf ("[%u] -1/-1/-1->%u->%d|%d->%u->-1/-1/-1", channel, rank, parent, parent, rank);
        if (!tt_nccl_add_tree (self->nccl, text, &own, error))
          return FALSE;
      }
  return TRUE;
}

/* Whether no rank of the traced trees has two children on other hosts; with two hosts this cannot be seen. */
static gboolean
is_row_of_hosts (const TtTrainingJob *job, guint per_host)
{
  if (job->n_ranks / per_host < 3)
    return FALSE;
  for (guint rank = 0; rank < job->n_ranks; rank++)
    {
      gint children[TT_NCCL_CHILDREN];
      guint n = tt_nccl_children (job->nccl, 0, (gint) rank, children), n_hosts = 0;
      for (guint i = 0; i < n; i++)
        n_hosts += children[i] < (gint) job->n_ranks && !tt_job_is_same_host (job->pids[rank], job->pids[children[i]]);
      if (n_hosts > 1)
        return FALSE;
    }
  return TRUE;
}

/* -- times ------------------------------------------------------------------------------------------- */

/* The class of a SEND or RECV: within its host or between hosts. */
static guint
class_of (const TtNccl *nccl, const TtStepNode *node, const char *const *pids)
{
  gboolean is_send = node->kind == TT_STEP_NODE_SEND;
  gint rank = (gint) node->rank;
  gint other = node->peer != TT_STEP_NO_RANK ? (gint) node->peer
               : is_send                     ? tt_nccl_next (nccl, node->channel, rank)
                                             : tt_nccl_prev (nccl, node->channel, rank);
  gboolean is_between = other != TT_NCCL_NONE && !tt_job_is_same_host (pids[rank], pids[other]);

  return (is_send ? SEND_WITHIN : RECV_WITHIN) + is_between;
}

static gboolean
is_transfer (const TtStepNode *node)
{
  return node->kind == TT_STEP_NODE_SEND || node->kind == TT_STEP_NODE_RECV;
}

/* [group * N_CLASSES + class] */
static Mean *
mean_transfers (const TtTrainingJob *job, const TtStepNodeTimes *times)
{
  Mean *means = g_new0 (Mean, (gsize) job->shapes->len * N_CLASSES);

  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (job->graph, i);
      if (!is_transfer (node))
        continue;
      Mean *mean = &means[(gsize) (node->group) * N_CLASSES + class_of (job->nccl, node, job->graph->pids)];
      mean->sum_ns += times[i].avg_ns;
      mean->cnt++;
    }
  return means;
}

static double
mean_ns (const Mean *mean)
{
  return (double) mean->sum_ns / (double) mean->cnt;
}

/* The time of a transfer of no bytes: the intercept of the line through the groups' means by the size of their pieces,
 * limited to 0 .. the shortest mean. 0: sizes are unknown, or all equal. */
static double
find_latency (const TtTrainingJob *job, const Mean *means, guint class)
{
  double n = 0, x_sum = 0, y_sum = 0, xx_sum = 0, xy_sum = 0, shortest = G_MAXDOUBLE;

  for (guint i = 0; i < job->shapes->len; i++)
    {
      const TtJobShape *shape = &g_array_index (job->shapes, TtJobShape, i);
      const Mean *mean = &means[(gsize) i * N_CLASSES + class];
      double pieces = (double) shape->pieces.n_loops * shape->pieces.n_channels * shape->pieces.n_slices * job->n_ranks;
      if (mean->cnt == 0 || shape->bytes == 0)
        continue;
      double x = (double) shape->bytes / pieces, y = mean_ns (mean);
      n++;
      x_sum += x;
      y_sum += y;
      xx_sum += x * x;
      xy_sum += x * y;
      shortest = MIN (shortest, y);
    }
  double spread = n * xx_sum - x_sum * x_sum;
  if (n < 2 || spread <= 1e-6 * n * xx_sum)
    return 0;
  return CLAMP ((y_sum * xx_sum - x_sum * xy_sum) / spread, 0, shortest);
}

typedef struct
{
  TtScaledJob *scaled;
  TtNotes *notes;
  const TtTrainingJob *job;
  const TtStepNodeTimes *times; /* of the traced job */
  guint per_host;               /* GPUs a host; of the scaled job in scaled->per_host */
  gboolean recv_is_rest;
  double latencies[N_CLASSES];
  Mean *means;
  guint64 n_unlike; /* transfers of a class that was not traced */
} Filler;

static void
fill_transfer (Filler *self, const TtStepNode *node, TtStepNodeTimes *times)
{
  guint class = class_of (self->scaled->nccl, node, self->scaled->graph->pids);
  const Mean *mean = &self->means[(gsize) (node->group) * N_CLASSES + class];
  double latency = self->latencies[class];

  if (mean->cnt == 0)
    {
      mean = &self->means[(gsize) (node->group) * N_CLASSES + (class ^ 1)];
      latency = self->latencies[class ^ 1];
      self->n_unlike++;
    }
  if (mean->cnt == 0)
    return;
  double ns = mean_ns (mean);
  gboolean is_fixed = node->peer != TT_STEP_NO_RANK || (node->kind == TT_STEP_NODE_RECV && self->recv_is_rest);
  if (!is_fixed)
    ns = latency + (ns - latency) * self->job->n_ranks / self->scaled->graph->n_ranks;
  times->avg_ns = times->after_send_ns = tt_factor_round (ns);
}

/* "rank name" of the traced nodes -> node, GUINT_TO_POINTER. */
static GHashTable *
index_nodes (const TtTrainingJob *job)
{
  GHashTable *nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (job->graph, i);
      if (node->rank != TT_STEP_NO_RANK && !is_transfer (node))
        g_hash_table_insert (nodes, g_strdup_printf ("%u %s", node->rank, node->name), GUINT_TO_POINTER (i));
    }
  return nodes;
}

/* The traced rank that a scaled rank computes like: that of its place on the host modulo the traced hosts. */
static guint
traced_rank (const Filler *self, guint rank)
{
  guint n_hosts = MAX (self->job->n_ranks / self->per_host, 1), per_host = self->scaled->per_host;

  return (rank / per_host % n_hosts * self->per_host + rank % per_host) % self->job->n_ranks;
}

static void
fill_times (Filler *self)
{
  const TtStepGraph *graph = self->scaled->graph;
  g_autoptr (GHashTable) nodes = index_nodes (self->job);
  g_autofree Mean *means = mean_transfers (self->job, self->times);

  self->means = means;
  for (guint class = SEND_WITHIN; class < N_CLASSES; class ++)
    self->latencies[class] = find_latency (self->job, means, class);
  self->scaled->times = g_new0 (TtStepNodeTimes, graph->nodes->len);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      TtStepNodeTimes *times = &self->scaled->times[i];
      gpointer found;

      *times = (TtStepNodeTimes){ .observed_begin_ns = TT_STEP_NO_TIME, .observed_end_ns = TT_STEP_NO_TIME };
      if (node->rank == TT_STEP_NO_RANK)
        continue;
      if (is_transfer (node))
        {
          fill_transfer (self, node, times);
          continue;
        }
      g_autofree char *key = g_strdup_printf ("%u %s", traced_rank (self, node->rank), node->name);
      if (g_hash_table_lookup_extended (nodes, key, NULL, &found))
        *times = self->times[GPOINTER_TO_UINT (found)];
    }
  if (self->n_unlike > 0 && self->notes != NULL)
    tt_notes_add (self->notes,
                  "transfers within a host, or between hosts, were never traced: they are taken to be like the others");
}

/* -- lanes -------------------------------------------------------------------------------------------- */

/* A SEND of the typical step. */
typedef struct
{
  guint32 rank, channel; /* << 1 | down */
  gint64 begin_ns, end_ns;
} ObservedSend;

static int
compare_sends (gconstpointer a, gconstpointer b)
{
  const ObservedSend *x = a, *y = b;

  if (x->rank != y->rank)
    return TT_COMPARE (x->rank, y->rank);
  return x->begin_ns != y->begin_ns ? TT_COMPARE (x->begin_ns, y->begin_ns) : TT_COMPARE (x->channel, y->channel);
}

/* Whether ranks send on several channels at once: at least half of the sends that follow one of another channel do not
 * wait for its end. */
static gboolean
are_channels_at_once (const TtTrainingJob *job, const TtStepNodeTimes *times)
{
  g_autoptr (GArray) sends = g_array_new (FALSE, FALSE, sizeof (ObservedSend));
  guint n_pairs = 0, n_at_once = 0;

  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (job->graph, i);
      const ObservedSend send = { node->rank, node->channel << 1 | node->is_down, times[i].observed_begin_ns,
                                  times[i].observed_end_ns };
      if (node->kind == TT_STEP_NODE_SEND && send.begin_ns != TT_STEP_NO_TIME)
        g_array_append_val (sends, send);
    }
  g_array_sort (sends, compare_sends);
  for (guint i = 1; i < sends->len; i++)
    {
      const ObservedSend *before = &g_array_index (sends, ObservedSend, i - 1), *send = before + 1;
      if (before->rank != send->rank || before->channel == send->channel)
        continue;
      n_pairs++;
      n_at_once += send->begin_ns < before->end_ns;
    }
  return n_pairs > 0 && 2 * n_at_once >= n_pairs;
}

/* -- all --------------------------------------------------------------------------------------------- */

static gboolean
check_transfers (const TtTrainingJob *job, GError **error)
{
  const TtStepPlan *plan = &job->plan->step;
  gboolean are_alike = job->nccl != NULL && job->n_ranks > 1 && plan->n_groups > 0 && job->graph->n_without_ring == 0;

  for (guint i = 0; i < plan->n_groups; i++)
    are_alike = are_alike && plan->groups[i].algo == plan->groups[0].algo &&
                (plan->groups[i].algo == TT_STEP_ALGO_RING || plan->groups[i].algo == TT_STEP_ALGO_TREE);
  if (!are_alike && job->topology->workers != NULL)
    g_set_error (
        error, TT_ERROR, TT_ERROR_USAGE,
        "another number of GPUs cannot be tried with parameter servers: the traces do not tell who shares their "
        "links, nor which servers parts of tensors would go to");
  else if (!are_alike)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "another number of GPUs can be tried only where the traces show transfers over rings or trees");
  return are_alike;
}

/* Sets the phases of the groups and finds the number of channels. FALSE: too large. */
static gboolean
plan_groups (const TtStepPlan *plan, TtStepGroup *groups, guint n_ranks, guint *n_channels, GError **error)
{
  guint64 n_nodes = (guint64) n_ranks * plan->n_local;

  *n_channels = 0;
  for (guint i = 0; i < plan->n_groups; i++)
    {
      if (groups[i].algo == TT_STEP_ALGO_RING)
        groups[i].n_chunks = tt_ring_steps (n_ranks);
      *n_channels = MAX (*n_channels, groups[i].n_channels);
      n_nodes +=
          (guint64) n_ranks * groups[i].n_chunks * groups[i].n_loops * groups[i].n_channels * groups[i].n_slices * 4;
    }
  if (n_nodes <= MAX_NODES)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "a step on %u GPUs would have %" G_GUINT64_FORMAT " operations, more than %u", n_ranks, n_nodes,
               MAX_NODES);
  return FALSE;
}

static gboolean
connect_ranks (TtScaledJob *self, const TtTrainingJob *job, const TreeShape *shape, guint n_channels, GError **error)
{
  gboolean is_good;

  self->nccl = tt_nccl_new ();
  if (shape->n_ranks == 1)
    return TRUE;
  is_good = job->plan->step.groups[0].algo == TT_STEP_ALGO_TREE ? make_trees (self, shape, n_channels, error)
                                                                : make_rings (self, shape->n_ranks, n_channels, error);
  tt_nccl_join (self->nccl);
  return is_good;
}

static void
note_assumptions (const Filler *filler, guint n_ranks, gboolean are_hosts_alike)
{
  const TtTrainingJob *job = filler->job;
  TtNotes *notes = filler->notes;
  guint per_host = filler->scaled->per_host;
  const char *gpus = per_host > 1 ? "GPUs" : "GPU";
  double latency = MAX (filler->latencies[SEND_WITHIN], filler->latencies[SEND_BETWEEN]);

  if (!are_hosts_alike)
    tt_notes_add (notes, "hosts with different numbers of GPUs: each GPU is taken to be on a host of its own");
  if (n_ranks == 1)
    tt_notes_add (notes, "on 1 GPU nothing is communicated");
  else if (job->plan->step.groups[0].algo == TT_STEP_ALGO_TREE)
    tt_notes_add (notes, "on %u GPUs: operators and transfers take what they took; %u %s a host, hosts in a %s",
                  n_ranks, per_host, gpus, is_row_of_hosts (job, filler->per_host) ? "row" : "binary tree");
  else
    {
      char text[TT_TIME_TEXT];
      g_autofree char *known = latency > 0 ? g_strdup_printf ("a latency of %s", tt_time_auto (text, (gint64) latency))
                                           : g_strdup ("no latency is known");
      tt_notes_add (
          notes,
          "on %u GPUs: operators take what they took; a chunk is %u/%u of what it was, and so is the time of its "
          "transfer (%s); %u %s a host, in one ring",
          n_ranks, job->n_ranks, n_ranks, known, per_host, gpus);
    }
}

/* The plan of the traced job for the scaled one: @groups are its own. */
static TtStepPlan
scale_plan (const TtScaledJob *self, const TtTrainingJob *job, guint n_ranks, const TtStepGroup *groups)
{
  TtStepPlan plan = job->plan->step;

  plan.n_ranks = n_ranks;
  plan.n_endpoints = 0;
  plan.pids = (const char *const *) self->pids;
  plan.nccl = self->nccl;
  plan.groups = groups;
  if (n_ranks == 1)
    plan.n_groups = 0;
  return plan;
}

void
tt_scaled_job_set_times (TtScaledJob *self,
                         const TtTrainingJob *job,
                         const TtStepNodeTimes *times,
                         gboolean recv_is_rest)
{
  Filler filler = { .scaled = self,
                    .job = job,
                    .times = times,
                    .per_host = MAX (tt_job_gpus_per_host (job), 1),
                    .recv_is_rest = recv_is_rest };

  g_clear_pointer (&self->times, g_free);
  fill_times (&filler);
}

TtScaledJob *
tt_scaled_job_new (const TtTrainingJob *job,
                   const TtStepNodeTimes *times,
                   guint n_ranks,
                   guint per_host,
                   gboolean recv_is_rest,
                   GError **error)
{
  g_autoptr (TtScaledJob) self = g_new0 (TtScaledJob, 1);
  g_auto (TtNotes) notes = { 0 };
  const TtStepPlan *traced = &job->plan->step;
  guint n_channels;

  tt_notes_init (&notes);
  if (!check_transfers (job, error))
    return NULL;
  guint known = tt_job_gpus_per_host (job), traced_per_host = MAX (known, 1);
  self->per_host = per_host > 0 ? per_host : traced_per_host;
  const TreeShape shape = { n_ranks, self->per_host, (n_ranks + self->per_host - 1) / self->per_host,
                            is_row_of_hosts (job, traced_per_host) };
  Filler filler = { .scaled = self,
                    .notes = &notes,
                    .job = job,
                    .times = times,
                    .per_host = traced_per_host,
                    .recv_is_rest = recv_is_rest };
  g_autofree TtStepGroup *groups = g_memdup2 (traced->groups, traced->n_groups * sizeof *groups);
  if (!plan_groups (traced, groups, n_ranks, &n_channels, error) ||
      !connect_ranks (self, job, &shape, n_channels, error))
    return NULL;
  name_ranks (self, n_ranks, self->per_host);
  const TtStepPlan plan = scale_plan (self, job, n_ranks, groups);
  if (tt_step_plan_count_edges (&plan) > TT_STEP_MAX_EDGES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "a step on %u GPUs would have more than %u dependencies", n_ranks,
                   TT_STEP_MAX_EDGES);
      return NULL;
    }
  self->graph = tt_step_graph_new (&plan);
  self->channels_at_once = are_channels_at_once (job, times);
  fill_times (&filler);
  note_assumptions (&filler, n_ranks, known > 0 || per_host > 0);
  self->notes = g_steal_pointer (&notes.texts);
  return g_steal_pointer (&self);
}
