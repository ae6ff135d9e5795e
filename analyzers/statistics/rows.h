/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From tallies to the tables of statistics: shared by the two ways of counting in statistics*.c.
 */
#pragma once

#include "analyzers/statistics/tally.h"
#include "src/store/statistics.h"
#include "src/store/store.h"

/* Memory of one tally. */
#define TT_STATISTIC_BYTES ((gsize) 8 << 20)

typedef struct
{
  TtTally *tally;
  guint64 stride; /* a group is process * stride + name */
  guint32 first_process;
  gboolean is_finished; /* the tally */
} TtStatisticRows;

/* What all rows have in common; process and name are the caller's. */
void tt_statistic_set_tallied (TtStatistic *row, const TtTallyRow *tallied);

/* And back; its group is the caller's, too. */
TtTallyRow tt_statistic_sums (const TtStatistic *row);

/* A TtStatisticNext; @data: TtStatisticRows, whose tally is finished first. */
gboolean tt_statistic_rows_next (TtStatistic *row, gpointer data, GError **error);

/* Both tables from a scan of all events. @may_share: two names may have one text and suffix. */
gboolean tt_statistics_scan (TtStoreImport *import, TtStore *store, gboolean may_share, GError **error);
