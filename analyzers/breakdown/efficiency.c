/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/efficiency.h"

#include "analyzers/breakdown/breakdown.h"

static gint64
useful_of (const TtBreakdownRow *row)
{
  return row->times.ns[TT_WORK_COMPUTE] + row->times.ns[TT_WORK_MEMORY] + row->times.ns[TT_WORK_IO];
}

gboolean
tt_efficiency_of_ranks (const GArray *rows, TtEfficiency *efficiency)
{
  gint64 first_ns = G_MAXINT64, last_ns = G_MININT64, most_ns = 0;
  double sum = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      const TtBreakdownRow *row = &g_array_index (rows, TtBreakdownRow, i);

      if (row->is_device)
        return FALSE;
      first_ns = MIN (first_ns, row->begin_ns);
      last_ns = MAX (last_ns, row->end_ns);
      most_ns = MAX (most_ns, useful_of (row));
      sum += (double) useful_of (row);
    }
  if (rows->len < 2 || most_ns == 0)
    return FALSE;

  double runtime = (double) (last_ns - first_ns), mean = sum / rows->len;
  *efficiency = (TtEfficiency){
    .parallel = mean / runtime,
    .load_balance = mean / (double) most_ns,
    .communication = (double) most_ns / runtime,
  };
  return TRUE;
}
