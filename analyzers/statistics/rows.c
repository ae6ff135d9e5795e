/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/rows.h"

void
tt_statistic_set_tallied (TtStatistic *row, const TtTallyRow *tallied)
{
  row->count = tallied->count;
  row->total_ns = tallied->total_ns;
  row->self_ns = tallied->self_ns;
  row->sum_ns = tallied->sum_ns;
  row->sum_sq = tallied->sum_sq;
  row->min_ns = tallied->min_ns;
  row->max_ns = tallied->max_ns;
  row->median_ns = tallied->median_ns;
  row->p95_ns = tallied->p95_ns;
  row->p99_ns = tallied->p99_ns;
  row->is_bounded = tt_tally_row_is_bounded (tallied);
}

TtTallyRow
tt_statistic_sums (const TtStatistic *row)
{
  return (TtTallyRow){
    .count = row->count,
    .total_ns = row->total_ns,
    .self_ns = row->self_ns,
    .sum_ns = row->sum_ns,
    .sum_sq = row->sum_sq,
    .min_ns = row->min_ns,
    .max_ns = row->max_ns,
    .median_ns = row->median_ns,
    .p95_ns = row->p95_ns,
    .p99_ns = row->p99_ns,
    .n_bounded = row->is_bounded ? row->count : 0,
  };
}

gboolean
tt_statistic_rows_next (TtStatistic *row, gpointer data, GError **error)
{
  TtStatisticRows *rows = data;
  TtTallyRow tallied;

  if (!rows->is_finished && !tt_tally_finish (rows->tally, error))
    return FALSE;
  rows->is_finished = TRUE;
  if (!tt_tally_next (rows->tally, &tallied, error))
    return FALSE;
  row->process = rows->first_process + (guint32) (tallied.group / rows->stride);
  row->name = (guint32) (tallied.group % rows->stride);
  tt_statistic_set_tallied (row, &tallied);
  return TRUE;
}
