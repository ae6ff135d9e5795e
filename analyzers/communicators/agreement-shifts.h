/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the clocks of ranks differ, by the calls that make communicators.
 *
 * The first communicators are made of all ranks, which leave such a call nearly at once, having agreed. Where all ranks
 * make as many of these calls, the k-th are therefore supposed to be one: what their ends differ by, in the median, the
 * clocks may.
 */
#pragma once

#include "analyzers/communicators/rank-calls.h"

/* By rank: what to add to its times; before any calls are taken out. NULL: there are no such calls. Free it. */
gint64 *tt_rank_calls_find_agreement_shifts (const TtRankCalls *self);
void tt_rank_calls_shift (TtRankCalls *self, const gint64 *shifts_ns);
