/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/collective.h"

#include "analyzers/training-job/collective-private.h"

TtCollectiveTimes
tt_collective_play (const TtAllReduce *self, const TtNetworkModel *network)
{
  if (self->algo != TT_COLLECTIVE_NVLS)
    return tt_collective_play_blocks (self, network);
  if (self->n_hosts * self->n_gpus < 2)
    return (TtCollectiveTimes){ 0 };
  return (TtCollectiveTimes){ .ns = tt_collective_nvls_ns (self, network) };
}

double
tt_collective_n_sends (const TtAllReduce *self)
{
  if (self->algo == TT_COLLECTIVE_NVLS)
    return tt_collective_nvls_n_sends (self);
  double n = self->n_hosts * self->n_gpus,
         n_pieces = self->n_pieces > 0 ? self->n_pieces : tt_collective_n_pieces (self);
  if (self->algo == TT_COLLECTIVE_TREE)
    return 2 * n * n_pieces * self->n_channels;
  return n_pieces * self->n_channels * self->n_slices * 2 * (n - 1) * n;
}
