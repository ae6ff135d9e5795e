/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/store.h"

#include "src/store/block.h"
#include "src/store/clock-maps.h"
#include "src/store/collective-spans.h"
#include "src/store/own-schema.h"
#include "src/store/page-checksum.h"
#include "src/store/private.h"
#include "src/store/side-files.h"
#include "src/store/upgrade.h"

static TtStore *
store_new (TtConnection *connection)
{
  TtStore *self = g_new0 (TtStore, 1);

  self->connection = connection;
  self->runs = g_array_new (FALSE, FALSE, sizeof (TtRun));
  self->sources = g_array_new (FALSE, FALSE, sizeof (TtSource));
  self->processes = g_array_new (FALSE, FALSE, sizeof (TtProcess));
  self->threads = g_array_new (FALSE, FALSE, sizeof (TtThread));
  self->series = g_array_new (FALSE, FALSE, sizeof (TtSeries));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (TtEventRange));
  self->process_of_thread = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->correction = TT_CORRECTION_LOGICAL;
  tt_store_register_collect (self);
  return self;
}

static const char probe[] = "SELECT count (*) FROM sqlite_schema";

/* A writer that was killed, or that readers kept from finishing, has left a log or a journal: what it had finished is
 * taken into the database, the rest rolled back. Only a connection that may write can do that. Where a reader is at
 * work it stays, and is read along. */
static void
finish_writer (const char *path)
{
  g_autofree char *left = tt_side_files_find_left (path);

  if (left == NULL && !tt_side_files_are_marked (path))
    return;
  g_autoptr (TtConnection) writer = tt_connection_open (path, SQLITE_OPEN_READWRITE, NULL);
  if (writer == NULL)
    return;
  sqlite3_exec (writer->db, probe, NULL, NULL, NULL);
  tt_connection_drop_log (writer);
}

/* @reader has just failed. In a folder that cannot be written SQLite has no place for the index of a log; where the log
 * is empty there is nothing to index, and nobody who could write. */
static TtConnection *
connect_unwritable (TtConnection *reader, GError **error)
{
  g_autofree char *left = tt_side_files_find_left (reader->path);

  if (left == NULL)
    return tt_connection_open_immutable (reader->path, error);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE,
               "cannot open '%s': '%s' belongs to it, and can be read only in a folder that you can write; copy both"
               " there",
               reader->path, left);
  return NULL;
}

static TtConnection *
connect_reader (const char *path, GError **error)
{
  finish_writer (path);

  g_autoptr (TtConnection) reader = tt_connection_open (path, SQLITE_OPEN_READONLY, error);
  if (reader == NULL)
    return NULL;
  int code = sqlite3_exec (reader->db, probe, NULL, NULL, NULL);
  if (code != SQLITE_READONLY && code != SQLITE_CANTOPEN)
    return g_steal_pointer (&reader);
  return connect_unwritable (reader, error);
}

/* What was loaded of the runs that were selected before gives way to the selected ones. */
gboolean
tt_store_reload (TtStore *self, GError **error)
{
  tt_store_forget_names (self);
  self->is_loaded = tt_store_load_definitions (self, error) && tt_clock_maps_load (self, error);
  return self->is_loaded;
}

/* Opening has selected what most commands ask for. */
gboolean
tt_store_select_runs (TtStore *self, guint32 first, guint32 last, GError **error)
{
  if (self->is_loaded && self->first_run == first && self->last_run == last)
    return TRUE;
  self->first_run = first;
  self->last_run = last;
  return tt_store_reload (self, error);
}

gboolean
tt_store_select_latest (TtStore *self, GError **error)
{
  gint64 last;

  if (!tt_connection_get_int (self->connection, "SELECT max (id) FROM run_row", &last, error))
    return FALSE;
  return tt_store_select_runs (self, (guint32) last, (guint32) last, error);
}

gboolean
tt_store_is_complete (const TtStore *self)
{
  return !self->has_ids_only;
}

gboolean
tt_store_complete (TtStore *self, GError **error)
{
  if (!self->has_ids_only)
    return TRUE;
  self->has_ids_only = FALSE;
  return tt_store_reload (self, error);
}

gboolean
tt_store_n_ranks (TtStore *self, guint *n, GError **error)
{
  if (self->has_ids_only)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT EXISTS (SELECT 1 FROM process_row WHERE run BETWEEN %u AND %u"
                                              " AND (rank IS NOT NULL OR owner IS NOT NULL))",
                                              self->first_run, self->last_run);
      gint64 has_ranks;

      if (!tt_connection_get_int (self->connection, sql, &has_ranks, error))
        return FALSE;
      *n = self->process_places.n;
      if (!has_ranks)
        return TRUE;
      if (!tt_store_complete (self, error))
        return FALSE;
    }
  *n = 0;
  for (guint i = 0; i < self->processes->len; i++)
    {
      const TtProcess *process = &g_array_index (self->processes, TtProcess, i);
      *n += process->owner == process->id;
    }
  return TRUE;
}

TtStore *
tt_store_open_unselected (const char *path, GError **error)
{
  if (!tt_connection_check_file (path, error))
    return NULL;
  TtConnection *connection = connect_reader (path, error);
  if (connection == NULL)
    return NULL;

  g_autoptr (TtStore) self = store_new (connection);
  sqlite3_db_config (connection->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  tt_store_register_functions (connection->db);
  if (!tt_own_schema_check (connection, &self->version, error) ||
      (tt_store_is_old (self, NULL) && !tt_upgrade_view (connection, self->version, error)) ||
      !tt_connection_exec (connection, "PRAGMA query_only = ON", error))
    return NULL;
  return g_steal_pointer (&self);
}

TtStore *
tt_store_open (const char *path, GError **error)
{
  g_autoptr (TtStore) self = tt_store_open_unselected (path, error);

  return self != NULL && tt_store_select_latest (self, error) ? g_steal_pointer (&self) : NULL;
}

static gboolean
has_same_runs (const TtStore *a, const TtStore *b)
{
  gboolean is_same = a->runs->len == b->runs->len;

  for (guint i = 0; is_same && i < a->runs->len; i++)
    {
      const TtRun *x = &g_array_index (a->runs, TtRun, i), *y = &g_array_index (b->runs, TtRun, i);

      is_same =
          x->id == y->id && g_strcmp0 (x->command, y->command) == 0 && g_strcmp0 (x->imported_at, y->imported_at) == 0;
    }
  return is_same;
}

TtStore *
tt_store_open_again (const TtStore *self, GError **error)
{
  g_autoptr (TtStore) again = tt_store_open_unselected (tt_store_path (self), error);

  if (again == NULL)
    return NULL;
  again->correction = self->correction;
  if (!tt_store_select_runs (again, self->first_run, self->last_run, error))
    return NULL;
  if (has_same_runs (self, again))
    return g_steal_pointer (&again);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' was changed while it was read; ask again", tt_store_path (self));
  return NULL;
}

TtStore *
tt_store_open_ids (const char *path, GError **error)
{
  g_autoptr (TtStore) self = tt_store_open_unselected (path, error);

  if (self == NULL)
    return NULL;
  self->has_ids_only = TRUE;
  return tt_store_select_latest (self, error) ? g_steal_pointer (&self) : NULL;
}

TtStore *
tt_store_new_borrowed (TtConnection *connection, guint32 run, GError **error)
{
  g_autoptr (TtStore) self = store_new (connection);

  self->is_borrowed = self->has_ids_only = TRUE;
  self->correction = TT_CORRECTION_NONE;
  self->version = TT_SCHEMA_VERSION;
  self->first_run = self->last_run = run;
  if (!tt_store_reload (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_store_free (TtStore *self)
{
  if (self == NULL)
    return;
  tt_store_forget_names (self);
  tt_collective_spans_free (self->collective_spans);
  if (!self->is_borrowed)
    tt_connection_close (self->connection);
  g_array_unref (self->runs);
  g_array_unref (self->sources);
  g_array_unref (self->processes);
  g_array_unref (self->threads);
  g_array_unref (self->series);
  g_array_unref (self->ranges);
  g_array_unref (self->process_of_thread);
  tt_store_clear_places (self);
  tt_clock_maps_forget (self);
  g_free (self->shown);
  g_clear_pointer (&self->words, g_hash_table_unref);
  g_clear_pointer (&self->texts, g_string_chunk_free);
  g_free (self);
}

gboolean
tt_store_is_old (const TtStore *self, gint64 *version)
{
  if (version != NULL)
    *version = self->version;
  return self->version < TT_SCHEMA_VERSION;
}

gboolean
tt_store_is_verified (const TtStore *self)
{
  return tt_page_checksum_is_verified (self->connection->db);
}

const char *
tt_store_path (const TtStore *self)
{
  return self->connection->path;
}

void
tt_store_show_as (TtStore *self, const char *name)
{
  g_free (self->shown);
  self->shown = g_strdup (name);
}

const char *
tt_store_shown (const TtStore *self)
{
  return self->shown != NULL ? self->shown : tt_store_path (self);
}

gboolean
tt_store_is_empty (const TtStore *self)
{
  return self->last_run == 0;
}
