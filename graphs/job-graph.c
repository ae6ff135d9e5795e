#include "config.h"

#include "graphs/job-graph.h"

#include <string.h>

static const char *const kind_texts[TT_N_JOB_KINDS] = {
  [TT_JOB_FW] = "FW",     [TT_JOB_BW] = "BW",     [TT_JOB_UPDATE] = "UPDATE",       [TT_JOB_OUTPUT] = "OUTPUT",
  [TT_JOB_IO] = "I/O",    [TT_JOB_SYNC] = "Sync", [TT_JOB_MEMCPY_IN] = "MEMCPY_IN", [TT_JOB_MEMCPY_OUT] = "MEMCPY_OUT",
  [TT_JOB_SEND] = "SEND", [TT_JOB_RECV] = "RECV", [TT_JOB_COMM] = "Comm",           [TT_JOB_OTHER] = "other",
  [TT_JOB_END] = "END",
};

const char *
tt_job_kind_text (TtJobKind kind)
{
  return kind_texts[kind];
}

TtJobKind
tt_job_kind_of_name (const char *op_cat, const char *sub_op)
{
  static const struct
  {
    const char *word;
    TtJobKind kind;
  } cats[] = {
    { "FW", TT_JOB_FW },         { "BW", TT_JOB_BW },  { "UPDATE_", TT_JOB_UPDATE },
    { "OUTPUT", TT_JOB_OUTPUT }, { "I/O", TT_JOB_IO }, { "virtual", TT_JOB_END },
  }, subs[] = {
    { "Sync", TT_JOB_SYNC },
    { "NEGOTIATE_ALLREDUCE", TT_JOB_SYNC },
    { "MEMCPY_IN_FUSION_BUFFER", TT_JOB_MEMCPY_IN },
    { "MEMCPY_OUT_FUSION_BUFFER", TT_JOB_MEMCPY_OUT },
    { "SEND", TT_JOB_SEND },
    { "RECV", TT_JOB_RECV },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cats); i++)
    if (g_strcmp0 (op_cat, cats[i].word) == 0)
      return cats[i].kind;
  if (g_strcmp0 (op_cat, "Comm") != 0)
    return TT_JOB_OTHER;
  for (guint i = 0; i < G_N_ELEMENTS (subs); i++)
    if (g_strcmp0 (sub_op, subs[i].word) == 0)
      return subs[i].kind;
  return TT_JOB_COMM;
}

/* -- building ------------------------------------------------------------------------------------------ */

/* The nodes of one group on one rank. */
typedef struct
{
  guint32 first; /* what the gradients lead to: Sync, or the first sub-operation */
  guint32 start; /* what everybody's first leads to */
  guint32 memcpy_in, last;
  guint32 pieces; /* the first SEND; RECV behind it, and so on */
} GroupNodes;

typedef struct
{
  const TtJobPlan *model;
  TtJobGraph *graph;
  guint32 *operators;      /* [rank * n_local + local]: node, or TT_JOB_NO_LOCAL for a Comm in a group */
  GroupNodes *group_nodes; /* [rank * n_groups + group] */
  guint32 *group_of;       /* [local]: number + 1 of the group of a Comm node */
  TtJobAlgo *algo;         /* [group]: as far as it can be built */
  guint32 *update_cal;     /* [rank], TT_JOB_NO_LOCAL: none */
} Builder;

static guint32
add_node (Builder *self, guint rank, TtJobKind kind, guint group, const char *name)
{
  TtJobNode node = { .rank = rank, .local = TT_JOB_NO_LOCAL, .group = group, .kind = kind };

  node.name = g_string_chunk_insert_const (self->graph->text, name);
  g_array_append_val (self->graph->nodes, node);
  return self->graph->nodes->len - 1;
}

static void
add_edge (Builder *self, guint32 from, guint32 to)
{
  TtJobEdge edge = { from, to };

  g_array_append_val (self->graph->edges, edge);
}

static guint32
add_group_node (Builder *self, guint rank, guint group, TtJobKind kind, const char *sub_op)
{
  g_autofree char *name = g_strdup_printf ("Comm.%s.%s", self->model->groups[group].name, sub_op);

  return add_node (self, rank, kind, group + 1, name);
}

/* Ranks of a channel's tree, children before parents. */
static void
order_tree (const TtNccl *nccl, guint channel, guint n_ranks, GArray *order)
{
  for (guint rank = 0; rank < n_ranks; rank++)
    if (tt_nccl_parent (nccl, channel, (gint) rank) == TT_NCCL_NONE)
      {
        gint root = (gint) rank;
        g_array_append_val (order, root);
      }
  for (guint i = 0; i < order->len && order->len <= n_ranks; i++)
    {
      gint children[TT_NCCL_CHILDREN];
      guint n = tt_nccl_children (nccl, channel, g_array_index (order, gint, i), children);
      g_array_append_vals (order, children, n);
    }
  for (guint i = 0; i < order->len / 2; i++)
    {
      gint *a = &g_array_index (order, gint, i), *b = &g_array_index (order, gint, order->len - 1 - i);
      gint swap = *a;
      *a = *b;
      *b = swap;
    }
}

/* One root, and all ranks of the model below it, each once. */
static gboolean
is_whole_tree (const TtJobPlan *model, guint channel)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint));
  g_autoptr (GArray) ranks = tt_nccl_ranks (model->nccl, TT_NCCL_TREE, channel);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint n_roots = 0;

  if (ranks->len != model->n_ranks || g_array_index (ranks, gint, ranks->len - 1) != (gint) model->n_ranks - 1)
    return FALSE;
  order_tree (model->nccl, channel, model->n_ranks, order);
  for (guint i = 0; i < order->len; i++)
    {
      gint rank = g_array_index (order, gint, i);
      n_roots += tt_nccl_parent (model->nccl, channel, rank) == TT_NCCL_NONE;
      if (!g_hash_table_add (seen, GINT_TO_POINTER (rank + 1)))
        return FALSE;
    }
  return n_roots == 1 && order->len == model->n_ranks;
}

static gboolean
is_whole_ring (const TtJobPlan *model, guint channel)
{
  for (guint rank = 0; rank < model->n_ranks; rank++)
    if (tt_nccl_position (model->nccl, channel, (gint) rank) == TT_NCCL_NONE)
      return FALSE;
  return tt_nccl_ring_size (model->nccl, channel) == model->n_ranks;
}

static gboolean
is_known (const TtJobPlan *model, const TtJobGroup *group)
{
  if (model->nccl == NULL)
    return FALSE;
  for (guint channel = 0; channel < group->n_channels; channel++)
    if (group->algo == TT_JOB_ALGO_RING ? !is_whole_ring (model, channel) : !is_whole_tree (model, channel))
      return FALSE;
  return TRUE;
}

static void
add_operators (Builder *self, guint rank)
{
  const TtJobPlan *model = self->model;

  for (guint i = 0; i < model->n_local; i++)
    {
      guint32 *slot = &self->operators[rank * model->n_local + i];
      *slot = TT_JOB_NO_LOCAL;
      if (model->tensors[i] != NULL && self->group_of[i] != 0)
        continue;
      *slot = add_node (self, rank, model->kinds[i], 0, model->names[i]);
      tt_job_node (self->graph, *slot)->local = i;
    }
}

static void
name_piece (Builder *self, guint32 node, guint loop, guint channel, guint slice, guint step, const char *more)
{
  TtJobNode *piece = tt_job_node (self->graph, node);
  g_autofree char *suffix = g_strdup_printf ("%u_%u_%u_%u%s", loop, channel, step, slice, more);

  piece->loop = loop;
  piece->channel = channel;
  piece->slice = slice;
  piece->step = step;
  piece->suffix = g_string_chunk_insert_const (self->graph->text, suffix);
}

/* SEND and RECV of step t of a lane (loop, slice, channel: the order in which they start) lie behind each other. */
static guint32
ring_piece (const Builder *self, guint rank, guint group, guint lane, guint step, gboolean is_recv)
{
  const TtJobPlan *model = self->model;

  return self->group_nodes[rank * model->n_groups + group].pieces + 2 * (lane * model->groups[group].n_chunks + step) +
         (is_recv ? 1 : 0);
}

static void
add_ring_pieces (Builder *self, guint rank, guint number)
{
  const TtJobGroup *group = &self->model->groups[number];

  self->group_nodes[rank * self->model->n_groups + number].pieces = self->graph->nodes->len;
  for (guint loop = 0; loop < group->n_loops; loop++)
    for (guint slice = 0; slice < group->n_slices; slice++)
      for (guint channel = 0; channel < group->n_channels; channel++)
        for (guint step = 0; step < group->n_chunks; step++)
          {
            guint32 send = add_group_node (self, rank, number, TT_JOB_SEND, "SEND");
            guint32 recv = add_group_node (self, rank, number, TT_JOB_RECV, "RECV");
            name_piece (self, send, loop, channel, slice, step, "");
            name_piece (self, recv, loop, channel, slice, step, "");
          }
}

static void
add_chain (Builder *self, guint rank, guint number, const char *const *sub_ops)
{
  GroupNodes *nodes = &self->group_nodes[rank * self->model->n_groups + number];
  guint32 previous = TT_JOB_NO_LOCAL;

  nodes->start = TT_JOB_NO_LOCAL;
  for (guint i = 0; sub_ops[i] != NULL; i++)
    {
      guint32 node = add_group_node (self, rank, number, tt_job_kind_of_name ("Comm", sub_ops[i]), sub_ops[i]);
      if (i == 0)
        nodes->first = node;
      else if (i == 1 && tt_job_node (self->graph, previous)->kind == TT_JOB_SYNC)
        nodes->start = node;
      else
        add_edge (self, previous, node);
      previous = nodes->last = node;
    }
}

static void
add_group (Builder *self, guint rank, guint number)
{
  static const char *const unknown_pieces[] = {
    "Sync", "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER", NULL,
  };
  const TtJobGroup *group = &self->model->groups[number];
  GroupNodes *nodes = &self->group_nodes[rank * self->model->n_groups + number];

  if (self->algo[number] == TT_JOB_ALGO_NONE)
    {
      gboolean is_given = group->algo == TT_JOB_ALGO_NONE && group->sub_ops != NULL && group->sub_ops[0] != NULL;
      add_chain (self, rank, number, is_given ? group->sub_ops : unknown_pieces);
      return;
    }
  nodes->first = add_group_node (self, rank, number, TT_JOB_SYNC, "Sync");
  nodes->start = add_group_node (self, rank, number, TT_JOB_COMM, "QUEUE");
  nodes->memcpy_in = add_group_node (self, rank, number, TT_JOB_MEMCPY_IN, "MEMCPY_IN_FUSION_BUFFER");
  add_edge (self, nodes->start, nodes->memcpy_in);
  if (self->algo[number] == TT_JOB_ALGO_RING)
    add_ring_pieces (self, rank, number);
  nodes->last = add_group_node (self, rank, number, TT_JOB_MEMCPY_OUT, "MEMCPY_OUT_FUSION_BUFFER");
}

/* -- rings and trees --------------------------------------------------------------------------------------- */

static void
join_ring_lane (Builder *self, guint rank, guint number, guint channel, guint lane)
{
  const TtJobPlan *model = self->model;
  guint n_steps = model->groups[number].n_chunks;
  guint32 memcpy_in = self->group_nodes[rank * model->n_groups + number].memcpy_in;
  guint next = (guint) tt_nccl_next (model->nccl, channel, (gint) rank);

  add_edge (self, memcpy_in, ring_piece (self, rank, number, lane, 0, TRUE));
  for (guint t = 0; t < n_steps; t++)
    {
      guint32 send = ring_piece (self, rank, number, lane, t, FALSE);

      add_edge (self, memcpy_in, send);
      if (t > 0)
        {
          guint32 received = ring_piece (self, rank, number, lane, t - 1, TRUE);
          add_edge (self, memcpy_in, received);
          add_edge (self, received, send);
        }
      add_edge (self, send, ring_piece (self, next, number, lane, t, TRUE));
    }
  if (n_steps > 0)
    add_edge (self, ring_piece (self, next, number, lane, n_steps - 1, TRUE),
              self->group_nodes[next * model->n_groups + number].last);
}

static void
join_ring (Builder *self, guint number)
{
  const TtJobGroup *group = &self->model->groups[number];

  for (guint rank = 0; rank < self->model->n_ranks; rank++)
    for (guint lane = 0; lane < group->n_loops * group->n_channels * group->n_slices; lane++)
      join_ring_lane (self, rank, number, lane % group->n_channels, lane);
}

/* What one rank does with one chunk on its way up and down the tree. */
typedef struct
{
  guint loop, channel, slice, chunk;
} TreePiece;

static guint32
add_tree_piece (Builder *self, guint rank, guint number, const TreePiece *piece, gboolean is_recv, gint from, gint to)
{
  guint32 node = add_group_node (self, rank, number, is_recv ? TT_JOB_RECV : TT_JOB_SEND, is_recv ? "RECV" : "SEND");
  g_autofree char *way = g_strdup_printf ("_%d_%d", from, to);

  name_piece (self, node, piece->loop, piece->channel, piece->slice, piece->chunk, way);
  return node;
}

/* A transfer from one rank to another: its SEND needs @ready there; returns the RECV. */
static guint32
add_transfer (Builder *self, guint number, const TreePiece *piece, gint from, gint to, const guint32 *ready, guint n)
{
  const TtJobPlan *model = self->model;
  guint32 send = add_tree_piece (self, (guint) from, number, piece, FALSE, from, to);
  guint32 recv = add_tree_piece (self, (guint) to, number, piece, TRUE, from, to);

  add_edge (self, self->group_nodes[(guint) from * model->n_groups + number].memcpy_in, send);
  add_edge (self, self->group_nodes[(guint) to * model->n_groups + number].memcpy_in, recv);
  for (guint i = 0; i < n; i++)
    add_edge (self, ready[i], send);
  add_edge (self, send, recv);
  return recv;
}

static void
join_tree_piece (Builder *self, guint number, const GArray *order, const TreePiece *piece)
{
  const TtJobPlan *model = self->model;
  g_autofree guint32 *up = g_new (guint32, (gsize) model->n_ranks * TT_NCCL_CHILDREN);
  g_autofree guint *n_up = g_new0 (guint, model->n_ranks);
  g_autofree guint32 *down = g_new (guint32, model->n_ranks);

  for (guint i = 0; i < order->len; i++)
    {
      gint rank = g_array_index (order, gint, i), parent = tt_nccl_parent (model->nccl, piece->channel, rank);
      if (parent == TT_NCCL_NONE || n_up[parent] == TT_NCCL_CHILDREN)
        continue;
      up[(guint) parent * TT_NCCL_CHILDREN + n_up[parent]] =
          add_transfer (self, number, piece, rank, parent, &up[(guint) rank * TT_NCCL_CHILDREN], n_up[rank]);
      n_up[parent]++;
    }
  for (guint i = order->len; i-- > 0;)
    {
      gint rank = g_array_index (order, gint, i), parent = tt_nccl_parent (model->nccl, piece->channel, rank);
      guint32 last = self->group_nodes[(guint) rank * model->n_groups + number].last;
      if (parent == TT_NCCL_NONE)
        {
          for (guint k = 0; k < n_up[rank]; k++)
            add_edge (self, up[(guint) rank * TT_NCCL_CHILDREN + k], last);
          continue;
        }
      gboolean from_root = tt_nccl_parent (model->nccl, piece->channel, parent) == TT_NCCL_NONE;
      down[rank] = add_transfer (self, number, piece, parent, rank,
                                 from_root ? &up[(guint) parent * TT_NCCL_CHILDREN] : &down[parent],
                                 from_root ? n_up[parent] : 1);
      add_edge (self, down[rank], last);
    }
}

static void
join_tree (Builder *self, guint number)
{
  const TtJobPlan *model = self->model;
  const TtJobGroup *group = &model->groups[number];

  for (guint channel = 0; channel < group->n_channels; channel++)
    {
      g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint));
      order_tree (model->nccl, channel, model->n_ranks, order);
      for (guint loop = 0; loop < group->n_loops; loop++)
        for (guint slice = 0; slice < group->n_slices; slice++)
          for (guint chunk = 0; chunk < group->n_chunks; chunk++)
            {
              const TreePiece piece = { loop, channel, slice, chunk };
              join_tree_piece (self, number, order, &piece);
            }
    }
}

/* Nobody goes on before everybody has come to the group's first. */
static void
join_starts (Builder *self, guint number)
{
  guint n_ranks = self->model->n_ranks, n_groups = self->model->n_groups;

  for (guint from = 0; from < n_ranks; from++)
    for (guint to = 0; to < n_ranks; to++)
      {
        guint32 start = self->group_nodes[to * n_groups + number].start;
        if (start != TT_JOB_NO_LOCAL)
          add_edge (self, self->group_nodes[from * n_groups + number].first, start);
      }
}

/* -- the model's own edges ------------------------------------------------------------------------------------ */

/* MXNet: UPDATE_CAL -> UPDATE_k; with an update barrier all groups lead to UPDATE_CAL first. */
static void
add_updates (Builder *self, guint rank)
{
  const TtJobPlan *model = self->model;

  self->update_cal[rank] = TT_JOB_NO_LOCAL;
  if (model->max_update < 0 && !model->update_barrier)
    return;
  self->update_cal[rank] = add_node (self, rank, TT_JOB_UPDATE, 0, "UPDATE_CAL");
  for (int k = 0; k <= model->max_update; k++)
    {
      g_autofree char *name = g_strdup_printf ("UPDATE_%d", k);
      add_edge (self, self->update_cal[rank], add_node (self, rank, TT_JOB_UPDATE, 0, name));
    }
}

static void
join_local_edge (Builder *self, guint rank, guint32 from, guint32 to)
{
  const TtJobPlan *model = self->model;
  guint32 *operators = &self->operators[rank * model->n_local];
  guint32 a = operators[from], b = operators[to], cal = self->update_cal[rank];
  gboolean from_comm = model->tensors[from] != NULL, to_comm = model->tensors[to] != NULL;

  if (model->kinds[from] == TT_JOB_UPDATE && model->kinds[to] == TT_JOB_FW)
    {
      self->graph->n_backward += rank == 0;
      return;
    }
  if (to_comm && self->group_of[to] != 0)
    b = self->group_nodes[rank * model->n_groups + self->group_of[to] - 1].first;
  if (from_comm && self->group_of[from] != 0)
    a = self->group_nodes[rank * model->n_groups + self->group_of[from] - 1].last;
  if (from_comm && to_comm)
    return;
  if (from_comm && cal != TT_JOB_NO_LOCAL)
    {
      add_edge (self, a, cal);
      if (model->update_barrier)
        add_edge (self, cal, b);
      return;
    }
  add_edge (self, a, b);
}

/* Groups lead to the updates even where the model's graph does not say so. */
static void
join_updates (Builder *self, guint rank)
{
  const TtJobPlan *model = self->model;

  if (self->update_cal[rank] == TT_JOB_NO_LOCAL)
    return;
  for (guint group = 0; group < model->n_groups; group++)
    add_edge (self, self->group_nodes[rank * model->n_groups + group].last, self->update_cal[rank]);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const TtJobEdge *x = a, *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

static void
unite_edges (TtJobGraph *graph)
{
  guint n = 0;

  g_array_sort (graph->edges, compare_edges);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtJobEdge *edge = &g_array_index (graph->edges, TtJobEdge, i);
      if (n == 0 || compare_edges (&g_array_index (graph->edges, TtJobEdge, n - 1), edge) != 0)
        g_array_index (graph->edges, TtJobEdge, n++) = *edge;
    }
  g_array_set_size (graph->edges, n);
}

/* END comes after every update that nothing follows; without updates after whatever nothing follows. */
static void
add_end (Builder *self)
{
  TtJobGraph *graph = self->graph;
  guint n = graph->nodes->len;
  g_autofree gboolean *is_followed = g_new0 (gboolean, n);
  gboolean has_updates = FALSE;

  for (guint i = 0; i < graph->edges->len; i++)
    is_followed[g_array_index (graph->edges, TtJobEdge, i).from] = TRUE;
  for (guint i = 0; i < n; i++)
    has_updates = has_updates || tt_job_node (graph, i)->kind == TT_JOB_UPDATE;
  guint32 end = add_node (self, TT_JOB_NO_RANK, TT_JOB_END, 0, "END");
  for (guint i = 0; i < n; i++)
    if (!is_followed[i] && (!has_updates || tt_job_node (graph, i)->kind == TT_JOB_UPDATE))
      add_edge (self, i, end);
}

static void
find_groups (Builder *self)
{
  const TtJobPlan *model = self->model;
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint g = 0; g < model->n_groups; g++)
    {
      const TtJobGroup *group = &model->groups[g];
      for (guint i = 0; group->tensors[i] != NULL; i++)
        g_hash_table_insert (groups, (gpointer) group->tensors[i], GUINT_TO_POINTER (g + 1));
      self->algo[g] = is_known (model, group) ? group->algo : TT_JOB_ALGO_NONE;
      self->graph->n_without_ring += self->algo[g] != group->algo;
    }
  for (guint i = 0; i < model->n_local; i++)
    if (model->tensors[i] != NULL)
      {
        self->group_of[i] = GPOINTER_TO_UINT (g_hash_table_lookup (groups, model->tensors[i]));
        self->graph->n_lone_tensors += self->group_of[i] == 0;
      }
}

static void
build (Builder *self)
{
  const TtJobPlan *model = self->model;

  find_groups (self);
  for (guint rank = 0; rank < model->n_ranks; rank++)
    {
      add_operators (self, rank);
      for (guint group = 0; group < model->n_groups; group++)
        add_group (self, rank, group);
      add_updates (self, rank);
    }
  for (guint group = 0; group < model->n_groups; group++)
    {
      join_starts (self, group);
      if (self->algo[group] == TT_JOB_ALGO_RING)
        join_ring (self, group);
      else if (self->algo[group] == TT_JOB_ALGO_TREE)
        join_tree (self, group);
    }
  for (guint rank = 0; rank < model->n_ranks; rank++)
    {
      for (guint i = 0; i < model->n_edges; i++)
        join_local_edge (self, rank, model->edges[i][0], model->edges[i][1]);
      join_updates (self, rank);
    }
  add_end (self);
  unite_edges (self->graph);
}

TtJobGraph *
tt_job_graph_new (const TtJobPlan *model)
{
  TtJobGraph *graph = g_new0 (TtJobGraph, 1);
  gsize n_group_nodes = (gsize) model->n_ranks * model->n_groups;
  g_autofree guint32 *operators = g_new (guint32, (gsize) model->n_ranks * model->n_local);
  g_autofree GroupNodes *group_nodes = g_new0 (GroupNodes, n_group_nodes);
  g_autofree guint32 *group_of = g_new0 (guint32, model->n_local);
  g_autofree guint32 *update_cal = g_new0 (guint32, model->n_ranks);
  g_autofree TtJobAlgo *algo = g_new0 (TtJobAlgo, model->n_groups);
  Builder self = {
    .model = model,
    .graph = graph,
    .operators = operators,
    .group_nodes = group_nodes,
    .group_of = group_of,
    .algo = algo,
    .update_cal = update_cal,
  };
  const char **pids = g_new0 (const char *, (gsize) model->n_ranks + 1);

  graph->nodes = g_array_new (FALSE, FALSE, sizeof (TtJobNode));
  graph->edges = g_array_new (FALSE, FALSE, sizeof (TtJobEdge));
  graph->text = g_string_chunk_new (4096);
  graph->n_ranks = model->n_ranks;
  for (guint i = 0; i < model->n_ranks; i++)
    pids[i] = g_string_chunk_insert_const (graph->text, model->pids[i]);
  graph->pids = pids;
  build (&self);
  return graph;
}

void
tt_job_graph_free (TtJobGraph *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_array_unref (self->edges);
  g_string_chunk_free (self->text);
  g_free ((gpointer) self->pids);
  g_free (self);
}

char *
tt_job_long_name (const TtJobGraph *self, guint32 number)
{
  const TtJobNode *node = tt_job_node (self, number);

  if (node->rank == TT_JOB_NO_RANK)
    return g_strdup (node->name);
  return g_strconcat (self->pids[node->rank], "->", node->name, node->suffix == NULL ? NULL : "~>", node->suffix, NULL);
}

/* Kahn's order leaves over what lies on a cycle or behind one; going back from there ends on a cycle. */
static guint32
find_left_over (const TtJobGraph *self, gboolean *is_done)
{
  guint32 n = self->nodes->len, n_ready = 0, n_done = 0;
  g_autofree guint32 *missing = g_new0 (guint32, n);
  g_autofree guint32 *first = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *order = g_new (guint32, n);
  const TtJobEdge *edges = (const TtJobEdge *) (gconstpointer) self->edges->data;

  for (guint i = 0; i < self->edges->len; i++)
    {
      missing[edges[i].to]++;
      first[edges[i].from + 1]++;
    }
  for (guint32 i = 0; i < n; i++)
    {
      first[i + 1] += first[i];
      if (missing[i] == 0)
        order[n_ready++] = i;
    }
  while (n_done < n_ready)
    {
      guint32 from = order[n_done++];
      is_done[from] = TRUE;
      for (guint32 i = first[from]; i < first[from + 1]; i++)
        if (--missing[edges[i].to] == 0)
          order[n_ready++] = edges[i].to;
    }
  for (guint32 i = 0; i < n; i++)
    if (!is_done[i])
      return i;
  return n;
}

GArray *
tt_job_graph_cycle (const TtJobGraph *self)
{
  guint32 n = self->nodes->len;
  g_autofree gboolean *is_done = g_new0 (gboolean, n);
  g_autofree guint32 *before = g_new (guint32, n);
  g_autofree gboolean *is_seen = g_new0 (gboolean, n);
  guint32 node = find_left_over (self, is_done);

  if (node == n)
    return NULL;
  for (guint i = self->edges->len; i-- > 0;)
    {
      const TtJobEdge *edge = &g_array_index (self->edges, TtJobEdge, i);
      if (!is_done[edge->from])
        before[edge->to] = edge->from;
    }
  for (; !is_seen[node]; node = before[node])
    is_seen[node] = TRUE;

  GArray *cycle = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 at = node;
  do
    {
      g_array_prepend_val (cycle, at);
      at = before[at];
    }
  while (at != node);
  return cycle;
}
