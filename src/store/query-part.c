/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/query-part.h"

#include "src/base/packed.h"
#include "src/base/progress.h"
#include "src/store/query-sums.h"

#include <string.h>

/* -- rows as bytes ---------------------------------------------------------------------------------------------------- */

/* A type as SQLite's, then the value; texts and blobs end with a NUL that is not counted. */
static void
pack_value (GByteArray *rows, sqlite3_stmt *row, int column)
{
  const int type = sqlite3_column_type (row, column);
  double real;
  guint64 bits;

  tt_pack_number (rows, (guint64) type);
  if (type == SQLITE_INTEGER)
    tt_pack_signed (rows, sqlite3_column_int64 (row, column));
  else if (type == SQLITE_FLOAT)
    {
      real = sqlite3_column_double (row, column);
      memcpy (&bits, &real, sizeof bits);
      tt_pack_number (rows, bits);
    }
  else if (type != SQLITE_NULL)
    {
      const gconstpointer bytes =
          type == SQLITE_TEXT ? (gconstpointer) sqlite3_column_text (row, column) : sqlite3_column_blob (row, column);
      const guint len = (guint) sqlite3_column_bytes (row, column);
      tt_pack_number (rows, len);
      if (len > 0)
        g_byte_array_append (rows, bytes, len);
      g_byte_array_append (rows, (const guint8 *) "", 1);
    }
}

typedef struct
{
  int type;
  gint64 integer;
  double real;
  const guint8 *bytes;
  guint len;
} Value;

static void
unpack_value (TtUnpack *from, Value *value)
{
  guint64 bits;

  *value = (Value){ .type = (int) tt_unpack_below (from, SQLITE_NULL) };
  if (value->type == SQLITE_INTEGER)
    value->integer = tt_unpack_signed (from);
  else if (value->type == SQLITE_FLOAT)
    {
      bits = tt_unpack_number (from);
      memcpy (&value->real, &bits, sizeof bits);
    }
  else if (value->type == SQLITE_TEXT || value->type == SQLITE_BLOB)
    {
      value->len = (guint) tt_unpack_below (from, G_MAXINT32);
      value->bytes = tt_unpack_bytes (from, (gsize) value->len + 1);
      from->is_bad |= value->bytes == NULL || value->bytes[value->len] != '\0';
    }
  else
    from->is_bad |= value->type != SQLITE_NULL;
}

static void
set_cell (TtCell *cell, const Value *value, GString *hex)
{
  *cell = (TtCell){ TT_CELL_NULL };
  if (value->type == SQLITE_INTEGER)
    *cell = (TtCell){ .kind = TT_CELL_INT, .integer = value->integer };
  else if (value->type == SQLITE_FLOAT)
    *cell = (TtCell){ .kind = TT_CELL_REAL, .real = value->real };
  else if (value->type == SQLITE_TEXT)
    *cell = (TtCell){ .kind = TT_CELL_TEXT, .text = (const char *) value->bytes };
  else if (value->type == SQLITE_BLOB)
    {
      g_string_truncate (hex, 0);
      for (guint i = 0; i < value->len; i++)
        g_string_append_printf (hex, "%02x", value->bytes[i]);
      *cell = (TtCell){ .kind = TT_CELL_TEXT, .text = hex->str };
    }
}

static void
free_text (gpointer text)
{
  g_string_free (text, TRUE);
}

/* Of GString, a buffer for each column. */
static GPtrArray *
make_buffers (guint n)
{
  GPtrArray *buffers = g_ptr_array_new_with_free_func (free_text);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (buffers, g_string_new (NULL));
  return buffers;
}

gboolean
tt_part_rows_each (const GByteArray *rows, guint n_columns, TtQueryRowFunc row, gpointer data, gboolean *go_on)
{
  g_autofree TtCell *cells = g_new0 (TtCell, n_columns);
  g_autoptr (GPtrArray) buffers = make_buffers (n_columns);
  TtUnpack from = tt_unpack_all (rows);

  *go_on = TRUE;
  while (*go_on && from.at < from.end)
    {
      for (guint i = 0; i < n_columns && !from.is_bad; i++)
        {
          Value value;
          unpack_value (&from, &value);
          if (!from.is_bad)
            set_cell (&cells[i], &value, g_ptr_array_index (buffers, i));
        }
      if (from.is_bad)
        return FALSE;
      *go_on = row (cells, n_columns, data);
    }
  return TRUE;
}

/* -- a part ----------------------------------------------------------------------------------------------------------- */

static int
take_rows (const TtQuerySplit *split, sqlite3_stmt *statement, TtPartRowsFunc take, gpointer data, gboolean *is_odd)
{
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  const int n_columns = sqlite3_column_count (statement);
  int code;

  while ((code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      for (int i = 0; i < n_columns; i++)
        pack_value (rows, statement, i);
      if (rows->len < TT_PART_BYTES)
        continue;
      *is_odd = split->whole != NULL;
      if (*is_odd || !take (rows, data))
        return SQLITE_DONE;
    }
  if (code == SQLITE_DONE)
    take (rows, data);
  return code;
}

/* With events that are limited to the part. */
static gboolean
run_part (TtStore *store,
          TtVirtualEvents *events,
          const TtQuerySplit *split,
          TtPartRowsFunc take,
          gpointer data,
          gboolean *is_odd,
          GError **error)
{
  TtConnection *connection = store->connection;
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (sqlite3_prepare_v2 (connection->db, split->part, -1, &statement, NULL) != SQLITE_OK ||
      tt_query_is_for_view (statement, events) ||
      (split->whole != NULL && strlen (split->types) != (gsize) sqlite3_column_count (statement)))
    {
      *is_odd = TRUE;
      return TRUE;
    }
  tt_connection_watch_cancel (connection, TRUE);
  const int code = take_rows (split, statement, take, data, is_odd);
  tt_connection_watch_cancel (connection, FALSE);
  if (code == SQLITE_DONE)
    return TRUE;
  *is_odd = tt_query_is_wrong (connection);
  return *is_odd || tt_query_fail (connection, split->part, error);
}

gboolean
tt_query_part_run (TtStore *store,
                   const TtQuerySplit *split,
                   gint64 first,
                   gint64 last,
                   TtPartRowsFunc take,
                   gpointer data,
                   gboolean *is_odd,
                   GError **error)
{
  g_autoptr (TtVirtualEvents) events = store->has_virtual_events ? NULL : tt_virtual_events_new (store);

  *is_odd = events == NULL || !tt_query_sums_add_part (store->connection->db);
  if (*is_odd)
    return TRUE;
  tt_virtual_events_limit (events, first, last);
  store->has_virtual_events = TRUE;
  const gboolean done = run_part (store, events, split, take, data, is_odd, error);
  store->has_virtual_events = FALSE;
  tt_query_sums_remove_part (store->connection->db);
  return done;
}

/* -- all of them ------------------------------------------------------------------------------------------------------ */

struct _TtPartJoin
{
  const TtQuerySplit *split;
  TtConnection *connection;
  sqlite3_stmt *insert;
  gboolean is_odd;
};

TtPartJoin *
tt_part_join_new (const TtQuerySplit *split, GError **error)
{
  g_autoptr (TtPartJoin) self = g_new0 (TtPartJoin, 1);
  g_autoptr (GString) sql = g_string_new ("INSERT INTO part VALUES (");
  const gsize n = strlen (split->types);

  self->split = split;
  self->connection = tt_connection_open_memory (error);
  if (self->connection == NULL || !tt_connection_exec (self->connection, split->table, error))
    return NULL;
  for (gsize i = 0; i < n; i++)
    g_string_append (sql, i > 0 ? ", ?" : "?");
  g_string_append_c (sql, ')');
  self->insert = tt_connection_prepare (self->connection, sql->str, error);
  if (self->insert == NULL || !tt_connection_exec (self->connection, "BEGIN", error))
    return NULL;
  self->is_odd = !tt_query_sums_add_joins (self->connection->db);
  return g_steal_pointer (&self);
}

void
tt_part_join_free (TtPartJoin *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->insert);
  g_clear_pointer (&self->connection, tt_connection_close);
  g_free (self);
}

/* A column with a type would change what is of another. */
static gboolean
is_kept (char type, const Value *value)
{
  if (value->type != SQLITE_INTEGER && value->type != SQLITE_FLOAT && value->type != SQLITE_TEXT)
    return TRUE;
  return type == '-' || value->type == (type == 't' ? SQLITE_TEXT : SQLITE_INTEGER);
}

static void
bind_value (sqlite3_stmt *statement, int i, const Value *value)
{
  switch (value->type)
    {
    case SQLITE_INTEGER:
      sqlite3_bind_int64 (statement, i, value->integer);
      break;
    case SQLITE_FLOAT:
      sqlite3_bind_double (statement, i, value->real);
      break;
    case SQLITE_TEXT:
      sqlite3_bind_text (statement, i, (const char *) value->bytes, (int) value->len, SQLITE_STATIC);
      break;
    case SQLITE_BLOB:
      sqlite3_bind_blob (statement, i, value->bytes, (int) value->len, SQLITE_STATIC);
      break;
    default:
      sqlite3_bind_null (statement, i);
      break;
    }
}

gboolean
tt_part_join_add (TtPartJoin *self, const GByteArray *rows)
{
  TtUnpack from = tt_unpack_all (rows);
  const gsize n = strlen (self->split->types);

  while (from.at < from.end && !self->is_odd)
    {
      for (gsize i = 0; i < n; i++)
        {
          Value value;
          unpack_value (&from, &value);
          if (from.is_bad)
            return FALSE;
          self->is_odd |= !is_kept (self->split->types[i], &value);
          bind_value (self->insert, (int) i + 1, &value);
        }
      self->is_odd |= sqlite3_step (self->insert) != SQLITE_DONE;
      sqlite3_reset (self->insert);
    }
  return TRUE;
}

gboolean
tt_part_join_is_odd (const TtPartJoin *self)
{
  return self->is_odd;
}

gboolean
tt_part_join_run (TtPartJoin *self, TtQueryRowFunc row, gpointer data, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  sqlite3 *db = self->connection->db;
  gboolean go_on = TRUE;
  int code;

  if (self->is_odd)
    return TRUE;
  if (sqlite3_prepare_v2 (db, self->split->whole, -1, &statement, NULL) != SQLITE_OK)
    {
      self->is_odd = TRUE;
      return TRUE;
    }
  const guint n = (guint) sqlite3_column_count (statement);
  g_autofree TtCell *cells = g_new0 (TtCell, n);
  g_autoptr (GPtrArray) buffers = make_buffers (n);
  tt_connection_watch_cancel (self->connection, TRUE);
  while (go_on && (code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      for (guint i = 0; i < n; i++)
        tt_query_fill_cell (&cells[i], statement, (int) i, g_ptr_array_index (buffers, i));
      go_on = row (cells, n, data);
    }
  tt_connection_watch_cancel (self->connection, FALSE);
  if (!go_on || code == SQLITE_DONE)
    return TRUE;
  if (code == SQLITE_INTERRUPT && tt_cancelled (error))
    return FALSE;
  self->is_odd = TRUE;
  return TRUE;
}
