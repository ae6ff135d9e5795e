/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtShard: what a TtShardWriter wrote, put into another sink as if the importer had called that.
 *
 * The rows are those of the importer, batch by batch; ids are those that the sink gives. Nothing is believed: what cannot
 * be right is an error.
 */
#pragma once

#include "src/trace/shard/format.h"
#include "src/trace/sink.h"

typedef struct _TtShard TtShard;

/* The @n_bytes of @fd, borrowed, from @offset on. @name: for messages. NULL: @error, among others where it is not whole. */
TtShard *tt_shard_open (int fd, guint64 offset, guint64 n_bytes, const char *name, GError **error);
/* Its @fd is closed with it. */
void tt_shard_own_descriptor (TtShard *self);
void tt_shard_free (TtShard *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtShard, tt_shard_free)

const TtShardEnd *tt_shard_end (const TtShard *self);
/* Whether an importer would do the same with @sink as with the empty one that it had. If not, its input is to be read
 * anew. */
gboolean tt_shard_fits (const TtShard *self, TtSink *sink);
/* Defines the processes and threads of the shard in @sink, which is asked then whether others fit; nothing else. */
void tt_shard_define (const TtShard *self, TtSink *sink);
/* Once. How the import itself ended is not looked at. */
gboolean tt_shard_replay (TtShard *self, TtSink *sink, GError **error);
