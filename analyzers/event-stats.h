/*
 * TtEventStats: statistics of the spans of the selected runs, filtered and grouped as asked.
 *
 * From the statistic tables where they have the answer, else by one scan. In a time window a span
 * that overlaps it counts whole in Count, Avg, Med, Min, Max and StdDev, and clipped in Total and Self
 * (its Self is what its clipped children leave of it).
 * With a metric, values are those of the metric instead of times; they cannot be clipped.
 */
#pragma once

#include "analyzers/grouping.h"
#include "analyzers/tally.h"
#include "src/selection.h"

typedef struct
{
  TtGroupKeys keys;
  TtSelection *selection; /* bound; NULL: everything */
  guint32 metric;         /* series; TT_NO_ID: time */
} TtEventStatsRequest;

typedef struct
{
  TtTallyRow sums;
  TtGroupMember member;
  guint32 process; /* of the group when it has one, else of a member */
} TtEventStatsRow;

typedef struct
{
  TtStore *store; /* borrowed */
  TtGroupKeys keys;
  GArray *rows; /* of TtEventStatsRow */
  tt_int128 self_ns; /* of all rows */
} TtEventStats;

TtEventStats *tt_event_stats_new (TtStore *store, const TtEventStatsRequest *request, GError **error);
void tt_event_stats_free (TtEventStats *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEventStats, tt_event_stats_free)

/* Text of the k-th key of a row; NULL: it has none. Free it. */
char *tt_event_stats_label (const TtEventStats *self, const TtEventStatsRow *row, guint k);
