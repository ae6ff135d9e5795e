/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An imaginary MPI + OpenMP program, run in steps, whose TAU trace is written as it goes.
 *
 * Each step is computation in nested functions, messages to the neighbours and now and then a
 * collective. Messages arrive after they are sent and receives wait for them; collectives end for
 * everybody when the last has come. Random numbers are our own and each stream has its own, so the
 * same options give the same bytes everywhere, and merging changes no record.
 */
#pragma once

#include "bench/tau-writer.h"

typedef struct
{
  guint64 n_records; /* about */
  guint64 seed;
  guint64 start_us;
  guint n_nodes, n_threads;
  guint n_names; /* functions; more than a handful are made up */
  guint depth;
  guint n_metrics;
  guint flush;   /* records a buffer; 0: no flushes */
  int late_rank; /* -1: nobody */
  gboolean messages, collectives, user_events, callpaths, no_close;
} TauProgramOptions;

/* What the trace holds. */
typedef struct
{
  guint64 enters, leaves, sends, receives, triggers, metric_values, metadata, flushes, collective_calls;
  guint64 open; /* entered, never left */
  guint64 first_us, last_us;
} TauExpected;

guint tau_program_n_made_up_names (const TauProgramOptions *options);
void tau_program_run (const TauProgramOptions *options, TauWriter *writer, TauExpected *expected);
