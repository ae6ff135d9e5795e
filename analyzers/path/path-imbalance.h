/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPathImbalance: what an operation takes of the measured critical path beyond its mean, and what that costs: the
 * critical-path imbalance and performance impact of D. Boehme et al., "Scalable Critical-Path Based Performance
 * Analysis", as Scalasca has them, by operation instead of call path.
 *
 * Time is self time without waits. The path's is with the messages that it goes along, which count for who receives them.
 * With the path's time g of an operation, that of place p (a rank; of a run of one rank a thread) l(p), and W(p) = the path -
 * the sum of l(p), what p waits in the time of the path, but not less than 0:
 *
 *   imbalance         max (g - mean of l, 0)
 *   activity          sum over p of min (g, l(p))
 *   imbalance cost    sum over p of max (g - l(p), 0), those of p scaled to sum to W(p)
 *   inter-partition   the part of it that is of places that never do the operation: sum of g, those of p scaled to sum to
 *                     what is left of the path's time when p has done its own operations, each for at least g
 *   other             sum over p of max (l(p) - g, 0): work beside the path
 *
 * Activity, imbalance cost and other add up to the path times the number of places, unless a place does more than the path.
 */
#pragma once

#include "analyzers/path/critical-path.h"
#include "src/base/int128.h"

typedef struct
{
  char *name; /* name[~>suffix] */
  gint64 on_path_ns;
  tt_int128 total_ns; /* of all places */
  tt_int128 imbalance_ns, activity_ns, cost_ns, inter_ns, other_ns;
} TtOpImpact;

typedef struct
{
  GArray *ops; /* of TtOpImpact, the greatest imbalance first */
  guint n_places;
  gboolean is_over_threads;
  TtOpImpact sum; /* no name */
} TtPathImbalance;

/* Of a path that is not a training job's. Two scans, and those of the waits. */
TtPathImbalance *tt_path_imbalance_new (TtStore *store, const TtCriticalPath *path, GError **error);
void tt_path_imbalance_free (TtPathImbalance *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPathImbalance, tt_path_imbalance_free)
