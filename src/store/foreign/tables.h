/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTables: an SQLite database that another program wrote, read table by table.
 *
 * The file is opened read-only and immutable: no lock, no log and no journal is looked for, nothing is written beside
 * it. It is hostile. Nothing of its schema is run: views, triggers, virtual tables and computed columns count as not
 * there. Values keep the types that they have in the file; a caller asks for the one that it wants, and checks the
 * answer.
 *
 * Versions of a schema differ: a column that a table lacks reads as null, a table that is not there has no rows. Errors
 * name the file, and the table and row where there is one. TT_TABLES_MOST_BYTES is the longest value; a longer one is
 * an error. Format: https://www.sqlite.org/fileformat.html.
 */
#pragma once

#include <glib.h>

#define TT_TABLES_MOST_BYTES (64 << 20)

typedef struct _TtTables TtTables;
typedef struct _TtRows TtRows;
typedef struct _TtTexts TtTexts;

/* Whether these are the first bytes of a database (100 are enough to tell *application_id, 0: none). */
gboolean tt_tables_probe (const guint8 *head, gsize len, guint32 *application_id);

/* Refuses what is packed, is standard input, or has a log or journal beside it that belongs to it. */
TtTables *tt_tables_open (const char *path, GError **error);
/* Rows and texts first. */
void tt_tables_free (TtTables *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTables, tt_tables_free)

gboolean tt_tables_has (const TtTables *self, const char *table);
/* Names of the tables in the order of the schema; NULL-ended, borrowed. */
const char *const *tt_tables_names (const TtTables *self);
gboolean tt_tables_has_column (const TtTables *self, const char *table, const char *column);
/* FALSE also on failure. */
gboolean tt_tables_is_empty (TtTables *self, const char *table);
gboolean tt_tables_count (TtTables *self, const char *table, guint64 *n, GError **error);

/* @columns: NULL-ended names; they are the columns 0, 1 ... of the rows. @tail: NULL, or the rest of the statement
 * (WHERE, ORDER BY), of columns that the table has. NULL without @error: there is no such table. */
TtRows *
tt_tables_rows (TtTables *self, const char *table, const char *const *columns, const char *tail, GError **error);
void tt_rows_free (TtRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRows, tt_rows_free)

/* FALSE without @error: that was the last. */
gboolean tt_rows_next (TtRows *self, GError **error);
/* FALSE: it is no integer. */
gboolean tt_rows_int (TtRows *self, int column, gint64 *value);
gint64 tt_rows_int_or (TtRows *self, int column, gint64 otherwise);
/* A real or an integer. */
gboolean tt_rows_real (TtRows *self, int column, double *value);
gboolean tt_rows_is_null (TtRows *self, int column);
/* NULL: it is no text. Valid until the next row; ends with NUL, and may have others and bytes that are not UTF-8. */
const char *tt_rows_text (TtRows *self, int column, gsize *len);

/* Texts by number: @value of the row whose @id it is. Where @id is no primary key the table is copied to a temporary
 * file once. NULL without @error: there is no such table, or it lacks the columns. */
TtTexts *tt_tables_texts (TtTables *self, const char *table, const char *id, const char *value, GError **error);
void tt_texts_free (TtTexts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTexts, tt_texts_free)
/* Valid until the next call. NULL without @error: no row, or no text. */
const char *tt_texts_get (TtTexts *self, gint64 id, GError **error);
