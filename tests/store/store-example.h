/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small database for tests, filled through the sink as an importer would.
 *
 * Rank R has MPI sends to rank R + 1 of a ring and receives from rank R - 1, two collectives, a
 * counter, a metric, a flow and metadata; everything follows from its number.
 */
#pragma once

#include "src/store/store.h"
#include "src/trace/sink.h"

#define EXAMPLE_EVENTS 7 /* a rank: 6 spans and an instant */

TtNames *example_names (void);

/* Writes one source; @n_rounds repeats its spans and messages. */
void example_rank (TtSink *sink, guint rank, guint n_ranks, guint n_rounds);

typedef void (*ExampleFill) (TtSink *sink, gpointer data);

typedef struct
{
  gboolean add;
  guint32 remove; /* source, 0 = none */
  gboolean threaded;
  gboolean fail;       /* the importer gives up after filling */
  gboolean scan;       /* statistics from a scan although the import is fresh */
  const char *command; /* NULL: the usual one */
} ExampleOptions;

gboolean
example_import (const char *path, const ExampleOptions *options, ExampleFill fill, gpointer data, GError **error);

/* Result of a query as text: cells by "|", rows by newline, NULL as "-". Free it. */
char *example_query (TtStore *store, const char *sql);

/* The number of ranks is the pointer. */
void example_all_ranks (TtSink *sink, gpointer n_ranks);
