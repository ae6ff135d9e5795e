/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/quantile-sort.h"

#include "src/base/sorter.h"

typedef struct
{
  guint64 row, key;
} Record;

static void
add_run (TtSorter *sorter, const TtQuantileRow *rows, const guint32 rows_of_group[2], const TtDurationRun *run)
{
  guint64 keys[TT_DURATION_RUN];

  tt_duration_run_keys (run, keys);
  for (guint k = 0; k < 2; k++)
    {
      const guint32 row = rows_of_group[k];

      if (row == TT_NO_QUANTILE_ROW)
        continue;
      for (guint i = 0; i < run->n; i++)
        if (keys[i] >= rows[row].min && keys[i] <= rows[row].max)
          *(Record *) tt_sorter_add (sorter) = (Record){ row, keys[i] };
    }
}

/* Of each row the keys at the places asked for, which ascend. */
static gboolean
take_quantiles (TtSorter *sorter, TtQuantileRow *rows, GError **error)
{
  guint64 row = G_MAXUINT64, place = 0;
  GError *failure = NULL;
  const Record *record;
  guint next = 0;

  while ((record = tt_sorter_next (sorter, &failure)) != NULL)
    {
      if (record->row != row)
        {
          row = record->row;
          place = 0;
          next = 0;
        }
      for (; next < TT_QUANTILES && rows[row].quantile[next] == place; next++)
        rows[row].quantile[next] = record->key;
      place++;
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
tt_quantiles_sort (TtTape *log,
                   TtQuantileRow *rows,
                   const guint32 (*rows_of_group)[2],
                   gsize memory_bytes,
                   GError **error)
{
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (Record), memory_bytes);
  TtDurationReader reader;
  TtDurationRun run;

  tt_sorter_sort_ahead (sorter);
  tt_duration_reader_init (&reader, log);
  while (tt_duration_reader_next (&reader, &run))
    add_run (sorter, rows, rows_of_group[run.group], &run);
  tt_duration_reader_clear (&reader);
  return tt_tape_check (log, error) && tt_sorter_finish (sorter, error) && take_quantiles (sorter, rows, error);
}
