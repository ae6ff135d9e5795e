/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/nccl/links.h"

#include "src/base/compare.h"

const char *
tt_nccl_algo_text (TtNcclAlgo algo)
{
  static const char *const texts[] = { "ring", "ring_possible", "tree" };

  return texts[algo];
}

static void
clear_ring (gpointer ring)
{
  g_array_unref (((TtNcclRing *) ring)->order);
}

TtNccl *
tt_nccl_new (void)
{
  TtNccl *self = g_new0 (TtNccl, 1);

  self->links = g_array_new (FALSE, FALSE, sizeof (TtNcclLink));
  self->backward = g_array_new (FALSE, FALSE, sizeof (guint));
  self->transports = g_string_chunk_new (256);
  self->rings = g_array_new (FALSE, FALSE, sizeof (TtNcclRing));
  g_array_set_clear_func (self->rings, clear_ring);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  self->max_rank = TT_NCCL_NONE;
  return self;
}

void
tt_nccl_free (TtNccl *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->links);
  g_array_unref (self->backward);
  g_string_chunk_free (self->transports);
  g_array_unref (self->rings);
  tt_map64_clear (&self->positions);
  g_ptr_array_unref (self->problems);
  g_free (self);
}

/* -- questions ------------------------------------------------------------------------------------------ */

const GPtrArray *
tt_nccl_problems (const TtNccl *self)
{
  return self->problems;
}

const GArray *
tt_nccl_links (const TtNccl *self)
{
  return self->links;
}

guint
tt_nccl_n_ranks (const TtNccl *self)
{
  return (guint) (self->max_rank + 1);
}

guint
tt_nccl_n_channels (const TtNccl *self, TtNcclAlgo algo)
{
  guint n = 0, last = G_MAXUINT;

  for (guint i = 0; i < self->links->len; i++)
    {
      const TtNcclLink *link = tt_nccl_link (self, i);
      if (link->algo != algo)
        continue;
      n += link->channel != last;
      last = link->channel;
    }
  return n;
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const gint *) a, *(const gint *) b);
}

/* The ranks in links [first, last). */
static GArray *
list_ranks (const TtNccl *self, guint first, guint last)
{
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  guint n = 0;

  for (guint i = first; i < last; i++)
    {
      const TtNcclLink *link = tt_nccl_link (self, i);
      g_array_append_val (ranks, link->from);
      g_array_append_val (ranks, link->to);
    }
  g_array_sort (ranks, compare_ranks);
  for (guint i = 0; i < ranks->len; i++)
    if (n == 0 || g_array_index (ranks, gint, n - 1) != g_array_index (ranks, gint, i))
      g_array_index (ranks, gint, n++) = g_array_index (ranks, gint, i);
  g_array_set_size (ranks, n);
  return ranks;
}

GArray *
tt_nccl_ranks (const TtNccl *self, TtNcclAlgo algo, guint channel)
{
  guint first = tt_nccl_link_first_from (self, algo, channel, G_MININT), last = first;

  while (last < self->links->len && tt_nccl_link (self, last)->algo == algo &&
         tt_nccl_link (self, last)->channel == channel)
    last++;
  return list_ranks (self, first, last);
}

GArray *
tt_nccl_all_ranks (const TtNccl *self)
{
  return list_ranks (self, 0, self->links->len);
}

static const GArray *
find_ring (const TtNccl *self, guint channel)
{
  for (guint i = 0; i < self->rings->len; i++)
    {
      const TtNcclRing *ring = &g_array_index (self->rings, TtNcclRing, i);
      if (ring->channel == channel)
        return ring->order;
    }
  return NULL;
}

gboolean
tt_nccl_has_ring (const TtNccl *self, guint channel)
{
  return find_ring (self, channel) != NULL;
}

guint
tt_nccl_ring_size (const TtNccl *self, guint channel)
{
  const GArray *order = find_ring (self, channel);

  return order == NULL ? 0 : order->len;
}

gint
tt_nccl_position (const TtNccl *self, guint channel, gint rank)
{
  guint32 position = rank < 0 ? TT_MAP64_NONE : tt_map64_get (&self->positions, tt_nccl_position_key (channel, rank));

  return position == TT_MAP64_NONE ? TT_NCCL_NONE : (gint) position;
}

static gint
find_rank_ahead (const TtNccl *self, guint channel, gint rank, guint ahead)
{
  gint position = tt_nccl_position (self, channel, rank);

  if (position == TT_NCCL_NONE)
    return TT_NCCL_NONE;
  const GArray *order = find_ring (self, channel);
  return g_array_index (order, gint, ((guint) position + ahead) % order->len);
}

gint
tt_nccl_next (const TtNccl *self, guint channel, gint rank)
{
  return find_rank_ahead (self, channel, rank, 1);
}

gint
tt_nccl_prev (const TtNccl *self, guint channel, gint rank)
{
  return find_rank_ahead (self, channel, rank, tt_nccl_ring_size (self, channel) - 1);
}

gint
tt_nccl_parent (const TtNccl *self, guint channel, gint rank)
{
  return tt_nccl_link_target (self, TT_NCCL_TREE, channel, rank);
}

guint
tt_nccl_children (const TtNccl *self, guint channel, gint rank, gint children[TT_NCCL_CHILDREN])
{
  guint n = 0;

  for (guint i = tt_nccl_link_first_to (self, TT_NCCL_TREE, channel, rank);
       n < TT_NCCL_CHILDREN && i < self->backward->len; i++)
    {
      const TtNcclLink *link = tt_nccl_link_backward (self, i);
      if (link->algo != TT_NCCL_TREE || link->channel != channel || link->to != rank)
        break;
      children[n++] = link->from;
    }
  return n;
}
