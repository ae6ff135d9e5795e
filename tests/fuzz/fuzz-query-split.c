/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <sqlite3.h>
#include <string.h>

#include "src/store/query-split.h"
#include "src/store/query-sums.h"
#include "src/store/virtual-private.h"

/*
 * Any bytes as a statement. Of what SQLite takes for one about events and what is split, SQLite takes the statement of parts and that of all,
 * with as many columns.
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static sqlite3 *
open_events (void)
{
  g_autoptr (GString) sql = g_string_new ("CREATE TABLE event (");
  sqlite3 *db = NULL;

  for (guint i = 0; i < TT_EVENT_N; i++)
    g_string_append_printf (sql, "%s%s %s", i > 0 ? ", " : "", tt_event_columns[i].name, tt_event_columns[i].type);
  g_string_append_c (sql, ')');
  g_assert_true (sqlite3_open (":memory:", &db) == SQLITE_OK &&
                 sqlite3_exec (db, sql->str, NULL, NULL, NULL) == SQLITE_OK);
  g_assert_true (tt_query_sums_add_part (db) && tt_query_sums_add_joins (db));
  return db;
}

static int
count_columns (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK)
    return -1;
  const int n = sqlite3_column_count (statement);
  sqlite3_finalize (statement);
  return n;
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static sqlite3 *db;

  if (len > 4096)
    return 0;
  if (db == NULL)
    db = open_events ();
  g_autofree char *sql = g_strndup ((const char *) bytes, len);
  g_autoptr (TtQuerySplit) split = tt_query_split_new (sql);
  const int n = split == NULL ? -1 : count_columns (db, sql);
  if (n <= 0)
    return 0;
  const int n_part = count_columns (db, split->part);
  if (split->whole == NULL)
    {
      g_assert_cmpint (n_part, ==, n);
      return 0;
    }
  g_assert_cmpint (n_part, ==, (int) strlen (split->types));
  g_assert_cmpint (sqlite3_exec (db, split->table, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (count_columns (db, split->whole), ==, n);
  g_assert_cmpint (sqlite3_exec (db, "DROP TABLE part", NULL, NULL, NULL), ==, SQLITE_OK);
  return 0;
}
