/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `breakdown`. For people, percent of the row's time, without columns that are 0 everywhere.
 */
#pragma once

#include "analyzers/breakdown/breakdown.h"
#include "src/base/report/fields.h"
#include "src/cli/trust-marks.h"

TtReport *tt_breakdown_table (TtStore *store,
                              const TtBreakdown *breakdown,
                              TtBreakdownRows rows,
                              TtTrustMarks *marks,
                              const TtReportView *view);
/* "4 ranks: 61.2 % compute, 20.1 % idle ..."; NULL: there are no rows. Free it. */
char *tt_breakdown_describe (TtStore *store, const TtBreakdown *breakdown, TtBreakdownRows rows);
/* A line an efficiency. @efficiency: NULL has none. */
TtReport *tt_efficiency_table (const TtEfficiency *efficiency, TtTrustMarks *marks, const TtReportView *view);
