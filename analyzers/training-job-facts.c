#include "config.h"

#include "analyzers/training-job-private.h"

#include <string.h>

/* -- what was traced ------------------------------------------------------------------------------------- */

static TtJobCell *
cell_of_text (const TtJobParts *self, guint32 rank, const char *text)
{
  guint32 name = GPOINTER_TO_UINT (g_hash_table_lookup (self->name_of, text));

  return name == 0 ? NULL : tt_job_cell (self, rank, name);
}

static TtJobCell *
cell_of_node (const TtJobParts *self, const TtJobNode *node)
{
  g_autofree char *text = g_strconcat (node->name, node->suffix == NULL ? NULL : "~>", node->suffix, NULL);

  return node->rank == TT_JOB_NO_RANK ? NULL : cell_of_text (self, node->rank, text);
}

static void
average (TtJobNodeFacts *facts)
{
  facts->avg_ns = tt_average_ns (facts->sum_ns, facts->cnt);
}

/* Each member of a fused group has a QUEUE of its own in the traces: the group's is their mean. */
static void
fill_from_members (TtJobParts *self, const TtJobNode *node, TtJobNodeFacts *facts)
{
  const TtJobShape *shape = &g_array_index (self->job->shapes, TtJobShape, node->group - 1);
  const char *sub_op = strrchr (node->name, '.') + 1;
  tt_int128 sum_ns = 0;
  guint n = 0;

  for (guint i = 0; shape->tensors[i] != NULL; i++)
    {
      g_autofree char *text = g_strdup_printf ("Comm.%s.%s", shape->tensors[i], sub_op);
      const TtJobCell *cell = cell_of_text (self, node->rank, text);
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

/* A transfer of a tree is traced without its way: it takes what all of its kind take. */
static void
fill_from_kind (TtJobParts *self, const TtJobNode *node, TtJobNodeFacts *facts)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      const TtJobCell *cell = &g_array_index (self->cells, TtJobCell, i);
      if (cell->rank != node->rank || self->kinds[cell->name] != node->kind)
        continue;
      if (strcmp (tt_store_name (self->store, cell->name)->text, node->name) != 0)
        continue;
      facts->cnt += cell->cnt;
      facts->sum_ns += cell->sum_ns;
    }
  average (facts);
}

static void
fill_node (TtJobParts *self, guint32 number)
{
  const TtJobNode *node = tt_job_node (self->job->graph, number);
  TtJobNodeFacts *facts = &self->job->facts[number];
  const TtJobCell *cell = cell_of_node (self, node);

  if (node->kind == TT_JOB_SYNC || node->rank == TT_JOB_NO_RANK)
    return;
  if (cell != NULL)
    {
      facts->cnt = cell->cnt;
      facts->sum_ns = cell->sum_ns;
      facts->operator_operator = cell->gap;
      average (facts);
    }
  else if (node->group != 0 && node->suffix == NULL)
    fill_from_members (self, node, facts);
  else if (node->group != 0)
    fill_from_kind (self, node, facts);
}

/* -- gaps between operators and communication --------------------------------------------------------------- */

/* Edges by destination: those into node n are first[n] .. first[n + 1]. */
typedef struct
{
  guint32 *first, *from;
} Backward;

static Backward
backward_new (const TtJobGraph *graph)
{
  guint32 n = graph->nodes->len;
  Backward self = { g_new0 (guint32, (gsize) n + 1), g_new (guint32, graph->edges->len) };

  for (guint i = 0; i < graph->edges->len; i++)
    self.first[g_array_index (graph->edges, TtJobEdge, i).to + 1]++;
  for (guint32 i = 0; i < n; i++)
    self.first[i + 1] += self.first[i];
  g_autofree guint32 *at = g_memdup2 (self.first, (gsize) n * sizeof *at);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtJobEdge *edge = &g_array_index (graph->edges, TtJobEdge, i);
      self.from[at[edge->to]++] = edge->from;
    }
  return self;
}

/* The latest end in the typical step of the BW operators that @node waits for on its own rank, through nodes that
 * take no time; TT_NO_TIME: there is none. */
static gint64
latest_gradient (TtJobParts *self, const Backward *backward, guint32 node)
{
  const TtJobGraph *graph = self->job->graph;
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint32 rank = tt_job_node (graph, node)->rank;
  gint64 latest_ns = TT_NO_TIME;

  g_array_append_val (stack, node);
  while (stack->len > 0)
    {
      guint32 at = g_array_index (stack, guint32, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      for (guint32 i = backward->first[at]; i < backward->first[at + 1]; i++)
        {
          guint32 from = backward->from[i];
          const TtJobNode *before = tt_job_node (graph, from);
          const TtJobCell *cell = before->kind == TT_JOB_BW ? cell_of_node (self, before) : NULL;

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
  const TtJobGraph *graph = self->job->graph;
  const TtStoredName *name = tt_store_name (self->store, cell->name);
  const char *group = g_hash_table_lookup (self->group_of, name->op_name);
  g_autofree char *text = g_strdup_printf ("Comm.%s%s%s", group != NULL ? group : name->op_name,
                                           name->sub_op != NULL ? "." : "", name->sub_op != NULL ? name->sub_op : "");

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      if (node->rank == rank && strcmp (node->name, text) == 0 && g_strcmp0 (node->suffix, name->suffix) == 0)
        return i;
    }
  return TT_NO_TASK;
}

/* operatorGAPComm: from the last gradient that the rank's first communication of the typical step waits for. */
static void
fill_comm_gaps (TtJobParts *self, const Backward *backward)
{
  const TtJobGraph *graph = self->job->graph;

  for (guint rank = 0; rank < self->job->n_ranks; rank++)
    {
      guint number = g_array_index (self->first_comm, guint, rank);
      const TtJobCell *cell = number == 0 ? NULL : &g_array_index (self->cells, TtJobCell, number - 1);
      guint32 node = cell == NULL ? TT_NO_TASK : find_node (self, rank, cell);
      gint64 gradient_ns = node == TT_NO_TASK ? TT_NO_TIME : latest_gradient (self, backward, node);

      if (gradient_ns == TT_NO_TIME)
        continue;
      for (guint32 i = 0; i < graph->nodes->len; i++)
        if (tt_job_node (graph, i)->kind == TT_JOB_SYNC && tt_job_node (graph, i)->rank == rank)
          self->job->facts[i].operator_comm = (TtJobGap){ MAX (cell->typical_ts_ns - gradient_ns, 0), 1 };
    }
}

/* -- receiving ------------------------------------------------------------------------------------------------- */

/* By the means of the ends where each SEND has its RECV, else by the typical step. A RECV that began when its SEND had ended counts whole. */
static gint64
after_send (const TtJobCell *send, const TtJobCell *recv, gint64 recv_ns)
{
  gint64 rest_ns = recv_ns;

  if (send == NULL || recv == NULL)
    return recv_ns;
  if (send->cnt == recv->cnt)
    rest_ns = tt_average_ns (recv->end_sum_ns - send->end_sum_ns, recv->cnt);
  else if (send->typical_end_ns != TT_NO_TIME && recv->typical_end_ns != TT_NO_TIME)
    rest_ns = recv->typical_end_ns - send->typical_end_ns;
  return CLAMP (rest_ns, 0, recv_ns);
}

static void
fill_transfers (TtJobParts *self)
{
  const TtJobGraph *graph = self->job->graph;
  TtJobTimes *times = self->job->times;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      const TtJobCell *cell = node->kind == TT_JOB_SEND ? cell_of_node (self, node) : NULL;
      times[i].after_send_ns = times[i].avg_ns;
      times[i].seen_begin_ns = cell == NULL ? TT_NO_TIME : cell->typical_ts_ns;
      times[i].seen_end_ns = cell == NULL ? TT_NO_TIME : cell->typical_end_ns;
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtJobEdge *edge = &g_array_index (graph->edges, TtJobEdge, i);
      const TtJobNode *from = tt_job_node (graph, edge->from), *to = tt_job_node (graph, edge->to);
      if (from->kind == TT_JOB_SEND && to->kind == TT_JOB_RECV)
        times[edge->to].after_send_ns =
            after_send (cell_of_node (self, from), cell_of_node (self, to), times[edge->to].avg_ns);
    }
}

/* -- gaps between groups ------------------------------------------------------------------------------------- */

/* What a group does in the typical step; TT_NO_TIME: not known. */
typedef struct
{
  gint64 begin_ns, end_ns; /* of its own operations but Sync, SEND and RECV */
} GroupSpan;

typedef struct
{
  GroupSpan span;      /* over all ranks */
  gint64 gradients_ns; /* when the last of them was there */
  guint number;
} GroupTimes;

static gint64
earlier (gint64 a_ns, gint64 b_ns)
{
  return a_ns == TT_NO_TIME || (b_ns != TT_NO_TIME && b_ns < a_ns) ? b_ns : a_ns;
}

static gint64
later (gint64 a_ns, gint64 b_ns)
{
  return a_ns == TT_NO_TIME || (b_ns != TT_NO_TIME && b_ns > a_ns) ? b_ns : a_ns;
}

static void
stretch (GroupSpan *span, const TtJobCell *cell)
{
  if (cell == NULL || cell->typical_ts_ns == TT_NO_TIME)
    return;
  span->begin_ns = earlier (span->begin_ns, cell->typical_ts_ns);
  span->end_ns = later (span->end_ns, cell->typical_end_ns);
}

/* Its own span and those of its members. */
static void
stretch_by_node (TtJobParts *self, const TtJobNode *node, GroupSpan *span)
{
  const TtJobShape *shape = &g_array_index (self->job->shapes, TtJobShape, node->group - 1);
  const char *sub_op = strrchr (node->name, '.') + 1;

  stretch (span, cell_of_node (self, node));
  for (guint i = 0; shape->tensors[i] != NULL; i++)
    {
      g_autofree char *text = g_strdup_printf ("Comm.%s.%s", shape->tensors[i], sub_op);
      stretch (span, cell_of_text (self, node->rank, text));
    }
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const GroupTimes *x = a, *y = b;

  if (x->span.begin_ns != y->span.begin_ns)
    return x->span.begin_ns < y->span.begin_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* @spans: [rank * n_groups + group]. */
static GArray *
time_groups (TtJobParts *self, GroupSpan *spans)
{
  const TtJobGraph *graph = self->job->graph;
  guint n_groups = self->job->shapes->len;
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (GroupTimes));

  for (guint i = 0; i < n_groups * graph->n_ranks; i++)
    spans[i] = (GroupSpan){ TT_NO_TIME, TT_NO_TIME };
  for (guint i = 0; i < n_groups; i++)
    {
      const GroupTimes group = { { TT_NO_TIME, TT_NO_TIME }, TT_NO_TIME, i };
      g_array_append_val (groups, group);
    }
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      if (node->group == 0 || node->kind == TT_JOB_SYNC || node->suffix != NULL)
        continue;
      GroupSpan *span = &spans[node->rank * n_groups + node->group - 1], own = { TT_NO_TIME, TT_NO_TIME };
      stretch_by_node (self, node, &own);
      span->begin_ns = earlier (span->begin_ns, own.begin_ns);
      span->end_ns = later (span->end_ns, own.end_ns);
      self->job->times[i].seen_begin_ns = own.begin_ns;
      self->job->times[i].seen_end_ns = own.end_ns;
      GroupTimes *group = &g_array_index (groups, GroupTimes, node->group - 1);
      group->span.begin_ns = earlier (group->span.begin_ns, span->begin_ns);
      group->span.end_ns = later (group->span.end_ns, span->end_ns);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtJobEdge *edge = &g_array_index (graph->edges, TtJobEdge, i);
      const TtJobNode *from = tt_job_node (graph, edge->from), *to = tt_job_node (graph, edge->to);
      if (from->kind != TT_JOB_BW || to->kind != TT_JOB_SYNC || to->group == 0)
        continue;
      const TtJobCell *cell = cell_of_node (self, from);
      GroupTimes *group = &g_array_index (groups, GroupTimes, to->group - 1);
      if (cell != NULL)
        group->gradients_ns = later (group->gradients_ns, cell->typical_end_ns);
    }
  g_array_sort (groups, compare_begins);
  return groups;
}

/* A group begins some time after its last gradient, or, where the groups before it are still at it, after these. */
static void
find_group_gaps (const GArray *groups, TtJobGap *latency, TtJobGap *turnaround)
{
  gint64 free_ns = TT_NO_TIME;

  for (guint i = 0; i < groups->len; i++)
    {
      const GroupTimes *group = &g_array_index (groups, GroupTimes, i);
      gboolean is_late = free_ns != TT_NO_TIME && free_ns > group->gradients_ns;
      gint64 ready_ns = is_late ? free_ns : group->gradients_ns;
      TtJobGap *gap = is_late ? turnaround : latency;

      if (group->gradients_ns == TT_NO_TIME || group->span.begin_ns == TT_NO_TIME)
        continue;
      gap->sum_ns += MAX (group->span.begin_ns - ready_ns, 0);
      gap->cnt++;
      free_ns = later (free_ns, group->span.end_ns);
    }
}

/* From a rank's last group to its first update, below 0 if that does not wait; TT_NO_TIME: one of them is not known. */
static gint64
find_update_gap (TtJobParts *self, const GroupSpan *spans, guint rank)
{
  const TtJobGraph *graph = self->job->graph;
  gint64 out_ns = TT_NO_TIME, update_ns = TT_NO_TIME;

  for (guint i = 0; i < self->job->shapes->len; i++)
    out_ns = later (out_ns, spans[rank * self->job->shapes->len + i].end_ns);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (graph, i);
      const TtJobCell *cell = node->rank == rank && node->kind == TT_JOB_UPDATE ? cell_of_node (self, node) : NULL;
      if (cell != NULL)
        update_ns = earlier (update_ns, cell->typical_ts_ns);
    }
  return out_ns == TT_NO_TIME || update_ns == TT_NO_TIME ? TT_NO_TIME : update_ns - out_ns;
}

static void
fill_group_gaps (TtJobParts *self)
{
  TtTrainingJob *job = self->job;
  guint n_groups = job->shapes->len;
  g_autofree GroupSpan *spans = g_new (GroupSpan, (gsize) n_groups * job->n_ranks);
  g_autofree gint64 *update_gaps = g_new (gint64, job->n_ranks);
  TtJobGap latency = { 0 }, turnaround = { 0 };

  if (n_groups == 0)
    return;
  g_autoptr (GArray) groups = time_groups (self, spans);
  find_group_gaps (groups, &latency, &turnaround);
  job->updates_wait = TRUE;
  for (guint rank = 0; rank < job->n_ranks; rank++)
    {
      update_gaps[rank] = find_update_gap (self, spans, rank);
      job->updates_wait = job->updates_wait && update_gaps[rank] != TT_NO_TIME && update_gaps[rank] >= 0;
    }
  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtJobNode *node = tt_job_node (job->graph, i);
      TtJobTimes *times = &job->times[i];
      if (node->kind == TT_JOB_SYNC)
        times->latency_ns = tt_average_ns (latency.sum_ns, latency.cnt);
      else if (node->kind == TT_JOB_MEMCPY_OUT)
        {
          times->turnaround_ns = tt_average_ns (turnaround.sum_ns, turnaround.cnt);
          times->update_gap_ns = job->updates_wait ? update_gaps[node->rank] : 0;
        }
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
index_transfers (const TtJobParts *self, const guint32 *node_of_cell)
{
  GHashTable *table = g_hash_table_new_full (hash_transfer, same_transfer, g_free, NULL);

  for (guint i = 0; i < self->transfers->len; i++)
    {
      TtJobTransfer *transfer = &g_array_index (self->transfers, TtJobTransfer, i);
      gint64 key = (gint64) transfer->rank << 32 | transfer->name;
      guint cell = GPOINTER_TO_UINT (g_hash_table_lookup (self->cell_of, &key));
      TransferKey *place = g_new (TransferKey, 1);

      *place = (TransferKey){ cell == 0 ? TT_NO_TASK : node_of_cell[cell - 1], transfer->step };
      g_hash_table_replace (table, place, transfer);
    }
  return table;
}

/* @as_dpro: the mean is that of the steps before the last in which both were traced. */
static void
clip_receive (TtTrainingJob *job, GHashTable *transfers, const TtJobEdge *edge, gboolean as_dpro)
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
  g_autofree guint32 *node_of_cell = g_new (guint32, (gsize) self->cells->len + 1);

  memset (node_of_cell, 0xff, ((gsize) self->cells->len + 1) * sizeof *node_of_cell);
  for (guint32 i = 0; i < job->graph->nodes->len; i++)
    {
      const TtJobCell *cell = cell_of_node (self, tt_job_node (job->graph, i));
      if (cell != NULL)
        node_of_cell[cell - (TtJobCell *) (gpointer) self->cells->data] = i;
    }
  g_autoptr (GHashTable) transfers = index_transfers (self, node_of_cell);
  for (guint i = 0; i < job->graph->edges->len; i++)
    {
      const TtJobEdge *edge = &g_array_index (job->graph->edges, TtJobEdge, i);
      if (tt_job_node (job->graph, edge->from)->kind != TT_JOB_SEND ||
          tt_job_node (job->graph, edge->to)->kind != TT_JOB_RECV)
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
  job->times = g_new0 (TtJobTimes, n);
  for (guint32 i = 0; i < n; i++)
    fill_node (self, i);
  fill_comm_gaps (self, &backward);
  if (self->options->recv != TT_RECV_AS_TRACED)
    clip_receives (self);
  for (guint32 i = 0; i < n; i++)
    job->times[i] = (TtJobTimes){
      .avg_ns = job->facts[i].avg_ns,
      .operator_gap_ns = tt_average_ns (job->facts[i].operator_operator.sum_ns, job->facts[i].operator_operator.cnt),
      .comm_gap_ns = tt_average_ns (job->facts[i].operator_comm.sum_ns, job->facts[i].operator_comm.cnt),
    };
  fill_transfers (self);
  fill_group_gaps (self);
  g_free (backward.first);
  g_free (backward.from);
}
