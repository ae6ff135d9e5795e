/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/own-schema.h"

#include <string.h>

#include "src/base/paths.h"
#include "src/store/schema.h"

/* Some traces are databases, too. */
static void
refuse_foreign (TtConnection *connection, GError **error)
{
  gint64 n_tables = 0;

  tt_connection_get_int (connection,
                         "SELECT count (*) FROM main.sqlite_schema WHERE name IN ('StringIds', 'NVTX_EVENTS',"
                         " 'CUPTI_ACTIVITY_KIND_RUNTIME', 'CUPTI_ACTIVITY_KIND_KERNEL', 'OSRT_API', 'MPI_P2P_EVENTS',"
                         " 'TARGET_INFO_SESSION_START_TIME')",
                         &n_tables, NULL);
  if (n_tables >= 2)
    {
      g_autofree char *word = tt_shell_word (connection->path);
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "'%s' is an export of Nsight Systems, no database of tracetool; import it: tracetool import %s",
                   connection->path, word);
    }
  else
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is an SQLite database of another program", connection->path);
}

static gboolean
check_version (TtConnection *connection, gint64 *version, GError **error)
{
  gint64 application_id;

  if (!tt_connection_get_int (connection, "PRAGMA application_id", &application_id, error) ||
      !tt_connection_get_int (connection, "PRAGMA user_version", version, error))
    return FALSE;
  if (application_id != TT_SCHEMA_APPLICATION_ID)
    refuse_foreign (connection, error);
  else if (*version > TT_SCHEMA_VERSION)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "'%s' has schema version %" G_GINT64_FORMAT
                 ", this tracetool knows up to %d; use a newer tracetool, or import the traces into another --db",
                 connection->path, *version, TT_SCHEMA_VERSION);
  else if (*version < 1)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "'%s' is damaged: %" G_GINT64_FORMAT " is no version of the schema; import the traces again",
                 connection->path, *version);
  else
    return TRUE;
  return FALSE;
}

/* "CREATE TABLE name (": what stands between the second space and the third. */
static gboolean
makes (const char *statement, const char *name)
{
  const char *of_statement = strchr (statement + strlen ("CREATE "), ' ') + 1;
  gsize n = strcspn (of_statement, " ");

  return strlen (name) == n && g_ascii_strncasecmp (of_statement, name, n) == 0;
}

/* The statement that makes @name today; NULL: it is none of ours. */
static const char *
find_statement (const char *name)
{
  for (const char *const *statement = tt_schema_sql; *statement != NULL; statement++)
    if (makes (*statement, name))
      return *statement;
  return NULL;
}

/* Of an older version only what it is can be told. */
static gboolean
is_made_by (const char *statement, const char *sql, gint64 version)
{
  if (version == TT_SCHEMA_VERSION)
    return g_strcmp0 (sql, statement) == 0;
  return sql != NULL && strncmp (sql, statement, strcspn (statement + strlen ("CREATE "), " ") + strlen ("CREATE ")) == 0;
}

static gboolean
check_object (TtConnection *connection, sqlite3_stmt *row, gint64 version, guint *n_ours, GError **error)
{
  const char *type = (const char *) sqlite3_column_text (row, 0);
  const char *name = (const char *) sqlite3_column_text (row, 1);
  const char *statement = name == NULL ? NULL : find_statement (name);

  if (g_strcmp0 (type, "trigger") == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "'%s' has a trigger, '%s', which tracetool did not make; import the traces into another --db",
                   connection->path, name);
      return FALSE;
    }
  if (statement == NULL)
    return TRUE;
  ++*n_ours;
  if (is_made_by (statement, (const char *) sqlite3_column_text (row, 2), version))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE,
               "'%s' is damaged: its %s '%s' is not what tracetool makes; import the traces again", connection->path,
               type, name);
  return FALSE;
}

static gboolean
check_objects (TtConnection *connection, gint64 version, GError **error)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (connection, "SELECT type, name, sql FROM main.sqlite_schema ORDER BY rowid", error);
  GError *failure = NULL;
  guint n_ours = 0, n_wanted = 0;

  if (row == NULL)
    return FALSE;
  while (tt_connection_step (connection, row, &failure) && check_object (connection, row, version, &n_ours, &failure))
    ;
  while (tt_schema_sql[n_wanted] != NULL)
    n_wanted++;
  if (failure == NULL && version == TT_SCHEMA_VERSION && n_ours != n_wanted)
    g_set_error (&failure, TT_ERROR, TT_ERROR_STORE,
                 "'%s' is damaged: it has %u of the %u tables and views that tracetool makes; import the traces again",
                 connection->path, n_ours, n_wanted);
  return tt_store_finish (failure, error);
}

gboolean
tt_own_schema_check (TtConnection *connection, gint64 *version, GError **error)
{
  return check_version (connection, version, error) && check_objects (connection, *version, error);
}
