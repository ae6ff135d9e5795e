/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/nccl.h"

#include "src/store/import/private.h"

static gboolean
write_shapes (TtStoreImport *self, const TtNcclShapeRow *rows, gsize n, GError **error)
{
  g_autoptr (sqlite3_stmt) insert =
      tt_connection_prepare (self->connection,
                             "INSERT INTO nccl_shape (raw_name, chunk_num, slice_num, channel_num, loop_num, run)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                             error);
  GError *failure = NULL;

  if (insert == NULL)
    return FALSE;
  for (gsize i = 0; i < n && failure == NULL; i++)
    {
      tt_store_bind_text (insert, 1, rows[i].raw_name);
      sqlite3_bind_int64 (insert, 2, rows[i].chunk_num);
      sqlite3_bind_int64 (insert, 3, rows[i].slice_num);
      sqlite3_bind_int64 (insert, 4, rows[i].channel_num);
      sqlite3_bind_int64 (insert, 5, rows[i].loop_num);
      sqlite3_bind_int64 (insert, 6, self->run);
      tt_connection_step (self->connection, insert, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

static gboolean
write_edges (TtStoreImport *self, const TtNcclEdgeRow *rows, gsize n, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      self->connection,
      "INSERT INTO nccl_edge (algo, channel, rank, peer, transport, run) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
  GError *failure = NULL;

  if (insert == NULL)
    return FALSE;
  for (gsize i = 0; i < n && failure == NULL; i++)
    {
      tt_store_bind_text (insert, 1, rows[i].algo);
      sqlite3_bind_int64 (insert, 2, rows[i].channel);
      sqlite3_bind_int64 (insert, 3, rows[i].rank);
      sqlite3_bind_int64 (insert, 4, rows[i].peer);
      tt_store_bind_text (insert, 5, rows[i].transport);
      sqlite3_bind_int64 (insert, 6, self->run);
      tt_connection_step (self->connection, insert, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

gboolean
tt_store_import_nccl (TtStoreImport *self,
                      const TtNcclShapeRow *shapes,
                      gsize n_shapes,
                      const TtNcclEdgeRow *edges,
                      gsize n_edges,
                      GError **error)
{
  gint64 run = self->run;

  return tt_connection_exec_ints (self->connection, "DELETE FROM nccl_shape WHERE run = ?1", &run, 1, error) &&
         tt_connection_exec_ints (self->connection, "DELETE FROM nccl_edge WHERE run = ?1", &run, 1, error) &&
         write_shapes (self, shapes, n_shapes, error) && write_edges (self, edges, n_edges, error);
}
