/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controlled logical clock (R. Rabenseifner, "The Controlled Logical Clock"; D. Becker et al., "Scalable Timestamp
 * Synchronization for Event Traces"): what offsets and drifts leave too early is moved after its cause.
 *
 * An effect that comes before its cause is moved to it. What follows on its rank moves along, and comes back by one part
 * in 128 (forward amortisation); what came before is moved as far as the causes among it allow (backward amortisation), so that no stretch of
 * time grows much. Memory: 32 bytes for each end of a tie.
 */
#pragma once

#include "analyzers/clocks/ties.h"

/* @linear: by clock, of TtClockPiece. Writes the whole maps, from the ranks' own clocks, to logical[clock]; those of clocks
 * of which nothing is moved are NULL. Effects that are causes of themselves, of which only a broken trace tells, stay too early. */
void tt_clock_make_logical (const TtClockTies *ties, GArray *const *linear, GArray **logical);
