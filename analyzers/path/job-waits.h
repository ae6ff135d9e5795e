/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each span of a training job waited for, from what its trace proves and the rules of its step's graph (the
 * framework-jobs format page, section 7.2). Of all that a span needs, what came last held it:
 *
 *   dependency   What the graph says it needs: operators, the BW of each tensor of a group, MEMCPY_IN before SEND, the
 *                RECV of a piece before its next SEND, MEMCPY_OUT or PULL_RES before UPDATE. What was not traced stands
 *                for what it needs itself.
 *   message      RECV ends when its SEND has ended; of a parameter server's work and of links, what came from the other
 *                end. The k-th push of a part to arrive starts the k-th work on it.
 *   collective   Sync, NEGOTIATE_* and whole collectives end when the last rank has come: the path goes on at what that
 *                rank did before.
 *   device       What ran before on its device. QUEUE ends when that has ended; Sync does not begin before. The first
 *                operators of a step need the input, and updates, where they were seen to, all communication before.
 *
 * Waits (Sync, QUEUE, NEGOTIATE_*, WAIT_FOR_*), RECV and other communication may begin before what they wait for:
 * their own time begins when that is done. Nothing else does: what ended later is not followed. A cause is never later
 * than its effect, so that clocks which disagree make the path shorter of hops, not wrong.
 */
#pragma once

#include "analyzers/path/job-spans.h"

typedef struct
{
  guint32 cause;   /* a span; TT_JOB_NO_SPAN: nothing is known */
  gint64 cause_ns; /* when it let the other go: its end; its begin where it came last to a collective */
  guint8 hop;      /* TtPathHop */
  gboolean is_inferred;
} TtJobWait;

/* By span. Free it. @n_backward: spans that ended before what the graph says they need, in the same step. */
TtJobWait *tt_job_waits_new (const TtJobSpans *spans, guint64 *n_backward);
/* By span: what of its own rank it could not begin before. @only_needs: of what the graph says, not of its device. Free it. */
TtJobWait *tt_job_arrivals_new (const TtJobSpans *spans, gboolean only_needs);
