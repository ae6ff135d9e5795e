/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/store/odd-databases.h"

#include <sqlite3.h>

#include "src/store/page-checksum.h"
#include "tests/store/store-example.h"

#define N_RANKS 3u
#define N_ROUNDS 25u
#define PAGE 512u

static void
fill (TtSink *sink, gpointer data)
{
  for (guint rank = 0; rank < N_RANKS; rank++)
    example_rank (sink, rank, N_RANKS, N_ROUNDS);
}

static void
seal (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  gsize len = 0;

  g_assert_true (g_file_get_contents (path, &data, &len, &error));
  for (gsize page = 0; page < len; page += PAGE)
    tt_page_checksum_compute ((guint8 *) data + page, PAGE - TT_PAGE_CHECKSUM_BYTES,
                              (guint8 *) data + page + PAGE - TT_PAGE_CHECKSUM_BYTES);
  g_assert_true (g_file_set_contents (path, data, (gssize) len, &error));
}

static const char *const changes[] = {
  "SELECT 1",
  "DELETE FROM event_row WHERE id % 100 BETWEEN 20 AND 70 OR id < 30",
  "DELETE FROM event_row WHERE id > 900; UPDATE event_row SET step = id % 3, args = NULL WHERE id % 2",
  "DELETE FROM event_row",
  "UPDATE event_row SET thread = id % 5, name = id % 90, shape = id * 5000 + id % 4",
  "UPDATE event_row SET thread = NULL, name = NULL WHERE id % 3; UPDATE event_row SET shape = NULL WHERE id % 5",
  "UPDATE event_row SET ts_ns = NULL WHERE id % 3; UPDATE event_row SET dur_ns = NULL WHERE id % 4",
  "UPDATE event_row SET self_ns = 2.5 WHERE id = 500",
  "UPDATE event_row SET name = 'abc' WHERE id = 700; UPDATE event_row SET thread = 1.5 WHERE id = 701",
  "UPDATE event_row SET dur_ns = zeroblob (3000), step = 'x' WHERE id IN (100, 1100)",
  "UPDATE event_row SET ts_ns = 9223372036854775000 + id % 1000, dur_ns = 9223372036854775807",
  "UPDATE event_row SET id = - id WHERE id < 100",
  "UPDATE event_row SET id = id + 9223372036854770000 WHERE id > 1500",
  "DELETE FROM name_row WHERE id % 3 = 0; DELETE FROM thread_row WHERE id = 2; DELETE FROM process_row WHERE id = 3",
  "UPDATE name_row SET text = 'same', op_cat = id % 2; UPDATE thread_row SET tid = '7', process = 1",
  "UPDATE name_row SET suffix = x'0102', text = x'61', raw = 5, line = 'five' WHERE id % 2",
  "UPDATE name_row SET text = NULL, native_group = printf ('%.*c', 1000, 'g'), file = 'a' || char (0) || id",
  "UPDATE process_row SET pid = NULL WHERE id = 1; UPDATE process_row SET pid = x'3132' WHERE id = 2",
  "UPDATE thread_row SET tid = '10' WHERE id % 2; UPDATE event_row SET ts_ns = 10 WHERE id % 2",
  "UPDATE source_row SET first_event = 1",
  "UPDATE source_row SET first_event = NULL WHERE id % 2; UPDATE source_row SET run = id",
  "UPDATE source_row SET first_event = 2.5 WHERE id = 1",
  "DELETE FROM source_row",
  "INSERT INTO clock_row VALUES (1, 2, -100, 50, 7, 3), (1, 2, 50, 3000, 1000, -40), (2, 2, 5, 5, 8, 9)",
  "INSERT INTO clock_row SELECT id, 2, -1000, 100000, 77, 5000 FROM process_row; UPDATE event_row SET ts_ns = NULL, "
  "dur_ns = NULL"
  " WHERE id % 11 = 0",
  "INSERT INTO clock_row VALUES (1, 2, -9223372036854775807, 9223372036854775807, 7, 3), (2, 2, 0, 9000, 7, "
  "9223372036854775807)",
  "INSERT INTO clock_row VALUES (1, 1, 0, 10, 7, 3)",
  "INSERT INTO clock_row VALUES (1, 2, 0.5, 10, 7, 3)",
  "INSERT INTO flag_row VALUES (4, x'00'), (5, 'five'); UPDATE flag_row SET text = 6 WHERE id = 1;"
  "UPDATE event_row SET shape = id % 20",
  "UPDATE args_row SET json = 5 WHERE id % 2; UPDATE args_row SET json = x'41' WHERE id % 3; DELETE FROM args_row "
  "WHERE id % 5",
  "WITH RECURSIVE n (i) AS (SELECT 10000 UNION ALL SELECT i + 1 FROM n WHERE i < 10300) INSERT INTO name_row"
  " (id, run, op_cat, op_name, text, raw) SELECT i, 1, 'COMP', 'x' || i, 'COMP.x' || i % 150, 'x' FROM n;"
  "UPDATE event_row SET name = 10000 + id % 301 WHERE id % 2",
  "UPDATE event_row SET step = id",
};

const guint n_odd_databases = G_N_ELEMENTS (changes);

char *
odd_database_make (const char *directory, guint number)
{
  const char *sql = changes[number];
  static guint n_made;
  g_autofree char *name = g_strdup_printf ("%u.db", n_made++);
  char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;
  sqlite3 *db = NULL;

  for (int i = 0; i < 2; i++)
    g_assert_true (example_import (path, &(ExampleOptions){ .add = i > 0 }, fill, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM", NULL, NULL, NULL),
                   ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  seal (path);
  return path;
}

/* -- answers ------------------------------------------------------------------------------------------------------- */

gboolean
odd_database_write_row (const TtCell *cells, guint n, gpointer data)
{
  GString *line = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    switch (cells[i].kind)
      {
      case TT_CELL_NULL:
        g_string_append (line, "|-");
        break;
      case TT_CELL_INT:
        g_string_append_printf (line, "|%" G_GINT64_FORMAT, cells[i].integer);
        break;
      case TT_CELL_REAL:
        g_string_append_printf (line, "|%.17g", cells[i].real);
        break;
      case TT_CELL_TEXT:
        g_string_append_printf (line, "|'%s'", cells[i].text);
        break;
      }
  g_ptr_array_add (data, g_string_free (line, FALSE));
  return TRUE;
}

gboolean
odd_database_write_names (const char *const *names, guint n, gpointer data)
{
  GString *line = g_string_new ("\001");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (line, "|%s", names[i]);
  g_ptr_array_add (data, g_string_free (line, FALSE));
  return TRUE;
}
