/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/import.h"
#include "src/store/store.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/error.h"
#include "src/store/page-checksum.h"
#include "src/store/schema.h"
#include "tests/require.h"
#include "tests/store/store-example.h"

/* An import is all or nothing; runs, --add and --replace. */

#define PAGE_BYTES ((gsize) 16384)

static char *directory;

static char *
fresh_path (void)
{
  static int n;

  return g_strdup_printf ("%s/%d.db", directory, ++n);
}

static void
import_ok (const char *path, const ExampleOptions *options, ExampleFill fill, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (example_import (path, options, fill, data, &error));
  g_assert_no_error (error);
}

static void
assert_query (const char *path, const char *run, const char *sql, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);

  require_no_error (error);
  if (store == NULL)
    return;
  g_assert_true (tt_store_select_run (store, run, &error));
  g_autofree char *text = example_query (store, sql);
  g_assert_cmpstr (text, ==, expected);
}

/* Everything that is in the public tables, sources and ids of rows apart. */
static char *
contents (const char *path)
{
  static const char *const queries[] = {
    "SELECT pid, tid, name, ts_ns, dur_ns, self_ns, depth, step, args, flags FROM event ORDER BY pid, ts_ns, depth",
    "SELECT src_pid, src_tid, dst_pid, dst_tid, tag, comm, ordinal, send_ns, recv_ns, bytes, flags FROM message"
    " ORDER BY src_pid, dst_pid, ordinal",
    "SELECT function, ordinal, pid, tid, (SELECT ts_ns FROM event e WHERE e.id = c.event) FROM collective c"
    " ORDER BY function, ordinal, pid",
    "SELECT * FROM statistic ORDER BY op_long_name",
    "SELECT * FROM counter ORDER BY pid, ts_ns",
    "SELECT name, inclusive, exclusive FROM metric ORDER BY inclusive",
    "SELECT (SELECT pid FROM process p WHERE p.id = process), key, value FROM metadata ORDER BY 1, 2",
  };
  GString *text = g_string_new (NULL);
  g_autoptr (TtStore) store = tt_store_open (path, NULL);

  for (guint i = 0; store != NULL && i < G_N_ELEMENTS (queries); i++)
    {
      g_autofree char *part = example_query (store, queries[i]);
      g_string_append (text, part);
    }
  return g_string_free (text, FALSE);
}

static guint
n_files (void)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static GBytes *
bytes_of (const char *path)
{
  char *data = NULL;
  gsize len = 0;

  g_file_get_contents (path, &data, &len, NULL);
  return g_bytes_new_take (data, len);
}

/* -- whole imports ------------------------------------------------------------------------------- */

static void
test_same_bytes (void)
{
  g_autofree char *one = fresh_path (), *two = fresh_path ();

  g_setenv ("SOURCE_DATE_EPOCH", "1600000000", TRUE);
  import_ok (one, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (4));
  import_ok (two, &(ExampleOptions){ .threaded = TRUE }, example_all_ranks, GUINT_TO_POINTER (4));
  g_autoptr (GBytes) first = bytes_of (one), second = bytes_of (two);
  g_assert_cmpmem (g_bytes_get_data (first, NULL), g_bytes_get_size (first), g_bytes_get_data (second, NULL),
                   g_bytes_get_size (second));
  assert_query (one, NULL, "SELECT imported_at FROM run", "2020-09-13T12:26:40Z\n");
}

static void
test_two_runs (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) error = NULL;
  guint n;

  import_ok (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2));
  import_ok (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (3));
  assert_query (path, NULL, "SELECT run, count (*), count (DISTINCT name) FROM event GROUP BY run", "1|28|5\n2|42|5\n");
  assert_query (path, NULL, "SELECT run, count (*) FROM message GROUP BY run", "1|4\n2|6\n");
  assert_query (path, NULL, "SELECT run, count (*) FROM collective GROUP BY run", "1|8\n2|12\n");

  g_autoptr (TtStore) store = tt_store_open (path, &error);
  require_no_error (error);
  g_assert_cmpuint (tt_store_n_events (store), ==, 42);
  g_assert_true (tt_store_select_run (store, "1", &error));
  g_assert_cmpuint (tt_store_n_events (store), ==, 28);
  g_assert_cmpuint (tt_store_max_process (store), ==, 2);
  g_assert_true (tt_store_select_run (store, "all", &error));
  g_assert_cmpuint (tt_store_n_events (store), ==, 70);
  tt_store_processes (store, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpstr (tt_store_name (store, tt_store_max_name (store))->op_cat, !=, NULL);
  g_assert_false (tt_store_select_run (store, "7", &error));
  require_error (error, TT_ERROR, TT_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "choose 'all' or one of 1 and 2"));
}

static void
fill_one_rank (TtSink *sink, gpointer rank)
{
  example_rank (sink, GPOINTER_TO_UINT (rank), 3, 2);
}

/* Rank by rank with --add, in any order, is the same as at once. */
static void
test_add_in_pieces (void)
{
  g_autofree char *whole = fresh_path (), *pieces = fresh_path ();
  const guint order[] = { 2, 0, 1 };

  import_ok (whole, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (3));
  for (guint i = 0; i < 3; i++)
    {
      import_ok (pieces, &(ExampleOptions){ .add = TRUE }, fill_one_rank, GUINT_TO_POINTER (order[i]));
      if (i == 0)
        assert_query (pieces, NULL,
                      "SELECT src_pid, dst_pid, ordinal, send_ns IS NULL, recv_ns IS NULL, bytes, flags FROM message",
                      "node2|node0|0|0|1|64|unmatched\nnode2|node0|1|0|1|65|unmatched\n"
                      "node1|node2|0|1|0|4096|unmatched\nnode1|node2|1|1|0|4096|unmatched\n");
    }
  g_autofree char *one = contents (whole), *two = contents (pieces);
  g_assert_cmpstr (one, ==, two);
  assert_query (pieces, NULL, "SELECT count (*) FROM run", "1\n");
}

static void
test_replace (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) error = NULL;
  TtStoreImportOptions options = { .command = "x", .add = TRUE };
  guint32 source = 0;

  import_ok (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (3));
  g_autofree char *before = contents (path);
  TtStoreImport *import = tt_store_import_begin (path, &options, example_names (), &error);
  require_no_error (error);
  g_assert_true (tt_store_import_has_size (import, 24001));
  g_assert_false (tt_store_import_has_size (import, 1));
  g_assert_true (tt_store_import_has_source (import, 24001, "00000000000000000000000000000002", &source));
  g_assert_cmpuint (source, ==, 2);
  g_assert_false (tt_store_import_has_source (import, 24001, "0", &source));
  tt_store_import_free (import);

  for (guint rank = 0; rank < 3; rank++)
    {
      ExampleOptions replace = { .add = TRUE, .remove = rank + 1 };
      import_ok (path, &replace, fill_one_rank, GUINT_TO_POINTER (rank));
      g_autofree char *after = contents (path);
      g_assert_cmpstr (after, ==, before);
    }
  assert_query (path, NULL, "SELECT min (id), max (id), count (*) FROM source", "4|6|3\n");
}

/* -- what can go wrong ------------------------------------------------------------------------------- */

static void
test_failed_import (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) error = NULL;
  guint before = n_files ();

  g_assert_false (
      example_import (path, &(ExampleOptions){ .fail = TRUE }, example_all_ranks, GUINT_TO_POINTER (2), &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_cmpuint (n_files (), ==, before);

  import_ok (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2));
  g_autoptr (GBytes) one = bytes_of (path);
  for (int threaded = 0; threaded < 2; threaded++)
    {
      ExampleOptions options = { .fail = TRUE, .threaded = threaded, .remove = threaded, .add = threaded };
      g_assert_false (example_import (path, &options, example_all_ranks, GUINT_TO_POINTER (2), &error));
      g_clear_error (&error);
    }
  g_assert_cmpuint (n_files (), ==, before + 1);

  /* SQLite counts changes of its journal mode in the first page; nothing else may differ but that page's checksum. */
  const gsize checksum = PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES;
  g_autoptr (GBytes) two = bytes_of (path);
  gsize n = g_bytes_get_size (one);
  const guint8 *x = g_bytes_get_data (one, NULL), *y = g_bytes_get_data (two, NULL);
  g_assert_cmpuint (n, ==, g_bytes_get_size (two));
  g_assert_cmpmem (x, 24, y, 24);
  g_assert_cmpmem (x + 28, 64, y + 28, 64);
  g_assert_cmpmem (x + 100, checksum - 100, y + 100, checksum - 100);
  g_assert_cmpmem (x + PAGE_BYTES, n - PAGE_BYTES, y + PAGE_BYTES, n - PAGE_BYTES);
}

/* In the first page. */
static void
patch (const char *path, gsize offset, guint8 byte)
{
  g_autofree char *data = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (path, &data, &len, NULL));
  data[offset] = (char) byte;
  tt_page_checksum_compute ((const guint8 *) data, PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES,
                            (guint8 *) data + PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES);
  g_assert_true (g_file_set_contents (path, data, (gssize) len, NULL));
}

static void
assert_refused (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (tt_store_open (path, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_clear_error (&error);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  g_autoptr (GBytes) before = bytes_of (path);
  g_assert_false (example_import (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2), &error));
  g_assert_nonnull (strstr (error->message, words));
  g_autoptr (GBytes) after = bytes_of (path);
  g_assert_true (g_bytes_equal (before, after));
}

static void
test_foreign_files (void)
{
  g_autofree char *missing = fresh_path (), *garbage = fresh_path (), *empty = fresh_path ();
  g_autofree char *newer = fresh_path (), *foreign = fresh_path (), *cut = fresh_path ();

  assert_refused (missing, "no database '");
  assert_refused (directory, "is not a file");
  g_assert_true (g_file_set_contents (garbage, "SQLite? certainly not, but long enough", -1, NULL));
  assert_refused (garbage, "is not a tracetool database");
  g_assert_true (g_file_set_contents (empty, "", 0, NULL));
  assert_refused (empty, "is not a tracetool database: it is empty");
  import_ok (newer, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2));
  patch (newer, 63, 200);
  assert_refused (newer, "has schema version 200, this tracetool knows up to " G_STRINGIFY (TT_SCHEMA_VERSION)
                         "; use a newer tracetool, or import the traces into another --db");
  import_ok (foreign, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2));
  patch (foreign, 70, 1);
  assert_refused (foreign, "is an SQLite database of another program");
  g_assert_true (g_file_set_contents (cut, "SQLite format 3", 16, NULL));
  assert_refused (cut, "is not a tracetool database");
}

/* Readers go on while an import writes, a second writer is told. */
static void
fill_while_reading (TtSink *sink, gpointer data)
{
  const char *path = data;

  example_all_ranks (sink, GUINT_TO_POINTER (2));
  tt_sink_flush (sink);
  assert_query (path, NULL, "SELECT count (*) FROM run", "1\n");
  assert_query (path, NULL, "SELECT count (*) FROM event", "28\n");
}

static void
test_readers_go_on (void)
{
  g_autofree char *path = fresh_path ();

  import_ok (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2));
  import_ok (path, &(ExampleOptions){ .scan = TRUE }, fill_while_reading, path);
  assert_query (path, "all", "SELECT count (*) FROM event", "56\n");
}

static void
fill_while_writing (TtSink *sink, gpointer data)
{
  g_autoptr (GError) error = NULL;

  example_all_ranks (sink, GUINT_TO_POINTER (2));
  tt_sink_flush (sink);
  g_assert_false (example_import (data, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2), &error));
  require_error (error, TT_ERROR, TT_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "another process is using it"));
}

static void
test_second_writer (void)
{
  g_autofree char *path = fresh_path ();

  import_ok (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2));
  import_ok (path, &(ExampleOptions){ 0 }, fill_while_writing, path);
  assert_query (path, NULL, "SELECT count (*) FROM run", "2\n");
}

static void
fill_while_appearing (TtSink *sink, gpointer data)
{
  example_all_ranks (sink, GUINT_TO_POINTER (2));
  g_assert_true (g_file_set_contents (data, "mine", -1, NULL));
}

static void
test_database_appears (void)
{
  g_autofree char *path = fresh_path (), *kept = NULL;
  g_autoptr (GError) error = NULL;
  guint before = n_files ();

  g_assert_false (example_import (path, &(ExampleOptions){ 0 }, fill_while_appearing, path, &error));
  g_assert_nonnull (strstr (error->message, "appeared while this import was running"));
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "mine");
  g_assert_cmpuint (n_files (), ==, before + 1);
}

/* -- kill -9 ---------------------------------------------------------------------------------------- */

static void
fill_many (TtSink *sink, gpointer data)
{
  for (guint rank = 0; rank < 4; rank++)
    example_rank (sink, rank, 4, 4000);
}

static gint64
import_in_child (const char *path, gint64 kill_after_us)
{
  gint64 begin = g_get_monotonic_time ();
  pid_t pid = fork ();

  if (pid == 0)
    _exit (example_import (path, &(ExampleOptions){ 0 }, fill_many, NULL, NULL) ? 0 : 1);
  if (kill_after_us >= 0)
    {
      g_usleep ((gulong) kill_after_us);
      kill (pid, SIGKILL);
    }
  waitpid (pid, NULL, 0);
  return g_get_monotonic_time () - begin;
}

static void
test_kill (void)
{
  g_autofree char *warm = fresh_path ();
  gint64 whole_us = import_in_child (warm, -1);
  const int n = 12;

  for (int existing = 0; existing < 2; existing++)
    for (int i = 0; i < n; i++)
      {
        g_autofree char *path = fresh_path ();

        if (existing)
          import_ok (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2));
        import_in_child (path, whole_us * (i + 1) / n);
        if (g_file_test (path, G_FILE_TEST_EXISTS))
          {
            g_autoptr (GError) error = NULL;
            g_autoptr (TtStore) store = tt_store_open (path, &error);
            require_no_error (error);
            if (store == NULL)
              continue;
            tt_store_select_run (store, "all", NULL);
            g_autofree char *counts = example_query (
                store,
                "SELECT (SELECT count (*) FROM run), (SELECT count (*) FROM event), (SELECT count (*) FROM message),"
                " (SELECT count (*) FROM collective), (SELECT count (*) FROM statistic) > 0");
            const char *whole = existing ? "2|112028|16004|32008|1\n" : "1|112000|16000|32000|1\n";
            g_assert_true (strcmp (counts, whole) == 0 || (existing && strcmp (counts, "1|28|4|8|1\n") == 0));
          }
        /* The next import works, and removes what the killed one left. */
        import_ok (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2));
        g_unlink (path);
      }
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    g_assert_null (strstr (name, "importing"));
}

/* What a writer leaves that dies after it has begun to change the file itself. */
static void
leave_journal (const char *path)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      sqlite3 *db;
      sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, tt_page_checksum_vfs ());
      sqlite3_exec (db, "PRAGMA cache_size = 2; BEGIN; UPDATE event_row SET dur_ns = 1; UPDATE name_row SET raw = 'x'",
                    NULL, NULL, NULL);
      _exit (0);
    }
  waitpid (pid, NULL, 0);
}

static void
test_journal (void)
{
  g_autofree char *path = fresh_path (), *journal = g_strconcat (path, "-journal", NULL);

  import_ok (path, &(ExampleOptions){ 0 }, fill_many, NULL);
  g_autofree char *before = contents (path);
  leave_journal (path);
  g_assert_true (g_file_test (journal, G_FILE_TEST_EXISTS));
  g_autofree char *after = contents (path);
  g_assert_cmpstr (after, ==, before);
  g_assert_false (g_file_test (journal, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  directory = g_dir_make_tmp ("tracetool-store-XXXXXX", NULL);
  g_test_add_func ("/store/import/same-input-same-bytes", test_same_bytes);
  g_test_add_func ("/store/import/runs-are-apart", test_two_runs);
  g_test_add_func ("/store/import/added-in-pieces-is-as-at-once", test_add_in_pieces);
  g_test_add_func ("/store/import/replaced-is-as-before", test_replace);
  g_test_add_func ("/store/import/failure-leaves-all-as-it-was", test_failed_import);
  g_test_add_func ("/store/import/foreign-files-are-refused", test_foreign_files);
  g_test_add_func ("/store/import/readers-go-on", test_readers_go_on);
  g_test_add_func ("/store/import/second-writer-is-told", test_second_writer);
  g_test_add_func ("/store/import/a-database-that-appears-is-kept", test_database_appears);
  g_test_add_func ("/store/import/kill-leaves-all-or-nothing", test_kill);
  g_test_add_func ("/store/import/a-journal-left-behind-is-rolled-back", test_journal);
  int status = g_test_run ();
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      g_unlink (path);
    }
  g_rmdir (directory);
  g_free (directory);
  return status;
}
