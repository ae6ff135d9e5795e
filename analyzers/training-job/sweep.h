/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which speed-up would help most: each category and each operation shorter, one at a time.
 */
#pragma once

#include "analyzers/training-job/prediction.h"
#include "src/base/crew.h"

typedef struct
{
  const char *field; /* "op_cat", "name" */
  const char *value; /* the graph's, or static */
  guint n_nodes;
  gint64 iteration_ns; /* mean over ranks, if they took that much less */
} TtSweepRow;

/*
 * Of TtSweepRow: each category and each operation (a name over all ranks) @percent shorter, with the changes of the
 * prediction. By category, then by name, each from the shortest iteration to the longest. NULL with @error: cancelled.
 * @crew: NULL, or ranks that have the same prediction and try an n-th each: those other than 0 get NULL; without @error they are done.
 */
GArray *tt_sweep (TtPrediction *prediction, double percent, const TtCrew *crew, GError **error);
