/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/network.h"

#include "src/base/error.h"

#include <math.h>
#include <string.h>

/* A chunk of a ring is at most half of NCCL_BUFFSIZE. */
#define MAX_RING_CHUNK (2.0 * 1024 * 1024)
/* Groups that are fitted, and SENDs that may be played through in all. */
#define MAX_FITTED 6
#define MAX_SENDS 6e6
#define MAX_TRIES 160

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
  g_free (self);
}

TtAllReduce
tt_job_network_collective (const TtJobNetwork *self, guint group)
{
  TtAllReduce collective = self->traced;

  collective.bytes = self->bytes[group];
  collective.n_pieces = self->n_pieces[group];
  return collective;
}

/* -- what was measured --------------------------------------------------------------------------------------------- */

/* Of a group: SENDs of one class. */
typedef struct
{
  double sum_ns;
  guint64 n;
} Sends;

typedef struct
{
  TtJobNetwork *network;
  const TtTrainingJob *job;
  const TtJobMachine *machine; /* or NULL */
  Sends *within, *between;     /* by group */
  guint fitted[MAX_FITTED], n_fitted;
  gboolean is_bus_known;
} Fit;

/* From the last rank's first transfer to the end of the last, in a step; 0: not seen. */
static void
measure_step (Fit *self, guint slot, double *sums, guint *n_seen)
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

static void
measure (Fit *self)
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
          Sends *sends = is_within ? &self->within[node->group] : &self->between[node->group];
          sends->sum_ns += (double) seen[i].dur_ns;
          sends->n++;
          network->has_within = network->has_within || is_within;
          network->has_between = network->has_between || !is_within;
        }
    }
  for (guint i = 0; i < network->n_groups; i++)
    network->measured_ns[i] = n_seen[i] > 0 ? network->measured_ns[i] / n_seen[i] : 0;
}

/* -- what is known ------------------------------------------------------------------------------------------------- */

/* NICs that connections between hosts go over; whether GPUs of a host have a bus between them, as far as it is told. */
static void
read_transports (Fit *self)
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
read_shapes (Fit *self, GError **error)
{
  TtJobNetwork *network = self->network;
  const TtStepPlan *plan = &self->job->plan->step;
  guint per_host = tt_job_gpus_per_host (self->job);

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

/* -- fitting ------------------------------------------------------------------------------------------------------- */

static int
compare_doubles (gconstpointer a, gconstpointer b, gpointer data)
{
  const double *values = data;
  double x = values[*(const guint *) a], y = values[*(const guint *) b];

  return x < y ? -1 : x > y ? 1 : 0;
}

/* Some of the groups whose bytes are known, of all sizes. */
static void
choose_fitted (Fit *self)
{
  TtJobNetwork *network = self->network;
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (guint));
  double n_sends = 0;

  for (guint i = 0; i < network->n_groups; i++)
    if (network->bytes[i] > 0 && network->measured_ns[i] > 0)
      g_array_append_val (known, i);
  g_array_sort_with_data (known, compare_doubles, network->bytes);
  guint n = MIN (known->len, MAX_FITTED);
  for (guint i = 0; i < n; i++)
    {
      guint group = g_array_index (known, guint, n == 1 ? known->len - 1 : i * (known->len - 1) / (n - 1));
      const TtAllReduce collective = tt_job_network_collective (network, group);
      n_sends += tt_collective_n_sends (&collective) * MAX_TRIES;
      if (self->n_fitted > 0 && n_sends > MAX_SENDS)
        break;
      self->fitted[self->n_fitted++] = group;
    }
}

static double
square_log (double played, double measured)
{
  if (played <= 0 || measured <= 0)
    return 0;
  double ln = log (played / measured);
  return ln * ln;
}

static double
mean_of (const Sends *sends)
{
  return sends->n > 0 ? sends->sum_ns / (double) sends->n : 0;
}

static double
cost_of (const Fit *self, const TtNetworkModel *model)
{
  double whole = 0, asked = 0, wire = 0;

  for (guint i = 0; i < self->n_fitted; i++)
    {
      guint group = self->fitted[i];
      const TtAllReduce collective = tt_job_network_collective (self->network, group);
      const TtCollectiveTimes times = tt_collective_play (&collective, model);
      double within = mean_of (&self->within[group]), between = mean_of (&self->between[group]);
      whole += 4 * square_log (times.ns, self->network->measured_ns[group]);
      if (times.within.n > 0)
        whole += square_log (times.within.sum_ns / (double) times.within.n, within);
      if (times.between.n > 0)
        {
          asked += square_log (times.between.sum_ns / (double) times.between.n, between);
          wire += square_log (times.between.wire_ns / (double) times.between.n, between);
        }
    }
  return whole + MIN (asked, wire);
}

/* What is not known of it: where the links are, the limit is not. */
static double *
free_bandwidth (TtLinkModel *link)
{
  return link->limit_bytes_per_ns > 0 ? &link->limit_bytes_per_ns : &link->bytes_per_ns;
}

/* Changes one number at a time, by less and less. */
static double
descend (const Fit *self, TtNetworkModel *model)
{
  static const double factors[] = { 2, 1.5, 1.25, 1.1, 1.04, 1.015 };
  double *numbers[5], best = cost_of (self, model);
  guint n = 0, n_tries = 0;

  if (self->network->has_within)
    {
      numbers[n++] = free_bandwidth (&model->within);
      numbers[n++] = &model->within.latency_ns;
    }
  if (self->network->has_between)
    {
      numbers[n++] = free_bandwidth (&model->between);
      numbers[n++] = &model->between.latency_ns;
    }
  numbers[n++] = &model->slice_ns;
  for (guint step = 0; step < G_N_ELEMENTS (factors); step++)
    for (gboolean is_better = TRUE, again = 0; is_better && again < 3 && n_tries < MAX_TRIES; again++)
      {
        is_better = FALSE;
        for (guint k = 0; k < 2 * n && n_tries < MAX_TRIES; k++)
          {
            double kept = *numbers[k / 2];
            *numbers[k / 2] = k % 2 == 0 ? kept * factors[step] : kept / factors[step];
            double cost = cost_of (self, model);
            n_tries++;
            if (cost < best * (1 - 1e-9))
              {
                best = cost;
                is_better = TRUE;
              }
            else
              *numbers[k / 2] = kept;
          }
      }
  return best;
}

/* A bandwidth to begin with: that of the largest group's SENDs. */
static double
first_guess (const Fit *self, const Sends *sends)
{
  const TtJobNetwork *network = self->network;
  guint group = self->fitted[self->n_fitted - 1];
  const TtAllReduce collective = tt_job_network_collective (network, group);
  double n_sends = tt_collective_n_sends (&collective);
  double bytes = 2.0 * (self->job->n_ranks - 1) * collective.bytes;
  double ns = mean_of (&sends[group]);

  return ns > 0 && n_sends > 0 ? MAX (bytes / n_sends / ns, 1e-3) : 10;
}

/* -- who shares links ---------------------------------------------------------------------------------------------- */

/* Ports are shared on most machines: another way must explain the times clearly better. */
#define CLEARLY 0.5
/* How far apart the errors of two ways are, of which the trace does not tell which is right. */
#define ALIKE 0.02

typedef struct
{
  TtNetworkModel model;
  double cost;
} Way;

/* How far off, and for each class of links that is not as usual half of what cannot be told more: more numbers fit better. */
static double
score_of (const Fit *self, const Way *way, const TtNetworkModel *usual)
{
  guint n_unusual = (way->model.within.sharing != usual->within.sharing || way->model.within.limit_bytes_per_ns > 0) +
                    (way->model.between.sharing != usual->between.sharing || way->model.between.limit_bytes_per_ns > 0);

  return sqrt (way->cost / self->n_fitted) + n_unusual * ALIKE / 2;
}

/* The chosen one and those that cannot be told from it. */
static void
choose_way (const Fit *self, const Way *ways, guint n, const TtNetworkModel *usual)
{
  TtJobNetwork *network = self->network;
  guint best = 0;

  for (guint i = 1; i < n; i++)
    if (score_of (self, &ways[i], usual) < score_of (self, &ways[best], usual) &&
        (best > 0 || ways[i].cost < ways[0].cost * CLEARLY))
      best = i;
  network->model = ways[best].model;
  double most = sqrt (ways[best].cost / self->n_fitted) + ALIKE;
  for (guint i = 0; i < n; i++)
    if (i != best && ways[i].cost <= most * most * self->n_fitted && network->n_others < TT_NETWORK_MAX_OTHERS)
      network->others[network->n_others++] = ways[i].model;
}

static double
told_within (const Fit *self)
{
  return self->machine != NULL && self->network->has_within ? self->machine->within_bytes_per_ns : 0;
}

static double
told_between (const Fit *self)
{
  return self->machine != NULL && self->network->has_between ? self->machine->between_bytes_per_ns : 0;
}

/* Leaves those that do not go with what is told, if any does. */
static guint
keep_told (Fit *self, Way *ways, guint n)
{
  guint kept = 0;

  for (guint i = 0; i < n; i++)
    if (!tt_job_machine_contradicts (&ways[i].model.within, told_within (self)) &&
        !tt_job_machine_contradicts (&ways[i].model.between, told_between (self)))
      ways[kept++] = ways[i];
  self->network->is_contradicted = kept == 0;
  return kept > 0 ? kept : n;
}

/* The first is what is told, or usual. */
static void
fit (Fit *self)
{
  static const TtLinkSharing sharings[] = { TT_LINK_OF_PORT, TT_LINK_OF_CHANNEL, TT_LINK_OF_HOST };
  TtJobNetwork *network = self->network;
  TtLinkSharing told = network->model.within.sharing;
  guint n_within = network->has_within && network->traced.n_gpus > 1 ? G_N_ELEMENTS (sharings) : 1, n = 1;
  Way ways[1 + TT_NETWORK_MAX_OTHERS];

  const TtNetworkModel first = { .within = { 3000, first_guess (self, self->within), told, 0 },
                                 .between = { 10000, first_guess (self, self->between), TT_LINK_OF_PORT, 0 },
                                 .slice_ns = 1000 };
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    ways[i].model = first;
  for (guint i = 0; i < n_within; i++)
    for (guint k = 0; k < (network->has_between ? 2 : 1); k++)
      {
        TtLinkSharing within = n_within == 1 ? told : sharings[i];
        if ((within == told && sharings[k] == TT_LINK_OF_PORT) ||
            (self->is_bus_known && within != told && within != TT_LINK_OF_CHANNEL))
          continue;
        ways[n].model.within.sharing = within;
        ways[n].model.between.sharing = sharings[k];
        tt_job_machine_limit_channels (&ways[n].model.within, told_within (self), told);
        tt_job_machine_limit_channels (&ways[n++].model.between, told_between (self), TT_LINK_OF_PORT);
      }
  for (guint i = 0; i < n; i++)
    ways[i].cost = descend (self, &ways[i].model);
  choose_way (self, ways, keep_told (self, ways, n), &first);
}

/* -- links that were not traced ------------------------------------------------------------------------------------ */

static void
suppose_all (const Fit *self)
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
      sum += square_log (self->played_ns[i], self->measured_ns[i]);
      n++;
    }
  self->residual = n > 0 ? sqrt (sum / n) : 0;
}

TtJobNetwork *
tt_job_network_new (const TtTrainingJob *job, const TtJobMachine *machine, GError **error)
{
  g_autoptr (TtJobNetwork) self = g_new0 (TtJobNetwork, 1);
  guint n = job->plan->step.n_groups;
  g_autofree Sends *within = g_new0 (Sends, (gsize) n + 1);
  g_autofree Sends *between = g_new0 (Sends, (gsize) n + 1);
  Fit own = { .network = self, .job = job, .machine = machine, .within = within, .between = between };

  self->n_groups = n;
  self->bytes = g_new0 (double, (gsize) n + 1);
  self->n_pieces = g_new0 (guint, (gsize) n + 1);
  self->measured_ns = g_new0 (double, (gsize) n + 1);
  self->played_ns = g_new0 (double, (gsize) n + 1);
  if (!read_shapes (&own, error))
    return NULL;
  read_transports (&own);
  measure (&own);
  choose_fitted (&own);
  if (own.n_fitted == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "the network cannot be told from the traces: how many bytes tensors have is not known");
      return NULL;
    }
  fit (&own);
  suppose_all (&own);
  play_all (self);
  return g_steal_pointer (&self);
}
