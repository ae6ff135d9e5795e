/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/foreign/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/progress.h"

#define HEAD_BYTES 100u
#define WRITE_VERSION_AT 18
#define APPLICATION_ID_AT 68
/* Operations of SQLite between two looks for Ctrl-C. */
#define STEPS_A_LOOK 100000

typedef struct
{
  GHashTable *columns; /* set of char * */
  char *key;           /* the column that is the number of the row; NULL: none */
  guint n_keys;
} Table;

struct _TtTables
{
  sqlite3 *db;
  char *path;
  GPtrArray *names;   /* of char *, NULL-ended */
  GHashTable *tables; /* name, of names -> Table */
};

struct _TtRows
{
  TtTables *tables; /* borrowed */
  sqlite3_stmt *statement;
  char *table;
  guint64 n;
};

struct _TtTexts
{
  TtTables *tables; /* borrowed */
  sqlite3_stmt *statement;
  char *table;
};

/* -- failures ----------------------------------------------------------------------------------------- */

/* What says nothing about the file: no reason to go on without it. SQLite calls a file damaged that the disk does not
 * give, and has the reason in errno only. */
static gboolean
is_of_machine (int code)
{
  return code == SQLITE_NOMEM || code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_FULL ||
         (code == SQLITE_CORRUPT && errno == EIO);
}

static void
fail (const TtTables *self, const char *table, guint64 row, GError **error)
{
  int code = self->db == NULL ? SQLITE_NOMEM : sqlite3_errcode (self->db);
  const char *reason = self->db == NULL                         ? "out of memory"
                       : code == SQLITE_CORRUPT && errno == EIO ? g_strerror (EIO)
                                                                : sqlite3_errmsg (self->db);

  if (code == SQLITE_INTERRUPT && tt_cancelled (error))
    return;
  if (is_of_machine (code))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read '%s': %s", self->path, reason);
      tt_failure_leave (g_error_new (TT_ERROR, TT_ERROR_INPUT, "cannot read '%s': %s", self->path, reason));
    }
  else if (code == SQLITE_NOTADB)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: not an SQLite database, or an encrypted one", self->path);
  else if (table == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %s", self->path, reason);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: table %s, row %" G_GUINT64_FORMAT ": %s", self->path, table,
                 row, reason);
}

/* -- the file ----------------------------------------------------------------------------------------- */

gboolean
tt_tables_probe (const guint8 *head, gsize len, guint32 *application_id)
{
  guint32 big_endian = 0;

  if (len >= APPLICATION_ID_AT + sizeof big_endian)
    memcpy (&big_endian, head + APPLICATION_ID_AT, sizeof big_endian);
  *application_id = GUINT32_FROM_BE (big_endian);
  return len >= 16 && memcmp (head, "SQLite format 3", 16) == 0;
}

static gboolean
has_bytes (const char *path, const char *suffix)
{
  g_autofree char *beside = g_strconcat (path, suffix, NULL);
  struct stat facts;

  return tt_look_stat (beside, &facts) == 0 && facts.st_size > 0;
}

static gboolean
check_head (const char *path, const guint8 *head, gsize len, GError **error)
{
  guint32 application_id;

  if (!tt_tables_probe (head, len, &application_id))
    {
      gboolean is_packed = len >= 4 && ((head[0] == 0x1f && head[1] == 0x8b) ||
                                        (head[0] == 0x28 && head[1] == 0xb5 && head[2] == 0x2f && head[3] == 0xfd));
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   is_packed ? "%s: a packed database cannot be read where it lies; unpack it first (gunzip, unzstd)"
                             : "%s: not an SQLite database",
                   path);
      return FALSE;
    }
  if (head[WRITE_VERSION_AT] == 2 && has_bytes (path, "-wal"))
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: the last changes lie in '%s-wal' beside it; let the program that writes it end, or run: "
                 "sqlite3 FILE 'PRAGMA journal_mode = DELETE'",
                 path, path);
  else if (has_bytes (path, "-journal"))
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: half written: '%s-journal' lies beside it; let the program that writes it end, or export it"
                 " again",
                 path, path);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_file (const char *path, GError **error)
{
  guint8 head[HEAD_BYTES];
  struct stat facts;
  int file;

  if (strcmp (path, "-") == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                   "standard input: a database is read at many places at once; give the path of a file");
      return FALSE;
    }
  file = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 || fstat (file, &facts) != 0 || !S_ISREG (facts.st_mode))
    {
      int saved = errno;
      if (file < 0)
        tt_look_failed (path, saved);
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", path,
                   file < 0 ? g_strerror (saved) : "not a file");
      if (file >= 0)
        close (file);
      return FALSE;
    }
  ssize_t len = pread (file, head, sizeof head, 0);
  if (len < 0)
    tt_look_failed (path, errno);
  close (file);
  return check_head (path, head, len < 0 ? 0 : (gsize) len, error);
}

static int
is_cancelled (gpointer data)
{
  (void) data;
  return tt_cancelled (NULL);
}

static gboolean
open_database (TtTables *self, GError **error)
{
  static const int switches_off[] = { SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                                      SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL };
  g_autofree char *absolute = g_canonicalize_filename (self->path, NULL);
  g_autofree char *uri = g_filename_to_uri (absolute, NULL, error);
  g_autofree char *file = uri == NULL ? NULL : g_strconcat (uri, "?immutable=1", NULL);

  if (file == NULL)
    return FALSE;
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2 (file, &self->db, flags, NULL) != SQLITE_OK)
    {
      fail (self, NULL, 0, error);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (switches_off); i++)
    sqlite3_db_config (self->db, switches_off[i], 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, TT_TABLES_MOST_BYTES);
  sqlite3_limit (self->db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_progress_handler (self->db, STEPS_A_LOOK, is_cancelled, NULL);
  sqlite3_exec (self->db, "PRAGMA cell_size_check = ON; PRAGMA cache_size = -16384; PRAGMA temp_store = FILE", NULL,
                NULL, NULL);
  return TRUE;
}

static void
free_table (gpointer data)
{
  Table *table = data;

  g_hash_table_unref (table->columns);
  g_free (table->key);
  g_free (table);
}

/* Rows of one table follow each other. */
static Table *
give_table (TtTables *self, const char *name)
{
  Table *table = g_hash_table_lookup (self->tables, name);

  if (table != NULL)
    return table;
  g_ptr_array_add (self->names, g_strdup (name));
  table = g_new0 (Table, 1);
  table->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_insert (self->tables, g_ptr_array_index (self->names, self->names->len - 1), table);
  return table;
}

static gboolean
add_column (TtTables *self, sqlite3_stmt *row)
{
  const char *name = (const char *) sqlite3_column_text (row, 0), *column = (const char *) sqlite3_column_text (row, 1);
  const char *type = (const char *) sqlite3_column_text (row, 2);

  if (name == NULL)
    return FALSE;
  Table *table = give_table (self, name);
  if (column == NULL)
    return FALSE;
  g_hash_table_add (table->columns, g_strdup (column));
  if (sqlite3_column_int (row, 3) == 0)
    return TRUE;
  g_clear_pointer (&table->key, g_free);
  if (table->n_keys++ == 0 && type != NULL && g_ascii_strcasecmp (type, "INTEGER") == 0)
    table->key = g_strdup (column);
  return TRUE;
}

static gboolean
list_tables (TtTables *self, GError **error)
{
  sqlite3_stmt *row = NULL;
  int status = sqlite3_prepare_v2 (self->db,
                                   "SELECT s.name, x.name, x.type, x.pk FROM main.sqlite_schema s"
                                   " CROSS JOIN pragma_table_xinfo (s.name, 'main') x WHERE s.type = 'table'"
                                   " AND s.rootpage > 0 AND s.name NOT LIKE 'sqlite_%' AND typeof (s.name) = 'text'"
                                   " AND x.hidden = 0 ORDER BY s.rowid, x.cid",
                                   -1, &row, NULL);

  self->names = g_ptr_array_new_with_free_func (g_free);
  self->tables = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_table);
  while (status == SQLITE_OK && (status = sqlite3_step (row)) == SQLITE_ROW)
    status = add_column (self, row) ? SQLITE_OK : SQLITE_NOMEM;
  if (status != SQLITE_DONE)
    fail (self, NULL, 0, error);
  sqlite3_finalize (row);
  g_ptr_array_add (self->names, NULL);
  return status == SQLITE_DONE;
}

TtTables *
tt_tables_open (const char *path, GError **error)
{
  g_autoptr (TtTables) self = NULL;

  if (!check_file (path, error))
    return NULL;
  self = g_new0 (TtTables, 1);
  self->path = g_strdup (path);
  errno = 0; /* see is_of_machine() */
  if (!open_database (self, error) || !list_tables (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_tables_free (TtTables *self)
{
  if (self == NULL)
    return;
  sqlite3_close (self->db);
  g_clear_pointer (&self->tables, g_hash_table_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_free (self->path);
  g_free (self);
}

/* -- what it has -------------------------------------------------------------------------------------- */

const char *const *
tt_tables_names (const TtTables *self)
{
  return (const char *const *) self->names->pdata;
}

static const Table *
find_table (const TtTables *self, const char *name)
{
  return g_hash_table_lookup (self->tables, name);
}

gboolean
tt_tables_has (const TtTables *self, const char *table)
{
  return find_table (self, table) != NULL;
}

gboolean
tt_tables_has_column (const TtTables *self, const char *table, const char *column)
{
  const Table *found = find_table (self, table);

  return found != NULL && g_hash_table_contains (found->columns, column);
}

/* Names of tables come from the file. */
static char *
quote (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);

  return g_strdup_printf ("\"%s\"", doubled);
}

static TtRows *
ask (TtTables *self, const char *table, const char *sql, GError **error)
{
  g_autoptr (TtRows) rows = g_new0 (TtRows, 1);

  rows->tables = self;
  rows->table = g_strdup (table);
  if (sqlite3_prepare_v2 (self->db, sql, -1, &rows->statement, NULL) == SQLITE_OK)
    return g_steal_pointer (&rows);
  fail (self, table, 0, error);
  return NULL;
}

gboolean
tt_tables_is_empty (TtTables *self, const char *table)
{
  static const char *const none[] = { NULL };
  g_autoptr (TtRows) rows = tt_tables_rows (self, table, none, "LIMIT 1", NULL);

  return rows == NULL || !tt_rows_next (rows, NULL);
}

gboolean
tt_tables_count (TtTables *self, const char *table, guint64 *n, GError **error)
{
  g_autofree char *quoted = quote (table), *sql = g_strdup_printf ("SELECT count (*) FROM main.%s", quoted);
  g_autoptr (TtRows) rows = ask (self, table, sql, error);

  *n = 0;
  if (rows == NULL || !tt_rows_next (rows, error))
    return FALSE;
  *n = (guint64) sqlite3_column_int64 (rows->statement, 0);
  return TRUE;
}

/* -- rows --------------------------------------------------------------------------------------------- */

TtRows *
tt_tables_rows (TtTables *self, const char *table, const char *const *columns, const char *tail, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT ");

  if (!tt_tables_has (self, table))
    return NULL;
  for (guint i = 0; columns[i] != NULL; i++)
    if (tt_tables_has_column (self, table, columns[i]))
      g_string_append_printf (sql, "%s\"%s\"", i > 0 ? ", " : "", columns[i]);
    else
      g_string_append (sql, i > 0 ? ", NULL" : "NULL");
  g_string_append_printf (sql, "%s FROM main.\"%s\" %s", columns[0] == NULL ? "1" : "", table,
                          tail == NULL ? "" : tail);
  return ask (self, table, sql->str, error);
}

void
tt_rows_free (TtRows *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->statement);
  g_free (self->table);
  g_free (self);
}

gboolean
tt_rows_next (TtRows *self, GError **error)
{
  int code = sqlite3_step (self->statement);

  self->n++;
  if (G_UNLIKELY (code != SQLITE_ROW && code != SQLITE_DONE))
    fail (self->tables, self->table, self->n, error);
  return code == SQLITE_ROW;
}

gboolean
tt_rows_int (TtRows *self, int column, gint64 *value)
{
  if (sqlite3_column_type (self->statement, column) != SQLITE_INTEGER)
    return FALSE;
  *value = sqlite3_column_int64 (self->statement, column);
  return TRUE;
}

gint64
tt_rows_int_or (TtRows *self, int column, gint64 otherwise)
{
  gint64 value;

  return tt_rows_int (self, column, &value) ? value : otherwise;
}

gboolean
tt_rows_real (TtRows *self, int column, double *value)
{
  int type = sqlite3_column_type (self->statement, column);

  if (type != SQLITE_FLOAT && type != SQLITE_INTEGER)
    return FALSE;
  *value = sqlite3_column_double (self->statement, column);
  return TRUE;
}

gboolean
tt_rows_is_null (TtRows *self, int column)
{
  return sqlite3_column_type (self->statement, column) == SQLITE_NULL;
}

static const char *
text_of (sqlite3_stmt *statement, int column, gsize *len)
{
  if (sqlite3_column_type (statement, column) != SQLITE_TEXT)
    return NULL;

  const char *text = (const char *) sqlite3_column_text (statement, column);
  if (len != NULL)
    *len = text == NULL ? 0 : (gsize) sqlite3_column_bytes (statement, column);
  return text;
}

const char *
tt_rows_text (TtRows *self, int column, gsize *len)
{
  return text_of (self->statement, column, len);
}

/* -- texts by number ----------------------------------------------------------------------------------- */

/* The rows of a table without a key, with one. */
static char *
copy_texts (TtTables *self, const char *table, const char *id, const char *value, GError **error)
{
  g_autofree char *name = g_strconcat ("texts of ", table, NULL);
  g_autofree char *sql = g_strdup_printf (
      "CREATE TEMP TABLE \"%s\" (id INTEGER PRIMARY KEY, value TEXT);"
      " INSERT OR IGNORE INTO temp.\"%s\" SELECT \"%s\", \"%s\" FROM main.\"%s\" WHERE typeof (\"%s\") = 'integer'",
      name, name, id, value, table, id);

  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return g_strdup_printf ("SELECT value FROM temp.\"%s\" WHERE id = ?1", name);
  fail (self, table, 0, error);
  return NULL;
}

TtTexts *
tt_tables_texts (TtTables *self, const char *table, const char *id, const char *value, GError **error)
{
  g_autoptr (TtTexts) texts = g_new0 (TtTexts, 1);
  g_autofree char *sql = NULL;

  if (!tt_tables_has_column (self, table, value) || !tt_tables_has_column (self, table, id))
    return NULL;
  sql = g_strcmp0 (find_table (self, table)->key, id) == 0
            ? g_strdup_printf ("SELECT \"%s\" FROM main.\"%s\" WHERE \"%s\" = ?1", value, table, id)
            : copy_texts (self, table, id, value, error);
  if (sql == NULL)
    return NULL;
  texts->tables = self;
  texts->table = g_strdup (table);
  if (sqlite3_prepare_v2 (self->db, sql, -1, &texts->statement, NULL) == SQLITE_OK)
    return g_steal_pointer (&texts);
  fail (self, table, 0, error);
  return NULL;
}

void
tt_texts_free (TtTexts *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->statement);
  g_free (self->table);
  g_free (self);
}

const char *
tt_texts_get (TtTexts *self, gint64 id, GError **error)
{
  sqlite3_reset (self->statement);
  sqlite3_bind_int64 (self->statement, 1, id);

  int code = sqlite3_step (self->statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    fail (self->tables, self->table, 0, error);
  return code == SQLITE_ROW ? text_of (self->statement, 0, NULL) : NULL;
}
