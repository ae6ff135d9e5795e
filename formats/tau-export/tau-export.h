/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs written as TAU traces and as TAU profiles, for TAU's own viewers.
 *
 * A trace has whole microseconds, nodes and threads up to 65535, and messages with the fields that
 * TAU packs into 64 bits; the report counts what did not fit. Instants have no place in it, nor have asynchronous
 * spans; of spans that cross only the one that ends last.
 */
#pragma once

#include "formats/record-export/run.h"

typedef struct
{
  TtRecordExportReport run;
  guint64 n_files;
  guint64 n_wrapped;    /* messages with a tag, communicator or length too large */
  guint64 n_fractions;  /* counter values cut to an integer */
  guint64 n_renumbered; /* processes and threads that got another number than their own */
} TtTauExportReport;

/* @edf NULL: @trc is a folder for a trace a thread and definitions a node, as TAU writes them. Neither
 * may exist as a file. @selection: NULL for all. */
gboolean tt_tau_export_trace (TtStore *store,
                              const char *trc,
                              const char *edf,
                              TtSelection *selection,
                              TtTauExportReport *report,
                              GError **error);

/* profile.N.C.T into @folder. */
gboolean tt_tau_export_profile (TtStore *store,
                                const char *folder,
                                TtSelection *selection,
                                TtTauExportReport *report,
                                GError **error);
