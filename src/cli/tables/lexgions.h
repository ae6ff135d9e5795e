/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of `stats --by lexgion`.
 */
#pragma once

#include "analyzers/statistics/lexgions.h"
#include "src/base/report/fields.h"

/* @rows: from tt_lexgions_new(). @exe: the program whose symbols name functions and lines; NULL: none. NULL with
 * @error: the symbols cannot be read. */
TtReport *
tt_lexgion_table (TtStore *store, const GArray *rows, const char *exe, const TtReportView *view, GError **error);
