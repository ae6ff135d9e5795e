/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/error.h"
#include "src/store/graph.h"
#include "src/store/page-checksum.h"
#include "src/store/schema.h"
#include "src/store/store.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

/* The databases of data/databases/, made by the programs of their time: each is read as it is and upgraded; one that
 * is damaged is refused and stays as it was. tests/cli/upgrade.sh compares what is in them. */

static char *directory;

static char *
kept_database (int version)
{
  g_autofree char *name = g_strdup_printf ("version-%d.db.gz", version);

  return g_build_filename (g_getenv ("TRACETOOL_DATA"), "databases", name, NULL);
}

/* A copy to work on. Free it. */
static char *
unpack (int version)
{
  g_autofree char *packed = kept_database (version);
  g_autoptr (GFile) from = g_file_new_for_path (packed);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInputStream) raw = g_file_read (from, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GConverter) inflate = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autoptr (GInputStream) plain = g_converter_input_stream_new (G_INPUT_STREAM (raw), inflate);
  char *path = g_build_filename (directory, "old.db", NULL);
  g_autoptr (GFile) to = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) out = g_file_replace (to, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);

  g_assert_no_error (error);
  g_output_stream_splice (G_OUTPUT_STREAM (out), plain, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error);
  g_assert_no_error (error);
  return path;
}

static GBytes *
bytes_of (const char *path)
{
  char *text = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (path, &text, &len, NULL));
  return g_bytes_new_take (text, len);
}

static gboolean
upgrade (const char *path, GError **error)
{
  return tt_store_save_graph (path, 1, &(TtGraphRows){ 0 }, error);
}

static void
run_sql (const char *path, const char *sql)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, tt_page_checksum_vfs ()), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
test_every_version (void)
{
  for (int version = 1; version <= TT_SCHEMA_VERSION; version++)
    {
      g_autofree char *packed = kept_database (version);
      g_test_message ("%s", packed);
      /* Who changes the schema keeps a database of it: data/generators/databases.sh makes one. */
      g_assert_true (g_file_test (packed, G_FILE_TEST_EXISTS));

      g_autofree char *path = unpack (version);
      g_autoptr (GBytes) before = bytes_of (path);
      g_autoptr (GError) error = NULL;
      gint64 found;
      TtStore *store = tt_store_open (path, &error);
      g_assert_no_error (error);
      g_assert_cmpint (tt_store_is_old (store, &found), ==, version < TT_SCHEMA_VERSION);
      g_assert_cmpint (found, ==, version);
      tt_store_free (store);
      g_autoptr (GBytes) after = bytes_of (path);
      g_assert_true (g_bytes_equal (before, after));

      g_assert_true (upgrade (path, &error));
      g_assert_no_error (error);
      store = tt_store_open (path, &error);
      g_assert_no_error (error);
      g_assert_false (tt_store_is_old (store, &found));
      tt_store_free (store);
    }
}

typedef struct
{
  int version;
  const char *sql, *words;
  gboolean is_readable; /* what is wrong is seen only when all values are looked at */
} Damage;

static const Damage damages[] = {
  { 1, "DROP VIEW event; DROP TABLE event_row", "there is no table 'event_row', which schema version 1 has", FALSE },
  { 3, "DROP VIEW metadata; DROP TABLE metadata_row", "there is no table 'metadata_row'", FALSE },
  { 3, "DROP VIEW parameter; DROP TABLE parameter_row", "there is no table 'parameter_row'", FALSE },
  { 2, "ALTER TABLE flow_row RENAME COLUMN from_event TO source_event", "table 'flow_row' has no column 'from_event'",
    FALSE },
  { 3, "DROP VIEW counter; DROP TABLE counter_row; CREATE TABLE counter_row (id INTEGER PRIMARY KEY, series TEXT,"
       " thread INTEGER, ts_ns INTEGER, value)",
    "column 'series' of table 'counter_row' is of type 'TEXT', not 'INTEGER'", FALSE },
  { 3, "UPDATE source_row SET first_flow = 'one' WHERE id = 1", "table 'source_row' has values of a wrong type", TRUE },
  { 4, "UPDATE event_row SET ts_ns = x'00' WHERE id = 5", "table 'event_row' has values of a wrong type", TRUE },
  { 2, "UPDATE event_row SET dur_ns = 1.5 WHERE id = 5", "table 'event_row' has values of a wrong type", TRUE },
  { 3, "PRAGMA user_version = 0", "0 is no version of the schema", FALSE },
  { 3, "PRAGMA user_version = -1", "-1 is no version of the schema", FALSE },
  { 4, "PRAGMA user_version = 3", NULL, TRUE },
  { 1, "PRAGMA user_version = 4", "table 'source_row' has no column 'first_args'", FALSE },
};

static void
assert_refused (const char *path, const char *words, gboolean is_readable)
{
  g_autoptr (GBytes) before = bytes_of (path);
  g_autoptr (GError) error = NULL;
  TtStore *store = tt_store_open (path, &error);

  g_assert_cmpint (store != NULL, ==, is_readable);
  if (error != NULL)
    g_assert_nonnull (strstr (error->message, words));
  tt_store_free (store);
  g_clear_error (&error);
  g_assert_false (upgrade (path, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_STORE);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, path));
  g_autoptr (GBytes) after = bytes_of (path);
  g_assert_true (g_bytes_equal (before, after));
}

static void
test_damaged (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autofree char *path = unpack (damages[i].version);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", damages[i].sql);
      run_sql (path, damages[i].sql);
      if (damages[i].words != NULL)
        assert_refused (path, damages[i].words, damages[i].is_readable);
      else
        /* What is there already is kept. */
        g_assert_true (upgrade (path, &error));
      g_assert_no_error (error);
    }
}

static void
test_truncated (void)
{
  for (int version = 1; version < TT_SCHEMA_VERSION; version++)
    {
      g_autofree char *path = unpack (version);
      g_autoptr (GBytes) whole = bytes_of (path);
      gsize len;
      const char *text = g_bytes_get_data (whole, &len);
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, text, (gssize) (len / 2), NULL));
      g_autoptr (GBytes) before = bytes_of (path);
      g_assert_false (upgrade (path, &error));
      g_test_message ("%s", error->message);
      g_assert_true (strstr (error->message, "damaged") != NULL);
      g_autoptr (GBytes) after = bytes_of (path);
      g_assert_true (g_bytes_equal (before, after));
    }
}

/* A layout of version 4 while it was developed: no activity yet. */
static void
test_early_layout (void)
{
  g_autofree char *path = unpack (4);
  g_autoptr (GError) error = NULL;

  run_sql (path, "DROP VIEW activity; DROP TABLE activity_row; DROP TABLE role_row;"
                 "ALTER TABLE source_row DROP COLUMN first_activity; ALTER TABLE source_row DROP COLUMN last_activity;"
                 "ALTER TABLE flow_row DROP COLUMN link");
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  g_assert_no_error (error);
  g_assert_nonnull (store);
  g_assert_true (upgrade (path, &error));
  g_assert_no_error (error);
}

static gboolean
ignore_flow (const TtFlow *flow, gpointer data)
{
  return TRUE;
}

/* Too slow for libFuzzer (50 upgrades a second), so a few random ones each time: whatever the bytes are, a database is
 * read or refused, and upgraded or left as it was but for the counters of its header. */
static void
test_hostile (void)
{
  guint n_refused = 0, n_upgraded = 0;

  for (int i = 0; i < 48; i++)
    {
      g_autofree char *path = unpack (1 + i % (TT_SCHEMA_VERSION - 1));
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      gsize len;

      g_assert_true (g_file_get_contents (path, &text, &len, NULL));
      gsize reach = i % 3 == 0 ? 100 : i % 3 == 1 ? 16384 : len;
      for (int k = g_test_rand_int_range (1, 6); k > 0; k--)
        text[g_test_rand_int_range (0, (gint32) reach)] = (char) g_test_rand_int_range (0, 256);
      g_assert_true (g_file_set_contents (path, text, (gssize) len, NULL));

      TtStore *store = tt_store_open (path, NULL);
      if (store != NULL && tt_store_select_run (store, "all", NULL))
        tt_store_each_flow (store, ignore_flow, NULL, NULL);
      tt_store_free (store);
      if (upgrade (path, &error))
        {
          n_upgraded++;
          continue;
        }
      n_refused++;
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, path));
      g_autoptr (GBytes) after = bytes_of (path);
      g_assert_cmpmem ((const char *) g_bytes_get_data (after, NULL) + 100, g_bytes_get_size (after) - 100, text + 100,
                       len - 100);
    }
  g_test_message ("%u refused, %u upgraded", n_refused, n_upgraded);
  g_assert_cmpuint (n_refused, >, 0);
  g_assert_cmpuint (n_upgraded, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  directory = g_dir_make_tmp ("tracetool-upgrade-XXXXXX", NULL);
  g_test_add_func ("/upgrade/every-version", test_every_version);
  g_test_add_func ("/upgrade/damaged", test_damaged);
  g_test_add_func ("/upgrade/truncated", test_truncated);
  g_test_add_func ("/upgrade/early-layout", test_early_layout);
  g_test_add_func ("/upgrade/hostile", test_hostile);
  int status = g_test_run ();

  g_autofree char *path = g_build_filename (directory, "old.db", NULL);
  g_unlink (path);
  g_rmdir (directory);
  return status;
}
