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

  return text == NULL ? NULL : tt_store_keep_word (self, text);
}

/* FALSE with an error, as the following. */
static gboolean
refuse_id (const TtStore *self, const char *kind, sqlite3_stmt *row, GError **error)
{
  return tt_store_set_damaged (self, error, "%" G_GINT64_FORMAT " is no id of a %s",
                               (gint64) sqlite3_column_int64 (row, 0), kind);
}

static gboolean
refuse_text (const TtStore *self, const char *kind, sqlite3_stmt *row, GError **error)
{
  return tt_store_set_damaged (self, error, "%s %" G_GINT64_FORMAT " lacks a text", kind,
                               (gint64) sqlite3_column_int64 (row, 0));
}

static gboolean
load_run (TtStore *self, sqlite3_stmt *row, GError **error)
{
  TtRun run = { tt_store_column_id (row, 0), retain_text (self, row, 1), retain_text (self, row, 2) };

  if (run.command == NULL || run.imported_at == NULL)
    return refuse_text (self, "run", row, error);
  g_array_append_val (self->runs, run);
  return TRUE;
}

static gboolean
load_source (TtStore *self, sqlite3_stmt *row, GError **error)
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

  if (source.format == NULL || source.path == NULL || source.hash == NULL || source.clock == NULL)
    return refuse_text (self, "source", row, error);
  g_array_append_val (self->sources, source);
  if (source.n_events == 0)
    return TRUE;
  if (range.first == 0 || range.first > range.last || range.last - range.first + 1 != source.n_events)
    return tt_store_set_damaged (
        self, error, "source %u has %" G_GUINT64_FORMAT " events with ids %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
        source.id, source.n_events, range.first, range.last);
  g_array_append_val (self->ranges, range);
  return TRUE;
}

/* The next place, for the row of an ascending id. */
static gboolean
give_place (TtPlaces *places, sqlite3_stmt *row)
{
  gint64 id = sqlite3_column_int64 (row, 0);

  return id <= G_MAXUINT32 && tt_places_add (places, id, id);
}

static gboolean
load_process (TtStore *self, sqlite3_stmt *row, GError **error)
{
  if (!give_place (&self->process_places, row))
    return refuse_id (self, "process", row, error);

  TtProcess process = {
    .id = self->process_places.n,
    .pid = retain_text (self, row, 1),
    .label = retain_text (self, row, 2),
    .node = retain_word (self, row, 3),
    .rank = tt_store_column_int_or (row, 4, -1),
    .run = tt_store_column_id (row, 5),
    .owner = tt_store_column_id (row, 6),
  };
  g_array_append_val (self->processes, process);
  if (process.owner != sqlite3_column_int64 (row, 6))
    return tt_store_set_damaged (self, error, "process %u belongs to %" G_GINT64_FORMAT ", which is no id", process.id,
                                 (gint64) sqlite3_column_int64 (row, 6));
  return process.pid != NULL || refuse_text (self, "process", row, error);
}

static gboolean
load_thread (TtStore *self, sqlite3_stmt *row, GError **error)
{
  if (!give_place (&self->thread_places, row))
    return refuse_id (self, "thread", row, error);

  TtThread thread = {
    .id = self->thread_places.n,
    .process = tt_places_find (&self->process_places, sqlite3_column_int64 (row, 1)),
    .tid = retain_word (self, row, 2),
    .label = retain_word (self, row, 3),
    .order = sqlite3_column_int64 (row, 4),
  };
  g_array_append_val (self->threads, thread);
  return thread.tid != NULL || refuse_text (self, "thread", row, error);
}

/* -- ids only --------------------------------------------------------------------------------------------------- */

static gboolean
place_process (TtStore *self, sqlite3_stmt *row, GError **error)
{
  return give_place (&self->process_places, row) || refuse_id (self, "process", row, error);
}

static gboolean
place_thread (TtStore *self, sqlite3_stmt *row, GError **error)
{
  const guint32 process = tt_places_find (&self->process_places, sqlite3_column_int64 (row, 1));

  if (!give_place (&self->thread_places, row))
    return refuse_id (self, "thread", row, error);
  g_array_append_val (self->process_of_thread, process);
  return TRUE;
}

static gboolean
place_series (TtStore *self, sqlite3_stmt *row, GError **error)
{
  return give_place (&self->series_places, row) || refuse_id (self, "series", row, error);
}

/* -- all of them -------------------------------------------------------------------------------------------------- */

static gboolean
load_series (TtStore *self, sqlite3_stmt *row, GError **error)
{
  if (!give_place (&self->series_places, row))
    return refuse_id (self, "series", row, error);

  TtSeries series = {
    .id = self->series_places.n,
    .name = retain_text (self, row, 1),
    .unit = retain_word (self, row, 2),
    .is_monotonic = sqlite3_column_int (row, 3) != 0,
  };
  g_array_append_val (self->series, series);
  return series.name != NULL || refuse_text (self, "series", row, error);
}

static gboolean
load_rows (TtStore *self, const char *sql, gboolean (*load_row) (TtStore *, sqlite3_stmt *, GError **), GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (self->connection, sql, error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, self->first_run);
  sqlite3_bind_int64 (row, 2, self->last_run);
  while (tt_connection_step (self->connection, row, &failure) && load_row (self, row, &failure))
    ;
  return tt_store_finish (failure, error);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const TtEventRange *) a)->first, y = ((const TtEventRange *) b)->first;

  return TT_COMPARE (x, y);
}

/* The ids of events are what they are counted by: they exist, and belong to one source each. */
static gboolean
check_ranges (TtStore *self, GError **error)
{
  gint64 last;

  if (!tt_connection_get_int (self->connection, "SELECT max (id) FROM event_row", &last, error))
    return FALSE;
  g_array_sort (self->ranges, compare_ranges);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TtEventRange *range = &g_array_index (self->ranges, TtEventRange, i);

      if (range->last > (guint64) last || (i > 0 && range->first <= range[-1].last))
        return tt_store_set_damaged (self, error, "events of source %u are not there, or another's", range->source);
    }
  return TRUE;
}

void
tt_store_clear_places (TtStore *self)
{
  TtPlaces *places[] = { &self->process_places, &self->thread_places, &self->series_places, &self->name_places };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    tt_places_clear (places[i]);
  self->recent_range = 0;
}

static gboolean
load_processes (TtStore *self, GError **error)
{
  if (self->has_ids_only)
    return load_rows (self, "SELECT id FROM process_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id", place_process,
                      error) &&
           load_rows (self,
                      "SELECT id, process FROM thread_row WHERE process IN"
                      " (SELECT id FROM process_row WHERE run BETWEEN ?1 AND ?2) ORDER BY id",
                      place_thread, error) &&
           load_rows (self, "SELECT id FROM series_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id", place_series, error);
  return load_rows (self,
                    "SELECT id, pid, label, node, rank, run, owner FROM process_row"
                    " WHERE run BETWEEN ?1 AND ?2 ORDER BY id",
                    load_process, error) &&
         tt_store_find_ranks (self, error) &&
         load_rows (self,
                    "SELECT id, process, tid, label, position FROM thread_row WHERE process IN"
                    " (SELECT id FROM process_row WHERE run BETWEEN ?1 AND ?2) ORDER BY id",
                    load_thread, error) &&
         load_rows (self, "SELECT id, name, unit, is_monotonic FROM series_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id",
                    load_series, error);
}

gboolean
tt_store_load_definitions (TtStore *self, GError **error)
{
  GArray *arrays[] = { self->runs,   self->sources, self->processes,        self->threads,
                       self->series, self->ranges,  self->process_of_thread };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_set_size (arrays[i], 0);
  tt_store_clear_places (self);
  g_clear_pointer (&self->texts, g_string_chunk_free);
  self->texts = g_string_chunk_new (16384);
  g_clear_pointer (&self->words, g_hash_table_unref);
  self->words = g_hash_table_new (g_str_hash, g_str_equal);
  if (!load_rows (self, "SELECT id, command, imported_at FROM run_row WHERE id BETWEEN ?1 AND ?2 ORDER BY id", load_run,
                  error) ||
      !load_rows (self,
                  "SELECT id, run, format, path, bytes, hash, clock, n_events, repairs, first_event, last_event"
                  " FROM source_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id",
                  load_source, error) ||
      !load_processes (self, error))
    return FALSE;
  return check_ranges (self, error) && tt_store_place_names (self, error);
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

/* They are in the order of their ids. */
const TtSource *
tt_store_source (TtStore *self, guint32 id)
{
  guint n, from = 0;
  const TtSource *sources = tt_store_sources (self, &n);

  for (guint to = n; from < to;)
    {
      guint middle = from + (to - from) / 2;

      if (sources[middle].id < id)
        from = middle + 1;
      else
        to = middle;
    }
  return from < n && sources[from].id == id ? &sources[from] : NULL;
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

const TtProcess *
tt_store_process (TtStore *self, guint32 id)
{
  return id == TT_NO_ID || id > self->processes->len ? NULL : &g_array_index (self->processes, TtProcess, id - 1);
}

const TtThread *
tt_store_thread (TtStore *self, guint32 id)
{
  return id == TT_NO_ID || id > self->threads->len ? NULL : &g_array_index (self->threads, TtThread, id - 1);
}

const TtSeries *
tt_store_one_series (TtStore *self, guint32 id)
{
  return id == TT_NO_ID || id > self->series->len ? NULL : &g_array_index (self->series, TtSeries, id - 1);
}

guint32
tt_store_max_thread (TtStore *self)
{
  return self->thread_places.n;
}

guint32
tt_store_max_process (TtStore *self)
{
  return self->process_places.n;
}

guint32
tt_store_process_of_thread (TtStore *self, guint32 thread)
{
  if (thread == TT_NO_ID || thread > self->thread_places.n)
    return TT_NO_ID;
  return self->has_ids_only ? g_array_index (self->process_of_thread, guint32, thread - 1)
                            : g_array_index (self->threads, TtThread, thread - 1).process;
}

guint32
tt_store_process_of_row (TtStore *self, guint32 row)
{
  return tt_places_find (&self->process_places, row);
}

guint32
tt_store_thread_of_row (TtStore *self, guint32 row)
{
  return tt_places_find (&self->thread_places, row);
}

gboolean
tt_store_has_clock (TtStore *self, TtClock clock)
{
  for (guint i = 0; i < self->sources->len; i++)
    if (g_str_equal (g_array_index (self->sources, TtSource, i).clock, tt_clock_text (clock)))
      return TRUE;
  return FALSE;
}

TtClock
tt_store_main_clock (TtStore *self, gboolean *is_mixed)
{
  guint n_epoch = 0, n_relative = 0;

  for (guint i = 0; i < self->sources->len; i++)
    {
      const TtSource *source = &g_array_index (self->sources, TtSource, i);

      n_epoch += source->n_events > 0 && g_str_equal (source->clock, tt_clock_text (TT_CLOCK_EPOCH));
      n_relative += source->n_events > 0 && g_str_equal (source->clock, tt_clock_text (TT_CLOCK_RELATIVE));
    }
  *is_mixed = n_epoch > 0 && n_relative > 0;
  return n_relative > n_epoch ? TT_CLOCK_RELATIVE : TT_CLOCK_EPOCH;
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
    {
      TtRowScan scan = { self, row, "metadata", NULL };
      guint32 process = tt_row_process (&scan, 0, FALSE), thread = tt_row_thread (&scan, 1, TRUE);

      const char *key = (const char *) sqlite3_column_text (row, 2);

      failure = scan.fault;
      if (failure == NULL && key == NULL)
        tt_store_set_damaged (self, &failure, "metadata of process %u lacks a key", process);
      if (failure != NULL || !func (process, thread, key, (const char *) sqlite3_column_text (row, 3), data))
        break;
    }
  return tt_store_finish (failure, error);
}
