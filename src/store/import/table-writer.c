/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/table-writer.h"

#include "src/store/import/bulk-table.h"

struct _TtTableWriter
{
  TtConnection *connection;
  guint n_columns; /* with the id */
  guint64 n_old, n;
  TtBulkPages *pages; /* NULL: by @insert */
  TtBulkTable *bulk;
  sqlite3_stmt *insert;
};

static gboolean
begin_pages (TtTableWriter *self, const char *table, GError **error)
{
  self->pages = tt_bulk_pages_new (self->connection, error);
  if (self->pages != NULL)
    self->bulk = tt_bulk_table_new (self->pages, table, self->n_columns, error);
  return self->bulk != NULL;
}

static gboolean
begin_insert (TtTableWriter *self, const char *table, const char *columns, GError **error)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_printf (sql, "INSERT INTO %s (%s) VALUES (?1", table, columns);
  for (guint i = 2; i < self->n_columns; i++)
    g_string_append_printf (sql, ", ?%u", i);
  g_string_append_c (sql, ')');
  self->insert = tt_connection_prepare (self->connection, sql->str, error);
  return self->insert != NULL;
}

TtTableWriter *
tt_table_writer_new (TtConnection *connection, const char *table, const char *columns, guint n_columns, GError **error)
{
  g_autoptr (TtTableWriter) self = g_new0 (TtTableWriter, 1);
  g_autofree char *max_id = g_strdup_printf ("SELECT max (id) FROM %s", table);
  gint64 last;

  self->connection = connection;
  self->n_columns = n_columns;
  if (!tt_connection_get_int (connection, max_id, &last, error))
    return NULL;
  self->n_old = (guint64) last;
  gboolean is_empty = connection->is_new_file && last == 0;
  if (!(is_empty ? begin_pages (self, table, error) : begin_insert (self, table, columns, error)))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_table_writer_free (TtTableWriter *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->insert);
  tt_bulk_table_free (self->bulk);
  tt_bulk_pages_free (self->pages);
  g_free (self);
}

static gboolean
insert_row (TtTableWriter *self, const TtRowValue *values, GError **error)
{
  GError *failure = NULL;

  for (guint i = 1; i < self->n_columns; i++)
    if (values[i].type == TT_ROW_INT)
      sqlite3_bind_int64 (self->insert, (int) i, values[i].integer);
    else if (values[i].type == TT_ROW_REAL)
      sqlite3_bind_double (self->insert, (int) i, values[i].real);
    else
      sqlite3_bind_null (self->insert, (int) i);
  tt_connection_step (self->connection, self->insert, &failure);
  sqlite3_reset (self->insert);
  return tt_store_finish (failure, error);
}

gboolean
tt_table_writer_add (TtTableWriter *self, const TtRowValue *values, GError **error)
{
  self->n++;
  return self->bulk != NULL ? tt_bulk_table_add (self->bulk, self->n_old + self->n, values, error)
                            : insert_row (self, values, error);
}

gboolean
tt_table_writer_finish (TtTableWriter *self, guint64 *first, guint64 *last, GError **error)
{
  *first = self->n_old + 1;
  *last = self->n_old + self->n;
  return self->bulk == NULL || tt_bulk_table_finish (self->bulk, error);
}
