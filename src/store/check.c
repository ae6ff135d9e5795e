/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/check.h"

#include <string.h>

#include "src/base/progress.h"
#include "src/store/page-checksum.h"
#include "src/store/private.h"
#include "src/store/scan.h"
#include "src/store/words.h"

/* Faults of SQLite's own check that are counted. */
#define MAX_FAULTS "1000"
/* About as many statements. */
#define N_STEPS 80

typedef struct
{
  TtStore *store;
  TtCheck check;
  char *first;
  TtProgress *progress;
} Audit;

/* -- results ------------------------------------------------------------------------------------------------ */

static void G_GNUC_PRINTF (3, 4) add_wrong (Audit *self, guint64 n, const char *format, ...)
{
  va_list arguments;

  self->check.n_wrong += n;
  if (self->first != NULL)
    return;
  va_start (arguments, format);
  self->first = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

/* What could not be read is wrong, too; being told to stop is not. */
static gboolean
take_failure (Audit *self, GError *failure, GError **error)
{
  if (failure == NULL)
    return TRUE;
  if (tt_cancelled (NULL))
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  add_wrong (self, 1, "%s", failure->message);
  g_error_free (failure);
  return TRUE;
}

/* Calls @take for each row of @sql. */
typedef void (*TakeRow) (Audit *self, sqlite3_stmt *row, gconstpointer data);
static gboolean
each_row (Audit *self, const char *sql, TakeRow take, gconstpointer data, GError **error)
{
  TtConnection *connection = self->store->connection;
  GError *failure = NULL;
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (connection, sql, &failure);

  while (row != NULL && tt_connection_step (connection, row, &failure))
    take (self, row, data);
  tt_progress_add (self->progress, 1);
  return take_failure (self, failure, error);
}

/* -- the file ----------------------------------------------------------------------------------------------- */

static void
take_page (guint64 page, gpointer data)
{
  add_wrong (data, 1, "page %" G_GUINT64_FORMAT " is not as tracetool wrote it", page);
}

/* Each page, also those that nothing leads to. */
static gboolean
check_pages (Audit *self, GError **error)
{
  TtConnection *connection = self->store->connection;
  GError *failure = NULL;

  if (!tt_store_is_verified (self->store))
    {
      add_wrong (self, 0, "none here: of an older tracetool, or another program keeps a log");
      return TRUE;
    }
  if (tt_page_checksum_verify (connection->db, &self->check.n, take_page, self) != SQLITE_OK)
    tt_connection_fail (connection, "read", &failure);
  return take_failure (self, failure, error);
}

/* SQLite tells what is wrong with trees in one row, a line each below a title. */
static void
take_fault (Audit *self, sqlite3_stmt *row, gconstpointer data)
{
  const char *text = (const char *) sqlite3_column_text (row, 0);

  if (text == NULL)
    add_wrong (self, 1, "out of memory");
  for (const char *line = text, *end; line != NULL && *line != '\0'; line = *end == '\0' ? end : end + 1)
    {
      end = line + strcspn (line, "\n");
      if (strncmp (line, "***", strlen ("***")) != 0 && strcmp (line, "ok") != 0)
        add_wrong (self, 1, "%.*s", (int) (end - line), line);
    }
}

static void
take_number (Audit *self, sqlite3_stmt *row, gconstpointer data)
{
  self->check.n = tt_store_column_uint (row, 0);
}

static gboolean
check_structure (Audit *self, GError **error)
{
  return each_row (self, "PRAGMA page_count", take_number, NULL, error) &&
         each_row (self, "PRAGMA integrity_check(" MAX_FAULTS ")", take_fault, NULL, error);
}

/* -- references ----------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *table, *column, *target; /* or an expression of columns */
  gboolean is_optional;                /* null and 0 refer to nothing */
  const char *key;                     /* that names a row; NULL: id */
  const char *other;                   /* NULL, or a table that may have the target, too */
} Reference;

static const Reference references[] = {
  { "source_row", "run", "run_row" },
  { "process_row", "run", "run_row" },
  { "process_row", "owner", "process_row", TRUE },
  { "thread_row", "process", "process_row" },
  { "name_row", "run", "run_row" },
  { "series_row", "run", "run_row" },
  { "metadata_row", "process", "process_row", .key = "process" },
  { "metadata_row", "thread", "thread_row", TRUE, "process" },
  /* 0: of a file that is no source, such as what a probe was compiled from. */
  { "metadata_row", "source", "source_row", TRUE, "process" },
  { "event_row", "args", "args_row", TRUE, .other = "args_filled_row" },
  { "args_filled_row", "form", "args_form_row" },
  { "event_row", "shape & 4095", "flag_row" },
  { "parameter_row", "run", "run_row" },
  { "parameter_row", "source_row", "source_row", TRUE },
  { "task_row", "process", "process_row" },
  { "task_row", "source", "source_row" },
  { "task_edge_row", "process", "process_row" },
  { "task_edge_row", "source", "source_row" },
  { "metric_row", "event", "event_row" },
  { "metric_row", "series", "series_row" },
  { "counter_row", "series", "series_row" },
  { "counter_row", "thread", "thread_row" },
  { "flow_row", "from_event", "event_row" },
  { "flow_row", "to_event", "event_row" },
  { "activity_row", "event", "event_row" },
  { "activity_row", "role & 127", "role_row" },
  { "activity_row", "launch", "event_row", TRUE },
  { "activity_row", "queue", "thread_row", TRUE },
  { "activity_row", "waits_on", "thread_row", TRUE },
  { "message_row", "run", "run_row" },
  { "message_row", "src_process", "process_row" },
  { "message_row", "src_thread", "thread_row", TRUE },
  { "message_row", "dst_process", "process_row" },
  { "message_row", "dst_thread", "thread_row", TRUE },
  { "message_row", "send_event", "event_row", TRUE },
  { "message_row", "recv_event", "event_row", TRUE },
  { "message_row", "flags", "message_flag_row" },
  { "message_row", "send_source", "source_row", TRUE },
  { "message_row", "recv_source", "source_row", TRUE },
  { "collective_row", "run", "run_row" },
  { "collective_row", "name", "name_row" },
  { "collective_row", "process", "process_row" },
  { "collective_row", "thread", "thread_row" },
  { "collective_row", "event", "event_row" },
  { "statistic_row", "run", "run_row" },
  { "statistic_row", "process", "process_row", TRUE },
  { "statistic_row", "name", "name_row" },
  { "collective_row", "root", "process_row", TRUE },
  { "clock_row", "process", "process_row", .key = "process" },
  { "clock_fit_row", "process", "process_row", .key = "process" },
  { "clock_fit_row", "run", "run_row", .key = "process" },
  { "trust_row", "run", "run_row" },
  { "trust_row", "source", "source_row", TRUE },
  { "trust_row", "process", "process_row", TRUE },
  { "node", "run", "run_row", .key = "run" },
  { "edge", "run", "run_row", .key = "run" },
  { "nccl_shape", "run", "run_row", .key = "run" },
  { "nccl_edge", "run", "run_row", .key = "run" },
};

static void
take_reference (Audit *self, sqlite3_stmt *row, gconstpointer data)
{
  const Reference *reference = data;
  guint64 n_wrong = tt_store_column_uint (row, 1);

  self->check.n += tt_store_column_uint (row, 0);
  if (n_wrong > 0)
    add_wrong (self, n_wrong, "%s, %s %s: its %s is not in %s", reference->table,
               reference->key == NULL ? "id" : reference->key, (const char *) sqlite3_column_text (row, 2),
               reference->column, reference->target);
}

static gboolean
check_references (Audit *self, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (references); i++)
    {
      const Reference *at = &references[i];
      g_autofree char *rows = at->is_optional
                                  ? g_strdup_printf ("%s r WHERE ifnull (r.%s, 0) <> 0", at->table, at->column)
                                  : g_strdup_printf ("%s r WHERE 1", at->table);
      g_autofree char *other =
          at->other == NULL ? g_strdup ("") : g_strdup_printf (" UNION ALL SELECT id FROM %s", at->other);
      g_autofree char *sql =
          g_strdup_printf ("SELECT (SELECT count (*) FROM %s), count (*), min (r.%s) FROM %s"
                           " AND ifnull (r.%s, -1) NOT IN (SELECT id FROM %s%s)",
                           rows, at->key == NULL ? "id" : at->key, rows, at->column, at->target, other);

      if (!each_row (self, sql, take_reference, at, error))
        return FALSE;
    }
  return TRUE;
}

/* -- words: what stands in the file for a number of ours ----------------------------------------------------- */

typedef struct
{
  const char *table, *sql;
  const char *(*word) (gint64 id);
} Words;

static const Words words[] = {
  { "flag_row", "SELECT id, text FROM flag_row", tt_word_of_flags },
  { "message_flag_row", "SELECT id, text FROM message_flag_row", tt_word_of_message_flags },
  { "role_row", "SELECT id, text FROM role_row", tt_word_of_role },
};

static void
take_word (Audit *self, sqlite3_stmt *row, gconstpointer data)
{
  const Words *at = data;
  gint64 id = sqlite3_column_int64 (row, 0);
  const char *text = (const char *) sqlite3_column_text (row, 1), *word = at->word (id);

  self->check.n++;
  if (g_strcmp0 (text, word) != 0)
    add_wrong (self, 1, "%s, id %" G_GINT64_FORMAT ": its text is '%s', not '%s'", at->table, id,
               text == NULL ? "" : text, word == NULL ? "" : word);
}

static gboolean
check_words (Audit *self, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (!each_row (self, words[i].sql, take_word, &words[i], error))
      return FALSE;
  return TRUE;
}

/* -- ranges of rows ------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *owner, *range; /* first_RANGE and last_RANGE are columns of OWNER_row */
  const char *table;
} Range;

static const Range ranges[] = {
  { "source", "event", "event_row" },        { "source", "counter", "counter_row" },
  { "source", "metric", "metric_row" },      { "source", "flow", "flow_row" },
  { "source", "activity", "activity_row" },  { "run", "message", "message_row" },
  { "run", "collective", "collective_row" }, { "run", "name", "statistic_row" },
  { "run", "long_name", "statistic_row" },
};

static void
take_range (Audit *self, sqlite3_stmt *row, gconstpointer data)
{
  const Range *range = data;
  guint64 wanted = tt_store_column_uint (row, 1), n = tt_store_column_uint (row, 2);

  self->check.n += n;
  if (n != wanted)
    add_wrong (self, n > wanted ? n - wanted : wanted - n,
               "%s %" G_GINT64_FORMAT " has %" G_GUINT64_FORMAT " rows of %s, of which %" G_GUINT64_FORMAT " are there",
               range->owner, (gint64) sqlite3_column_int64 (row, 0), wanted, range->table, n);
}

static void
take_stray (Audit *self, sqlite3_stmt *row, gconstpointer data)
{
  guint64 n = tt_store_column_uint (row, 0);

  if (n > 0)
    add_wrong (self, n, "%s, id %" G_GINT64_FORMAT ": it does not belong to one source or run", (const char *) data,
               (gint64) sqlite3_column_int64 (row, 1));
}

#define LEAST "-9223372036854775808"
#define MOST "9223372036854775807"

/* Each range begins after the end of the one before; between them there is nothing. */
static gboolean
check_strays (Audit *self, const char *table, const char *ends, GError **error)
{
  g_autofree char *between =
      g_strdup_printf ("WITH e (first, last) AS (%s), g (first, last) AS"
                       " (SELECT ifnull (lag (last) OVER (ORDER BY first) + 1, " LEAST "), first - 1 FROM e"
                       " UNION ALL SELECT ifnull (max (last) + 1, " LEAST "), " MOST " FROM e)"
                       " SELECT count (*), min (r.id) FROM g CROSS JOIN %s r ON r.id BETWEEN g.first AND g.last",
                       ends, table);
  g_autofree char *twice = g_strdup_printf (
      "WITH e (first, last) AS (%s), o (id, before) AS (SELECT first, lag (last) OVER (ORDER BY first) FROM e)"
      " SELECT count (*), min (id) FROM o WHERE id <= before",
      ends);

  return each_row (self, between, take_stray, table, error) && each_row (self, twice, take_stray, table, error);
}

/* Also where a table's rows are of two ranges, and where what they hold is between other rows. */
static gboolean
check_ranges (Audit *self, GError **error)
{
  g_autoptr (GString) ends = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      const Range *at = &ranges[i];
      gboolean is_last = i + 1 == G_N_ELEMENTS (ranges) || g_strcmp0 (at[1].table, at->table) != 0;
      g_autofree char *sql =
          g_strdup_printf ("SELECT o.id, o.last_%s - o.first_%s + 1,"
                           " (SELECT count (*) FROM %s r WHERE r.id BETWEEN o.first_%s AND o.last_%s) FROM %s_row o"
                           " WHERE o.last_%s >= o.first_%s",
                           at->range, at->range, at->table, at->range, at->range, at->owner, at->range, at->range);

      if (!each_row (self, sql, take_range, at, error))
        return FALSE;
      g_string_append_printf (ends, "%sSELECT first_%s, last_%s FROM %s_row WHERE last_%s >= first_%s",
                              ends->len == 0 ? "" : " UNION ALL ", at->range, at->range, at->owner, at->range,
                              at->range);
      if (is_last && !check_strays (self, at->table, ends->str, error))
        return FALSE;
      if (is_last)
        g_string_truncate (ends, 0);
    }
  return TRUE;
}

/* -- counts --------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *owner, *what;
  const char *sql; /* rows of: id of the owner, how many it says, how many there are */
} Count;

/* TT_TIME_MAX_NS */
#define KEPT "-4611686018427387903 AND 4611686018427387903"

static const Count counts[] = {
  { "source", "events with arguments",
    "SELECT s.id, ifnull (s.n_args, 0), (SELECT count (e.args) FROM event_row e"
    " WHERE e.id BETWEEN s.first_event AND s.last_event) FROM source_row s" },
  { "source", "events outside of its times",
    "SELECT s.id, 0, (SELECT count (*) FROM event_row e WHERE e.id BETWEEN s.first_event AND s.last_event"
    " AND NOT (e.ts_ns >= s.first_ns AND e.ts_ns + ifnull (e.dur_ns, 0) <= s.last_ns)) FROM source_row s"
    " WHERE s.first_ns IS NOT NULL" },
  { "source", "events in pieces",
    "SELECT s.id, s.last_event - s.first_event + 1, (SELECT sum (b.last - b.id + 1) FROM event_block_row b"
    " WHERE b.id BETWEEN s.first_event AND s.last_event) FROM source_row s WHERE EXISTS"
    " (SELECT 1 FROM event_block_row b WHERE b.id BETWEEN s.first_event AND s.last_event)" },
  { "source", "pieces of other times than their events",
    "SELECT s.id, 0, (SELECT count (*) FROM event_block_row b WHERE b.id BETWEEN s.first_event AND s.last_event"
    " AND (b.first_ns, b.last_ns) IS NOT (SELECT min (e.ts_ns), max (e.ts_ns + ifnull (e.dur_ns, 0)) FROM event_row e"
    " WHERE e.id BETWEEN b.id AND b.last)) FROM source_row s" },
  { "database", "pieces of events of no source",
    "SELECT 1, 0, (SELECT count (*) FROM event_block_row b WHERE NOT EXISTS (SELECT 1 FROM source_row s"
    " WHERE b.id BETWEEN s.first_event AND s.last_event AND b.last BETWEEN b.id AND s.last_event))" },
  { "source", "counter values outside of its times",
    "SELECT s.id, 0, (SELECT count (*) FROM counter_row c WHERE c.id BETWEEN s.first_counter AND s.last_counter"
    " AND NOT (c.ts_ns >= s.first_ns AND c.ts_ns <= s.last_ns)) FROM source_row s WHERE s.first_ns IS NOT NULL" },
  { "source", "flows at times that are not kept",
    "SELECT s.id, 0, (SELECT count (*) FROM flow_row w WHERE w.id BETWEEN s.first_flow AND s.last_flow"
    " AND NOT (ifnull (w.from_ns, 0) BETWEEN " KEPT " AND ifnull (w.to_ns, 0) BETWEEN " KEPT ")) FROM source_row s" },
  { "source", "ends at times that are not kept",
    "SELECT id, 0, first_ns NOT BETWEEN " KEPT " OR last_ns NOT BETWEEN " KEPT " FROM source_row"
    " WHERE first_ns IS NOT NULL" },
  { "run", "messages outside of its times",
    "SELECT r.id, 0, (SELECT count (*) FROM message_row m WHERE m.id BETWEEN r.first_message AND r.last_message"
    " AND NOT (ifnull (m.send_ns, t.first) BETWEEN t.first AND t.last AND ifnull (m.recv_ns, t.first) BETWEEN t.first"
    " AND t.last)) FROM run_row r JOIN (SELECT run, min (first_ns) AS first, max (last_ns) AS last FROM source_row"
    " GROUP BY run) t ON t.run = r.id WHERE t.first IS NOT NULL" },
  { "run", "matched messages",
    "SELECT r.id, ifnull (r.n_matched, 0), (SELECT count (*) FROM message_row m WHERE m.id BETWEEN r.first_message"
    " AND r.last_message AND ifnull (m.flags, 0) & 4 = 0) FROM run_row r" },
  { "run", "bytes of messages",
    "SELECT r.id, ifnull (r.message_bytes, 0), (SELECT ifnull (sum (m.bytes), 0) FROM message_row m"
    " WHERE m.id BETWEEN r.first_message AND r.last_message) FROM run_row r" },
};

static void
take_count (Audit *self, sqlite3_stmt *row, gconstpointer data)
{
  const Count *count = data;
  gint64 wanted = sqlite3_column_int64 (row, 1), n = sqlite3_column_int64 (row, 2);

  self->check.n++;
  if (n != wanted)
    add_wrong (self, 1, "%s %" G_GINT64_FORMAT " counts %" G_GINT64_FORMAT " %s, there are %" G_GINT64_FORMAT,
               count->owner, (gint64) sqlite3_column_int64 (row, 0), wanted, count->what, n);
}

static gboolean
check_counts (Audit *self, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (!each_row (self, counts[i].sql, take_count, &counts[i], error))
      return FALSE;
  return TRUE;
}

/* -- events: what every scan checks ------------------------------------------------------------------------------ */

static gboolean
scan_run (TtStore *store, const char *run, guint64 *n, GError **error)
{
  TtEvent event;

  if (!tt_store_select_run (store, run, error))
    return FALSE;
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_ARGS, error);
  while (scan != NULL && tt_event_scan_next (scan, &event))
    ++*n;
  return scan != NULL && tt_event_scan_finish (scan, error);
}

static gboolean
check_events (Audit *self, GError **error)
{
  GError *failure = NULL;
  g_autoptr (GArray) runs = tt_store_read_runs (self->store, &failure);

  for (guint i = 0; failure == NULL && i < runs->len; i++)
    {
      g_autofree char *run = g_strdup_printf ("%u", g_array_index (runs, guint32, i));

      if (!scan_run (self->store, run, &self->check.n, &failure) &&
          !take_failure (self, g_steal_pointer (&failure), error))
        return FALSE;
    }
  tt_progress_add (self->progress, 1);
  return take_failure (self, failure, error);
}

/* -- all --------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *what;
  gboolean (*run) (Audit *self, GError **error);
} checks[] = {
  { "checksums of pages", check_pages },
  { "structure of the file", check_structure },
  { "references", check_references },
  { "words", check_words },
  { "rows of sources and runs", check_ranges },
  { "counts and times", check_counts },
  { "events", check_events },
};

gboolean
tt_store_check (const char *path, TtCheckFunc func, gpointer data, GError **error)
{
  g_autoptr (TtStore) store = tt_store_open_unselected (path, error);
  gboolean is_done = store != NULL && tt_connection_enter (store->connection, error);

  if (!is_done)
    return FALSE;
  Audit audit = { .store = store, .progress = tt_progress_new ("checking", N_STEPS, "checks") };
  tt_connection_watch_cancel (store->connection, TRUE);
  for (guint i = 0; is_done && i < G_N_ELEMENTS (checks); i++)
    {
      audit.check = (TtCheck){ .what = checks[i].what };
      is_done = checks[i].run (&audit, error);
      audit.check.first = audit.first;
      if (is_done)
        func (&audit.check, data);
      g_clear_pointer (&audit.first, g_free);
    }
  tt_connection_watch_cancel (store->connection, FALSE);
  tt_connection_leave (store->connection);
  tt_progress_free (audit.progress);
  return is_done;
}
