/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/tree-transfers.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/event.h"

#include <stdlib.h>

/* Spans of one name on one rank in one step, in time order: spans first .. first + n. */
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
  const TtJobTreeInput *input;
  GHashTable *pieces;
  guint32 *base; /* by node: id of its name without the ends; TT_NO_ID: no transfer of a tree, or never traced */
} Matcher;

static guint
hash_piece (gconstpointer data)
{
  const PieceKey *key = data;

  return (key->rank * 2654435761u ^ key->name) * 2246822519u ^ (guint) key->step;
}

static gboolean
equal_pieces (gconstpointer a, gconstpointer b)
{
  const PieceKey *x = a, *y = b;

  return x->rank == y->rank && x->name == y->name && x->step == y->step;
}

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const TtJobSpan *x = a, *y = b;

  if (x->endpoint != y->endpoint)
    return TT_COMPARE (x->endpoint, y->endpoint);
  if (x->name != y->name)
    return TT_COMPARE (x->name, y->name);
  if (x->step != y->step)
    return TT_COMPARE (x->step, y->step);
  if (x->ts_ns != y->ts_ns)
    return TT_COMPARE (x->ts_ns, y->ts_ns);
  return TT_COMPARE (x->dur_ns, y->dur_ns);
}

static TtJobSpan *
span_at (const Matcher *self, guint i)
{
  return &g_array_index (self->input->spans, TtJobSpan, i);
}

static void
find_pieces (Matcher *self)
{
  GArray *spans = self->input->spans;

  g_array_sort (spans, compare_spans);
  for (guint i = 0, n; i < spans->len; i += n)
    {
      const TtJobSpan *first = span_at (self, i);
      Piece *piece = g_new (Piece, 1);

      for (n = 1; i + n < spans->len; n++)
        if (span_at (self, i + n)->endpoint != first->endpoint || span_at (self, i + n)->name != first->name ||
            span_at (self, i + n)->step != first->step)
          break;
      *piece = (Piece){ { first->endpoint, first->name, first->step }, i, n };
      g_hash_table_replace (self->pieces, &piece->key, piece);
    }
}

static void
find_bases (Matcher *self)
{
  const TtStepGraph *graph = self->input->graph;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->peer == TT_STEP_NO_RANK)
        continue;
      g_autofree char *text =
          g_strdup_printf ("%s~>%u_%u_%u_%u", node->name, node->loop, node->channel, node->phase, node->slice);
      self->base[i] = tt_job_names_find (self->input->names, text);
    }
}

/* -- one step --------------------------------------------------------------------------------------------- */

static gint64
end_of (const TtJobSpan *span)
{
  return span->ts_ns + span->dur_ns;
}

/* The piece of @node, if the step has as many spans of it as the rank has neighbours in the tree. */
static const Piece *
find_whole_piece (const Matcher *self, guint32 number, gint32 step)
{
  const TtStepNode *node = tt_step_node (self->input->graph, number);
  const PieceKey key = { node->rank, self->base[number], step };
  const Piece *piece = key.name == TT_NO_ID ? NULL : g_hash_table_lookup (self->pieces, &key);
  const TtNccl *nccl = self->input->nccl;
  gint children[TT_NCCL_CHILDREN];
  guint n = tt_nccl_children (nccl, node->channel, (gint) node->rank, children) +
            (tt_nccl_parent (nccl, node->channel, (gint) node->rank) != TT_NCCL_NONE);

  return piece != NULL && piece->n == n ? piece : NULL;
}

/* The end of a span, and the parent's node that exchanges it with a child. */
typedef struct
{
  gint64 end_ns;
  guint span;
  guint32 node;
} ChildEnd;

static int
compare_child_ends (gconstpointer a, gconstpointer b)
{
  const ChildEnd *x = a, *y = b;

  if (x->end_ns != y->end_ns)
    return TT_COMPARE (x->end_ns, y->end_ns);
  if (x->node != y->node)
    return TT_COMPARE (x->node, y->node);
  return TT_COMPARE (x->span, y->span);
}

/* Gives the parent's nodes to the @n spans of its piece from @first on, which are those for its children, in the
 * order in which the children's spans end. */
static void
match_children (Matcher *self, ChildEnd *children, guint n, const Piece *piece, guint first)
{
  ChildEnd own[TT_NCCL_CHILDREN];

  for (guint i = 0; i < n; i++)
    own[i] = (ChildEnd){ end_of (span_at (self, piece->first + first + i)), piece->first + first + i, 0 };
  qsort (children, n, sizeof *children, compare_child_ends);
  qsort (own, n, sizeof *own, compare_child_ends);
  for (guint i = 0; i < n; i++)
    span_at (self, own[i].span)->node = children[i].node;
}

/* Nodes at both ends of a tree edge. */
typedef struct
{
  guint32 parent_node, child_node;
} NodePair;

/* @pairs: one direction of one piece between a parent and all its children. */
static void
match_pairs (Matcher *self, const NodePair *pairs, guint n, gboolean is_up, gint32 step)
{
  const Piece *piece = find_whole_piece (self, pairs[0].parent_node, step);
  ChildEnd children[TT_NCCL_CHILDREN];

  if (piece == NULL || n > TT_NCCL_CHILDREN)
    return;
  for (guint i = 0; i < n; i++)
    {
      const Piece *other = find_whole_piece (self, pairs[i].child_node, step);
      if (other == NULL)
        return;
      guint span = is_up ? other->first : other->first + other->n - 1;
      children[i] = (ChildEnd){ end_of (span_at (self, span)), span, pairs[i].parent_node };
    }
  for (guint i = 0; i < n; i++)
    span_at (self, children[i].span)->node = pairs[i].child_node;
  match_children (self, children, n, piece, is_up ? 0 : piece->n - n);
}

/* -- all ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  NodePair pair;
  gboolean is_up;
} TreeEdge;

static guint32
parent_rank (const Matcher *self, const TreeEdge *edge)
{
  return tt_step_node (self->input->graph, edge->pair.parent_node)->rank;
}

/* Of one parent, one direction and one piece. */
static gboolean
are_siblings (const Matcher *self, const TreeEdge *a, const TreeEdge *b)
{
  return a->is_up == b->is_up && self->base[a->pair.parent_node] == self->base[b->pair.parent_node] &&
         parent_rank (self, a) == parent_rank (self, b);
}

static int
compare_edges (gconstpointer a, gconstpointer b, gpointer data)
{
  const TreeEdge *x = a, *y = b;
  const Matcher *self = data;

  if (x->is_up != y->is_up)
    return x->is_up ? -1 : 1;
  if (self->base[x->pair.parent_node] != self->base[y->pair.parent_node])
    return TT_COMPARE (self->base[x->pair.parent_node], self->base[y->pair.parent_node]);
  if (parent_rank (self, x) != parent_rank (self, y))
    return TT_COMPARE (parent_rank (self, x), parent_rank (self, y));
  return TT_COMPARE (x->pair.parent_node, y->pair.parent_node);
}

static GArray *
find_tree_edges (Matcher *self)
{
  const TtStepGraph *graph = self->input->graph;
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (TreeEdge));

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
      if (from->kind != TT_STEP_NODE_SEND || to->kind != TT_STEP_NODE_RECV || from->peer != to->rank ||
          to->peer != from->rank)
        continue;
      gboolean is_up = tt_nccl_parent (self->input->nccl, from->channel, (gint) from->rank) == (gint) from->peer;
      const TreeEdge tree = { is_up ? (NodePair){ edge->to, edge->from } : (NodePair){ edge->from, edge->to }, is_up };
      g_array_append_val (edges, tree);
    }
  g_array_sort_with_data (edges, compare_edges, self);
  return edges;
}

static void
match_transfers (Matcher *self)
{
  g_autoptr (GArray) edges = find_tree_edges (self);
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (NodePair));
  guint n_steps = self->input->n_steps;

  for (guint i = 0; i < edges->len; i++)
    {
      const TreeEdge *edge = &g_array_index (edges, TreeEdge, i);
      g_array_append_val (pairs, edge->pair);
      if (i + 1 < edges->len && are_siblings (self, edge, edge + 1))
        continue;
      for (gint32 step = 0; step < (gint32) MAX (n_steps, 1); step++)
        match_pairs (self, TT_ARRAY (pairs, NodePair), pairs->len, edge->is_up, n_steps == 0 ? TT_NO_STEP : step);
      g_array_set_size (pairs, 0);
    }
}

static TtJobSamples *
sum_transfers (const Matcher *self)
{
  const TtJobTreeInput *input = self->input;
  guint32 n = input->graph->nodes->len;
  TtJobSamples *all = g_new0 (TtJobSamples, (gsize) n + 1);

  for (guint32 i = 0; i < n; i++)
    all[i].typical_ts_ns = all[i].typical_end_ns = TT_NO_TIME;
  for (guint i = 0; i < input->spans->len; i++)
    {
      const TtJobSpan *span = span_at (self, i);
      if (span->node == TT_STEP_NO_NODE)
        continue;
      TtJobSamples *samples = &all[span->node];
      samples->endpoint = span->endpoint;
      samples->name = span->name;
      samples->cnt++;
      samples->sum_ns += span->dur_ns;
      samples->end_sum_ns += end_of (span);
      if (span->step != input->typical_step)
        continue;
      samples->typical_ts_ns = span->ts_ns;
      samples->typical_end_ns = end_of (span);
    }
  return all;
}

TtJobSamples *
tt_job_match_tree_transfers (const TtJobTreeInput *input)
{
  g_autoptr (GHashTable) pieces = g_hash_table_new_full (hash_piece, equal_pieces, NULL, g_free);
  g_autofree guint32 *base = g_new0 (guint32, input->graph->nodes->len);
  Matcher matcher = { input, pieces, base };

  find_pieces (&matcher);
  find_bases (&matcher);
  match_transfers (&matcher);
  return sum_transfers (&matcher);
}
