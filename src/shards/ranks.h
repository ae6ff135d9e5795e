/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtShardRanks: processes that were started together, on one machine or many, and write the shards of one import into one
 * directory. What starts them, and carries words between them, is outside of this room (src/mpi).
 *
 * Rank 0 is the one that was asked, and makes the plan. Each of the others runs the same command as far as that, and is told; what
 * becomes of it is known to rank 0 alone.
 */
#pragma once

#include "src/base/crew.h"
#include "src/shards/told-plan.h"

/* Of a file that all ranks write. */
typedef struct
{
  guint64 n_bytes;
  guint64 n_left_out; /* whatever its writer counts, too */
} TtShardSlice;

typedef struct
{
  guint rank, n;
  char id[64];      /* of what rank 0 has begun; on rank 0 nothing */
  GByteArray *plan; /* of it, told with @id; NULL: each makes its own */
  /* On rank 0: has the others begin with import @id. @plan: as above. */
  void (*begin) (const char *id, const GByteArray *plan);
  /* The next turn that nobody has, counted from 0. */
  guint32 (*next) (void);
  /* Nobody gets another turn. */
  void (*stop) (void);
  /* On rank 0, once: waits until all others are done. @takers: who had each of the @n_turns turns. FALSE: @error, in the words of the
   * lowest rank that failed, and with its number. */
  gboolean (*finish) (guint32 *takers, guint n_turns, GError **error);
  /* On rank 0: has the others begin the same command, to write their slices of a file of the run @id. */
  void (*begin_slices) (const char *id);
  /* On rank 0, once after that: waits for the slices of all ranks before @n, and has them written to @path after its own, in their order.
   * @sum: of rank 0's; then of all. @path NULL: rank 0 has failed, and nobody writes. FALSE: @error, as of finish(). */
  gboolean (*gather_slices) (const char *path, guint n, TtShardSlice *sum, GError **error);
  /* On the others: the slice that is in @fd. */
  gboolean (*put_slice) (int fd, const TtShardSlice *slice, GError **error);
  /* On rank 0: whether the calling thread and those that it begins may run where @all ranks of its machine may, which wait for it, or where its own may. */
  void (*use_processors) (gboolean all);
  const TtCrew *crew; /* for questions that they answer together; its `id` is the caller's to set in a copy */
} TtShardRanks;

/* @ranks lives as long as the program. */
void tt_shard_ranks_use (const TtShardRanks *ranks);
/* NULL: this process is alone. */
const TtShardRanks *tt_shard_ranks (void);

/* On other ranks than 0: the plan that rank 0 tells, for options of these @words. NULL without @error: it tells none. */
TtToldPlan *tt_shard_ranks_told (const char *words, GError **error);
/* This rank's part of the shards of @job, whose plan is that of @told, if it is not NULL. On rank 0 it ends when all have: @readers, by input, is who read it. */
gboolean tt_shard_ranks_write (const TtShardJob *job, const TtToldPlan *told, guint32 *readers, GError **error);
