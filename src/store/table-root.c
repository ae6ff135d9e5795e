/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/table-root.h"

#include "src/store/page-checksum.h"

/* Word by word: columns in another order would be taken for each other. */
static gboolean
is_of_today (const char *sql)
{
  for (const char *const *statement = tt_schema_sql; *statement != NULL; statement++)
    if (g_strcmp0 (sql, *statement) == 0)
      return TRUE;
  return FALSE;
}

/* 0: not found, or not as it is made today. */
static gint64
find_root (TtConnection *connection, const char *table)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      connection, "SELECT rootpage, sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?1", NULL);

  if (row == NULL)
    return 0;
  tt_store_bind_text (row, 1, table);
  if (!tt_connection_step (connection, row, NULL) || !is_of_today ((const char *) sqlite3_column_text (row, 1)))
    return 0;
  return sqlite3_column_int64 (row, 0);
}

/* A foreign database may have other texts. */
static gboolean
is_utf8 (TtConnection *connection)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (connection, "PRAGMA main.encoding", NULL);

  return row != NULL && tt_connection_step (connection, row, NULL) &&
         g_strcmp0 ((const char *) sqlite3_column_text (row, 0), "UTF-8") == 0;
}

/* Whether the file has all that SQLite knows, and nobody changes it. */
static gboolean
is_at_rest (const TtStore *store)
{
  sqlite3 *db = store->connection->db;

  return sqlite3_db_readonly (db, "main") == 1 || (store->is_settled && sqlite3_total_changes (db) == store->n_changes);
}

gboolean
tt_table_root_find (TtStore *store, const char *table, TtTableRoot *root)
{
  sqlite3 *db = store->connection->db;
  gint64 number, page_bytes = 0;

  *root = (TtTableRoot){ .file = NULL };
  if (!is_at_rest (store))
    return FALSE;
  /* The first statement takes the lock of the snapshot, and finds out whether there is a log. */
  number = find_root (store->connection, table);
  if (number < 2 || number > G_MAXUINT32 || !is_utf8 (store->connection) ||
      !tt_connection_get_int (store->connection, "PRAGMA main.page_size", &page_bytes, NULL) || page_bytes < 512 ||
      page_bytes > 65536 || !tt_page_checksum_is_verified (db) ||
      sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &root->file) != SQLITE_OK || root->file == NULL ||
      root->file->pMethods == NULL)
    return FALSE;
  root->page_bytes = (guint32) page_bytes;
  root->number = (guint32) number;
  return TRUE;
}
