/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs written as TAU traces and as TAU profiles, for TAU's own viewers.
 *
 * A trace has whole microseconds, nodes and threads up to 65535, and messages with the fields that
 * TAU packs into 64 bits; the report counts what did not fit. Instants have no place in it, nor have asynchronous
 * spans; of spans that cross only the one that ends last.
 */
#pragma once

#include "src/select/selection.h"
#include "src/store/store.h"

typedef struct
{
  guint64 n_spans, n_messages, n_counters; /* n_messages: halves */
  guint64 n_files;
  guint64 n_instants;   /* left out */
  guint64 n_async;      /* spans that belong to no thread's stack: left out */
  guint64 n_crossing;   /* spans of a trace that cross others on their thread: left out, with their messages */
  guint64 n_rounded;    /* times that are no whole microseconds */
  guint64 n_wrapped;    /* messages with a tag, communicator or length too large */
  guint64 n_fractions;  /* counter values cut to an integer */
  guint64 n_renumbered; /* processes and threads that got another number than their own */
  gboolean mixed_clocks;
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
gboolean
tt_tau_export_profile (TtStore *store,
                       const char *folder,
                       TtSelection *selection,
                       TtTauExportReport *report,
                       GError **error);
