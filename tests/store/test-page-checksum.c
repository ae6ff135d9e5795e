/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/page-checksum.h"

#include <glib/gstdio.h>
#include <string.h>

#include "tests/require.h"

/* Checksums of pages: the sum as its definition has it, and files whose bytes change behind SQLite. */

static char *directory;

static void
plain_sum (const guint8 *bytes, gsize n, guint8 checksum[TT_PAGE_CHECKSUM_BYTES])
{
  guint32 sum[2] = { 0, 0 };

  for (gsize i = 0; i < n; i += 8)
    {
      sum[0] += (guint32) (bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16) + ((guint32) bytes[i + 3] << 24) + sum[1];
      sum[1] += (guint32) (bytes[i + 4] | bytes[i + 5] << 8 | bytes[i + 6] << 16) + ((guint32) bytes[i + 7] << 24) + sum[0];
    }
  for (int i = 0; i < TT_PAGE_CHECKSUM_BYTES; i++)
    checksum[i] = (guint8) (sum[i / 4] >> (8 * (i % 4)));
}

static void
test_sum (void)
{
  g_autofree guint8 *bytes = g_malloc (65536);

  for (gsize i = 0; i < 65536; i++)
    bytes[i] = (guint8) g_test_rand_int ();
  for (gsize n = 8; n < 65536; n += n < 1024 ? 8 : 1016)
    {
      guint8 found[TT_PAGE_CHECKSUM_BYTES], expected[TT_PAGE_CHECKSUM_BYTES];

      tt_page_checksum_compute (bytes, n, found);
      plain_sum (bytes, n, expected);
      g_assert_cmpmem (found, sizeof found, expected, sizeof expected);
    }
}

static sqlite3 *
open_database (const char *path, gboolean is_new)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, tt_page_checksum_vfs ()), ==,
                   SQLITE_OK);
  if (is_new)
    tt_page_checksum_enable (db);
  return db;
}

static void
exec (sqlite3 *db, const char *sql)
{
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
}

/* Many pages are written before the first one: the cache is small. */
static char *
make_database (const char *name, gboolean with_checksums)
{
  char *path = g_build_filename (directory, name, NULL);
  sqlite3 *db = open_database (path, with_checksums);

  exec (db, "PRAGMA page_size = 4096; PRAGMA cache_size = 4; PRAGMA journal_mode = OFF; BEGIN; CREATE TABLE t (x);"
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
            " INSERT INTO t SELECT i * 7919 FROM n; COMMIT");
  g_assert_true (tt_page_checksum_is_enabled (db) == with_checksums);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return path;
}

/* The code of the statement that reads all. */
static int
read_all (const char *path, gint64 *sum, guint64 *fault)
{
  sqlite3 *db = open_database (path, FALSE);
  sqlite3_stmt *row = NULL;
  int code = sqlite3_prepare_v2 (db, "SELECT sum (x) FROM t", -1, &row, NULL);

  if (code == SQLITE_OK && (code = sqlite3_step (row)) == SQLITE_ROW)
    *sum = sqlite3_column_int64 (row, 0);
  code = code == SQLITE_ROW ? SQLITE_OK : sqlite3_extended_errcode (db);
  *fault = tt_page_checksum_fault (db);
  sqlite3_finalize (row);
  sqlite3_close (db);
  return code;
}

static void
test_every_page (void)
{
  g_autofree char *path = make_database ("pages.db", TRUE), *data = NULL;
  gint64 sum = 0;
  guint64 fault;
  gsize len;

  g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_OK);
  g_assert_cmpint (sum, ==, 7919 * (gint64) 200010000);
  g_assert_cmpuint (fault, ==, 0);
  g_assert_true (g_file_get_contents (path, &data, &len, NULL));
  g_assert_cmpuint (len / 4096, >, 40);
  for (gsize page = 0; page < len / 4096; page++)
    {
      gsize offset = page * 4096 + (page == 0 ? 20 : (gsize) g_test_rand_int_range (0, 4096));

      data[offset] ^= 0x10;
      g_assert_true (g_file_set_contents (path, data, (gssize) len, NULL));
      g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_IOERR_DATA);
      g_assert_cmpuint (fault, ==, page + 1);
      data[offset] ^= 0x10;
    }
}

static void
test_writes_of_others (void)
{
  g_autofree char *path = make_database ("others.db", TRUE);
  gint64 sum = 0;
  guint64 fault;
  sqlite3 *db = open_database (path, FALSE);

  exec (db, "PRAGMA journal_mode = WAL; UPDATE t SET x = 1; PRAGMA wal_checkpoint (TRUNCATE); PRAGMA journal_mode = DELETE;"
            "UPDATE t SET x = 2");
  sqlite3_close (db);
  g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_OK);
  g_assert_cmpint (sum, ==, 40000);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  exec (db, "UPDATE t SET x = 3 WHERE rowid = 12345");
  sqlite3_close (db);
  g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_IOERR_DATA);
}

/* A reader that knows nothing of checksums copies pages from the log when it is the last one. */
static void
test_log_of_others (void)
{
  g_autofree char *path = make_database ("log.db", TRUE);
  gint64 sum = 0;
  guint64 fault;
  sqlite3 *ours = open_database (path, FALSE), *other;

  g_assert_cmpint (sqlite3_open (path, &other), ==, SQLITE_OK);
  exec (ours, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE t SET x = 4");
  exec (other, "SELECT count (*) FROM t");
  sqlite3_close (ours);
  sqlite3_close (other);
  g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_OK);
  g_assert_cmpint (sum, ==, 80000);
  ours = open_database (path, FALSE);
  exec (ours, "PRAGMA journal_mode = DELETE");
  sqlite3_close (ours);
  g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_OK);
  g_assert_cmpint (sum, ==, 80000);
  g_assert_cmpint (sqlite3_open (path, &other), ==, SQLITE_OK);
  exec (other, "UPDATE t SET x = 3 WHERE rowid = 12345");
  sqlite3_close (other);
  g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_IOERR_DATA);
}

static void
test_without (void)
{
  g_autofree char *path = make_database ("without.db", FALSE);
  gint64 sum = 0;
  guint64 fault;
  sqlite3 *db;

  g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  exec (db, "UPDATE t SET x = 3");
  sqlite3_close (db);
  g_assert_cmpint (read_all (path, &sum, &fault), ==, SQLITE_OK);
  g_assert_cmpint (sum, ==, 60000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  directory = g_dir_make_tmp ("tracetool-pages-XXXXXX", NULL);
  g_test_add_func ("/store/page-checksum/sum", test_sum);
  g_test_add_func ("/store/page-checksum/every-page", test_every_page);
  g_test_add_func ("/store/page-checksum/writes-of-others", test_writes_of_others);
  g_test_add_func ("/store/page-checksum/log-of-others", test_log_of_others);
  g_test_add_func ("/store/page-checksum/without", test_without);
  int status = g_test_run ();
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", directory);
  g_assert_cmpint (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL), ==, TRUE);
  g_free (directory);
  return status;
}
