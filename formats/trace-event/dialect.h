/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtDialect: a kind of trace-event JSON: how to know it, and what its events mean.
 *
 * Before the events are read, the importer looks at the first ones (TtClues) and takes the dialect that claims
 * most. The plain dialect ("chrome") claims a little of everything. A dialect gets each event and says
 * what becomes of it; most call tt_trace_event_add() (import.h) after they have found the name.
 */
#pragma once

#include "formats/trace-event/reader.h"
#include "formats/format.h"
#include "src/trace/arrange/arrange.h"

/* What the head of a file shows: its first events and members, up to 1 MiB. */
typedef struct
{
  GHashTable *headers;       /* keys of the outer object -> TtJsonValue text (char *), owned */
  GHashTable *categories;    /* cat -> count */
  GHashTable *process_names; /* args.name of process_name events, and pids that are texts */
  GHashTable *thread_names;
  GPtrArray *names; /* of the first 256 events that are no metadata: "ph name" */
  guint n_events, n_metadata;
  guint n_standard;    /* events whose name is a standard name already */
  guint n_marks;       /* instants whose name is none */
  guint n_comm_detail; /* events with "comm_detail" in pid or tid */
  guint n_steps;       /* events with a number as args.step */
  guint n_text_pids;
  guint64 bytes; /* looked at */
} TtClues;

typedef struct _TtTraceEventImport TtTraceEventImport; /* import.h */

typedef struct
{
  const char *name; /* --format takes it; `source=` of the name rules; source.format in the store */
  guint (*probe) (const TtClues *clues); /* 0: not mine ... 100: certain */
  /* Before the first event: state of the dialect, given back to the others. May be NULL. */
  gpointer (*begin) (TtTraceEventImport *import, const TtClues *clues);
  /* One event. FALSE with *error ends the import. */
  gboolean (*event) (TtTraceEventImport *import, const TtTraceEvent *event, gpointer state, GError **error);
  /* A member of the outer object. May be NULL. */
  void (*header) (TtTraceEventImport *import, const TtJsonValue *key, const TtJsonValue *value, gpointer state);
  /* After the last event, before TtArrange is finished. May be NULL. */
  gboolean (*end) (TtTraceEventImport *import, gpointer state, GError **error);
  void (*release) (gpointer state); /* after TtArrange has finished; may be NULL */
  gboolean takes_step_names;        /* TtImportOptions.is_step; others refuse it */
} TtDialect;
