/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which clock `stats` answers for: ticks and time are never in one table.
 */
#pragma once

#include "analyzers/statistics/grouping.h"
#include "src/select/selection.h"

typedef struct
{
  gboolean is_ticks;  /* values are ticks */
  gboolean lacks_sms; /* groups are SMs, and no thread of the selection is of one */
  char *left_out;     /* pids of the other clock, separated by commas; NULL: none. Free it. */
} TtStatsClock;

/* For a bound selection, which it narrows to processes of one clock. Time takes precedence over ticks, unless groups are
 * SMs and the SMs of the run have ticks only. */
gboolean tt_stats_clock_choose (TtStatsClock *self,
                                TtStore *store,
                                TtSelection *selection,
                                const TtGroupKeys *keys,
                                GError **error);
void tt_stats_clock_clear (TtStatsClock *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtStatsClock, tt_stats_clock_clear)
