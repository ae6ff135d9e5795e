/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of TtStoreImport, shared by the files of an import and by statistics.c and nccl.c.
 */
#pragma once

#include "src/store/collective-spans.h"
#include "src/store/import/activity.h"
#include "src/store/import/args.h"
#include "src/store/import/import.h"
#include "src/store/import/insert.h"
#include "src/store/import/join.h"
#include "src/store/import/trust.h"
#include "src/store/writer.h"
#include "src/trace/flow-join.h"

/* Where the rows of the current source lie. */
typedef struct
{
  guint32 id;
  guint64 first[TT_N_INSERTS], last[TT_N_INSERTS];
  guint64 n_args;
  gint64 first_ns, last_ns; /* TT_NO_TIME: none yet */
} TtSourceState;

typedef struct
{
  guint32 id, run;
  guint64 bytes;
  char *hash;
  gboolean has_time;
} TtSourceKey;

struct _TtStoreImport
{
  TtConnection *connection;
  char *path;           /* the database */
  TtNewFile *temporary; /* where a new one grows; NULL: an existing one is changed */
  TtWriter *writer;     /* of an existing one: @connection is its own */
  char *options;        /* for source_row; NULL: not known */
  gint64 old_version;   /* of the schema, before this import */
  guint32 run;
  gboolean is_added;   /* the run was there before */
  gboolean has_old;    /* rows of the run may be there that take part in joining */
  gboolean is_changed; /* since `store` was loaded */
  TtNames *names;      /* until the sink takes them */
  TtStore *store;
  GArray *keys;         /* of TtSourceKey: sources of all runs */
  guint32 first_source; /* of this import */
  GMutex lock;          /* the connection is used by one thread at a time */
  TtInsert *insert;
  TtStoreArgs *args;
  TtRepairs repairs; /* of the current source: what was found here, added to what its end says */
  TtOwners *owners;
  TtFlowJoin *flows;          /* points of the current source */
  TtActivityJoin *activities; /* of the current source */
  TtHalves *halves;
  TtCollectives *collectives;
  TtToldCalls *told_calls;
  TtObservedSpans *spans;                    /* of collectives */
  guint64 n_unsure_messages, n_unsure_calls; /* see join.h */
  TtSourceState source;
  TtTrustTally *trust; /* of the current source */
  guint8 *flags_known; /* by bits: is in flag_row */
  sqlite3_stmt *define[TT_N_DEFINITIONS];
  sqlite3_stmt *define_flags;
  sqlite3_stmt *insert_block; /* of events */
  sqlite3_stmt *insert_task, *insert_task_edge;
};

/* Takes a batch into the database; called with the lock held. */
gboolean tt_store_import_take (TtStoreImport *self, TtBatch *batch, GError **error);
/* Ids of rows of the source; 0: none. */
void tt_store_import_note_rows (TtSourceState *source, TtInsertKind kind, guint64 first, guint64 last);
/* The rows of @batch of one kind. */
gboolean tt_store_import_insert (TtStoreImport *self, TtInsertKind kind, const TtBatch *batch, GError **error);
/* The task graph in @batch. */
gboolean tt_store_import_tasks (TtStoreImport *self, const TtBatch *batch, GError **error);
/* At the end of a source, before its row is finished: flows, and then the activities that they launch. */
gboolean tt_store_import_join_flows (TtStoreImport *self, GError **error);
/* Finalizes what tt_store_import_take () keeps. */
void tt_store_import_release (TtStoreImport *self);
