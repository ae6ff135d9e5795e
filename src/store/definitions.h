/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Definitions of the selected runs: runs, sources, processes, threads, series, metadata.
 *
 * They are loaded whole. Arrays and texts belong to the store and are in the order of ids. Ids of processes, threads and
 * series are 1, 2, 3 ... in the selected runs, whatever they are in the database: element i of an array has the id i + 1.
 * Every id that a function of the store hands out is one of these, or TT_NO_ID where its description says so.
 *
 * The stores of an import and of tt_store_open_ids() have only their ids, of which there may be millions, until tt_store_complete(): arrays of
 * processes, threads and series are empty, but tt_store_max_process(), tt_store_max_thread() and
 * tt_store_process_of_thread() answer.
 */
#pragma once

#include "src/store/handle.h"
#include "src/trace/event.h"

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
  guint32 run;
  /* A rank is a program with its devices: processes of one run with one number, else those of one owner. */
  guint32 owner;   /* the process that leads its rank: its own id where no other does */
  char *rank_name; /* the number, or the pid of the owner */
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
  char *name, *unit;
  gboolean is_monotonic;
} TtSeries;

/* Loads what is not there yet. */
gboolean tt_store_complete (TtStore *self, GError **error);
gboolean tt_store_is_complete (const TtStore *self);

const TtRun *tt_store_runs (TtStore *self, guint *n);
const TtSource *tt_store_sources (TtStore *self, guint *n);
/* NULL: no source of the selected runs. */
const TtSource *tt_store_source (TtStore *self, guint32 id);
const TtProcess *tt_store_processes (TtStore *self, guint *n);
const TtThread *tt_store_threads (TtStore *self, guint *n);
const TtSeries *tt_store_series (TtStore *self, guint *n);

/* By id; NULL: not there. */
const TtProcess *tt_store_process (TtStore *self, guint32 id);
const TtThread *tt_store_thread (TtStore *self, guint32 id);
const TtSeries *tt_store_one_series (TtStore *self, guint32 id);
guint32 tt_store_max_thread (TtStore *self); /* how many there are, and the greatest id */
guint32 tt_store_max_process (TtStore *self);
/* How many ranks the processes are of; loads these where that is not known without. */
gboolean tt_store_n_ranks (TtStore *self, guint *n, GError **error);
guint32 tt_store_process_of_thread (TtStore *self, guint32 thread); /* TT_NO_ID: none */
/* The id of a process that an importer knows by the @row of the database; TT_NO_ID: none. */
guint32 tt_store_process_of_row (TtStore *self, guint32 row);
guint32 tt_store_thread_of_row (TtStore *self, guint32 row); /* likewise */
/* Whether any source of the selected runs has it. */
gboolean tt_store_has_clock (TtStore *self, TtClock clock);
/* Of most sources with events, the calendar's where as many count from a moment of their own: times of the other kind say
 * nothing beside those. *@is_mixed: there are such. */
TtClock tt_store_main_clock (TtStore *self, gboolean *is_mixed);
/* Number of event rows (spans and instants), by the sources. */
guint64 tt_store_n_events (TtStore *self);

typedef gboolean (*TtMetadataFunc) (guint32 process, guint32 thread, const char *key, const char *value, gpointer data);
gboolean tt_store_each_metadata (TtStore *self, TtMetadataFunc func, gpointer data, GError **error);
