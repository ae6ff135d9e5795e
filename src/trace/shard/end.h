/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last frame of a shard, read. Used by replay.c only.
 */
#pragma once

#include "src/base/packed.h"
#include "src/trace/shard/format.h"

typedef struct
{
  TtShardEnd end;
  gboolean owns_new_processes;
  GPtrArray *pids, *threads, *absent_pids, *absent_threads, *notes; /* of char * */
  GArray *ranks;                                                    /* of gint64: of pids */
  GArray *absent_ranks;                                             /* of gint64 */
  guint64 n_events, n_args, n_owners;
} TtShardFacts;

void tt_shard_facts_init (TtShardFacts *self);
void tt_shard_facts_clear (TtShardFacts *self);
/* @bytes->is_bad: they are damaged. */
void tt_shard_facts_read (TtShardFacts *self, TtUnpack *bytes);
