/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/via.h"

#include "graphs/order.h"
#include "graphs/reduce.h"

#include <string.h>

#define NONE TT_NOT_IN_GRAPH
#define BLOCK_WORDS 8u /* of 64 targets */
#define BLOCK (BLOCK_WORDS * 64)
/* Edges looked at to count what is left out. */
#define MOST_LOOKS 50000000u

typedef struct
{
  guint32 src, dst; /* in the reduced graph */
} Pair;

typedef struct
{
  const TtGraph *graph;
  const guint32 *new_number;
  TtGraph *reduced;
  TtAdjacency out;         /* of graph */
  TtAdjacency next, prior; /* of reduced */
  guint32 n_kept;
  guint32 *old_number; /* by new number */
  gsize n_words;
  guint64 *via; /* n_words a kept node: those that ways through what is left out lead to */

  /* Strong components of the whole graph that have kept nodes, numbered as in TtOrder: none leads to a higher one. */
  guint32 n_groups, *group_of;
  guint32 *first, *member; /* of group g: member[first[g]] to member[first[g + 1] - 1] */

  GArray *pairs; /* of Pair: up to TT_VIA_MOST */
  guint n_pairs;
} Via;

static gboolean
has_bit (const guint64 *bits, guint32 i)
{
  return (bits[i / 64] >> (i % 64)) & 1;
}

static void
set_bit (guint64 *bits, guint32 i)
{
  bits[i / 64] |= (guint64) 1 << (i % 64);
}

static guint64 *
via_of (const Via *self, guint32 kept)
{
  return self->via + kept * self->n_words;
}

static const TtEdge *
edge_out (const Via *self, guint32 k)
{
  return tt_graph_edge (self->graph, self->out.edge[k]);
}

/* -- ways through what is left out ------------------------------------------------------------------------------- */

/* What is left out, with the edges between; *left_of: by node, NONE for those that stay. */
static TtGraph *
left_out_graph (const Via *self, guint32 *left_of, guint32 *node_of)
{
  TtGraph *left = tt_graph_new ();
  guint32 n = 0;

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      left_of[i] = self->new_number[i] == NONE ? n : NONE;
      if (left_of[i] != NONE)
        node_of[n++] = i;
    }
  g_array_set_size (left->nodes, n);
  for (guint i = 0; i < self->graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (self->graph, i);
      if (left_of[edge->src] != NONE && left_of[edge->dst] != NONE)
        tt_graph_add_edge (left, left_of[edge->src], left_of[edge->dst], edge->kind, 1, 0);
    }
  return left;
}

/* The kept nodes from @begin on, up to BLOCK, that each left out component leads to. */
static void
reach_block (const Via *self,
             const TtOrder *order,
             const guint32 *left_of,
             const guint32 *node_of,
             guint32 n_left,
             guint32 begin,
             guint64 *reached)
{
  memset (reached, 0, (gsize) order->n_components * BLOCK_WORDS * sizeof *reached);
  for (guint32 i = n_left; i-- > 0;)
    {
      guint32 node = node_of[order->order[i]];
      guint64 *own = reached + (gsize) order->component[order->order[i]] * BLOCK_WORDS;

      for (guint32 k = self->out.first[node]; k < self->out.first[node + 1]; k++)
        {
          guint32 dst = edge_out (self, k)->dst, kept = self->new_number[dst];

          if (kept == NONE)
            for (guint word = 0; word < BLOCK_WORDS; word++)
              own[word] |= reached[(gsize) order->component[left_of[dst]] * BLOCK_WORDS + word];
          else if (kept >= begin && kept - begin < BLOCK && !tt_graph_node (self->graph, dst)->is_end)
            set_bit (own, kept - begin);
        }
    }
}

static void
find_ways (Via *self)
{
  guint n = self->graph->nodes->len;
  g_autofree guint32 *left_of = g_new (guint32, (gsize) n + 1), *node_of = g_new (guint32, (gsize) n + 1);
  g_autoptr (TtGraph) left = left_out_graph (self, left_of, node_of);
  g_autoptr (TtOrder) order = tt_order_new (left, 0);
  g_autofree guint64 *reached = g_new (guint64, (gsize) order->n_components * BLOCK_WORDS + 1);

  for (guint32 begin = 0; begin < self->n_kept; begin += BLOCK)
    {
      reach_block (self, order, left_of, node_of, left->nodes->len, begin, reached);
      for (guint32 kept = 0; kept < self->n_kept; kept++)
        {
          guint32 node = self->old_number[kept];
          gsize n_words = MIN (BLOCK_WORDS, self->n_words - begin / 64);

          for (guint32 k = self->out.first[node]; k < self->out.first[node + 1]; k++)
            {
              guint32 dst = left_of[edge_out (self, k)->dst];
              for (gsize word = 0; dst != NONE && word < n_words; word++)
                via_of (self, kept)[begin / 64 + word] |= reached[(gsize) order->component[dst] * BLOCK_WORDS + word];
            }
        }
    }
}

/* -- which of them become edges ---------------------------------------------------------------------------------- */

static void
add_pair (Via *self, guint32 src, guint32 dst)
{
  const Pair pair = { src, dst };

  if (self->n_pairs++ < TT_VIA_MOST)
    g_array_append_val (self->pairs, pair);
}

static void
group_nodes (Via *self)
{
  g_autoptr (TtOrder) order = tt_order_new (self->graph, 0);
  g_autofree guint32 *group = g_new0 (guint32, (gsize) order->n_components + 1);

  for (guint32 kept = 0; kept < self->n_kept; kept++)
    group[order->component[self->old_number[kept]]] = 1;
  for (guint32 i = 0; i < order->n_components; i++)
    group[i] = group[i] ? self->n_groups++ : NONE;
  self->first = g_new0 (guint32, (gsize) self->n_groups + 2);
  self->member = g_new (guint32, (gsize) self->n_kept + 1);
  self->group_of = g_new (guint32, (gsize) self->n_kept + 1);
  for (guint32 kept = 0; kept < self->n_kept; kept++)
    {
      self->group_of[kept] = group[order->component[self->old_number[kept]]];
      self->first[self->group_of[kept] + 2]++;
    }
  for (guint32 i = 2; i < self->n_groups + 2; i++)
    self->first[i] += self->first[i - 1];
  for (guint32 kept = 0; kept < self->n_kept; kept++)
    self->member[self->first[self->group_of[kept] + 1]++] = kept;
}

/* A walk over a group, from its first node or to it. */
typedef struct
{
  gboolean is_back;
  guint32 *queue, n;
  guint8 *is_seen; /* by kept node */
  guint32 *source; /* by kept node: of the edge TT_EDGE_VIA to it, or NONE */
} Walk;

static void
see (Walk *walk, guint32 kept)
{
  if (!walk->is_seen[kept])
    walk->queue[walk->n++] = kept;
  walk->is_seen[kept] = 1;
}

static void
see_neighbours (const Via *self, Walk *walk, guint32 kept)
{
  const TtAdjacency *edges = walk->is_back ? &self->prior : &self->next;

  for (guint32 k = edges->first[kept]; k < edges->first[kept + 1]; k++)
    {
      const TtEdge *edge = tt_graph_edge (self->reduced, edges->edge[k]);
      guint32 other = walk->is_back ? edge->src : edge->dst;

      if (self->group_of[other] == self->group_of[kept])
        see (walk, other);
    }
  if (walk->is_back && walk->source[kept] != NONE)
    see (walk, walk->source[kept]);
}

/* Sees all nodes of a group; where edges do not lead, a way through what is left out becomes one. */
static void
walk_group (Via *self, guint32 group, Walk *walk)
{
  guint32 begin = self->first[group], end = self->first[group + 1], n_done = 0, at = begin;

  for (guint32 i = begin; i < end; i++)
    walk->is_seen[self->member[i]] = 0;
  walk->n = 0;
  see (walk, self->member[begin]);
  for (guint32 i = 0; i < walk->n;)
    {
      while (n_done < walk->n)
        see_neighbours (self, walk, walk->queue[n_done++]);

      guint32 kept = walk->queue[i], other = NONE;
      for (; at < end && other == NONE; at++)
        if (!walk->is_seen[self->member[at]] && (walk->is_back ? has_bit (via_of (self, self->member[at]), kept)
                                                               : has_bit (via_of (self, kept), self->member[at])))
          other = self->member[at];
      if (other == NONE)
        {
          i++;
          at = begin;
          continue;
        }
      add_pair (self, walk->is_back ? other : kept, walk->is_back ? kept : other);
      if (!walk->is_back)
        walk->source[other] = kept;
      see (walk, other);
    }
}

/* Of a group: which groups it leads to, and by which ways. */
typedef struct
{
  guint64 *has_edge, *has_way, *reached; /* by group; reached: of all groups */
  gsize n_words;
  Pair *way; /* by group: the first */
} Groups;

static void
list_successors (const Via *self, guint32 group, Groups *groups)
{
  for (gsize word = 0; word < groups->n_words; word++)
    groups->has_edge[word] = groups->has_way[word] = 0;
  for (guint32 i = self->first[group]; i < self->first[group + 1]; i++)
    {
      guint32 kept = self->member[i];

      for (guint32 k = self->next.first[kept]; k < self->next.first[kept + 1]; k++)
        set_bit (groups->has_edge, self->group_of[tt_graph_edge (self->reduced, self->next.edge[k])->dst]);
      for (gsize word = 0; word < self->n_words; word++)
        for (guint64 bits = via_of (self, kept)[word]; bits != 0; bits &= bits - 1)
          {
            guint32 dst = (guint32) (word * 64) + (guint32) __builtin_ctzll (bits), other = self->group_of[dst];

            if (!has_bit (groups->has_way, other))
              groups->way[other] = (Pair){ kept, dst };
            set_bit (groups->has_way, other);
          }
    }
}

/* Successors have lower numbers and are done. The nearest comes first: what it leads to needs no way of its own. */
static void
join_group (Via *self, guint32 group, Groups *groups)
{
  guint64 *own = groups->reached + group * groups->n_words;

  list_successors (self, group, groups);
  for (gsize word = groups->n_words; word-- > 0;)
    for (guint64 bits; (bits = (groups->has_edge[word] | groups->has_way[word]) & ~own[word]) != 0;)
      {
        guint32 other = (guint32) (word * 64) + 63 - (guint32) __builtin_clzll (bits);

        if (other != group && !has_bit (groups->has_edge, other))
          add_pair (self, groups->way[other].src, groups->way[other].dst);
        set_bit (own, other);
        for (gsize i = 0; other != group && i < groups->n_words; i++)
          own[i] |= groups->reached[other * groups->n_words + i];
      }
  set_bit (own, group);
}

static void
choose_ways (Via *self)
{
  gsize n_words = self->n_groups / 64 + 1;
  g_autofree guint64 *has_edge = g_new (guint64, n_words), *has_way = g_new (guint64, n_words);
  g_autofree guint64 *reached = g_new0 (guint64, n_words * self->n_groups + 1);
  g_autofree Pair *way = g_new (Pair, (gsize) self->n_groups + 1);
  g_autofree guint32 *queue = g_new (guint32, (gsize) self->n_kept + 1),
                     *source = g_new (guint32, (gsize) self->n_kept + 1);
  g_autofree guint8 *is_seen = g_new0 (guint8, (gsize) self->n_kept + 1);
  Groups groups = { has_edge, has_way, reached, n_words, way };

  memset (source, 0xff, self->n_kept * sizeof *source);
  for (guint32 group = 0; group < self->n_groups; group++)
    {
      for (guint back = 0; back < 2; back++)
        walk_group (self, group, &(Walk){ .is_back = back == 1, .queue = queue, .is_seen = is_seen, .source = source });
      join_group (self, group, &groups);
    }
}

/* -- how much is left out ---------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 *queue, *depth; /* depth: by node */
  guint32 *stamp;         /* by node: the last search that saw it */
  guint64 n_looks;
} Search;

/* Sets the counts of the edges @first to @end - 1 of the reduced graph, all from one node. */
static void
count_from (const Via *self, Search *search, guint first, guint end)
{
  guint32 start = self->old_number[tt_graph_edge (self->reduced, first)->src], n = 0, n_wanted = end - first;
  guint32 stamp = first + 1;

  search->queue[n++] = start;
  search->depth[start] = 0;
  for (guint32 i = 0; i < n && n_wanted > 0 && search->n_looks < MOST_LOOKS; i++)
    {
      guint32 node = search->queue[i];

      for (guint32 k = self->out.first[node]; k < self->out.first[node + 1]; k++, search->n_looks++)
        {
          guint32 dst = edge_out (self, k)->dst;

          /* An edge from the start to one that stays is there itself. */
          if (search->stamp[dst] == stamp || (i == 0 && self->new_number[dst] != NONE))
            continue;
          search->stamp[dst] = stamp;
          search->depth[dst] = search->depth[node] + 1;
          if (self->new_number[dst] == NONE)
            search->queue[n++] = dst;
          for (guint e = first; self->new_number[dst] != NONE && e < end; e++)
            if (tt_graph_edge (self->reduced, e)->dst == self->new_number[dst])
              {
                tt_graph_edge (self->reduced, e)->cnt = search->depth[node];
                n_wanted--;
              }
        }
    }
}

static int
compare_pairs (const void *a, const void *b)
{
  const Pair *x = a, *y = b;

  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  return x->dst < y->dst ? -1 : x->dst > y->dst;
}

static void
add_edges (Via *self)
{
  gsize n = (gsize) self->graph->nodes->len + 1;
  g_autofree guint32 *queue = g_new (guint32, n), *depth = g_new (guint32, n), *stamp = g_new0 (guint32, n);
  Search search = { .queue = queue, .depth = depth, .stamp = stamp };
  guint begin = self->reduced->edges->len;

  g_array_sort (self->pairs, compare_pairs);
  for (guint i = 0; i < self->pairs->len; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);
      tt_graph_add_edge (self->reduced, pair->src, pair->dst, TT_EDGE_VIA, 0, 0);
    }
  for (guint first = begin, end; first < self->reduced->edges->len; first = end)
    {
      for (end = first + 1; end < self->reduced->edges->len; end++)
        if (tt_graph_edge (self->reduced, end)->src != tt_graph_edge (self->reduced, first)->src)
          break;
      count_from (self, &search, first, end);
    }
}

/* -- public ------------------------------------------------------------------------------------------------------ */

guint
tt_graph_add_via (const TtGraph *graph, const guint32 *new_number, TtGraph *reduced)
{
  Via self = { .graph = graph, .new_number = new_number, .reduced = reduced, .n_kept = reduced->nodes->len };

  if (self.n_kept == 0 || self.n_kept > TT_VIA_MOST_NODES || self.n_kept == graph->nodes->len)
    return 0;
  self.n_words = self.n_kept / 64 + 1;
  self.via = g_new0 (guint64, self.n_words * self.n_kept);
  self.old_number = g_new (guint32, self.n_kept);
  self.pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (new_number[i] != NONE)
      self.old_number[new_number[i]] = i;
  tt_adjacency_init (&self.out, graph, FALSE);
  tt_adjacency_init (&self.next, reduced, FALSE);
  tt_adjacency_init (&self.prior, reduced, TRUE);
  find_ways (&self);
  group_nodes (&self);
  choose_ways (&self);
  if (self.n_pairs <= TT_VIA_MOST)
    add_edges (&self);
  tt_adjacency_clear (&self.out);
  tt_adjacency_clear (&self.next);
  tt_adjacency_clear (&self.prior);
  g_array_unref (self.pairs);
  g_free (self.via);
  g_free (self.old_number);
  g_free (self.group_of);
  g_free (self.first);
  g_free (self.member);
  return self.n_pairs;
}
