/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/shards/ranks.h"

#include "src/base/error.h"
#include "src/base/progress.h"
#include "src/shards/directory.h"

static const TtShardRanks *used;

void
tt_shard_ranks_use (const TtShardRanks *ranks)
{
  used = ranks;
}

const TtShardRanks *
tt_shard_ranks (void)
{
  return used;
}

/* Until there are none left. */
static gboolean
take_turns (const TtShardRanks *self, const TtShardJob *job, const GArray *order, GError **error)
{
  for (;;)
    {
      if (tt_cancelled (error))
        return FALSE;
      const guint32 turn = self->next ();
      if (turn >= order->len)
        return TRUE;
      const guint i = g_array_index (order, guint32, turn);
      if (!tt_shard_folder_write (job->folder, job->id, job, i, error))
        return FALSE;
    }
}

/* As helper: what rank 0 has begun is what is planned here. */
static gboolean
check_plan (const TtShardRanks *self, const TtShardJob *job, GError **error)
{
  if (g_str_equal (self->id, job->id))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "it does not see the files that rank 0 sees (their names, sizes and dates), or is another build");
  return FALSE;
}

gboolean
tt_shard_ranks_write (const TtShardJob *job, guint32 *readers, GError **error)
{
  const TtShardRanks *self = used;
  g_autoptr (GArray) order = tt_shard_job_order (job);
  GError *fault = NULL, *other = NULL;

  if (self->rank > 0)
    return check_plan (self, job, error) && take_turns (self, job, order, error);
  self->begin (job->id);
  if (!take_turns (self, job, order, &fault))
    self->stop ();
  g_autofree guint32 *takers = g_new0 (guint32, MAX (order->len, 1));
  gboolean done = self->finish (takers, order->len, &other);
  for (guint turn = 0; turn < order->len; turn++)
    readers[g_array_index (order, guint32, turn)] = takers[turn];
  if (fault == NULL)
    {
      if (!done)
        g_propagate_error (error, other);
      return done;
    }
  g_clear_error (&other);
  if (g_error_matches (fault, TT_ERROR, TT_ERROR_CANCELLED))
    g_propagate_error (error, fault);
  else
    g_propagate_prefixed_error (error, fault, "rank 0: ");
  return FALSE;
}
