/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/clock-maps.h"
#include "src/store/collective-spans.h"
#include "src/store/page-rows.h"
#include "src/store/rows.h"

#define PIECES "SELECT first_collective, last_collective FROM run_row WHERE id BETWEEN ?1 AND ?2"

/* Of an event that is not there another scan tells. */
static guint32
name_of_span (TtStore *store, gint64 name, gboolean is_async, gint64 dur_ns)
{
  const guint32 place = dur_ns == TT_NO_TIME || is_async ? 0 : tt_places_find (&store->name_places, name);

  return place == 0 ? TT_NO_ID : place;
}

/* -- by statement ------------------------------------------------------------------------------------------------ */

static gboolean
handle_collective (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  TtCollective collective = {
    .comm = sqlite3_column_int64 (row, 0),
    .function = (const char *) sqlite3_column_text (row, 1),
    .ordinal = sqlite3_column_int64 (row, 2),
    .process = tt_row_process (scan, 3, FALSE),
    .thread = tt_row_thread (scan, 4, FALSE),
    .event = tt_row_event (scan, 5),
    .ts_ns = tt_row_time (scan, 6, FALSE),
    .dur_ns = tt_row_time (scan, 7, TRUE),
    .root = tt_row_process (scan, 8, TRUE),
    .is_inferred = (sqlite3_column_int64 (row, 9) & TT_COLLECTIVE_INFERRED) != 0,
    .is_undecided = (sqlite3_column_int64 (row, 9) & TT_COLLECTIVE_UNDECIDED) != 0,
    .is_mended = (sqlite3_column_int64 (row, 10) & TT_FLAGS_BOUNDED) != 0,
  };

  collective.name = name_of_span (scan->store, sqlite3_column_int64 (row, 11),
                                  (sqlite3_column_int64 (row, 10) & TT_FLAG_ASYNC) != 0, collective.dur_ns);
  tt_clock_maps_correct (scan->store, collective.thread, &collective.ts_ns, &collective.dur_ns);
  if (collective.function == NULL && scan->fault == NULL)
    tt_store_set_damaged (scan->store, &scan->fault, "a collective's name is not there");
  return scan->fault == NULL && ((TtCollectiveFunc) func) (&collective, data);
}

/* -- from pages ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  TtCollectiveSpans *spans;
  sqlite3_stmt *get_name; /* its row has the name that was read last */
  gint64 name;
  const char *function; /* NULL: none was read */
  TtCollectiveFunc func;
  gpointer data;
} PageScan;

static const char *
find_function (PageScan *self, gint64 name)
{
  if (self->function != NULL && self->name == name)
    return self->function;
  sqlite3_reset (self->get_name);
  sqlite3_bind_int64 (self->get_name, 1, name);
  self->name = name;
  self->function = tt_connection_step (self->store->connection, self->get_name, NULL)
                       ? (const char *) sqlite3_column_text (self->get_name, 0)
                       : NULL;
  return self->function;
}

/* FALSE: it is not as it should be. */
static gboolean
find_span (PageScan *self, guint64 row, TtCollective *collective)
{
  const TtCollectiveSpan *span = tt_collective_spans_find (self->spans, row, collective->event);

  if (span == NULL || tt_store_find_range (self->store, collective->event) == NULL)
    return FALSE;
  collective->ts_ns = span->ts_ns;
  collective->dur_ns = span->dur_ns;
  collective->is_mended = span->is_mended;
  collective->name = name_of_span (self->store, span->name, span->is_async, span->dur_ns);
  return TRUE;
}

static TtPageRowAnswer
take_collective (const gint64 *values, guint nulls, gpointer data)
{
  PageScan *self = data;
  TtPlaces *processes = &self->store->process_places;
  TtCollective collective = {
    .comm = values[TT_COLLECTIVE_COMM],
    .ordinal = values[TT_COLLECTIVE_ORDINAL],
    .process = tt_places_find (processes, values[TT_COLLECTIVE_PROCESS]),
    .thread = tt_places_find (&self->store->thread_places, values[TT_COLLECTIVE_THREAD]),
    .event = (guint64) values[TT_COLLECTIVE_EVENT],
    .root = values[TT_COLLECTIVE_ROOT] == 0 ? 0 : tt_places_find (processes, values[TT_COLLECTIVE_ROOT]),
    .is_inferred = (values[TT_COLLECTIVE_FLAGS] & TT_COLLECTIVE_INFERRED) != 0,
    .is_undecided = (values[TT_COLLECTIVE_FLAGS] & TT_COLLECTIVE_UNDECIDED) != 0,
  };

  if (collective.process == 0 || collective.thread == 0 || (collective.root == 0 && values[TT_COLLECTIVE_ROOT] != 0) ||
      !find_span (self, (guint64) values[0], &collective) ||
      (collective.function = find_function (self, values[TT_COLLECTIVE_NAME])) == NULL)
    return TT_PAGE_ROW_ODD;
  tt_clock_maps_correct (self->store, collective.thread, &collective.ts_ns, &collective.dur_ns);
  return self->func (&collective, self->data) ? TT_PAGE_ROW_TAKEN : TT_PAGE_ROW_LAST;
}

/* TRUE: all is done. FALSE: the rows from @next on are left. */
static gboolean
read_collectives (TtStore *store, const TtRowRange *range, TtCollectiveFunc func, gpointer data, guint64 *next)
{
  g_autoptr (TtTablePages) collectives = tt_table_pages_new (store, "collective_row", TT_COLLECTIVE_COLUMNS);
  g_autoptr (sqlite3_stmt) get_name =
      tt_connection_prepare (store->connection, "SELECT op_name FROM name_row WHERE id = ?1", NULL);
  PageScan scan = { .store = store, .get_name = get_name, .func = func, .data = data };

  if (collectives != NULL)
    scan.spans = tt_collective_spans_open (store);
  if (scan.spans == NULL || get_name == NULL)
    g_clear_pointer (&collectives, tt_table_pages_free);
  gboolean is_done = tt_page_rows_read_of (store, collectives, PIECES, range, take_collective, &scan, next);
  tt_collective_spans_close (scan.spans);
  return is_done;
}

/* -- both -------------------------------------------------------------------------------------------------------------- */

#define COLLECTIVE_CACHE -24576 /* KiB: pages of a thousand ranks */

static gboolean
read_rest (TtStore *self, const TtRowRange *range, TtCollectiveFunc func, gpointer data, GError **error)
{
  gint64 old_cache = tt_connection_set_cache (self->connection, COLLECTIVE_CACHE);
  gboolean is_read = tt_store_each_row_of (
      self, "collective",
      "SELECT c.comm, n.op_name, c.ordinal, c.process, c.thread, c.event, e.ts_ns, e.dur_ns, c.root, c.flags, e.shape, "
      "e.name"
      " FROM run_row r CROSS JOIN collective_row c ON c.id BETWEEN r.first_collective AND r.last_collective"
      " LEFT JOIN name_row n ON n.id = +c.name LEFT JOIN event_row e ON e.id = +c.event"
      " WHERE r.id BETWEEN ?1 AND ?2 AND c.id BETWEEN ?3 AND ?4",
      range, handle_collective, (TtAnyFunc) func, data, error);

  tt_connection_set_cache (self->connection, old_cache);
  return is_read;
}

gboolean
tt_store_each_collective_of (TtStore *self,
                             const TtRowRange *range,
                             TtCollectiveFunc func,
                             gpointer data,
                             GError **error)
{
  guint64 next;

  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  gboolean is_ok = read_collectives (self, range, func, data, &next);
  if (!is_ok)
    {
      const TtRowRange rest = { MAX ((gint64) next, range->first), range->last };
      is_ok = read_rest (self, &rest, func, data, error);
    }
  tt_connection_leave (self->connection);
  return is_ok;
}

gboolean
tt_store_each_collective (TtStore *self, TtCollectiveFunc func, gpointer data, GError **error)
{
  const TtRowRange all = TT_ROWS_ALL;

  return tt_store_each_collective_of (self, &all, func, data, error);
}

/* -- how many are inferred ----------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 n_inferred, n_doubtful;
} FlagCounts;

static TtPageRowAnswer
count_flags (const gint64 *values, guint nulls, gpointer data)
{
  FlagCounts *self = data;

  self->n_inferred += (values[TT_COLLECTIVE_FLAGS] & TT_COLLECTIVE_INFERRED) != 0;
  self->n_doubtful += (values[TT_COLLECTIVE_FLAGS] & TT_COLLECTIVE_DOUBTFUL) != 0;
  return TT_PAGE_ROW_TAKEN;
}

static gboolean
count_flags_from (TtStore *self, guint64 next, FlagCounts *counts, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection,
      "SELECT sum ((c.flags & " G_STRINGIFY (TT_COLLECTIVE_INFERRED) ") <> 0), sum ((c.flags & " G_STRINGIFY (
          TT_COLLECTIVE_DOUBTFUL) ") <> 0) FROM run_row r CROSS JOIN collective_row c"
                                  " ON c.id BETWEEN r.first_collective AND r.last_collective"
                                  " WHERE r.id BETWEEN ?1 AND ?2 AND c.id >= ?3",
      error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->first_run);
  sqlite3_bind_int64 (row, 2, self->last_run);
  sqlite3_bind_int64 (row, 3, (gint64) next);
  if (tt_connection_step (self->connection, row, &failure))
    {
      counts->n_inferred += tt_store_column_uint (row, 0);
      counts->n_doubtful += tt_store_column_uint (row, 1);
    }
  return failure == NULL || tt_store_finish (failure, error);
}

gboolean
tt_store_count_inferred_calls (TtStore *self, guint64 *n_inferred, guint64 *n_doubtful, GError **error)
{
  FlagCounts counts = { 0 };
  guint64 next;

  *n_inferred = *n_doubtful = 0;
  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  g_autoptr (TtTablePages) collectives = tt_table_pages_new (self, "collective_row", TT_COLLECTIVE_COLUMNS);
  gboolean is_ok = tt_page_rows_read (self, collectives, PIECES, count_flags, &counts, &next) ||
                   count_flags_from (self, next, &counts, error);
  tt_connection_leave (self->connection);
  *n_inferred = counts.n_inferred;
  *n_doubtful = counts.n_doubtful;
  return is_ok;
}
