/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of TtStore: shared by the files of src/store only.
 */
#pragma once

#include "src/store/clocks.h"
#include "src/store/connection.h"
#include "src/store/places.h"
#include "src/store/schema.h"
#include "src/store/store.h"

typedef struct
{
  guint32 thread, name; /* places; 0: of none */
  guint32 depth, flags;
  gint32 step;
  gint64 ts_ns, dur_ns, self_ns;
  gint64 own_ns; /* dur_ns by the process' own clock */
  guint64 id;
  guint64 args_id; /* 0 = none */
  gsize args;      /* offset in the block's text, 0 = not there */
  gsize args_len;
} TtBlockRow;

/* A piece of a scan (block.h). */
typedef struct
{
  TtBlockRow *rows;
  guint n, max;
  guint64 first, last; /* ids of its rows, which follow each other without a gap */
  guint32 source;
  gboolean with_args;
  gboolean is_damaged; /* a row is none that an import leaves */
  GString *text;       /* starts with a NUL; not every row's arguments find room in it */
} TtBlock;

/* Ids of events, both ends included. */
typedef struct
{
  guint64 first, last;
  guint32 source;
} TtEventRange;

typedef struct _TtClockMaps TtClockMaps;

struct _TtStore
{
  TtConnection *connection;
  char *shown;          /* NULL: its path */
  gboolean is_borrowed; /* the connection belongs to an import */
  gboolean is_settled;  /* that; all was in the file when n_changes rows had changed */
  int n_changes;
  gint64 version;              /* of the schema */
  guint32 first_run, last_run; /* selected */
  gboolean is_loaded;          /* what is known of them */
  gboolean has_ids_only;       /* of processes, threads and series */
  GStringChunk *texts;
  GHashTable *words;                                     /* of char *, in `texts`: those that are kept once */
  GArray *runs, *sources, *processes, *threads, *series; /* of the selected runs */
  GPtrArray *names;                                      /* of blocks of TtStoredName; both NULL until asked for */
  guint n_name_blocks;
  struct _TtPeek *peek;      /* of tt_store_peek_name(); NULL until asked for */
  GArray *ranges;            /* of TtEventRange, ascending */
  GArray *process_of_thread; /* of guint32, by thread - 1; empty unless has_ids_only */
  TtPlaces process_places, thread_places, series_places, name_places;
  TtClockMaps *clock_maps;                     /* NULL: no time of the selected runs is corrected */
  TtCorrection correction;                     /* that is chosen */
  guint recent_range;                          /* that tt_store_find_range() found last */
  TtBlock *block;                              /* being filled */
  struct _TtCollectiveSpans *collective_spans; /* NULL until asked for */
  gboolean has_virtual_events;                 /* a query under way has them: virtual-events.h */
};

/* A store on the connection of an import, with the run selected; with ids only, see definitions.h. */
TtStore *tt_store_new_borrowed (TtConnection *connection, guint32 run, GError **error);
/* What tt_store_open() opens, with nothing loaded of it. */
TtStore *tt_store_open_unselected (const char *path, GError **error);
/* None is selected where there is none. */
gboolean tt_store_select_latest (TtStore *self, GError **error);
gboolean tt_store_select_runs (TtStore *self, guint32 first, guint32 last, GError **error);
/* Ids of all runs, ascending, of guint32. NULL with @error. */
GArray *tt_store_read_runs (TtStore *self, GError **error);
/* Keeps a text that may come again: once, if it is among the first kinds of them. Of many different ones a table would
 * take more than the texts. */
char *tt_store_keep_word (TtStore *self, const char *text);
/* Loads again what is known of the selected runs. */
gboolean tt_store_reload (TtStore *self, GError **error);
gboolean tt_store_load_definitions (TtStore *self, GError **error);
/* From rows of owners to their ids; then each process finds the one that leads its rank. */
gboolean tt_store_find_ranks (TtStore *self, GError **error);
/* Names are not loaded: there may be millions. No more than there is room for in the file. */
gboolean tt_store_place_names (TtStore *self, GError **error);
void tt_store_clear_places (TtStore *self);
void tt_store_forget_names (TtStore *self);

/* The events of the selected runs that this one is among; NULL: none. */
const TtEventRange *tt_store_find_range (TtStore *self, guint64 id);
/* Sets an error that says that the file is not as an import leaves it. FALSE. */
gboolean tt_store_set_damaged (const TtStore *self, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* A row under way to a callback; what is wrong with it ends the scan as an error. */
typedef struct
{
  TtStore *store;
  sqlite3_stmt *row;
  const char *what; /* a row of this kind: "message" */
  GError *fault;
} TtRowScan;

/* Sets a fault: the row refers to a @kind that is not there. */
void tt_row_refers_to_nothing (TtRowScan *self, const char *kind, gint64 id);
/* Places of what the columns of a row refer to; null and 0 are 0 where @is_optional. */
guint32 tt_row_process (TtRowScan *self, int column, gboolean is_optional);
guint32 tt_row_thread (TtRowScan *self, int column, gboolean is_optional);
guint32 tt_row_series (TtRowScan *self, int column);
guint32 tt_row_name (TtRowScan *self, int column);
guint64 tt_row_event (TtRowScan *self, int column);
/* Of a source, or several. */
gboolean tt_store_check_times (const TtStore *self, gint64 first_ns, gint64 last_ns, GError **error);
/* TT_NO_TIME where there is none, and may be none. */
gint64 tt_row_time (TtRowScan *self, int column, gboolean is_optional);

/* Calls @handle for the rows of @sql, whose parameters ?1 and ?2 are the first and last run; @handle knows which of the
 * callbacks of the public headers @func is. */
typedef void (*TtAnyFunc) (void);
typedef gboolean (*TtRowHandler) (TtRowScan *scan, TtAnyFunc func, gpointer data);
/* @what: a row, for messages. */
gboolean tt_store_each_row (TtStore *self,
                            const char *what,
                            const char *sql,
                            TtRowHandler handle,
                            TtAnyFunc func,
                            gpointer data,
                            GError **error);

/* The same; ?3 is @first, if that is not 0. */
gboolean tt_store_each_row_from (TtStore *self,
                                 const char *what,
                                 const char *sql,
                                 guint64 first,
                                 TtRowHandler handle,
                                 TtAnyFunc func,
                                 gpointer data,
                                 GError **error);
/* The same; ?3 and ?4 are the ids of @range. */
gboolean tt_store_each_row_of (TtStore *self,
                               const char *what,
                               const char *sql,
                               const TtRowRange *range,
                               TtRowHandler handle,
                               TtAnyFunc func,
                               gpointer data,
                               GError **error);

void tt_store_register_functions (sqlite3 *db);
