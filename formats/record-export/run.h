/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordExportRun: the run that is written as records: which of it is chosen, and its times in units of the format.
 *
 * Times of such formats are not negative: a run that begins before 0 is shifted to begin at 0. Ticks are written as they are.
 */
#pragma once

#include "src/select/selection.h"
#include "src/store/store.h"

/* What was written, and what had no place. */
typedef struct
{
  guint64 n_spans, n_messages, n_counters; /* n_messages: halves */
  guint64 n_instants;                      /* left out but with details */
  guint64 n_async;                         /* spans that belong to no thread's stack: likewise */
  guint64 n_crossing;                      /* spans that cross others on their thread: likewise, with their messages */
  guint64 n_rounded;                       /* times that are no whole units */
  guint64 n_flows;
  guint64 n_long_args; /* left out */
  guint64 n_no_thread; /* values of counters of no thread: left out */
  guint64 n_attached;  /* sides of messages and values of metrics of what is on no stack: left out */
  gboolean mixed_clocks;
} TtRecordExportReport;

typedef struct
{
  TtStore *store;         /* borrowed */
  TtSelection *selection; /* borrowed; NULL: everything */
  TtRecordExportReport *report;
  guint32 n_threads; /* the largest id + 1 */
  gint64 base_ns;    /* added to all times */
  gint64 unit_ns;    /* of the format's times */
  gboolean is_ticks;
} TtRecordExportRun;

gboolean tt_record_export_run_init (TtRecordExportRun *self,
                                    TtStore *store,
                                    TtSelection *selection,
                                    gint64 unit_ns,
                                    TtRecordExportReport *report,
                                    GError **error);
/* Counts in the report if the time is no whole unit. */
gint64 tt_record_export_run_time (const TtRecordExportRun *self, gint64 ns);
/* Whether a moment on a thread is chosen. */
gboolean tt_record_export_run_has_point (const TtRecordExportRun *self, guint32 thread, gint64 ts_ns);
