/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/builder.h"

/* -- connections --------------------------------------------------------------------------------------- */

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
is_whole_tree (const TtStepPlan *plan, guint channel)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint));
  g_autoptr (GArray) ranks = tt_nccl_ranks (plan->nccl, TT_NCCL_TREE, channel);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint n_roots = 0;

  if (ranks->len != plan->n_ranks || g_array_index (ranks, gint, ranks->len - 1) != (gint) plan->n_ranks - 1)
    return FALSE;
  order_tree (plan->nccl, channel, plan->n_ranks, order);
  for (guint i = 0; i < order->len; i++)
    {
      gint rank = g_array_index (order, gint, i);
      n_roots += tt_nccl_parent (plan->nccl, channel, rank) == TT_NCCL_NONE;
      if (!g_hash_table_add (seen, GINT_TO_POINTER (rank + 1)))
        return FALSE;
    }
  return n_roots == 1 && order->len == plan->n_ranks;
}

static gboolean
is_whole_ring (const TtStepPlan *plan, guint channel)
{
  for (guint rank = 0; rank < plan->n_ranks; rank++)
    if (tt_nccl_position (plan->nccl, channel, (gint) rank) == TT_NCCL_NONE)
      return FALSE;
  return tt_nccl_ring_size (plan->nccl, channel) == plan->n_ranks;
}

gboolean
tt_step_group_has_connections (const TtStepPlan *plan, const TtStepGroup *group)
{
  if (group->algo == TT_STEP_ALGO_SERVER)
    return group->n_parts > 0 && plan->n_workers > 0 && plan->workers != NULL;
  if (plan->nccl == NULL)
    return FALSE;
  for (guint channel = 0; channel < group->n_channels; channel++)
    if (group->algo == TT_STEP_ALGO_RING ? !is_whole_ring (plan, channel) : !is_whole_tree (plan, channel))
      return FALSE;
  return TRUE;
}

/* -- rings ---------------------------------------------------------------------------------------------- */

/* Where a SEND or RECV is in its group. */
typedef struct
{
  guint loop, channel, slice, phase;
  gboolean is_down; /* of a tree */
} Piece;

/* @ends: of a tree "_FROM_TO", else "". */
static void
name_piece (TtStepBuilder *self, guint32 number, const Piece *piece, const char *ends)
{
  TtStepNode *node = tt_step_node (self->graph, number);
  g_autofree char *suffix =
      g_strdup_printf ("%u_%u_%u_%u%s", piece->loop, piece->channel, piece->phase, piece->slice, ends);

  node->loop = piece->loop;
  node->channel = piece->channel;
  node->slice = piece->slice;
  node->phase = piece->phase;
  node->is_down = piece->is_down;
  tt_step_builder_set_suffix (self, number, suffix);
}

static guint32
add_piece (TtStepBuilder *self, guint rank, guint32 group, gboolean is_recv)
{
  return is_recv ? tt_step_builder_add_group_node (self, rank, group, TT_STEP_NODE_RECV, "Comm", "RECV")
                 : tt_step_builder_add_group_node (self, rank, group, TT_STEP_NODE_SEND, "Comm", "SEND");
}

/* The nodes of a lane (loop, slice, channel: the order in which they start) follow each other phase by phase, SEND
 * before RECV. */
static guint32
ring_piece (const TtStepBuilder *self, guint rank, guint group, guint lane, guint phase, gboolean is_recv)
{
  const TtStepPlan *plan = self->plan;

  return self->group_nodes[rank * plan->n_groups + group].pieces + 2 * (lane * plan->groups[group].n_chunks + phase) +
         (is_recv ? 1 : 0);
}

void
tt_step_builder_add_ring_pieces (TtStepBuilder *self, guint rank, guint number)
{
  const TtStepGroup *group = &self->plan->groups[number];

  self->group_nodes[rank * self->plan->n_groups + number].pieces = self->graph->nodes->len;
  for (guint loop = 0; loop < group->n_loops; loop++)
    for (guint slice = 0; slice < group->n_slices; slice++)
      for (guint channel = 0; channel < group->n_channels; channel++)
        for (guint phase = 0; phase < group->n_chunks; phase++)
          {
            const Piece piece = { .loop = loop, .channel = channel, .slice = slice, .phase = phase };
            guint32 send = add_piece (self, rank, number, FALSE);
            guint32 recv = add_piece (self, rank, number, TRUE);
            name_piece (self, send, &piece, "");
            name_piece (self, recv, &piece, "");
          }
}

static void
join_ring_lane (TtStepBuilder *self, guint rank, guint number, guint channel, guint lane)
{
  const TtStepPlan *plan = self->plan;
  guint n_phases = plan->groups[number].n_chunks;
  guint32 memcpy_in = self->group_nodes[rank * plan->n_groups + number].memcpy_in;
  guint next = (guint) tt_nccl_next (plan->nccl, channel, (gint) rank);

  tt_step_builder_add_edge (self, memcpy_in, ring_piece (self, rank, number, lane, 0, TRUE));
  for (guint t = 0; t < n_phases; t++)
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
  if (n_phases > 0)
    tt_step_builder_add_edge (self, ring_piece (self, next, number, lane, n_phases - 1, TRUE),
                              self->group_nodes[next * plan->n_groups + number].last);
}

void
tt_step_builder_join_ring (TtStepBuilder *self, guint number)
{
  const TtStepGroup *group = &self->plan->groups[number];

  for (guint rank = 0; rank < self->plan->n_ranks; rank++)
    for (guint lane = 0; lane < group->n_loops * group->n_channels * group->n_slices; lane++)
      join_ring_lane (self, rank, number, lane % group->n_channels, lane);
}

/* -- trees ---------------------------------------------------------------------------------------------- */

/* A transfer of one piece along an edge of the tree. */
typedef struct
{
  guint32 group;
  Piece piece;
  gint from, to; /* ranks */
} TreeTransfer;

static guint32
add_transfer_end (TtStepBuilder *self, const TreeTransfer *transfer, gboolean is_recv)
{
  guint32 node = add_piece (self, (guint) (is_recv ? transfer->to : transfer->from), transfer->group, is_recv);
  g_autofree char *ends = g_strdup_printf ("_%d_%d", transfer->from, transfer->to);

  name_piece (self, node, &transfer->piece, ends);
  tt_step_node (self->graph, node)->peer = (guint32) (is_recv ? transfer->from : transfer->to);
  return node;
}

/* Adds the SEND, which needs the @n nodes of @ready, and the RECV, which it returns. */
static guint32
add_transfer (TtStepBuilder *self, const TreeTransfer *transfer, const guint32 *ready, guint n)
{
  guint n_groups = self->plan->n_groups;
  guint32 send = add_transfer_end (self, transfer, FALSE);
  guint32 recv = add_transfer_end (self, transfer, TRUE);

  tt_step_builder_add_edge (self, self->group_nodes[(guint) transfer->from * n_groups + transfer->group].memcpy_in,
                            send);
  tt_step_builder_add_edge (self, self->group_nodes[(guint) transfer->to * n_groups + transfer->group].memcpy_in, recv);
  for (guint i = 0; i < n; i++)
    tt_step_builder_add_edge (self, ready[i], send);
  tt_step_builder_add_edge (self, send, recv);
  return recv;
}

static void
join_tree_piece (TtStepBuilder *self, guint32 number, const GArray *order, Piece *piece)
{
  const TtStepPlan *plan = self->plan;
  g_autofree guint32 *up = g_new (guint32, (gsize) plan->n_ranks * TT_NCCL_CHILDREN);
  g_autofree guint *n_up = g_new0 (guint, plan->n_ranks);
  g_autofree guint32 *down = g_new (guint32, plan->n_ranks);

  for (guint i = 0; i < order->len; i++)
    {
      gint rank = g_array_index (order, gint, i), parent = tt_nccl_parent (plan->nccl, piece->channel, rank);
      if (parent == TT_NCCL_NONE || n_up[parent] == TT_NCCL_CHILDREN)
        continue;
      const TreeTransfer transfer = { number, *piece, rank, parent };
      up[(guint) parent * TT_NCCL_CHILDREN + n_up[parent]] =
          add_transfer (self, &transfer, &up[(guint) rank * TT_NCCL_CHILDREN], n_up[rank]);
      n_up[parent]++;
    }
  piece->is_down = TRUE;
  for (guint i = order->len; i-- > 0;)
    {
      gint rank = g_array_index (order, gint, i), parent = tt_nccl_parent (plan->nccl, piece->channel, rank);
      guint32 last = self->group_nodes[(guint) rank * plan->n_groups + number].last;
      if (parent == TT_NCCL_NONE)
        {
          for (guint k = 0; k < n_up[rank]; k++)
            tt_step_builder_add_edge (self, up[(guint) rank * TT_NCCL_CHILDREN + k], last);
          continue;
        }
      gboolean from_root = tt_nccl_parent (plan->nccl, piece->channel, parent) == TT_NCCL_NONE;
      const TreeTransfer transfer = { number, *piece, parent, rank };
      down[rank] = add_transfer (self, &transfer, from_root ? &up[(guint) parent * TT_NCCL_CHILDREN] : &down[parent],
                                 from_root ? n_up[parent] : 1);
      tt_step_builder_add_edge (self, down[rank], last);
    }
}

void
tt_step_builder_join_tree (TtStepBuilder *self, guint number)
{
  const TtStepPlan *plan = self->plan;
  const TtStepGroup *group = &plan->groups[number];

  for (guint channel = 0; channel < group->n_channels; channel++)
    {
      g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint));
      order_tree (plan->nccl, channel, plan->n_ranks, order);
      for (guint loop = 0; loop < group->n_loops; loop++)
        for (guint slice = 0; slice < group->n_slices; slice++)
          for (guint chunk = 0; chunk < group->n_chunks; chunk++)
            {
              Piece piece = { loop, channel, slice, chunk, FALSE };
              join_tree_piece (self, number, order, &piece);
            }
    }
}
