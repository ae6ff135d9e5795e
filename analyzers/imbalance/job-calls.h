/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives of a training job, of which its traces tell no calls but spans: Sync and NEGOTIATE_*, which nobody leaves before
 * all ranks have come. Where a run has neither, whole collectives (NCCL_ALLREDUCE and its like), which begin together
 * then.
 *
 * The parts of a call are the k-th spans of a name on each rank in a step, so that a step that a rank lost shifts no other;
 * of spans without a step, the k-th of all.
 */
#pragma once

#include "src/store/rows.h"

/* As tt_store_each_collective() tells them: by function, then ordinal; comm is 0. */
gboolean tt_each_job_collective (TtStore *store, TtCollectiveFunc func, gpointer data, GError **error);
/* Sets *@has: ranks push to parameter servers and pull from them, and meet nobody else. */
gboolean tt_job_has_servers (TtStore *store, gboolean *has, GError **error);
