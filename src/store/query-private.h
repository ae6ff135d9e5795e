/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a query by one and a query by several have in common. Used by src/store only.
 */
#pragma once

#include "src/store/private.h"
#include "src/store/query.h"
#include "src/store/virtual-events.h"

/* Whether it can be about events. What asks for the schema is to see the one in the file. */
gboolean tt_query_names_events (const char *sql);
/* One statement that reads. NULL: @error. */
sqlite3_stmt *tt_query_prepare (TtStore *self, const char *sql, GError **error);
/* What names the schema of the view, or asks how it is read, is about the one in the file. @statement: prepared with @events, or NULL. */
gboolean tt_query_is_for_view (sqlite3_stmt *statement, const TtVirtualEvents *events);
/* @hex: holds the hexadecimal text of a blob until the next row. */
void tt_query_fill_cell (TtCell *cell, sqlite3_stmt *row, int column, GString *hex);
/* Whether the last failure is the statement's, not that of the file or of who has stopped it. */
gboolean tt_query_is_wrong (const TtConnection *connection);
/* Sets @error from it. FALSE. */
gboolean tt_query_fail (TtConnection *connection, const char *sql, GError **error);
