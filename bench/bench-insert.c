/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit of an import: rows copied into SQLite from memory, nothing else.
 *
 *   bench-insert [--rows N] [--counters N] [--messages N] [--collectives N] [--args N] [--args-bytes N] [--flows N]
 *                [--page BYTES] [--store] FILE
 *
 * INSERT ... SELECT from virtual tables of the same rows and columns, with the pragmas of a new
 * database and one sync at the end. --rows are events, of which the first --args have arguments of --args-bytes
 * in the mean. --store does the same with events and arguments through TtStoreImport. Prints rows/s.
 */
#include "config.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "src/store/import/import.h"
#include "src/store/schema.h"
#include "src/store/store.h"

#define N_THREADS 64
#define N_NAMES 500
#define MOST_ARGS_BYTES 65536

typedef struct
{
  TtBatch *batch;
  guint64 first; /* number of the first row at hand */
  guint n;
} Source;

typedef void (*ColumnFunc) (sqlite3_context *context, const Source *source, guint row, int column);

/* One table of the schema and how its rows are made. */
typedef struct
{
  const char *table, *columns;
  ColumnFunc column;
} Kind;

typedef struct
{
  sqlite3_vtab base;
  const Source *source;
} Table;

typedef struct
{
  sqlite3_vtab_cursor base;
  const Source *source;
  guint row;
} Cursor;

static const Kind *current;
static gint64 n_args, args_bytes = 200;
static char args_text[2 * MOST_ARGS_BYTES]; /* an object that is no object: nobody looks into it */

static int
bare_connect (sqlite3 *db, void *data, int n, const char *const *words, sqlite3_vtab **table, char **message)
{
  g_autofree char *declare = g_strdup_printf ("CREATE TABLE x (%s)", current->columns);
  int code = sqlite3_declare_vtab (db, declare);

  if (code != SQLITE_OK)
    return code;
  Table *self = g_new0 (Table, 1);
  self->source = data;
  *table = &self->base;
  return SQLITE_OK;
}

static int
bare_disconnect (sqlite3_vtab *table)
{
  g_free (table);
  return SQLITE_OK;
}

static int
bare_best_index (sqlite3_vtab *table, sqlite3_index_info *info)
{
  return SQLITE_OK;
}

static int
bare_open (sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  *cursor = &self->base;
  return SQLITE_OK;
}

static int
bare_close (sqlite3_vtab_cursor *cursor)
{
  g_free (cursor);
  return SQLITE_OK;
}

static int
bare_filter (sqlite3_vtab_cursor *cursor, int number, const char *text, int n, sqlite3_value **values)
{
  Cursor *self = (Cursor *) cursor;

  self->source = ((Table *) cursor->pVtab)->source;
  self->row = 0;
  return SQLITE_OK;
}

static int
bare_next (sqlite3_vtab_cursor *cursor)
{
  ((Cursor *) cursor)->row++;
  return SQLITE_OK;
}

static int
bare_eof (sqlite3_vtab_cursor *cursor)
{
  return ((Cursor *) cursor)->row >= ((Cursor *) cursor)->source->n;
}

static int
bare_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  const Cursor *self = (const Cursor *) cursor;

  current->column (context, self->source, self->row, column);
  return SQLITE_OK;
}

static int
bare_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
  *rowid = ((Cursor *) cursor)->row;
  return SQLITE_OK;
}

static const sqlite3_module bare_module = {
  .xConnect = bare_connect,
  .xBestIndex = bare_best_index,
  .xDisconnect = bare_disconnect,
  .xOpen = bare_open,
  .xClose = bare_close,
  .xFilter = bare_filter,
  .xNext = bare_next,
  .xEof = bare_eof,
  .xColumn = bare_column,
  .xRowid = bare_rowid,
};

/* Rows like those of a TAU trace: nested calls of 64 threads in microseconds since 1970. */
static void
fill (TtEventColumns *events, guint64 first, guint n)
{
  events->n = n;
  events->first_event = first;
  for (guint i = 0; i < n; i++)
    {
      guint64 k = first + i, mixed = k * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 44;

      events->thread[i] = 1 + (guint32) (k / 1000 % N_THREADS);
      events->name[i] = 1 + (guint32) (mixed % N_NAMES);
      events->ts_ns[i] = G_GINT64_CONSTANT (1700000000000000000) + (gint64) k * 1000;
      events->dur_ns[i] = (gint64) (1 + mixed % 2000) * 1000;
      events->self_ns[i] = (gint64) (1 + mixed % 500) * 1000;
      events->depth[i] = (guint32) (k % 6);
      events->flags[i] = 0;
      events->step[i] = TT_NO_STEP;
      events->args[i] = k <= (guint64) n_args ? k : 0;
    }
}

static guint64
mix (guint64 k)
{
  return k * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 44;
}

static gint64
time_of (guint64 k)
{
  return G_GINT64_CONSTANT (1700000000000000000) + (gint64) k * 1000;
}

static void
event_column (sqlite3_context *context, const Source *source, guint row, int column)
{
  const TtEventColumns *events = &source->batch->events;
  const gint64 values[] = {
    events->thread[row], events->name[row],    events->ts_ns[row],
    events->dur_ns[row], events->self_ns[row], (gint64) events->depth[row] << TT_SCHEMA_SHAPE_BITS | events->flags[row],
  };

  if (column < (int) G_N_ELEMENTS (values))
    sqlite3_result_int64 (context, values[column]);
  else if (column == (int) G_N_ELEMENTS (values) + 1 && events->args[row] != 0)
    sqlite3_result_int64 (context, (gint64) events->args[row]);
}

/* Lengths from half of the mean to one and a half. */
static gsize
args_len (guint64 k)
{
  return (gsize) args_bytes / 2 + mix (k) % ((guint64) args_bytes + 1);
}

static const char *
args_of (guint64 k)
{
  return args_text + k % 64;
}

static void
args_column (sqlite3_context *context, const Source *source, guint row, int column)
{
  guint64 k = source->first + row;

  sqlite3_result_text (context, args_of (k), (int) args_len (k), SQLITE_STATIC);
}

static void
flow_column (sqlite3_context *context, const Source *source, guint row, int column)
{
  guint64 k = source->first + row;
  const gint64 values[] = { (gint64) (3 * k), (gint64) (3 * k + 2), 0, time_of (k), time_of (k) + 5000 };

  if (column == 2)
    sqlite3_result_text (context, "ac2g", -1, SQLITE_STATIC);
  else
    sqlite3_result_int64 (context, values[column]);
}

static void
counter_column (sqlite3_context *context, const Source *source, guint row, int column)
{
  guint64 k = source->first + row;
  const gint64 values[] = { 1 + (gint64) (k % 8), 1 + (gint64) (k / 1000 % N_THREADS), time_of (k), (gint64) mix (k) };

  sqlite3_result_int64 (context, values[column]);
}

static void
message_column (sqlite3_context *context, const Source *source, guint row, int column)
{
  guint64 k = source->first + row;
  gint64 src = 1 + (gint64) (k % N_THREADS), dst = 1 + (gint64) ((k + 1) % N_THREADS);
  const gint64 values[] = {
    1,
    src,
    src,
    dst,
    dst,
    7 + (gint64) (k % 4),
    0,
    (gint64) (k / N_THREADS),
    time_of (k),
    time_of (k) + 9000,
    (gint64) mix (k),
    (gint64) (12 * k),
    (gint64) (12 * k + 7),
    0,
    1,
    1,
  };

  sqlite3_result_int64 (context, values[column]);
}

static void
collective_column (sqlite3_context *context, const Source *source, guint row, int column)
{
  guint64 k = source->first + row;
  gint64 process = 1 + (gint64) (k % N_THREADS);
  const gint64 values[] = { 1, 0, 20, (gint64) (k / N_THREADS), process, process, (gint64) (20 * k) };

  sqlite3_result_int64 (context, values[column]);
}

static const Kind kinds[] = {
  { "event_row", "thread, name, ts_ns, dur_ns, self_ns, shape, step, args", event_column },
  { "counter_row", "series, thread, ts_ns, value", counter_column },
  { "message_row",
    "run, src_process, src_thread, dst_process, dst_thread, tag, comm, ordinal, send_ns, recv_ns, bytes,"
    " send_event, recv_event, flags, send_source, recv_source",
    message_column },
  { "collective_row", "run, comm, name, ordinal, process, thread, event", collective_column },
  { "args_row", "json", args_column },
  { "flow_row", "from_event, to_event, kind, from_ns, to_ns", flow_column },
};
#define N_KINDS G_N_ELEMENTS (kinds)

static void
fail (const char *text)
{
  g_printerr ("bench-insert: %s\n", text);
  exit (1);
}

static void
execute (sqlite3 *db, const char *sql)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    fail (sqlite3_errmsg (db));
}

static void
insert_kind (sqlite3 *db, const Kind *kind, Source *source, guint64 n_rows)
{
  g_autofree char *sql = g_strdup_printf ("INSERT INTO %s (%s) SELECT * FROM bare", kind->table, kind->columns);
  sqlite3_stmt *insert;

  current = kind;
  sqlite3_create_module (db, "bare", &bare_module, source);
  if (sqlite3_prepare_v2 (db, sql, -1, &insert, NULL) != SQLITE_OK)
    fail (sqlite3_errmsg (db));
  for (guint64 done = 0; done < n_rows; done += source->n)
    {
      source->first = done + 1;
      source->n = (guint) MIN (n_rows - done, TT_BATCH_ROWS);
      if (kind->column == event_column)
        fill (&source->batch->events, source->first, source->n);
      if (sqlite3_step (insert) != SQLITE_DONE)
        fail (sqlite3_errmsg (db));
      sqlite3_reset (insert);
    }
  sqlite3_finalize (insert);
}

static void
insert_bare (const char *path, const gint64 *n_rows, int page_bytes)
{
  g_autofree char *page = g_strdup_printf ("PRAGMA page_size = %d", page_bytes);
  g_autoptr (TtBatch) batch = tt_batch_new ();
  Source source = { .batch = batch };
  sqlite3 *db;

  if (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
    fail ("cannot make the database");
  execute (db, page);
  execute (db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
               "PRAGMA cache_size = -4096; BEGIN");
  for (guint i = 0; tt_schema_sql[i] != NULL; i++)
    execute (db, tt_schema_sql[i]);
  for (guint i = 0; i < N_KINDS; i++)
    if (n_rows[i] > 0)
      insert_kind (db, &kinds[i], &source, (guint64) n_rows[i]);
  execute (db, "COMMIT");
  sqlite3_close (db);

  int fd = g_open (path, O_RDONLY, 0);
  if (fd < 0 || fsync (fd) != 0)
    fail ("cannot sync the database");
  close (fd);
}

static void
define (TtSink *sink)
{
  tt_sink_begin_source (sink, "tau", "bench", TT_CLOCK_EPOCH);
  guint32 process = tt_sink_process (sink, "node0", NULL, NULL, 0);
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_autofree char *tid = g_strdup_printf ("%u", i);
      tt_sink_thread (sink, process, tid, NULL, i);
    }
  for (guint i = 0; i < N_NAMES; i++)
    {
      g_autofree char *raw = g_strdup_printf ("function%u", i);
      tt_sink_name (sink, &(TtRawName){ .raw = raw, .group = "TAU_USER" });
    }
  tt_sink_flush (sink);
}

static void
insert_by_store (const char *path, guint64 n_rows)
{
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);
  if (rules == NULL)
    fail (error->message);
  TtStoreImportOptions options = { .command = "bench-insert" };
  g_autoptr (TtStoreImport) import = tt_store_import_begin (path, &options, tt_names_new (rules), &error);
  if (import == NULL)
    fail (error->message);
  TtSink *sink = tt_store_import_sink (import);
  define (sink);
  for (guint64 done = 0; done < n_rows; done += TT_BATCH_ROWS)
    {
      guint n = (guint) MIN (n_rows - done, TT_BATCH_ROWS);
      guint64 first = sink->next_event;
      for (guint64 k = first; k < first + n && k <= (guint64) n_args; k++)
        tt_sink_args (sink, args_of (k), args_len (k));
      fill (&sink->batch->events, first, n);
      sink->next_event += n;
      tt_sink_flush (sink);
    }
  tt_sink_end_source (sink, 1, "0", TT_CLOCK_EPOCH);
  if (!tt_sink_finish (sink, &error))
    fail (error->message);
  tt_sink_free (sink);
  if (!tt_store_import_join (import, &error) || !tt_store_import_commit (import, &error))
    fail (error->message);
}

static void
scan (const char *path, guint64 n_rows, TtScanFlags flags)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (path, &error);
  if (store == NULL)
    fail (error->message);
  gint64 begin = g_get_monotonic_time (), sum = 0;
  TtEventScan *events = tt_event_scan_new (store, flags, &error);
  TtEvent event;
  while (tt_event_scan_next (events, &event))
    sum += event.dur_ns + (gint64) event.args_len;
  if (!tt_event_scan_finish (events, &error))
    fail (error->message);
  double seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  g_print ("scan%s %.0f rows/s (%.2f s, sum %" G_GINT64_FORMAT ")\n", flags & TT_SCAN_ARGS ? " with arguments" : "",
           (double) n_rows / seconds, seconds, sum);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  gint64 n_rows[N_KINDS] = { 10000000 };
  int page_bytes = 16384;
  gboolean by_store = FALSE;
  const GOptionEntry entries[] = {
    { "rows", 0, 0, G_OPTION_ARG_INT64, &n_rows[0], "events to insert", "N" },
    { "counters", 0, 0, G_OPTION_ARG_INT64, &n_rows[1], "counter values", "N" },
    { "messages", 0, 0, G_OPTION_ARG_INT64, &n_rows[2], "messages", "N" },
    { "collectives", 0, 0, G_OPTION_ARG_INT64, &n_rows[3], "collective calls", "N" },
    { "args", 0, 0, G_OPTION_ARG_INT64, &n_args, "events with arguments", "N" },
    { "args-bytes", 0, 0, G_OPTION_ARG_INT64, &args_bytes, "mean length of these", "N" },
    { "flows", 0, 0, G_OPTION_ARG_INT64, &n_rows[5], "flows", "N" },
    { "page", 0, 0, G_OPTION_ARG_INT, &page_bytes, "page size", "BYTES" },
    { "store", 0, 0, G_OPTION_ARG_NONE, &by_store, "through the store, and scan them", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE");

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    fail (error->message);
  if (argc != 2 || n_rows[0] <= 0)
    fail ("give one file");
  if (n_args > n_rows[0] || args_bytes < 1 || args_bytes > MOST_ARGS_BYTES)
    fail ("more arguments than events, or too long ones");
  n_rows[4] = n_args;
  memset (args_text, 'x', sizeof args_text);

  g_unlink (argv[1]);
  gint64 begin = g_get_monotonic_time ();
  if (by_store)
    insert_by_store (argv[1], (guint64) n_rows[0]);
  else
    insert_bare (argv[1], n_rows, page_bytes);
  double seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  double all_rows = (double) n_rows[0];
  for (guint i = 1; !by_store && i < N_KINDS; i++)
    all_rows += (double) n_rows[i];
  g_print ("%s %.0f rows/s (%.2f s)\n", by_store ? "store" : "bare", all_rows / seconds, seconds);
  if (by_store)
    {
      scan (argv[1], (guint64) n_rows[0], TT_SCAN_DEFAULT);
      scan (argv[1], (guint64) n_rows[0], TT_SCAN_ARGS);
    }
  return 0;
}
