/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far clocks that nobody corrected may differ all the same.
 *
 * The first clock is right. Another may be ahead of it by what bounds leave open along the shortest way of causes and effects,
 * and behind it along the shortest way back: over other clocks, too, as where messages go round.
 */
#pragma once

#include "analyzers/clocks/ties.h"

/* Writes to residuals[clock] how far it may be wrong; G_MAXINT64: not known. Calls of which the source does not say who
 * takes part, and fences, prove nothing here. */
void tt_clock_find_doubts (const TtClockTies *ties, gint64 *residuals_ns);
