/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `simulate` prints: the prediction in words, the tables, and the sweeps.
 */
#pragma once

#include "analyzers/training-job/interval.h"
#include "src/cli/commands/simulate-options.h"

/* What goes above the tables and into JSON. */
typedef struct
{
  gint64 measured_ns;         /* the iteration; 0: not known */
  TtPrediction *model;        /* without what-ifs */
  const TtPrediction *before; /* likewise, or NULL: there are none */
  TtPrediction *result;
  TtPredictionInterval interval;
  gint64 longest_ns; /* the original's critical path; 0: not asked for */
} TtSimulateAnswer;

/* How far off the prediction is; 0 where nothing is measured. */
double tt_simulate_error_percent (gint64 predicted_ns, gint64 measured_ns);
/* Runs the sweep, too, if asked for. */
gboolean tt_simulate_answer_show (const TtSimulateAnswer *answer, const TtSimulateOptions *options, GError **error);
