/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/tasks.h"

#include "src/store/private.h"

/* The source of the one task graph that is read. */
#define TASK_SOURCE                                                                                       \
  "(SELECT t.source FROM task_row t JOIN process_row p ON p.id = t.process WHERE p.run BETWEEN ?1 AND ?2" \
  " ORDER BY t.process, t.source DESC LIMIT 1)"
#define OF_ONE "source = " TASK_SOURCE " ORDER BY id"
/* The sources of all. */
#define OF_ALL                                                                                \
  "(process, source) IN (SELECT t.process, max (t.source) FROM task_row t JOIN process_row p" \
  " ON p.id = t.process WHERE p.run BETWEEN ?1 AND ?2 GROUP BY t.process) ORDER BY process, id"

#define TASK_SQL                                                                                  \
  "SELECT process, task, kind, created_ns, begin_ns, end_ns, name, device, device_id, copy_from," \
  " copy_to, allocation, file, line FROM task_row WHERE "
#define TASK_EDGE_SQL "SELECT process, src, dst, kind FROM task_edge_row WHERE "

static gint64
task_time (TtRowScan *scan, int column)
{
  return sqlite3_column_type (scan->row, column) == SQLITE_NULL ? -1 : tt_row_time (scan, column, FALSE);
}

static gboolean
handle_task (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  guint32 process = tt_row_process (scan, 0, FALSE);
  TtTaskNode task = {
    .id = sqlite3_column_int64 (row, 1),
    .kind = tt_task_kind_parse ((const char *) sqlite3_column_text (row, 2)),
    .created_ns = task_time (scan, 3),
    .begin_ns = task_time (scan, 4),
    .end_ns = task_time (scan, 5),
  };

  for (int i = 0; i < TT_N_TASK_TEXTS; i++)
    task.text[i] = (const char *) sqlite3_column_text (row, 6 + i);
  return scan->fault == NULL && ((TtTaskFunc) func) (process, &task, data);
}

gboolean
tt_store_each_task (TtStore *self, TtTaskFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (self, "task", TASK_SQL OF_ONE, handle_task, (TtAnyFunc) func, data, error);
}

gboolean
tt_store_each_task_of_all (TtStore *self, TtTaskFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (self, "task", TASK_SQL OF_ALL, handle_task, (TtAnyFunc) func, data, error);
}

static gboolean
handle_task_edge (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  guint32 process = tt_row_process (scan, 0, FALSE);
  const TtTaskEdge edge = {
    .src = sqlite3_column_int64 (row, 1),
    .dst = sqlite3_column_int64 (row, 2),
    .has_src = sqlite3_column_type (row, 1) != SQLITE_NULL,
    .has_dst = sqlite3_column_type (row, 2) != SQLITE_NULL,
    .kind = (const char *) sqlite3_column_text (row, 3),
  };

  return scan->fault == NULL && ((TtTaskEdgeFunc) func) (process, &edge, data);
}

gboolean
tt_store_each_task_edge (TtStore *self, TtTaskEdgeFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (self, "task edge", TASK_EDGE_SQL OF_ONE, handle_task_edge, (TtAnyFunc) func, data, error);
}

gboolean
tt_store_each_task_edge_of_all (TtStore *self, TtTaskEdgeFunc func, gpointer data, GError **error)
{
  return tt_store_each_row (self, "task edge", TASK_EDGE_SQL OF_ALL, handle_task_edge, (TtAnyFunc) func, data, error);
}

gboolean
tt_store_count_earlier_tasks (TtStore *self, guint64 *n_tasks, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT count(*) FROM task_row t JOIN process_row p ON p.id = t.process"
      " WHERE p.run BETWEEN %u AND %u"
      " AND (t.process, t.source) NOT IN (SELECT process, max (source) FROM task_row GROUP BY process)",
      self->first_run, self->last_run);
  gint64 n;

  if (!tt_connection_get_int (self->connection, sql, &n, error))
    return FALSE;
  *n_tasks = (guint64) MAX (n, 0);
  return TRUE;
}
