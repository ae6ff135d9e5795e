/*
 * From tallies to the tables of statistics: shared by the two ways of counting in statistics*.c.
 */
#pragma once

#include "analyzers/tally.h"
#include "src/store.h"

/* Memory of one tally. */
#define TT_STATISTIC_BYTES ((gsize) 8 << 20)

typedef struct
{
  guint32 process, name; /* process TT_NO_ID: over all */
} TtStatisticGroup;

typedef struct
{
  TtTally *tally;
  const GArray *groups; /* of TtStatisticGroup, or NULL: then a group is process * stride + name */
  guint64 stride;
  guint32 first_process;
  GError *error;
} TtStatisticRows;

/* A TtStatisticNext; @data: TtStatisticRows, whose `error` tells why there are no more. */
gboolean tt_statistic_rows_next (TtStatistic *row, gpointer data);
/* Finishes the tally and writes its rows, which are in the order of the table. */
gboolean tt_statistic_rows_write (TtStoreImport *import, TtStatisticTable table, TtStatisticRows *rows, GError **error);

/* Both tables from a scan of all events. */
gboolean tt_statistics_scan (TtStoreImport *import, TtStore *store, GError **error);
