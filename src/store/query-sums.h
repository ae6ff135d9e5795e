/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of query-split.h for sums of whole numbers. What SQLite would add with a loss, or not as whole numbers, ends the statement as an
 * error: one has to do it alone.
 */
#pragma once

#include "src/store/connection.h"

/* TT_PART_SUM. */
gboolean tt_query_sums_add_part (sqlite3 *db);
void tt_query_sums_remove_part (sqlite3 *db);
/* TT_JOIN_SUM, TT_JOIN_TOTAL, TT_JOIN_AVG. */
gboolean tt_query_sums_add_joins (sqlite3 *db);
