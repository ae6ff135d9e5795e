/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/insert.h"

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
  self->n_rows = self->batch == NULL ? 0 : self->columns->n_rows (self->batch);
  return SQLITE_OK;
}

static int
batch_next (sqlite3_vtab_cursor *cursor)
{
  ((Cursor *) cursor)->row++;
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
  const Cursor *self = (const Cursor *) cursor;

  self->columns->column (self->batch, self->row, column, context);
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

TtInsert *
tt_insert_new (TtConnection *connection, GError **error)
{
  g_autoptr (TtInsert) self = g_new0 (TtInsert, 1);

  self->connection = connection;
  for (int i = 0; i < TT_N_INSERTS; i++)
    {
      self->data[i] = (KindData){ self, &tt_batch_columns[i] };
      if (sqlite3_create_module (connection->db, tt_batch_columns[i].module, &batch_module, &self->data[i]) != SQLITE_OK)
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
  if (!tt_insert_resume (self, error))
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
    }
  g_free (self);
}

gboolean
tt_insert_rows (TtInsert *self, TtInsertKind kind, const TtBatch *batch, guint64 *first, guint64 *last, GError **error)
{
  guint n = tt_batch_columns[kind].n_rows (batch);
  sqlite3_stmt *statement = self->statements[kind];
  guint64 expected = self->last[kind] + 1, expected_last = self->last[kind] + n;

  *first = *last = 0;
  if (n == 0)
    return TRUE;
  if (tt_batch_columns[kind].id != NULL &&
      (tt_batch_columns[kind].id (batch, 0) != expected || tt_batch_columns[kind].id (batch, n - 1) != expected_last))
    {
      statement = self->with_id[kind];
      expected = tt_batch_columns[kind].id (batch, 0);
      expected_last = tt_batch_columns[kind].id (batch, n - 1);
    }

  GError *failure = NULL;
  self->batch = batch;
  tt_connection_step (self->connection, statement, &failure);
  sqlite3_reset (statement);
  self->batch = NULL;
  if (failure != NULL)
    return tt_store_finish (failure, error);

  self->last[kind] = (guint64) sqlite3_last_insert_rowid (self->connection->db);
  if (self->last[kind] != expected_last)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "cannot write '%s': internal error: rows of %s are lost; please report this", self->connection->path,
                   tt_batch_columns[kind].module);
      return FALSE;
    }
  *first = expected;
  *last = self->last[kind];
  return TRUE;
}
