/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtInsert: rows of a batch into their tables, a batch at a time.
 *
 * In a new database they are written as pages (bulk-table.h), until something must read or change a table: from then
 * on, and in a database that was there, a batch is shown to SQLite as virtual tables, and INSERT ... SELECT copies it:
 * one statement a batch instead of one a row. The tables' ids continue by themselves, which is half as fast again as
 * giving them; only where the numbers jump are they given. Used by src/store only.
 */
#pragma once

#include "src/store/import/row-value.h"
#include "src/store/private.h"
#include "src/trace/batch.h"

typedef enum
{
  TT_INSERT_EVENTS,
  TT_INSERT_COUNTERS,
  TT_INSERT_METRICS,
  TT_INSERT_FLOWS,
  TT_INSERT_ARGS,
  TT_INSERT_ACTIVITIES,  /* only what the store itself has joined */
  TT_INSERT_FILLED_ARGS, /* within the ids of TT_INSERT_ARGS */
  TT_N_INSERTS,
} TtInsertKind;

typedef struct _TtInsert TtInsert;

/* Of name_row, with its id. */
#define TT_NAME_COLUMNS 12u

/* @is_new: in a file that nobody else has open, and whose tables are empty. */
TtInsert *tt_insert_new (TtConnection *connection, gboolean is_new, GError **error);
void tt_insert_free (TtInsert *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtInsert, tt_insert_free)

/* Ids of the rows written: [*first, *last], 0, 0 if the batch has none of @kind. */
gboolean
tt_insert_rows (TtInsert *self, TtInsertKind kind, const TtBatch *batch, guint64 *first, guint64 *last, GError **error);
/* A row of name_row, likewise; @id is greater than those before. *is_taken FALSE: the table is SQLite's, the caller's statement writes the
 * row. */
gboolean tt_insert_name (TtInsert *self, guint32 id, const TtRowValue *values, gboolean *is_taken, GError **error);
/* Before a statement of somebody else reads or changes the tables of rows, or that of @kind. No statement may be under
 * way. */
gboolean tt_insert_settle (TtInsert *self, GError **error);
gboolean tt_insert_settle_kind (TtInsert *self, TtInsertKind kind, GError **error);
/* After rows were deleted or written in another way: finds again which ids come next. */
gboolean tt_insert_resume (TtInsert *self, GError **error);
gboolean tt_insert_resume_kind (TtInsert *self, TtInsertKind kind, GError **error);
