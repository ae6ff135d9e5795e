/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEventStats: statistics of the spans of the selected runs, filtered and grouped as asked.
 *
 * From the statistic tables where they have the answer, else by one scan. In a time window a span
 * that overlaps it counts whole in Count, Avg, Med, Min, Max and StdDev, and clipped in Total and Self
 * (its Self is what its clipped children leave of it).
 * With a metric, values are those of the metric instead of times; they cannot be clipped, nor be by path. The path of a
 * span has all spans that it is inside of, chosen or not, but those that only name a stretch of time.
 */
#pragma once

#include "analyzers/statistics/grouping.h"
#include "analyzers/statistics/tally.h"
#include "src/base/crew.h"
#include "src/select/selection.h"

typedef struct
{
  TtTallyRow sums;
  TtGroupMember member;
  guint32 process;     /* of the group when it has one, else of a member */
  guint64 n_marked;    /* spans with one of TT_TRUST_FLAGS */
  gboolean is_damaged; /* some are of a process with damaged records: calls may be missing or have other times */
  gboolean may_lack;   /* none is, but groups are over processes: all that one had may be missing */
} TtEventStatsRow;

typedef struct
{
  TtStore *store; /* borrowed */
  TtGroupKeys keys;
  GArray *rows;      /* of TtEventStatsRow, in no order: the wanted ones */
  guint64 n_rows;    /* all of them */
  tt_int128 self_ns; /* likewise */
  gboolean is_limited;
  TtGrouping *paths;           /* where groups are by path */
  guint64 n_marked, n_damaged; /* groups that are marked so */
} TtEventStats;

/* Negative where @a comes first; 0 for a row with itself only. */
typedef int (*TtEventStatsOrder) (const TtEventStats *stats,
                                  const TtEventStatsRow *a,
                                  const TtEventStatsRow *b,
                                  gconstpointer data);

typedef struct
{
  TtGroupKeys keys;
  TtSelection *selection; /* bound; NULL: everything */
  gboolean only_measured; /* without spans whose begin or end was lost: see bounded.h */
  guint32 metric;         /* series; TT_NO_ID: time */
  /* Only the first n_most rows in this order are wanted. 0: all. */
  guint n_most;
  TtEventStatsOrder order;
  gconstpointer order_data;
  /* NULL, or processes whose records are damaged, GUINT_TO_POINTER (id); borrowed. */
  GHashTable *damaged;
  gboolean is_counted; /* by a scan, also where the tables have the answer */
  /* NULL, or ranks that share a scan of times: all ask the same, and rank 0 has the rows. */
  const TtCrew *crew;
  gboolean is_one_of_many; /* the ranks are called already, and go on to another question */
} TtEventStatsRequest;

TtEventStats *tt_event_stats_new (TtStore *store, const TtEventStatsRequest *request, GError **error);
void tt_event_stats_free (TtEventStats *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEventStats, tt_event_stats_free)

/* Text of the k-th key of a row; NULL: it has none. Free it. */
char *tt_event_stats_label (const TtEventStats *self, const TtEventStatsRow *row, guint k);
