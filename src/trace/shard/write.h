/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtShardWriter: what an importer gives to a sink, as frames in a file: a shard.
 *
 * A frame has a batch; columns are packed (a value of a column takes as many bytes as the range of its values in the
 * batch needs). The last frame says how the import ended, so that a shard that is cut short is known. shard/replay.h reads
 * it. The bytes are those of this machine's order, and of this build: a shard lives between two commands, not for years.
 */
#pragma once

#include "src/trace/shard/format.h"
#include "src/trace/sink.h"

typedef struct _TtShardWriter TtShardWriter;

/* Into @fd from @offset on; borrowed. */
TtShardWriter *tt_shard_writer_new (int fd, guint64 offset);
void tt_shard_writer_free (TtShardWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtShardWriter, tt_shard_writer_free)

/* What the file is called in errors, which say where in it they are. Else it is a temporary one. */
void tt_shard_writer_set_name (TtShardWriter *self, const char *name);
/* A sink whose batches go there. @names: taken. Freed before the writer. */
TtSink *tt_shard_writer_sink (TtShardWriter *self, TtNames *names);
/* After the import. FALSE: the file cannot be written. */
gboolean tt_shard_writer_finish (TtShardWriter *self, TtSink *sink, const TtShardEnd *end, GError **error);
/* Where the next frame goes. */
guint64 tt_shard_writer_offset (const TtShardWriter *self);
