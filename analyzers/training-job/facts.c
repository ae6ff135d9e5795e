#include "config.h"

#include "analyzers/training-job/private.h"

#include <string.h>

/* -- what was traced ------------------------------------------------------------------------------------- */

TtJobCell *
tt_job_cell_of_text (const TtJobParts *self, guint32 rank, const char *text)
{
  guint32 name = GPOINTER_TO_UINT (g_hash_table_lookup (self->name_of, text));

  return name == 0 ? NULL : tt_job_cell (self, rank, name);
}

TtJobCell *
tt_job_cell_of_node (const TtJobParts *self, const TtStepNode *node)
{
  if (node->peer != TT_STEP_NO_RANK && self->ways != NULL)
    {
      TtJobCell *way = &self->ways[node - (const TtStepNode *) (gconstpointer) self->job->graph->nodes->data];
      return way->cnt > 0 ? way : NULL;
    }
  g_autofree char *text = g_strconcat (node->name, node->parts.suffix == NULL ? NULL : "~>", node->parts.suffix, NULL);

  return node->rank == TT_STEP_NO_RANK ? NULL : tt_job_cell_of_text (self, node->rank, text);
}

static void
average (TtJobNodeFacts *facts)
{
  facts->avg_ns = tt_average_ns (facts->sum_ns, facts->cnt);
}

/* Each member of a fused group has a QUEUE of its own in the traces: the group's is their mean. */
static void
fill_from_members (TtJobParts *self, const TtStepNode *node, TtJobNodeFacts *facts)
{
  const TtJobShape *shape = &g_array_index (self->job->shapes, TtJobShape, node->group);
  const char *sub_op = node->parts.sub_op;
  tt_int128 sum_ns = 0;
  guint n = 0;

  for (guint i = 0; shape->tensors[i] != NULL; i++)
    {
      g_autofree char *text = g_strdup_printf ("Comm.%s.%s", shape->tensors[i], sub_op);
      const TtJobCell *cell = tt_job_cell_of_text (self, node->rank, text);
      if (cell != NULL)
        {
          /* In thousandths of a ns, so that the mean of means is rounded once. */
          sum_ns += cell->sum_ns * 1000 / (gint64) cell->cnt;
          facts->cnt += cell->cnt;
          facts->sum_ns += cell->sum_ns;
        }
      n++;
    }
  facts->avg_ns = tt_average_ns (sum_ns, (guint64) n * 1000);
}

static char *
piece_key (guint32 rank, const char *name)
{
  return g_strdup_printf ("%u %s", rank, name);
}

/* All SENDs, and all RECVs, of a group on a rank: piece_key () -> TtJobNodeFacts. */
static GHashTable *
sum_pieces (const TtJobParts *self)
{
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < self->cells->len; i++)
    {
      const TtJobCell *cell = &g_array_index (self->cells, TtJobCell, i);
      if (self->kinds[cell->name] != TT_STEP_NODE_SEND && self->kinds[cell->name] != TT_STEP_NODE_RECV)
        continue;
      g_autofree char *key = piece_key (cell->rank, tt_store_name (self->store, cell->name)->text);
      TtJobNodeFacts *sum = g_hash_table_lookup (sums, key);
      if (sum == NULL)
        {
          sum = g_new0 (TtJobNodeFacts, 1);
          g_hash_table_insert (sums, g_steal_pointer (&key), sum);
        }
      sum->cnt += cell->cnt;
      sum->sum_ns += cell->sum_ns;
    }
  return sums;
}

/* A transfer of a tree that could not be told from the others of its piece takes what all of its kind take. */
static void
fill_from_pieces (TtJobParts *self, const TtStepNode *node, TtJobNodeFacts *facts)
{
  if (self->piece_sums == NULL)
    self->piece_sums = sum_pieces (self);

  g_autofree char *key = piece_key (node->rank, node->name);
  const TtJobNodeFacts *sum = g_hash_table_lookup (self->piece_sums, key);
  if (sum == NULL)
    return;
  facts->cnt = sum->cnt;
  facts->sum_ns = sum->sum_ns;
  average (facts);
}

static void
fill_node (TtJobParts *self, guint32 number)
{
  const TtStepNode *node = tt_step_node (self->job->graph, number);
  TtJobNodeFacts *facts = &self->job->facts[number];
  const TtJobCell *cell = tt_job_cell_of_node (self, node);

  if (node->kind == TT_STEP_NODE_SYNC || node->rank == TT_STEP_NO_RANK)
    return;
  if (cell != NULL)
    {
      facts->cnt = cell->cnt;
      facts->sum_ns = cell->sum_ns;
      if (tt_job_is_link_kind (node->kind))
        facts->comm_comm = cell->gap;
      else
        facts->operator_operator = cell->gap;
      average (facts);
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

static Backward
backward_new (const TtStepGraph *graph)
{
  guint32 n = graph->nodes->len;
  Backward self = { g_new0 (guint32, (gsize) n + 1), g_new (guint32, graph->edges->len) };

  for (guint i = 0; i < graph->edges->len; i++)
    self.first[g_array_index (graph->edges, TtStepEdge, i).to + 1]++;
  for (guint32 i = 0; i < n; i++)
    self.first[i + 1] += self.first[i];
  g_autofree guint32 *at = g_memdup2 (self.first, (gsize) n * sizeof *at);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      self.from[at[edge->to]++] = edge->from;
    }
  return self;
}

/* The latest end in the typical step of the BW operators that @node waits for on its own rank, through nodes that
 * take no time; TT_NO_TIME: there is none. */
static gint64
latest_gradient (TtJobParts *self, const Backward *backward, guint32 node)
{
  const TtStepGraph *graph = self->job->graph;
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint32 rank = tt_step_node (graph, node)->rank;
  gint64 latest_ns = TT_NO_TIME;

  g_array_append_val (stack, node);
  while (stack->len > 0)
    {
      guint32 at = g_array_index (stack, guint32, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      for (guint32 i = backward->first[at]; i < backward->first[at + 1]; i++)
        {
          guint32 from = backward->from[i];
          const TtStepNode *before = tt_step_node (graph, from);
          const TtJobCell *cell = before->kind == TT_STEP_NODE_BW ? tt_job_cell_of_node (self, before) : NULL;

          if (before->rank != rank || !g_hash_table_add (seen, GUINT_TO_POINTER (from)))
            continue;
          if (cell != NULL && cell->typical_end_ns != TT_NO_TIME)
            latest_ns = MAX (latest_ns, cell->typical_end_ns);
          else if (self->job->facts[from].avg_ns == 0)
            g_array_append_val (stack, from);
        }
    }
  return latest_ns;
}

static guint32
find_node (TtJobParts *self, guint32 rank, const TtJobCell *cell)
{
  const TtStepGraph *graph = self->job->graph;
  const TtStoredName *name = tt_store_name (self->store, cell->name);
  const char *group = g_hash_table_lookup (self->group_of, name->op_name);
  g_autofree char *text = g_strdup_printf ("Comm.%s%s%s", group != NULL ? group : name->op_name,
                                           name->sub_op != NULL ? "." : "", name->sub_op != NULL ? name->sub_op : "");

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->rank == rank && strcmp (node->name, text) == 0 && g_strcmp0 (node->parts.suffix, name->suffix) == 0)
        return i;
    }
  return TT_NO_TASK;
}

/* operatorGAPComm: from the last gradient that the rank's first communication of the typical step waits for. */
static void
fill_comm_gaps (TtJobParts *self, const Backward *backward)
{
  const TtStepGraph *graph = self->job->graph;

  for (guint rank = 0; rank < self->job->n_ranks; rank++)
    {
      guint number = g_array_index (self->first_comm, guint, rank);
      const TtJobCell *cell = number == 0 ? NULL : &g_array_index (self->cells, TtJobCell, number - 1);
      guint32 node = cell == NULL ? TT_NO_TASK : find_node (self, rank, cell);
      gint64 gradient_ns = node == TT_NO_TASK ? TT_NO_TIME : latest_gradient (self, backward, node);

      if (gradient_ns == TT_NO_TIME)
        continue;
      for (guint32 i = 0; i < graph->nodes->len; i++)
        if (tt_step_node (graph, i)->kind == TT_STEP_NODE_SYNC && tt_step_node (graph, i)->rank == rank)
          self->job->facts[i].operator_comm = (TtJobGap){ MAX (cell->typical_ts_ns - gradient_ns, 0), 1 };
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
same_transfer (gconstpointer a, gconstpointer b)
{
  const TransferKey *x = a, *y = b;

  return x->node == y->node && x->step == y->step;
}

/* The transfers by node and step; of several in one step the last. */
static GHashTable *
index_transfers (const TtJobParts *self)
{
  GHashTable *table = g_hash_table_new_full (hash_transfer, same_transfer, g_free, NULL);

  for (guint i = 0; i < self->transfers->len; i++)
    {
      TtJobTransfer *transfer = &g_array_index (self->transfers, TtJobTransfer, i);
      TransferKey *place = g_new (TransferKey, 1);

      *place = (TransferKey){ transfer->node, transfer->step };
      g_hash_table_replace (table, place, transfer);
    }
  return table;
}

/* @as_dpro: the mean is that of the steps before the last in which both were traced. */
static void
clip_receive (TtTrainingJob *job, GHashTable *transfers, const TtStepEdge *edge, gboolean as_dpro)
{
  TtJobNodeFacts *facts = &job->facts[edge->to], kept = *facts;

  kept.cnt = 0;
  kept.sum_ns = 0;
  for (gint32 step = 0; step < (gint32) job->n_steps - as_dpro; step++)
    {
      const TransferKey send_key = { edge->from, step }, recv_key = { edge->to, step };
      const TtJobTransfer *send = g_hash_table_lookup (transfers, &send_key);
      const TtJobTransfer *recv = g_hash_table_lookup (transfers, &recv_key);
      gint64 cut_ns = 0;

      if (send == NULL || recv == NULL)
        continue;
      if (send->ts_ns > recv->ts_ns)
        {
          cut_ns = MIN (send->ts_ns - recv->ts_ns, recv->dur_ns);
          facts->sum_ns -= cut_ns;
          job->clipped_ns += cut_ns;
          job->n_clipped++;
        }
      kept.cnt++;
      kept.sum_ns += recv->dur_ns - cut_ns;
    }
  if (as_dpro && kept.cnt > 0)
    *facts = kept;
  average (facts);
}

/* Section 7.4: a RECV that began before its SEND has only waited until then. */
static void
clip_receives (TtJobParts *self)
{
  TtTrainingJob *job = self->job;
  g_autoptr (GHashTable) transfers = index_transfers (self);
  for (guint i = 0; i < job->graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (job->graph->edges, TtStepEdge, i);
      if (tt_step_node (job->graph, edge->from)->kind != TT_STEP_NODE_SEND ||
          tt_step_node (job->graph, edge->to)->kind != TT_STEP_NODE_RECV)
        continue;
      clip_receive (job, transfers, edge, self->options->recv == TT_RECV_AS_DPRO);
    }
}

/* -- all ------------------------------------------------------------------------------------------------------------ */

void
tt_job_fill_facts (TtJobParts *self)
{
  TtTrainingJob *job = self->job;
  guint32 n = job->graph->nodes->len;
  Backward backward = backward_new (job->graph);

  job->facts = g_new0 (TtJobNodeFacts, n);
  job->times = g_new0 (TtStepNodeTimes, n);
  tt_job_place_transfers (self);
  for (guint32 i = 0; i < n; i++)
    fill_node (self, i);
  fill_comm_gaps (self, &backward);
  if (self->options->recv != TT_RECV_AS_TRACED)
    clip_receives (self);
  for (guint32 i = 0; i < n; i++)
    job->times[i] = (TtStepNodeTimes){
      .avg_ns = job->facts[i].avg_ns,
      .operator_gap_ns = tt_average_ns (job->facts[i].operator_operator.sum_ns, job->facts[i].operator_operator.cnt),
      .comm_gap_ns = tt_average_ns (job->facts[i].operator_comm.sum_ns, job->facts[i].operator_comm.cnt),
      .link_gap_ns = tt_average_ns (job->facts[i].comm_comm.sum_ns, job->facts[i].comm_comm.cnt),
    };
  tt_job_fill_transfers (self);
  tt_job_fill_group_gaps (self);
  tt_job_fill_leads (self);
  g_free (backward.first);
  g_free (backward.from);
}
