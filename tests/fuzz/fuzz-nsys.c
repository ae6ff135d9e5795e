/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "formats/formats.h"
#include "src/base/failure.h"
#include "tests/fuzz/memory-vfs.h"
#include "tests/fuzz/sqlite-memory.h"

/*
 * Exports of Nsight Systems that are not as it writes them. The first byte chooses one of the examples, the next
 * --args, --rank and whether there are rules of names; then come changes of 8 bytes each: of values by SQL, or of a
 * byte of a page. What holds: an import ends, done or with an error; without changes it is done.
 *
 * An example has the tables of one question and the first rows of each: SQLite parses those of a whole export as long as
 * the import reads three of these.
 *
 * Links: tests/fuzz/memory-vfs.c
 * Links: tests/fuzz/sqlite-memory.c
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0 -max_len=26
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

#define CHANGE 8u
#define MAX_CHANGES 3u
/* In the head of a database: the high bytes of the counts of its changes and of those of its schema. */
#define CHANGES_AT 24
#define COOKIE_AT 40

typedef struct
{
  char *name;
  GPtrArray *columns; /* of char * */
} Table;

typedef struct
{
  GByteArray *image;
  GPtrArray *tables; /* of Table */
  sqlite3 *db;       /* changes rows, and knows the schema from one change to the next */
} Example;

#define MAX_ROWS 6
#define OF_ALL "StringIds|META_DATA_EXPORT"

/* The first byte that chooses the last example, of all tables. It takes three times as long as another and reaches the
 * most, so that without changes it comes once, and with them would soon be a fifth of all. */
#define WHOLE 255
static const struct
{
  const char *file;
  const char *tables; /* a regular expression; NULL: all */
} parts[] = {
  { "train", OF_ALL "|PROCESSES|ENUM_.*MEM.*|TARGET_INFO_(GPU|CUDA_.*)|CUPTI_ACTIVITY_KIND_(MEMCPY|MEMSET|RUNTIME)" },
  { "train",
    OF_ALL "|ENUM_CUPTI.*|TARGET_INFO_CUDA_CONTEXT_INFO|CUPTI_ACTIVITY_KIND_(SYNC.*|GRAPH_TRACE|KERNEL|RUNTIME)"
           "|CUBLAS_EVENTS" },
  { "train", OF_ALL "|ThreadNames|PROCESSES|TARGET_INFO_S.*|CUPTI_ACTIVITY_KIND_(KERNEL|RUNTIME)|NVTX_EVENTS" },
  { "train", OF_ALL "|CUDA_GPU_MEMORY_USAGE_EVENTS|OSRT_API|PROFILER_OVERHEAD|TARGET_INFO_GPU_METRICS|GPU_METRICS"
                    "|DIAGNOSTIC_EVENT" },
  { "train", OF_ALL "|ThreadNames|TARGET_INFO_S.*|COMPOSITE_EVENTS|SAMPLING_CALLCHAINS|SCHED_EVENTS" },
  { "ranks", OF_ALL "|PROCESSES|MPI_.*" },
  { "old", NULL },
  { "train", NULL },
};
static Example examples[G_N_ELEMENTS (parts)];
static TtNameRules *rules;
static char *path;

/* -- the examples ----------------------------------------------------------------------------------------------- */

static void
list_columns (sqlite3 *from, Table *table)
{
  g_autofree char *sql = g_strdup_printf ("SELECT name FROM pragma_table_info ('%s')", table->name);
  sqlite3_stmt *row = NULL;

  sqlite3_prepare_v2 (from, sql, -1, &row, NULL);
  while (sqlite3_step (row) == SQLITE_ROW)
    g_ptr_array_add (table->columns, g_strdup ((const char *) sqlite3_column_text (row, 0)));
  sqlite3_finalize (row);
}

static void
list_tables (sqlite3 *from, Example *example)
{
  sqlite3_stmt *row = NULL;

  sqlite3_prepare_v2 (from, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", -1, &row, NULL);
  while (sqlite3_step (row) == SQLITE_ROW)
    {
      Table *table = g_new0 (Table, 1);

      table->name = g_strdup ((const char *) sqlite3_column_text (row, 0));
      table->columns = g_ptr_array_new ();
      list_columns (from, table);
      g_ptr_array_add (example->tables, table);
    }
  sqlite3_finalize (row);
}

/* Tables that are not of this part go, and rows beyond the first ones but for texts and lists of words. */
static void
reduce (sqlite3 *from, const char *wanted)
{
  g_autofree char *pattern = g_strdup_printf ("^(%s)$", wanted == NULL ? ".*" : wanted);
  g_autoptr (GString) sql = g_string_new ("PRAGMA journal_mode = OFF; PRAGMA temp_store = MEMORY;");
  sqlite3_stmt *row = NULL;

  sqlite3_prepare_v2 (from, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", -1, &row, NULL);
  while (sqlite3_step (row) == SQLITE_ROW)
    {
      const char *name = (const char *) sqlite3_column_text (row, 0);

      if (!g_regex_match_simple (pattern, name, 0, 0))
        g_string_append_printf (sql, "DROP TABLE %s;", name);
      else if (!g_regex_match_simple ("^(StringIds|ENUM_.*|META_DATA_.*)$", name, 0, 0))
        g_string_append_printf (sql, "DELETE FROM %s WHERE rowid > (SELECT min (rowid) FROM %s) + %d;", name, name,
                                MAX_ROWS - 1);
    }
  sqlite3_finalize (row);
  g_string_append (sql, "VACUUM");
  int status = sqlite3_exec (from, sql->str, NULL, NULL, NULL);
  if (status != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (from));
}

static void
load (guint i)
{
  const char *srcdir = g_getenv ("SRCDIR");
  g_autofree char *file = g_strconcat (parts[i].file, ".sqlite", NULL);
  g_autofree char *where = g_build_filename (srcdir != NULL ? srcdir : ".", "data", "nsys", file, NULL);
  sqlite3 *from = NULL;
  char *bytes;
  gsize len;

  gboolean is_read = g_file_get_contents (where, &bytes, &len, NULL);
  g_assert (is_read && len % FUZZ_PAGE_BYTES == 0);
  g_autoptr (GByteArray) whole = g_byte_array_new_take ((guint8 *) bytes, len);
  fuzz_memory_vfs_set (whole);
  int status = sqlite3_open_v2 ("part.sqlite", &from, SQLITE_OPEN_READWRITE, NULL);
  g_assert (status == SQLITE_OK);
  examples[i].tables = g_ptr_array_new ();
  reduce (from, parts[i].tables);
  list_tables (from, &examples[i]);
  sqlite3_close (from);
  len = fuzz_memory_vfs_n_pages () * FUZZ_PAGE_BYTES;
  examples[i].image = g_byte_array_sized_new ((guint) len);
  g_byte_array_append (examples[i].image, fuzz_memory_vfs_page (0), (guint) len);
  /* So that a connection sees that pages and schema are no longer those of another example, or changed ones. */
  examples[i].image->data[CHANGES_AT] = examples[i].image->data[COOKIE_AT] = (guint8) (i + 1);
}

static void
clean_up (void)
{
  /* What it keeps is known to memory only that LeakSanitizer does not look at. */
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    sqlite3_close (examples[i].db);
  tt_name_rules_unref (rules);
  g_unlink (path);
}

static void
open_example (Example *example)
{
  fuzz_memory_vfs_set (example->image);
  int status = sqlite3_open_v2 (path, &example->db, SQLITE_OPEN_READWRITE, NULL);
  g_assert (status == SQLITE_OK);
  sqlite3_exec (example->db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
}

/* What the program looks at before SQLite does. */
static void
prepare (void)
{
  if (path != NULL)
    return;
  /* Reading them takes longer than an import. */
  rules = tt_name_rules_load (NULL, NULL);
  g_assert (rules != NULL);
  fuzz_sqlite_memory_use ();
  fuzz_memory_vfs ();
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    load (i);
  int file = g_file_open_tmp ("tracetool-fuzz-XXXXXX", &path, NULL);
  g_assert (file >= 0);
  ssize_t n = write (file, examples[0].image->data, 100);
  g_assert (n == 100);
  close (file);
  atexit (clean_up);
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    open_example (&examples[i]);
}

/* -- changes ---------------------------------------------------------------------------------------------------- */

/* An SQL expression over the row; @column: its quoted name. Free it. */
static char *
choose_value (guint8 kind, guint8 more, const char *column)
{
  static const char *const values[] = {
    "0",
    "1",
    "-1",
    "NULL",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "1735632360000000000",
    "1.5",
    "1e300",
    "''",
    "'x'",
    "x'ff00ff'",
    "'{\"a\":1}'",
    "'%s%n'",
    "hex (zeroblob (5000))",
    "char (27, 93, 7)",
    "CAST (x'c328' AS TEXT)",
    "CAST (x'610062' AS TEXT)",
    "'MPI_Isend'",
    "'_v7000'",
  };

  if (kind < G_N_ELEMENTS (values))
    return g_strdup (values[kind]);
  switch (kind % 5)
    {
    case 0:
      return g_strdup_printf ("%s + %u", column, more + 1u);
    case 1:
      return g_strdup_printf ("%s - %u", column, more + 1u);
    case 2:
      return g_strdup_printf ("-%s", column);
    case 3:
      return g_strdup_printf ("%s << %u", column, more % 63u);
    default:
      return g_strdup_printf ("%u", more);
    }
}

static void
change_values (const Example *example, const guint8 *change)
{
  const Table *table = g_ptr_array_index (example->tables, change[1] % example->tables->len);
  const char *name = g_ptr_array_index (table->columns, change[2] % table->columns->len);
  g_autofree char *column = g_strdup_printf ("\"%s\"", name), *value = choose_value (change[3], change[4], column);
  g_autofree char *where =
      change[5] == 0 ? g_strdup ("") : g_strdup_printf (" WHERE rowid %% %u = %u", change[5] % 7u + 1u, change[6] % 7u);
  g_autofree char *sql = NULL;

  switch (change[0] % 32)
    {
    case 1:
      sql = g_strdup_printf ("DELETE FROM \"%s\"%s", table->name, where);
      break;
    case 2:
      sql = g_strdup_printf ("ALTER TABLE \"%s\" DROP COLUMN %s", table->name, column);
      break;
    case 3:
      sql = g_strdup_printf ("DROP TABLE \"%s\"", table->name);
      break;
    case 4:
      sql = g_strdup_printf ("ALTER TABLE \"%s\" RENAME COLUMN %s TO \"%s\"", table->name, column,
                             change[4] % 2 == 0 ? "start" : "\"\"x");
      break;
    default:
      sql = g_strdup_printf ("UPDATE OR IGNORE \"%s\" SET %s = %s%s", table->name, column, value, where);
    }
  sqlite3_exec (example->db, sql, NULL, NULL, NULL);
}

static void
change_page (const guint8 *change)
{
  gsize page = (gsize) (change[1] | change[2] << 8) % MAX (fuzz_memory_vfs_n_pages (), 1);

  if (page < fuzz_memory_vfs_n_pages ())
    fuzz_memory_vfs_page (page)[(gsize) (change[3] | change[4] << 8) % FUZZ_PAGE_BYTES] = change[5];
}

static void
change_export (const Example *example, const guint8 *bytes, size_t len)
{
  size_t n = MIN (len / CHANGE, MAX_CHANGES);

  for (size_t i = 0; i < n; i++)
    if (bytes[i * CHANGE] % 8 != 0)
      change_values (example, bytes + i * CHANGE);
  for (size_t i = 0; i < n; i++)
    if (bytes[i * CHANGE] % 8 == 0)
      change_page (bytes + i * CHANGE);
}

/* -- an import -------------------------------------------------------------------------------------------------- */

static void
import_export (guint8 choice, gboolean is_changed, gboolean is_whole)
{
  static char key[] = "bytes";
  char *keys[] = { key, NULL };
  const TtImportOptions options = { .rank = (choice & 1) != 0 ? 3 : -1, .args = (choice & 2) != 0 ? keys : NULL };
  /* Without them no call is a message. */
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new ((choice & 4) != 0 ? tt_name_rules_ref (rules) : NULL));
  g_autoptr (TtInputSet) set = tt_input_set_new ();
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (set->paths, g_strdup (path));
  gboolean is_done = tt_format_by_name ("nsys", NULL)->import (set, &options, sink, &error);
  g_assert (is_done == (error == NULL));
  g_assert (is_done || is_changed);
  g_assert (!is_whole || is_changed || sink->n_spans > 20);
  tt_failure_forget ();
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  if (len < 2)
    return 0;
  prepare ();
  const guint last = G_N_ELEMENTS (examples) - 1;
  guint choice = bytes[0] == WHOLE && len < 2 + CHANGE ? last : bytes[0] % last;
  fuzz_memory_vfs_set (examples[choice].image);
  change_export (&examples[choice], bytes + 2, len - 2);
  import_export (bytes[1], len >= 2 + CHANGE, choice == last);
  return 0;
}
