/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTransfers: what a run transfers with a size and a time of its own: copies of devices by direction, calls of collectives,
 * sends and receives on devices by function, messages.
 *
 * The time of a copy is that of its span. Calls are those of groups.h: the size is the whole tensor, the time that of the
 * rank whose span is the shortest. The time of a message is from its send to its receive, so that a late receiver makes it
 * longer.
 */
#pragma once

#include "analyzers/kernels/kernels.h"
#include "src/select/selection.h"
#include "src/trace/collective-facts.h"

typedef struct
{
  const char *series; /* "H2D", "ALLREDUCE", "messages within a node" ...; valid during the call */
  gint64 bytes, ns;   /* ns > 0 */
} TtTransfer;
typedef void (*TtTransferFunc) (const TtTransfer *transfer, gpointer data);

/* What has no bandwidth. */
typedef struct
{
  guint64 n_unsized; /* the size is not told */
  guint64 n_untimed; /* the time is 0, or not known, or below 0 */
} TtTransfersLeftOut;

/* @selection: bound. */
gboolean tt_transfers_each (TtStore *store,
                            const TtSelection *selection,
                            TtCopyBytes copy_bytes,
                            TtCollectiveReader reader,
                            TtTransferFunc func,
                            gpointer data,
                            TtTransfersLeftOut *left_out,
                            GError **error);
