/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the clocks of ranks differ, by meetings that are supposed.
 *
 * All leave a meeting nearly at once. Most meetings that were found by times that are a little wrong are right; that a rank
 * leaves later than those whom it meets, in the median, is then its clock's fault.
 */
#pragma once

#include "analyzers/communicators/choice.h"

/* Moves the times of each rank's calls so that it leaves its meetings when the others do. FALSE without effect: all do. */
gboolean tt_rank_calls_align_by_meetings (TtRankCalls *self, const TtMemberSets *sets, const TtChoice *choice);
