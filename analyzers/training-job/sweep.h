/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which speed-up would help most: each category and each operation shorter, one at a time.
 */
#pragma once

#include "analyzers/training-job/prediction.h"

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
 */
GArray *tt_sweep (TtPrediction *prediction, double percent, GError **error);
