/*
 * Shared by src/store*.c only: the connection, errors, small helpers.
 */
#pragma once

#include <sqlite3.h>

#include "src/base/error.h"
#include "src/store/schema.h"
#include "src/store/store.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

typedef struct
{
  guint32 thread, name, depth, flags;
  gint32 step;
  gint64 ts_ns, dur_ns, self_ns;
  guint64 id;
  guint64 args_id; /* 0 = none */
  gsize args;      /* offset in the block's text, 0 = not there */
  gsize args_len;
} TtBlockRow;

/* What tt_collect() fills: a piece of a scan. */
typedef struct
{
  TtBlockRow *rows;
  guint n, max;
  gboolean with_step, with_args;
  GString *text; /* starts with a NUL; not every row's arguments find room in it */
} TtBlock;

/* Ids of events, both ends included. */
typedef struct
{
  guint64 first, last;
  guint32 source;
} TtEventRange;

struct _TtStore
{
  sqlite3 *db;
  gboolean is_borrowed; /* the connection belongs to an import */
  char *path;
  guint32 first_run, last_run; /* selected */
  GStringChunk *texts;
  GArray *runs, *sources, *processes, *threads, *series; /* of the selected runs */
  GPtrArray *names;                                      /* of blocks of TtStoredName; both NULL until asked for */
  guint n_name_blocks;
  struct _TtPeek *peek; /* of tt_store_peek_name(); NULL until asked for */
  GArray *ranges;       /* of TtEventRange, ascending */
  guint32 max_name;
  guint n_transactions;
  TtBlock *block; /* being filled */
};

/* Sets @error from the connection's last error: "cannot WHAT 'PATH': ...". Always FALSE. */
gboolean tt_store_fail (sqlite3 *db, const char *path, const char *what, GError **error);
gboolean tt_store_exec (sqlite3 *db, const char *path, const char *sql, GError **error);
/* Runs @sql, whose parameters ?1, ?2 ... are the @n values. */
gboolean
tt_store_exec_ints (sqlite3 *db, const char *path, const char *sql, const gint64 *values, int n, GError **error);
sqlite3_stmt *tt_store_prepare (sqlite3 *db, const char *path, const char *sql, GError **error);
/* First column of the first row, 0 if null or none. */
gboolean tt_store_get_int (sqlite3 *db, const char *path, const char *sql, gint64 *value, GError **error);
/* SQLITE_ROW -> TRUE; at the end FALSE without @error. */
gboolean tt_store_step (sqlite3_stmt *statement, const char *path, GError **error);

/* Ends a loop over tt_store_step (): takes @failure, TRUE if it is NULL. */
gboolean tt_store_finish (GError *failure, GError **error);

/* @flags: SQLITE_OPEN_...; sets what every connection of ours has. */
sqlite3 *tt_store_connect (const char *path, int flags, GError **error);
/* Regular file, SQLite, ours, not newer. */
gboolean tt_store_check_file (const char *path, GError **error);
gboolean tt_store_check_schema (sqlite3 *db, const char *path, GError **error);
/* A store on the connection of an import, with the run selected. */
TtStore *tt_store_new_borrowed (sqlite3 *db, const char *path, guint32 run, GError **error);
gboolean tt_store_reload (TtStore *self, GError **error);
void tt_store_forget_names (TtStore *self);

/* A snapshot for the time of a scan. */
gboolean tt_store_enter (TtStore *self, GError **error);
void tt_store_leave (TtStore *self);

/* NULL text as SQL null. */
void tt_store_bind_text (sqlite3_stmt *statement, int index, const char *text);
void tt_store_bind_event (sqlite3_stmt *statement, int index, guint64 id);
void tt_store_bind_time (sqlite3_stmt *statement, int index, gint64 ns);
gint64 tt_store_column_time (sqlite3_stmt *statement, int column);

void tt_store_register_collect (TtStore *self);
void tt_store_register_functions (sqlite3 *db);
