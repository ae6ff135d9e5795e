/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/progress.h"
#include "src/store/page-checksum.h"
#include "src/store/side-files.h"
#include "src/trace/event.h"

/* @db: NULL where there was no memory for it. @code: as extended as it is known. */
static gboolean
set_failure_code (sqlite3 *db, int extended, const char *path, const char *what, GError **error)
{
  const int code = extended & 0xff;

  if (code == SQLITE_INTERRUPT && tt_cancelled (error))
    return FALSE;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "cannot %s '%s': another process is using it; try again when it has finished", what, path);
  else if (code == SQLITE_NOTADB)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is not a tracetool database", path);
  else if (code == SQLITE_FULL)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot %s '%s': no space left on the disk", what, path);
  /* Where it reads the schema SQLite forgets what kind of an error it was. */
  else if (db != NULL &&
           (extended == SQLITE_IOERR_DATA || (extended == SQLITE_IOERR && tt_page_checksum_fault (db) > 0)))
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "cannot %s '%s': page %" G_GUINT64_FORMAT
                 " is not as tracetool wrote it: the file is damaged, or another program has changed it;"
                 " import the traces again",
                 what, path, tt_page_checksum_fault (db));
  else if (code == SQLITE_CORRUPT)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "cannot %s '%s': the database is damaged (%s); import the traces again", what, path,
                 sqlite3_errmsg (db));
  else
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot %s '%s': %s", what, path,
                 db == NULL                                  ? "out of memory"
                 : extended == sqlite3_extended_errcode (db) ? sqlite3_errmsg (db)
                                                             : sqlite3_errstr (code));
  return FALSE;
}

static gboolean
set_failure (sqlite3 *db, const char *path, const char *what, GError **error)
{
  return set_failure_code (db, db == NULL ? SQLITE_NOMEM : sqlite3_extended_errcode (db), path, what, error);
}

gboolean
tt_connection_fail (TtConnection *self, const char *what, GError **error)
{
  return set_failure (self->db, self->path, what, error);
}

gboolean
tt_connection_fail_code (TtConnection *self, int code, const char *what, GError **error)
{
  return set_failure_code (self->db, code, self->path, what, error);
}

gboolean
tt_connection_exec (TtConnection *self, const char *sql, GError **error)
{
  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) != SQLITE_OK)
    return tt_connection_fail (self, sqlite3_db_readonly (self->db, "main") == 1 ? "read" : "write", error);
  return TRUE;
}

gint64
tt_connection_set_cache (TtConnection *self, gint64 size)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA cache_size = %" G_GINT64_FORMAT, size);
  gint64 old_size = 0;

  /* A failure here makes nothing wrong, only slow. */
  if (tt_connection_get_int (self, "PRAGMA cache_size", &old_size, NULL))
    sqlite3_exec (self->db, sql, NULL, NULL, NULL);
  return old_size;
}

sqlite3_stmt *
tt_connection_prepare (TtConnection *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v3 (self->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    tt_connection_fail (self, "read", error);
  return statement;
}

gboolean
tt_connection_step (TtConnection *self, sqlite3_stmt *statement, GError **error)
{
  int code = sqlite3_step (statement);

  if (code != SQLITE_ROW && code != SQLITE_DONE)
    tt_connection_fail (self, sqlite3_stmt_readonly (statement) ? "read" : "write", error);
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
tt_connection_exec_ints (TtConnection *self, const char *sql, const gint64 *values, int n, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = tt_connection_prepare (self, sql, error);
  GError *failure = NULL;

  if (statement == NULL)
    return FALSE;
  for (int i = 0; i < n; i++)
    sqlite3_bind_int64 (statement, i + 1, values[i]);
  tt_connection_step (self, statement, &failure);
  return tt_store_finish (failure, error);
}

gboolean
tt_connection_get_int (TtConnection *self, const char *sql, gint64 *value, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = tt_connection_prepare (self, sql, error);
  GError *failure = NULL;

  if (statement == NULL)
    return FALSE;
  *value = tt_connection_step (self, statement, &failure) ? sqlite3_column_int64 (statement, 0) : 0;
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
tt_store_column_int_or (sqlite3_stmt *statement, int column, gint64 none)
{
  return sqlite3_column_type (statement, column) == SQLITE_NULL ? none : sqlite3_column_int64 (statement, column);
}

gint64
tt_store_column_time (sqlite3_stmt *statement, int column)
{
  return tt_store_column_int_or (statement, column, TT_NO_TIME);
}

guint32
tt_store_column_id (sqlite3_stmt *statement, int column)
{
  return (guint32) sqlite3_column_int64 (statement, column);
}

guint64
tt_store_column_uint (sqlite3_stmt *statement, int column)
{
  return (guint64) sqlite3_column_int64 (statement, column);
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
tt_connection_check_file (const char *path, GError **error)
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
  return check_head (path, error) && tt_side_files_check_own (path, error);
}

static void
set_limits (sqlite3 *db)
{
  sqlite3_extended_result_codes (db, 0);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_busy_timeout (db, 10000);
}

static TtConnection *
open_file (const char *file, const char *path, int flags, const char *vfs, GError **error)
{
  sqlite3 *db = NULL;

  if (vfs == NULL || sqlite3_open_v2 (file, &db, flags | SQLITE_OPEN_NOMUTEX, vfs) != SQLITE_OK)
    {
      set_failure (db, path, "open", error);
      sqlite3_close (db);
      return NULL;
    }
  set_limits (db);

  TtConnection *self = g_new0 (TtConnection, 1);
  self->db = db;
  self->path = g_strdup (path);
  return self;
}

TtConnection *
tt_connection_open (const char *path, int flags, GError **error)
{
  /* Without this a name like ":memory:" would not be a file. */
  g_autofree char *file = g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (".", path, NULL);
  TtConnection *self = open_file (file, path, flags, tt_page_checksum_vfs (), error);

  /* The first statement that reads: a failure here occurs again where it is reported. */
  if (self != NULL)
    sqlite3_exec (self->db, "PRAGMA cache_size = -4096; PRAGMA temp_store = FILE", NULL, NULL, NULL);
  return self;
}

TtConnection *
tt_connection_open_own (const char *file, const char *path, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (file, NULL);

  return open_file (absolute, path, SQLITE_OPEN_READWRITE, tt_page_checksum_vfs_unlocked (), error);
}

TtConnection *
tt_connection_open_immutable (const char *path, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (absolute, NULL, error);
  g_autofree char *file = uri == NULL ? NULL : g_strconcat (uri, "?immutable=1", NULL);

  return file == NULL ? NULL
                      : open_file (file, path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, tt_page_checksum_vfs (), error);
}

TtConnection *
tt_connection_open_memory (GError **error)
{
  return open_file (":memory:", "memory", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, tt_page_checksum_vfs (), error);
}

void
tt_connection_drop_log (TtConnection *self)
{
  sqlite3_busy_timeout (self->db, 0);
  sqlite3_exec (self->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
}

gboolean
tt_store_sync_folder (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  int number = fd < 0 || (fsync (fd) != 0 && errno != EINVAL) ? errno : 0;

  if (fd >= 0)
    close (fd);
  if (number == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot write '%s' to disk: %s", folder, g_strerror (number));
  return FALSE;
}

void
tt_connection_close (TtConnection *self)
{
  if (self == NULL)
    return;
  sqlite3_close (self->db);
  g_free (self->path);
  g_free (self);
}

static int
is_cancelled (gpointer data)
{
  return tt_cancelled (NULL);
}

void
tt_connection_watch_cancel (TtConnection *self, gboolean is_watched)
{
  sqlite3_progress_handler (self->db, is_watched ? 100000 : 0, is_cancelled, NULL);
}

/* -- snapshots ---------------------------------------------------------------------------------- */

gboolean
tt_connection_enter (TtConnection *self, GError **error)
{
  if (self->n_snapshots == 0 && !self->in_transaction && !tt_connection_exec (self, "BEGIN", error))
    return FALSE;
  self->n_snapshots++;
  return TRUE;
}

void
tt_connection_leave (TtConnection *self)
{
  if (--self->n_snapshots == 0 && !self->in_transaction)
    sqlite3_exec (self->db, "COMMIT", NULL, NULL, NULL);
}
