/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/failure.h"
#include "src/store/own-schema.h"
#include "src/store/page-checksum.h"
#include "src/store/schema.h"
#include "src/store/upgrade.h"

#define BUSY_MS 2000
/* A database that another writer replaced meanwhile is opened again. */
#define MAX_TRIES 5

static gboolean
check_version (TtConnection *connection, gint64 *old_version, GError **error)
{
  return tt_own_schema_check (connection, old_version, error) &&
         (*old_version == TT_SCHEMA_VERSION || tt_upgrade_check (connection, *old_version, error));
}

static gboolean
upgrade (TtConnection *connection, gint64 old_version, GError **error)
{
  return old_version == TT_SCHEMA_VERSION || tt_upgrade_in_place (connection, old_version, error);
}

static gboolean
has_moved (TtConnection *connection)
{
  int moved = 0;

  return sqlite3_file_control (connection->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

/* -- a copy ------------------------------------------------------------------------------------------------------ */

/* Another name of the file would keep the old database, and another owner would lose it. */
static gboolean
can_be_replaced (const char *path)
{
  char *real = realpath (path, NULL);
  g_autofree char *folder = real == NULL ? NULL : g_path_get_dirname (real);
  GStatBuf facts;

  free (real);
  return folder != NULL && g_access (folder, W_OK) == 0 && g_stat (path, &facts) == 0 && facts.st_nlink == 1 &&
         facts.st_uid == geteuid ();
}

/* A connection of its own reads, for the one that holds the lock counts as writing. */
static gboolean
copy_pages (TtConnection *from, TtConnection *to, GError **error)
{
  g_autoptr (TtConnection) reader = tt_connection_open (from->path, SQLITE_OPEN_READONLY, error);
  sqlite3_backup *backup = reader == NULL ? NULL : sqlite3_backup_init (to->db, "main", reader->db, "main");

  if (reader == NULL)
    return FALSE;
  if (backup == NULL)
    return tt_connection_fail (to, "copy", error);
  if (tt_page_checksum_is_enabled (reader->db))
    tt_page_checksum_enable (to->db);
  sqlite3_backup_step (backup, -1);
  return sqlite3_backup_finish (backup) == SQLITE_OK || tt_connection_fail (to, "copy", error);
}

static gboolean
begin_copy (TtWriter *self, gint64 *old_version, GError **error)
{
  const char *path = self->connection->path;

  if (!tt_connection_exec (self->connection, "BEGIN IMMEDIATE", error) ||
      !tt_own_schema_check (self->connection, old_version, error))
    return FALSE;
  self->locked = g_steal_pointer (&self->connection);
  self->copy = tt_new_file_open (path, "importing", error);
  self->connection = self->copy == NULL ? NULL : tt_connection_open_own (tt_new_file_path (self->copy), path, error);
  return self->connection != NULL && copy_pages (self->locked, self->connection, error) &&
         tt_connection_exec (self->connection,
                             "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
                             " BEGIN",
                             error) &&
         upgrade (self->connection, *old_version, error);
}

static gboolean
publish_copy (TtWriter *self, GError **error)
{
  g_autofree char *path = g_strdup (self->connection->path);

  if (sqlite3_close (self->connection->db) != SQLITE_OK)
    return tt_connection_fail (self->connection, "write", error);
  self->connection->db = NULL;
  g_clear_pointer (&self->connection, tt_connection_close);

  int number = tt_new_file_sync (self->copy);
  if (number == 0)
    number = tt_new_file_publish (self->copy);
  if (number == 0)
    return tt_store_sync_folder (path, error);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot write '%s': %s", path, g_strerror (number));
  return FALSE;
}

/* -- in place ---------------------------------------------------------------------------------------------------- */

/* A write-ahead log lets readers go on. Where the file system cannot have one, they wait instead. */
static gboolean
begin_log (TtWriter *self, gint64 *old_version, GError **error)
{
  return tt_connection_exec (self->connection, "BEGIN IMMEDIATE", error) &&
         tt_own_schema_check (self->connection, old_version, error) &&
         upgrade (self->connection, *old_version, error);
}

static gboolean
begin (TtWriter *self, gint64 *old_version, GError **error)
{
  static const char log[] = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0";
  GError *failure = NULL;

  if (!check_version (self->connection, old_version, error))
    return FALSE;
  if (tt_connection_exec (self->connection, log, &failure))
    return begin_log (self, old_version, error);
  if (sqlite3_errcode (self->connection->db) != SQLITE_BUSY || !can_be_replaced (self->connection->path))
    return tt_store_finish (failure, error);
  g_error_free (failure);
  return begin_copy (self, old_version, error);
}

static TtWriter *
connect (const char *path, GError **error)
{
  TtConnection *connection = tt_connection_open (path, SQLITE_OPEN_READWRITE, error);

  if (connection == NULL)
    return NULL;
  sqlite3_busy_timeout (connection->db, BUSY_MS);
  TtWriter *self = g_new0 (TtWriter, 1);
  self->connection = connection;
  return self;
}

TtWriter *
tt_writer_open (const char *path, gint64 *old_version, GError **error)
{
  for (guint i = 0;; i++)
    {
      if (!tt_connection_check_file (path, error))
        return NULL;
      if (g_access (path, W_OK) != 0)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot write '%s': %s", path, g_strerror (errno));
          return NULL;
        }

      TtWriter *self = connect (path, error);
      gboolean has_begun = self != NULL && begin (self, old_version, error);
      if (has_begun && (i == MAX_TRIES || !has_moved (self->locked != NULL ? self->locked : self->connection)))
        return self;
      tt_writer_close (self);
      if (!has_begun)
        return NULL;
    }
}

gboolean
tt_writer_commit (TtWriter *self, GError **error)
{
  if (!tt_failure_check (error) || !tt_connection_exec (self->connection, "COMMIT", error))
    return FALSE;
  if (self->copy != NULL)
    return publish_copy (self, error);
  /* The change is safe in the log by now: the pages that readers still hold back then are copied later. */
  sqlite3_exec (self->connection->db, "PRAGMA wal_checkpoint (TRUNCATE)", NULL, NULL, NULL);
  return TRUE;
}

void
tt_writer_close (TtWriter *self)
{
  if (self == NULL)
    return;
  if (self->connection != NULL && sqlite3_get_autocommit (self->connection->db) == 0)
    sqlite3_exec (self->connection->db, "ROLLBACK", NULL, NULL, NULL);
  /* Other readers may prevent it: the next command tries again. */
  if (self->connection != NULL && self->copy == NULL)
    tt_connection_drop_log (self->connection);
  tt_connection_close (self->connection);
  tt_connection_close (self->locked);
  tt_new_file_free (self->copy);
  g_free (self);
}
