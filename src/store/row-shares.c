/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/int128.h"
#include "src/store/private.h"
#include "src/store/rows.h"

/* The first and the last id of a table's rows of the selected runs; FALSE: @error. first > last: there are none. */
static gboolean
find_rows (TtStore *self, const char *sql, TtRowRange *range, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, sql, error);
  GError *failure = NULL;

  *range = (TtRowRange){ 1, 0 };
  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->first_run);
  sqlite3_bind_int64 (row, 2, self->last_run);
  if (tt_connection_step (self->connection, row, &failure) && sqlite3_column_type (row, 0) != SQLITE_NULL)
    *range = (TtRowRange){ sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1) };
  return tt_store_finish (failure, error);
}

/* The first id of share @i; that of share @n is the one after the last. */
static gint64
begin_of (const TtRowRange *all, guint n, guint i)
{
  const tt_uint128 rows = (tt_uint128) all->last - (tt_uint128) all->first + 1;

  return (gint64) (all->first + (gint64) (rows * i / n));
}

static gboolean
share_rows (TtStore *self, const char *sql, guint n, guint i, TtRowRange *all, TtRowRange *range, GError **error)
{
  if (!find_rows (self, sql, all, error))
    return FALSE;
  /* Nobody has written ids that are not positive: share 0 is to say so. */
  if (all->first <= 0 || all->last < all->first || all->last == G_MAXINT64)
    *range = i == 0 ? (TtRowRange) TT_ROWS_ALL : (TtRowRange){ 1, 0 };
  else
    *range = (TtRowRange){ i == 0 ? G_MININT64 : begin_of (all, n, i),
                           i + 1 == n ? G_MAXINT64 : begin_of (all, n, i + 1) - 1 };
  return TRUE;
}

gboolean
tt_store_message_share (TtStore *self, guint n, guint i, TtRowRange *range, GError **error)
{
  TtRowRange all;

  return share_rows (self, "SELECT min (first_message), max (last_message) FROM run_row WHERE id BETWEEN ?1 AND ?2", n,
                     i, &all, range, error);
}

/* From @id on the first row that is of another call than the one before it. */
static gboolean
find_next_call (TtStore *self, gint64 *id, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection,
      "SELECT c.id FROM collective_row c,"
      " (SELECT comm, ordinal FROM collective_row WHERE id < ?1 ORDER BY id DESC LIMIT 1) b"
      " WHERE c.id >= ?1 AND (c.comm IS NOT b.comm OR c.ordinal IS NOT b.ordinal) ORDER BY c.id LIMIT 1",
      error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, *id);
  *id = tt_connection_step (self->connection, row, &failure) ? sqlite3_column_int64 (row, 0) : G_MAXINT64;
  return tt_store_finish (failure, error);
}

gboolean
tt_store_collective_share (TtStore *self, guint n, guint i, TtRowRange *range, GError **error)
{
  TtRowRange all;

  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  gboolean is_ok =
      share_rows (self, "SELECT min (first_collective), max (last_collective) FROM run_row WHERE id BETWEEN ?1 AND ?2",
                  n, i, &all, range, error);
  /* A share that begins with the first row of all has whole calls. */
  const gboolean is_empty = range->first > range->last;
  if (is_ok && !is_empty && range->first > all.first)
    is_ok = find_next_call (self, &range->first, error);
  gint64 end = range->last;
  if (is_ok && !is_empty && end < G_MAXINT64 && end >= all.first && end > 0)
    {
      end++;
      is_ok = find_next_call (self, &end, error);
      range->last = end == G_MAXINT64 ? end : end - 1;
    }
  tt_connection_leave (self->connection);
  return is_ok;
}
