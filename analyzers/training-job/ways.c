#include "config.h"

#include "analyzers/training-job/private.h"

#include <stdlib.h>

/*
 * A rank sends a piece of a tree up once and down to each child, and receives it from each child and from its parent; the traces
 * call all of these the same. They are told apart by their order in a step: up comes before down, and of several children
 * who was done sending first is the first to be received. Where a step has another number of them than the tree has, it does not count.
 */

/* Spans of one name on one rank in one step, in order of time: transfers first .. first + n. */
typedef struct
{
  guint32 rank, name;
  gint32 step;
} PieceKey;

typedef struct
{
  PieceKey key;
  guint first, n;
} Piece;

typedef struct
{
  TtJobParts *parts;
  GHashTable *pieces;
  guint32 *base; /* by node: id of its name without the way; 0: no transfer of a tree, or never traced */
} Ways;

static guint
hash_piece (gconstpointer data)
{
  const PieceKey *key = data;

  return (key->rank * 2654435761u ^ key->name) * 2246822519u ^ (guint) key->step;
}

static gboolean
same_piece (gconstpointer a, gconstpointer b)
{
  const PieceKey *x = a, *y = b;

  return x->rank == y->rank && x->name == y->name && x->step == y->step;
}

static int
compare_transfers (gconstpointer a, gconstpointer b)
{
  const TtJobTransfer *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->name != y->name)
    return x->name < y->name ? -1 : 1;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  return x->dur_ns < y->dur_ns ? -1 : x->dur_ns > y->dur_ns;
}

static TtJobTransfer *
transfer_at (const Ways *self, guint i)
{
  return &g_array_index (self->parts->transfers, TtJobTransfer, i);
}

static void
find_pieces (Ways *self)
{
  g_array_sort (self->parts->transfers, compare_transfers);
  for (guint i = 0, n; i < self->parts->transfers->len; i += n)
    {
      const TtJobTransfer *first = transfer_at (self, i);
      Piece *piece = g_new (Piece, 1);

      for (n = 1; i + n < self->parts->transfers->len; n++)
        if (transfer_at (self, i + n)->rank != first->rank || transfer_at (self, i + n)->name != first->name ||
            transfer_at (self, i + n)->step != first->step)
          break;
      *piece = (Piece){ { first->rank, first->name, first->step }, i, n };
      g_hash_table_replace (self->pieces, &piece->key, piece);
    }
}

static void
find_bases (Ways *self)
{
  const TtStepGraph *graph = self->parts->job->graph;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->peer == TT_STEP_NO_RANK)
        continue;
      g_autofree char *text =
          g_strdup_printf ("%s~>%u_%u_%u_%u", node->name, node->loop, node->channel, node->phase, node->slice);
      self->base[i] = GPOINTER_TO_UINT (g_hash_table_lookup (self->parts->name_of, text));
    }
}

/* -- one step --------------------------------------------------------------------------------------------- */

static gint64
end_of (const TtJobTransfer *transfer)
{
  return transfer->ts_ns + transfer->dur_ns;
}

/* The piece of @node, if the step has as many spans of it as the rank has neighbours in the tree. */
static const Piece *
whole_piece (const Ways *self, guint32 node, gint32 step)
{
  const TtStepNode *facts = tt_step_node (self->parts->job->graph, node);
  const PieceKey key = { facts->rank, self->base[node], step };
  const Piece *piece = key.name == 0 ? NULL : g_hash_table_lookup (self->pieces, &key);
  const TtNccl *nccl = self->parts->job->nccl;
  gint children[TT_NCCL_CHILDREN];
  guint n = tt_nccl_children (nccl, facts->channel, (gint) facts->rank, children) +
            (tt_nccl_parent (nccl, facts->channel, (gint) facts->rank) != TT_NCCL_NONE);

  return piece != NULL && piece->n == n ? piece : NULL;
}

static gboolean
is_to_parent (const Ways *self, const TtStepNode *from)
{
  return tt_nccl_parent (self->parts->job->nccl, from->channel, (gint) from->rank) == (gint) from->peer;
}

/* A child of some rank and a span that has to do with it. */
typedef struct
{
  gint64 end_ns;
  guint transfer;
  guint32 node; /* of the rank: to the child or from it */
} ChildEnd;

static int
compare_child_ends (gconstpointer a, gconstpointer b)
{
  const ChildEnd *x = a, *y = b;

  if (x->end_ns != y->end_ns)
    return x->end_ns < y->end_ns ? -1 : 1;
  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return x->transfer < y->transfer ? -1 : x->transfer > y->transfer;
}

/* The spans of a rank's piece that are for its children (all but the first, or the last, if it has a parent) to the nodes, in
 * the order of the other ends. */
static void
match_children (Ways *self, ChildEnd *children, guint n, const Piece *piece, guint first)
{
  ChildEnd own[TT_NCCL_CHILDREN];

  for (guint i = 0; i < n; i++)
    own[i] = (ChildEnd){ end_of (transfer_at (self, piece->first + first + i)), piece->first + first + i, 0 };
  qsort (children, n, sizeof *children, compare_child_ends);
  qsort (own, n, sizeof *own, compare_child_ends);
  for (guint i = 0; i < n; i++)
    transfer_at (self, own[i].transfer)->node = children[i].node;
}

/* What leads from a SEND to a RECV in the tree: @sends and @recvs, of one piece (rank and name) of the parent. */
typedef struct
{
  guint32 parent_node, child_node;
} Pair;

static void
match_pairs (Ways *self, const Pair *pairs, guint n, gboolean is_up, gint32 step)
{
  const Piece *piece = whole_piece (self, pairs[0].parent_node, step);
  ChildEnd children[TT_NCCL_CHILDREN];

  if (piece == NULL || n > TT_NCCL_CHILDREN)
    return;
  for (guint i = 0; i < n; i++)
    {
      const Piece *other = whole_piece (self, pairs[i].child_node, step);
      if (other == NULL)
        return;
      guint transfer = is_up ? other->first : other->first + other->n - 1;
      children[i] = (ChildEnd){ end_of (transfer_at (self, transfer)), transfer, pairs[i].parent_node };
    }
  for (guint i = 0; i < n; i++)
    transfer_at (self, children[i].transfer)->node = pairs[i].child_node;
  match_children (self, children, n, piece, is_up ? 0 : piece->n - n);
}

/* -- all ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  Pair pair;
  gboolean is_up;
} Link;

/* Of one parent, one way and one piece. */
static gboolean
are_siblings (const Ways *self, const Link *a, const Link *b)
{
  const TtStepGraph *graph = self->parts->job->graph;

  return a->is_up == b->is_up && self->base[a->pair.parent_node] == self->base[b->pair.parent_node] &&
         tt_step_node (graph, a->pair.parent_node)->rank == tt_step_node (graph, b->pair.parent_node)->rank;
}

static int
compare_links (gconstpointer a, gconstpointer b, gpointer data)
{
  const Link *x = a, *y = b;
  const Ways *self = data;
  guint32 rank_x = tt_step_node (self->parts->job->graph, x->pair.parent_node)->rank;
  guint32 rank_y = tt_step_node (self->parts->job->graph, y->pair.parent_node)->rank;

  if (x->is_up != y->is_up)
    return x->is_up ? -1 : 1;
  if (self->base[x->pair.parent_node] != self->base[y->pair.parent_node])
    return self->base[x->pair.parent_node] < self->base[y->pair.parent_node] ? -1 : 1;
  if (rank_x != rank_y)
    return rank_x < rank_y ? -1 : 1;
  return x->pair.parent_node < y->pair.parent_node ? -1 : x->pair.parent_node > y->pair.parent_node;
}

static GArray *
find_links (Ways *self)
{
  const TtStepGraph *graph = self->parts->job->graph;
  GArray *links = g_array_new (FALSE, FALSE, sizeof (Link));

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
      if (from->kind != TT_STEP_NODE_SEND || to->kind != TT_STEP_NODE_RECV || from->peer != to->rank || to->peer != from->rank)
        continue;
      gboolean is_up = is_to_parent (self, from);
      const Link link = { is_up ? (Pair){ edge->to, edge->from } : (Pair){ edge->from, edge->to }, is_up };
      g_array_append_val (links, link);
    }
  g_array_sort_with_data (links, compare_links, self);
  return links;
}

static void
match_ways (Ways *self)
{
  g_autoptr (GArray) links = find_links (self);
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (guint i = 0; i < links->len; i++)
    {
      const Link *link = &g_array_index (links, Link, i);
      g_array_append_val (pairs, link->pair);
      if (i + 1 < links->len && are_siblings (self, link, link + 1))
        continue;
      for (gint32 step = 0; step < (gint32) MAX (self->parts->job->n_steps, 1); step++)
        match_pairs (self, (const Pair *) (gconstpointer) pairs->data, pairs->len, link->is_up,
                     self->parts->job->n_steps == 0 ? TT_NO_STEP : step);
      g_array_set_size (pairs, 0);
    }
}

static void
sum_ways (Ways *self)
{
  TtJobParts *parts = self->parts;
  guint32 n = parts->job->graph->nodes->len;

  parts->ways = g_new0 (TtJobCell, n);
  for (guint32 i = 0; i < n; i++)
    parts->ways[i].typical_ts_ns = parts->ways[i].typical_end_ns = TT_NO_TIME;
  for (guint i = 0; i < parts->transfers->len; i++)
    {
      const TtJobTransfer *transfer = transfer_at (self, i);
      if (transfer->node == TT_NO_TASK)
        continue;
      TtJobCell *way = &parts->ways[transfer->node];
      way->rank = transfer->rank;
      way->name = transfer->name;
      way->cnt++;
      way->sum_ns += transfer->dur_ns;
      way->end_sum_ns += end_of (transfer);
      if (transfer->step != parts->job->typical_step)
        continue;
      way->typical_ts_ns = transfer->ts_ns;
      way->typical_end_ns = end_of (transfer);
    }
}

static void
place_ways (TtJobParts *parts)
{
  g_autoptr (GHashTable) pieces = g_hash_table_new_full (hash_piece, same_piece, NULL, g_free);
  g_autofree guint32 *base = g_new0 (guint32, parts->job->graph->nodes->len);
  Ways self = { parts, pieces, base };

  find_pieces (&self);
  find_bases (&self);
  match_ways (&self);
  sum_ways (&self);
}

/* All others are called as their node is. */
static void
place_by_name (TtJobParts *self)
{
  const TtStepGraph *graph = self->job->graph;
  g_autofree guint32 *node_of_cell = g_new (guint32, (gsize) self->cells->len + 1);

  for (guint i = 0; i < self->cells->len; i++)
    node_of_cell[i] = TT_NO_TASK;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtJobCell *cell = tt_job_cell_of_node (self, tt_step_node (graph, i));
      if (cell != NULL)
        node_of_cell[cell - (const TtJobCell *) (gconstpointer) self->cells->data] = i;
    }
  for (guint i = 0; i < self->transfers->len; i++)
    {
      TtJobTransfer *transfer = &g_array_index (self->transfers, TtJobTransfer, i);
      const TtJobCell *cell = tt_job_cell (self, transfer->rank, transfer->name);
      if (cell != NULL)
        transfer->node = node_of_cell[cell - (const TtJobCell *) (gconstpointer) self->cells->data];
    }
}

void
tt_job_place_transfers (TtJobParts *self)
{
  if (self->transfers->len == 0)
    return;
  place_by_name (self);
  if (self->has_ways)
    place_ways (self);
}
