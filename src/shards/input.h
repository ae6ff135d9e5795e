/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One input of an import as a shard, decoded apart from the others.
 */
#pragma once

#include "formats/plan.h"

typedef struct
{
  const GPtrArray *plan;          /* of TtPlannedInput */
  const TtImportOptions *options; /* their leave_out: whether anything may be left out */
  TtNameRules *rules;             /* borrowed */
  const char *folder, *id;        /* folder: NULL, or the directory of directory.h that shards are to be in */
  const char *words;              /* NULL, or of the options, for other ranks */
  const char *scratch;            /* NULL, or where a shard grows before it is moved there */
} TtShardJob;

/* Places of the inputs in the plan, the largest first: whoever takes the next that nobody has yet is done at about the
 * same time as the others. Only those that can be read more than once, and at all. Free it with g_array_unref(); of
 * guint32. */
GArray *tt_shard_job_order (const TtShardJob *self);

/* Writes the shard of input @i into @fd, called @name in errors (NULL: a temporary file), from @offset on. What is wrong
 * with the input is in the shard; FALSE with @error: something else is, such as a full disk. */
gboolean tt_shard_job_write (const TtShardJob *self,
                             guint i,
                             int fd,
                             const char *name,
                             guint64 offset,
                             guint64 *n_bytes,
                             GError **error);
