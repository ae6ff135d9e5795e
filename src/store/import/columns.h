/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the rows of a batch are columns of tables: for each kind of rows its statements and its values. For insert.c.
 */
#pragma once

#include "src/store/import/insert.h"
#include "src/store/import/row-value.h"

typedef struct
{
  const char *table;
  guint n_columns;         /* id first */
  const char *module;      /* the virtual table */
  const char *declaration; /* its columns: those of the table */
  const char *max_id;
  const char *insert;         /* ids by themselves */
  const char *insert_with_id; /* NULL where ids mean nothing */
  guint (*n_rows) (const TtBatch *batch);
  guint64 (*id) (const TtBatch *batch, guint row); /* with insert_with_id; ascending */
  /* But for the id. */
  void (*row) (const TtBatch *batch, guint row, TtRowValue *values);
  /* The same in SQLite's form (bulk-row.h), quicker; returns its length. NULL: there is none. @bytes:
   * TT_BULK_ROW_SHORT_BYTES. */
  guint (*row_bytes) (const TtBatch *batch, guint row, guint8 *bytes);
} TtBatchColumns;

extern const TtBatchColumns tt_batch_columns[TT_N_INSERTS];
