/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the views of the ranks: each connection once, what contradicts another, rings that close, trees. */
#include "config.h"

#include "graphs/nccl/links.h"

static gboolean
is_same_link (const TtNcclLink *a, const TtNcclLink *b)
{
  return a->algo == b->algo && a->channel == b->channel && a->from == b->from && a->to == b->to;
}

/* Both ends of a connection report it: one of them stays. A transport that only one of them knows is kept. */
static void
unite_links (TtNccl *self)
{
  GArray *links = self->links;
  guint n = 0;

  g_array_sort (links, tt_nccl_link_compare);
  for (guint i = 0; i < links->len; i++)
    {
      const TtNcclLink *link = &g_array_index (links, TtNcclLink, i);
      TtNcclLink *last = n == 0 ? NULL : &g_array_index (links, TtNcclLink, n - 1);

      if (last == NULL || !is_same_link (last, link))
        g_array_index (links, TtNcclLink, n++) = *link;
      else if (last->transport == NULL)
        last->transport = link->transport;
      else if (g_strcmp0 (last->transport, link->transport) != 0)
        g_ptr_array_add (self->problems,
                         g_strdup_printf ("%s, channel %u: rank %d to %d goes via '%s' as one says, '%s' as the other",
                                          tt_nccl_algo_text (link->algo), link->channel, link->from, link->to,
                                          last->transport, link->transport));
    }
  g_array_set_size (links, n);
  for (guint i = 0; i < n; i++)
    g_array_append_val (self->backward, i);
  g_array_sort_with_data (self->backward, tt_nccl_link_compare_backward, links);
}

/* Ranks that send to two others, or receive from two. */
static void
find_conflicts (TtNccl *self)
{
  for (guint i = 1; i < self->links->len; i++)
    {
      const TtNcclLink *a = tt_nccl_link (self, i - 1);
      const TtNcclLink *b = a + 1;
      if (b->algo != TT_NCCL_RING_POSSIBLE && a->algo == b->algo && a->channel == b->channel && a->from == b->from)
        g_ptr_array_add (self->problems, g_strdup_printf (b->algo == TT_NCCL_RING
                                                              ? "ring, channel %u: rank %d sends to %d and to %d"
                                                              : "tree, channel %u: rank %d has the parents %d and %d",
                                                          b->channel, b->from, a->to, b->to));
    }
  for (guint i = 1; i < self->backward->len; i++)
    {
      const TtNcclLink *a = tt_nccl_link_backward (self, i - 1), *b = tt_nccl_link_backward (self, i);
      if (b->algo == TT_NCCL_RING && a->algo == b->algo && a->channel == b->channel && a->to == b->to)
        g_ptr_array_add (self->problems, g_strdup_printf ("ring, channel %u: rank %d receives from %d and from %d",
                                                          b->channel, b->to, a->from, b->from));
    }
}

/* Follows the links [first, last) of one channel's ring from its lowest sender. NULL: it does not come back. */
static GArray *
follow_ring (TtNccl *self, guint first, guint last)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint));
  guint channel = tt_nccl_link (self, first)->channel, n_ranks = (guint) (self->max_rank + 1);
  gint start = tt_nccl_link (self, first)->from, rank = start;

  do
    {
      g_array_append_val (order, rank);
      gint next = tt_nccl_link_target (self, TT_NCCL_RING, channel, rank);
      if (next == TT_NCCL_NONE)
        {
          g_ptr_array_add (self->problems, g_strdup_printf ("ring, channel %u: does not close: rank %d sends to nobody",
                                                            channel, rank));
          return NULL;
        }
      rank = next;
    }
  while (rank != start && order->len <= last - first);
  if (rank != start || order->len != last - first || order->len != n_ranks)
    g_ptr_array_add (self->problems,
                     g_strdup_printf ("ring, channel %u: from rank %d it goes over %u of %u ranks %s", channel, start,
                                      order->len, n_ranks, rank == start ? "and closes" : "and never comes back"));
  return rank == start ? g_steal_pointer (&order) : NULL;
}

static void
close_ring (TtNccl *self, guint first, guint last)
{
  TtNcclRing ring = { .channel = tt_nccl_link (self, first)->channel, .order = follow_ring (self, first, last) };

  if (ring.order == NULL)
    return;
  for (guint i = 0; i < ring.order->len; i++)
    tt_map64_set (&self->positions, tt_nccl_position_key (ring.channel, g_array_index (ring.order, gint, i)), i);
  g_array_append_val (self->rings, ring);
}

/* Goes up from @rank until a rank in @good, to which it adds the ranks on the path. A rank without a parent is a root,
 * of which there is one. FALSE: the path is a circle. */
static gboolean
climb_tree (TtNccl *self, guint channel, gint rank, GHashTable *good, gint *root)
{
  g_autoptr (GHashTable) path = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer key;

  while (!g_hash_table_contains (good, GINT_TO_POINTER (rank + 1)))
    {
      gint parent = tt_nccl_link_target (self, TT_NCCL_TREE, channel, rank);
      if (!g_hash_table_add (path, GINT_TO_POINTER (rank + 1)))
        {
          g_ptr_array_add (self->problems,
                           g_strdup_printf ("tree, channel %u: rank %d is its own ancestor", channel, rank));
          return FALSE;
        }
      if (parent == TT_NCCL_NONE)
        {
          if (*root != TT_NCCL_NONE && *root != rank)
            g_ptr_array_add (self->problems, g_strdup_printf ("tree, channel %u: ranks %d and %d are both roots",
                                                              channel, *root, rank));
          *root = rank;
          break;
        }
      rank = parent;
    }
  g_hash_table_iter_init (&iter, path);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (good, key);
  return TRUE;
}

/* Every rank but one has a parent, and going up from anywhere ends at that one. */
static void
check_tree (TtNccl *self, guint first, guint last)
{
  g_autoptr (GHashTable) good = g_hash_table_new (NULL, NULL);
  guint channel = tt_nccl_link (self, first)->channel;
  gint root = TT_NCCL_NONE;

  for (guint i = first; i < last; i++)
    if (!climb_tree (self, channel, tt_nccl_link (self, i)->from, good, &root))
      return;
}

void
tt_nccl_join (TtNccl *self)
{
  unite_links (self);
  find_conflicts (self);
  for (guint first = 0, last; first < self->links->len; first = last)
    {
      const TtNcclLink *link = tt_nccl_link (self, first);
      for (last = first; last < self->links->len; last++)
        {
          const TtNcclLink *other = tt_nccl_link (self, last);
          if (other->algo != link->algo || other->channel != link->channel)
            break;
        }
      if (link->algo == TT_NCCL_RING)
        close_ring (self, first, last);
      else if (link->algo == TT_NCCL_TREE)
        check_tree (self, first, last);
    }
}
