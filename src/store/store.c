#include "config.h"

#include "src/store/store.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "src/store/private.h"

/* -- helpers of all store files --------------------------------------------------------------- */

gboolean
tt_store_fail (sqlite3 *db, const char *path, const char *what, GError **error)
{
  int code = db == NULL ? SQLITE_NOMEM : sqlite3_errcode (db);

  if (code == SQLITE_INTERRUPT && tt_cancelled (error))
    return FALSE;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "cannot %s '%s': another process is using it; try again when it has finished", what, path);
  else if (code == SQLITE_NOTADB)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is not a tracetool database", path);
  else if (code == SQLITE_FULL)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot %s '%s': no space left on the disk", what, path);
  else if (code == SQLITE_CORRUPT)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "cannot %s '%s': the database is damaged (%s); import the traces again", what, path,
                 sqlite3_errmsg (db));
  else
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot %s '%s': %s", what, path,
                 db == NULL ? "out of memory" : sqlite3_errmsg (db));
  return FALSE;
}

gboolean
tt_store_exec (sqlite3 *db, const char *path, const char *sql, GError **error)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    return tt_store_fail (db, path, sqlite3_db_readonly (db, "main") == 1 ? "read" : "write", error);
  return TRUE;
}

sqlite3_stmt *
tt_store_prepare (sqlite3 *db, const char *path, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v3 (db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    tt_store_fail (db, path, "read", error);
  return statement;
}

gboolean
tt_store_step (sqlite3_stmt *statement, const char *path, GError **error)
{
  int code = sqlite3_step (statement);

  if (code != SQLITE_ROW && code != SQLITE_DONE)
    tt_store_fail (sqlite3_db_handle (statement), path, sqlite3_stmt_readonly (statement) ? "read" : "write", error);
  return code == SQLITE_ROW;
}

gboolean
tt_store_finish (GError *failure, GError **error)
{
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
tt_store_exec_ints (sqlite3 *db, const char *path, const char *sql, const gint64 *values, int n, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = tt_store_prepare (db, path, sql, error);
  GError *failure = NULL;

  if (statement == NULL)
    return FALSE;
  for (int i = 0; i < n; i++)
    sqlite3_bind_int64 (statement, i + 1, values[i]);
  tt_store_step (statement, path, &failure);
  return tt_store_finish (failure, error);
}

gboolean
tt_store_get_int (sqlite3 *db, const char *path, const char *sql, gint64 *value, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = tt_store_prepare (db, path, sql, error);
  GError *failure = NULL;

  if (statement == NULL)
    return FALSE;
  *value = tt_store_step (statement, path, &failure) ? sqlite3_column_int64 (statement, 0) : 0;
  return tt_store_finish (failure, error);
}

void
tt_store_bind_text (sqlite3_stmt *statement, int index, const char *text)
{
  sqlite3_bind_text (statement, index, text, -1, SQLITE_STATIC);
}

void
tt_store_bind_event (sqlite3_stmt *statement, int index, guint64 id)
{
  if (id == 0)
    sqlite3_bind_null (statement, index);
  else
    sqlite3_bind_int64 (statement, index, (gint64) id);
}

void
tt_store_bind_time (sqlite3_stmt *statement, int index, gint64 ns)
{
  if (ns == TT_NO_TIME)
    sqlite3_bind_null (statement, index);
  else
    sqlite3_bind_int64 (statement, index, ns);
}

gint64
tt_store_column_time (sqlite3_stmt *statement, int column)
{
  return sqlite3_column_type (statement, column) == SQLITE_NULL ? TT_NO_TIME : sqlite3_column_int64 (statement, column);
}

/* -- opening ------------------------------------------------------------------------------------ */

static gboolean
check_head (const char *path, GError **error)
{
  char head[16] = "";
  FILE *file = g_fopen (path, "rb");

  if (file == NULL)
    {
      int saved = errno;
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", path, g_strerror (saved));
      return FALSE;
    }
  gsize n = fread (head, 1, sizeof head, file);
  fclose (file);
  if (n == sizeof head && memcmp (head, "SQLite format 3", sizeof head) == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is not a tracetool database%s", path,
               n == 0 ? ": it is empty" : "");
  return FALSE;
}

gboolean
tt_store_check_file (const char *path, GError **error)
{
  GStatBuf facts;

  if (g_stat (path, &facts) != 0)
    {
      int saved = errno;
      if (saved == ENOENT)
        g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                     "no database '%s'; 'tracetool import FILE...' makes one, --db names another", path);
      else
        g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", path, g_strerror (saved));
      return FALSE;
    }
  if (!S_ISREG (facts.st_mode))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' is not a file and so not a database", path);
      return FALSE;
    }
  return check_head (path, error);
}

gboolean
tt_store_check_schema (sqlite3 *db, const char *path, GError **error)
{
  gint64 application_id, version;

  if (!tt_store_get_int (db, path, "PRAGMA application_id", &application_id, error) ||
      !tt_store_get_int (db, path, "PRAGMA user_version", &version, error))
    return FALSE;
  if (application_id != TT_SCHEMA_APPLICATION_ID)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is an SQLite database of another program", path);
      return FALSE;
    }
  if (version > TT_SCHEMA_VERSION)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "'%s' has schema version %" G_GINT64_FORMAT ", this tracetool knows up to %d; use a newer tracetool",
                   path, version, TT_SCHEMA_VERSION);
      return FALSE;
    }
  if (version < TT_SCHEMA_VERSION)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "'%s' has schema version %" G_GINT64_FORMAT ", too old for this tracetool; import the traces again",
                   path, version);
      return FALSE;
    }
  return TRUE;
}

sqlite3 *
tt_store_connect (const char *path, int flags, GError **error)
{
  sqlite3 *db = NULL;
  /* Without this a name like ":memory:" would not be a file. */
  g_autofree char *file = g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (".", path, NULL);

  if (sqlite3_open_v2 (file, &db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
    {
      tt_store_fail (db, path, "open", error);
      sqlite3_close (db);
      return NULL;
    }
  sqlite3_extended_result_codes (db, 0);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_busy_timeout (db, 10000);
  /* The first statement that reads: what fails here fails again where it is told. */
  sqlite3_exec (db, "PRAGMA cache_size = -4096; PRAGMA temp_store = FILE", NULL, NULL, NULL);
  return db;
}

static TtStore *
store_new (sqlite3 *db, const char *path)
{
  TtStore *self = g_new0 (TtStore, 1);

  self->db = db;
  self->path = g_strdup (path);
  self->runs = g_array_new (FALSE, FALSE, sizeof (TtRun));
  self->sources = g_array_new (FALSE, FALSE, sizeof (TtSource));
  self->processes = g_array_new (FALSE, FALSE, sizeof (TtProcess));
  self->threads = g_array_new (FALSE, FALSE, sizeof (TtThread));
  self->series = g_array_new (FALSE, FALSE, sizeof (TtSeries));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (TtEventRange));
  tt_store_register_collect (self);
  return self;
}

/* A writer that was killed may have left a journal: what it had not finished is taken back first, and
 * only a connection that may write can do that. */
static sqlite3 *
connect_reader (const char *path, GError **error)
{
  static const char probe[] = "SELECT count (*) FROM sqlite_schema";
  sqlite3 *db = tt_store_connect (path, SQLITE_OPEN_READONLY, error), *writer;

  if (db == NULL)
    return NULL;
  int code = sqlite3_exec (db, probe, NULL, NULL, NULL);
  if (code != SQLITE_READONLY && code != SQLITE_CANTOPEN)
    return db;
  writer = tt_store_connect (path, SQLITE_OPEN_READWRITE, NULL);
  if (writer != NULL)
    sqlite3_exec (writer, probe, NULL, NULL, NULL);
  sqlite3_close (writer);
  sqlite3_close (db);
  return tt_store_connect (path, SQLITE_OPEN_READONLY, error);
}

TtStore *
tt_store_open (const char *path, GError **error)
{
  if (!tt_store_check_file (path, error))
    return NULL;
  sqlite3 *db = connect_reader (path, error);
  if (db == NULL)
    return NULL;

  g_autoptr (TtStore) self = store_new (db, path);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  tt_store_register_functions (db);
  if (!tt_store_exec (db, path, "PRAGMA query_only = ON", error) || !tt_store_check_schema (db, path, error) ||
      !tt_store_select_run (self, NULL, error))
    return NULL;
  return g_steal_pointer (&self);
}

TtStore *
tt_store_new_borrowed (sqlite3 *db, const char *path, guint32 run, GError **error)
{
  g_autoptr (TtStore) self = store_new (db, path);

  self->is_borrowed = TRUE;
  self->first_run = self->last_run = run;
  if (!tt_store_reload (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_store_free (TtStore *self)
{
  if (self == NULL)
    return;
  tt_store_forget_names (self);
  if (!self->is_borrowed)
    sqlite3_close (self->db);
  g_array_unref (self->runs);
  g_array_unref (self->sources);
  g_array_unref (self->processes);
  g_array_unref (self->threads);
  g_array_unref (self->series);
  g_array_unref (self->ranges);
  g_clear_pointer (&self->texts, g_string_chunk_free);
  g_free (self->path);
  g_free (self);
}

const char *
tt_store_path (const TtStore *self)
{
  return self->path;
}

gboolean
tt_store_enter (TtStore *self, GError **error)
{
  if (self->n_transactions == 0 && !self->is_borrowed && !tt_store_exec (self->db, self->path, "BEGIN", error))
    return FALSE;
  self->n_transactions++;
  return TRUE;
}

void
tt_store_leave (TtStore *self)
{
  if (--self->n_transactions == 0 && !self->is_borrowed)
    sqlite3_exec (self->db, "COMMIT", NULL, NULL, NULL);
}

static gboolean
fail_run (const char *run, guint32 first, guint32 last, const char *path, GError **error)
{
  if (first == last)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no run '%s' in '%s', which has run %u only", run, path, last);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no run '%s' in '%s'; choose 'all' or one of %u to %u", run, path,
                 first, last);
  return FALSE;
}

gboolean
tt_store_select_run (TtStore *self, const char *run, GError **error)
{
  gint64 first, last;
  guint64 chosen;

  if (!tt_store_get_int (self->db, self->path, "SELECT min (id) FROM run_row", &first, error) ||
      !tt_store_get_int (self->db, self->path, "SELECT max (id) FROM run_row", &last, error))
    return FALSE;
  if (last == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' holds no run; import a trace into it first", self->path);
      return FALSE;
    }
  if (run == NULL)
    first = last;
  else if (strcmp (run, "all") != 0)
    {
      if (!g_ascii_string_to_unsigned (run, 10, (guint64) first, (guint64) last, &chosen, NULL))
        return fail_run (run, (guint32) first, (guint32) last, self->path, error);
      first = last = (gint64) chosen;
    }
  self->first_run = (guint32) first;
  self->last_run = (guint32) last;
  return tt_store_reload (self, error);
}
