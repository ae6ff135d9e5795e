/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/statistics.h"

#include <math.h>
#include <string.h>

#include "src/store/import/private.h"

/* -- reading ------------------------------------------------------------------------------------------- */

static gboolean
handle_statistic (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  TtStatistic statistic = {
    .process = tt_row_process (scan, 0, TRUE),
    .name = tt_row_name (scan, 1),
    .count = tt_store_column_uint (row, 2),
    .total_ns = sqlite3_column_int64 (row, 3),
    .self_ns = sqlite3_column_int64 (row, 4),
    .sum_ns = sqlite3_column_int64 (row, 5),
    .sum_sq = (tt_uint128) tt_store_column_uint (row, 6) << 64 | tt_store_column_uint (row, 7),
    .min_ns = sqlite3_column_int64 (row, 8),
    .max_ns = sqlite3_column_int64 (row, 9),
    .median_ns = sqlite3_column_int64 (row, 10),
    .p95_ns = sqlite3_column_int64 (row, 11),
    .p99_ns = sqlite3_column_int64 (row, 12),
    .is_bounded = sqlite3_column_type (row, 9) == SQLITE_NULL,
  };

  return scan->fault == NULL && ((TtStatisticFunc) func) (&statistic, data);
}

#define STATISTIC_SCAN(range)                                                                                  \
  "SELECT s.process, s.name, s.count, s.total_ns, s.self_ns, s.sum_ns, s.sum_sq_high, s.sum_sq_low, s.min_ns," \
  " s.max_ns, s.median_ns, s.p95_ns, s.p99_ns FROM run_row r CROSS JOIN statistic_row s"                       \
  " ON s.id BETWEEN r.first_" range " AND r.last_" range " WHERE r.id BETWEEN ?1 AND ?2"

gboolean
tt_store_each_statistic (TtStore *self, TtStatisticTable table, TtStatisticFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (self, "statistic",
                            table == TT_STATISTIC_BY_NAME ? STATISTIC_SCAN ("name") : STATISTIC_SCAN ("long_name"),
                            handle_statistic, (TtAnyFunc) func, data, error);
}

/* -- writing ------------------------------------------------------------------------------------------- */

/* The sums are exact, and so are the squares of the distances from the whole nanoseconds of the mean: only the last step
 * is in floating point. */
static void
find_average (const TtStatistic *row, double *avg_ns, double *stddev_ns)
{
  tt_int128 n = (tt_int128) row->count;
  tt_int128 whole = n > 0 ? row->sum_ns / n : 0, rest = row->sum_ns - whole * n;
  tt_uint128 squares = row->sum_sq - 2 * (tt_uint128) whole * (tt_uint128) row->sum_ns +
                       (tt_uint128) n * (tt_uint128) whole * (tt_uint128) whole;
  double count = (double) MAX (row->count, 1), fraction = (double) rest / count;
  double variance = (double) squares / count - fraction * fraction;

  *avg_ns = (double) whole + fraction;
  /* A sum of squares that has overflowed says so; NaN becomes null. */
  *stddev_ns = row->sum_sq == ~(tt_uint128) 0 ? NAN : variance > 0 ? sqrt (variance) : 0;
}

static gboolean
fits_in_int64 (tt_int128 value)
{
  return value >= G_MININT64 && value <= G_MAXINT64;
}

static gboolean
check_sums (TtStoreImport *self, const TtStatistic *row, GError **error)
{
  if (fits_in_int64 (row->total_ns) && fits_in_int64 (row->self_ns) && fits_in_int64 (row->sum_ns) &&
      row->count <= G_MAXINT64)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE,
               "cannot write '%s': the durations of name %u sum up to more than 292 years", self->path, row->name);
  return FALSE;
}

static void
bind_row (sqlite3_stmt *insert, const TtStore *store, const TtStatistic *row)
{
  double avg_ns, stddev_ns;

  find_average (row, &avg_ns, &stddev_ns);
  sqlite3_bind_int64 (insert, 2, row->process == TT_NO_ID ? 0 : tt_places_id (&store->process_places, row->process));
  sqlite3_bind_int64 (insert, 3, tt_places_id (&store->name_places, row->name));
  sqlite3_bind_int64 (insert, 4, (gint64) row->count);
  sqlite3_bind_int64 (insert, 5, (gint64) row->total_ns);
  sqlite3_bind_int64 (insert, 6, (gint64) row->self_ns);
  sqlite3_bind_int64 (insert, 7, (gint64) row->sum_ns);
  sqlite3_bind_int64 (insert, 8, (gint64) (guint64) (row->sum_sq >> 64));
  sqlite3_bind_int64 (insert, 9, (gint64) (guint64) row->sum_sq);
  sqlite3_bind_double (insert, 10, avg_ns);
  const gint64 spread_ns[] = { row->min_ns, row->max_ns, row->median_ns, row->p95_ns, row->p99_ns };
  for (int i = 0; i < (int) G_N_ELEMENTS (spread_ns); i++)
    {
      if (row->is_bounded)
        sqlite3_bind_null (insert, 11 + i);
      else
        sqlite3_bind_int64 (insert, 11 + i, spread_ns[i]);
    }
  sqlite3_bind_double (insert, 16, stddev_ns);
}

/* Rows of a table lie together, so that a scan of one does not read the other. */
static gboolean
note_range (TtStoreImport *self, TtStatisticTable table, gint64 first, gint64 last, GError **error)
{
  gint64 values[] = { self->run, first, last };

  return tt_connection_exec_ints (self->connection,
                                  table == TT_STATISTIC_BY_NAME
                                      ? "UPDATE run_row SET first_name = ?2, last_name = ?3 WHERE id = ?1"
                                      : "UPDATE run_row SET first_long_name = ?2, last_long_name = ?3 WHERE id = ?1",
                                  values, 3, error);
}

static gboolean
remove_rows (TtStoreImport *self, TtStatisticTable table, GError **error)
{
  gint64 run = self->run;

  return tt_connection_exec_ints (self->connection,
                                  table == TT_STATISTIC_BY_NAME
                                      ? "DELETE FROM statistic_row WHERE run = ?1 AND process = 0"
                                      : "DELETE FROM statistic_row WHERE run = ?1 AND process > 0",
                                  &run, 1, error);
}

gboolean
tt_store_import_statistics (TtStoreImport *self,
                            TtStatisticTable table,
                            TtStatisticNext next,
                            gpointer data,
                            GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      self->connection,
      "INSERT INTO statistic_row (run, process, name, count, total_ns, self_ns, sum_ns, sum_sq_high,"
      " sum_sq_low, avg_ns, min_ns, max_ns, median_ns, p95_ns, p99_ns, stddev_ns)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
      error);
  GError *failure = NULL;
  TtStatistic row = { 0 };
  gint64 last, n = 0;

  if (insert == NULL || !remove_rows (self, table, error) ||
      !tt_connection_get_int (self->connection, "SELECT max (id) FROM statistic_row", &last, error))
    return FALSE;
  sqlite3_bind_int64 (insert, 1, self->run);
  while (failure == NULL && next (&row, data))
    {
      if (table == TT_STATISTIC_BY_NAME)
        row.process = TT_NO_ID;
      if (!check_sums (self, &row, error))
        return FALSE;
      bind_row (insert, self->store, &row);
      tt_connection_step (self->connection, insert, &failure);
      sqlite3_reset (insert);
      n++;
    }
  return tt_store_finish (failure, error) && note_range (self, table, last + 1, last + n, error);
}
