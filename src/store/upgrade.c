/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/upgrade.h"

#include <string.h>

#include "src/store/create.h"
#include "src/store/schema-changes.h"
#include "src/store/schema.h"

typedef struct
{
  char *name, *type;
} Column;

typedef struct
{
  char *name;
  GPtrArray *today, *old; /* of Column; old: NULL where the database has no such table */
  gboolean is_remade;     /* a column is of another type */
} Table;

typedef struct
{
  TtConnection *connection;
  gint64 version;
  GPtrArray *tables; /* of Table: those of today */
} Upgrade;

static void
column_free (gpointer data)
{
  Column *self = data;

  g_free (self->name);
  g_free (self->type);
  g_free (self);
}

static void
table_free (gpointer data)
{
  Table *self = data;

  g_clear_pointer (&self->today, g_ptr_array_unref);
  g_clear_pointer (&self->old, g_ptr_array_unref);
  g_free (self->name);
  g_free (self);
}

static void
upgrade_clear (Upgrade *self)
{
  g_clear_pointer (&self->tables, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Upgrade, upgrade_clear)

/* -- the shape of tables --------------------------------------------------------------------------------- */

/* NULL: no such table, or @error. */
static GPtrArray *
read_columns (TtConnection *connection, const char *table, GError **error)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (column_free);
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (connection, "SELECT name, type FROM pragma_table_info (?1, 'main')", error);
  GError *failure = NULL;

  if (row == NULL)
    return NULL;
  tt_store_bind_text (row, 1, table);
  while (tt_connection_step (connection, row, &failure))
    {
      Column *column = g_new0 (Column, 1);

      column->name = g_strdup ((const char *) sqlite3_column_text (row, 0));
      column->type = g_strdup ((const char *) sqlite3_column_text (row, 1));
      g_ptr_array_add (columns, column);
    }
  if (!tt_store_finish (failure, error) || columns->len == 0)
    return NULL;
  return g_steal_pointer (&columns);
}

static const Column *
find_column (const GPtrArray *columns, const char *name)
{
  for (guint i = 0; i < columns->len; i++)
    if (strcmp (((const Column *) columns->pdata[i])->name, name) == 0)
      return columns->pdata[i];
  return NULL;
}

/* Today's tables and their columns, from an empty database. */
static gboolean
read_today (Upgrade *self, GError **error)
{
  g_autoptr (TtConnection) today = tt_connection_open_memory (error);

  if (today == NULL || !tt_connection_create_schema (today, error))
    return FALSE;
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      today, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid", error);
  GError *failure = NULL;
  if (row == NULL)
    return FALSE;
  while (failure == NULL && tt_connection_step (today, row, &failure))
    {
      Table *table = g_new0 (Table, 1);

      table->name = g_strdup ((const char *) sqlite3_column_text (row, 0));
      table->today = read_columns (today, table->name, &failure);
      g_ptr_array_add (self->tables, table);
    }
  return tt_store_finish (failure, error);
}

static const TtSchemaChange *
find_change (const Upgrade *self, TtSchemaChangeKind kind, const char *table, const char *column)
{
  for (const TtSchemaChange *change = tt_schema_changes; change->table != NULL; change++)
    if (change->version > self->version && change->kind == kind && strcmp (change->table, table) == 0 &&
        g_strcmp0 (change->column, column) == 0)
      return change;
  return NULL;
}

static gboolean G_GNUC_PRINTF (3, 4)
fail_damaged (const Upgrade *self, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is damaged: %s; it is left as it is, import the traces again",
               self->connection->path, what);
  return FALSE;
}

static gboolean
check_table (const Upgrade *self, Table *table, GError **error)
{
  if (table->old == NULL)
    return find_change (self, TT_SCHEMA_NEW_TABLE, table->name, NULL) != NULL ||
           fail_damaged (self, error, "there is no table '%s', which schema version %d has", table->name,
                         (int) self->version);

  for (guint i = 0; i < table->today->len; i++)
    {
      const Column *today = table->today->pdata[i], *old = find_column (table->old, today->name);
      gboolean has_other_type = find_change (self, TT_SCHEMA_NEW_TYPE, table->name, today->name) != NULL;

      table->is_remade |= has_other_type;
      if (old == NULL && find_change (self, TT_SCHEMA_NEW_COLUMN, table->name, today->name) == NULL)
        return fail_damaged (self, error, "table '%s' has no column '%s'", table->name, today->name);
      if (old != NULL && !has_other_type && strcmp (old->type, today->type) != 0)
        return fail_damaged (self, error, "column '%s' of table '%s' is of type '%s', not '%s'", today->name,
                             table->name, old->type, today->type);
    }
  return TRUE;
}

static gboolean
read_shapes (Upgrade *self, TtConnection *connection, gint64 version, GError **error)
{
  *self = (Upgrade){ connection, version, g_ptr_array_new_with_free_func (table_free) };
  if (!read_today (self, error))
    return FALSE;
  for (guint i = 0; i < self->tables->len; i++)
    {
      Table *table = self->tables->pdata[i];
      GError *failure = NULL;

      table->old = read_columns (connection, table->name, &failure);
      if (!tt_store_finish (failure, error) || !check_table (self, table, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
lacks_columns (const Table *table)
{
  for (guint i = 0; table->old != NULL && i < table->today->len; i++)
    if (find_column (table->old, ((const Column *) table->today->pdata[i])->name) == NULL)
      return TRUE;
  return FALSE;
}

/* -- an old table with the columns of today ---------------------------------------------------------------- */

/* A table may have columns of another program, of any name. */
static void
append_columns (GString *sql, const GPtrArray *columns, const char *prefix)
{
  for (guint i = 0; i < columns->len; i++)
    {
      g_auto (GStrv) parts = g_strsplit (((const Column *) columns->pdata[i])->name, "\"", -1);
      g_autofree char *name = g_strjoinv ("\"\"", parts);
      g_string_append_printf (sql, "%s%s\"%s\"", i > 0 ? ", " : "", prefix, name);
    }
}

static gboolean
is_lacking (const Upgrade *self, const Table *table, const TtSchemaChange *change)
{
  return change->version > self->version && change->kind == TT_SCHEMA_NEW_COLUMN &&
         strcmp (change->table, table->name) == 0 && find_column (table->old, change->column) == NULL;
}

/* What later versions added to @table, in one SELECT a column: an expression may use the columns before. Free it. */
static char *
select_table (const Upgrade *self, const Table *table, const char *from)
{
  g_autofree char *version = g_strdup_printf ("%d", (int) self->version);
  GString *sql = g_string_new ("SELECT ");

  append_columns (sql, table->old, "");
  g_string_append_printf (sql, " FROM %s", from);
  for (const TtSchemaChange *change = tt_schema_changes; change->table != NULL; change++)
    if (is_lacking (self, table, change))
      {
        g_autoptr (GString) head = g_string_new ("SELECT o.*, ");

        g_string_append_printf (head, "%s AS %s FROM (", change->value, change->column);
        g_string_replace (head, ":version", version, 0);
        g_string_prepend (sql, head->str);
        g_string_append (sql, ") o");
      }
  return g_string_free (sql, FALSE);
}

/* -- reading ------------------------------------------------------------------------------------------------ */

static char *
view_of_nothing (const Table *table)
{
  GString *sql = g_string_new ("SELECT ");

  append_columns (sql, table->today, "NULL AS ");
  g_string_append (sql, " WHERE 0");
  return g_string_free (sql, FALSE);
}

static gboolean
create_view (const Upgrade *self, const Table *table, GError **error)
{
  g_autofree char *from = g_strdup_printf ("main.%s", table->name);
  g_autofree char *select = table->old == NULL ? view_of_nothing (table) : select_table (self, table, from);
  g_autofree char *sql = g_strdup_printf ("CREATE TEMP VIEW %s AS %s", table->name, select);

  return tt_connection_exec (self->connection, sql, error);
}

gboolean
tt_upgrade_view (TtConnection *connection, gint64 version, GError **error)
{
  static const char prefix[] = "CREATE VIEW ";
  g_auto (Upgrade) self = { 0 };

  if (!read_shapes (&self, connection, version, error))
    return FALSE;
  for (guint i = 0; i < self.tables->len; i++)
    {
      const Table *table = self.tables->pdata[i];

      if ((table->old == NULL || lacks_columns (table)) && !create_view (&self, table, error))
        return FALSE;
    }
  for (guint i = 0; tt_schema_sql[i] != NULL; i++)
    if (g_str_has_prefix (tt_schema_sql[i], prefix))
      {
        g_autofree char *sql = g_strconcat ("CREATE TEMP VIEW ", tt_schema_sql[i] + strlen (prefix), NULL);
        if (!tt_connection_exec (connection, sql, error))
          return FALSE;
      }
  return TRUE;
}

/* -- checking ----------------------------------------------------------------------------------------------- */

static gboolean
check_file (const Upgrade *self, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, "PRAGMA quick_check (1)", error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  gboolean found = tt_connection_step (self->connection, row, &failure);
  if (failure != NULL)
    return tt_store_finish (failure, error);
  const char *text = found ? (const char *) sqlite3_column_text (row, 0) : NULL;
  return g_strcmp0 (text, "ok") == 0 || fail_damaged (self, error, "%s", text != NULL ? text : "it cannot be checked");
}

/* SQLite lets any value into a column: only those of its type were written by us. */
static gboolean
check_values (const Upgrade *self, const Table *table, GError **error)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  gint64 wrong;

  for (guint i = 0; i < table->today->len; i++)
    {
      const Column *column = table->today->pdata[i];
      if (find_column (table->old, column->name) == NULL)
        continue;
      const char *types = strcmp (column->type, "INTEGER") == 0 ? "'integer', 'null'"
                          : strcmp (column->type, "REAL") == 0  ? "'real', 'integer', 'null'"
                          : strcmp (column->type, "TEXT") == 0  ? "'text', 'null', 'blob'"
                                                                : NULL;
      if (types == NULL)
        continue;
      g_string_append_printf (sql, "%s typeof (%s) NOT IN (%s)", sql->len > 0 ? " OR" : "", column->name, types);
    }
  g_autofree char *query = g_strdup_printf ("SELECT 1 FROM %s WHERE%s LIMIT 1", table->name, sql->str);
  if (!tt_connection_get_int (self->connection, query, &wrong, error))
    return FALSE;
  return wrong == 0 || fail_damaged (self, error, "table '%s' has values of a wrong type", table->name);
}

gboolean
tt_upgrade_check (TtConnection *connection, gint64 version, GError **error)
{
  g_auto (Upgrade) self = { 0 };

  if (!read_shapes (&self, connection, version, error) || !check_file (&self, error))
    return FALSE;
  for (guint i = 0; i < self.tables->len; i++)
    {
      const Table *table = self.tables->pdata[i];

      if (table->old != NULL && !check_values (&self, table, error))
        return FALSE;
    }
  return TRUE;
}

/* -- in place ------------------------------------------------------------------------------------------------- */

/* The name of what @sql creates. Free it. */
static char *
created_name (const char *sql)
{
  const char *name = strchr (sql + strlen ("CREATE "), ' ') + 1;

  return g_strndup (name, strcspn (name, " ("));
}

static const char *
find_statement (const char *name)
{
  for (guint i = 0; tt_schema_sql[i] != NULL; i++)
    {
      g_autofree char *created = created_name (tt_schema_sql[i]);
      if (strcmp (created, name) == 0)
        return tt_schema_sql[i];
    }
  g_return_val_if_reached (NULL);
}

/* Views stand in the way of new tables; all are made again. */
static gboolean
drop_views (const Upgrade *self, GError **error)
{
  for (guint i = 0; tt_schema_sql[i] != NULL; i++)
    if (g_str_has_prefix (tt_schema_sql[i], "CREATE VIEW "))
      {
        g_autofree char *name = created_name (tt_schema_sql[i]);
        g_autofree char *sql = g_strdup_printf ("DROP VIEW IF EXISTS %s", name);
        if (!tt_connection_exec (self->connection, sql, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
remake_table (const Upgrade *self, const Table *table, GError **error)
{
  g_autofree char *old = g_strconcat (table->name, "_old", NULL);
  g_autofree char *select = select_table (self, table, old);
  g_autoptr (GString) columns = g_string_new (NULL);

  append_columns (columns, table->today, "");
  g_autofree char *rename = g_strdup_printf ("ALTER TABLE %s RENAME TO %s", table->name, old);
  g_autofree char *fill = g_strdup_printf ("INSERT INTO %s (%s) SELECT %s FROM (%s)", table->name, columns->str,
                                           columns->str, select);
  g_autofree char *drop = g_strdup_printf ("DROP TABLE %s", old);
  return tt_connection_exec (self->connection, rename, error) &&
         tt_connection_exec (self->connection, find_statement (table->name), error) &&
         tt_connection_exec (self->connection, fill, error) && tt_connection_exec (self->connection, drop, error);
}

/* What of today's schema is not there. */
static gboolean
create_rest (const Upgrade *self, GError **error)
{
  gboolean has_roles = FALSE;

  for (guint i = 0; tt_schema_sql[i] != NULL; i++)
    {
      g_autofree char *name = created_name (tt_schema_sql[i]);
      g_autofree char *sql = g_strdup_printf ("SELECT 1 FROM sqlite_schema WHERE name = '%s'", name);
      gint64 found;

      if (!tt_connection_get_int (self->connection, sql, &found, error) ||
          (found == 0 && !tt_connection_exec (self->connection, tt_schema_sql[i], error)))
        return FALSE;
      has_roles |= found != 0 && strcmp (name, "role_row") == 0;
    }
  return has_roles || tt_connection_fill_roles (self->connection, error);
}

gboolean
tt_upgrade_in_place (TtConnection *connection, gint64 version, GError **error)
{
  g_auto (Upgrade) self = { 0 };
  g_autofree char *mark = g_strdup_printf ("PRAGMA user_version = %d", TT_SCHEMA_VERSION);

  /* Renaming a table must not touch the views of others. */
  sqlite3_db_config (connection->db, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1, NULL);
  if (!read_shapes (&self, connection, version, error) || !drop_views (&self, error))
    return FALSE;
  for (guint i = 0; i < self.tables->len; i++)
    {
      const Table *table = self.tables->pdata[i];

      if (table->old != NULL && (table->is_remade || lacks_columns (table)) && !remake_table (&self, table, error))
        return FALSE;
    }
  return create_rest (&self, error) && tt_connection_exec (connection, mark, error);
}
