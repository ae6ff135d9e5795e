/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBytepsTransfers: the begins and ends of comm_timeline.json and server_timeline.json, paired.
 *
 * In "worker_0 -> server_1" stands "<prefix>.<tensor>.PUSH|PULL": from a worker a request, from a server a response. In
 * "server_1" stands "….COPY_FIRST|SUM|COPY_MERGED", the thread of the server as tid. Of one device, tensor, operation
 * and partition the begins and the ends are ordered each by themselves, and the k-th begin belongs to the k-th end:
 * requests overlap. k is the step; of a push k - 1, for the first one sends the initial values.
 */
#pragma once

#include "formats/byteps/names.h"
#include "formats/trace-event/trace-lanes.h"
#include "src/trace/sink.h"

typedef struct _TtBytepsTransfers TtBytepsTransfers;

/* Borrowed for the call. */
typedef struct
{
  const char *raw, *pid; /* "worker_0::server_1", "server_1_t3" */
  const char *op_cat, *tensor, *sub_op;
  const char
      *suffix; /* "worker_0::server_1::0", "server_1_t3::0::~PART0": of SUM the number of the sum since COPY_FIRST */
  gint64 ts_ns;
  gint64 dur_ns; /* TT_NO_TIME: an end without begin */
  gint32 step;   /* or TT_NO_STEP */
  guint32 flags;
  guint64 offset;
} TtBytepsTransfer;

typedef gboolean (*TtBytepsFunc) (const TtBytepsTransfer *transfer, gpointer data, GError **error);

/* @lanes and @sink are borrowed. */
TtBytepsTransfers *tt_byteps_transfers_new (TtTraceLanes *lanes, TtSink *sink);
void tt_byteps_transfers_free (TtBytepsTransfers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtBytepsTransfers, tt_byteps_transfers_free)

/* FALSE: @event (a begin or end with a name) is none of these. The process has its name already. */
gboolean tt_byteps_transfers_add (TtBytepsTransfers *self, const TtTraceEvent *event);
/* All are in. */
gboolean tt_byteps_transfers_each (TtBytepsTransfers *self, TtBytepsFunc func, gpointer data, GError **error);
