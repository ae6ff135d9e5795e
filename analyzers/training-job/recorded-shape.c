/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/recorded-network.h"

#include "analyzers/communication/bus-factor.h"
#include "src/base/error.h"

#include <math.h>
#include <string.h>

/*
 * What hangs on which ranks share a host. A ring over h hosts has h - 1 hops between them each way around, the others are within
 * (graph/tuning.cc); it is as fast as its slowest link, which is one between hosts if there are any.
 */

/* How much longer a hop between hosts takes than one within, by the tables of NCCL's tuner. */
#define BETWEEN_HOP 4.1
/* Links that were not traced, in bytes a ns: NICs of 25 to 400 Gbit/s for each GPU, and within hosts PCI to NVLink. */
static const double nics[] = { 25, 3, 50 }, inner[] = { 50, 10, 450 };

typedef struct
{
  double n_ranks, n_hosts;
} Shape;

gboolean
tt_recorded_network_is_shaped (const TtNetworkChange *change)
{
  return change->nic_bandwidth != 1 || change->n_gpus > 0 || change->gpus_per_host > 0;
}

/* Hosts that a group is on; 0: not known. */
static guint
count_hosts (const TtRecordedNetwork *self, guint32 group, guint per_host)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (NULL, NULL);
  const GPtrArray *all = self->recording->group_ranks;
  const GArray *ranks = group < all->len ? all->pdata[group] : NULL;

  for (guint i = 0; ranks != NULL && i < ranks->len; i++)
    g_hash_table_add (hosts, GUINT_TO_POINTER (g_array_index (ranks, guint32, i) / per_host));
  return g_hash_table_size (hosts);
}

/* The largest group of those with a size. */
static guint32
world_of (const TtRecordedNetwork *self)
{
  guint32 n = 0;

  for (guint i = 0; i < self->recording->transfers->len; i++)
    n = MAX (n, g_array_index (self->recording->transfers, TtRecordedTransfer, i).n_ranks);
  return n;
}

static gboolean
refuse_option (const TtNetworkChange *change, GError **error)
{
  if (change->is_algo || change->n_channels > 0)
    g_set_error (
        error, TT_ERROR, TT_ERROR_USAGE,
        "'--%s': NCCL's kernels have one name for rings and trees and for any number of channels, so that PyTorch's "
        "traces do not tell what would change",
        change->is_algo ? "algo" : "channels");
  else if (change->n_nics > 0)
    g_set_error (
        error, TT_ERROR, TT_ERROR_USAGE,
        "'--nics': PyTorch's traces do not tell how many NICs hosts have; '--nic-bandwidth 2' is twice as many");
  else
    return FALSE;
  return TRUE;
}

static gboolean
check_groups (const TtRecordedNetwork *self, const TtNetworkChange *change, GError **error)
{
  guint32 world = world_of (self);

  for (guint i = 0; i < self->recording->transfers->len; i++)
    {
      const TtRecordedTransfer *one = &g_array_index (self->recording->transfers, TtRecordedTransfer, i);
      if (one->n_hops == 0)
        continue;
      if (count_hosts (self, one->group, self->ranks_per_host) == 0)
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                     "the traces do not list the ranks of a group of %u: on which hosts it is, is not known",
                     one->n_ranks);
      else if (change->n_gpus > 0 && one->n_ranks != world)
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                     "'--gpus': groups of %u of the %u ranks communicate, too, and which groups would grow is not told",
                     one->n_ranks, world);
      else
        continue;
      return FALSE;
    }
  return TRUE;
}

gboolean
tt_recorded_network_may (guint ranks_per_host, const TtNetworkChange *change, GError **error)
{
  if (refuse_option (change, error))
    return FALSE;
  if (!tt_recorded_network_is_shaped (change) || ranks_per_host > 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "'--%s' needs to know which ranks share a host, which PyTorch's traces do not say: tell it with "
               "'--ranks-per-host N'",
               change->nic_bandwidth != 1 ? "nic-bandwidth"
               : change->n_gpus > 0       ? "gpus"
                                          : "gpus-per-host");
  return FALSE;
}

gboolean
tt_recorded_network_can (const TtRecordedNetwork *self, const TtNetworkChange *change, GError **error)
{
  if (!tt_recorded_network_is_shaped (change))
    return TRUE;
  guint per_host = change->gpus_per_host > 0 ? change->gpus_per_host : self->ranks_per_host;
  guint n_gpus = change->n_gpus > 0 ? change->n_gpus : world_of (self);
  if (n_gpus > per_host && n_gpus % per_host != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%u GPUs are no whole number of hosts with %u each", n_gpus,
                   per_host);
      return FALSE;
    }
  return check_groups (self, change, error);
}

/* -- times --------------------------------------------------------------------------------------------------------- */

static gboolean
is_tree (const TtRecordedTransfer *transfer, guint way)
{
  return (way & TT_RECORDED_TREES) != 0 && strcmp (transfer->function, "ALLREDUCE") == 0;
}

/* Hops one after the other, those between hosts counted as so many within. */
static double
hops_of (const TtRecordedTransfer *transfer, const Shape *shape, guint way)
{
  double turns = strcmp (transfer->function, "ALLREDUCE") == 0 ? 2 : 1;
  double between = turns * (shape->n_hosts - 1), within = turns * (shape->n_ranks - 1) - between;

  if (is_tree (transfer, way))
    {
      between = 2 * log2 (shape->n_hosts);
      within = 2 * (shape->n_ranks / shape->n_hosts - 1);
    }
  return MAX (within, 0) + BETWEEN_HOP * between;
}

/* Of a tensor, what the slowest link carries. */
static double
factor_of (const TtRecordedTransfer *transfer, const Shape *shape, guint way)
{
  double factor = 1;

  if (is_tree (transfer, way))
    return 2;
  tt_comm_bus_factor (transfer->function, (guint32) shape->n_ranks, &factor);
  return factor;
}

/* Of three, by the way: usual, slow, fast. */
static double
pick (const double *speeds, guint way)
{
  return speeds[(way & TT_RECORDED_SLOW_LINKS) != 0 ? 1 : (way & TT_RECORDED_FAST_LINKS) != 0 ? 2 : 0];
}

/* What a tree has of the links between hosts: of two it goes both ways over them at once. */
static double
tree_part (const Shape *shape)
{
  return shape->n_hosts == 2 ? 1 : 0.5;
}

/* How much faster the slowest link is than the one of @speed bytes a ns that was fitted. */
static double
speed_of (const Shape *before, const Shape *after, double speed, const TtNetworkChange *change, guint way)
{
  gboolean is_told = (way & (TT_RECORDED_SLOW_LINKS | TT_RECORDED_FAST_LINKS)) == 0;
  gboolean has_within = after->n_ranks > after->n_hosts, had_within = before->n_ranks > before->n_hosts;
  double nic = after->n_hosts > 1 ? change->nic_bandwidth : 1, factor = change->bandwidth;

  if ((way & TT_RECORDED_TREES) != 0 && before->n_hosts > 1 && after->n_hosts > 1)
    factor *= tree_part (after) / tree_part (before);
  if (before->n_hosts == 1 && after->n_hosts > 1)
    return factor * MIN (nic * pick (nics, way) / speed, 1);
  if (before->n_hosts > 1 && after->n_hosts == 1)
    return factor * (had_within ? MAX (pick (inner, way), speed) : pick (inner, way)) / speed;
  /* Links within a host may be the slowest. */
  if (after->n_hosts > 1 && has_within && had_within && !is_told)
    return factor;
  if (after->n_hosts > 1 && has_within && !had_within)
    return factor * MIN (nic, pick (inner, way) / speed);
  return factor * nic;
}

gboolean
tt_recorded_network_is_supposed (const TtRecordedNetwork *self, const TtNetworkChange *change)
{
  guint per_host = change->gpus_per_host > 0 ? change->gpus_per_host : self->ranks_per_host, world = world_of (self);
  guint n_gpus = change->n_gpus > 0 ? change->n_gpus : world;
  gboolean was_between = world > self->ranks_per_host, is_between = n_gpus > per_host;

  return was_between != is_between || (self->ranks_per_host == 1 && MIN (per_host, n_gpus) > 1);
}

double
tt_recorded_network_shaped (const TtRecordedNetwork *self,
                            const TtRecordedLink *link,
                            const TtRecordedTransfer *transfer,
                            const TtNetworkChange *change,
                            guint way)
{
  guint per_host = change->gpus_per_host > 0 ? change->gpus_per_host : self->ranks_per_host;
  const Shape before = { transfer->n_ranks, count_hosts (self, transfer->group, self->ranks_per_host) };
  Shape after = { transfer->n_ranks, count_hosts (self, transfer->group, per_host) };
  double hop_ns = link->hop_ns * transfer->n_hops, bytes_ns = link->ns_per_byte * transfer->bytes;
  double before_ns = link->base_ns + hop_ns + bytes_ns;

  if (change->n_gpus > 0)
    after = (Shape){ change->n_gpus, (change->n_gpus + per_host - 1) / per_host };
  if (after.n_ranks < 2)
    return 0;
  /* From one rank to another there is no ring. */
  if (transfer->n_hops + 1 < transfer->n_ranks)
    after = before;
  double hops = hops_of (transfer, &after, way) / MAX (hops_of (transfer, &before, way), 1);
  double bytes = factor_of (transfer, &after, way) / factor_of (transfer, &before, way);
  double speed = link->ns_per_byte > 0 ? 1 / link->ns_per_byte : pick (nics, TT_RECORDED_FITTED);
  double sent = transfer->is_sum ? change->compression : 1;
  double after_ns = link->base_ns + hop_ns * hops * change->latency +
                    bytes_ns * bytes * sent / speed_of (&before, &after, speed, change, way);
  return before_ns > 0 ? after_ns / before_ns : 1;
}
