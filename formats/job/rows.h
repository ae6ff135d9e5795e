/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From spans in the files of a job to rows: the window of the operators, the shift of clocks, the step, the arguments.
 */
#pragma once

#include "formats/job/import.h"

/* One span as its file has it. */
typedef struct
{
  const TtJobImportProcess *process;
  guint32 thread, name;
  gint64 ts_ns, dur_ns; /* negative: the source says so */
  gint64 hull_ns;       /* see TT_METRIC_HULL; 0: it is one piece */
  gint32 step;
  guint32 flags;
  gint64 longest_ns; /* with TT_FLAGS_BOUNDED: what it may have lasted */
  const char *args;  /* JSON text; NULL: none */
  gsize args_len;
  guint64 offset;
} TtJobImportSpan;

/* Whether a span that begins at @ts_ns lies in the time of the operators. */
gboolean tt_job_import_is_in_window (const TtJobImportProcess *process, gint64 ts_ns);
/* A file of few records is judged by the time of the operators: see tt_arrange_around(). */
void tt_job_import_add_window (TtJobImport *self, const TtJobImportProcess *process);
/* The times of a record in the order of its file, before its row: see tt_arrange_see(). */
void
tt_job_import_see (TtJobImport *self, const TtJobImportProcess *process, guint32 line, gint64 ts_ns, gint64 dur_ns);
/* Adds a row, shifted and with its step. */
void tt_job_import_add_span (TtJobImport *self, const TtJobImportSpan *span);
