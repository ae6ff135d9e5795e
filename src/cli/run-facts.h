/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRunFacts: the numbers that say at a glance what the selected runs hold.
 */
#pragma once

#include "src/store/store.h"
#include "src/trace/repairs.h"

typedef struct
{
  gboolean has_time;
  gint64 first_ns, last_ns;
  guint n_ranks, n_processes, n_threads;
  guint64 n_source_bytes;
  guint64 n_spans, n_instants, n_counters, n_metrics, n_collectives, n_flows, n_parameters;
  guint64 n_args;                /* events with arguments */
  guint64 n_messages, n_matched; /* matched: both halves are there */
  guint64 message_bytes;
} TtRunFacts;

gboolean tt_run_facts_gather (TtRunFacts *self, TtStore *store, GError **error);

/* "2 leaves without an enter, dropped (first at byte 480); ..." or "none". @path: NULL, or the file
 * whose bytes they are. Free it. */
char *tt_repairs_describe (const TtRepairs *self, const char *path);

/* "ns" for runs in time, "ticks" for runs whose sources count ticks only. */
gboolean tt_store_is_ticks (TtStore *store);
/* A length of the run in words: "1.25 s", or "12,345 ticks". Free it. */
char *tt_length_text (TtStore *store, gint64 length);

/* *@text: that a few events alone make the run long; NULL where they do not. Free it. */
gboolean tt_few_text (TtStore *store, char **text, GError **error);

/* *@text: that sources of the runs lie too far apart to be of one; NULL where they do not. Free it. */
gboolean tt_apart_text (TtStore *store, char **text, GError **error);
/* What to do then. */
extern const char tt_apart_advice[];
/* All that as messages, after an import: what its end (analyzers/doubts) did not find is not looked for again. */
gboolean tt_doubts_tell (TtStore *store, GError **error);
