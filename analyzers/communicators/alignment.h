/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the clocks of ranks differ where it is not known which calls belong together.
 *
 * All leave a synchronizing call nearly at once. Of two ranks that share a communicator ends of calls are therefore apart
 * by the same over and over, those of their common calls; how far others are apart is scattered. That difference, which
 * stands out by its number, is the clocks'; its drift is followed through the run. Who takes part then shows in the times.
 */
#pragma once

#include "analyzers/communicators/rank-calls.h"

/* Brings the times of the calls to the clock of one rank. FALSE without effect: there are ranks whose clock nothing tells,
 * or all clocks agree. */
gboolean tt_rank_calls_align (TtRankCalls *self);
