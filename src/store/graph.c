/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/graph.h"

#include "src/store/private.h"
#include "src/store/writer.h"

static gboolean
write_nodes (TtConnection *connection, guint32 run, const TtNodeRow *nodes, gsize n, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      connection, "INSERT INTO node (op_long_name, avg_us, cnt, gaps, run) VALUES (?1, ?2, ?3, ?4, ?5)", error);
  GError *failure = NULL;

  if (insert == NULL)
    return FALSE;
  for (gsize i = 0; i < n && failure == NULL; i++)
    {
      tt_store_bind_text (insert, 1, nodes[i].op_long_name);
      sqlite3_bind_double (insert, 2, nodes[i].avg_us);
      sqlite3_bind_int64 (insert, 3, nodes[i].cnt);
      tt_store_bind_text (insert, 4, nodes[i].gaps);
      sqlite3_bind_int64 (insert, 5, run);
      tt_connection_step (connection, insert, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

static gboolean
write_edges (TtConnection *connection, guint32 run, const TtEdgeRow *edges, gsize n, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      connection, "INSERT INTO edge (src, dst, kind, cnt, weight_us, run) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
  GError *failure = NULL;

  if (insert == NULL)
    return FALSE;
  for (gsize i = 0; i < n && failure == NULL; i++)
    {
      tt_store_bind_text (insert, 1, edges[i].src);
      tt_store_bind_text (insert, 2, edges[i].dst);
      tt_store_bind_text (insert, 3, edges[i].kind);
      sqlite3_bind_int64 (insert, 4, edges[i].cnt);
      sqlite3_bind_double (insert, 5, edges[i].weight_us);
      sqlite3_bind_int64 (insert, 6, run);
      tt_connection_step (connection, insert, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_store_save_graph (const char *path, guint32 run, const TtGraphRows *rows, GError **error)
{
  gint64 this_run = run, old_version;
  TtWriter *writer = tt_writer_open (path, &old_version, error);

  if (writer == NULL)
    return FALSE;
  TtConnection *connection = writer->connection;
  gboolean is_done = tt_connection_exec_ints (connection, "DELETE FROM node WHERE run = ?1", &this_run, 1, error) &&
                     tt_connection_exec_ints (connection, "DELETE FROM edge WHERE run = ?1", &this_run, 1, error) &&
                     write_nodes (connection, run, rows->nodes, rows->n_nodes, error) &&
                     write_edges (connection, run, rows->edges, rows->n_edges, error) &&
                     tt_writer_commit (writer, error);
  tt_writer_close (writer);
  return is_done;
}
