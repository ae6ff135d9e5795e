/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of `info --names`.
 */
#pragma once

#include "src/base/report/fields.h"
#include "src/store/store.h"

/* @rules_path: the extra rules of the import, or NULL. */
TtReport *tt_info_names (TtStore *store, const char *rules_path, const TtReportView *view, GError **error);
