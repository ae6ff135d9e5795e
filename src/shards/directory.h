/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory of shards: the inputs of one import, each decoded into a file of its own, and a manifest that says which
 * belong together. It is written last: a directory without one is an import that has not ended.
 *
 * Each file begins with the id of its import, made of the names, sizes and dates of all inputs, the options and the build:
 * a file of another import is known, and so is one that is whole already.
 */
#pragma once

#include "src/shards/input.h"
#include "src/trace/shard/replay.h"

#define TT_SHARD_FOLDER_SUFFIX ".shards"

/* Whether @path is, or is to be, such a directory: by its suffix; slashes may follow. */
gboolean tt_shard_folder_is (const char *path);
/* Whether there is a manifest in it. */
gboolean tt_shard_folder_is_whole (const char *path);

/* @words: of the options. 32 hex digits. Free it. */
char *tt_shard_folder_id (const GPtrArray *plan, const char *words);

/* What a manifest says. */
typedef struct
{
  char *path, *id;
  char *command, *words, *name_rules; /* name_rules: a file in the directory, or NULL */
  gboolean is_strict;
  GPtrArray *plan;    /* of TtPlannedInput: what messages need, and faults */
  GPtrArray *unknown; /* of TtPathFault */
} TtShardFolder;

void tt_shard_folder_free (TtShardFolder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtShardFolder, tt_shard_folder_free)

/* Writes the shard of input @i, unless it is there and whole. @error begins with the input's name. */
gboolean tt_shard_folder_write (const char *path, const char *id, const TtShardJob *job, guint i, GError **error);
/* Whether there is a shard of input @i, whole but not looked at. */
gboolean tt_shard_folder_has (const char *path, guint i);
/* Removes what killed writers left. */
void tt_shard_folder_sweep (const char *path);
/* The shard of input @i. NULL: @error names the file that is missing, damaged or of another import. */
TtShard *tt_shard_folder_get (const TtShardFolder *self, guint i, GError **error);
gboolean tt_shard_folder_write_manifest (const TtShardFolder *self, GError **error);
/* @looks: at every shard, whether it is there and of this import. */
TtShardFolder *tt_shard_folder_open (const char *path, gboolean looks, GError **error);
/* Where the one database of them is, or would be: beside them, with the manifest's checksum in its name. Free it. */
char *tt_shard_folder_database (const TtShardFolder *self, GError **error);
