/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of `critical-path --imbalance`.
 */
#pragma once

#include "analyzers/path/path-imbalance.h"
#include "src/base/report/fields.h"

/* Operations by what they take of the path beyond their mean; what the places do in its time above it. */
TtReport *tt_path_imbalance_table (const TtPathImbalance *imbalance, const TtReportView *view);
