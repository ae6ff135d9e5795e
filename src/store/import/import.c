/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/import.h"

#include <errno.h>

#include "src/base/failure.h"
#include "src/store/create.h"
#include "src/store/import/private.h"
#include "src/store/import/told-calls.h"
#include "src/store/page-checksum.h"
#include "src/store/side-files.h"
#include "src/trace/trust.h"

/* Measured: smaller pages load and scan slower, larger ones gain nothing. */
#define PAGE_BYTES "16384"

/* -- the file of a new database ------------------------------------------------------------------- */

static gboolean
publish_file (TtStoreImport *self, GError **error)
{
  /* Once more: it may be long since the import began. */
  if (!tt_side_files_check_new (self->path, error))
    return FALSE;

  int number = tt_new_file_sync (self->temporary);
  if (number == 0)
    number = tt_new_file_publish_as_new (self->temporary, NULL);
  if (number == 0)
    {
      g_clear_pointer (&self->temporary, tt_new_file_free);
      return tt_store_sync_folder (self->path, error);
    }
  if (number == EEXIST)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "'%s' appeared while this import was running; it is kept, import again to add a run to it",
                 self->path);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot make '%s': %s", self->path, g_strerror (number));
  return FALSE;
}

/* -- begin ---------------------------------------------------------------------------------------- */

/* SQLite would make the database where the link leads, and look for it there. */
static gboolean
check_link (const char *path, GError **error)
{
  g_autofree char *target = g_file_read_link (path, NULL);

  if (target == NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE,
               "cannot make '%s': it is a symbolic link to '%s', which is not there; remove the link, or name the"
               " file itself with '--db'",
               path, target);
  return FALSE;
}

static gboolean
begin_new (TtStoreImport *self, GError **error)
{
  if (!check_link (self->path, error) || !tt_side_files_check_new (self->path, error))
    return FALSE;
  self->temporary = tt_new_file_open (self->path, "importing", error);
  self->old_version = TT_SCHEMA_VERSION;
  if (self->temporary == NULL)
    return FALSE;
  /* Messages name the database that was asked for. */
  self->connection = tt_connection_open_own (tt_new_file_path (self->temporary), self->path, error);
  if (self->connection == NULL)
    return FALSE;
  self->connection->is_new_file = TRUE;
  tt_page_checksum_enable (self->connection->db);
  /* The size of the cache counts from the size of a page, so it is set again. */
  return tt_connection_exec (self->connection,
                             "PRAGMA page_size = " PAGE_BYTES "; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                             "PRAGMA cache_size = -4096; BEGIN",
                             error) &&
         tt_connection_create_schema (self->connection, error);
}

static gboolean
begin_existing (TtStoreImport *self, GError **error)
{
  self->writer = tt_writer_open (self->path, &self->old_version, error);
  if (self->writer == NULL)
    return FALSE;
  self->connection = self->writer->connection;
  return TRUE;
}

static gboolean
add_run (TtStoreImport *self, const TtStoreImportOptions *options, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      self->connection, "INSERT INTO run_row (id, command, imported_at) VALUES (?1, ?2, ?3)", error);
  const char *epoch = g_getenv ("SOURCE_DATE_EPOCH");
  gint64 seconds = g_get_real_time () / G_USEC_PER_SEC;
  GError *failure = NULL;
  gint64 last, last_ever;

  if (insert == NULL || !tt_connection_get_int (self->connection, "SELECT max (id) FROM run_row", &last, error) ||
      !tt_connection_get_int (self->connection, "SELECT max (seq) FROM sqlite_sequence WHERE name = 'run_row'",
                              &last_ever, error))
    return FALSE;
  if (last < 0 || last_ever < 0 || MAX (last, last_ever) >= G_MAXINT32)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' is damaged: no number is left for another run", self->path);
      return FALSE;
    }
  if (options->add && last > 0)
    {
      self->run = (guint32) last;
      self->is_added = self->has_old = TRUE;
      return TRUE;
    }
  if (epoch != NULL)
    g_ascii_string_to_signed (epoch, 10, 0, G_GINT64_CONSTANT (253402300799), &seconds, NULL);

  g_autoptr (GDateTime) now = g_date_time_new_from_unix_utc (seconds);
  g_autofree char *imported_at = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  self->run = (guint32) MAX (last, last_ever) + 1;
  sqlite3_bind_int64 (insert, 1, self->run);
  tt_store_bind_text (insert, 2, options->command != NULL ? options->command : "");
  tt_store_bind_text (insert, 3, imported_at);
  tt_connection_step (self->connection, insert, &failure);
  return tt_store_finish (failure, error);
}

/* Names continue those of the database; with --add those of the run are known already. */
static gboolean
seed_names (TtStoreImport *self, GError **error)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (self->connection,
                             "SELECT id, op_cat, op_name, sub_op, suffix, text, raw, native_group, file, line,"
                             " is_collective FROM name_row WHERE run = ?1 ORDER BY id",
                             error);
  GError *failure = NULL;
  gint64 last;

  if (row == NULL || !tt_connection_get_int (self->connection, "SELECT max (id) FROM name_row", &last, error))
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->run);
  while (self->is_added && tt_connection_step (self->connection, row, &failure))
    {
      const char *text[9];

      for (int i = 1; i < 9; i++)
        text[i] = (const char *) sqlite3_column_text (row, i);
      TtName name = {
        .id = (guint32) sqlite3_column_int64 (row, 0),
        .op_cat = text[1],
        .op_name = text[2],
        .sub_op = text[3],
        .suffix = text[4],
        .text = text[5],
        .raw = text[6],
        .group = text[7],
        .file = text[8],
        .line = sqlite3_column_int64 (row, 9),
        .is_collective = sqlite3_column_int64 (row, 10) != 0,
        .communicator = (guint64) MAX (sqlite3_column_int64 (row, 10), 1) - 1,
      };
      tt_names_seed (self->names, &name);
      if (name.is_collective)
        tt_collectives_define_name (self->collectives, name.id, name.op_name, (gint64) name.communicator);
    }
  tt_names_set_next_id (self->names, (guint32) last + 1);
  return tt_store_finish (failure, error);
}

static void
clear_key (gpointer data)
{
  g_free (((TtSourceKey *) data)->hash);
}

static gboolean
load_keys (TtStoreImport *self, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection, "SELECT id, run, bytes, hash, first_ns IS NOT NULL FROM source_row ORDER BY id", error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  while (tt_connection_step (self->connection, row, &failure))
    {
      TtSourceKey key = {
        .id = (guint32) sqlite3_column_int64 (row, 0),
        .run = (guint32) sqlite3_column_int64 (row, 1),
        .bytes = (guint64) sqlite3_column_int64 (row, 2),
        .hash = g_strdup ((const char *) sqlite3_column_text (row, 3)),
        .has_time = sqlite3_column_int (row, 4) != 0,
      };
      g_array_append_val (self->keys, key);
    }
  return tt_store_finish (failure, error);
}

TtStoreImport *
tt_store_import_begin (const char *path, const TtStoreImportOptions *options, TtNames *names, GError **error)
{
  g_autoptr (TtStoreImport) self = g_new0 (TtStoreImport, 1);

  self->path = g_strdup (path);
  self->options = g_strdup (options->options);
  self->names = names;
  self->keys = g_array_new (FALSE, FALSE, sizeof (TtSourceKey));
  g_array_set_clear_func (self->keys, clear_key);
  g_mutex_init (&self->lock);
  self->owners = tt_owners_new ();
  self->flows = tt_flow_join_new (sizeof (guint64));
  self->activities = tt_activity_join_new ();
  self->halves = tt_halves_new (self->owners);
  self->collectives = tt_collectives_new ();
  self->told_calls = tt_told_calls_new ();
  self->spans = tt_observed_spans_new ();
  self->trust = tt_trust_tally_new ();
  self->flags_known = g_new0 (guint8, 1u << TT_SCHEMA_SHAPE_BITS);

  gboolean begun = g_file_test (path, G_FILE_TEST_EXISTS) ? begin_existing (self, error) : begin_new (self, error);
  if (!begun || !add_run (self, options, error) || !seed_names (self, error) || !load_keys (self, error))
    return NULL;
  self->connection->in_transaction = TRUE;
  self->args = tt_store_args_new (self->connection, &self->repairs);
  self->insert = tt_insert_new (self->connection, self->temporary != NULL, error);
  return self->insert == NULL ? NULL : g_steal_pointer (&self);
}

/* -- end -------------------------------------------------------------------------------------------- */

static void
close_database (TtStoreImport *self)
{
  g_clear_pointer (&self->store, tt_store_free);
  tt_store_import_release (self);
  if (self->writer == NULL)
    tt_connection_close (self->connection);
  self->connection = NULL;
  g_clear_pointer (&self->writer, tt_writer_close);
}

gboolean
tt_store_import_upgraded (const TtStoreImport *self, gint64 *version)
{
  *version = self->old_version;
  return self->old_version < TT_SCHEMA_VERSION;
}

gboolean
tt_store_import_commit (TtStoreImport *self, GError **error)
{
  if (tt_cancelled (error) || !tt_failure_check (error) || !tt_insert_settle (self->insert, error))
    return FALSE;
  g_clear_pointer (&self->store, tt_store_free);
  tt_store_import_release (self);
  if (self->writer != NULL)
    {
      gboolean is_done = tt_writer_commit (self->writer, error);
      close_database (self);
      return is_done;
    }
  if (!tt_connection_exec (self->connection, "COMMIT", error))
    return FALSE;
  if (sqlite3_close (self->connection->db) != SQLITE_OK)
    return tt_connection_fail (self->connection, "write", error);
  self->connection->db = NULL;
  g_clear_pointer (&self->connection, tt_connection_close);
  return publish_file (self, error);
}

/* A log of Neutrino says whose the results beside it are. */
gboolean
tt_store_import_left_out (TtStoreImport *self, const char *path, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      self->connection,
      "INSERT INTO trust_row (run, path, kind, seen, mended, skipped, bounded, inferred, lost, doubtful, process)"
      " VALUES (?1, ?2, ?3, 0, 0, 0, 0, 0, 1, 0, (SELECT t.process FROM trust_row t"
      " JOIN source_row s ON s.id = t.source WHERE t.run = ?1 AND s.format = 'neutrino'"
      " AND substr (s.path, -10) = '/event.log' AND t.process IS NOT NULL"
      " AND substr (?2, 1, length (s.path) - 9) = substr (s.path, 1, length (s.path) - 9)"
      " ORDER BY t.id LIMIT 1))",
      error);
  GError *failure = NULL;

  if (insert == NULL)
    return FALSE;
  sqlite3_bind_int64 (insert, 1, self->run);
  tt_store_bind_text (insert, 2, path);
  tt_store_bind_text (insert, 3, tt_trust_kind_text (TT_TRUST_FILE));
  tt_connection_step (self->connection, insert, &failure);
  return tt_store_finish (failure, error);
}

void
tt_store_import_free (TtStoreImport *self)
{
  if (self == NULL)
    return;
  close_database (self);
  tt_new_file_free (self->temporary);
  tt_names_free (self->names);
  tt_halves_free (self->halves);
  tt_flow_join_free (self->flows);
  tt_activity_join_free (self->activities);
  tt_owners_free (self->owners);
  tt_collectives_free (self->collectives);
  tt_told_calls_free (self->told_calls);
  tt_observed_spans_free (self->spans);
  tt_trust_tally_free (self->trust);
  g_array_unref (self->keys);
  g_mutex_clear (&self->lock);
  g_free (self->flags_known);
  g_free (self->options);
  g_free (self->path);
  g_free (self);
}

/* -- after loading ---------------------------------------------------------------------------------------- */

gboolean
tt_store_import_join (TtStoreImport *self, GError **error)
{
  g_autoptr (TtLostOrder) lost = tt_lost_order_new ();

  self->is_changed = TRUE;
  if (!tt_insert_settle (self->insert, error) || !tt_lost_order_read (lost, self->connection, self->run, error))
    return FALSE;
  if ((!tt_told_calls_is_empty (self->told_calls) &&
       !tt_collectives_tell (self->collectives, self->told_calls, self->owners, error)) ||
      !tt_collectives_sort (self->collectives, self->connection, self->run, self->has_old, lost, error))
    return FALSE;
  gboolean is_joined =
      tt_halves_join (self->halves, self->connection, self->run, self->has_old, lost, &self->n_unsure_messages, error);
  g_clear_pointer (&self->halves, tt_halves_free);
  is_joined =
      is_joined && tt_collectives_write (self->collectives, self->connection, self->run, &self->n_unsure_calls, error);
  /* Before @lost, which its thread may still ask. */
  g_clear_pointer (&self->collectives, tt_collectives_free);
  if (!is_joined)
    return FALSE;
  g_clear_pointer (&self->told_calls, tt_told_calls_free);
  g_clear_pointer (&self->owners, tt_owners_free);
  return tt_ranks_join (self->connection, self->run, error);
}

void
tt_store_import_unsure (const TtStoreImport *self, guint64 *n_messages, guint64 *n_calls)
{
  *n_messages = self->n_unsure_messages;
  *n_calls = self->n_unsure_calls;
}

/* Nobody else knows a new file, which is what is committed, then; its pages are read until something changes. */
static gboolean
settle (TtStoreImport *self, GError **error)
{
  if (!tt_insert_settle (self->insert, error))
    return FALSE;
  return self->temporary == NULL || tt_connection_exec (self->connection, "COMMIT; BEGIN", error);
}

TtStore *
tt_store_import_store (TtStoreImport *self)
{
  GError *error = NULL;

  const gboolean is_settled = settle (self, &error);
  if (is_settled && self->store == NULL)
    {
      self->store = tt_store_new_borrowed (self->connection, self->run, &error);
      if (self->store != NULL)
        tt_collective_spans_observe (self->store, self->spans);
    }
  else if (is_settled && self->is_changed)
    tt_store_reload (self->store, &error);
  if (error != NULL)
    {
      tt_failure_leave (error);
      return NULL;
    }
  self->is_changed = FALSE;
  self->store->is_settled = self->temporary != NULL;
  self->store->n_changes = sqlite3_total_changes (self->connection->db);
  return self->store;
}

TtStore *
tt_store_import_store_anew (TtStoreImport *self)
{
  self->is_changed = TRUE;
  return tt_store_import_store (self);
}
