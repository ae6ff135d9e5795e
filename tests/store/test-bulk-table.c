/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/bulk-table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/store/page-checksum.h"
#include "tests/require.h"

/* Tables written as pages are those that SQLite makes by INSERT of the same rows, and sound to its own check. */

#define N_COLUMNS 5u
#define COLUMNS "(id INTEGER PRIMARY KEY, a INTEGER, b, c TEXT, d INTEGER)"

static char *directory;

typedef struct
{
  guint page_bytes, n_rows;
  guint max_text;      /* bytes of the longest text */
  guint max_gap;       /* between ids */
  guint32 lock_offset; /* 0: as it is */
  guint64 before;      /* the first id is greater */
} Shape;

typedef struct
{
  TtConnection *connection;
  TtBulkPages *pages;
  TtBulkTable *table;
  sqlite3_stmt *insert, *other;
  GRand *random;
  char *text;
} Fixture;

static void
set_up (Fixture *self, const Shape *shape)
{
  g_autofree char *path = g_strdup_printf ("%s/bulk.db", directory);
  g_autofree char *begin =
      g_strdup_printf ("PRAGMA page_size = %u; PRAGMA journal_mode = OFF; BEGIN", shape->page_bytes);
  g_autoptr (GError) error = NULL;

  if (shape->lock_offset != 0)
    sqlite3_test_control (SQLITE_TESTCTRL_PENDING_BYTE, shape->lock_offset);
  g_assert_true (g_file_set_contents (path, "", 0, &error));
  self->connection = tt_connection_open_own (path, path, &error);
  require_no_error (error);
  tt_page_checksum_enable (self->connection->db);
  g_assert_true (tt_connection_exec (self->connection, begin, &error));
  g_assert_true (tt_connection_exec (self->connection,
                                     "CREATE TABLE ours " COLUMNS "; CREATE TABLE theirs " COLUMNS
                                     "; CREATE TABLE other (id INTEGER PRIMARY KEY, x)",
                                     &error));
  self->pages = tt_bulk_pages_new (self->connection, &error);
  require_no_error (error);
  if (shape->lock_offset != 0)
    tt_bulk_pages_set_lock_offset (self->pages, shape->lock_offset);
  self->table = tt_bulk_table_new (self->pages, "ours", N_COLUMNS, &error);
  require_no_error (error);
  self->insert = tt_connection_prepare (self->connection, "INSERT INTO theirs VALUES (?1, ?2, ?3, ?4, ?5)", &error);
  self->other = tt_connection_prepare (self->connection, "INSERT INTO other (x) VALUES (zeroblob (?1))", &error);
  require_no_error (error);
  self->random = g_rand_new_with_seed (shape->page_bytes + shape->n_rows + shape->max_text);
  self->text = g_malloc (shape->max_text + 1);
  memset (self->text, 'x', shape->max_text + 1);
}

static void
tear_down (Fixture *self)
{
  sqlite3_finalize (self->insert);
  sqlite3_finalize (self->other);
  tt_bulk_table_free (self->table);
  tt_bulk_pages_free (self->pages);
  tt_connection_close (self->connection);
  g_rand_free (self->random);
  g_free (self->text);
  sqlite3_test_control (SQLITE_TESTCTRL_PENDING_BYTE, 1u << 30);
}

/* Of every length, most often at a border. */
static gint64
random_integer (Fixture *self)
{
  guint n_bits = (guint) g_rand_int_range (self->random, 0, 64);
  guint64 power = n_bits == 63 ? (guint64) G_MAXINT64 : (guint64) 1 << n_bits;
  gint64 value = (gint64) power - g_rand_int_range (self->random, 0, 3);

  return g_rand_boolean (self->random) ? value : -value;
}

static TtRowValue
random_value (Fixture *self, const Shape *shape)
{
  static const double reals[] = { 0.0, -0.0, 1.0, 0.1, -1e300, 5e-324 };
  TtRowValue value = { .type = TT_ROW_NULL };

  switch (g_rand_int_range (self->random, 0, 5))
    {
    case 0:
      return value;
    case 1:
      value.type = TT_ROW_REAL;
      value.real = reals[g_rand_int_range (self->random, 0, G_N_ELEMENTS (reals))];
      if (g_rand_int_range (self->random, 0, 8) == 0)
        value.real = g_rand_boolean (self->random) ? (double) NAN : (double) INFINITY;
      return value;
    case 2:
      value.type = TT_ROW_TEXT;
      value.text = self->text;
      value.n_bytes = (guint32) g_rand_int_range (self->random, 0, (gint32) shape->max_text + 1);
      return value;
    default:
      return tt_row_int (random_integer (self));
    }
}

static void
bind (sqlite3_stmt *statement, int index, const TtRowValue *value)
{
  if (value->type == TT_ROW_INT)
    sqlite3_bind_int64 (statement, index, value->integer);
  else if (value->type == TT_ROW_REAL)
    sqlite3_bind_double (statement, index, value->real);
  else if (value->type == TT_ROW_TEXT)
    sqlite3_bind_text (statement, index, value->text, (int) value->n_bytes, SQLITE_STATIC);
  else
    sqlite3_bind_null (statement, index);
}

static void
add_row (Fixture *self, const Shape *shape, guint64 id)
{
  g_autoptr (GError) error = NULL;
  TtRowValue values[N_COLUMNS] = { { .type = TT_ROW_NULL } };

  values[1] = tt_row_int (random_integer (self));
  values[2] = random_value (self, shape);
  values[3] = (TtRowValue){ .type = TT_ROW_TEXT, .text = self->text };
  values[3].n_bytes = (guint32) g_rand_int_range (self->random, 0, (gint32) shape->max_text + 1);
  values[4] = tt_row_int_or_null (g_rand_int_range (self->random, 0, 3), 2);
  g_assert_true (tt_bulk_table_add (self->table, id, values, &error));
  g_assert_no_error (error);

  sqlite3_bind_int64 (self->insert, 1, (gint64) id);
  for (int i = 1; i < (int) N_COLUMNS; i++)
    bind (self->insert, i + 1, &values[i]);
  g_assert_cmpint (sqlite3_step (self->insert), ==, SQLITE_DONE);
  sqlite3_reset (self->insert);
}

/* SQLite takes pages for itself between ours. */
static void
add_other (Fixture *self, const Shape *shape)
{
  if (g_rand_int_range (self->random, 0, 20) > 0)
    return;
  sqlite3_bind_int (self->other, 1, g_rand_int_range (self->random, 0, 3 * (gint32) shape->page_bytes));
  g_assert_cmpint (sqlite3_step (self->other), ==, SQLITE_DONE);
  sqlite3_reset (self->other);
}

static void
assert_int (Fixture *self, const char *sql, gint64 expected)
{
  g_autoptr (GError) error = NULL;
  gint64 value = -1;

  g_assert_true (tt_connection_get_int (self->connection, sql, &value, &error));
  require_no_error (error);
  if (value != expected)
    g_test_message ("%s", sql);
  g_assert_cmpint (value, ==, expected);
}

static void
assert_sound (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, "PRAGMA integrity_check", &error);

  require_no_error (error);
  g_assert_cmpint (sqlite3_step (row), ==, SQLITE_ROW);
  g_assert_cmpstr ((const char *) sqlite3_column_text (row, 0), ==, "ok");
}

static void
count_fault (guint64 page, gpointer data)
{
  ++*(guint *) data;
}

static void
assert_same (Fixture *self, const Shape *shape)
{
  guint n_faults = 0;
  guint64 n_pages = 0;

  assert_int (self, "SELECT count (*) FROM ours", shape->n_rows);
  assert_int (self,
              "SELECT count (*) FROM ours o JOIN theirs t ON t.id = o.id AND t.a IS o.a AND t.b IS o.b AND t.c IS o.c"
              " AND t.d IS o.d AND typeof (t.a) = typeof (o.a) AND typeof (t.b) = typeof (o.b)"
              " AND typeof (t.c) = typeof (o.c) AND typeof (t.d) = typeof (o.d)",
              shape->n_rows);
  /* The bytes of rows, as SQLite counts them, are those of its own. */
  assert_int (self,
              "SELECT abs (sum (CASE name WHEN 'ours' THEN payload ELSE - payload END)) FROM dbstat"
              " WHERE name IN ('ours', 'theirs') AND pagetype <> 'internal'",
              0);
  assert_sound (self);
  g_assert_cmpint (sqlite3_exec (self->connection->db, "COMMIT", NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (tt_page_checksum_verify (self->connection->db, &n_pages, count_fault, &n_faults), ==, SQLITE_OK);
  g_assert_cmpuint (n_pages, >, 1);
  g_assert_cmpuint (n_faults, <=, shape->lock_offset != 0 ? 1 : 0);
  g_assert_cmpint (sqlite3_exec (self->connection->db, "BEGIN", NULL, NULL, NULL), ==, SQLITE_OK);
}

static void
test_shape (gconstpointer data)
{
  const Shape *shape = data;
  g_autoptr (GError) error = NULL;
  Fixture self;
  guint64 id = shape->before;

  set_up (&self, shape);
  for (guint i = 0; i < shape->n_rows; i++)
    {
      id += shape->max_gap == 0 ? 1 : (guint64) g_rand_int_range (self.random, 1, (gint32) shape->max_gap);
      add_row (&self, shape, id);
      add_other (&self, shape);
    }
  g_assert_cmpuint (tt_bulk_table_last (self.table), ==, shape->n_rows == 0 ? 0 : id);
  assert_int (&self, "SELECT count (*) FROM ours", 0);
  g_assert_true (tt_bulk_table_finish (self.table, &error));
  require_no_error (error);
  assert_same (&self, shape);

  /* SQLite goes on where we ended, in every way. */
  g_assert_true (tt_connection_exec (self.connection,
                                     "INSERT INTO ours (a) VALUES (7); INSERT INTO theirs (a) VALUES (7);"
                                     "UPDATE ours SET c = 'more ' || c WHERE id % 3 = 0;"
                                     "UPDATE theirs SET c = 'more ' || c WHERE id % 3 = 0;"
                                     "DELETE FROM ours WHERE id % 2 = 0; DELETE FROM theirs WHERE id % 2 = 0",
                                     &error));
  require_no_error (error);
  assert_int (&self, "SELECT count (*) - (SELECT count (*) FROM theirs) FROM ours", 0);
  assert_int (&self, "SELECT count (*) FROM (SELECT * FROM ours EXCEPT SELECT * FROM theirs)", 0);
  assert_sound (&self);
  tear_down (&self);
}

static const Shape shapes[] = {
  { 512, 0, 10, 0, 0 },
  { 512, 1, 10, 0, 0 },
  { 512, 1, 5000, 0, 0 },
  { 512, 6, 20, 0, 0 },
  { 512, 300, 30, 0, 0 },
  { 512, 20000, 30, 0, 0 },
  { 512, 3000, 700, 1000, 0 },
  { 512, 300, 100000, 0, 0 },
  { 1024, 9000, 50, 90000, 0 },
  { 4096, 20000, 200, 0, 0 },
  { 16384, 40000, 60, 0, 0 },
  { 16384, 500, 70000, 0, 0 },
  { 65536, 30000, 60, 5, 0 },
  { 65536, 60, 300000, 0, 0 },
  { 512, 9000, 40, 0, 65536 },
  { 512, 9000, 900, 0, 131072 },
  { 512, 9000, 40, 0, 1 << 20 },
  /* Ids as long as they can be, and where they grow. */
  { 512, 9000, 20, 0, 0, ((guint64) 1 << 62) },
  { 512, 4000, 20, 0, 0, ((guint64) 1 << 56) - 2000 },
  { 512, 4000, 20, 0, 0, ((guint64) 1 << 49) - 2000 },
};

static void
test_row_lengths (void)
{
  /* Every length of a row around those at which SQLite moves its end to other pages. */
  for (guint n = 400; n < 1100; n++)
    {
      const Shape shape = { 512, 3, n, 0, 0 };
      test_shape (&shape);
    }
}

static void
test_page_counts (void)
{
  /* As many pages as one above them can name, and around that. */
  for (guint n = 200; n < 900; n += 3)
    {
      const Shape shape = { .page_bytes = 512, .n_rows = n, .max_text = 20, .before = (guint64) 1 << 62 };
      test_shape (&shape);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("tracetool-bulk-XXXXXX", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *name = g_strdup_printf (
          "/bulk-table/pages-of-%u/rows-%u/text-%u/lock-%u/before-%" G_GUINT64_FORMAT, shapes[i].page_bytes,
          shapes[i].n_rows, shapes[i].max_text, shapes[i].lock_offset, shapes[i].before);
      g_test_add_data_func (name, &shapes[i], test_shape);
    }
  g_test_add_func ("/bulk-table/row-lengths", test_row_lengths);
  g_test_add_func ("/bulk-table/page-counts", test_page_counts);
  int status = g_test_run ();
  g_autofree char *path = g_strdup_printf ("%s/bulk.db", directory);
  remove (path);
  remove (directory);
  g_free (directory);
  return status;
}
