/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/writer.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "src/base/failure.h"
#include "src/store/schema.h"
#include "src/store/upgrade.h"

#define BUSY_MS 2000

/* A write-ahead log lets readers go on. Where the file system cannot have one, they wait instead. */
static gboolean
begin (TtConnection *self, gint64 *old_version, GError **error)
{
  if (!tt_connection_check_schema (self, old_version, error) ||
      (*old_version < TT_SCHEMA_VERSION && !tt_upgrade_check (self, *old_version, error)) ||
      !tt_connection_exec (self, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0", error) ||
      !tt_connection_exec (self, "BEGIN IMMEDIATE", error) || !tt_connection_check_schema (self, old_version, error))
    return FALSE;
  return *old_version == TT_SCHEMA_VERSION || tt_upgrade_in_place (self, *old_version, error);
}

TtConnection *
tt_writer_open (const char *path, gint64 *old_version, GError **error)
{
  if (!tt_connection_check_file (path, error))
    return NULL;
  if (g_access (path, W_OK) != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot write '%s': %s", path, g_strerror (errno));
      return NULL;
    }

  TtConnection *self = tt_connection_open (path, SQLITE_OPEN_READWRITE, error);
  if (self == NULL)
    return NULL;
  sqlite3_busy_timeout (self->db, BUSY_MS);
  if (begin (self, old_version, error))
    return self;
  tt_writer_close (self);
  return NULL;
}

gboolean
tt_writer_commit (TtConnection *self, GError **error)
{
  if (!tt_failure_check (error) || !tt_connection_exec (self, "COMMIT", error))
    return FALSE;
  /* The change is safe in the log by now: pages that readers hold back are copied later. */
  sqlite3_busy_timeout (self->db, 0);
  sqlite3_exec (self->db, "PRAGMA wal_checkpoint (TRUNCATE)", NULL, NULL, NULL);
  return TRUE;
}

void
tt_writer_close (TtConnection *self)
{
  if (sqlite3_get_autocommit (self->db) == 0)
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  /* Other readers may prevent it: the next command that writes tries again. */
  sqlite3_busy_timeout (self->db, 0);
  sqlite3_exec (self->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  tt_connection_close (self);
}
