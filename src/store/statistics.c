/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/statistics.h"

#include <math.h>
#include <string.h>

#include "src/store/import/private.h"
#include "src/store/import/table-writer.h"
#include "src/store/page-rows.h"

/* The columns of statistic_row, with the id. */
enum
{
  COLUMN_RUN = 1,
  COLUMN_PROCESS,
  COLUMN_NAME,
  COLUMN_COUNT,
  COLUMN_TOTAL_NS,
  COLUMN_SELF_NS,
  COLUMN_SUM_NS,
  COLUMN_SUM_SQ_HIGH,
  COLUMN_SUM_SQ_LOW,
  COLUMN_AVG_NS,
  COLUMN_MIN_NS,
  COLUMN_MAX_NS,
  COLUMN_MEDIAN_NS,
  COLUMN_P95_NS,
  COLUMN_P99_NS,
  COLUMN_STDDEV_NS,
  N_COLUMNS,
};

/* -- reading by statement ------------------------------------------------------------------------------ */

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
  " ON s.id BETWEEN r.first_" range " AND r.last_" range " WHERE r.id BETWEEN ?1 AND ?2 AND s.id >= ?3"
#define STATISTIC_PIECES(range) "SELECT first_" range ", last_" range " FROM run_row WHERE id BETWEEN ?1 AND ?2"

/* -- reading from pages --------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  TtStatisticFunc func;
  gpointer data;
} PageScan;

static TtPageRowAnswer
take_statistic (const gint64 *values, guint nulls, gpointer data)
{
  PageScan *self = data;
  const gint64 process = values[COLUMN_PROCESS];
  const TtStatistic statistic = {
    .process = process == 0 ? TT_NO_ID : tt_places_find (&self->store->process_places, process),
    .name = tt_places_find (&self->store->name_places, values[COLUMN_NAME]),
    .count = (guint64) values[COLUMN_COUNT],
    .total_ns = values[COLUMN_TOTAL_NS],
    .self_ns = values[COLUMN_SELF_NS],
    .sum_ns = values[COLUMN_SUM_NS],
    .sum_sq = (tt_uint128) (guint64) values[COLUMN_SUM_SQ_HIGH] << 64 | (guint64) values[COLUMN_SUM_SQ_LOW],
    .min_ns = values[COLUMN_MIN_NS],
    .max_ns = values[COLUMN_MAX_NS],
    .median_ns = values[COLUMN_MEDIAN_NS],
    .p95_ns = values[COLUMN_P95_NS],
    .p99_ns = values[COLUMN_P99_NS],
    .is_bounded = (nulls & 1u << COLUMN_MAX_NS) != 0,
  };

  if (statistic.name == 0 || (statistic.process == TT_NO_ID && process != 0))
    return TT_PAGE_ROW_ODD;
  return self->func (&statistic, self->data) ? TT_PAGE_ROW_TAKEN : TT_PAGE_ROW_LAST;
}

gboolean
tt_store_each_statistic (TtStore *self, TtStatisticTable table, TtStatisticFunc func, gpointer data, GError **error)
{
  const gboolean is_by_name = table == TT_STATISTIC_BY_NAME;
  PageScan scan = { self, func, data };
  guint64 next;

  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  g_autoptr (TtTablePages) pages = tt_table_pages_new (self, "statistic_row", N_COLUMNS);
  if (pages != NULL)
    tt_table_pages_pass_reals (pages, 1u << COLUMN_AVG_NS | 1u << COLUMN_STDDEV_NS);
  gboolean is_ok =
      tt_page_rows_read (self, pages, is_by_name ? STATISTIC_PIECES ("name") : STATISTIC_PIECES ("long_name"),
                         take_statistic, &scan, &next) ||
      tt_store_each_row_from (self, "statistic", is_by_name ? STATISTIC_SCAN ("name") : STATISTIC_SCAN ("long_name"),
                              next, handle_statistic, (TtAnyFunc) func, data, error);
  tt_connection_leave (self->connection);
  return is_ok;
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

#define COLUMNS                                                                                    \
  "run, process, name, count, total_ns, self_ns, sum_ns, sum_sq_high, sum_sq_low, avg_ns, min_ns," \
  " max_ns, median_ns, p95_ns, p99_ns, stddev_ns"

/* SQLite keeps whole numbers of a REAL column as integers, which take less room, and reads them as what they are:
 * https://www.sqlite.org/datatype3.html, 3. */
static TtRowValue
real_of_column (double value)
{
  const double most = (double) ((gint64) 1 << 47);

  return value > -most && value < most && value == floor (value) ? tt_row_int ((gint64) value) : tt_row_real (value);
}

static void
fill_row (const TtStoreImport *self, const TtStatistic *row, TtRowValue values[N_COLUMNS])
{
  const TtStore *store = self->store;
  const gint64 spread_ns[] = { row->min_ns, row->max_ns, row->median_ns, row->p95_ns, row->p99_ns };
  double avg_ns, stddev_ns;

  find_average (row, &avg_ns, &stddev_ns);
  values[COLUMN_RUN] = tt_row_int (self->run);
  values[COLUMN_PROCESS] =
      tt_row_int (row->process == TT_NO_ID ? 0 : tt_places_id (&store->process_places, row->process));
  values[COLUMN_NAME] = tt_row_int (tt_places_id (&store->name_places, row->name));
  values[COLUMN_COUNT] = tt_row_int ((gint64) row->count);
  values[COLUMN_TOTAL_NS] = tt_row_int ((gint64) row->total_ns);
  values[COLUMN_SELF_NS] = tt_row_int ((gint64) row->self_ns);
  values[COLUMN_SUM_NS] = tt_row_int ((gint64) row->sum_ns);
  values[COLUMN_SUM_SQ_HIGH] = tt_row_int ((gint64) (guint64) (row->sum_sq >> 64));
  values[COLUMN_SUM_SQ_LOW] = tt_row_int ((gint64) (guint64) row->sum_sq);
  values[COLUMN_AVG_NS] = real_of_column (avg_ns);
  for (guint i = 0; i < G_N_ELEMENTS (spread_ns); i++)
    values[COLUMN_MIN_NS + i] = row->is_bounded ? (TtRowValue){ .type = TT_ROW_NULL } : tt_row_int (spread_ns[i]);
  values[COLUMN_STDDEV_NS] = real_of_column (stddev_ns);
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
remove_rows (TtStoreImport *self, GError **error)
{
  gint64 run = self->run;

  return tt_connection_exec_ints (self->connection, "DELETE FROM statistic_row WHERE run = ?1", &run, 1, error);
}

/* *n: how many. */
static gboolean
write_rows (TtStoreImport *self,
            TtTableWriter *writer,
            TtStatisticTable table,
            const TtStatisticFeed *feed,
            gint64 *n,
            GError **error)
{
  TtRowValue values[N_COLUMNS];
  TtStatistic row = { 0 };
  GError *failure = NULL;

  for (*n = 0; feed->next (&row, feed->data, &failure); (*n)++)
    {
      if (table == TT_STATISTIC_BY_NAME)
        row.process = TT_NO_ID;
      if (!check_sums (self, &row, error))
        return FALSE;
      fill_row (self, &row, values);
      if (!tt_table_writer_add (writer, values, error))
        return FALSE;
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_store_import_statistics (TtStoreImport *self,
                            const TtStatisticFeed *by_long_name,
                            const TtStatisticFeed *by_name,
                            GError **error)
{
  guint64 first, last;
  gint64 n_long, n;

  if (!remove_rows (self, error))
    return FALSE;
  g_autoptr (TtTableWriter) writer = tt_table_writer_new (self->connection, "statistic_row", COLUMNS, N_COLUMNS, error);
  if (writer == NULL || !write_rows (self, writer, TT_STATISTIC_BY_LONG_NAME, by_long_name, &n_long, error) ||
      !write_rows (self, writer, TT_STATISTIC_BY_NAME, by_name, &n, error) ||
      !tt_table_writer_finish (writer, &first, &last, error))
    return FALSE;
  return note_range (self, TT_STATISTIC_BY_LONG_NAME, (gint64) first, (gint64) first + n_long - 1, error) &&
         note_range (self, TT_STATISTIC_BY_NAME, (gint64) first + n_long, (gint64) last, error);
}
