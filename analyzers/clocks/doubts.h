/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far clocks may differ that nobody corrected, or that were by bounds from one side only.
 *
 * The first clock is right. Another may be ahead of it by what bounds leave open along the shortest way of causes and effects,
 * and behind it along the shortest way back: over other clocks, too, as where messages go round.
 */
#pragma once

#include "analyzers/clocks/ties.h"

/* Writes to residuals[clock] how far it may be wrong; G_MAXINT64: not known. Calls of which the source does not say who
 * takes part, and fences, prove nothing here. */
void tt_clock_find_doubts (const TtClockTies *ties, gint64 *residuals_ns);

/* Likewise of clocks corrected by @pieces, of which residuals[clock] is not known, G_MAXINT64: by what ties leave open in
 * each of some stretches of time, the first and the last among them, for what drifts were left is not known either. @left_ns:
 * by how much effects come too early by them at the most. Nothing of clocks that were set. */
void tt_clock_find_doubts_left (const TtClockTies *ties, GArray *const *pieces, gint64 left_ns, gint64 *residuals_ns);

/* Moves clocks to the middle of what ties leave open over all clocks, if they do of each, and none is violated then.
 * @first: stays. @known_ns: by clock, of those that stay, too, how far they may be off from it; G_MAXINT64: to be moved; NULL: all
 * others are, and each bound is left as much room as can be. */
void tt_clock_move_to_middle (const TtClockTies *ties, GArray **pieces, guint32 first, const gint64 *known_ns);
