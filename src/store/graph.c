#include "config.h"

#include "src/store/store.h"

#include "src/store/private.h"

static gboolean
write_nodes (sqlite3 *db, const char *path, guint32 run, const TtNodeRow *nodes, gsize n, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_store_prepare (
      db, path, "INSERT INTO node (op_long_name, avg_us, cnt, gaps, run) VALUES (?1, ?2, ?3, ?4, ?5)", error);
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
      tt_store_step (insert, path, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

static gboolean
write_edges (sqlite3 *db, const char *path, guint32 run, const TtEdgeRow *edges, gsize n, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_store_prepare (
      db, path, "INSERT INTO edge (src, dst, kind, cnt, weight_us, run) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
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
      tt_store_step (insert, path, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_store_save_graph (const char *path,
                     guint32 run,
                     const TtNodeRow *nodes,
                     gsize n_nodes,
                     const TtEdgeRow *edges,
                     gsize n_edges,
                     GError **error)
{
  gint64 this_run = run;

  if (!tt_store_check_file (path, error))
    return FALSE;
  sqlite3 *db = tt_store_connect (path, SQLITE_OPEN_READWRITE, error);
  if (db == NULL)
    return FALSE;

  /* Closing without a commit rolls back. */
  gboolean done = tt_store_check_schema (db, path, error) && tt_store_exec (db, path, "BEGIN IMMEDIATE", error) &&
                  tt_store_exec_ints (db, path, "DELETE FROM node WHERE run = ?1", &this_run, 1, error) &&
                  tt_store_exec_ints (db, path, "DELETE FROM edge WHERE run = ?1", &this_run, 1, error) &&
                  write_nodes (db, path, run, nodes, n_nodes, error) &&
                  write_edges (db, path, run, edges, n_edges, error) && tt_store_exec (db, path, "COMMIT", error);
  sqlite3_close (db);
  return done;
}
