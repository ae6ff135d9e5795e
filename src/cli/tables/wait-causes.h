/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of what made ranks wait, dearest first.
 */
#pragma once

#include "analyzers/waits/causes.h"
#include "src/base/report/fields.h"
#include "src/base/report/report.h"

gboolean tt_print_wait_causes (TtStore *store, const TtWaitCauses *causes, const TtReportView *view, GError **error);
