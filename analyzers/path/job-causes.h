/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What made the waits of a training job (job-wait-list.h), and what each cause costs. Computation goes on while tensors are
 * exchanged, so that not all that a rank did before it came is why it came late.
 *
 * Where p waits for q, both are followed back on their own ranks by what held each span (job-waits.h): q from what ended
 * the wait, p from what let it come, each to where something of another rank held it. From the later of these two moments on
 * what q took longer for than p is a delay, by name, also what lies between spans; a wait in which that of q ended is a
 * part, which hands its share on. The wait is shared out in proportion. Without any the cause is in no span, on q.
 *
 * Time: of each wait that of two such ways, about a step of a rank. Memory: as TtJobSpans, and 80 bytes a span.
 */
#pragma once

#include "analyzers/waits/causes.h"

/* Of any run: of a training job these, else those of tt_wait_causes_new(). @selection: bound; causes may lie in what is not
 * chosen. Their paths are names. @crew: NULL, or as tt_joint_wait_causes_new() has it;
 * a training job's rank 0 finds alone. */
TtWaitCauses *tt_run_wait_causes (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error);
