/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/stats-folds.h"

static void
add_to_fold (TtRankFold *fold, const TtEventStatsRow *row)
{
  tt_int128 total = row->sums.total_ns;
  tt_int128 self = fold->row.sums.self_ns;
  const guint64 n_marked = fold->row.n_marked + row->n_marked;
  const gboolean is_damaged = fold->row.is_damaged || row->is_damaged;

  if (fold->n_present == 0 || total > fold->max_ns || (total == fold->max_ns && row->process < fold->row.process))
    {
      fold->row = *row;
      fold->max_ns = total;
    }
  fold->row.sums.self_ns = self + row->sums.self_ns;
  fold->row.n_marked = n_marked;
  fold->row.is_damaged = is_damaged;
  fold->min_ns = fold->n_present == 0 ? total : MIN (fold->min_ns, total);
  fold->sum_ns += total;
  fold->n_present++;
}

/* NULL: groups are not by what is done. */
static const char *
category_of (const TtEventStats *stats, const TtGroupKeys *keys, guint32 name)
{
  static const TtGroupKey naming[] = { TT_KEY_NAME, TT_KEY_OP_LONG_NAME, TT_KEY_OP_CAT, TT_KEY_OP_NAME };
  const TtStoredName *found = tt_store_peek_name (stats->store, name);

  for (guint i = 0; found != NULL && i < G_N_ELEMENTS (naming); i++)
    if (tt_group_keys_has (keys, naming[i]))
      return found->op_cat;
  return NULL;
}

static void
finish_fold (TtRankFold *fold, guint n_possible)
{
  guint n = MAX (n_possible, fold->n_present);

  fold->n_zero = n - fold->n_present;
  if (fold->n_zero > 0)
    fold->min_ns = MIN (fold->min_ns, 0);
  fold->mean_ns = (double) fold->sum_ns / (double) n;
  fold->imbalance = fold->sum_ns == 0 ? 0.0 : ((double) fold->max_ns / fold->mean_ns - 1.0) * 100.0;
}

GArray *
tt_rank_folds (const TtEventStats *stats, const TtGroupKeys *keys, const TtRankPresence *presence)
{
  g_autoptr (TtGrouping) grouping = tt_grouping_new (stats->store, keys);
  GArray *folds = g_array_new (FALSE, TRUE, sizeof (TtRankFold));

  for (guint i = 0; i < stats->rows->len; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);
      guint32 group =
          tt_grouping_group_on (grouping, row->member.thread, row->member.path, row->member.name, row->member.step);

      if (group >= folds->len)
        g_array_set_size (folds, group + 1);
      add_to_fold (&g_array_index (folds, TtRankFold, group), row);
    }
  for (guint i = 0; i < folds->len; i++)
    {
      TtRankFold *fold = &g_array_index (folds, TtRankFold, i);

      fold->row.sums.group = i;
      finish_fold (fold, tt_rank_presence_count (presence, category_of (stats, keys, fold->row.member.name)));
    }
  return folds;
}
