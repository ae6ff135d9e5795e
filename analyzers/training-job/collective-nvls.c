/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/collective-private.h"

#include <math.h>

#define KIB 1024.0
#define MOST_CHUNK (128 * KIB)
#define TREE_CHUNK (64 * KIB) /* of four hosts and more */
#define TREES 2

/* enqueue.cc, calcCollChunking: chunks of less where there are few bytes for all the heads of all channels. */
static double
chunk_of (const TtAllReduce *self)
{
  static const struct
  {
    double times, most;
  } rules[] = { { 64, 64 * KIB }, { 8, 32 * KIB }, { 2, 16 * KIB } },
    tree_rules[] = { { 4, 64 * KIB }, { 1, 32 * KIB } };
  gboolean is_one = self->n_hosts == 1;
  double n_heads = (double) self->n_channels * self->n_gpus, chunk = self->n_hosts >= 4 ? TREE_CHUNK : MOST_CHUNK;

  for (guint i = 0; i < (is_one ? G_N_ELEMENTS (rules) : G_N_ELEMENTS (tree_rules)); i++)
    {
      double times = is_one ? rules[i].times : tree_rules[i].times, most = is_one ? rules[i].most : tree_rules[i].most;
      if (self->bytes < times * n_heads * chunk && chunk > most)
        chunk = most;
    }
  return chunk;
}

/* Hosts from the root of the deeper tree to its last leaf. */
static guint
depth_of_trees (guint n_hosts)
{
  guint deepest = 0;

  for (guint tree = 0; n_hosts > 1 && tree < TREES; tree++)
    for (guint host = 0; host < n_hosts; host++)
      {
        guint depth = 0;
        for (guint at = host; depth < n_hosts; depth++)
          {
            at = tt_collective_host_parent (at, n_hosts, tree == 1);
            if (at == TT_COLLECTIVE_NO_PARENT)
              break;
          }
        deepest = MAX (deepest, depth);
      }
  return deepest;
}

static double
at_most (double bytes_per_ns, const TtLinkModel *link)
{
  return link->limit_bytes_per_ns > 0 ? MIN (bytes_per_ns, link->limit_bytes_per_ns) : bytes_per_ns;
}

static double
n_blocks_of (const TtAllReduce *self)
{
  return (double) self->n_channels * self->n_gpus;
}

static double
n_chunks_of (const TtAllReduce *self)
{
  return MAX (ceil (self->bytes / (n_blocks_of (self) * chunk_of (self))), 1);
}

/* A chunk of @bytes out of every GPU and into its head as the switch adds it, or out of the head and into every GPU: the
 * bytes, and the part of one head, pass each GPU both ways. @part of all heads do so at a time. */
static double
switch_ns (const TtAllReduce *self, const TtNetworkModel *network, double bytes, double part)
{
  const TtLinkModel *within = &network->within;
  double bytes_per_ns = within->bytes_per_ns * (network->nvls_part > 0 ? network->nvls_part : TT_COLLECTIVE_NVLS_USUAL);
  double links_ns = within->sharing != TT_LINK_OF_CHANNEL
                        ? part * n_blocks_of (self) * bytes * (1 + 1.0 / self->n_gpus) / bytes_per_ns
                        : 0;

  return network->slice_ns + within->latency_ns + MAX (bytes / at_most (bytes_per_ns, within), links_ns);
}

static double
copy_ns (const TtAllReduce *self, const TtNetworkModel *network, double bytes)
{
  return network->slice_ns + bytes * self->n_gpus / TT_COLLECTIVE_COPY;
}

/* All channels and heads of one tree do the same at the same time: one with their part of the NICs stands for them. */
static double
trees_ns (const TtAllReduce *self, const TtNetworkModel *network, double chunk)
{
  guint n_trees = MIN (self->n_channels, TREES);
  double n_alike = n_blocks_of (self) / n_trees;
  const TtAllReduce trees = { .algo = TT_COLLECTIVE_TREE,
                              .n_hosts = self->n_hosts,
                              .n_gpus = 1,
                              .n_channels = n_trees,
                              .n_slices = 1,
                              .n_nics = 1,
                              .bytes = self->bytes / n_alike,
                              .own_chunk = chunk };
  TtNetworkModel one = *network;

  if (one.between.sharing != TT_LINK_OF_CHANNEL)
    one.between.bytes_per_ns *= MIN (self->n_nics, self->n_channels) / n_alike;
  return tt_collective_play_blocks (&trees, &one).ns;
}

/* Within a host all GPUs are heads and do the same at the same time: what most holds up decides, that links are shared or
 * that one block handles its chunks one after the other; the first chunk takes its way through all of it. Of several hosts
 * trees are played. Sums are read at each host of the way up, and are written at its end; half of the heads, those of one
 * tree, do so at a time. */
double
tt_collective_nvls_ns (const TtAllReduce *self, const TtNetworkModel *network)
{
  double n_chunks = n_chunks_of (self), chunk = self->bytes / (n_blocks_of (self) * n_chunks);

  if (self->n_hosts == 1)
    {
      double within_ns = switch_ns (self, network, chunk, 1), copied_ns = copy_ns (self, network, chunk);
      return 2 * copied_ns + within_ns + (n_chunks - 1) * MAX (within_ns, copied_ns);
    }
  double full = n_chunks > 1 ? chunk_of (self) : chunk;
  double round_ns = MAX (switch_ns (self, network, full, 1), copy_ns (self, network, full));
  double way_ns = 2 * copy_ns (self, network, chunk) +
                  (depth_of_trees (self->n_hosts) + 2) * switch_ns (self, network, chunk, 1.0 / TREES);
  return way_ns + MAX (trees_ns (self, network, full), (n_chunks - 1) * round_ns);
}

double
tt_collective_nvls_n_sends (const TtAllReduce *self)
{
  return self->n_hosts == 1 ? 0 : 2.0 * TREES * MIN (self->n_hosts, TT_COLLECTIVE_MAX_RANKS) * n_chunks_of (self);
}
