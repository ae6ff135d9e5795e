/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of runs that `info` begins with.
 */
#pragma once

#include "src/base/report/fields.h"
#include "src/store/runs.h"

/* All runs of the database. NULL with @error. */
TtReport *tt_info_runs (TtStore *store, const TtReportView *view, GError **error);
