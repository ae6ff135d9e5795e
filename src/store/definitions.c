/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/definitions.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/store/private.h"

#define MAX_WORDS 65536u

static char *
retain_text (TtStore *self, sqlite3_stmt *row, int column)
{
  const char *text = (const char *) sqlite3_column_text (row, column);

  return text == NULL ? NULL : g_string_chunk_insert (self->texts, text);
}

char *
tt_store_keep_word (TtStore *self, const char *text)
{
  char *word = g_hash_table_lookup (self->words, text);

  if (word != NULL)
    return word;
  word = g_string_chunk_insert (self->texts, text);
  if (g_hash_table_size (self->words) < MAX_WORDS)
    g_hash_table_add (self->words, word);
  return word;
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

typedef struct
{
  gint64 rank;
  gint64 run;
} RankKey;

static guint
hash_rank (gconstpointer key)
{
  const RankKey *rank = key;

  return g_int64_hash (&rank->rank) ^ (guint) rank->run;
}

static gboolean
is_same_rank (gconstpointer a, gconstpointer b)
{
  const RankKey *x = a, *y = b;

  return x->rank == y->rank && x->run == y->run;
}

/* The first process of each number leads the others, or the one that owns it: a device may come before its host.
 * @leaders: RankKey -> id. */
static void
join_numbered (const TtProcess *processes, TtProcess *process, GHashTable *leaders)
{
  const RankKey key = { process->rank, process->run };
  guint32 leader = GPOINTER_TO_UINT (g_hash_table_lookup (leaders, &key));

  if (leader == TT_NO_ID)
    {
      leader = processes[process->owner - 1].rank == process->rank ? process->owner : process->id;
      g_hash_table_insert (leaders, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (leader));
    }
  process->owner = leader;
}

/* From rows of owners to their ids; then each process finds the one that leads its rank. */
static gboolean
find_ranks (TtStore *self, GError **error)
{
  g_autoptr (GHashTable) leaders = g_hash_table_new_full (hash_rank, is_same_rank, g_free, NULL);
  TtProcess *processes = TT_ARRAY (self->processes, TtProcess);

  for (guint i = 0; i < self->processes->len; i++)
    {
      TtProcess *process = &processes[i];
      guint32 row = process->owner;
      guint32 owner = row == TT_NO_ID ? process->id : tt_places_find (&self->process_places, row);

      if (owner == TT_NO_ID || processes[owner - 1].run != process->run)
        return tt_store_set_damaged (self, error, "process '%s' belongs to process %u, which is not there",
                                     process->pid, row);
      process->owner = owner;
      if (process->rank < 0)
        process->rank = processes[owner - 1].rank;
      if (process->rank >= 0)
        join_numbered (processes, process, leaders);
    }
  for (guint i = 0; i < self->processes->len; i++)
    {
      TtProcess *process = &processes[i];
      g_autofree char *number = NULL;

      if (processes[process->owner - 1].owner != process->owner)
        return tt_store_set_damaged (self, error, "process '%s' belongs to one that belongs to another", process->pid);
      if (process->rank >= 0)
        number = g_strdup_printf ("%" G_GINT64_FORMAT, process->rank);
      process->rank_name = number != NULL ? tt_store_keep_word (self, number) : processes[process->owner - 1].pid;
    }
  return TRUE;
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

/* The last id of a name of this run or one before, 0 where there is none: ids and runs ascend together. */
static gboolean
last_name_until (TtStore *self, gint64 run, gint64 max, gint64 *last, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection, "SELECT id, run FROM name_row WHERE id <= ?1 ORDER BY id DESC LIMIT 1", error);
  gint64 low = 0, high = max;
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  *last = 0;
  while (low < high && failure == NULL)
    {
      gint64 middle = high - (high - low) / 2;

      sqlite3_reset (row);
      sqlite3_bind_int64 (row, 1, middle);
      gboolean is_found = tt_connection_step (self->connection, row, &failure);
      gint64 id = is_found ? sqlite3_column_int64 (row, 0) : 0;
      /* In a damaged tree of rows it may be any. */
      if (id > middle)
        return tt_store_set_damaged (self, error, "name %" G_GINT64_FORMAT " is not in its place", id);
      if (is_found && sqlite3_column_int64 (row, 1) > run)
        high = MAX (id, 1) - 1;
      else
        {
          low = middle;
          if (is_found)
            *last = id;
        }
    }
  return tt_store_finish (failure, error);
}

/* @last: the last id of the runs before, and then of this one. */
static gboolean
place_names_of (TtStore *self, gint64 run, gint64 max, gint64 n_most, gint64 *last, GError **error)
{
  gint64 before = *last, first;

  if (!last_name_until (self, run, max, last, error))
    return FALSE;
  if (*last <= before)
    return TRUE;
  g_autofree char *sql = g_strdup_printf ("SELECT min (id) FROM name_row WHERE id > %" G_GINT64_FORMAT, before);
  if (!tt_connection_get_int (self->connection, sql, &first, error))
    return FALSE;
  return (tt_places_add (&self->name_places, first, *last) && self->name_places.n <= n_most) ||
         tt_store_set_damaged (self, error,
                               "run %" G_GINT64_FORMAT " has names with ids %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                               run, first, *last);
}

/* Names are not loaded: there may be millions. No more than there is room for in the file. */
static gboolean
place_names (TtStore *self, GError **error)
{
  enum
  {
    LEAST_BYTES = 8
  };
  gint64 max, n_bytes, last = 0;

  if (!tt_connection_get_int (self->connection, "SELECT max (id) FROM name_row", &max, error) ||
      !tt_connection_get_int (
          self->connection, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", &n_bytes, error))
    return FALSE;
  if (max < 0 || max > G_MAXINT32)
    return tt_store_set_damaged (self, error, "%" G_GINT64_FORMAT " is no id of a name", max);
  if (self->runs->len > 0 && !last_name_until (self, (gint64) self->first_run - 1, max, &last, error))
    return FALSE;
  for (guint i = 0; i < self->runs->len; i++)
    if (!place_names_of (self, g_array_index (self->runs, TtRun, i).id, max, n_bytes / LEAST_BYTES, &last, error))
      return FALSE;
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

gboolean
tt_store_load_definitions (TtStore *self, GError **error)
{
  GArray *arrays[] = { self->runs, self->sources, self->processes, self->threads, self->series, self->ranges };

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
      !load_rows (self,
                  "SELECT id, pid, label, node, rank, run, owner FROM process_row"
                  " WHERE run BETWEEN ?1 AND ?2 ORDER BY id",
                  load_process, error) ||
      !find_ranks (self, error) ||
      !load_rows (self,
                  "SELECT id, process, tid, label, position FROM thread_row WHERE process IN"
                  " (SELECT id FROM process_row WHERE run BETWEEN ?1 AND ?2) ORDER BY id",
                  load_thread, error) ||
      !load_rows (self, "SELECT id, name, unit, is_monotonic FROM series_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id",
                  load_series, error))
    return FALSE;
  return check_ranges (self, error) && place_names (self, error);
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
  return self->threads->len;
}

guint32
tt_store_max_process (TtStore *self)
{
  return self->processes->len;
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

      failure = scan.fault;
      if (failure != NULL || !func (process, thread, (const char *) sqlite3_column_text (row, 2),
                                    (const char *) sqlite3_column_text (row, 3), data))
        break;
    }
  return tt_store_finish (failure, error);
}
