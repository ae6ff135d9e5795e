/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics of names, counted once at the end of an import and kept in the database.
 *
 * Sums are exact in 128 bits; a sum that does not fit into the 64 of SQLite makes the import fail.
 */
#pragma once

#include "src/base/int128.h"
#include "src/store/import/import.h"

/* Sums are exact in 128 bits; sum_sq is the sum of squared durations in ns^2. */
typedef struct
{
  guint32 process; /* TT_NO_ID in the table over all processes */
  guint32 name;    /* first id with that text and suffix */
  guint64 count;
  tt_int128 total_ns; /* a span inside another of its group and thread not counted again */
  tt_int128 self_ns;
  tt_int128 sum_ns; /* plain sum */
  tt_uint128 sum_sq;
  gint64 min_ns, max_ns, median_ns, p95_ns, p99_ns;
  gboolean is_bounded; /* the begins or ends of all its spans were lost: these five are not known */
} TtStatistic;

typedef enum
{
  TT_STATISTIC_BY_LONG_NAME, /* the public table `statistic` */
  TT_STATISTIC_BY_NAME,
} TtStatisticTable;

/* In (process, name) order. */
typedef gboolean (*TtStatisticFunc) (const TtStatistic *row, gpointer data);
gboolean
tt_store_each_statistic (TtStore *self, TtStatisticTable table, TtStatisticFunc func, gpointer data, GError **error);

/* Rows in (process, name) order. FALSE: that was the last, or @error is set. */
typedef gboolean (*TtStatisticNext) (TtStatistic *row, gpointer data, GError **error);

typedef struct
{
  TtStatisticNext next;
  gpointer data;
} TtStatisticFeed;

/* Replaces the statistics of the run; @by_name is asked once @by_long_name has ended. */
gboolean tt_store_import_statistics (TtStoreImport *self,
                                     const TtStatisticFeed *by_long_name,
                                     const TtStatisticFeed *by_name,
                                     GError **error);
