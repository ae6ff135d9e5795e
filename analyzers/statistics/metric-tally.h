/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of one metric, instead of times, into a tally: inclusive as durations, exclusive as self.
 */
#pragma once

#include "analyzers/statistics/event-stats.h"

gboolean tt_metric_tally (TtStore *store,
                          const TtEventStatsRequest *request,
                          TtGrouping *grouping,
                          TtTally *tally,
                          GError **error);
