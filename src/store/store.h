/*
 * TtStore: one SQLite file with runs in it; docs/schema.md is the public side of it.
 *
 * Only src/store*.c and src/store/schema.c include sqlite3.h. Reading never writes: a store is opened
 * read-only and every function below works on the selected runs. Ids are database ids.
 */
#pragma once

#include "src/trace/event.h"
#include "src/base/int128.h"
#include "src/trace/sink.h"

typedef struct _TtStore TtStore;

/* Read-only. Errors: no such file (says how to import), not a tracetool database, newer schema. */
TtStore *tt_store_open (const char *path, GError **error);
void tt_store_free (TtStore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStore, tt_store_free)

const char *tt_store_path (const TtStore *self);

/* @run: NULL = the latest (the default), a number, or "all". */
gboolean tt_store_select_run (TtStore *self, const char *run, GError **error);

/* -- definitions (arrays belong to the store; selected runs only; in id order) ------------------ */

typedef struct
{
  guint32 id;
  char *command, *imported_at;
} TtRun;

typedef struct
{
  guint32 id, run;
  char *format, *path, *hash, *clock, *repairs; /* repairs: JSON or NULL */
  guint64 bytes, n_events;
  guint64 first_event, last_event; /* id range, 0,0 if none */
} TtSource;

typedef struct
{
  guint32 id;
  char *pid, *label, *node;
  gint64 rank; /* -1: none */
} TtProcess;

typedef struct
{
  guint32 id, process;
  char *tid, *label;
  gint64 order;
} TtThread;

typedef struct
{
  guint32 id;
  const char *op_cat, *op_name, *sub_op, *suffix, *text, *raw, *group, *file; /* NULL = SQL null */
  gint64 line;
  gboolean is_collective;
} TtStoredName;

typedef struct
{
  guint32 id;
  char *name, *unit;
  gboolean is_monotonic;
} TtSeries;

const TtRun *tt_store_runs (TtStore *self, guint *n);
const TtSource *tt_store_sources (TtStore *self, guint *n);
const TtProcess *tt_store_processes (TtStore *self, guint *n);
const TtThread *tt_store_threads (TtStore *self, guint *n);
const TtSeries *tt_store_series (TtStore *self, guint *n);
/* Processes whose sources count ticks while others are in time: NULL-ended pids. Of a source with several processes
 * the first is known. Free it; NULL with @error. */
char **tt_store_ticks_pids (TtStore *self, GError **error);
/* By id; NULL: not there. Names are loaded when they are asked for. */
const TtProcess *tt_store_process (TtStore *self, guint32 id);
const TtThread *tt_store_thread (TtStore *self, guint32 id);
const TtStoredName *tt_store_name (TtStore *self, guint32 id);
/* The same without keeping it: valid until the next call. For answers that need few of many names. */
const TtStoredName *tt_store_peek_name (TtStore *self, guint32 id);
guint32 tt_store_max_name (TtStore *self); /* ids are <= this: size of arrays indexed by name */
guint32 tt_store_max_thread (TtStore *self);
guint32 tt_store_max_process (TtStore *self);

/* The first id with the same text and suffix as each name: an array indexed by name, of
 * tt_store_max_name() + 1 elements. Does not load the names. Free it. */
guint32 *tt_store_first_names (TtStore *self, GError **error);

/* All names in id order, none of them kept: @name is valid during the call. FALSE ends it. */
typedef gboolean (*TtNameFunc) (const TtStoredName *name, gpointer data);
gboolean tt_store_each_name (TtStore *self, TtNameFunc func, gpointer data, GError **error);

/* "pid->name[~>suffix]". Free it. */
char *tt_store_long_name (TtStore *self, guint32 process, guint32 name);
/* The same of a name at hand; NULL: of none. */
char *tt_store_long_name_of (TtStore *self, guint32 process, const TtStoredName *name);
/* Whether any name of the selected runs has a suffix. */
gboolean tt_store_has_suffixes (TtStore *self, gboolean *has_suffixes, GError **error);

typedef gboolean (*TtMetadataFunc) (guint32 process, guint32 thread, const char *key, const char *value, gpointer data);
gboolean tt_store_each_metadata (TtStore *self, TtMetadataFunc func, gpointer data, GError **error);

/* -- rows: scans ----------------------------------------------------------------------------- */

typedef struct
{
  guint64 id;
  guint32 source, thread, name;
  guint32 depth, flags;
  gint32 step;
  gint64 ts_ns, dur_ns, self_ns; /* dur_ns TT_NO_TIME: an instant */
  const char *args;              /* JSON, NULL = none; only with TT_SCAN_ARGS; until the next row */
  gsize args_len;                /* with args NULL not 0: there are some, longer than TT_LONG_ARGS */
} TtEvent;

/* Arguments of more bytes are not read into memory. */
#define TT_LONG_ARGS (16 << 20)

typedef enum
{
  TT_SCAN_DEFAULT = 0,
  TT_SCAN_ARGS = 1 << 0,
  TT_SCAN_REVERSE = 1 << 1, /* ids downwards: on each thread a span comes before its children */
} TtScanFlags;

typedef struct _TtEventScan TtEventScan;
TtEventScan *tt_event_scan_new (TtStore *self, TtScanFlags flags, GError **error);
/* FALSE at the end or on an error; tt_event_scan_finish() frees and tells which. */
gboolean tt_event_scan_next (TtEventScan *scan, TtEvent *event);
gboolean tt_event_scan_finish (TtEventScan *scan, GError **error);

typedef struct
{
  guint64 n_counters, n_metrics, n_flows, n_messages, n_collectives, n_parameters;
  guint64 n_args;        /* events with arguments */
  guint64 n_matched;     /* messages with both sides */
  guint64 message_bytes; /* of messages whose length is known */
} TtStoreCounts;

/* How many rows the selected runs have, without looking at them. */
gboolean tt_store_counts (TtStore *self, TtStoreCounts *counts, GError **error);
/* Number of event rows (spans and instants) of the selected runs, from the sources table. */
guint64 tt_store_n_events (TtStore *self);
/* First begin and last end over all events, counters and messages; FALSE: there are none. */
gboolean tt_store_time_range (TtStore *self, gint64 *first_ns, gint64 *last_ns, GError **error);
/* The same of one clock, where there are several: times since 1970, else those of a run, else ticks. */
gboolean tt_store_main_range (TtStore *self, gint64 *first_ns, gint64 *last_ns, GError **error);
/* The same, by clock: events of ticks sources apart from ns ones. */
gboolean tt_store_clock_range (TtStore *self, const char *clock, gint64 *first_ns, gint64 *last_ns, GError **error);

typedef struct
{
  guint32 src_process, src_thread, dst_process, dst_thread; /* threads: TT_NO_ID if unknown */
  gint64 tag, comm, ordinal;
  gint64 send_ns, recv_ns;        /* TT_NO_TIME: that half is missing */
  gint64 bytes;                   /* -1 unknown */
  guint64 send_event, recv_event; /* enclosing spans, 0 = none */
  const char *flags;
} TtMessage;
typedef gboolean (*TtMessageFunc) (const TtMessage *message, gpointer data);
/* In (src_process, dst_process, tag, comm, ordinal) order. A callback that returns FALSE ends the scan. */
gboolean tt_store_each_message (TtStore *self, TtMessageFunc func, gpointer data, GError **error);

typedef struct
{
  gint64 comm;
  const char *function;
  gint64 ordinal;
  guint32 process, thread;
  guint64 event;
  gint64 ts_ns, dur_ns; /* of the event */
} TtCollective;
typedef gboolean (*TtCollectiveFunc) (const TtCollective *collective, gpointer data);
/* In (function, comm, ordinal, process, thread) order. */
gboolean tt_store_each_collective (TtStore *self, TtCollectiveFunc func, gpointer data, GError **error);

typedef gboolean (*TtCounterFunc) (guint32 series,
                                   guint32 thread,
                                   gint64 ts_ns,
                                   gboolean is_real,
                                   gint64 integer,
                                   double real,
                                   gpointer data);
gboolean tt_store_each_counter (TtStore *self, TtCounterFunc func, gpointer data, GError **error);

typedef gboolean (*TtMetricFunc) (guint64 event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data);
/* In event id order. */
gboolean tt_store_each_metric (TtStore *self, TtMetricFunc func, gpointer data, GError **error);

typedef struct
{
  guint64 from_event, to_event;
  gint64 from_ns, to_ns; /* where the flow leaves and reaches them; TT_NO_TIME: at their begins */
  const char *kind;
} TtFlow;
typedef gboolean (*TtFlowFunc) (const TtFlow *flow, gpointer data);
/* By source, within one by key and time. */
gboolean tt_store_each_flow (TtStore *self, TtFlowFunc func, gpointer data, GError **error);

/* A tensor of the model; texts: NULL = unknown, valid during the call. */
typedef struct
{
  gint64 tensor_id;
  const char *tensor_name, *shape, *dtype, *origin;
  gint64 update_id; /* -1: none */
} TtParameter;
typedef gboolean (*TtParameterFunc) (const TtParameter *parameter, gpointer data);
/* In order of runs, then tensor_id. */
gboolean tt_store_each_parameter (TtStore *self, TtParameterFunc func, gpointer data, GError **error);

/* One event by id, without its arguments, for joins of few. */
gboolean tt_store_event (TtStore *self, guint64 id, TtEvent *event, GError **error);

/* -- statistics ------------------------------------------------------------------------------- */

/* Sums are exact in 128 bits; sum_sq is the sum of squared durations in ns^2. */
typedef struct
{
  guint32 process; /* TT_NO_ID in the table over all processes */
  guint32 name;    /* first id with that text and suffix */
  guint64 count;
  tt_int128 total_ns; /* a span inside another of its group and thread not counted again */
  tt_int128 self_ns;
  tt_int128 sum_ns; /* plain sum */
  tt_uint128 sum_sq;
  gint64 min_ns, max_ns, median_ns, p95_ns, p99_ns;
} TtStatistic;

typedef enum
{
  TT_STATISTIC_BY_LONG_NAME, /* the public table `statistic` */
  TT_STATISTIC_BY_NAME,
} TtStatisticTable;

/* In (process, name) order. */
typedef gboolean (*TtStatisticFunc) (const TtStatistic *row, gpointer data);
gboolean
tt_store_each_statistic (TtStore *self, TtStatisticTable table, TtStatisticFunc func, gpointer data, GError **error);

/* -- import ----------------------------------------------------------------------------------- */

/*
 * One import command, all or nothing: a new database is a temporary file renamed into place, an
 * existing one is changed in one WAL transaction. Freed without commit it leaves everything as it was.
 */
typedef struct _TtStoreImport TtStoreImport;

typedef struct
{
  const char *command; /* for run.command */
  gboolean add;        /* to the latest run instead of a new one */
} TtStoreImportOptions;

/* @names: taken; seeded from the run with `add`. */
TtStoreImport *
tt_store_import_begin (const char *path, const TtStoreImportOptions *options, TtNames *names, GError **error);
void tt_store_import_free (TtStoreImport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStoreImport, tt_store_import_free)

/* TRUE if the run has a source of this size and hash; *source: its id. Sources of this import count
 * once the back has taken their end, which a threaded sink does later. */
gboolean tt_store_import_has_source (TtStoreImport *self, guint64 bytes, const char *hash, guint32 *source);
/* Whether any source has this size: only then is hashing before reading worth it. */
gboolean tt_store_import_has_size (TtStoreImport *self, guint64 bytes);
/* --replace: deletes what came from @source; its messages become halves again. */
gboolean tt_store_import_remove_source (TtStoreImport *self, guint32 source, GError **error);

/* The sink; free it with tt_sink_free() before the import. */
TtSink *tt_store_import_sink (TtStoreImport *self);
/* After tt_sink_finish(): joins message halves, numbers collectives. */
gboolean tt_store_import_join (TtStoreImport *self, GError **error);
/* The half-done database, readable within the transaction (run of this import selected). Borrowed. */
TtStore *tt_store_import_store (TtStoreImport *self);
/* Replaces the statistics of the run. Rows come from @next in (process,
 * name) order until it returns FALSE. */
typedef gboolean (*TtStatisticNext) (TtStatistic *row, gpointer data);
gboolean tt_store_import_statistics (TtStoreImport *self,
                                     TtStatisticTable table,
                                     TtStatisticNext next,
                                     gpointer data,
                                     GError **error);

/* Pieces of a group of tensors: the maxima over all GPUs. */
typedef struct
{
  const char *raw_name; /* "Comm.3+4" */
  gint64 chunk_num, slice_num, channel_num, loop_num;
} TtNcclShapeRow;

typedef struct
{
  const char *algo; /* "ring", "ring_possible", "tree" */
  gint64 channel, rank, peer;
  const char *transport; /* NULL: not said */
} TtNcclEdgeRow;

/* Replaces the rows of the run in the tables nccl_shape and nccl_edge. */
gboolean tt_store_import_nccl (TtStoreImport *self,
                               const TtNcclShapeRow *shapes,
                               gsize n_shapes,
                               const TtNcclEdgeRow *edges,
                               gsize n_edges,
                               GError **error);
gboolean tt_store_import_commit (TtStoreImport *self, GError **error);

/* -- graph tables and SQL ---------------------------------------------------------------------- */

typedef struct
{
  const char *op_long_name;
  double avg_us;
  gint64 cnt;
  const char *gaps; /* JSON */
} TtNodeRow;

typedef struct
{
  const char *src, *dst, *kind;
  gint64 cnt;
  double weight_us;
} TtEdgeRow;

/* Replaces the tables node and edge of run @run in the database at @path, in one transaction. */
gboolean tt_store_save_graph (const char *path,
                              guint32 run,
                              const TtNodeRow *nodes,
                              gsize n_nodes,
                              const TtEdgeRow *edges,
                              gsize n_edges,
                              GError **error);

typedef enum
{
  TT_CELL_NULL,
  TT_CELL_INT,
  TT_CELL_REAL,
  TT_CELL_TEXT,
} TtCellKind;

typedef struct
{
  TtCellKind kind;
  gint64 integer;
  double real;
  const char *text; /* also for blobs: hex */
} TtCell;

/* Runs one read-only SELECT. @columns is called once with the names, @row per row; either returning
 * FALSE ends it. Anything that would write is refused. Ctrl-C interrupts. */
typedef gboolean (*TtQueryColumnsFunc) (const char *const *names, guint n, gpointer data);
typedef gboolean (*TtQueryRowFunc) (const TtCell *cells, guint n, gpointer data);
gboolean tt_store_query (TtStore *self,
                         const char *sql,
                         TtQueryColumnsFunc columns,
                         TtQueryRowFunc row,
                         gpointer data,
                         GError **error);
