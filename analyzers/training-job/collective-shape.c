/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/collective-private.h"

#include <math.h>

#define KIB 1024.0
#define TREE_CHUNK (512 * KIB)
#define ALIGN 4096.0
#define NONE TT_COLLECTIVE_NO_PARENT

static guint
n_ranks_of (const TtAllReduce *self)
{
  return self->n_hosts * self->n_gpus;
}

/* -- chunks ------------------------------------------------------------------------------------------------------ */

/* enqueue.cc, computeColl: chunks get smaller with the depth of the tree. */
static double
tree_chunk (const TtAllReduce *self)
{
  static const struct
  {
    double times, least;
  } rules[] = { { 8, 128 * KIB }, { 4, 64 * KIB }, { 1, 32 * KIB } };
  if (self->own_chunk > 0)
    return self->own_chunk;
  if (self->n_pieces > 0)
    return MAX (ceil (self->bytes / ((double) self->n_channels * self->n_pieces)), 1);
  double depth = MAX (self->n_gpus - 1 + floor (log2 (self->n_hosts)), 1), chunk = TREE_CHUNK;

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    while (floor (self->bytes / (self->n_channels * chunk)) < depth * rules[i].times && chunk > rules[i].least)
      chunk /= 2;
  return chunk;
}

static double
align_chunk (double bytes)
{
  return MAX (ceil (ceil (bytes) / ALIGN) * ALIGN, ALIGN);
}

static double
max_chunk_of (const TtAllReduce *self)
{
  if (self->n_pieces == 0)
    return self->max_chunk;
  return ceil (self->bytes / ((double) self->n_channels * n_ranks_of (self) * self->n_pieces));
}

static void
find_ring_chunks (TtCollectivePlay *self)
{
  const TtAllReduce *collective = self->collective;
  double each = (double) collective->n_channels * n_ranks_of (collective);
  double most = align_chunk (max_chunk_of (collective)), n_full = floor (collective->bytes / (each * most));

  self->chunk = most;
  self->n_loops = (guint64) n_full;
  self->last_chunk = most;
  double rest = collective->bytes - n_full * each * most;
  if (rest > 0.5 || n_full == 0)
    {
      self->n_loops++;
      self->last_chunk = MIN (align_chunk (rest / each), most);
    }
}

static double
slice_bytes (const TtAllReduce *self, double size, double chunk, guint64 slice)
{
  double each = ceil (chunk / self->n_slices);

  return CLAMP (size - (double) slice * each, 0, each);
}

static void
next_ring_op (const TtCollectivePlay *self, TtCollectiveBlock *block)
{
  const TtAllReduce *collective = self->collective;
  guint n = n_ranks_of (collective);
  guint64 n_phases = 2 * (guint64) (n - 1) + 1, in_loop = n_phases * collective->n_slices;
  guint64 loop = block->at / in_loop, phase = block->at % in_loop / collective->n_slices;
  double chunk = loop + 1 == self->n_loops ? self->last_chunk : self->chunk;
  double offset = (double) loop * collective->n_channels * n * self->chunk;
  guint64 place = (block->position + 2 * (guint64) n * n - 1 - phase) % n;
  double begin = offset + (double) (block->channel * n + place) * chunk;

  block->op = block->peers;
  block->op.n_in = phase > 0;
  block->op.n_out = phase + 1 < n_phases;
  block->op.size =
      slice_bytes (collective, CLAMP (collective->bytes - begin, 0, chunk), chunk, block->at % collective->n_slices);
}

void
tt_collective_next_op (const TtCollectivePlay *self, TtCollectiveBlock *block)
{
  const TtAllReduce *collective = self->collective;

  if (collective->algo != TT_COLLECTIVE_TREE)
    {
      next_ring_op (self, block);
      return;
    }
  double begin = ((double) block->at * collective->n_channels + block->channel) * self->chunk;
  double left = collective->own_chunk > 0
                    ? collective->bytes / collective->n_channels - (double) block->at * self->chunk
                    : collective->bytes - begin;
  block->op = block->peers;
  block->op.size = CLAMP (left, 0, self->chunk);
}

/* -- trees ------------------------------------------------------------------------------------------------------- */

/* ncclGetBtree: the parent; NONE: the root. */
static guint
btree_parent (guint rank, guint n)
{
  guint bit = 1;

  if (rank == 0)
    return NONE;
  while (!(bit & rank))
    bit <<= 1;
  guint up = (rank ^ bit) | (bit << 1);
  return up >= n ? rank ^ bit : up;
}

/* ncclGetDtree: the second tree is the first one shifted or mirrored. */
guint
tt_collective_host_parent (guint host, guint n, gboolean is_second)
{
  guint up;

  if (!is_second)
    return btree_parent (host, n);
  if (n % 2 == 1)
    {
      up = btree_parent ((host + n - 1) % n, n);
      return up == NONE ? NONE : (up + 1) % n;
    }
  up = btree_parent (n - 1 - host, n);
  return up == NONE ? NONE : n - 1 - up;
}

static guint
parent_of (const TtAllReduce *self, guint channel, guint rank)
{
  gboolean is_second = self->n_channels > 1 && channel >= self->n_channels / 2;

  if (rank % self->n_gpus != 0)
    return rank - 1;
  guint up = tt_collective_host_parent (rank / self->n_gpus, self->n_hosts, is_second);
  return up == NONE ? NONE : up * self->n_gpus;
}

/* -- who is connected to whom ------------------------------------------------------------------------------------ */

static guint32
add_flow (TtCollectivePlay *self, guint from, guint to, guint channel, gboolean is_down)
{
  const TtAllReduce *collective = self->collective;
  guint x = from / collective->n_gpus, y = to / collective->n_gpus, n = n_ranks_of (collective);
  guint nic = channel % collective->n_nics;
  TtCollectiveFlow *flow = &self->flows[self->n_flows];

  *flow = (TtCollectiveFlow){ .is_between = x != y, .n_links = 2 };
  flow->is_slow = flow->is_between && self->network->slow_part > 0 &&
                  (x == self->network->slow_host || y == self->network->slow_host);
  const TtLinkModel *link = flow->is_between ? &self->network->between : &self->network->within;
  TtLinkSharing sharing = link->sharing;
  guint own = self->first_own + 4 * (channel * n + from) + 2 * is_down + flow->is_between;
  if (sharing == TT_LINK_OF_CHANNEL)
    {
      flow->links[0] = own;
      flow->n_links = 1;
    }
  else if (flow->is_between)
    {
      flow->links[0] = self->first_nic + 2 * (x * collective->n_nics + nic);
      flow->links[1] = self->first_nic + 2 * (y * collective->n_nics + nic) + 1;
    }
  else if (sharing == TT_LINK_OF_HOST)
    {
      flow->links[0] = x;
      flow->n_links = 1;
    }
  else
    {
      flow->links[0] = from;
      flow->links[1] = n + to;
    }
  if (sharing != TT_LINK_OF_CHANNEL && link->limit_bytes_per_ns > 0)
    flow->links[flow->n_links++] = own;
  return self->n_flows++;
}

static void
connect_ring (TtCollectivePlay *self)
{
  const TtAllReduce *collective = self->collective;
  guint n = n_ranks_of (collective);

  find_ring_chunks (self);
  for (guint channel = 0; channel < collective->n_channels; channel++)
    {
      guint32 first_flow = self->n_flows, first_block = self->n_blocks;
      for (guint p = 0; p < n; p++)
        add_flow (self, p, (p + 1) % n, channel, FALSE);
      for (guint p = 0; p < n; p++)
        {
          TtCollectiveBlock *block = &self->blocks[self->n_blocks++];
          *block = (TtCollectiveBlock){ .channel = channel, .position = p };
          block->n_ops = self->n_loops * collective->n_slices * (2 * (guint64) (n - 1) + 1);
          block->peers.in[0] = first_flow + (p + n - 1) % n;
          block->peers.out[0] = first_flow + p;
          self->flows[first_flow + p].sender = first_block + p;
          self->flows[first_flow + p].receiver = first_block + (p + 1) % n;
        }
    }
}

static void
add_peer (TtCollectivePlay *self, guint32 block, guint32 flow, gboolean is_in)
{
  TtCollectiveOp *peers = &self->blocks[block].peers;

  if (is_in && peers->n_in < TT_COLLECTIVE_PEERS)
    {
      peers->in[peers->n_in++] = flow;
      self->flows[flow].receiver = block;
    }
  else if (!is_in && peers->n_out < TT_COLLECTIVE_PEERS)
    {
      peers->out[peers->n_out++] = flow;
      self->flows[flow].sender = block;
    }
}

/* A rank has a block that reduces up and one that sends down; the root has one for both. */
static void
connect_tree (TtCollectivePlay *self)
{
  const TtAllReduce *collective = self->collective;
  guint n = n_ranks_of (collective);

  self->chunk = tree_chunk (collective);
  for (guint channel = 0; channel < collective->n_channels; channel++)
    {
      guint32 first_block = self->n_blocks;
      double own = collective->own_chunk > 0 ? collective->bytes : collective->bytes - channel * self->chunk;
      guint64 n_ops = (guint64) MAX (ceil (own / (collective->n_channels * self->chunk)), 1);
      for (guint i = 0; i < 2 * n; i++)
        self->blocks[self->n_blocks++] = (TtCollectiveBlock){ .channel = channel, .n_ops = n_ops };
      for (guint rank = 0; rank < n; rank++)
        {
          guint up = parent_of (collective, channel, rank);
          if (up == NONE)
            {
              self->blocks[first_block + 2 * rank + 1].n_ops = 0;
              continue;
            }
          gboolean is_root = parent_of (collective, channel, up) == NONE;
          guint32 upward = add_flow (self, rank, up, channel, FALSE),
                  downward = add_flow (self, up, rank, channel, TRUE);
          add_peer (self, first_block + 2 * rank, upward, FALSE);
          add_peer (self, first_block + 2 * up, upward, TRUE);
          add_peer (self, first_block + 2 * up + (is_root ? 0 : 1), downward, FALSE);
          add_peer (self, first_block + 2 * rank + 1, downward, TRUE);
        }
    }
}

void
tt_collective_play_init (TtCollectivePlay *self)
{
  const TtAllReduce *collective = self->collective;
  guint n = n_ranks_of (collective);

  self->heap = g_array_new (FALSE, FALSE, sizeof (TtCollectiveEvent));
  self->found = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->blocks = g_new0 (TtCollectiveBlock, (gsize) collective->n_channels * n * 2);
  self->flows = g_new0 (TtCollectiveFlow, (gsize) collective->n_channels * n * 2);
  self->first_nic = 2 * n;
  self->first_own = self->first_nic + 2 * collective->n_hosts * collective->n_nics;
  self->n_links = self->first_own + collective->n_channels * n * 4;
  self->on_link = g_new (GArray *, self->n_links);
  for (guint i = 0; i < self->n_links; i++)
    self->on_link[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->left = g_new0 (double, self->n_links);
  self->n_open = g_new0 (guint, self->n_links);
  if (collective->algo == TT_COLLECTIVE_TREE)
    connect_tree (self);
  else
    connect_ring (self);
}

void
tt_collective_play_clear (TtCollectivePlay *self)
{
  g_array_unref (self->heap);
  g_array_unref (self->found);
  g_free (self->blocks);
  g_free (self->flows);
  for (guint i = 0; i < self->n_links; i++)
    g_array_unref (self->on_link[i]);
  g_free (self->on_link);
  g_free (self->left);
  g_free (self->n_open);
}

guint
tt_collective_n_pieces (const TtAllReduce *self)
{
  TtAllReduce free = *self;

  free.n_pieces = 0;
  if (self->algo == TT_COLLECTIVE_TREE)
    return (guint) MAX (ceil (self->bytes / (self->n_channels * tree_chunk (&free))), 1);
  return (guint) MAX (ceil (self->bytes / ((double) self->n_channels * n_ranks_of (self) * self->max_chunk)), 1);
}
