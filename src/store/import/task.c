/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/private.h"

/* Tasks and their edges, row by row: there are as many as commands of a program, not as calls. */

static const char task_sql[] =
    "INSERT INTO task_row (process, source, task, kind, created_ns, begin_ns, end_ns, name, device, device_id, copy_from,"
    " copy_to, allocation, file, line) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
static const char edge_sql[] = "INSERT INTO task_edge_row (process, source, src, dst, kind) VALUES (?1, ?2, ?3, ?4, ?5)";

static void
bind_or_null (sqlite3_stmt *statement, int index, gint64 value, gboolean is_known)
{
  if (is_known)
    sqlite3_bind_int64 (statement, index, value);
  else
    sqlite3_bind_null (statement, index);
}

static sqlite3_stmt *
reset_statement (TtStoreImport *self, sqlite3_stmt **statement, const char *sql, GError **error)
{
  if (*statement == NULL)
    *statement = tt_connection_prepare (self->connection, sql, error);
  else
    sqlite3_reset (*statement);
  return *statement;
}

static gboolean
step_once (TtStoreImport *self, sqlite3_stmt *statement, GError **error)
{
  GError *failure = NULL;

  tt_connection_step (self->connection, statement, &failure);
  return tt_store_finish (failure, error);
}

static gboolean
insert_task (TtStoreImport *self, const TtBatchTask *task, const TtBatch *batch, GError **error)
{
  sqlite3_stmt *statement = reset_statement (self, &self->insert_task, task_sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, task->process);
  sqlite3_bind_int64 (statement, 2, self->source.id);
  sqlite3_bind_int64 (statement, 3, task->id);
  tt_store_bind_text (statement, 4, tt_task_kind_text (task->kind));
  bind_or_null (statement, 5, task->created_ns, task->created_ns >= 0);
  bind_or_null (statement, 6, task->begin_ns, task->begin_ns >= 0);
  bind_or_null (statement, 7, task->end_ns, task->end_ns >= 0);
  for (int i = 0; i < TT_N_TASK_TEXTS; i++)
    tt_store_bind_text (statement, 8 + i, tt_batch_text (batch, task->text[i]));
  return step_once (self, statement, error);
}

static gboolean
insert_edge (TtStoreImport *self, const TtBatchTaskEdge *edge, const TtBatch *batch, GError **error)
{
  sqlite3_stmt *statement = reset_statement (self, &self->insert_task_edge, edge_sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, edge->process);
  sqlite3_bind_int64 (statement, 2, self->source.id);
  bind_or_null (statement, 3, edge->src, edge->has_src);
  bind_or_null (statement, 4, edge->dst, edge->has_dst);
  tt_store_bind_text (statement, 5, tt_batch_text (batch, edge->kind));
  return step_once (self, statement, error);
}

gboolean
tt_store_import_tasks (TtStoreImport *self, const TtBatch *batch, GError **error)
{
  for (guint i = 0; i < batch->tasks->len; i++)
    if (!insert_task (self, &g_array_index (batch->tasks, TtBatchTask, i), batch, error))
      return FALSE;
  for (guint i = 0; i < batch->task_edges->len; i++)
    if (!insert_edge (self, &g_array_index (batch->task_edges, TtBatchTaskEdge, i), batch, error))
      return FALSE;
  return TRUE;
}
