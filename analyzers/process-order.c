/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/process-order.h"

#include "src/base/compare.h"

static guint64
rank_of (TtStore *store, guint32 id)
{
  const TtProcess *process = tt_store_process (store, id);

  return process == NULL ? G_MAXUINT64 : (guint64) process->rank; /* -1, none, comes last */
}

int
tt_process_order (TtStore *store, guint32 a, guint32 b)
{
  guint64 rank_a = rank_of (store, a), rank_b = rank_of (store, b);

  return rank_a != rank_b ? TT_COMPARE (rank_a, rank_b) : TT_COMPARE (a, b);
}

guint32
tt_rank_of_thread (TtStore *store, guint32 thread)
{
  const TtThread *of = tt_store_thread (store, thread);
  const TtProcess *process = of == NULL ? NULL : tt_store_process (store, of->process);

  return process == NULL ? TT_NO_ID : process->owner;
}

guint32
tt_process_of_thread (TtStore *store, guint32 thread)
{
  const TtThread *found = tt_store_thread (store, thread);

  return found == NULL ? TT_NO_ID : found->process;
}
