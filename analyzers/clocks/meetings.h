/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves clocks, where bounds leave much open, so that the ends of calls that all leave at one moment lie together.
 *
 * All leave a barrier or an allreduce nearly at once, those that wait for one that returned at once its completion, and those
 * that came to a broadcast before its root that. Each such meeting has a moment and each clock is off by as much, so that the ends are as
 * near to their moments as can be; what is far off counts less (P. Huber's robust estimate). Who came when it was over says nothing.
 * Bounds have the last word.
 */
#pragma once

#include "analyzers/clocks/ties.h"
#include "analyzers/clocks/verdicts.h"

/* @ranges, @pieces, @residuals_ns: by clock, of clocks that are known to differ; @left: what they violate. Changed in place. FALSE:
 * nothing was moved, for the bounds or what was fitted to the ends of pairs leaves less open than meetings do. */
gboolean tt_clock_meet (const TtClockTies *ties,
                        const TtClockRange *ranges,
                        GArray **pieces,
                        TtClockVerdict *left,
                        gint64 *residuals_ns);
