/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRankFold: the rows of a group over ranks (or processes) as one.
 */
#pragma once

#include "analyzers/statistics/event-stats.h"
#include "analyzers/statistics/rank-presence.h"

typedef struct
{
  TtEventStatsRow row;     /* first member; of the slowest rank; sums.self_ns and .count of all of them */
  guint n_present, n_zero; /* ranks with the operation; without, that could have it */
  tt_int128 min_ns, max_ns, sum_ns;
  double mean_ns, imbalance;
} TtRankFold;

/* Of TtRankFold, by group of @keys. @stats: grouped by @keys and then by rank (pid). Free it. */
GArray *tt_rank_folds (const TtEventStats *stats, const TtGroupKeys *keys, const TtRankPresence *presence);
