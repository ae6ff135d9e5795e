/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauExportRun: the run that is written as a trace: which of it is chosen, and how its times become microseconds.
 *
 * TAU's times are not negative: a run that begins before 0 is shifted to begin at 0. Ticks are written as they are.
 */
#pragma once

#include "formats/tau-export/tau-export.h"

typedef struct
{
  TtStore *store;         /* borrowed */
  TtSelection *selection; /* borrowed; NULL: everything */
  TtTauExportReport *report;
  guint32 n_threads; /* the largest id + 1 */
  gint64 base_ns;    /* added to all times */
  gboolean is_ticks;
} TtTauExportRun;

gboolean tt_tau_export_run_init (TtTauExportRun *self,
                                 TtStore *store,
                                 TtSelection *selection,
                                 TtTauExportReport *report,
                                 GError **error);
/* Counts in the report if the time is no whole microsecond. */
gint64 tt_tau_export_run_us (const TtTauExportRun *self, gint64 ns);
/* Whether a moment on a thread is chosen. */
gboolean tt_tau_export_run_has_point (const TtTauExportRun *self, guint32 thread, gint64 ts_ns);
