/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/collective-private.h"

#include <math.h>
#include <string.h>

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

typedef struct
{
  double busiest; /* what passes the NICs of the busiest host one way, by the bytes of the collective; of a slow one as
                     much more as it takes longer */
  guint depth;    /* of the deeper tree, in hosts below the root */
  guint way;      /* likewise, each host as often as its parent has children: these take turns */
} HostTrees;

/* Each of the two trees moves a half up, and down again. */
static HostTrees
look_at_trees (guint n_hosts, const TtNetworkModel *network)
{
  HostTrees found = { 0 };
  g_autofree guint *n_ways = g_new0 (guint, n_hosts), *n_children = g_new (guint, n_hosts),
                   *up = g_new (guint, n_hosts);

  for (guint tree = 0; n_hosts > 1 && tree < TREES; tree++)
    {
      memset (n_children, 0, n_hosts * sizeof *n_children);
      for (guint host = 0; host < n_hosts; host++)
        {
          up[host] = tt_collective_host_parent (host, n_hosts, tree == 1);
          if (up[host] == TT_COLLECTIVE_NO_PARENT)
            continue;
          n_ways[host]++;
          n_ways[up[host]]++;
          n_children[up[host]]++;
        }
      for (guint host = 0; host < n_hosts; host++)
        {
          guint depth = 0, way = 0;
          for (guint at = host; up[at] != TT_COLLECTIVE_NO_PARENT && depth < n_hosts; at = up[at], depth++)
            way += n_children[up[at]];
          found.depth = MAX (found.depth, depth);
          found.way = MAX (found.way, way);
        }
    }
  for (guint host = 0; host < n_hosts; host++)
    {
      double speed = network->slow_part > 0 && network->slow_host == host ? network->slow_part : 1;
      found.busiest = MAX (found.busiest, (double) n_ways[host] / TREES / speed);
    }
  return found;
}

static double
at_most (double bytes_per_ns, const TtLinkModel *link)
{
  return link->limit_bytes_per_ns > 0 ? MIN (bytes_per_ns, link->limit_bytes_per_ns) : bytes_per_ns;
}

/* All GPUs are heads and do the same at the same time: what most holds up decides, that links are shared or that one block
 * handles its chunks one after the other; the first chunk takes its way through all of it. A head's chunk goes out of every
 * GPU and into the head as the switch adds it, and out of the head and into every GPU as it is written: the bytes and the
 * part of one head pass each GPU both ways. */
double
tt_collective_nvls_ns (const TtAllReduce *self, const TtNetworkModel *network)
{
  const TtLinkModel *within = &network->within, *between = &network->between;
  double part = network->nvls_part > 0 ? network->nvls_part : TT_COLLECTIVE_NVLS_USUAL;
  double n_gpus = self->n_gpus, n_blocks = (double) self->n_channels * n_gpus, chunk = chunk_of (self);
  double n_chunks = MAX (ceil (self->bytes / (n_blocks * chunk)), 1);
  gboolean is_shared = within->sharing != TT_LINK_OF_CHANNEL;
  const HostTrees trees = look_at_trees (self->n_hosts, network);

  chunk = self->bytes / (n_blocks * n_chunks);
  double copy_ns = network->slice_ns + chunk * n_gpus / TT_COLLECTIVE_COPY;
  double links_ns = is_shared ? n_blocks * chunk * (1 + 1 / n_gpus) / (within->bytes_per_ns * part) : 0;
  double alone_ns = chunk / at_most (within->bytes_per_ns * part, within);
  double switch_ns = network->slice_ns + within->latency_ns + MAX (alone_ns, links_ns);
  double round_ns = MAX (switch_ns, copy_ns), first_ns = 2 * copy_ns + switch_ns;

  if (self->n_hosts > 1)
    {
      double wire_ns = chunk / between->bytes_per_ns, proxy_ns = chunk / at_most (between->bytes_per_ns, between);
      double n_flows = between->sharing == TT_LINK_OF_CHANNEL ? 1.0 / TREES : n_blocks / self->n_nics / TREES;
      double hop_ns = network->slice_ns + between->latency_ns + chunk / TT_COLLECTIVE_COPY;
      first_ns += switch_ns + 2 * (trees.depth * hop_ns + trees.way * MAX (wire_ns * n_flows, proxy_ns));
      round_ns =
          MAX (round_ns, wire_ns * n_flows * TREES * (between->sharing == TT_LINK_OF_CHANNEL ? 1 : trees.busiest));
    }
  return first_ns + (n_chunks - 1) * round_ns;
}
