/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measured path of a training job: what held each of its spans (job-waits.h), back from the last to end.
 *
 * A piece of the path is the own time of a span: from when what it waited for was done to when the path leaves it. Between
 * what was done and the begin of what needed it lies a gap. Not longer than what ended then it is latency; a longer one
 * is waiting for something that the trace does not show, and a piece of no span on that rank.
 *
 * A step goes from the end of the step before (the run's begin) to the end of its last operator on any rank; it
 * includes the input before it, which an iteration does not. Steps are cut out of the path of the run; the path of one
 * step alone is walked from the operator that ended last in it.
 */
#pragma once

#include "analyzers/path/measured-path.h"
#include "analyzers/path/sums.h"
#include "src/store/store.h"

typedef struct
{
  GArray *segments; /* of TtPathSegment, in time order; their events are set, or 0 */
  GArray *ops;      /* of TtPathOp, longest first */
  GArray *steps;    /* of TtPathStep; processes not set */
  gint64 first_ns, last_ns;
  gint64 kind_ns[TT_N_PATH_KINDS]; /* of pieces and latencies: add up to all */
  guint64 n_backward;              /* spans that ended before what they need: clocks disagree */
} TtJobPath;

/* Whether the run is a training job of which there is such a path: it was read from a job's directory, or has operators
 * and what Horovod or BytePS do for them. FALSE with @error: the database failed. */
gboolean tt_job_path_is_there (TtStore *store, gboolean *is_there, GError **error);
/* @step: TT_NO_STEP, or the only one. NULL with @error. */
TtJobPath *tt_job_path_new (TtStore *store, gint32 step, GError **error);
void tt_job_path_free (TtJobPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobPath, tt_job_path_free)
