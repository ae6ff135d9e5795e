/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTimeline by the ranks of a crew but for rank 0: each makes that of a share of the events, some 7 bytes a stretch, and rank 0, which finds waits
 * meanwhile, puts them together.
 */
#pragma once

#include "analyzers/waits/timeline.h"
#include "src/base/crew.h"

/* On others than rank 0. FALSE: @error. */
gboolean tt_joint_timeline_give (TtStore *store, const TtCrew *crew, GError **error);
/* On rank 0, which makes it alone where a thread is in the files of two ranks. NULL: @error, or another has failed. */
TtTimeline *tt_joint_timeline_take (TtStore *store, const TtCrew *crew, GError **error);
