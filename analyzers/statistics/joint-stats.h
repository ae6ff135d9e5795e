/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics of groups of which each rank of a crew has counted a part: sums are added up, and quantiles searched for where the
 * durations are (joint-search.h), so that none of them goes from rank to rank.
 */
#pragma once

#include "analyzers/statistics/grouping.h"
#include "analyzers/statistics/tally.h"
#include "src/base/crew.h"

/* Of the marks of a group, numbers but for this bit. */
#define TT_JOINT_MARK_BIT ((guint64) 1 << 63)

typedef struct
{
  TtStore *store;
  TtGrouping *grouping; /* on rank 0 it becomes that of all */
  TtTally *tally;       /* finished; its groups are those of @grouping */
  GHashTable *marks;    /* by group: guint64; may lack some */
  gboolean
      is_odd; /* it cannot be put together with others: one has to count all. On rank 0 it becomes so if any part is. */
} TtJointPart;

/* @mark: of all parts. */
typedef void (*TtJointRowFunc) (const TtTallyRow *row, guint64 mark, gpointer data);

/* On rank 0: unless a part is odd, calls @add with each group, ascending by its number in the grouping. The others are @crew->n - 1 ranks that share. FALSE: @error;
 * none where another rank has failed. */
gboolean tt_joint_stats_take (const TtCrew *crew, TtJointPart *part, TtJointRowFunc add, gpointer data, GError **error);
