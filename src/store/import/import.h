/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStoreImport: one import command, all or nothing.
 *
 * A new database is a temporary file renamed into place, an existing one is changed in one WAL transaction. Freed
 * without commit it leaves everything as it was. Call it in this order: begin, the sink and its sources, finish of the
 * sink, join, tables that are made of the run (statistics.h, nccl.h), commit.
 */
#pragma once

#include "src/store/handle.h"
#include "src/trace/sink.h"

typedef struct _TtStoreImport TtStoreImport;

typedef struct
{
  const char *command; /* for run.command */
  gboolean add;        /* to the latest run instead of a new one */
  const char *options; /* those that decide what is read of a source, for source.options */
} TtStoreImportOptions;

/* @names: taken; seeded from the run with `add`. */
TtStoreImport *
tt_store_import_begin (const char *path, const TtStoreImportOptions *options, TtNames *names, GError **error);
void tt_store_import_free (TtStoreImport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStoreImport, tt_store_import_free)

/* TRUE if the run has a source of this size and hash; *source: its id. Sources of this import count
 * once the back has taken their end, which a threaded sink does later. */
gboolean tt_store_import_has_source (TtStoreImport *self, guint64 bytes, const char *hash, guint32 *source);
/* Whether any source of any run has this size: only then is hashing before reading worth it. */
gboolean tt_store_import_has_size (TtStoreImport *self, guint64 bytes);

/* A source that was there before this import. */
typedef struct
{
  guint32 run;
  gboolean is_of_import;              /* of the run that is written to */
  gboolean is_of_latest;              /* of the run that --add would write to */
  char *imported_at, *path, *options; /* options: NULL if not known */
} TtKnownSource;

void tt_known_source_clear (TtKnownSource *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtKnownSource, tt_known_source_clear)

/* @known: a source of another run of this size and hash in which anything happens: files without times (graphs of a
 * model, empty traces) may well be the same in many runs. known->run is 0 if there is none; FALSE: it cannot be read. */
gboolean
tt_store_import_find_other (TtStoreImport *self, guint64 bytes, const char *hash, TtKnownSource *known, GError **error);
/* After reading, @known: what came from standard input as a source of this run under another name, or, unless
 * @this_run_only, of another run. */
gboolean tt_store_import_find_stdin (TtStoreImport *self, gboolean this_run_only, TtKnownSource *known, GError **error);
/* --replace: deletes what came from @source; its messages become halves again. */
gboolean tt_store_import_remove_source (TtStoreImport *self, guint32 source, GError **error);

/* The sink; free it with tt_sink_free() before the import. */
TtSink *tt_store_import_sink (TtStoreImport *self);
/* The same, with rows written by a thread of their own, @n_batches at a time (sink.h). Not by that one, but by who fills batches, or by the thread
 * that is added next, halves and calls are put aside until they are joined. */
TtSink *tt_store_import_threaded_sink (TtStoreImport *self, guint n_batches);
/* @path is no part of the run, because it cannot be read. */
gboolean tt_store_import_left_out (TtStoreImport *self, const char *path, GError **error);
/* Once, after tt_sink_finish(): joins message halves, numbers collectives. */
gboolean tt_store_import_join (TtStoreImport *self, GError **error);
/* Then: pairs of halves and calls of collectives that were not joined, for records are lost before them. */
void tt_store_import_unsure (const TtStoreImport *self, guint64 *n_messages, guint64 *n_calls);
/* The half-done database, readable within the transaction (run of this import selected). Borrowed. */
TtStore *tt_store_import_store (TtStoreImport *self);
/* The same, with the times that the clocks of before this call give. */
TtStore *tt_store_import_store_anew (TtStoreImport *self);
/* Whether the database is upgraded with this import; *@version: what it was. */
gboolean tt_store_import_upgraded (const TtStoreImport *self, gint64 *version);
gboolean tt_store_import_commit (TtStoreImport *self, GError **error);
