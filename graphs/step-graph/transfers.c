#include "config.h"

#include "graphs/step-graph/private.h"

/* -- what is known -------------------------------------------------------------------------------------- */

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
is_whole_tree (const TtStepPlan *model, guint channel)
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
is_whole_ring (const TtStepPlan *model, guint channel)
{
  for (guint rank = 0; rank < model->n_ranks; rank++)
    if (tt_nccl_position (model->nccl, channel, (gint) rank) == TT_NCCL_NONE)
      return FALSE;
  return tt_nccl_ring_size (model->nccl, channel) == model->n_ranks;
}

gboolean
tt_step_group_has_connections (const TtStepPlan *model, const TtStepGroup *group)
{
  if (group->algo == TT_STEP_ALGO_SERVER)
    return group->n_parts > 0 && model->n_workers > 0 && model->workers != NULL;
  if (model->nccl == NULL)
    return FALSE;
  for (guint channel = 0; channel < group->n_channels; channel++)
    if (group->algo == TT_STEP_ALGO_RING ? !is_whole_ring (model, channel) : !is_whole_tree (model, channel))
      return FALSE;
  return TRUE;
}

/* -- rings ---------------------------------------------------------------------------------------------- */

static void
name_piece (TtStepBuilder *self, guint32 node, guint loop, guint channel, guint slice, guint step, const char *more)
{
  TtStepNode *piece = tt_step_node (self->graph, node);
  g_autofree char *suffix = g_strdup_printf ("%u_%u_%u_%u%s", loop, channel, step, slice, more);

  piece->loop = loop;
  piece->channel = channel;
  piece->slice = slice;
  piece->step = step;
  piece->suffix = g_string_chunk_insert_const (self->graph->text, suffix);
}

/* SEND and RECV of step t of a lane (loop, slice, channel: the order in which they start) lie behind each other. */
static guint32
ring_piece (const TtStepBuilder *self, guint rank, guint group, guint lane, guint step, gboolean is_recv)
{
  const TtStepPlan *model = self->model;

  return self->group_nodes[rank * model->n_groups + group].pieces + 2 * (lane * model->groups[group].n_chunks + step) +
         (is_recv ? 1 : 0);
}

void
tt_step_builder_add_ring_pieces (TtStepBuilder *self, guint rank, guint number)
{
  const TtStepGroup *group = &self->model->groups[number];

  self->group_nodes[rank * self->model->n_groups + number].pieces = self->graph->nodes->len;
  for (guint loop = 0; loop < group->n_loops; loop++)
    for (guint slice = 0; slice < group->n_slices; slice++)
      for (guint channel = 0; channel < group->n_channels; channel++)
        for (guint step = 0; step < group->n_chunks; step++)
          {
            guint32 send = tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_SEND, "SEND");
            guint32 recv = tt_step_builder_add_group_node (self, rank, number, TT_STEP_NODE_RECV, "RECV");
            name_piece (self, send, loop, channel, slice, step, "");
            name_piece (self, recv, loop, channel, slice, step, "");
          }
}

static void
join_ring_lane (TtStepBuilder *self, guint rank, guint number, guint channel, guint lane)
{
  const TtStepPlan *model = self->model;
  guint n_steps = model->groups[number].n_chunks;
  guint32 memcpy_in = self->group_nodes[rank * model->n_groups + number].memcpy_in;
  guint next = (guint) tt_nccl_next (model->nccl, channel, (gint) rank);

  tt_step_builder_add_edge (self, memcpy_in, ring_piece (self, rank, number, lane, 0, TRUE));
  for (guint t = 0; t < n_steps; t++)
    {
      guint32 send = ring_piece (self, rank, number, lane, t, FALSE);

      tt_step_builder_add_edge (self, memcpy_in, send);
      if (t > 0)
        {
          guint32 received = ring_piece (self, rank, number, lane, t - 1, TRUE);
          tt_step_builder_add_edge (self, memcpy_in, received);
          tt_step_builder_add_edge (self, received, send);
        }
      tt_step_builder_add_edge (self, send, ring_piece (self, next, number, lane, t, TRUE));
    }
  if (n_steps > 0)
    tt_step_builder_add_edge (self, ring_piece (self, next, number, lane, n_steps - 1, TRUE),
                     self->group_nodes[next * model->n_groups + number].last);
}

void
tt_step_builder_join_ring (TtStepBuilder *self, guint number)
{
  const TtStepGroup *group = &self->model->groups[number];

  for (guint rank = 0; rank < self->model->n_ranks; rank++)
    for (guint lane = 0; lane < group->n_loops * group->n_channels * group->n_slices; lane++)
      join_ring_lane (self, rank, number, lane % group->n_channels, lane);
}

/* -- trees ---------------------------------------------------------------------------------------------- */

/* What one rank does with one chunk on its way up and down the tree. */
typedef struct
{
  guint loop, channel, slice, chunk;
  gboolean is_down;
} TreePiece;

static guint32
add_tree_piece (TtStepBuilder *self,
                guint rank,
                guint number,
                const TreePiece *piece,
                gboolean is_recv,
                gint from,
                gint to)
{
  guint32 node =
      tt_step_builder_add_group_node (self, rank, number, is_recv ? TT_STEP_NODE_RECV : TT_STEP_NODE_SEND, is_recv ? "RECV" : "SEND");
  g_autofree char *way = g_strdup_printf ("_%d_%d", from, to);

  name_piece (self, node, piece->loop, piece->channel, piece->slice, piece->chunk, way);
  tt_step_node (self->graph, node)->peer = (guint32) (is_recv ? from : to);
  tt_step_node (self->graph, node)->is_down = piece->is_down;
  return node;
}

/* A transfer from one rank to another: its SEND needs @ready there; returns the RECV. */
static guint32
add_transfer (TtStepBuilder *self,
              guint number,
              const TreePiece *piece,
              gint from,
              gint to,
              const guint32 *ready,
              guint n)
{
  const TtStepPlan *model = self->model;
  guint32 send = add_tree_piece (self, (guint) from, number, piece, FALSE, from, to);
  guint32 recv = add_tree_piece (self, (guint) to, number, piece, TRUE, from, to);

  tt_step_builder_add_edge (self, self->group_nodes[(guint) from * model->n_groups + number].memcpy_in, send);
  tt_step_builder_add_edge (self, self->group_nodes[(guint) to * model->n_groups + number].memcpy_in, recv);
  for (guint i = 0; i < n; i++)
    tt_step_builder_add_edge (self, ready[i], send);
  tt_step_builder_add_edge (self, send, recv);
  return recv;
}

static void
join_tree_piece (TtStepBuilder *self, guint number, const GArray *order, TreePiece *piece)
{
  const TtStepPlan *model = self->model;
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
  piece->is_down = TRUE;
  for (guint i = order->len; i-- > 0;)
    {
      gint rank = g_array_index (order, gint, i), parent = tt_nccl_parent (model->nccl, piece->channel, rank);
      guint32 last = self->group_nodes[(guint) rank * model->n_groups + number].last;
      if (parent == TT_NCCL_NONE)
        {
          for (guint k = 0; k < n_up[rank]; k++)
            tt_step_builder_add_edge (self, up[(guint) rank * TT_NCCL_CHILDREN + k], last);
          continue;
        }
      gboolean from_root = tt_nccl_parent (model->nccl, piece->channel, parent) == TT_NCCL_NONE;
      down[rank] = add_transfer (self, number, piece, parent, rank,
                                 from_root ? &up[(guint) parent * TT_NCCL_CHILDREN] : &down[parent],
                                 from_root ? n_up[parent] : 1);
      tt_step_builder_add_edge (self, down[rank], last);
    }
}

void
tt_step_builder_join_tree (TtStepBuilder *self, guint number)
{
  const TtStepPlan *model = self->model;
  const TtStepGroup *group = &model->groups[number];

  for (guint channel = 0; channel < group->n_channels; channel++)
    {
      g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint));
      order_tree (model->nccl, channel, model->n_ranks, order);
      for (guint loop = 0; loop < group->n_loops; loop++)
        for (guint slice = 0; slice < group->n_slices; slice++)
          for (guint chunk = 0; chunk < group->n_chunks; chunk++)
            {
              TreePiece piece = { loop, channel, slice, chunk, FALSE };
              join_tree_piece (self, number, order, &piece);
            }
    }
}
