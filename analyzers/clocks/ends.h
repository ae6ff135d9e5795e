/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether ends of collectives tell that clocks differ where nothing comes before its cause.
 *
 * All leave a collective of which nobody can leave before all have come nearly at once. Clocks that are apart by less
 * than the ranks wait contradict nothing; but ends that are apart by the same over and over, by much more than the call
 * takes the last to come, are none of the program.
 */
#pragma once

#include "analyzers/clocks/ties.h"

gboolean tt_clock_ends_differ (const TtClockTies *ties);
