/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/private.h"

/* Sources that are there already: found by size and hash, and removed to be read again. */

/* -- finding --------------------------------------------------------------------------------------------- */

gboolean
tt_store_import_has_source (TtStoreImport *self, guint64 bytes, const char *hash, guint32 *source)
{
  gboolean found = FALSE;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->keys->len && !found; i++)
    {
      const TtSourceKey *key = &g_array_index (self->keys, TtSourceKey, i);

      found = key->run == self->run && key->bytes == bytes && g_strcmp0 (key->hash, hash) == 0;
      if (found && source != NULL)
        *source = key->id;
    }
  g_mutex_unlock (&self->lock);
  return found;
}

gboolean
tt_store_import_has_size (TtStoreImport *self, guint64 bytes)
{
  gboolean found = FALSE;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->keys->len && !found; i++)
    found = g_array_index (self->keys, TtSourceKey, i).bytes == bytes;
  g_mutex_unlock (&self->lock);
  return found;
}

void
tt_known_source_clear (TtKnownSource *self)
{
  g_free (self->imported_at);
  g_free (self->path);
  g_free (self->options);
  *self = (TtKnownSource){ 0 };
}

#define KNOWN_SQL                                                                                               \
  "SELECT o.run, r.imported_at, o.path, o.options, o.run = (SELECT max (id) FROM run_row WHERE id <> ?1 OR ?2)" \
  " FROM source_row o JOIN run_row r ON r.id = o.run"

/* @id and @flag: ?3 and ?4 of @condition. known->run: 0 if there is none. */
static gboolean
read_known (TtStoreImport *self, const char *condition, gint64 id, gint64 flag, TtKnownSource *known, GError **error)
{
  g_autofree char *sql = g_strconcat (KNOWN_SQL, condition, NULL);
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, sql, error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->run);
  sqlite3_bind_int64 (row, 2, self->is_added);
  sqlite3_bind_int64 (row, 3, id);
  sqlite3_bind_int64 (row, 4, flag);
  if (!tt_connection_step (self->connection, row, &failure))
    return tt_store_finish (failure, error);
  known->run = tt_store_column_id (row, 0);
  known->is_of_import = known->run == self->run;
  known->imported_at = g_strdup ((const char *) sqlite3_column_text (row, 1));
  known->path = g_strdup ((const char *) sqlite3_column_text (row, 2));
  known->options = g_strdup ((const char *) sqlite3_column_text (row, 3));
  known->is_of_latest = sqlite3_column_int (row, 4) != 0;
  if (known->imported_at != NULL && known->path != NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is damaged: run %u or its source lacks a text", self->path,
               known->run);
  return FALSE;
}

/* The latest counts: it is the one that people remember. */
gboolean
tt_store_import_find_other (TtStoreImport *self, guint64 bytes, const char *hash, TtKnownSource *known, GError **error)
{
  guint32 id = 0;

  g_mutex_lock (&self->lock);
  for (guint i = self->keys->len; i-- > 0 && id == 0;)
    {
      const TtSourceKey *key = &g_array_index (self->keys, TtSourceKey, i);

      if (key->run != self->run && key->has_time && key->bytes == bytes && g_strcmp0 (key->hash, hash) == 0)
        id = key->id;
    }
  gboolean is_read = id == 0 || read_known (self, " WHERE o.id = ?3", id, 0, known, error);
  g_mutex_unlock (&self->lock);
  return is_read;
}

gboolean
tt_store_import_find_stdin (TtStoreImport *self, gboolean this_run_only, TtKnownSource *known, GError **error)
{
  g_mutex_lock (&self->lock);
  gboolean is_read = read_known (self,
                                 " JOIN source_row n ON n.bytes = o.bytes AND n.hash = o.hash AND n.id <> o.id"
                                 " WHERE n.id >= ?3 AND n.path = '-' AND (o.id < ?3 OR o.path <> '-')"
                                 " AND o.first_ns IS NOT NULL AND (o.run = ?1 OR NOT ?4)"
                                 " ORDER BY o.run = ?1 DESC, o.id DESC LIMIT 1",
                                 self->first_source, this_run_only, known, error);
  g_mutex_unlock (&self->lock);
  return is_read;
}

/* -- removing -------------------------------------------------------------------------------------------- */

/* Processes without a rank that only the source has, and that lead no others; messages are between ranks. */
#define REMOVE_PROCESSES                                                                                   \
  "DELETE FROM process_row WHERE rank IS NULL AND id IN (SELECT process FROM trust_row WHERE source = ?1)" \
  " AND NOT EXISTS (SELECT 1 FROM trust_row t WHERE t.process = process_row.id AND t.source IS NOT ?1)"    \
  " AND NOT EXISTS (SELECT 1 FROM process_row o WHERE o.owner = process_row.id AND o.id <> process_row.id)"

static const char *const remove_sql[] = {
  "DELETE FROM flow_row WHERE EXISTS (SELECT 1 FROM source_row s WHERE s.id = ?1"
  " AND (from_event BETWEEN s.first_event AND s.last_event OR to_event BETWEEN s.first_event AND s.last_event))",
  "DELETE FROM collective_row WHERE event BETWEEN (SELECT first_event FROM source_row WHERE id = ?1)"
  " AND (SELECT last_event FROM source_row WHERE id = ?1)",
  "DELETE FROM args_row WHERE id BETWEEN (SELECT first_args FROM source_row WHERE id = ?1)"
  " AND (SELECT last_args FROM source_row WHERE id = ?1)",
  "DELETE FROM args_filled_row WHERE id BETWEEN (SELECT first_args FROM source_row WHERE id = ?1)"
  " AND (SELECT last_args FROM source_row WHERE id = ?1)",
  "DELETE FROM event_block_row WHERE id BETWEEN (SELECT first_event FROM source_row WHERE id = ?1)"
  " AND (SELECT last_event FROM source_row WHERE id = ?1)",
  "DELETE FROM event_row WHERE id BETWEEN (SELECT first_event FROM source_row WHERE id = ?1)"
  " AND (SELECT last_event FROM source_row WHERE id = ?1)",
  "DELETE FROM counter_row WHERE id BETWEEN (SELECT first_counter FROM source_row WHERE id = ?1)"
  " AND (SELECT last_counter FROM source_row WHERE id = ?1)",
  "DELETE FROM metric_row WHERE id BETWEEN (SELECT first_metric FROM source_row WHERE id = ?1)"
  " AND (SELECT last_metric FROM source_row WHERE id = ?1)",
  "DELETE FROM activity_row WHERE id BETWEEN (SELECT first_activity FROM source_row WHERE id = ?1)"
  " AND (SELECT last_activity FROM source_row WHERE id = ?1)",
  "DELETE FROM metadata_row WHERE source = ?1",
  "DELETE FROM parameter_row WHERE source_row = ?1",
  REMOVE_PROCESSES, /* what is led */
  REMOVE_PROCESSES, /* what led it */
  "DELETE FROM thread_row WHERE ?1 AND process NOT IN (SELECT id FROM process_row)",
  "DELETE FROM clock_row WHERE ?1 AND process NOT IN (SELECT id FROM process_row)",
  "DELETE FROM clock_fit_row WHERE ?1 AND process NOT IN (SELECT id FROM process_row)",
  "DELETE FROM trust_row WHERE source = ?1",
  "DELETE FROM task_row WHERE source = ?1",
  "DELETE FROM task_edge_row WHERE source = ?1",
  "UPDATE message_row SET send_source = NULL, send_ns = NULL, send_event = NULL, src_thread = NULL, bytes = NULL"
  " WHERE send_source = ?1",
  "UPDATE message_row SET recv_source = NULL, recv_ns = NULL, recv_event = NULL, dst_thread = NULL"
  " WHERE recv_source = ?1",
  "DELETE FROM source_row WHERE id = ?1",
};

static gboolean
remove_source (TtStoreImport *self, guint32 source, GError **error)
{
  gint64 id = source;

  if (!tt_insert_settle (self->insert, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (remove_sql); i++)
    if (!tt_connection_exec_ints (self->connection, remove_sql[i], &id, 1, error))
      return FALSE;
  for (guint i = 0; i < self->keys->len; i++)
    if (g_array_index (self->keys, TtSourceKey, i).id == source)
      {
        g_array_remove_index (self->keys, i);
        break;
      }
  self->has_old = self->is_changed = TRUE;
  return tt_insert_resume (self->insert, error);
}

gboolean
tt_store_import_remove_source (TtStoreImport *self, guint32 source, GError **error)
{
  g_mutex_lock (&self->lock);
  gboolean done = remove_source (self, source, error);
  g_mutex_unlock (&self->lock);
  return done;
}
