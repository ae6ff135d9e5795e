/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtShardWorkers: processes that decode the inputs of an import at the same time; whoever has them puts the shards into
 * its sink in the order of the plan, which makes the run that one process would have made.
 *
 * Shards lie in temporary files without a name. The processes end with the one that started them, however that ends.
 */
#pragma once

#include "src/shards/input.h"
#include "src/trace/shard/replay.h"

typedef struct _TtShardWorkers TtShardWorkers;

/* @job: its parts outlive the workers. At most @n processes; before this one has threads. NULL: @error. */
TtShardWorkers *tt_shard_workers_start (const TtShardJob *job, guint n, GError **error);
/* Ends those that still work. */
void tt_shard_workers_free (TtShardWorkers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtShardWorkers, tt_shard_workers_free)

/* Whether input @i of the plan is among what they decode. */
gboolean tt_shard_workers_has (const TtShardWorkers *self, guint i);
/* Waits until all inputs are decoded: into a folder. */
gboolean tt_shard_workers_finish (TtShardWorkers *self, GError **error);
/* Waits for the shard of input @i, which may be asked for again. NULL: @error, such as a process that was killed. */
TtShard *tt_shard_workers_wait (TtShardWorkers *self, guint i, GError **error);
