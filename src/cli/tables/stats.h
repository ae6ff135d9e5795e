/*
 * Tables of `stats`: which columns there are, in which order rows stand, and what is left out.
 */
#pragma once

#include "analyzers/statistics/event-stats.h"
#include "src/base/report/report.h"

typedef struct
{
  TtUnit unit;
  TtReportFormat format;
  int top;           /* 0: all */
  guint width;       /* of the terminal; 0: no limit */
  const char *sort;  /* a column's word; NULL: time */
  gboolean is_count; /* values are counts (a metric, ticks), not ns */
} TtStatsTableOptions;

/* Lets @request ask for the rows that tt_stats_table() shows, no more. */
gboolean tt_stats_table_limit (TtEventStatsRequest *request, const TtStatsTableOptions *options, GError **error);

/* One row a group. NULL with @error: no such column to sort by. */
TtReport *tt_stats_table (const TtEventStats *stats, const TtStatsTableOptions *options, GError **error);

/* One row a group with min, mean and max over processes. @stats: grouped by @keys and then pid;
 * @n_processes: how many there are, with and without spans. */
TtReport *tt_stats_table_per_process (const TtEventStats *stats,
                                      const TtGroupKeys *keys,
                                      guint n_processes,
                                      const TtStatsTableOptions *options,
                                      GError **error);
