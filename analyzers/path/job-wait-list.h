/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The waits of a training job between its ranks, as its path goes through them (job-waits.h): where what held a span was
 * something of another rank.
 *
 *   late sender   A RECV, from its begin to that of its SEND; work of parameter servers and on their links, until what came
 *                 from the other end was done.
 *                 Of operators of a worker that need what it pulled: server-waits.h.
 *   wait at NxN   Sync, NEGOTIATE_* and whole collectives, until the last rank comes.
 */
#pragma once

#include "analyzers/path/job-waits.h"
#include "analyzers/waits/waits.h"
#include "src/base/crew.h"

/* Of any run: of a training job these, else those of tt_waits_new(). @selection: bound, or NULL. NULL with @error. */
TtWaits *tt_run_wait_list (TtStore *store, const TtSelection *selection, GError **error);
/* By the ranks of @crew, as tt_joint_waits_new(); NULL: by this process. A training job's rank 0 finds alone. */
TtWaits *tt_run_wait_list_by (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error);
/* The same of spans that were read, and what held each. */
TtWaits *tt_job_wait_list_of (TtStore *store,
                              const TtSelection *selection,
                              const TtJobSpans *spans,
                              const TtJobWait *held,
                              GError **error);
/* Whether the i-th span waits for another rank; what overlaps is not cut. */
gboolean tt_job_wait_of (TtStore *store, const TtJobSpans *spans, guint32 i, const TtJobWait *held, TtWait *wait);
