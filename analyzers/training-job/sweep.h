/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which speed-up would help most: each category and each operation shorter, one at a time.
 */
#pragma once

#include "graphs/step-graph/replay.h"

typedef struct
{
  const char *field; /* "op_cat", "name" */
  const char *value; /* the graph's, or static */
  guint n_nodes;
  gint64 iteration_ns; /* mean over ranks, if they took that much less */
} TtSweepRow;

/*
 * Of TtSweepRow: each category and each operation (a name over all ranks) @percent shorter. By category, then by name,
 * each from the shortest iteration to the longest. @schedule: of @graph; its durations are unchanged when this returns,
 * its last run is not. NULL with @error: cancelled.
 */
GArray *tt_sweep (const TtStepGraph *graph,
                  TtSchedule *schedule,
                  const TtStepReplayOptions *options,
                  double percent,
                  GError **error);
