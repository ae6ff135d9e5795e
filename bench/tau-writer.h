/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TauWriter: puts TAU trace records and definitions on disk, as TAU itself or as tau_merge writes them.
 *
 * Streams are numbered node * n_threads + thread. Rows are numbered by tau_writer_row(); the writer
 * turns a row into the id that it has in the file at hand: per-rank files have ids of their own on
 * each node, a merged file counts from 1 and its definitions are sorted by name.
 * Input files of tests and benchmarks are made with it; nothing of tracetool itself is used.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TAU_24LE,
  TAU_24BE,
  TAU_32LE,
  TAU_32BE,
} TauLayout;

typedef struct
{
  const char *out; /* directory of per-rank files, or prefix of the merged pair */
  gboolean is_merged;
  TauLayout layout;
  guint n_nodes, n_threads;
  guint n_functions;     /* beyond the rows: func_00000000, func_00000001 ... */
  gboolean skip_thread0; /* as a TAU that writes no file for the first thread */
  gint64 skew_us,
      drift_ppm; /* clocks of nodes but the first are wrong by up to that, each by its own, from start_us on */
  guint64 start_us;
} TauWriterOptions;

typedef struct _TauWriter TauWriter;

TauWriter *tau_writer_new (const TauWriterOptions *options);

/* @name is copied; @node -1: on all nodes; @id 0: any, else the id in unmerged files. */
guint
tau_writer_row (TauWriter *self, int node, const char *group, int tag, const char *name, const char *params, guint id);
/* The row of function @index < n_functions; after the last tau_writer_row(). */
guint tau_writer_function_row (const TauWriter *self, guint index);

void tau_writer_put (TauWriter *self, guint stream, guint row, gint64 par, guint64 ti);
/* No later record of any stream is older than @ti: what is older can be merged. */
void tau_writer_advance (TauWriter *self, guint64 ti);
guint64 tau_writer_n_records (const TauWriter *self);

/* Writes what is left and the definitions; exits with a message when the disk does not take it. */
void tau_writer_close (TauWriter *self);
