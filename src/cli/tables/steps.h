/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `steps`. For people, columns of kinds of operators that the run does not have are left out.
 */
#pragma once

#include "analyzers/steps/steps.h"
#include "src/base/report/fields.h"

/* One row a rank and step. */
TtReport *tt_step_table (TtStore *store, TtSteps *steps, const TtReportView *view);
/* One row a rank: means over its steps. */
TtReport *tt_step_rank_table (TtStore *store, TtSteps *steps, const TtReportView *view);
/* One row: the run's iteration; none where no rank has any. */
TtReport *tt_step_run_table (TtSteps *steps, const TtReportView *view);
/* "Iterations of steps 0 to 99: ..." with a column a step, at most @width of them; NULL: of less than three steps. Free it. */
char *tt_step_spark (TtSteps *steps, guint width);
/* "4 ranks, 3 steps: iteration 6.28 ms ..."; NULL: there are no iterations. Free it. */
char *tt_step_describe (TtStore *store, TtSteps *steps);
