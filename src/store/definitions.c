/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/definitions.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/store/private.h"

static char *
retain_text (TtStore *self, sqlite3_stmt *row, int column)
{
  const char *text = (const char *) sqlite3_column_text (row, column);

  return text == NULL ? NULL : g_string_chunk_insert (self->texts, text);
}

static char *
retain_word (TtStore *self, sqlite3_stmt *row, int column)
{
  const char *text = (const char *) sqlite3_column_text (row, column);

  return text == NULL ? NULL : g_string_chunk_insert_const (self->texts, text);
}

static void
load_run (TtStore *self, sqlite3_stmt *row)
{
  TtRun run = { tt_store_column_id (row, 0), retain_text (self, row, 1), retain_text (self, row, 2) };

  g_array_append_val (self->runs, run);
}

static void
load_source (TtStore *self, sqlite3_stmt *row)
{
  TtSource source = {
    .id = tt_store_column_id (row, 0),
    .run = tt_store_column_id (row, 1),
    .format = retain_word (self, row, 2),
    .path = retain_text (self, row, 3),
    .bytes = tt_store_column_uint (row, 4),
    .hash = retain_text (self, row, 5),
    .clock = retain_word (self, row, 6),
    .n_events = tt_store_column_uint (row, 7),
    .repairs = retain_text (self, row, 8),
    .first_event = tt_store_column_uint (row, 9),
    .last_event = tt_store_column_uint (row, 10),
  };
  TtEventRange range = { source.first_event, source.last_event, source.id };

  g_array_append_val (self->sources, source);
  if (range.first > 0 && range.first <= range.last)
    g_array_append_val (self->ranges, range);
}

static void
load_process (TtStore *self, sqlite3_stmt *row)
{
  TtProcess process = {
    .id = tt_store_column_id (row, 0),
    .pid = retain_text (self, row, 1),
    .label = retain_text (self, row, 2),
    .node = retain_word (self, row, 3),
    .rank = tt_store_column_int_or (row, 4, -1),
  };

  g_array_append_val (self->processes, process);
}

static void
load_thread (TtStore *self, sqlite3_stmt *row)
{
  TtThread thread = {
    .id = tt_store_column_id (row, 0),
    .process = tt_store_column_id (row, 1),
    .tid = retain_word (self, row, 2),
    .label = retain_word (self, row, 3),
    .order = sqlite3_column_int64 (row, 4),
  };

  g_array_append_val (self->threads, thread);
}

static void
load_series (TtStore *self, sqlite3_stmt *row)
{
  TtSeries series = {
    .id = tt_store_column_id (row, 0),
    .name = retain_text (self, row, 1),
    .unit = retain_word (self, row, 2),
    .is_monotonic = sqlite3_column_int (row, 3) != 0,
  };

  g_array_append_val (self->series, series);
}

static gboolean
load_rows (TtStore *self, const char *sql, void (*load_row) (TtStore *, sqlite3_stmt *), GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, sql, error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->first_run);
  sqlite3_bind_int64 (row, 2, self->last_run);
  while (tt_connection_step (self->connection, row, &failure))
    load_row (self, row);
  return tt_store_finish (failure, error);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const TtEventRange *) a)->first, y = ((const TtEventRange *) b)->first;

  return TT_COMPARE (x, y);
}

static gboolean
load_max_name (TtStore *self, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT max (id) FROM name_row WHERE run BETWEEN %u AND %u", self->first_run, self->last_run);
  gint64 max_name;

  if (!tt_connection_get_int (self->connection, sql, &max_name, error))
    return FALSE;
  self->max_name = (guint32) max_name;
  return TRUE;
}

gboolean
tt_store_load_definitions (TtStore *self, GError **error)
{
  GArray *arrays[] = { self->runs, self->sources, self->processes, self->threads, self->series, self->ranges };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_set_size (arrays[i], 0);
  g_clear_pointer (&self->texts, g_string_chunk_free);
  self->texts = g_string_chunk_new (16384);
  if (!load_rows (self, "SELECT id, command, imported_at FROM run_row WHERE id BETWEEN ?1 AND ?2 ORDER BY id", load_run,
                  error) ||
      !load_rows (self,
                  "SELECT id, run, format, path, bytes, hash, clock, n_events, repairs, first_event, last_event"
                  " FROM source_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id",
                  load_source, error) ||
      !load_rows (self, "SELECT id, pid, label, node, rank FROM process_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id",
                  load_process, error) ||
      !load_rows (self,
                  "SELECT id, process, tid, label, position FROM thread_row WHERE process IN"
                  " (SELECT id FROM process_row WHERE run BETWEEN ?1 AND ?2) ORDER BY id",
                  load_thread, error) ||
      !load_rows (self, "SELECT id, name, unit, is_monotonic FROM series_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id",
                  load_series, error))
    return FALSE;
  g_array_sort (self->ranges, compare_ranges);
  return load_max_name (self, error);
}

const TtRun *
tt_store_runs (TtStore *self, guint *n)
{
  *n = self->runs->len;
  return TT_ARRAY (self->runs, TtRun);
}

const TtSource *
tt_store_sources (TtStore *self, guint *n)
{
  *n = self->sources->len;
  return TT_ARRAY (self->sources, TtSource);
}

const TtProcess *
tt_store_processes (TtStore *self, guint *n)
{
  *n = self->processes->len;
  return TT_ARRAY (self->processes, TtProcess);
}

const TtThread *
tt_store_threads (TtStore *self, guint *n)
{
  *n = self->threads->len;
  return TT_ARRAY (self->threads, TtThread);
}

const TtSeries *
tt_store_series (TtStore *self, guint *n)
{
  *n = self->series->len;
  return TT_ARRAY (self->series, TtSeries);
}

/* Every definition begins with its id, and ids are dense unless somebody else changed the file. */
static gconstpointer
find_definition (const GArray *array, guint32 id)
{
  guint size = g_array_get_element_size ((GArray *) array);
  const char *items = array->data;
  guint low = 0, high = array->len;

  if (array->len == 0)
    return NULL;
  guint32 first = *(const guint32 *) (const void *) items;
  guint guess = id - first;
  if (guess < array->len && *(const guint32 *) (const void *) (items + (gsize) guess * size) == id)
    return items + (gsize) guess * size;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      guint32 found = *(const guint32 *) (const void *) (items + (gsize) middle * size);

      if (found == id)
        return items + (gsize) middle * size;
      if (found < id)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

const TtProcess *
tt_store_process (TtStore *self, guint32 id)
{
  return find_definition (self->processes, id);
}

const TtThread *
tt_store_thread (TtStore *self, guint32 id)
{
  return find_definition (self->threads, id);
}

static guint32
last_id (const GArray *array)
{
  if (array->len == 0)
    return 0;
  return *(const guint32 *) (const void *) (array->data +
                                            (gsize) (array->len - 1) * g_array_get_element_size ((GArray *) array));
}

guint32
tt_store_max_thread (TtStore *self)
{
  return last_id (self->threads);
}

guint32
tt_store_max_process (TtStore *self)
{
  return last_id (self->processes);
}

guint64
tt_store_n_events (TtStore *self)
{
  guint64 n = 0;

  for (guint i = 0; i < self->sources->len; i++)
    n += g_array_index (self->sources, TtSource, i).n_events;
  return n;
}

gboolean
tt_store_each_metadata (TtStore *self, TtMetadataFunc func, gpointer data, GError **error)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (self->connection,
                             "SELECT process, thread, key, value FROM metadata_row WHERE process IN"
                             " (SELECT id FROM process_row WHERE run BETWEEN ?1 AND ?2) ORDER BY process, thread, key",
                             error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->first_run);
  sqlite3_bind_int64 (row, 2, self->last_run);
  while (tt_connection_step (self->connection, row, &failure))
    if (!func (tt_store_column_id (row, 0), tt_store_column_id (row, 1), (const char *) sqlite3_column_text (row, 2),
               (const char *) sqlite3_column_text (row, 3), data))
      break;
  return tt_store_finish (failure, error);
}
