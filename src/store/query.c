/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/query.h"

#include <string.h>

#include "src/base/progress.h"
#include "src/store/query-private.h"

typedef struct
{
  TtQueryColumnsFunc columns;
  TtQueryRowFunc row;
  gpointer data;
} Callbacks;

/* -- a statement ---------------------------------------------------------------------------------------- */

/* The line of @sql that contains @offset, with a caret below. */
static void
add_caret (GString *message, const char *sql, int offset)
{
  if (offset < 0 || offset > (int) strlen (sql))
    return;
  const char *at = sql + offset, *start = at, *end = at;

  while (start > sql && start[-1] != '\n' && at - start < 60)
    start--;
  while (start < at && (*start & 0xc0) == 0x80)
    start++;
  while (*end != '\0' && *end != '\n' && end - at < 40)
    end++;
  while (end > at && (*end & 0xc0) == 0x80)
    end--;
  g_string_append_printf (message, "\n  %.*s\n  ", (int) (end - start), start);
  for (const char *p = start; p < at; p++)
    if (*p == '\t')
      g_string_append_c (message, '\t');
    else if ((*p & 0xc0) != 0x80)
      g_string_append_c (message, ' ');
  g_string_append_c (message, '^');
}

gboolean
tt_query_is_wrong (const TtConnection *connection)
{
  const int code = sqlite3_errcode (connection->db);

  return code != SQLITE_IOERR && code != SQLITE_CORRUPT && code != SQLITE_NOTADB && code != SQLITE_BUSY &&
         code != SQLITE_NOMEM && code != SQLITE_FULL && code != SQLITE_INTERRUPT;
}

gboolean
tt_query_fail (TtConnection *connection, const char *sql, GError **error)
{
  sqlite3 *db = connection->db;

  if (sqlite3_errcode (db) == SQLITE_INTERRUPT && tt_cancelled (error))
    return FALSE;
  if (sqlite3_errcode (db) != SQLITE_INTERRUPT && !tt_query_is_wrong (connection))
    return tt_connection_fail (connection, "read", error);

  g_autoptr (GString) message = g_string_new ("query: ");
  g_string_append (message, sqlite3_errmsg (db));
  add_caret (message, sql, sqlite3_error_offset (db));
  g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, message->str);
  return FALSE;
}

static gboolean
is_blank (const char *tail)
{
  while (*tail != '\0')
    {
      if (g_ascii_isspace (*tail) || *tail == ';')
        tail++;
      else if (g_str_has_prefix (tail, "--"))
        tail += strcspn (tail, "\n");
      else
        return FALSE;
    }
  return TRUE;
}

sqlite3_stmt *
tt_query_prepare (TtStore *self, const char *sql, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  const char *tail = sql, *refusal = NULL;

  if (sqlite3_prepare_v2 (self->connection->db, sql, -1, &statement, &tail) != SQLITE_OK)
    {
      tt_query_fail (self->connection, sql, error);
      return NULL;
    }
  if (statement == NULL)
    refusal = "query: there is no statement in it";
  else if (!sqlite3_stmt_readonly (statement) || sqlite3_column_count (statement) == 0)
    refusal = "query: only statements that read are allowed; the database is not changed";
  else if (!is_blank (tail))
    refusal = "query: more than one statement; give one at a time";
  if (refusal == NULL)
    return g_steal_pointer (&statement);
  g_set_error_literal (error, TT_ERROR, TT_ERROR_USAGE, refusal);
  return NULL;
}

void
tt_query_fill_cell (TtCell *cell, sqlite3_stmt *row, int column, GString *hex)
{
  *cell = (TtCell){ TT_CELL_NULL };
  switch (sqlite3_column_type (row, column))
    {
    case SQLITE_INTEGER:
      cell->kind = TT_CELL_INT;
      cell->integer = sqlite3_column_int64 (row, column);
      break;
    case SQLITE_FLOAT:
      cell->kind = TT_CELL_REAL;
      cell->real = sqlite3_column_double (row, column);
      break;
    case SQLITE_TEXT:
      cell->kind = TT_CELL_TEXT;
      cell->text = (const char *) sqlite3_column_text (row, column);
      break;
    case SQLITE_BLOB:
      {
        const guint8 *bytes = sqlite3_column_blob (row, column);

        g_string_truncate (hex, 0);
        for (int i = 0; i < sqlite3_column_bytes (row, column); i++)
          g_string_append_printf (hex, "%02x", bytes[i]);
        cell->kind = TT_CELL_TEXT;
        cell->text = hex->str;
        break;
      }
    default:
      break;
    }
}

static gboolean
run_query (TtStore *self, sqlite3_stmt *statement, const char *sql, const Callbacks *callbacks, GError **error)
{
  guint n = (guint) sqlite3_column_count (statement);
  g_autofree TtCell *cells = g_new0 (TtCell, n);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autoptr (GPtrArray) blobs = g_ptr_array_new ();
  gboolean go_on;
  int code = SQLITE_DONE;

  for (guint i = 0; i < n; i++)
    {
      names[i] = sqlite3_column_name (statement, (int) i);
      g_ptr_array_add (blobs, g_string_new (NULL));
    }
  go_on = callbacks->columns == NULL || callbacks->columns (names, n, callbacks->data);
  while (go_on && (code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      for (guint i = 0; i < n; i++)
        tt_query_fill_cell (&cells[i], statement, (int) i, g_ptr_array_index (blobs, i));
      go_on = callbacks->row (cells, n, callbacks->data);
    }
  for (guint i = 0; i < n; i++)
    g_string_free (g_ptr_array_index (blobs, i), TRUE);
  return code == SQLITE_DONE || code == SQLITE_ROW || tt_query_fail (self->connection, sql, error);
}

gboolean
tt_query_names_events (const char *sql)
{
  g_autofree char *lower = g_ascii_strdown (sql, -1);

  return strstr (lower, "event") != NULL && strstr (lower, "sqlite_") == NULL && strstr (lower, "pragma") == NULL;
}

gboolean
tt_query_is_for_view (sqlite3_stmt *statement, const TtVirtualEvents *events)
{
  return statement == NULL || sqlite3_stmt_isexplain (statement) != 0 || tt_virtual_events_is_declined (events);
}

static gboolean
prepare_and_run (TtStore *self, const char *sql, const Callbacks *callbacks, GError **error)
{
  g_autoptr (TtVirtualEvents) events =
      tt_query_names_events (sql) && !self->has_virtual_events ? tt_virtual_events_new (self) : NULL;
  g_autoptr (sqlite3_stmt) statement = tt_query_prepare (self, sql, events != NULL ? NULL : error);

  if (events != NULL && tt_query_is_for_view (statement, events))
    {
      g_clear_pointer (&statement, sqlite3_finalize);
      g_clear_pointer (&events, tt_virtual_events_free);
      statement = tt_query_prepare (self, sql, error);
    }
  if (statement == NULL)
    return FALSE;

  self->has_virtual_events |= events != NULL;
  tt_connection_watch_cancel (self->connection, TRUE);
  gboolean done = run_query (self, statement, sql, callbacks, error);
  tt_connection_watch_cancel (self->connection, FALSE);
  if (events != NULL)
    self->has_virtual_events = FALSE;
  return done;
}

gboolean
tt_store_query (TtStore *self,
                const char *sql,
                TtQueryColumnsFunc columns,
                TtQueryRowFunc row,
                gpointer data,
                GError **error)
{
  const Callbacks callbacks = { columns, row, data };

  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  gboolean done = prepare_and_run (self, sql, &callbacks, error);
  tt_connection_leave (self->connection);
  return done;
}
