/*
 * The dependency graph of a training job's step, to draw and to hand to other tools.
 */
#pragma once

#include "analyzers/training-job/training-job.h"
#include "graphs/step-graph/trail.h"

/* As the original analyzer has it; with the node END if asked for. */
TtTrail *tt_job_trail_new (const TtTrainingJob *job, gboolean with_end);
/* With counts and sums of the spans; unfinished. */
TtGraph *tt_job_draw (const TtTrainingJob *job);
