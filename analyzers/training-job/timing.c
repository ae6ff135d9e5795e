/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/timing.h"

#include "analyzers/training-job/timing-parts.h"
#include "graphs/graph.h"

#include <string.h>

/* What the functions here work on. */
typedef struct
{
  TtJobTiming *result;
  TtStore *store;
  const TtJobTimingInput *input;
  const TtJobNodeSamples *samples;
  const TtStepGraph *graph;
  GHashTable *piece_sums; /* of transfers that could not be matched piece by piece; NULL: none needed yet */
} Timer;

static void
set_average (TtJobNodeFacts *facts)
{
  facts->avg_ns = tt_average_ns (facts->sum_ns, facts->cnt);
}

/* -- averages -------------------------------------------------------------------------------------------------- */

/* Each member of a fused group has a QUEUE of its own in the traces: the group's is their mean. */
static void
fill_from_members (const Timer *self, const TtStepNode *node, TtJobNodeFacts *facts)
{
  const TtJobShape *shape = &g_array_index (self->input->plan->shapes, TtJobShape, node->group);
  tt_int128 sum_ns = 0;
  guint n = 0;

  for (guint i = 0; shape->tensors[i] != NULL; i++)
    {
      const TtJobSamples *samples = tt_job_node_samples_of_member (self->samples, node, shape->tensors[i]);
      if (samples != NULL)
        {
          /* In thousandths of a ns, so that the mean of means is rounded once. */
          sum_ns += samples->sum_ns * 1000 / (gint64) samples->cnt;
          facts->cnt += samples->cnt;
          facts->sum_ns += samples->sum_ns;
        }
      n++;
    }
  facts->avg_ns = tt_average_ns (sum_ns, (guint64) n * 1000);
}

static char *
piece_key (guint32 endpoint, const char *name)
{
  return g_strdup_printf ("%u %s", endpoint, name);
}

/* All SENDs, and all RECVs, of a group on a rank: piece_key () -> TtJobNodeFacts. */
static GHashTable *
sum_pieces (const Timer *self)
{
  const GArray *all = self->input->observations->samples;
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < all->len; i++)
    {
      const TtJobSamples *samples = &g_array_index (all, TtJobSamples, i);
      TtStepNodeKind kind = tt_job_names_kind (self->input->names, samples->name);
      if (kind != TT_STEP_NODE_SEND && kind != TT_STEP_NODE_RECV)
        continue;
      g_autofree char *key = piece_key (samples->endpoint, tt_store_name (self->store, samples->name)->text);
      TtJobNodeFacts *sum = g_hash_table_lookup (sums, key);
      if (sum == NULL)
        {
          sum = g_new0 (TtJobNodeFacts, 1);
          g_hash_table_insert (sums, g_steal_pointer (&key), sum);
        }
      sum->cnt += samples->cnt;
      sum->sum_ns += samples->sum_ns;
    }
  return sums;
}

/* A transfer of a tree that could not be matched gets the average of all transfers of its kind and group on the
 * rank. */
static void
fill_from_pieces (Timer *self, const TtStepNode *node, TtJobNodeFacts *facts)
{
  if (self->piece_sums == NULL)
    self->piece_sums = sum_pieces (self);

  g_autofree char *key = piece_key (node->rank, node->name);
  const TtJobNodeFacts *sum = g_hash_table_lookup (self->piece_sums, key);
  if (sum == NULL)
    return;
  facts->cnt = sum->cnt;
  facts->sum_ns = sum->sum_ns;
  set_average (facts);
}

static void
fill_node (Timer *self, guint32 number)
{
  const TtStepNode *node = tt_step_node (self->graph, number);
  TtJobNodeFacts *facts = &self->result->facts[number];
  const TtJobSamples *samples = self->samples->of_node[number];

  if (node->kind == TT_STEP_NODE_SYNC || node->rank == TT_STEP_NO_RANK)
    return;
  if (samples != NULL)
    {
      facts->cnt = samples->cnt;
      facts->sum_ns = samples->sum_ns;
      if (tt_step_node_is_link_transfer (node->kind))
        facts->comm_comm = samples->gap;
      else
        facts->operator_operator = samples->gap;
      set_average (facts);
    }
  else if (node->group != TT_STEP_NO_GROUP && node->parts.suffix == NULL)
    fill_from_members (self, node, facts);
  else if (node->group != TT_STEP_NO_GROUP)
    fill_from_pieces (self, node, facts);
}

/* -- gaps between operators and communication --------------------------------------------------------------- */

/* Edges by destination: those into node n are first[n] .. first[n + 1]. */
typedef struct
{
  guint32 *first, *from;
} Backward;

static void
backward_init (Backward *self, const TtStepGraph *graph)
{
  guint32 n = graph->nodes->len;

  *self = (Backward){ g_new0 (guint32, (gsize) n + 1), g_new (guint32, graph->edges->len) };
  for (guint i = 0; i < graph->edges->len; i++)
    self->first[g_array_index (graph->edges, TtStepEdge, i).to + 1]++;
  for (guint32 i = 0; i < n; i++)
    self->first[i + 1] += self->first[i];
  g_autofree guint32 *at = g_memdup2 (self->first, (gsize) n * sizeof *at);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      self->from[at[edge->to]++] = edge->from;
    }
}

static void
backward_clear (Backward *self)
{
  g_free (self->first);
  g_free (self->from);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Backward, backward_clear)

/* The latest end in the typical step of the BW operators that @node waits for on its own rank, through nodes that
 * take no time; TT_NO_TIME: there is none. */
static gint64
find_latest_gradient (const Timer *self, const Backward *backward, guint32 node)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) visited = g_hash_table_new (NULL, NULL);
  guint32 rank = tt_step_node (self->graph, node)->rank;
  gint64 latest_ns = TT_NO_TIME;

  g_array_append_val (stack, node);
  while (stack->len > 0)
    {
      guint32 at = g_array_index (stack, guint32, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      for (guint32 i = backward->first[at]; i < backward->first[at + 1]; i++)
        {
          guint32 from = backward->from[i];
          const TtStepNode *before = tt_step_node (self->graph, from);
          const TtJobSamples *samples = before->kind == TT_STEP_NODE_BW ? self->samples->of_node[from] : NULL;

          if (before->rank != rank || !g_hash_table_add (visited, GUINT_TO_POINTER (from)))
            continue;
          if (samples != NULL && samples->typical_end_ns != TT_NO_TIME)
            latest_ns = MAX (latest_ns, samples->typical_end_ns);
          else if (self->result->facts[from].avg_ns == 0)
            g_array_append_val (stack, from);
        }
    }
  return latest_ns;
}

/* The node of the communication of @samples: of its tensor's group, if it has one. */
static guint32
find_comm_node (const Timer *self, guint32 rank, const TtJobSamples *samples)
{
  const TtStoredName *name = tt_store_name (self->store, samples->name);
  const char *group = g_hash_table_lookup (self->input->observations->group_of, name->op_name);
  const char *op_name = group != NULL ? group : name->op_name;

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtNameParts *parts = &tt_step_node (self->graph, i)->parts;
      if (tt_step_node (self->graph, i)->rank == rank && strcmp (parts->op_cat, "Comm") == 0 &&
          g_strcmp0 (parts->op_name, op_name) == 0 && g_strcmp0 (parts->sub_op, name->sub_op) == 0 &&
          g_strcmp0 (parts->suffix, name->suffix) == 0)
        return i;
    }
  return TT_STEP_NO_NODE;
}

/* operatorGAPComm: from the last gradient that the rank's first communication of the typical step waits for. */
static void
fill_comm_gaps (const Timer *self)
{
  const TtJobObservations *observations = self->input->observations;
  g_auto (Backward) backward = { 0 };

  backward_init (&backward, self->graph);
  for (guint rank = 0; rank < self->graph->n_ranks; rank++)
    {
      guint32 first = g_array_index (observations->first_comm, guint32, rank);
      if (first == TT_JOB_NO_SAMPLES)
        continue;
      const TtJobSamples *samples = &g_array_index (observations->samples, TtJobSamples, first);
      guint32 node = find_comm_node (self, rank, samples);
      gint64 gradient_ns = node == TT_STEP_NO_NODE ? TT_NO_TIME : find_latest_gradient (self, &backward, node);

      if (gradient_ns == TT_NO_TIME)
        continue;
      for (guint32 i = 0; i < self->graph->nodes->len; i++)
        if (tt_step_node (self->graph, i)->kind == TT_STEP_NODE_SYNC && tt_step_node (self->graph, i)->rank == rank)
          self->result->facts[i].operator_comm = (TtJobGap){ MAX (samples->typical_ts_ns - gradient_ns, 0), 1 };
    }
}

/* -- clipping --------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 node;
  gint32 step;
} TransferKey;

static guint
hash_transfer (gconstpointer data)
{
  const TransferKey *key = data;

  return key->node * 2654435761u ^ (guint) key->step;
}

static gboolean
equal_transfers (gconstpointer a, gconstpointer b)
{
  const TransferKey *x = a, *y = b;

  return x->node == y->node && x->step == y->step;
}

/* The spans by node and step; of several in one step the last. */
static GHashTable *
index_transfers (const GArray *spans)
{
  GHashTable *table = g_hash_table_new_full (hash_transfer, equal_transfers, g_free, NULL);

  for (guint i = 0; i < spans->len; i++)
    {
      TtJobSpan *span = &g_array_index (spans, TtJobSpan, i);
      TransferKey *key = g_new (TransferKey, 1);

      *key = (TransferKey){ span->node, span->step };
      g_hash_table_replace (table, key, span);
    }
  return table;
}

/* @as_dpro: the mean is that of the steps before the last in which both were traced. */
static void
clip_receive (const Timer *self, GHashTable *transfers, const TtStepEdge *edge, gboolean as_dpro)
{
  TtJobNodeFacts *facts = &self->result->facts[edge->to], kept = *facts;

  kept.cnt = 0;
  kept.sum_ns = 0;
  for (gint32 step = 0; step < (gint32) self->input->observations->n_steps - as_dpro; step++)
    {
      const TransferKey send_key = { edge->from, step }, recv_key = { edge->to, step };
      const TtJobSpan *send = g_hash_table_lookup (transfers, &send_key);
      const TtJobSpan *recv = g_hash_table_lookup (transfers, &recv_key);
      gint64 cut_ns = 0;

      if (send == NULL || recv == NULL)
        continue;
      if (send->ts_ns > recv->ts_ns)
        {
          cut_ns = MIN (send->ts_ns - recv->ts_ns, recv->dur_ns);
          facts->sum_ns -= cut_ns;
          self->result->clipped_ns += cut_ns;
          self->result->n_clipped++;
        }
      kept.cnt++;
      kept.sum_ns += recv->dur_ns - cut_ns;
    }
  if (as_dpro && kept.cnt > 0)
    *facts = kept;
  set_average (facts);
}

/* Section 7.4: a RECV that started before its SEND has only waited until then. */
static void
clip_receives (const Timer *self)
{
  g_autoptr (GHashTable) transfers = index_transfers (self->samples->spans);

  for (guint i = 0; i < self->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (self->graph->edges, TtStepEdge, i);
      if (tt_step_node (self->graph, edge->from)->kind == TT_STEP_NODE_SEND &&
          tt_step_node (self->graph, edge->to)->kind == TT_STEP_NODE_RECV)
        clip_receive (self, transfers, edge, self->input->options->recv == TT_RECV_AS_DPRO);
    }
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

static gint64
average_gap (const TtJobGap *gap)
{
  return tt_average_ns (gap->sum_ns, gap->cnt);
}

static void
fill_times (const Timer *self)
{
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtJobNodeFacts *facts = &self->result->facts[i];

      self->result->times[i] = (TtStepNodeTimes){
        .avg_ns = facts->avg_ns,
        .operator_gap_ns = average_gap (&facts->operator_operator),
        .comm_gap_ns = average_gap (&facts->operator_comm),
        .link_gap_ns = average_gap (&facts->comm_comm),
      };
    }
}

TtJobTiming *
tt_job_timing_new (TtStore *store, const TtJobTimingInput *input)
{
  TtJobTiming *self = g_new0 (TtJobTiming, 1);
  const TtStepGraph *graph = input->plan->graph;
  const TtJobNodeSamplesInput by_node = { input->names, input->topology, input->observations, graph,
                                          input->has_tree_directions };
  g_auto (TtJobNodeSamples) samples = { 0 };
  Timer timer = { .result = self, .store = store, .input = input, .samples = &samples, .graph = graph };

  self->facts = g_new0 (TtJobNodeFacts, graph->nodes->len);
  self->times = g_new0 (TtStepNodeTimes, graph->nodes->len);
  tt_job_node_samples_init (&samples, &by_node);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    fill_node (&timer, i);
  g_clear_pointer (&timer.piece_sums, g_hash_table_unref);
  fill_comm_gaps (&timer);
  if (input->options->recv != TT_RECV_AS_TRACED)
    clip_receives (&timer);
  fill_times (&timer);
  tt_job_fill_transfer_times (self, input, &samples);
  tt_job_fill_group_gaps (self, input, &samples);
  self->steps = tt_job_step_times_new (graph, &samples, input->plan->shapes);
  tt_job_fill_server_delays (self, input, &samples);
  return self;
}

void
tt_job_timing_free (TtJobTiming *self)
{
  if (self == NULL)
    return;
  g_free (self->facts);
  g_free (self->times);
  tt_job_step_times_free (self->steps);
  g_free (self);
}
