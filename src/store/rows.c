/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/rows.h"

#include "src/store/clock-maps.h"

static gboolean
handle_counter (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  guint32 series = tt_row_series (scan, 0), thread = tt_row_thread (scan, 1, FALSE);
  gint64 ts_ns = tt_row_time (scan, 2, FALSE);

  return scan->fault == NULL &&
         ((TtCounterFunc) func) (series, thread, tt_clock_maps_thread_time (scan->store, thread, ts_ns),
                                 sqlite3_column_type (row, 3) == SQLITE_FLOAT, sqlite3_column_int64 (row, 3),
                                 sqlite3_column_double (row, 3), data);
}

gboolean
tt_store_each_counter (TtStore *self, TtCounterFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (self, "counter",
                            "SELECT c.series, c.thread, c.ts_ns, c.value FROM source_row s CROSS JOIN counter_row c"
                            " ON c.id BETWEEN s.first_counter AND s.last_counter WHERE s.run BETWEEN ?1 AND ?2",
                            handle_counter, (TtAnyFunc) func, data, error);
}

static gboolean
handle_parameter (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  const TtParameter parameter = {
    .tensor_id = sqlite3_column_int64 (row, 0),
    .tensor_name = (const char *) sqlite3_column_text (row, 1),
    .shape = (const char *) sqlite3_column_text (row, 2),
    .dtype = (const char *) sqlite3_column_text (row, 3),
    .origin = (const char *) sqlite3_column_text (row, 4),
    .update_id = tt_store_column_int_or (row, 5, -1),
  };

  return ((TtParameterFunc) func) (&parameter, data);
}

gboolean
tt_store_each_parameter (TtStore *self, TtParameterFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (self, "parameter",
                            "SELECT tensor_id, tensor_name, shape, dtype, source, update_id FROM parameter_row"
                            " WHERE run BETWEEN ?1 AND ?2 ORDER BY run, tensor_id, id",
                            handle_parameter, (TtAnyFunc) func, data, error);
}

static gboolean
handle_metric (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  guint64 event = tt_row_event (scan, 0);
  guint32 series = tt_row_series (scan, 1);

  return scan->fault == NULL &&
         ((TtMetricFunc) func) (event, series, sqlite3_column_int64 (row, 2), sqlite3_column_int64 (row, 3), data);
}

gboolean
tt_store_each_metric (TtStore *self, TtMetricFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (
      self, "metric",
      "SELECT m.event, m.series, m.inclusive, m.exclusive FROM source_row s CROSS JOIN metric_row m"
      " ON m.id BETWEEN s.first_metric AND s.last_metric WHERE s.run BETWEEN ?1 AND ?2",
      handle_metric, (TtAnyFunc) func, data, error);
}

static gboolean
handle_flow (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  gint64 bits = sqlite3_column_int64 (row, 5), link = bits & ~(gint64) TT_SCHEMA_LINK_INFERRED;
  TtFlow flow = {
    .from_event = tt_row_event (scan, 0),
    .to_event = tt_row_event (scan, 1),
    .kind = (const char *) sqlite3_column_text (row, 2),
    .from_ns = tt_row_time (scan, 3, TRUE),
    .to_ns = tt_row_time (scan, 4, TRUE),
    .link = link > TT_LINK_NONE && link < TT_N_LINKS ? (TtLink) link : TT_LINK_NONE,
    .is_inferred = (bits & TT_SCHEMA_LINK_INFERRED) != 0,
  };

  if (scan->store->clock_maps != NULL)
    {
      flow.from_ns = tt_clock_maps_thread_time (scan->store, tt_row_thread (scan, 6, FALSE), flow.from_ns);
      flow.to_ns = tt_clock_maps_thread_time (scan->store, tt_row_thread (scan, 7, FALSE), flow.to_ns);
    }

  return scan->fault == NULL && ((TtFlowFunc) func) (&flow, data);
}

/* Of which a source without events has none. */
#define OF_EVENTS " AND ifnull (s.first_event, 0) BETWEEN ?3 AND ?4"

static gboolean
each_flow (TtStore *self,
           const char *condition,
           const TtRowRange *events,
           TtFlowFunc func,
           gpointer data,
           GError **error)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT w.from_event, w.to_event, w.kind, w.from_ns, w.to_ns, w.link%s FROM source_row s"
      " CROSS JOIN flow_row w ON w.id BETWEEN s.first_flow AND s.last_flow WHERE s.run BETWEEN ?1 AND ?2" OF_EVENTS
      "%s",
      self->clock_maps == NULL ? ""
                               : ", (SELECT e.thread FROM event_row e WHERE e.id = w.from_event),"
                                 " (SELECT e.thread FROM event_row e WHERE e.id = w.to_event)",
      condition);

  return tt_store_each_row_of (self, "flow", sql, events, handle_flow, (TtAnyFunc) func, data, error);
}

gboolean
tt_store_each_flow_of (TtStore *self, const TtRowRange *events, TtFlowFunc func, gpointer data, GError **error)
{
  return each_flow (self, "", events, func, data, error);
}

gboolean
tt_store_each_flow (TtStore *self, TtFlowFunc func, gpointer data, GError **error)
{
  const TtRowRange all = TT_ROWS_ALL;

  return tt_store_each_flow_of (self, &all, func, data, error);
}

gboolean
tt_store_each_link (TtStore *self, guint links, TtFlowFunc func, gpointer data, GError **error)
{
  const TtRowRange all = TT_ROWS_ALL;

  return tt_store_each_link_of (self, links, &all, func, data, error);
}

gboolean
tt_store_each_link_of (TtStore *self,
                       guint links,
                       const TtRowRange *events,
                       TtFlowFunc func,
                       gpointer data,
                       GError **error)
{
  g_autofree char *condition = g_strdup_printf (" AND (1 << w.link) & %u", links);

  return each_flow (self, condition, events, func, data, error);
}

gboolean
tt_store_has_flags (TtStore *self, guint32 flags, gboolean *has, GError **error)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (self->connection, "SELECT 1 FROM flag_row WHERE id & ?1 <> 0 LIMIT 1", error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, flags);
  *has = tt_connection_step (self->connection, row, &failure);
  return tt_store_finish (failure, error);
}

gboolean
tt_store_counts (TtStore *self, TtStoreCounts *counts, GError **error)
{
  static const char *const sql[] = {
    "SELECT sum (last_counter - first_counter + 1), sum (last_metric - first_metric + 1),"
    " sum (last_flow - first_flow + 1), sum (n_args) FROM source_row WHERE run BETWEEN ?1 AND ?2",
    "SELECT sum (last_message - first_message + 1), sum (last_collective - first_collective + 1), sum (n_matched),"
    " sum (message_bytes) FROM run_row WHERE id BETWEEN ?1 AND ?2",
    "SELECT count (*) FROM parameter_row WHERE run BETWEEN ?1 AND ?2",
  };
  guint64 values[G_N_ELEMENTS (sql)][4] = { { 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (sql); i++)
    {
      g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, sql[i], error);
      GError *failure = NULL;

      if (row == NULL)
        return FALSE;
      sqlite3_bind_int64 (row, 1, self->first_run);
      sqlite3_bind_int64 (row, 2, self->last_run);
      if (tt_connection_step (self->connection, row, &failure))
        for (int column = 0; column < sqlite3_column_count (row); column++)
          values[i][column] = tt_store_column_uint (row, column);
      if (failure != NULL)
        return tt_store_finish (failure, error);
    }
  *counts = (TtStoreCounts){
    .n_counters = values[0][0],
    .n_metrics = values[0][1],
    .n_flows = values[0][2],
    .n_args = values[0][3],
    .n_messages = values[1][0],
    .n_collectives = values[1][1],
    .n_matched = values[1][2],
    .message_bytes = values[1][3],
    .n_parameters = values[2][0],
  };
  return TRUE;
}
