/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a frame, into a sink with other ids. Used by replay.c only.
 */
#pragma once

#include "src/base/packed.h"
#include "src/trace/shard/columns.h"
#include "src/trace/sink.h"

typedef struct
{
  GArray *known
      [TT_N_COLUMN_SPACES]; /* of guint32: of spaces that have definitions: ids of the sink by those of the shard */
  guint64 before[TT_N_COLUMN_SPACES]; /* of the others: what is added */
  guint64 n[TT_N_COLUMN_SPACES];      /* and how many there are */
} TtShardIds;

void tt_shard_ids_init (TtShardIds *self);
void tt_shard_ids_clear (TtShardIds *self);
/* Those that follow in @sink. */
void tt_shard_ids_begin (TtShardIds *self, const TtSink *sink, guint64 n_events, guint64 n_args, guint64 n_owners);

/* Definitions and rows of one batch; @bytes->is_bad: they are damaged. */
void tt_shard_rows_put (TtUnpack *bytes, TtShardIds *ids, TtSink *sink);
