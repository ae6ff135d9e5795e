/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBulkTable: rows of a table that is empty yet, in the order of their ids, written as its pages: a fifth of the time
 * of INSERT. The content is what INSERT would have made; the table has no index and no trigger.
 *
 * The table stays empty for SQLite until tt_bulk_table_finish(). Memory: a page, the longest row, and 16 bytes for
 * each page that was written.
 *
 * Source of the layout: https://www.sqlite.org/fileformat2.html, 1.6 (trees) and 2.1 (rows). Used by
 * src/store/import only.
 */
#pragma once

#include "src/store/import/bulk-pages.h"
#include "src/store/import/row-value.h"

typedef struct _TtBulkTable TtBulkTable;

/* @n_columns with the first, which is its id. @pages outlive it. NULL: an error. */
TtBulkTable *tt_bulk_table_new (TtBulkPages *pages, const char *table, guint n_columns, GError **error);
void tt_bulk_table_free (TtBulkTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtBulkTable, tt_bulk_table_free)

/* @values[0] stands for the id and is not looked at. @id is greater than that of the row before, and than 0. */
gboolean tt_bulk_table_add (TtBulkTable *self, guint64 id, const TtRowValue *values, GError **error);
/* The same of a row in SQLite's form (bulk-row.h), which fits into a page. */
gboolean tt_bulk_table_add_row (TtBulkTable *self, guint64 id, const guint8 *row, guint n_bytes, GError **error);
/* Id of the last row; 0: none yet. */
guint64 tt_bulk_table_last (const TtBulkTable *self);
/* From here on the table is SQLite's. */
gboolean tt_bulk_table_finish (TtBulkTable *self, GError **error);
