/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtConnection: an open SQLite database of ours, and the statements on it. The lowest part of the store: it knows
 * nothing of runs, names or rows. Used by src/store only.
 *
 * Every failure names the file: "cannot read 'PATH': ...". Statements belong to the caller and must be finalized
 * before the connection is closed.
 */
#pragma once

#include <glib.h>
#include <sqlite3.h>

#include "src/base/error.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

typedef struct
{
  sqlite3 *db;
  char *path;              /* for messages: not always the file that is open */
  guint n_snapshots;       /* scans that are under way */
  gboolean in_transaction; /* of an import, from its begin to its end: snapshots need none of their own */
  gboolean is_new_file;    /* nobody else has it, and it is thrown away if its making fails: see bulk-pages.h */
} TtConnection;

/* @flags: SQLITE_OPEN_... */
TtConnection *tt_connection_open (const char *path, int flags, GError **error);
/* The file @file, which nobody else has open and which therefore is not locked; messages call it @path. */
TtConnection *tt_connection_open_own (const char *file, const char *path, GError **error);
/* The database @path, which nobody can change: no lock, no log, no journal is looked for. */
TtConnection *tt_connection_open_immutable (const char *path, GError **error);
/* An empty database in memory. */
TtConnection *tt_connection_open_memory (GError **error);
/* Rolls back what is not committed. */
void tt_connection_close (TtConnection *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtConnection, tt_connection_close)

/* Whether @path is a regular file with the head of an SQLite database. */
gboolean tt_connection_check_file (const char *path, GError **error);

/* Back to a database of one file, if nobody else has it open; does not wait. */
void tt_connection_drop_log (TtConnection *self);
/* Makes sure that the name of @path is on disk. */
gboolean tt_store_sync_folder (const char *path, GError **error);

/* Sets @error from the last failure: "cannot WHAT 'PATH': ...". Always FALSE. */
gboolean tt_connection_fail (TtConnection *self, const char *what, GError **error);
/* The same of @code, which a call of the file gave that SQLite does not know of. */
gboolean tt_connection_fail_code (TtConnection *self, int code, const char *what, GError **error);

/* Pages kept in memory: as many if @size > 0, else of -@size KiB. Returns what it was. */
gint64 tt_connection_set_cache (TtConnection *self, gint64 size);

gboolean tt_connection_exec (TtConnection *self, const char *sql, GError **error);
/* Runs @sql, whose parameters ?1, ?2 ... are the @n values. */
gboolean tt_connection_exec_ints (TtConnection *self, const char *sql, const gint64 *values, int n, GError **error);
/* First column of the first row, 0 if null or none. */
gboolean tt_connection_get_int (TtConnection *self, const char *sql, gint64 *value, GError **error);

sqlite3_stmt *tt_connection_prepare (TtConnection *self, const char *sql, GError **error);
/* SQLITE_ROW -> TRUE; at the end FALSE without @error. */
gboolean tt_connection_step (TtConnection *self, sqlite3_stmt *statement, GError **error);
/* Ends a loop over tt_connection_step(): takes @failure, TRUE if it is NULL. */
gboolean tt_store_finish (GError *failure, GError **error);

/* Whether Ctrl-C ends a statement that is under way. */
void tt_connection_watch_cancel (TtConnection *self, gboolean is_watched);

/* A snapshot for the time of a scan; scans may overlap. */
gboolean tt_connection_enter (TtConnection *self, GError **error);
void tt_connection_leave (TtConnection *self);

/* -- values: NULL, event 0 and TT_NO_TIME are SQL's null ------------------------------------------------ */

void tt_store_bind_text (sqlite3_stmt *statement, int index, const char *text);
void tt_store_bind_event (sqlite3_stmt *statement, int index, guint64 id);
void tt_store_bind_time (sqlite3_stmt *statement, int index, gint64 ns);
gint64 tt_store_column_time (sqlite3_stmt *statement, int column);
guint32 tt_store_column_id (sqlite3_stmt *statement, int column);
guint64 tt_store_column_uint (sqlite3_stmt *statement, int column);
/* @none where the column is null. */
gint64 tt_store_column_int_or (sqlite3_stmt *statement, int column, gint64 none);
