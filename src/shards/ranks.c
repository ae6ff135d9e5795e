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

/* Until there are none left. @told: NULL, or whose files are to be those that rank 0 saw. */
static gboolean
take_turns (const TtShardRanks *self,
            const TtShardJob *job,
            const GArray *order,
            const TtToldPlan *told,
            GError **error)
{
  for (;;)
    {
      if (tt_cancelled (error))
        return FALSE;
      const guint32 turn = self->next ();
      if (turn >= order->len)
        return TRUE;
      const guint i = g_array_index (order, guint32, turn);
      if ((told != NULL && !tt_told_plan_check (told, i, error)) ||
          !tt_shard_folder_write (job->folder, job->id, job, i, error))
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

static gboolean
plan_and_help (const TtShardRanks *self, const TtShardJob *job, GError **error)
{
  g_autoptr (GArray) order = tt_shard_job_order (job);

  return check_plan (self, job, error) && take_turns (self, job, order, NULL, error);
}

/* One input of each rank is looked at in any case: a rank that sees other files is named although it may get no turn. */
static gboolean
help_as_told (const TtShardRanks *self, const TtShardJob *job, const TtToldPlan *told, GError **error)
{
  const GArray *order = told->order;

  return (order->len == 0 ||
          tt_told_plan_check (told, g_array_index (order, guint32, self->rank % order->len), error)) &&
         take_turns (self, job, order, told, error);
}

TtToldPlan *
tt_shard_ranks_told (const char *words, GError **error)
{
  return used->plan == NULL ? NULL : tt_told_plan_new (used->plan, words, error);
}

static gboolean
lead (const TtShardRanks *self, const TtShardJob *job, guint32 *readers, GError **error)
{
  g_autoptr (GArray) order = tt_shard_job_order (job);
  g_autoptr (GByteArray) plan = tt_told_plan_pack (job->plan, order, job->words);
  GError *fault = NULL, *other = NULL;

  self->begin (job->id, plan);
  if (!take_turns (self, job, order, NULL, &fault))
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

gboolean
tt_shard_ranks_write (const TtShardJob *job, const TtToldPlan *told, guint32 *readers, GError **error)
{
  if (used->rank == 0)
    return lead (used, job, readers, error);
  return told != NULL ? help_as_told (used, job, told, error) : plan_and_help (used, job, error);
}
