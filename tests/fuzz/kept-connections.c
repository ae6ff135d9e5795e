/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linker: -Wl,--wrap=sqlite3_open_v2,--wrap=sqlite3_close,--wrap=sqlite3_exec
 * Linker: -Wl,--wrap=sqlite3_prepare_v2,--wrap=sqlite3_prepare_v3,--wrap=sqlite3_finalize
 * Linker: -Wl,--wrap=sqlite3_create_function_v2,--wrap=sqlite3_user_data
 */
#include "config.h"

#include "tests/fuzz/kept-connections.h"
#include "tests/fuzz/unseen.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STATEMENTS 2000u

typedef void (*Step) (sqlite3_context *, int, sqlite3_value **);
typedef void (*Final) (sqlite3_context *);
typedef void (*Destroy) (void *);

/* What SQLite takes for a function's own data. */
typedef struct
{
  char *name;
  void *data;
} Function;

typedef struct
{
  sqlite3 *db;
  int flags;
  gboolean is_used, is_spoilt;
  GHashTable *idle;     /* SQL, which is the statement's -> a statement that nobody uses */
  GHashTable *settings; /* PRAGMA... that have been set */
  GPtrArray *functions; /* of Function */
  guint n_taken;        /* statements that the program has not given back */
} Kept;

static gboolean are_kept;
static GPtrArray *all; /* of Kept */

int __real_sqlite3_open_v2 (const char *, sqlite3 **, int, const char *);
int __real_sqlite3_close (sqlite3 *);
int __real_sqlite3_exec (sqlite3 *, const char *, sqlite3_callback, void *, char **);
int __real_sqlite3_prepare_v2 (sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
int __real_sqlite3_prepare_v3 (sqlite3 *, const char *, int, unsigned int, sqlite3_stmt **, const char **);
int __real_sqlite3_finalize (sqlite3_stmt *);
int __real_sqlite3_create_function_v2 (sqlite3 *, const char *, int, int, void *, Step, Step, Final, Destroy);
void *__real_sqlite3_user_data (sqlite3_context *);

int __wrap_sqlite3_open_v2 (const char *, sqlite3 **, int, const char *);
int __wrap_sqlite3_close (sqlite3 *);
int __wrap_sqlite3_exec (sqlite3 *, const char *, sqlite3_callback, void *, char **);
int __wrap_sqlite3_prepare_v2 (sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
int __wrap_sqlite3_prepare_v3 (sqlite3 *, const char *, int, unsigned int, sqlite3_stmt **, const char **);
int __wrap_sqlite3_finalize (sqlite3_stmt *);
int __wrap_sqlite3_create_function_v2 (sqlite3 *, const char *, int, int, void *, Step, Step, Final, Destroy);
void *__wrap_sqlite3_user_data (sqlite3_context *);

FUZZ_UNSEEN_BEGIN

void
fuzz_kept_connections (gboolean kept)
{
  are_kept = kept;
}

static Kept *
find (sqlite3 *db)
{
  for (guint i = 0; all != NULL && db != NULL && i < all->len; i++)
    if (((Kept *) all->pdata[i])->db == db)
      return all->pdata[i];
  return NULL;
}

/* -- statements --------------------------------------------------------------------------------------------------- */

/* Others depend on more than the schema when they are compiled. */
static gboolean
may_stay (const char *sql)
{
  static const char *const starts[] = {
    "SELECT", "WITH", "BEGIN", "COMMIT", "PRAGMA application_id", "PRAGMA user_version", "PRAGMA integrity_check"
  };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    if (g_str_has_prefix (sql, starts[i]))
      return TRUE;
  return FALSE;
}

static sqlite3_stmt *
take (Kept *self, const char *sql)
{
  gpointer statement = NULL;

  g_hash_table_steal_extended (self->idle, sql, NULL, &statement);
  return statement;
}

static int
put (Kept *self, sqlite3_stmt *statement)
{
  const char *sql = sqlite3_sql (statement);

  if (sql == NULL || !may_stay (sql) || g_hash_table_size (self->idle) >= MAX_STATEMENTS ||
      g_hash_table_contains (self->idle, sql))
    return __real_sqlite3_finalize (statement);
  int code = sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  g_hash_table_insert (self->idle, (gpointer) sql, statement);
  return code;
}

int
__wrap_sqlite3_prepare_v3 (sqlite3 *db,
                           const char *sql,
                           int n,
                           unsigned int flags,
                           sqlite3_stmt **statement,
                           const char **tail)
{
  Kept *self = find (db);

  *statement = self == NULL || n >= 0 ? NULL : take (self, sql);
  if (*statement != NULL && tail != NULL)
    *tail = sql + strlen (sql);
  int code = *statement != NULL ? SQLITE_OK : __real_sqlite3_prepare_v3 (db, sql, n, flags, statement, tail);
  if (self != NULL && *statement != NULL)
    self->n_taken++;
  return code;
}

int
__wrap_sqlite3_prepare_v2 (sqlite3 *db, const char *sql, int n, sqlite3_stmt **statement, const char **tail)
{
  return __wrap_sqlite3_prepare_v3 (db, sql, n, 0, statement, tail);
}

int
__wrap_sqlite3_finalize (sqlite3_stmt *statement)
{
  Kept *self = find (statement == NULL ? NULL : sqlite3_db_handle (statement));

  if (self == NULL)
    return __real_sqlite3_finalize (statement);
  self->n_taken--;
  return put (self, statement);
}

static int
run_statement (Kept *self, const char *sql)
{
  sqlite3_stmt *statement = take (self, sql);
  int code = statement != NULL ? SQLITE_OK : __real_sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL);

  if (code != SQLITE_OK)
    return code;
  while (sqlite3_step (statement) == SQLITE_ROW)
    ;
  return put (self, statement);
}

/* Most settings make SQLite compile all statements again, so that one that holds is not set once more. */
static int
run_setting (Kept *self, const char *sql)
{
  GHashTableIter iter;
  gpointer other;
  gsize name = strcspn (sql, "=");

  if (g_hash_table_contains (self->settings, sql))
    return SQLITE_OK;
  g_hash_table_iter_init (&iter, self->settings);
  while (g_hash_table_iter_next (&iter, &other, NULL))
    if (strncmp (other, sql, name) == 0)
      g_hash_table_iter_remove (&iter);
  int code = __real_sqlite3_exec (self->db, sql, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    g_hash_table_add (self->settings, g_strdup (sql));
  return code;
}

int
__wrap_sqlite3_exec (sqlite3 *db, const char *sql, sqlite3_callback callback, void *data, char **message)
{
  Kept *self = find (db);

  if (self == NULL || callback != NULL || message != NULL)
    return __real_sqlite3_exec (db, sql, callback, data, message);
  if (g_str_has_prefix (sql, "PRAGMA") && strchr (sql, '=') != NULL)
    return run_setting (self, sql);
  if (may_stay (sql))
    return run_statement (self, sql);
  self->is_spoilt = TRUE;
  return __real_sqlite3_exec (db, sql, callback, data, message);
}

/* -- functions ---------------------------------------------------------------------------------------------------- */

static Function *
find_function (Kept *self, const char *name)
{
  for (guint i = 0; self != NULL && i < self->functions->len; i++)
    if (strcmp (((Function *) self->functions->pdata[i])->name, name) == 0)
      return self->functions->pdata[i];
  return NULL;
}

static void
free_function (gpointer data)
{
  Function *function = data;

  g_free (function->name);
  g_free (function);
}

/* A new one would make SQLite compile all statements again. */
int
__wrap_sqlite3_create_function_v2 (sqlite3 *db,
                                   const char *name,
                                   int n,
                                   int kind,
                                   void *data,
                                   Step whole,
                                   Step step,
                                   Final final,
                                   Destroy destroy)
{
  Kept *self = find (db);
  Function *function = find_function (self, name);

  if (destroy != NULL)
    abort ();
  if (function != NULL)
    {
      function->data = data;
      return SQLITE_OK;
    }
  function = g_new0 (Function, 1);
  function->name = g_strdup (name);
  function->data = data;
  if (self != NULL)
    g_ptr_array_add (self->functions, function);
  return __real_sqlite3_create_function_v2 (db, name, n, kind, function, whole, step, final,
                                            self == NULL ? free_function : NULL);
}

void *
__wrap_sqlite3_user_data (sqlite3_context *context)
{
  return ((Function *) __real_sqlite3_user_data (context))->data;
}

/* -- connections -------------------------------------------------------------------------------------------------- */

static Kept *
kept_new (sqlite3 *db, int flags)
{
  Kept *self = g_new0 (Kept, 1);

  self->db = db;
  self->flags = flags;
  self->idle = g_hash_table_new (g_str_hash, g_str_equal);
  self->settings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->functions = g_ptr_array_new_with_free_func (free_function);
  if (all == NULL)
    all = g_ptr_array_new ();
  g_ptr_array_add (all, self);
  return self;
}

static int
kept_free (Kept *self)
{
  GHashTableIter iter;
  gpointer statement;

  g_hash_table_iter_init (&iter, self->idle);
  while (g_hash_table_iter_next (&iter, NULL, &statement))
    {
      g_hash_table_iter_steal (&iter);
      __real_sqlite3_finalize (statement);
    }
  g_ptr_array_remove (all, self);
  int code = __real_sqlite3_close (self->db);
  g_hash_table_unref (self->idle);
  g_hash_table_unref (self->settings);
  g_ptr_array_unref (self->functions);
  g_free (self);
  return code;
}

int
__wrap_sqlite3_open_v2 (const char *path, sqlite3 **db, int flags, const char *vfs)
{
  gboolean is_kept = are_kept && (flags & SQLITE_OPEN_READONLY) != 0;

  for (guint i = 0; is_kept && all != NULL && i < all->len; i++)
    {
      Kept *self = all->pdata[i];

      if (self->is_used || self->flags != flags)
        continue;
      self->is_used = TRUE;
      *db = self->db;
      return SQLITE_OK;
    }
  int code = __real_sqlite3_open_v2 (path, db, flags, vfs);
  if (is_kept && code == SQLITE_OK)
    kept_new (*db, flags)->is_used = TRUE;
  return code;
}

int
__wrap_sqlite3_close (sqlite3 *db)
{
  Kept *self = find (db);

  if (self == NULL)
    return __real_sqlite3_close (db);
  /* SQLite would not close it. */
  if (self->n_taken != 0)
    abort ();
  if (self->is_spoilt)
    return kept_free (self);
  if (!sqlite3_get_autocommit (db))
    __real_sqlite3_exec (db, "ROLLBACK", NULL, NULL, NULL);
  sqlite3_progress_handler (db, 0, NULL, NULL);
  self->is_used = FALSE;
  return SQLITE_OK;
}

FUZZ_UNSEEN_END
