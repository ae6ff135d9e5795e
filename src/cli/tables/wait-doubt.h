/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands below tables of waits: how far they may be wrong because the clocks of ranks are not known better.
 */
#pragma once

#include "analyzers/waits/waits.h"
#include "src/base/report/report.h"

/* Nothing, if that is less than 2 % of what ranks wait for others. @n_locks: waits for locks of which it is not known which. */
gboolean
tt_wait_doubt_tell (TtReport *report, TtStore *store, const TtRankWaits *waits, guint64 n_locks, GError **error);
