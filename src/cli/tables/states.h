/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `breakdown --show states`. For people, percent of the row's time.
 */
#pragma once

#include "analyzers/states/states.h"
#include "src/base/report/fields.h"
#include "src/cli/trust-marks.h"

TtReport *tt_states_table (TtStore *store,
                           const TtStates *states,
                           TtStatesRows rows,
                           TtTrustMarks *marks,
                           const TtReportView *view);
/* "4 threads, 12.3 ms: running 61.2 %, preempted ...", and what is not covered; NULL: there are no rows. Free it. */
char *tt_states_describe (TtStore *store, const TtStates *states, TtStatesRows rows);
