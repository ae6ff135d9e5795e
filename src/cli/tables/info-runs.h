/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of runs that `info` begins with.
 */
#pragma once

#include "src/base/report/fields.h"
#include "src/store/runs.h"

/* The runs of the database, of which there are @n; of more than fit the latest. NULL with @error. */
TtReport *tt_info_runs (TtStore *store, guint n, const TtReportView *view, GError **error);
