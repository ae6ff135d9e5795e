/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `info --trust`: what became of the records of each source, rank and kind; and the line of it after an import.
 */
#pragma once

#include "src/base/report/fields.h"
#include "src/store/store.h"

/* What is not whole comes first. NULL with @error. */
TtReport *tt_info_trust (TtStore *store, const TtReportView *view, GError **error);
/* "12 of 570 spans and 3 records mended, bounded or inferred, ..."; NULL: all is whole, or @error is set. Free it. */
char *tt_info_trust_line (TtStore *store, GError **error);
/* Says which ranks' numbers rest on mended spans or damaged records; FALSE with @error. */
gboolean tt_info_trust_tell (TtStore *store, GError **error);
