/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/insert.h"

#include "src/store/import/bulk-row.h"
#include "src/store/import/bulk-table.h"
#include "src/store/import/columns.h"

typedef struct
{
  TtInsert *insert;
  const TtBatchColumns *columns;
} KindData;

struct _TtInsert
{
  TtConnection *connection;
  const TtBatch *batch;
  KindData data[TT_N_INSERTS];
  sqlite3_stmt *statements[TT_N_INSERTS], *with_id[TT_N_INSERTS];
  guint64 last[TT_N_INSERTS];
  TtBulkPages *pages;              /* NULL: of a database that was there */
  TtBulkTable *bulk[TT_N_INSERTS]; /* NULL: the table is SQLite's */
  TtBulkTable *names;              /* likewise */
};

typedef struct
{
  sqlite3_vtab base;
  const KindData *data;
} BatchTable;

typedef struct
{
  sqlite3_vtab_cursor base;
  const TtBatch *batch;
  const TtBatchColumns *columns;
  guint row, n_rows;
  gboolean is_filled; /* @values are those of @row */
  TtRowValue values[TT_ROW_MAX_COLUMNS];
} Cursor;

/* -- the virtual tables ------------------------------------------------------------------------------ */

static int
batch_connect (sqlite3 *db, void *data, int n, const char *const *words, sqlite3_vtab **table, char **message)
{
  const KindData *kind_data = data;
  int code = sqlite3_declare_vtab (db, kind_data->columns->declaration);

  if (code != SQLITE_OK)
    return code;
  BatchTable *self = g_new0 (BatchTable, 1);
  self->data = kind_data;
  *table = &self->base;
  return SQLITE_OK;
}

static int
batch_disconnect (sqlite3_vtab *table)
{
  g_free (table);
  return SQLITE_OK;
}

static int
batch_best_index (sqlite3_vtab *table, sqlite3_index_info *info)
{
  info->estimatedRows = TT_BATCH_ROWS;
  return SQLITE_OK;
}

static int
batch_open (sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  *cursor = &self->base;
  return SQLITE_OK;
}

static int
batch_close (sqlite3_vtab_cursor *cursor)
{
  g_free (cursor);
  return SQLITE_OK;
}

static int
batch_filter (sqlite3_vtab_cursor *cursor, int number, const char *text, int n, sqlite3_value **values)
{
  Cursor *self = (Cursor *) cursor;
  const KindData *data = ((BatchTable *) cursor->pVtab)->data;

  self->batch = data->insert->batch;
  self->columns = data->columns;
  self->row = 0;
  self->is_filled = FALSE;
  self->n_rows = self->batch == NULL ? 0 : self->columns->n_rows (self->batch);
  return SQLITE_OK;
}

static int
batch_next (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  self->row++;
  self->is_filled = FALSE;
  return SQLITE_OK;
}

static int
batch_eof (sqlite3_vtab_cursor *cursor)
{
  const Cursor *self = (const Cursor *) cursor;

  return self->row >= self->n_rows;
}

static int
batch_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  Cursor *self = (Cursor *) cursor;
  const TtRowValue *value = &self->values[column];

  if (column == 0)
    {
      sqlite3_result_int64 (context,
                            self->columns->id == NULL ? 0 : (gint64) self->columns->id (self->batch, self->row));
      return SQLITE_OK;
    }
  if (!self->is_filled)
    self->columns->row (self->batch, self->row, self->values);
  self->is_filled = TRUE;
  if (value->type == TT_ROW_INT)
    sqlite3_result_int64 (context, value->integer);
  else if (value->type == TT_ROW_REAL)
    sqlite3_result_double (context, value->real);
  else if (value->type == TT_ROW_TEXT)
    sqlite3_result_text64 (context, value->text, value->n_bytes, SQLITE_STATIC, SQLITE_UTF8);
  return SQLITE_OK;
}

static int
batch_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
  *rowid = ((Cursor *) cursor)->row;
  return SQLITE_OK;
}

static const sqlite3_module batch_module = {
  .xConnect = batch_connect,
  .xBestIndex = batch_best_index,
  .xDisconnect = batch_disconnect,
  .xOpen = batch_open,
  .xClose = batch_close,
  .xFilter = batch_filter,
  .xNext = batch_next,
  .xEof = batch_eof,
  .xColumn = batch_column,
  .xRowid = batch_rowid,
};

/* -- public --------------------------------------------------------------------------------------------- */

gboolean
tt_insert_resume_kind (TtInsert *self, TtInsertKind kind, GError **error)
{
  gint64 last;

  if (!tt_connection_get_int (self->connection, tt_batch_columns[kind].max_id, &last, error))
    return FALSE;
  self->last[kind] = (guint64) last;
  return TRUE;
}

gboolean
tt_insert_resume (TtInsert *self, GError **error)
{
  for (int i = 0; i < TT_N_INSERTS; i++)
    if (!tt_insert_resume_kind (self, (TtInsertKind) i, error))
      return FALSE;
  return TRUE;
}

static gboolean
begin_bulk (TtInsert *self, GError **error)
{
  self->pages = tt_bulk_pages_new (self->connection, error);
  for (int i = 0; i < TT_N_INSERTS && self->pages != NULL; i++)
    {
      self->bulk[i] = tt_bulk_table_new (self->pages, tt_batch_columns[i].table, tt_batch_columns[i].n_columns, error);
      if (self->bulk[i] == NULL)
        return FALSE;
    }
  if (self->pages == NULL)
    return FALSE;
  self->names = tt_bulk_table_new (self->pages, "name_row", TT_NAME_COLUMNS, error);
  return self->names != NULL;
}

TtInsert *
tt_insert_new (TtConnection *connection, gboolean is_new, GError **error)
{
  g_autoptr (TtInsert) self = g_new0 (TtInsert, 1);

  self->connection = connection;
  for (int i = 0; i < TT_N_INSERTS; i++)
    {
      self->data[i] = (KindData){ self, &tt_batch_columns[i] };
      if (sqlite3_create_module (connection->db, tt_batch_columns[i].module, &batch_module, &self->data[i]) !=
          SQLITE_OK)
        {
          tt_connection_fail (connection, "write", error);
          return NULL;
        }
      self->statements[i] = tt_connection_prepare (connection, tt_batch_columns[i].insert, error);
      if (self->statements[i] == NULL)
        return NULL;
      if (tt_batch_columns[i].insert_with_id != NULL)
        self->with_id[i] = tt_connection_prepare (connection, tt_batch_columns[i].insert_with_id, error);
      if (tt_batch_columns[i].insert_with_id != NULL && self->with_id[i] == NULL)
        return NULL;
    }
  if (!tt_insert_resume (self, error) || (is_new && !begin_bulk (self, error)))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_insert_free (TtInsert *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < TT_N_INSERTS; i++)
    {
      sqlite3_finalize (self->statements[i]);
      sqlite3_finalize (self->with_id[i]);
      sqlite3_create_module (self->connection->db, tt_batch_columns[i].module, NULL, NULL);
      tt_bulk_table_free (self->bulk[i]);
    }
  tt_bulk_table_free (self->names);
  tt_bulk_pages_free (self->pages);
  g_free (self);
}

gboolean
tt_insert_settle_kind (TtInsert *self, TtInsertKind kind, GError **error)
{
  g_autoptr (TtBulkTable) bulk = g_steal_pointer (&self->bulk[kind]);

  return bulk == NULL || tt_bulk_table_finish (bulk, error);
}

static gboolean
settle_names (TtInsert *self, GError **error)
{
  g_autoptr (TtBulkTable) names = g_steal_pointer (&self->names);

  return names == NULL || tt_bulk_table_finish (names, error);
}

gboolean
tt_insert_settle (TtInsert *self, GError **error)
{
  for (int i = 0; i < TT_N_INSERTS; i++)
    if (!tt_insert_settle_kind (self, (TtInsertKind) i, error))
      return FALSE;
  return settle_names (self, error);
}

gboolean
tt_insert_name (TtInsert *self, guint32 id, const TtRowValue *values, gboolean *is_taken, GError **error)
{
  if (self->names != NULL && id <= tt_bulk_table_last (self->names) && !settle_names (self, error))
    return FALSE;
  *is_taken = self->names != NULL;
  return !*is_taken || tt_bulk_table_add (self->names, id, values, error);
}

/* The ids of a batch: where the kind has none of its own, they continue. */
static guint64
id_of (const TtInsert *self, TtInsertKind kind, const TtBatch *batch, guint row)
{
  return tt_batch_columns[kind].id != NULL ? tt_batch_columns[kind].id (batch, row) : self->last[kind] + 1 + row;
}

static gboolean
add_bulk (TtInsert *self, TtInsertKind kind, const TtBatch *batch, guint n, GError **error)
{
  const TtBatchColumns *columns = &tt_batch_columns[kind];
  TtRowValue values[TT_ROW_MAX_COLUMNS];
  guint8 bytes[TT_BULK_ROW_SHORT_BYTES];

  for (guint row = 0; row < n; row++)
    {
      if (columns->row_bytes != NULL)
        {
          const guint n_bytes = columns->row_bytes (batch, row, bytes);
          if (!tt_bulk_table_add_row (self->bulk[kind], id_of (self, kind, batch, row), bytes, n_bytes, error))
            return FALSE;
          continue;
        }
      columns->row (batch, row, values);
      if (!tt_bulk_table_add (self->bulk[kind], id_of (self, kind, batch, row), values, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_by_statement (TtInsert *self, TtInsertKind kind, const TtBatch *batch, guint64 expected_last, GError **error)
{
  const gboolean is_next = id_of (self, kind, batch, 0) == self->last[kind] + 1 &&
                           expected_last == self->last[kind] + tt_batch_columns[kind].n_rows (batch);
  sqlite3_stmt *statement = is_next ? self->statements[kind] : self->with_id[kind];
  GError *failure = NULL;

  self->batch = batch;
  tt_connection_step (self->connection, statement, &failure);
  sqlite3_reset (statement);
  self->batch = NULL;
  if (failure != NULL)
    return tt_store_finish (failure, error);
  if ((guint64) sqlite3_last_insert_rowid (self->connection->db) == expected_last)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE,
               "cannot write '%s': internal error: rows of %s are lost; please report this", self->connection->path,
               tt_batch_columns[kind].table);
  return FALSE;
}

gboolean
tt_insert_rows (TtInsert *self, TtInsertKind kind, const TtBatch *batch, guint64 *first, guint64 *last, GError **error)
{
  guint n = tt_batch_columns[kind].n_rows (batch);

  *first = *last = 0;
  if (n == 0)
    return TRUE;
  const guint64 first_id = id_of (self, kind, batch, 0), last_id = id_of (self, kind, batch, n - 1);
  if (self->bulk[kind] != NULL && first_id <= self->last[kind] && !tt_insert_settle_kind (self, kind, error))
    return FALSE;
  if (!(self->bulk[kind] != NULL ? add_bulk (self, kind, batch, n, error)
                                 : add_by_statement (self, kind, batch, last_id, error)))
    return FALSE;
  self->last[kind] = last_id;
  *first = first_id;
  *last = last_id;
  return TRUE;
}
