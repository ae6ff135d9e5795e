/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTableWriter: rows of a table that is written as a whole at the end of an import: as pages where the database is new
 * (bulk-table.h), else by a statement. Ids continue those of the table.
 *
 * Between new and finish nobody else asks the database. Used by src/store/import only.
 */
#pragma once

#include "src/store/connection.h"
#include "src/store/import/row-value.h"

typedef struct _TtTableWriter TtTableWriter;

/* @columns: those of @table behind its id, all of them, in its order. NULL: an error. */
TtTableWriter *
tt_table_writer_new (TtConnection *connection, const char *table, const char *columns, guint n_columns, GError **error);
void tt_table_writer_free (TtTableWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTableWriter, tt_table_writer_free)

/* @values: numbers or NULL; the first, which stands for the id, is not looked at. */
gboolean tt_table_writer_add (TtTableWriter *self, const TtRowValue *values, GError **error);
/* From here on the table is SQLite's. *first, *last: ids of the rows; where there are none, the first is after the last. */
gboolean tt_table_writer_finish (TtTableWriter *self, guint64 *first, guint64 *last, GError **error);
