/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/block.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#include "src/base/error.h"
#include "src/store/import/import.h"
#include "src/store/page-checksum.h"
#include "src/store/page-rows.h"
#include "src/store/rows.h"
#include "src/store/scan.h"
#include "src/store/statistics.h"
#include "src/trace/span.h"
#include "tests/require.h"
#include "tests/store/store-example.h"

/* Rows from pages are those that SQLite reads by itself. */

#define N_RANKS 3u
#define N_ROUNDS 400u
#define PAGE 512u

static char *directory;

static void
fill (TtSink *sink, gpointer data)
{
  for (guint rank = 0; rank < N_RANKS; rank++)
    example_rank (sink, rank, N_RANKS, N_ROUNDS);
}

static void
seal (guint8 *bytes, gsize len)
{
  for (gsize page = 0; page < len; page += PAGE)
    tt_page_checksum_compute (bytes + page, PAGE - TT_PAGE_CHECKSUM_BYTES,
                              bytes + page + PAGE - TT_PAGE_CHECKSUM_BYTES);
}

/* Pages as small as they can be make a tree of several levels. */
static char *
make_database (const char *name, const char *sql)
{
  char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  sqlite3 *db = NULL;
  gsize len = 0;

  g_remove (path);
  example_import (path, &(ExampleOptions){ 0 }, fill, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "PRAGMA page_size = 512; VACUUM", NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  g_assert_true (g_file_get_contents (path, &data, &len, &error));
  seal ((guint8 *) data, len);
  g_assert_true (g_file_set_contents (path, data, (gssize) len, &error));
  return path;
}

/* Whole numbers of every length, and the two that take none. */
#define NUMBERS                                                                                    \
  "CASE id % 10 WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 127 WHEN 3 THEN 32767 WHEN 4 THEN 8388607" \
  " WHEN 5 THEN 2147483647 WHEN 6 THEN 140737488355327 WHEN 7 THEN 4611686018427387903 WHEN 8 THEN 128 ELSE 40000 END"

static void
assert_same_rows (const char *path, gboolean from_pages)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  sqlite3_stmt *row = NULL;
  sqlite3 *db = NULL;
  TtEvent event;
  guint n = 0;

  require_no_error (error);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_prepare_v2 (db, "SELECT id, thread, name, ts_ns, dur_ns, self_ns, shape, step FROM event_row ORDER BY id", -1,
                      &row, NULL);
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, &error);
  require_no_error (error);
  g_autoptr (TtTablePages) pages = tt_table_pages_new (store, "event_row", TT_EVENT_COLUMNS);
  g_assert_true ((pages != NULL) == from_pages);
  for (; tt_event_scan_next (scan, &event) && sqlite3_step (row) == SQLITE_ROW; n++)
    {
      g_assert_cmpint ((gint64) event.id, ==, sqlite3_column_int64 (row, 0));
      g_assert_cmpint (event.thread, ==, sqlite3_column_int64 (row, 1));
      g_assert_cmpint (event.name, ==, sqlite3_column_int64 (row, 2));
      g_assert_cmpint (event.ts_ns, ==, sqlite3_column_int64 (row, 3));
      g_assert_cmpint (event.self_ns, ==, sqlite3_column_int64 (row, 5));
      g_assert_cmpint ((gint64) event.depth << TT_SCHEMA_SHAPE_BITS | event.flags, ==, sqlite3_column_int64 (row, 6));
      if (sqlite3_column_type (row, 4) == SQLITE_NULL)
        g_assert_cmpint (event.dur_ns, ==, TT_NO_TIME);
      else
        g_assert_cmpint (event.dur_ns, ==, sqlite3_column_int64 (row, 4));
      g_assert_cmpint (event.step, ==,
                       sqlite3_column_type (row, 7) == SQLITE_NULL ? -1 : sqlite3_column_int64 (row, 7));
    }
  g_assert_true (tt_event_scan_finish (scan, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, N_RANKS * N_ROUNDS * EXAMPLE_EVENTS);
  sqlite3_finalize (row);
  sqlite3_close (db);
}

static void
test_same_rows (void)
{
  static const char *const changes[] = {
    "SELECT 1",
    "UPDATE event_row SET ts_ns = " NUMBERS ", dur_ns = 0, self_ns = 0",
    "UPDATE event_row SET ts_ns = - " NUMBERS ", dur_ns = NULL, self_ns = NULL",
    "UPDATE event_row SET ts_ns = 0, dur_ns = " NUMBERS ", self_ns = " NUMBERS,
    "UPDATE event_row SET ts_ns = 0, dur_ns = " NUMBERS ", self_ns = 0, step = id % 300",
    "UPDATE event_row SET dur_ns = " NUMBERS
    " / 2 + 1, self_ns = 1, ts_ns = 0, shape = id % 7, step = NULL, args = NULL",
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *name = g_strdup_printf ("same-%u.db", i), *path = make_database (name, changes[i]);

      assert_same_rows (path, TRUE);
    }
}

static void
test_each_block (void)
{
  g_autofree char *path = make_database ("blocks.db", "SELECT 1");
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  const guint64 n = N_RANKS * N_ROUNDS * EXAMPLE_EVENTS;
  TtBlockRow rows[40];

  require_no_error (error);
  const TtBlockPlaces places = { &store->thread_places, &store->name_places };
  g_assert_true (tt_connection_enter (store->connection, &error));
  g_autoptr (TtTablePages) pages = tt_table_pages_new (store, "event_row", TT_EVENT_COLUMNS);
  require_nonnull (pages);
  for (guint64 first = 1; first <= n; first++)
    {
      guint64 last = MIN (first + first % G_N_ELEMENTS (rows), n);
      TtBlock block = { .rows = rows, .max = G_N_ELEMENTS (rows), .first = first, .last = last };

      g_assert_true (tt_block_read (&block, &places, pages));
      g_assert_false (block.is_damaged);
      g_assert_cmpuint (block.n, ==, last - first + 1);
      g_assert_cmpuint (rows[0].id, ==, first);
      g_assert_cmpuint (rows[block.n - 1].id, ==, last);
    }
  TtBlock block = { .rows = rows, .max = G_N_ELEMENTS (rows), .first = n, .last = n + 1 };
  g_assert_false (tt_block_read (&block, &places, pages));
  block = (TtBlock){ .rows = rows, .max = G_N_ELEMENTS (rows), .first = 0, .last = 1 };
  g_assert_false (tt_block_read (&block, &places, pages));
  tt_connection_leave (store->connection);
}

/* What no import writes is read by a statement. */
static void
test_odd_rows (void)
{
  static const struct
  {
    const char *sql;
    gboolean is_read;
  } cases[] = {
    { "UPDATE event_row SET ts_ns = '17' WHERE id = 1000", TRUE },
    { "UPDATE event_row SET step = zeroblob (5000) WHERE id = 1000", FALSE },
    { "UPDATE event_row SET self_ns = 2.5 WHERE id = 1000", FALSE },
    { "DELETE FROM event_row WHERE id = 1000", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("odd-%u.db", i), *path = make_database (name, cases[i].sql);
      g_autoptr (GError) error = NULL;
      g_autoptr (TtStore) store = tt_store_open (path, &error);
      TtBlockRow rows[3];
      TtBlock block = { .rows = rows, .max = 3, .first = 999, .last = 1001 };

      require_no_error (error);
      const TtBlockPlaces places = { &store->thread_places, &store->name_places };
      g_assert_true (tt_connection_enter (store->connection, &error));
      g_autoptr (TtTablePages) pages = tt_table_pages_new (store, "event_row", TT_EVENT_COLUMNS);
      require_nonnull (pages);
      /* Affinity makes a number of the text. */
      g_assert_true (tt_block_read (&block, &places, pages) == cases[i].is_read);
      tt_connection_leave (store->connection);
    }
}

/* Arguments of every length around that of a page, of other types, and none: with the scan they are SQLite's. */
static void
test_args (void)
{
  static const char sql[] =
      "DELETE FROM args_row; DELETE FROM args_filled_row; UPDATE event_row SET args = NULL;"
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)"
      " INSERT INTO args_row SELECT 3 * i, CASE i % 10 WHEN 0 THEN NULL WHEN 1 THEN zeroblob (i) WHEN 2 THEN ''"
      " ELSE printf ('%.*c', i, char (60 + i % 20)) END FROM n;"
      "UPDATE event_row SET args = 3 * (id % 1200) + CASE WHEN id % 50 = 0 THEN 1 ELSE 0 END WHERE id % 7 > 0";
  g_autofree char *path = make_database ("args.db", sql);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  sqlite3_stmt *row = NULL;
  sqlite3 *db = NULL;
  TtEvent event;
  guint n = 0, n_texts = 0;

  require_no_error (error);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_prepare_v2 (
      db,
      "SELECT CAST (a.json AS TEXT), length (a.json) FROM event_row e LEFT JOIN args_row a ON a.id = e.args"
      " ORDER BY e.id",
      -1, &row, NULL);
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_ARGS, &error);
  require_no_error (error);
  g_autoptr (TtTablePages) pages = tt_table_pages_new (store, "args_row", TT_ARGS_COLUMNS);
  require_nonnull (pages);
  for (; tt_event_scan_next (scan, &event) && sqlite3_step (row) == SQLITE_ROW; n++)
    {
      gsize len = (gsize) sqlite3_column_int64 (row, 1);

      g_assert_cmpuint (event.args_len, ==, len);
      g_assert_true ((event.args == NULL) == (sqlite3_column_type (row, 0) == SQLITE_NULL));
      if (event.args == NULL)
        continue;
      g_assert_cmpmem (event.args, len + 1, sqlite3_column_text (row, 0), len + 1);
      n_texts++;
    }
  for (guint i = 1; i <= 1200; i++)
    {
      const char *text = NULL;
      gsize len = 0;
      gboolean is_here = i % 10 > 1 && i < 460;

      g_assert_false (tt_table_pages_text (pages, 3 * i + 1, &text, &len));
      if (i % 10 <= 1 || i < 460 || i > 470)
        g_assert_true (tt_table_pages_text (pages, 3 * i, &text, &len) == is_here || (i % 10 == 2 && len == 0));
      if (is_here)
        g_assert_cmpuint (len, ==, i % 10 == 2 ? 0 : i);
    }
  g_assert_true (tt_event_scan_finish (scan, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, N_RANKS * N_ROUNDS * EXAMPLE_EVENTS);
  g_assert_cmpuint (n_texts, >, 1000);
  sqlite3_finalize (row);
  sqlite3_close (db);
}

typedef struct
{
  sqlite3_stmt *row;
  guint n;
} ExpectedStatistics;

static gboolean
expect_statistic (const TtStatistic *statistic, gpointer data)
{
  ExpectedStatistics *self = data;
  sqlite3_stmt *row = self->row;

  if (sqlite3_step (row) != SQLITE_ROW)
    return FALSE;
  self->n++;
  g_assert_cmpint (statistic->process, ==, sqlite3_column_int64 (row, 0));
  g_assert_cmpint (statistic->name, ==, sqlite3_column_int64 (row, 1));
  g_assert_cmpint ((gint64) statistic->count, ==, sqlite3_column_int64 (row, 2));
  g_assert_cmpint ((gint64) statistic->total_ns, ==, sqlite3_column_int64 (row, 3));
  g_assert_cmpint ((gint64) (guint64) (statistic->sum_sq >> 64), ==, sqlite3_column_int64 (row, 4));
  g_assert_cmpint ((gint64) (guint64) statistic->sum_sq, ==, sqlite3_column_int64 (row, 5));
  g_assert_cmpint (statistic->max_ns, ==, sqlite3_column_int64 (row, 6));
  g_assert_cmpint (statistic->p99_ns, ==, sqlite3_column_int64 (row, 7));
  g_assert_true (statistic->is_bounded == (sqlite3_column_type (row, 6) == SQLITE_NULL));
  return TRUE;
}

/* With real numbers, whole ones among them, and none where they are passed over; where they are not, by statement. */
static void
test_statistics (void)
{
  static const char *const changes[] = {
    "SELECT 1",
    "UPDATE statistic_row SET avg_ns = 2.5, stddev_ns = NULL, sum_sq_high = " NUMBERS ", p99_ns = - " NUMBERS,
    "UPDATE statistic_row SET avg_ns = 3, stddev_ns = 1e300, min_ns = NULL, max_ns = NULL, median_ns = NULL,"
    " p95_ns = NULL, p99_ns = NULL",
    "UPDATE statistic_row SET p99_ns = 2.5 WHERE id % 3 = 2",
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *name = g_strdup_printf ("statistics-%u.db", i), *path = make_database (name, changes[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (TtStore) store = tt_store_open (path, &error);
      ExpectedStatistics expected = { 0 };
      sqlite3 *db = NULL;

      require_no_error (error);
      g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
      sqlite3_prepare_v2 (db,
                          "SELECT process, name, count, total_ns, sum_sq_high, sum_sq_low, max_ns, p99_ns"
                          " FROM statistic_row ORDER BY process = 0, id",
                          -1, &expected.row, NULL);
      g_assert_true (tt_store_each_statistic (store, TT_STATISTIC_BY_LONG_NAME, expect_statistic, &expected, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (expected.n, >, 0);
      g_assert_true (tt_store_each_statistic (store, TT_STATISTIC_BY_NAME, expect_statistic, &expected, &error));
      g_assert_no_error (error);
      g_assert_cmpint (sqlite3_step (expected.row), ==, SQLITE_DONE);
      sqlite3_finalize (expected.row);
      sqlite3_close (db);
    }
}

static void
test_log (void)
{
  g_autofree char *path = make_database ("log.db", "SELECT 1");
  sqlite3 *db = NULL;

  assert_same_rows (path, TRUE);
  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, tt_page_checksum_vfs ()), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                                 "UPDATE event_row SET ts_ns = ts_ns + 1",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  assert_same_rows (path, FALSE);
  sqlite3_close (db);
}

static gboolean
write_message (const TtMessage *row, gpointer text)
{
  g_string_append_printf (text, "%u %u %u %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                          row->src_process, row->src_thread, row->dst_process, row->dst_thread, row->tag, row->comm,
                          row->ordinal);
  g_string_append_printf (text,
                          " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT
                          " %" G_GUINT64_FORMAT " %s\n",
                          row->send_ns, row->recv_ns, row->bytes, row->send_event, row->recv_event, row->flags);
  return TRUE;
}

static gboolean
write_times (const TtMessageTimes *row, gpointer text)
{
  g_string_append_printf (text, "%u %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", row->src_process, row->dst_process,
                          row->send_ns, row->recv_ns);
  return TRUE;
}

static gboolean
write_collective (const TtCollective *row, gpointer text)
{
  g_string_append_printf (text, "%" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT " %u %u %" G_GUINT64_FORMAT, row->comm,
                          row->function, row->ordinal, row->process, row->thread, row->event);
  g_string_append_printf (text, " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %u %d %d\n", row->ts_ns, row->dur_ns,
                          row->root, row->is_inferred, row->is_undecided);
  return TRUE;
}

/* What is read, and the error where it ends. */
static char *
write_rows_of (TtStore *store)
{
  g_autoptr (GError) of_messages = NULL;
  g_autoptr (GError) of_times = NULL;
  g_autoptr (GError) of_collectives = NULL;
  GString *text = g_string_new (NULL);

  tt_store_each_message (store, write_message, text, &of_messages);
  tt_store_each_message_times (store, write_times, text, &of_times);
  tt_store_each_collective (store, write_collective, text, &of_collectives);
  g_string_append_printf (text, "%s\n%s\n%s\n", of_messages == NULL ? "" : of_messages->message,
                          of_times == NULL ? "" : of_times->message,
                          of_collectives == NULL ? "" : of_collectives->message);
  return g_string_free (text, FALSE);
}

static char *
write_rows (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);

  g_assert_no_error (error);
  return write_rows_of (store);
}

static TtPageRowAnswer
count_row (const gint64 *values, guint nulls, gpointer n)
{
  ++*(guint *) n;
  return TT_PAGE_ROW_TAKEN;
}

static guint
count_page_rows (const char *path, const char *table, guint n_columns, const char *pieces, guint64 *next)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  guint n = 0;

  g_assert_no_error (error);
  g_assert_true (tt_connection_enter (store->connection, &error));
  g_autoptr (TtTablePages) pages = tt_table_pages_new (store, table, n_columns);
  if (tt_page_rows_read (store, pages, pieces, count_row, &n, next))
    *next = 0;
  tt_connection_leave (store->connection);
  return n;
}

static gboolean
write_activity (const TtActivityRow *row, gpointer text)
{
  g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %d %d %u %u", row->event, row->launch,
                          row->what.role, row->what.blocks, row->what.queue, row->what.waits_on);
  g_string_append_printf (text, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", row->what.correlation,
                          row->what.waits_for);
  return TRUE;
}

static char *
write_activities (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) failure = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  tt_store_each_activity (store, write_activity, text, &failure);
  g_string_append_printf (text, "%s\n", failure == NULL ? "" : failure->message);
  return g_string_free (text, FALSE);
}

#define ACTIVITIES                                                                                  \
  "UPDATE activity_row SET event = id, role = id % 40, launch = (id % 3) * id / 2, queue = id % 2," \
  " correlation = id * 5, waits_for = - id, waits_on = 0;"

/* As above; of the rows before the first odd one there is no difference either. */
static void
test_activities (void)
{
  static const struct
  {
    const char *sql;
    guint64 odd;
  } cases[] = {
    { ACTIVITIES, 0 },
    { ACTIVITIES "UPDATE activity_row SET launch = NULL, queue = NULL, correlation = NULL WHERE id % 7 = 0", 0 },
    { ACTIVITIES "UPDATE activity_row SET correlation = 9223372036854775807, waits_for = -1 WHERE id = 300", 0 },
    { ACTIVITIES "UPDATE activity_row SET role = 2.5 WHERE id = 600", 600 },
    { ACTIVITIES "DELETE FROM activity_row WHERE id = 600", 600 },
    { ACTIVITIES "UPDATE activity_row SET event = 77777777 WHERE id = 600", 0 },
    { ACTIVITIES "UPDATE activity_row SET launch = -5 WHERE id = 600", 0 },
    { ACTIVITIES "UPDATE activity_row SET waits_on = 99999 WHERE id = 600", 0 },
    { ACTIVITIES "UPDATE source_row SET first_activity = -3", (guint64) G_MININT64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("activities-%u.db", i), *path = make_database (name, cases[i].sql);
      g_autofree char *from_pages = write_activities (path);
      guint64 next;
      sqlite3 *db = NULL;

      guint n =
          count_page_rows (path, "activity_row", 8, "SELECT first_activity, last_activity FROM source_row", &next);
      g_assert_cmpuint (next, ==, cases[i].odd);
      g_assert_cmpuint (n, ==, next == 0 ? 1200 : next == 600 ? 599 : 0);
      g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, tt_page_checksum_vfs ()), ==, SQLITE_OK);
      g_assert_cmpint (sqlite3_exec (db, "PRAGMA journal_mode = WAL; UPDATE run_row SET id = id", NULL, NULL, NULL), ==,
                       SQLITE_OK);
      g_assert_cmpuint (count_page_rows (path, "activity_row", 8, "SELECT 1, 1", &next), ==, 0);
      g_autofree char *from_statements = write_activities (path);
      g_assert_cmpstr (from_pages, ==, from_statements);
      sqlite3_close (db);
    }
}

/* Messages and collectives from pages are those that a statement reads, up to what is odd and beyond. */
static void
test_messages (void)
{
  static const struct
  {
    const char *sql;
    guint64 odd_message, odd_collective; /* 0: all are from pages */
  } cases[] = {
    { "SELECT 1", 0, 0 },
    { "UPDATE message_row SET send_ns = NULL, bytes = NULL WHERE id % 3 = 0", 0, 0 },
    { "UPDATE collective_row SET flags = id % 4, root = id % 3", 0, 0 },
    { "UPDATE message_row SET bytes = 2.5 WHERE id = 600; UPDATE collective_row SET root = zeroblob (5000) WHERE id = "
      "700",
      600, 700 },
    { "DELETE FROM message_row WHERE id = 600; DELETE FROM collective_row WHERE id = 700", 600, 700 },
    { "UPDATE run_row SET first_message = -3, last_collective = 9223372036854775807", (guint64) G_MININT64, 2401 },
    { "UPDATE message_row SET src_process = 77 WHERE id = 600; UPDATE collective_row SET event = 777777 WHERE id = 700",
      0, 0 },
    { "UPDATE message_row SET recv_ns = 9223372036854775807 WHERE id = 600;"
      " UPDATE collective_row SET thread = 0 WHERE id = 700",
      0, 0 },
    { "UPDATE message_row SET flags = 99 WHERE id = 600; UPDATE collective_row SET name = 99999 WHERE id = 700", 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("messages-%u.db", i), *path = make_database (name, cases[i].sql);
      g_autofree char *from_pages = write_rows (path);
      guint64 next_message, next_collective;
      sqlite3 *db = NULL;

      guint n_messages =
          count_page_rows (path, "message_row", 17, "SELECT first_message, last_message FROM run_row", &next_message);
      guint n_collectives = count_page_rows (path, "collective_row", 10,
                                             "SELECT first_collective, last_collective FROM run_row", &next_collective);
      g_assert_cmpuint (next_message, ==, cases[i].odd_message);
      g_assert_cmpuint (next_collective, ==, cases[i].odd_collective);
      if (next_message == 0)
        g_assert_cmpuint (n_messages, ==, N_RANKS * N_ROUNDS);
      if (next_collective == 0)
        g_assert_cmpuint (n_collectives, ==, 2 * N_RANKS * N_ROUNDS);
      /* With a log nothing is read from pages. */
      g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, tt_page_checksum_vfs ()), ==, SQLITE_OK);
      g_assert_cmpint (sqlite3_exec (db, "PRAGMA journal_mode = WAL; UPDATE run_row SET id = id", NULL, NULL, NULL), ==,
                       SQLITE_OK);
      g_assert_cmpuint (count_page_rows (path, "message_row", 17, "SELECT 1, 1", &next_message), ==, 0);
      g_autofree char *from_statements = write_rows (path);
      g_assert_cmpstr (from_pages, ==, from_statements);
      sqlite3_close (db);
    }
}

/* An import into a new file reads pages once its rows are there, and statements again when it has changed some; one into a
 * file that was there only these. */
static void
test_import (void)
{
  g_autofree char *path = g_build_filename (directory, "import.db", NULL);

  for (guint i = 0; i < 2; i++)
    {
      TtStoreImportOptions options = { .command = "tracetool import example" };
      g_autoptr (GError) error = NULL;
      g_autoptr (TtStoreImport) import = tt_store_import_begin (path, &options, example_names (), &error);

      g_assert_no_error (error);
      TtSink *sink = tt_store_import_sink (import);
      fill (sink, NULL);
      g_assert_true (tt_sink_finish (sink, &error));
      tt_sink_free (sink);
      g_assert_true (tt_store_import_join (import, &error));
      TtStore *store = tt_store_import_store (import);
      require_nonnull (store);
      TtTablePages *pages = tt_table_pages_new (store, "message_row", 17);
      g_assert_true ((pages != NULL) == (i == 0));
      tt_table_pages_free (pages);
      g_autofree char *before = write_rows_of (store);
      g_assert_true (tt_connection_exec (store->connection, "UPDATE message_row SET tag = tag + 1", &error));
      g_assert_null (tt_table_pages_new (store, "message_row", 17));
      g_autofree char *changed = write_rows_of (store);
      g_assert_cmpstr (changed, !=, before);
      g_assert_true (tt_connection_exec (store->connection, "UPDATE message_row SET tag = tag - 1", &error));
      g_assert_true (tt_store_import_store (import) == store);
      g_autofree char *after = write_rows_of (store);
      g_assert_cmpstr (after, ==, before);
      g_assert_true (tt_store_import_commit (import, &error));
      g_autofree char *written = write_rows (path);
      g_assert_cmpstr (before, ==, written);
    }
}

/* Pages that say what cannot be: never more than "no". */
static void
test_damage (void)
{
  g_autofree char *path = make_database ("damage.db", "SELECT 1"), *data = NULL;
  g_autofree char *changed = g_build_filename (directory, "changed.db", NULL);
  gsize len = 0;

  g_assert_true (g_file_get_contents (path, &data, &len, NULL));
  for (guint round = 0; round < 300; round++)
    {
      g_autofree char *copy = g_memdup2 (data, len);
      g_autoptr (GError) error = NULL;
      guint64 n = 0;
      TtEvent event;

      for (gsize page = PAGE; page < len; page += PAGE)
        copy[page + (gsize) g_test_rand_int_range (0, g_test_rand_bit () ? 40 : PAGE)] = (char) g_test_rand_int ();
      seal ((guint8 *) copy, len);
      g_assert_true (g_file_set_contents (changed, copy, (gssize) len, NULL));
      g_autoptr (TtStore) store = tt_store_open (changed, NULL);
      if (store == NULL)
        continue;
      TtEventScan *scan = tt_event_scan_new (store, round % 2 == 0 ? TT_SCAN_DEFAULT : TT_SCAN_ARGS, NULL);
      for (; scan != NULL && tt_event_scan_next (scan, &event); n++)
        g_assert_true (tt_time_is_kept (event.ts_ns));
      g_assert_true (!tt_event_scan_finish (scan, &error) || n == tt_store_n_events (store) || scan == NULL);
    }
}

/* Copies of events, and of their arguments, up to @most. */
static void
read_events (const char *path, TtScanFlags flags, const char *readers, guint most, GArray *events, GPtrArray *texts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  TtEvent event;

  require_no_error (error);
  setenv ("TRACETOOL_READERS", readers, TRUE);
  TtEventScan *scan = tt_event_scan_new (store, flags, &error);
  require_no_error (error);
  while (events->len < most && tt_event_scan_next (scan, &event))
    {
      g_ptr_array_add (texts, event.args == NULL ? NULL : g_strndup (event.args, event.args_len));
      event.args = NULL;
      g_array_append_val (events, event);
    }
  if (events->len < most)
    g_assert_false (tt_event_scan_next (scan, &event));
  g_assert_true (tt_event_scan_finish (scan, &error));
  g_assert_no_error (error);
  unsetenv ("TRACETOOL_READERS");
}

/* A thread that reads ahead changes nothing, wherever the scan ends, and where a statement goes on. */
static void
test_ahead (void)
{
  static const char *const changes[] = {
    "SELECT 1",
    "UPDATE event_row SET args = 1 + id % 3 WHERE id % 7 > 0; INSERT OR IGNORE INTO args_row VALUES (1, '{}'), (2, "
    "NULL)",
    "UPDATE event_row SET step = zeroblob (5000) WHERE id = 5000",
    "UPDATE event_row SET step = zeroblob (5000) WHERE id = 1",
  };
  static const TtScanFlags flags[] = { TT_SCAN_DEFAULT, TT_SCAN_REVERSE, TT_SCAN_ARGS, TT_SCAN_ARGS | TT_SCAN_REVERSE };
  const guint n = N_RANKS * N_ROUNDS * EXAMPLE_EVENTS, ends[] = { 0, 1, 2048, 2049, n - 1, n, G_MAXUINT };

  for (guint i = 0; i < G_N_ELEMENTS (changes) * G_N_ELEMENTS (flags); i++)
    {
      g_autofree char *name = g_strdup_printf ("ahead-%u.db", i);
      g_autofree char *path = make_database (name, changes[i / G_N_ELEMENTS (flags)]);
      TtScanFlags as = flags[i % G_N_ELEMENTS (flags)];

      for (guint k = 0; k < G_N_ELEMENTS (ends); k++)
        {
          g_autoptr (GPtrArray) own_texts = g_ptr_array_new_with_free_func (g_free);
          g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
          g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (TtEvent));
          g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (TtEvent));

          read_events (path, as, "0", ends[k], own, own_texts);
          read_events (path, as, "1", ends[k], events, texts);
          g_assert_cmpuint (own->len, ==, MIN (ends[k], n));
          g_assert_cmpmem (events->data, events->len * sizeof (TtEvent), own->data, own->len * sizeof (TtEvent));
          for (guint at = 0; at < own_texts->len; at++)
            g_assert_cmpstr (texts->pdata[at], ==, own_texts->pdata[at]);
        }
    }
}

static const struct
{
  const char *path;
  GTestFunc func;
} read_by_another[] = {
  { "/table-pages/ahead/same-rows", test_same_rows },
  { "/table-pages/ahead/odd-rows", test_odd_rows },
  { "/table-pages/ahead/args", test_args },
  { "/table-pages/ahead/log", test_log },
};

static void
test_read_by_another (gconstpointer data)
{
  setenv ("TRACETOOL_READERS", "1", TRUE);
  read_by_another[GPOINTER_TO_UINT (data)].func ();
  unsetenv ("TRACETOOL_READERS");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  directory = g_dir_make_tmp ("tracetool-table-pages-XXXXXX", NULL);
  g_test_add_func ("/table-pages/same-rows", test_same_rows);
  g_test_add_func ("/table-pages/each-block", test_each_block);
  g_test_add_func ("/table-pages/odd-rows", test_odd_rows);
  g_test_add_func ("/table-pages/args", test_args);
  g_test_add_func ("/table-pages/statistics", test_statistics);
  g_test_add_func ("/table-pages/messages", test_messages);
  g_test_add_func ("/table-pages/activities", test_activities);
  g_test_add_func ("/table-pages/import", test_import);
  g_test_add_func ("/table-pages/log", test_log);
  g_test_add_func ("/table-pages/damage", test_damage);
  g_test_add_func ("/table-pages/ahead", test_ahead);
  for (guint i = 0; i < G_N_ELEMENTS (read_by_another); i++)
    g_test_add_data_func (read_by_another[i].path, GUINT_TO_POINTER (i), test_read_by_another);
  int status = g_test_run ();
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", directory);
  g_assert_cmpint (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL), ==, TRUE);
  g_free (directory);
  return status;
}
