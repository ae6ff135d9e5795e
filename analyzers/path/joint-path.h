/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCriticalPath by the ranks of a crew: each finds what the threads wait for whose events it reads (joint-waits.h). Rank 0 gets that of all, some
 * 40 bytes each, goes the way back, and tells each rank the pieces of the path on its threads, of which that adds up the self times, and, where means of
 * operations are asked for, finds the waits again as `waits` has them and adds up what its threads do besides.
 *
 * Work on devices, calls of PI and collectives that hosts do beside (gloo) are of one source or process, and so of who reads it. Not shared: training jobs.
 */
#pragma once

#include "analyzers/path/path-imbalance.h"
#include "src/base/crew.h"

/* tt_critical_path_new() by the ranks of @crew, which rank 0 calls, if that helps, and dismisses. Others get NULL; without @error they are done.
 * @imbalance: NULL, or where to find tt_path_imbalance_new() of it, too; NULL there: it is left to rank 0. */
TtCriticalPath *tt_joint_critical_path_new (TtStore *store,
                                            gint32 step,
                                            gboolean with_events,
                                            const TtCrew *crew,
                                            TtPathImbalance **imbalance,
                                            GError **error);
