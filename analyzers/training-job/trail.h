/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dependency graph of a training job's step, to draw it and to pass it to other tools.
 */
#pragma once

#include "analyzers/training-job/training-job.h"
#include "graphs/step-graph/trail.h"

/* As the original analyzer writes it; with the node END if asked for. */
TtTrail *tt_job_trail_new (const TtTrainingJob *job, gboolean with_end);
/* With counts and sums of the spans; not yet finished. */
TtGraph *tt_job_draw (const TtTrainingJob *job);
