/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/remove.h"

#include "src/base/progress.h"
#include "src/store/private.h"
#include "src/store/writer.h"

typedef struct
{
  const char *table;
  const char *condition; /* over its rows; ?1 is the run */
  const char *range;     /* else: the columns first_... and last_... of source_row that hold its ids */
} RunTable;

#define PROCESSES "(SELECT p.id FROM process_row p WHERE p.run = ?1)"
#define SOURCES "(SELECT s.id FROM source_row s WHERE s.run = ?1)"

/* What is reached through another table stands before it. */
static const RunTable tables[] = {
  { "event_block_row", NULL, "event" },
  { "event_row", NULL, "event" },
  { "args_row", NULL, "args" },
  { "args_filled_row", NULL, "args" },
  { "metric_row", NULL, "metric" },
  { "counter_row", NULL, "counter" },
  { "flow_row", NULL, "flow" },
  { "activity_row", NULL, "activity" },
  { "message_row", "run = ?1", NULL },
  { "collective_row", "run = ?1", NULL },
  { "statistic_row", "run = ?1", NULL },
  { "parameter_row", "run = ?1", NULL },
  { "task_row", "source IN " SOURCES, NULL },
  { "task_edge_row", "source IN " SOURCES, NULL },
  { "trust_row", "run = ?1", NULL },
  { "nccl_shape", "run = ?1", NULL },
  { "nccl_edge", "run = ?1", NULL },
  { "node", "run = ?1", NULL },
  { "edge", "run = ?1", NULL },
  { "clock_row", "process IN " PROCESSES, NULL },
  { "clock_fit_row", "process IN " PROCESSES, NULL },
  { "metadata_row", "process IN " PROCESSES, NULL },
  { "thread_row", "process IN " PROCESSES, NULL },
  { "process_row", "run = ?1", NULL },
  { "name_row", "run = ?1", NULL },
  { "series_row", "run = ?1", NULL },
  { "source_row", "run = ?1", NULL },
  { "run_row", "id = ?1", NULL },
};

/* Free it. */
static char *
count_sql (const RunTable *table)
{
  if (table->condition != NULL)
    return g_strdup_printf ("SELECT count (*) FROM %s WHERE %s", table->table, table->condition);
  return g_strdup_printf ("SELECT count (*) FROM source_row s CROSS JOIN %s r ON r.id BETWEEN s.first_%s AND s.last_%s"
                          " WHERE s.run = ?1",
                          table->table, table->range, table->range);
}

gboolean
tt_store_count_run (TtStore *self, guint32 run, TtRunRowsFunc func, gpointer data, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *sql = count_sql (&tables[i]);
      g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, sql, error);
      GError *failure = NULL;

      if (row == NULL)
        return FALSE;
      sqlite3_bind_int64 (row, 1, run);
      TtRunRows rows = { tables[i].table, 0 };
      if (tt_connection_step (self->connection, row, &failure))
        rows.n_rows = tt_store_column_uint (row, 0);
      if (failure != NULL)
        return tt_store_finish (failure, error);
      if (rows.n_rows > 0 && !func (&rows, data))
        break;
    }
  return TRUE;
}

static GArray *
read_sources (TtConnection *connection, gint64 run, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (connection, "SELECT id FROM source_row WHERE run = ?1", error);
  GError *failure = NULL;

  if (row == NULL)
    return NULL;
  sqlite3_bind_int64 (row, 1, run);
  while (tt_connection_step (connection, row, &failure))
    {
      gint64 id = sqlite3_column_int64 (row, 0);
      g_array_append_val (ids, id);
    }
  return tt_store_finish (failure, error) ? g_steal_pointer (&ids) : NULL;
}

static gboolean
remove_rows (TtConnection *connection, const RunTable *table, gint64 run, const GArray *sources, GError **error)
{
  if (table->condition != NULL)
    {
      g_autofree char *sql = g_strdup_printf ("DELETE FROM %s WHERE %s", table->table, table->condition);
      return tt_connection_exec_ints (connection, sql, &run, 1, error);
    }

  g_autofree char *sql = g_strdup_printf ("DELETE FROM %s WHERE id BETWEEN (SELECT first_%s FROM source_row WHERE id = ?1)"
                                          " AND (SELECT last_%s FROM source_row WHERE id = ?1)",
                                          table->table, table->range, table->range);
  for (guint i = 0; i < sources->len; i++)
    if (!tt_connection_exec_ints (connection, sql, &g_array_index (sources, gint64, i), 1, error))
      return FALSE;
  return TRUE;
}

static gboolean
remove_run (TtConnection *connection, gint64 run, GError **error)
{
  g_autoptr (GArray) sources = read_sources (connection, run, error);

  for (guint i = 0; sources != NULL && i < G_N_ELEMENTS (tables); i++)
    if (!remove_rows (connection, &tables[i], run, sources, error))
      return FALSE;
  return sources != NULL;
}

gboolean
tt_store_remove_runs (const char *path, const GArray *runs, GError **error)
{
  gint64 old_version;
  TtWriter *writer = tt_writer_open (path, &old_version, error);
  gboolean is_done = TRUE;

  if (writer == NULL)
    return FALSE;
  TtConnection *connection = writer->connection;
  tt_connection_watch_cancel (connection, TRUE);
  for (guint i = 0; i < runs->len && is_done; i++)
    is_done = remove_run (connection, g_array_index (runs, guint32, i), error);
  is_done = is_done &&
            tt_connection_exec (connection, "DELETE FROM flag_row WHERE id NOT IN (SELECT shape & 4095 FROM event_row)",
                                error) &&
            tt_connection_exec (connection, "DELETE FROM args_form_row WHERE id NOT IN (SELECT form FROM args_filled_row)",
                                error) &&
            tt_writer_commit (writer, error);
  if (writer->connection != NULL)
    tt_connection_watch_cancel (writer->connection, FALSE);
  tt_writer_close (writer);
  return is_done;
}

gboolean
tt_store_compact (const char *path, GError **error)
{
  g_autoptr (TtConnection) connection = tt_connection_open (path, SQLITE_OPEN_READWRITE, error);

  return connection != NULL && tt_connection_exec (connection, "VACUUM", error);
}
