/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of what made ranks wait, dearest first.
 */
#pragma once

#include "analyzers/waits/causes.h"
#include "src/base/report/fields.h"
#include "src/base/report/report.h"

/* NULL with @error. */
TtReport *tt_wait_causes_table (TtStore *store, const TtWaitCauses *causes, const TtReportView *view, GError **error);
/* Where @cause is, "main => solve". Free it. */
char *tt_wait_cause_text (TtStore *store, const TtWaitCauses *causes, const TtWaitCause *cause);
/* The last of it, "solve". Free it. */
char *tt_wait_cause_leaf (TtStore *store, const TtWaitCauses *causes, const TtWaitCause *cause);
