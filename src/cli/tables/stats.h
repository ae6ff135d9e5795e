/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `stats`: which columns there are, in which order rows stand, and what is left out.
 *
 * @sort: the word of a column; NULL: the share of time. A view with counts is one of metrics or ticks.
 */
#pragma once

#include "analyzers/statistics/event-stats.h"
#include "analyzers/statistics/rank-presence.h"
#include "src/base/report/fields.h"

/* The words of --sort, with --per or without. Free it. */
char *tt_stats_table_words (gboolean per_rank);

/* Lets @request ask for the rows that tt_stats_table() shows, no more. */
gboolean
tt_stats_table_limit (TtEventStatsRequest *request, const TtReportView *view, const char *sort, GError **error);

/* One row a group. NULL with @error: no such column to sort by. */
TtReport *tt_stats_table (const TtEventStats *stats, const TtReportView *view, const char *sort, GError **error);

/* One row a group with min, mean and max over ranks (or processes). @stats: grouped by @keys and then by rank (pid);
 * @presence: which could have a group, of the same. */
TtReport *tt_stats_table_per_rank (const TtEventStats *stats,
                                   const TtGroupKeys *keys,
                                   const TtRankPresence *presence,
                                   const TtReportView *view,
                                   const char *sort,
                                   GError **error);
