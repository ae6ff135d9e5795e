/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves clocks by what bounds forbid that no pair alone shows: of a call's ranks the fit looks at those with the first,
 * and of messages that go round (a to b, b to c, c to a) each pair has bounds from one side only.
 *
 * As long as an effect comes before its cause, both clocks are moved towards each other (S. Kaczmarz' method); the first clock
 * stays. Where that leaves a microsecond or more, they are moved and turned: an offset in the middle of a clock's times and a
 * drift. Either is kept only if it leaves nearly nothing: clocks that were set, or wrong bounds, no such movement mends.
 */
#pragma once

#include "analyzers/clocks/ties.h"
#include "analyzers/clocks/verdicts.h"

/* @pieces: by clock, arrays of TtClockPiece, changed in place. @left: what they violate; updated. */
void tt_clock_relax (const TtClockTies *ties, GArray **pieces, TtClockVerdict *left);
