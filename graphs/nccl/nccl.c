#include "config.h"

#include "graphs/nccl/private.h"

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
  self->place = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
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
  g_hash_table_unref (self->place);
  g_ptr_array_unref (self->problems);
  g_free (self);
}

/* -- joining ----------------------------------------------------------------------------------------- */

static int
compare_links (gconstpointer a, gconstpointer b)
{
  const TtNcclLink *x = a, *y = b;

#define COMPARE(field)      \
  if (x->field != y->field) \
  return x->field < y->field ? -1 : 1
  COMPARE (algo);
  COMPARE (channel);
  COMPARE (from);
  COMPARE (to);
  return g_strcmp0 (x->transport, y->transport);
}

static int
compare_backward (gconstpointer a, gconstpointer b, gpointer links)
{
  const TtNcclLink *x = &g_array_index ((GArray *) links, TtNcclLink, *(const guint *) a);
  const TtNcclLink *y = &g_array_index ((GArray *) links, TtNcclLink, *(const guint *) b);

  COMPARE (algo);
  COMPARE (channel);
  COMPARE (to);
  COMPARE (from);
  return 0;
}

static gboolean
is_same_link (const TtNcclLink *a, const TtNcclLink *b)
{
  return a->algo == b->algo && a->channel == b->channel && a->from == b->from && a->to == b->to;
}

/* Both ends tell of a connection: once is enough. A transport that only one knows counts. */
static void
unite_links (TtNccl *self)
{
  GArray *links = self->links;
  guint n = 0;

  g_array_sort (links, compare_links);
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
  g_array_sort_with_data (self->backward, compare_backward, links);
}

/* Number of the first link of (algo, channel, from), or the length. */
static guint
first_from (const TtNccl *self, TtNcclAlgo algo, guint channel, gint from)
{
  guint low = 0, high = self->links->len;
  const TtNcclLink key = { .algo = algo, .channel = channel, .from = from, .to = G_MININT };

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (compare_links (&g_array_index (self->links, TtNcclLink, middle), &key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static const TtNcclLink *
backward_at (const TtNccl *self, guint i)
{
  return &g_array_index (self->links, TtNcclLink, g_array_index (self->backward, guint, i));
}

static guint
first_to (const TtNccl *self, TtNcclAlgo algo, guint channel, gint to)
{
  guint low = 0, high = self->backward->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtNcclLink *link = backward_at (self, middle);
      gboolean is_before = link->algo != algo         ? link->algo < algo
                           : link->channel != channel ? link->channel < channel
                                                      : link->to < to;
      if (is_before)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gint
only_to (const TtNccl *self, TtNcclAlgo algo, guint channel, gint from)
{
  guint i = first_from (self, algo, channel, from);
  const TtNcclLink *link = i < self->links->len ? &g_array_index (self->links, TtNcclLink, i) : NULL;

  return link != NULL && link->algo == algo && link->channel == channel && link->from == from ? link->to : TT_NCCL_NONE;
}

/* Whoever sends to two, or hears from two. */
static void
find_conflicts (TtNccl *self)
{
  for (guint i = 1; i < self->links->len; i++)
    {
      const TtNcclLink *a = &g_array_index (self->links, TtNcclLink, i - 1);
      const TtNcclLink *b = a + 1;
      if (b->algo != TT_NCCL_RING_POSSIBLE && a->algo == b->algo && a->channel == b->channel && a->from == b->from)
        g_ptr_array_add (self->problems, g_strdup_printf (b->algo == TT_NCCL_RING
                                                              ? "ring, channel %u: rank %d sends to %d and to %d"
                                                              : "tree, channel %u: rank %d has the parents %d and %d",
                                                          b->channel, b->from, a->to, b->to));
    }
  for (guint i = 1; i < self->backward->len; i++)
    {
      const TtNcclLink *a = backward_at (self, i - 1), *b = backward_at (self, i);
      if (b->algo == TT_NCCL_RING && a->algo == b->algo && a->channel == b->channel && a->to == b->to)
        g_ptr_array_add (self->problems, g_strdup_printf ("ring, channel %u: rank %d receives from %d and from %d",
                                                          b->channel, b->to, a->from, b->from));
    }
}

/* Walks the links [first, last) of one channel's ring from its lowest sender. */
static void
close_ring (TtNccl *self, guint first, guint last)
{
  const TtNcclLink *link = &g_array_index (self->links, TtNcclLink, first);
  guint channel = link->channel, n_ranks = (guint) (self->max_rank + 1);
  TtNcclRing ring = { .channel = channel, .order = g_array_new (FALSE, FALSE, sizeof (gint)) };
  gint start = link->from, rank = start;

  do
    {
      g_array_append_val (ring.order, rank);
      gint next = only_to (self, TT_NCCL_RING, channel, rank);
      if (next == TT_NCCL_NONE)
        {
          g_ptr_array_add (self->problems, g_strdup_printf ("ring, channel %u: does not close: rank %d sends to nobody",
                                                            channel, rank));
          g_array_unref (ring.order);
          return;
        }
      rank = next;
    }
  while (rank != start && ring.order->len <= last - first);
  if (rank != start || ring.order->len != last - first || ring.order->len != n_ranks)
    {
      g_ptr_array_add (self->problems, g_strdup_printf ("ring, channel %u: from rank %d it goes over %u of %u ranks %s",
                                                        channel, start, ring.order->len, n_ranks,
                                                        rank == start ? "and closes" : "and never comes back"));
      if (rank != start)
        {
          g_array_unref (ring.order);
          return;
        }
    }
  for (guint i = 0; i < ring.order->len; i++)
    {
      gint64 *key = g_new (gint64, 1);
      *key = (gint64) channel << 32 | g_array_index (ring.order, gint, i);
      g_hash_table_insert (self->place, key, GUINT_TO_POINTER (i + 1));
    }
  g_array_append_val (self->rings, ring);
}

/* Every rank but one has a parent, and going up from anywhere ends at that one. */
static void
check_tree (TtNccl *self, guint first, guint last)
{
  guint channel = g_array_index (self->links, TtNcclLink, first).channel;
  g_autoptr (GHashTable) good = g_hash_table_new (NULL, NULL);
  gint root = TT_NCCL_NONE;

  for (guint i = first; i < last; i++)
    {
      g_autoptr (GHashTable) way = g_hash_table_new (NULL, NULL);
      gint rank = g_array_index (self->links, TtNcclLink, i).from;

      while (!g_hash_table_contains (good, GINT_TO_POINTER (rank + 1)))
        {
          gint up = only_to (self, TT_NCCL_TREE, channel, rank);
          if (!g_hash_table_add (way, GINT_TO_POINTER (rank + 1)))
            {
              g_ptr_array_add (self->problems,
                               g_strdup_printf ("tree, channel %u: rank %d is its own ancestor", channel, rank));
              return;
            }
          if (up == TT_NCCL_NONE)
            {
              if (root != TT_NCCL_NONE && root != rank)
                g_ptr_array_add (self->problems, g_strdup_printf ("tree, channel %u: ranks %d and %d are both roots",
                                                                  channel, root, rank));
              root = rank;
              break;
            }
          rank = up;
        }
      GHashTableIter iter;
      gpointer key;
      g_hash_table_iter_init (&iter, way);
      while (g_hash_table_iter_next (&iter, &key, NULL))
        g_hash_table_add (good, key);
    }
}

void
tt_nccl_join (TtNccl *self)
{
  unite_links (self);
  find_conflicts (self);
  for (guint first = 0, last; first < self->links->len; first = last)
    {
      const TtNcclLink *link = &g_array_index (self->links, TtNcclLink, first);
      for (last = first; last < self->links->len; last++)
        {
          const TtNcclLink *other = &g_array_index (self->links, TtNcclLink, last);
          if (other->algo != link->algo || other->channel != link->channel)
            break;
        }
      if (link->algo == TT_NCCL_RING)
        close_ring (self, first, last);
      else if (link->algo == TT_NCCL_TREE)
        check_tree (self, first, last);
    }
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
      const TtNcclLink *link = &g_array_index (self->links, TtNcclLink, i);
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
  gint x = *(const gint *) a, y = *(const gint *) b;

  return x < y ? -1 : x > y;
}

/* Those of links [first, last). */
static GArray *
ranks_between (const TtNccl *self, guint first, guint last)
{
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  guint n = 0;

  for (guint i = first; i < last; i++)
    {
      const TtNcclLink *link = &g_array_index (self->links, TtNcclLink, i);
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
  guint first = first_from (self, algo, channel, G_MININT), last = first;

  while (last < self->links->len && g_array_index (self->links, TtNcclLink, last).algo == algo &&
         g_array_index (self->links, TtNcclLink, last).channel == channel)
    last++;
  return ranks_between (self, first, last);
}

GArray *
tt_nccl_all_ranks (const TtNccl *self)
{
  return ranks_between (self, 0, self->links->len);
}

static const GArray *
ring_order (const TtNccl *self, guint channel)
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
  return ring_order (self, channel) != NULL;
}

guint
tt_nccl_ring_size (const TtNccl *self, guint channel)
{
  const GArray *order = ring_order (self, channel);

  return order == NULL ? 0 : order->len;
}

gint
tt_nccl_position (const TtNccl *self, guint channel, gint rank)
{
  gint64 key = (gint64) channel << 32 | rank;

  return rank < 0 ? TT_NCCL_NONE : (gint) GPOINTER_TO_UINT (g_hash_table_lookup (self->place, &key)) - 1;
}

static gint
rank_at (const TtNccl *self, guint channel, gint rank, guint ahead)
{
  gint position = tt_nccl_position (self, channel, rank);

  if (position == TT_NCCL_NONE)
    return TT_NCCL_NONE;
  const GArray *order = ring_order (self, channel);
  return g_array_index (order, gint, ((guint) position + ahead) % order->len);
}

gint
tt_nccl_next (const TtNccl *self, guint channel, gint rank)
{
  return rank_at (self, channel, rank, 1);
}

gint
tt_nccl_prev (const TtNccl *self, guint channel, gint rank)
{
  return rank_at (self, channel, rank, tt_nccl_ring_size (self, channel) - 1);
}

gint
tt_nccl_parent (const TtNccl *self, guint channel, gint rank)
{
  return only_to (self, TT_NCCL_TREE, channel, rank);
}

guint
tt_nccl_children (const TtNccl *self, guint channel, gint rank, gint children[TT_NCCL_CHILDREN])
{
  guint n = 0;

  for (guint i = first_to (self, TT_NCCL_TREE, channel, rank); n < TT_NCCL_CHILDREN && i < self->backward->len; i++)
    {
      const TtNcclLink *link = backward_at (self, i);
      if (link->algo != TT_NCCL_TREE || link->channel != channel || link->to != rank)
        break;
      children[n++] = link->from;
    }
  return n;
}

/* -- arithmetic ------------------------------------------------------------------------------------------- */

static guint
modulo (gint64 value, guint n)
{
  gint64 rest = value % (gint64) n;

  return (guint) (rest < 0 ? rest + n : rest);
}

guint
tt_ring_send_chunk (guint n, guint p, guint t)
{
  return modulo ((gint64) p - t, n);
}

guint
tt_ring_recv_chunk (guint n, guint p, guint t)
{
  return modulo ((gint64) p - t - 1, n);
}

static gint
step_of (guint n, guint first, gboolean again)
{
  guint t = again ? first + n : first;

  return t < tt_ring_steps (n) ? (gint) t : TT_NCCL_NONE;
}

gint
tt_ring_send_step (guint n, guint p, guint c, gboolean again)
{
  return step_of (n, modulo ((gint64) p - c, n), again);
}

gint
tt_ring_recv_step (guint n, guint p, guint c, gboolean again)
{
  return step_of (n, modulo ((gint64) p - 1 - c, n), again);
}
