#include "config.h"

#include "analyzers/job-scaling.h"

#include "src/error.h"

#include <string.h>

#define MOST_NODES (1u << 24)

typedef struct
{
  tt_int128 avg_ns, operator_gap_ns, comm_gap_ns, after_send_ns, latency_ns, turnaround_ns, update_gap_ns;
  gint64 begin_ns, end_ns; /* seen, over all of them */
  guint64 cnt;
} Sum;

void
tt_scaled_job_free (TtScaledJob *self)
{
  if (self == NULL)
    return;
  tt_nccl_free (self->nccl);
  g_strfreev (self->pids);
  tt_job_graph_free (self->graph);
  g_free (self->times);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

static void G_GNUC_PRINTF (2, 3) note (TtScaledJob *self, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  g_ptr_array_add (self->notes, g_strdup_vprintf (format, values));
  va_end (values);
}

/* -- hosts ------------------------------------------------------------------------------------------- */

/* "host0" of "host0.rank1". */
static gboolean
is_same_host (const char *a, const char *b)
{
  gsize len = strcspn (a, ".");

  return strcspn (b, ".") == len && strncmp (a, b, len) == 0;
}

/* 0: hosts have different numbers of GPUs, or their ranks do not follow each other. */
static guint
gpus_per_host (const TtTrainingJob *job)
{
  guint n = 1;

  while (n < job->n_ranks && is_same_host (job->pids[0], job->pids[n]))
    n++;
  for (guint rank = 0; rank < job->n_ranks; rank++)
    if (!is_same_host (job->pids[rank - rank % n], job->pids[rank]) ||
        (rank % n == 0 && rank > 0 && is_same_host (job->pids[rank - 1], job->pids[rank])))
      return 0;
  return job->n_ranks % n == 0 ? n : 0;
}

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
  self->nccl = tt_nccl_new ();
  for (guint channel = 0; channel < n_channels; channel++)
    for (guint rank = 0; rank < n_ranks; rank++)
      {
        g_autofree char *text = g_strdup_printf ("%u[0] -> %u[0] [send] via ring", rank, (rank + 1) % n_ranks);
        gint own;
        if (!tt_nccl_add_ring (self->nccl, TT_NCCL_RING, channel, text, &own, error))
          return FALSE;
      }
  tt_nccl_join (self->nccl);
  return TRUE;
}

/* -- times ------------------------------------------------------------------------------------------- */

static void
add_times (Sum *sum, const TtJobTimes *times)
{
  sum->avg_ns += times->avg_ns;
  sum->operator_gap_ns += times->operator_gap_ns;
  sum->comm_gap_ns += times->comm_gap_ns;
  sum->after_send_ns += times->after_send_ns;
  sum->latency_ns += times->latency_ns;
  sum->turnaround_ns += times->turnaround_ns;
  sum->update_gap_ns += times->update_gap_ns;
  if (times->seen_begin_ns != TT_NO_TIME)
    {
      sum->begin_ns = sum->begin_ns == TT_NO_TIME ? times->seen_begin_ns : MIN (sum->begin_ns, times->seen_begin_ns);
      sum->end_ns = MAX (sum->end_ns, times->seen_end_ns);
    }
  sum->cnt++;
}

static TtJobTimes
mean_times (const Sum *sum)
{
  return (TtJobTimes){
    .avg_ns = tt_average_ns (sum->avg_ns, sum->cnt),
    .operator_gap_ns = tt_average_ns (sum->operator_gap_ns, sum->cnt),
    .comm_gap_ns = tt_average_ns (sum->comm_gap_ns, sum->cnt),
    .seen_begin_ns = sum->begin_ns,
    .seen_end_ns = sum->end_ns,
    .after_send_ns = tt_average_ns (sum->after_send_ns, sum->cnt),
    .latency_ns = tt_average_ns (sum->latency_ns, sum->cnt),
    .turnaround_ns = tt_average_ns (sum->turnaround_ns, sum->cnt),
    .update_gap_ns = tt_average_ns (sum->update_gap_ns, sum->cnt),
  };
}

/* A SEND to, or RECV from, another host? */
static gboolean
is_between_hosts (const TtNccl *nccl, const TtJobNode *node, const char *const *pids)
{
  gint rank = (gint) node->rank;
  gint other =
      node->kind == TT_JOB_SEND ? tt_nccl_next (nccl, node->channel, rank) : tt_nccl_prev (nccl, node->channel, rank);

  return other != TT_NCCL_NONE && !is_same_host (pids[rank], pids[other]);
}

/* "name", and for transfers whether they leave the host. */
static const char *
key_of (const TtNccl *nccl, const TtJobNode *node, const char *const *pids, GStringChunk *keys)
{
  g_autofree char *key = NULL;

  if (node->kind != TT_JOB_SEND && node->kind != TT_JOB_RECV)
    return g_string_chunk_insert_const (keys, node->name);
  key = g_strconcat (node->name, is_between_hosts (nccl, node, pids) ? ">" : "", NULL);
  return g_string_chunk_insert_const (keys, key);
}

static void
fill_times (TtScaledJob *self, const TtTrainingJob *job, const TtJobTimes *times, guint n_ranks)
{
  g_autoptr (GHashTable) sums = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GStringChunk *keys = g_string_chunk_new (4096);
  guint64 n_unlike = 0;

  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (job->graph, i);
      if (node->rank == TT_JOB_NO_RANK)
        continue;
      const char *key = key_of (job->nccl, node, job->graph->pids, keys);
      Sum *sum = g_hash_table_lookup (sums, key);
      if (sum == NULL)
        {
          sum = g_new0 (Sum, 1);
          sum->begin_ns = sum->end_ns = TT_NO_TIME;
          g_hash_table_insert (sums, (gpointer) key, sum);
        }
      add_times (sum, &times[i]);
    }
  self->times = g_new0 (TtJobTimes, self->graph->nodes->len);
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (self->graph, i);
      gboolean is_transfer = node->kind == TT_JOB_SEND || node->kind == TT_JOB_RECV;
      if (node->rank == TT_JOB_NO_RANK)
        continue;
      const char *key = key_of (self->nccl, node, self->graph->pids, keys);
      const Sum *sum = g_hash_table_lookup (sums, key);
      if (sum == NULL && is_transfer)
        {
          g_autofree char *other =
              g_str_has_suffix (key, ">") ? g_strndup (key, strlen (key) - 1) : g_strconcat (key, ">", NULL);
          sum = g_hash_table_lookup (sums, g_string_chunk_insert_const (keys, other));
          n_unlike++;
        }
      self->times[i] =
          sum == NULL ? (TtJobTimes){ .seen_begin_ns = TT_NO_TIME, .seen_end_ns = TT_NO_TIME } : mean_times (sum);
      if (!is_transfer)
        continue;
      /* Groups keep their order; in which order the pieces of a larger or smaller ring would be sent is not known. */
      self->times[i].seen_begin_ns = self->times[i].seen_end_ns = TT_NO_TIME;
      self->times[i].avg_ns = tt_average_ns ((tt_int128) self->times[i].avg_ns * job->n_ranks, n_ranks);
    }
  if (n_unlike > 0)
    note (self, "transfers within a host, or between hosts, were never traced: they are taken to be like the others");
  g_string_chunk_free (keys);
}

/* -- all --------------------------------------------------------------------------------------------- */

static gboolean
check_rings (const TtTrainingJob *job, GError **error)
{
  const TtJobPlan *plan = job->plan;
  gboolean are_rings = job->nccl != NULL && job->n_ranks > 1 && plan->n_groups > 0 && job->graph->n_without_ring == 0;

  for (guint i = 0; i < plan->n_groups; i++)
    are_rings = are_rings && plan->groups[i].algo == TT_JOB_ALGO_RING;
  if (!are_rings)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "another number of GPUs can be tried only where the traces show transfers over rings");
  return are_rings;
}

TtScaledJob *
tt_scaled_job_new (const TtTrainingJob *job, const TtJobTimes *times, guint n_ranks, GError **error)
{
  g_autoptr (TtScaledJob) self = g_new0 (TtScaledJob, 1);
  TtJobPlan plan = *job->plan;
  guint n_channels = 0, per_host;
  guint64 n_nodes = (guint64) n_ranks * plan.n_local;

  self->notes = g_ptr_array_new_with_free_func (g_free);
  if (!check_rings (job, error))
    return NULL;
  g_autofree TtJobGroup *groups = g_memdup2 (plan.groups, plan.n_groups * sizeof *groups);
  for (guint i = 0; i < plan.n_groups; i++)
    {
      groups[i].n_chunks = tt_ring_steps (n_ranks);
      n_channels = MAX (n_channels, groups[i].n_channels);
      n_nodes +=
          (guint64) n_ranks * groups[i].n_chunks * groups[i].n_loops * groups[i].n_channels * groups[i].n_slices * 2;
    }
  if (n_nodes > MOST_NODES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "a step on %u GPUs would have %" G_GUINT64_FORMAT " operations, more than %u", n_ranks, n_nodes,
                   MOST_NODES);
      return NULL;
    }
  per_host = gpus_per_host (job);
  name_ranks (self, n_ranks, per_host > 0 ? per_host : 1);
  if (n_ranks > 1 && !make_rings (self, n_ranks, n_channels, error))
    return NULL;
  plan.n_ranks = n_ranks;
  plan.n_places = 0;
  plan.pids = (const char *const *) self->pids;
  plan.nccl = self->nccl;
  plan.groups = groups;
  if (n_ranks == 1)
    plan.n_groups = 0;
  self->graph = tt_job_graph_new (&plan);
  fill_times (self, job, times, n_ranks);
  if (per_host == 0)
    note (self, "hosts with different numbers of GPUs: each GPU is taken to be on a host of its own");
  if (n_ranks == 1)
    note (self, "on 1 GPU nothing is communicated");
  else
    note (self,
          "on %u GPUs: operators take what they took on average; a chunk is %u/%u of what it was, and so is the time "
          "of its transfer; %u %s a host, in one ring",
          n_ranks, job->n_ranks, n_ranks, per_host > 0 ? per_host : 1, per_host > 1 ? "GPUs" : "GPU");
  return g_steal_pointer (&self);
}
