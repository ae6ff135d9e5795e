/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators by clocks that were moved for nothing.
 *
 * Where the source names no communicators the k-th calls of all ranks are first supposed to be one. If they are calls of
 * some ranks each, that moves clocks that are right. So it is asked what the calls say by the ranks' own clocks.
 */
#pragma once

#include "analyzers/communicators/inference.h"

/* Whether clocks were moved, and no message asks for it. The store corrects by offset and drift, before and after these. */
gboolean tt_own_clocks_ask (TtStore *store, gboolean *may_be_right, GError **error);
/* *@calls: NULL: communicators of some ranks leave calls open by the ranks' own clocks, or explain them no better than by
 * those that were moved. Else @found's, to be freed after it. @found: zeroed. @is_steady: by kind, one-communicator.h has it. */
gboolean
tt_own_clocks_infer (TtInference *found, TtRankCalls **calls, TtStore *store, const guint8 *is_steady, GError **error);
