/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* As small as a fuzzer has it: parts of groups, what is not kept and too many groups come often. */
#include "src/base/room.h"
#undef TT_ROOM
#define TT_ROOM(usual, fuzzing) (fuzzing)
#include "src/store/virtual-definitions.c"
#include "src/store/virtual-groups.c"

#include <glib/gstdio.h>
#include <stdlib.h>

#include "src/store/query.h"
#include "src/store/virtual-events.h"
#include "tests/require.h"
#include "tests/rounds.h"
#include "tests/store/odd-databases.h"
#include "tests/store/store-example.h"

/*
 * What a query answers from the table of ours is what SQLite answers from the view in the file, which is asked by its full
 * name: random statements over databases as they are written, and as nobody writes them.
 */

static char *directory;

/* -- answers ------------------------------------------------------------------------------------------------------- */

static gint
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* @sql with @table for each '@'; rows of joins come as the planner likes. */
static char *
answer (TtStore *store, const char *sql, const char *table, gboolean is_sorted)
{
  g_auto (GStrv) parts = g_strsplit (sql, "@", -1);
  g_autofree char *statement = g_strjoinv (table, parts);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  if (!tt_store_query (store, statement, odd_database_write_names, odd_database_write_row, lines, &error))
    return g_strdup_printf ("%.20s", error->message);
  if (is_sorted)
    g_ptr_array_sort (lines, compare_lines);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

static guint n_filled;

static void
assert_same_answer (TtStore *store, const char *sql, gboolean is_sorted)
{
  g_autofree char *ours = answer (store, sql, "event", is_sorted);
  g_autofree char *theirs = answer (store, sql, "main.event", is_sorted);

  if (strcmp (ours, theirs) != 0)
    g_test_message ("%s\n%s", store->connection->path, sql);
  g_assert_cmpstr (ours, ==, theirs);
  n_filled += strlen (ours) > 20;
}

/* -- statements ---------------------------------------------------------------------------------------------------- */

static const char *const all_columns[] = {
  "id",      "source",       "pid",      "tid",          "op_cat", "op_name",   "sub_op",     "suffix",
  "name",    "op_long_name", "raw_name", "native_group", "file",   "line",      "ts_ns",      "dur_ns",
  "self_ns", "depth",        "step",     "args",         "flags",  "own_ts_ns", "own_dur_ns", "run",
};
static const char *const key_columns[] = {
  "name",   "op_cat", "pid",    "tid",   "op_long_name", "flags",    "step",
  "source", "run",    "sub_op", "depth", "name",         "raw_name",
};
static const char *const values[] = {
  "dur_ns", "self_ns", "ts_ns", "id",   "depth", "own_dur_ns",   "name",
  "tid",    "line",    "step",  "args", "flags", "op_long_name",
};
static const char *const aggregates[] = {
  "count (*)", "count (%s)",        "total (%s)",          "min (%s)", "max (%s)",
  "avg (%s)",  "group_concat (%s)", "count (DISTINCT %s)", "%s",       "sum (%s)",
};
static const char *const conditions[] = {
  "id > 300",
  "id BETWEEN 200 AND 1200",
  "id = 77",
  "id IN (5, 900, 901)",
  "id < 40.5",
  "id > '50'",
  "id = NULL",
  "id >= -9223372036854775808 AND id < 9223372036854775807",
  "name = 'Comm.MPI_Send.SEND'",
  "name <> 'COMP.compute'",
  "op_cat = 'Comm'",
  "op_cat IN ('COMP', 'SYNC')",
  "tid = 0",
  "tid = '7'",
  "pid LIKE '%1%'",
  "dur_ns IS NOT NULL",
  "dur_ns > 1000",
  "ts_ns = tid",
  "depth = tid",
  "ts_ns BETWEEN 0 AND 1000000",
  "step IS NULL",
  "step = 1",
  "run = 1",
  "source = 2",
  "flags IS NOT NULL",
  "args IS NOT NULL",
  "op_long_name LIKE '%Send%'",
  "name = 'same' COLLATE NOCASE",
  "step = depth",
  "id % 7 = 3",
  "(op_cat = 'Comm' OR depth = 1)",
  "NOT (name = 'Comm.MPI_Send.SEND' OR tid IS NULL)",
};
/* Of two tables, or more. */
static const char *const joins[] = {
  "SELECT a.id, b.name FROM @ a JOIN @ b ON b.id = a.id + 1 WHERE a.name = b.name",
  "SELECT a.id, b.id, b.tid FROM @ a LEFT JOIN @ b ON b.id = a.id * 2 WHERE a.id < 200",
  "SELECT m.tag, a.name, b.op_long_name, b.ts_ns FROM message m JOIN @ a ON a.id = m.send_event JOIN @ b ON b.id = "
  "m.recv_event",
  "SELECT a.id, b.id FROM @ a JOIN @ b ON a.step = b.step AND a.id < 50 AND b.id < 80",
  "SELECT a.id, b.id FROM @ a JOIN @ b ON a.own_ts_ns = b.own_ts_ns AND a.id < b.id WHERE a.id < 60",
  "SELECT p.pid, count (*), sum (e.self_ns) FROM process p JOIN @ e ON e.pid = p.pid GROUP BY p.pid",
  "SELECT s.name, s.count, (SELECT count (*) FROM @ e WHERE e.name = s.name AND e.dur_ns IS NOT NULL) AS n FROM "
  "statistic s",
  "SELECT s.id, s.path, (SELECT max (ts_ns) FROM @ WHERE source = s.id) AS last FROM source s",
  "SELECT id FROM @ WHERE name IN (SELECT name FROM @ WHERE depth = 1 AND id < 100) AND id < 300",
  "SELECT id, name FROM @ e WHERE EXISTS (SELECT 1 FROM @ f WHERE f.id = e.id - 1 AND f.name <> e.name)",
  "WITH n AS (SELECT name, count (*) AS c FROM @ GROUP BY name) SELECT e.id, n.c FROM @ e JOIN n ON n.name = e.name "
  "WHERE e.id < 90",
  "SELECT name FROM @ WHERE id < 20 UNION SELECT op_cat FROM @ UNION ALL SELECT tid FROM @ WHERE id > 1600",
  "SELECT x.name, x.n FROM (SELECT name, count (*) AS n, run FROM @ GROUP BY name, run) x WHERE x.n > 5",
  "SELECT e.name, max (e.dur_ns), c.n FROM @ e, (SELECT count (*) AS n FROM @) c GROUP BY e.name",
  "SELECT id, row_number () OVER (PARTITION BY name ORDER BY id), lag (ts_ns) OVER (PARTITION BY tid ORDER BY id) FROM "
  "@",
  "SELECT t.tid, e.name FROM thread t LEFT JOIN @ e ON e.tid = t.tid AND e.id < 30",
  "SELECT count (*) FROM @ a, process p WHERE a.pid = p.pid AND a.ts_ns IN (SELECT tid FROM thread)",
  "SELECT f.kind, a.name, b.name FROM flow f JOIN @ a ON a.id = f.from_event LEFT JOIN @ b ON b.id = f.to_event",
  "SELECT median (dur_ns), percentile (dur_ns, 90) FROM @",
  "SELECT name, median (dur_ns) FROM @ GROUP BY name",
  "SELECT a.name FROM @ a JOIN @ b USING (id) WHERE a.id < 30",
  "SELECT op_cat, count (DISTINCT name), count (DISTINCT tid) FROM @ GROUP BY op_cat",
};

/* Of one table: rows come in the same order, too. */
static const char *const singles[] = {
  "SELECT * FROM @",
  "SELECT * FROM @ ORDER BY id DESC",
  "SELECT id, name FROM @ WHERE id IN (901, 5, 900, 5, NULL, '77', 4.0, 4.5, 'x', -3)",
  "SELECT id, name FROM @ WHERE id IN (901, 5, 900) ORDER BY id DESC LIMIT 2",
  "SELECT id, tid FROM @ WHERE id IN (SELECT id + 3 FROM @ WHERE id % 50 = 0)",
  "SELECT id, tid FROM @ WHERE id IN (5, 100, 101) AND id > 50 AND name IN ('COMP.compute', 'Comm.MPI_Send.SEND')",
  "SELECT min (id), name, dur_ns FROM @",
  "SELECT min (id), ts_ns FROM @ WHERE op_cat = 'Comm' AND id > 99",
  "SELECT max (id), name, dur_ns FROM @ WHERE tid IS NOT NULL",
  "SELECT min (ts_ns), id, name FROM @",
  "SELECT max (name), id, ts_ns FROM @",
  "SELECT min (step), id FROM @ WHERE id > 7",
  "SELECT count (*), min (id), max (id), sum (dur_ns), total (self_ns) FROM @",
  "SELECT count (DISTINCT name), count (*) FROM @",
  "SELECT DISTINCT name, 5, tid FROM @ LIMIT 3 OFFSET 1",
  "SELECT DISTINCT name, count (*) OVER () FROM @",
  "SELECT DISTINCT name COLLATE NOCASE FROM @",
  "SELECT name COLLATE NOCASE AS n, count (*), min (id) FROM @ GROUP BY n",
  "SELECT typeof (ts_ns), typeof (depth), typeof (step), typeof (args), typeof (flags), typeof (pid) FROM @",
  "SELECT id FROM @ WHERE ts_ns = '10' OR depth = '1' OR own_ts_ns = '10' OR op_long_name = 5",
  "SELECT id, tid > 1, step > '2', depth < 'a', flags = 6, line = '3' FROM @",
  "SELECT name, dur_ns FROM @ ORDER BY dur_ns DESC, name COLLATE NOCASE, id LIMIT 40",
  "SELECT rowid FROM @ WHERE rowid = 5",
  "SELECT nam FROM @",
  "SELECT max (id) FROM @ GROUP BY name, tid, pid, step, flags, source ORDER BY name DESC, tid",
};

#define PICK(random, list) (list)[g_rand_int_range (random, 0, G_N_ELEMENTS (list))]

static void
add_where (GRand *random, GString *sql)
{
  for (int i = 0, n = g_rand_int_range (random, 0, 3); i < n; i++)
    g_string_append_printf (sql, "%s%s", i == 0 ? " WHERE " : " AND ", PICK (random, conditions));
}

static void
add_list (GRand *random, GString *sql, const char *const *columns, guint n_columns, guint n, gboolean is_ordered)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, "%s%s%s", i == 0 ? "" : ", ",
                            columns[g_rand_int_range (random, 0, (gint32) n_columns)],
                            is_ordered && g_rand_boolean (random) ? " DESC" : "");
}

static void
add_groups (GRand *random, GString *sql)
{
  g_autoptr (GString) keys = g_string_new (NULL);

  add_list (random, keys, key_columns, G_N_ELEMENTS (key_columns), (guint) g_rand_int_range (random, 1, 4), FALSE);
  g_string_append_printf (sql, "SELECT %s", keys->str);
  for (int i = 0, n = g_rand_int_range (random, 1, 4); i < n; i++)
    {
      g_auto (GStrv) parts = g_strsplit (PICK (random, aggregates), "%s", -1);
      g_autofree char *aggregate = g_strjoinv (PICK (random, values), parts);
      g_string_append_printf (sql, ", %s", aggregate);
    }
  g_string_append (sql, " FROM @");
  add_where (random, sql);
  g_string_append_printf (sql, " GROUP BY %s", keys->str);
  if (g_rand_int_range (random, 0, 4) == 0)
    g_string_append (sql, " HAVING count (*) > 3");
  if (g_rand_int_range (random, 0, 3) == 0)
    g_string_append_printf (sql, " ORDER BY %s%s", keys->str, g_rand_boolean (random) ? " DESC" : "");
}

static char *
make_statement_of_one (GRand *random)
{
  GString *sql = g_string_new (NULL);
  int kind = g_rand_int_range (random, 0, 5);

  if (kind < 2)
    add_groups (random, sql);
  else if (kind == 2)
    {
      g_string_append (sql, "SELECT DISTINCT ");
      add_list (random, sql, key_columns, G_N_ELEMENTS (key_columns), (guint) g_rand_int_range (random, 1, 4), FALSE);
      g_string_append (sql, " FROM @");
      add_where (random, sql);
      if (g_rand_int_range (random, 0, 3) == 0)
        g_string_append (sql, g_rand_boolean (random) ? " ORDER BY 1" : " ORDER BY 1 DESC");
    }
  else
    {
      g_string_append (sql, "SELECT id, ");
      add_list (random, sql, all_columns, G_N_ELEMENTS (all_columns), (guint) g_rand_int_range (random, 1, 6), FALSE);
      g_string_append (sql, " FROM @");
      add_where (random, sql);
      if (g_rand_boolean (random))
        {
          g_string_append (sql, " ORDER BY ");
          if (g_rand_boolean (random))
            add_list (random, sql, all_columns, G_N_ELEMENTS (all_columns), 2, TRUE);
          g_string_append (sql, g_str_has_suffix (sql->str, "BY ") ? "id DESC" : ", id");
        }
    }
  if (g_rand_int_range (random, 0, 5) == 0)
    g_string_append_printf (sql, " LIMIT %d OFFSET %d", g_rand_int_range (random, 0, 40),
                            g_rand_int_range (random, 0, 9));
  return g_string_free (sql, FALSE);
}

static void
ask_all (guint number)
{
  g_autofree char *path = odd_database_make (directory, number);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open_unselected (path, &error);
  GRand *random = g_rand_new_with_seed (number);

  require_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (singles); i++)
    assert_same_answer (store, singles[i], FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (joins); i++)
    assert_same_answer (store, joins[i], TRUE);
  for (guint i = 0; i < test_rounds (200); i++)
    {
      g_autofree char *sql = make_statement_of_one (random);
      assert_same_answer (store, sql, FALSE);
    }
  g_rand_free (random);
  g_remove (path);
}

static void
test_same_answers (void)
{
  for (guint i = 0; i < n_odd_databases; i++)
    ask_all (i);
  g_assert_cmpuint (n_filled, >, n_odd_databases * G_N_ELEMENTS (joins));
}

/* What a statement reads is not what it has to read: in an answer this cannot be seen. */
static void
assert_few_steps (sqlite3 *db, const char *sql)
{
  g_autoptr (sqlite3_stmt) row = NULL;

  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &row, NULL), ==, SQLITE_OK);
  while (sqlite3_step (row) == SQLITE_ROW)
    continue;
  g_assert_cmpint (sqlite3_stmt_status (row, SQLITE_STMTSTATUS_VM_STEP, FALSE), <, 200);
}

/* It is there, and goes away. */
static void
test_view (void)
{
  g_autofree char *path = odd_database_make (directory, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open_unselected (path, &error);

  require_no_error (error);
  g_assert_true (tt_connection_enter (store->connection, &error));
  TtVirtualEvents *events = tt_virtual_events_new (store);
  require_nonnull (events);
  g_autofree char *names = example_query (store, "SELECT count (*) FROM sqlite_temp_schema WHERE name = 'event'");
  g_assert_cmpstr (names, ==, "1\n");
  g_autofree char *ours = example_query (store, "SELECT name, type FROM pragma_table_info ('event', 'temp')");
  g_autofree char *theirs = example_query (store, "SELECT name, type FROM pragma_table_info ('event', 'main')");
  g_assert_cmpstr (ours, ==, theirs);
  assert_few_steps (store->connection->db, "SELECT name FROM event WHERE id IN (5, 900, 901)");
  assert_few_steps (store->connection->db, "SELECT min (id), name FROM event");
  assert_few_steps (store->connection->db, "SELECT max (id), name FROM event");
  tt_virtual_events_free (events);
  g_autofree char *left = example_query (store, "SELECT count (*) FROM sqlite_temp_schema");
  g_assert_cmpstr (left, ==, "0\n");
  g_assert_cmpint (sqlite3_exec (store->connection->db, "CREATE TEMP TABLE x (y)", NULL, NULL, NULL), ==,
                   SQLITE_READONLY);
  tt_connection_leave (store->connection);
}

/* What names the schema of the view in the file, and what asks how it is read, is answered of that one. */
static void
test_named_view (void)
{
  g_autofree char *path = odd_database_make (directory, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open_unselected (path, &error);

  require_no_error (error);
  g_autofree char *ours = answer (store, "SELECT main.event.name FROM event", "event", FALSE);
  g_autofree char *theirs = answer (store, "SELECT main.event.name FROM main.event", "event", FALSE);
  g_assert_cmpuint (strlen (theirs), >, 1000);
  g_assert_cmpstr (ours, ==, theirs);
  assert_same_answer (store, "EXPLAIN QUERY PLAN SELECT name, count (*) FROM @ GROUP BY name", FALSE);
  assert_same_answer (store, "EXPLAIN SELECT id FROM @", FALSE);
}

/* A query within a query, of its rows. */
static gboolean
ask_again (const TtCell *cells, guint n, gpointer data)
{
  g_autofree char *name = answer (data, "SELECT name, count (*) FROM @ GROUP BY name", "event", FALSE);

  g_assert_cmpuint (strlen (name), >, 30);
  return TRUE;
}

static void
test_nested (void)
{
  g_autofree char *path = odd_database_make (directory, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open_unselected (path, &error);

  require_no_error (error);
  g_assert_true (tt_store_query (store, "SELECT DISTINCT name, tid FROM event", NULL, ask_again, store, &error));
  require_no_error (error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("tracetool-virtual-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/virtual-events/view", test_view);
  g_test_add_func ("/virtual-events/named-view", test_named_view);
  g_test_add_func ("/virtual-events/nested", test_nested);
  g_test_add_func ("/virtual-events/same-answers", test_same_answers);
  int status = g_test_run ();
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", directory);
  return system (command) == 0 ? status : 1;
}
