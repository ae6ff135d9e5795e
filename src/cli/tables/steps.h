/*
 * Tables of `steps`.
 */
#pragma once

#include "analyzers/steps/steps.h"
#include "src/base/report/report.h"

typedef struct
{
  TtUnit unit;
  TtReportFormat format; /* table and markdown have no columns of nothing but zeros */
  guint64 top;           /* 0: all */
  guint width;           /* of the terminal; 0: no limit */
} TtStepTableOptions;

/* One row a process and step. */
TtReport *tt_step_table (TtStore *store, TtSteps *steps, const TtStepTableOptions *options);
/* One row a process: means over its steps. */
TtReport *tt_step_process_table (TtStore *store, TtSteps *steps, const TtStepTableOptions *options);
/* One row: the run's iteration; none where no process has any. */
TtReport *tt_step_run_table (TtSteps *steps, const TtStepTableOptions *options);
/* "4 processes, 3 steps: iteration 6.28 ms ..."; NULL: there are no iterations. Free it. */
char *tt_step_describe (TtStore *store, TtSteps *steps);
