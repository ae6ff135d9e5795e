/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/table-writer.h"

#include <math.h>
#include <stdio.h>

#include "src/store/page-checksum.h"
#include "tests/require.h"

/* Rows that are written as pages are those that a statement writes, of as many columns as a row may have. */

#define N_COLUMNS TT_ROW_MAX_COLUMNS
#define COLUMNS "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee"

static const guint counts[] = { 0, 1, 2, 3000 };

static TtConnection *
open_new (const char *path)
{
  g_autoptr (GError) error = NULL;
  TtConnection *self = NULL;

  g_assert_true (g_file_set_contents (path, "", 0, &error));
  self = tt_connection_open_own (path, path, &error);
  g_assert_no_error (error);
  tt_page_checksum_enable (self->db);
  g_assert_true (tt_connection_exec (self,
                                     "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; BEGIN;"
                                     "CREATE TABLE ours (id INTEGER PRIMARY KEY, " COLUMNS ");"
                                     "CREATE TABLE theirs (id INTEGER PRIMARY KEY, " COLUMNS ")",
                                     &error));
  return self;
}

static void
make_row (GRand *random, TtRowValue *values)
{
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      guint64 bits = (guint64) g_rand_int (random) << 32 | g_rand_int (random);

      values[i] = tt_row_int ((gint64) (bits >> g_rand_int_range (random, 0, 64)));
      if (g_rand_int_range (random, 0, 5) == 0)
        values[i] = (TtRowValue){ .type = TT_ROW_NULL };
      else if (g_rand_int_range (random, 0, 5) == 0)
        values[i] = tt_row_real (g_rand_boolean (random) ? g_rand_double_range (random, -1e9, 1e9) : NAN);
      else if (g_rand_boolean (random))
        values[i].integer = ~values[i].integer;
    }
}

static void
write_rows (TtConnection *connection, const char *table, guint n, guint64 n_before)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtTableWriter) rows = tt_table_writer_new (connection, table, COLUMNS, N_COLUMNS, &error);
  g_autoptr (GRand) random = g_rand_new_with_seed (n + (guint) n_before);
  TtRowValue values[N_COLUMNS];
  guint64 first, last;

  require_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      make_row (random, values);
      g_assert_true (tt_table_writer_add (rows, values, &error));
    }
  g_assert_true (tt_table_writer_finish (rows, &first, &last, &error));
  require_no_error (error);
  g_assert_cmpuint (first, ==, n_before + 1);
  g_assert_cmpuint (last, ==, n_before + n);
}

static void
assert_int (TtConnection *connection, const char *sql, gint64 expected)
{
  g_autoptr (GError) error = NULL;
  gint64 value = -1;

  g_assert_true (tt_connection_get_int (connection, sql, &value, &error));
  require_no_error (error);
  g_assert_cmpint (value, ==, expected);
}

static void
assert_same (TtConnection *connection, gint64 n)
{
  assert_int (connection, "SELECT count (*) FROM ours", n);
  assert_int (connection, "SELECT count (*) FROM (SELECT * FROM ours EXCEPT SELECT * FROM theirs)", 0);
  assert_int (connection, "SELECT count (*) FROM (SELECT * FROM theirs EXCEPT SELECT * FROM ours)", 0);
  assert_int (connection, "SELECT integrity_check = 'ok' FROM pragma_integrity_check", 1);
}

static void
test_same (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_dir_make_tmp ("tracetool-table-XXXXXX", &error);
  g_autofree char *path = g_strdup_printf ("%s/table.db", directory);

  require_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (TtConnection) connection = open_new (path);
      const int n_changes = sqlite3_total_changes (connection->db);

      connection->is_new_file = TRUE;
      write_rows (connection, "ours", counts[i], 0);
      /* SQLite knows nothing of them. */
      g_assert_cmpint (sqlite3_total_changes (connection->db), ==, n_changes);
      connection->is_new_file = FALSE;
      write_rows (connection, "theirs", counts[i], 0);
      g_assert_cmpint (sqlite3_total_changes (connection->db), ==, n_changes + (int) counts[i]);
      assert_same (connection, counts[i]);

      /* A table that has rows goes on by statement, in a new file, too. */
      connection->is_new_file = counts[i] > 0;
      write_rows (connection, "ours", 7, counts[i]);
      connection->is_new_file = FALSE;
      write_rows (connection, "theirs", 7, counts[i]);
      assert_same (connection, counts[i] + 7);
      remove (path);
    }
  remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table-writer/pages-and-statement", test_same);
  return g_test_run ();
}
