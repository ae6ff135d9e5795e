/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far clocks that nobody corrected may differ all the same.
 *
 * Bounds of two clocks in both directions leave a difference open between them. The first
 * clock is right; the others may be wrong by what the bounds leave open along the tree of pairs that are known best.
 */
#pragma once

#include "analyzers/clocks/ties.h"

/* Writes to residuals[clock] how far it may be wrong; G_MAXINT64: not known. Calls of which the source does not say who
 * takes part, and fences, prove nothing here. */
void tt_clock_find_doubts (const TtClockTies *ties, gint64 *residuals_ns);
