/*
 * TtExporter: one output format of `export` and `convert`.
 *
 * An exporter gets the run as a stream of definitions and events in (ts, name) order: from the
 * store (export) or straight from an importer (convert), so that both write the same bytes.
 * To add one: write its folder, declare it below, list it in exporter.c.
 */
#pragma once

#include "src/base/output.h"
#include "src/select/selection.h"
#include "src/store/store.h"
#include "src/trace/sink.h"

typedef struct
{
  gboolean absolute;       /* times as in the source instead of from the run's first */
  guint64 max_bytes;       /* 0: no limit; else shortest spans are dropped first */
  const char *variant;     /* of the exporter ("template"), or NULL */
  TtSelection *selection;  /* NULL: everything */
  const GArray *highlight; /* of guint64, ascending event ids to mark (critical path), or NULL */
} TtExportOptions;

typedef struct
{
  guint64 n_spans, n_instants, n_counters, n_messages, n_flows;
  guint64 n_flows_lost; /* left out: without spans to bind to, or against the time */
  guint64 n_dropped;
  guint64 n_long_args;     /* arguments left out because they are longer than TT_LONG_ARGS */
  TtRepairs repairs;       /* of `convert`: what was found beyond what the sources' ends tell */
  gint64 shortest_kept_ns; /* with max_bytes and drops */
  gboolean mixed_clocks;
} TtExportReport;

typedef struct
{
  const char *name; /* "chrome" */
  const char *summary;
  const char *suffix; /* ".json" */
  const char *opener; /* how to look at it, for the message after an export */
  gboolean (
      *write) (TtStore *store, TtOutput *out, const TtExportOptions *options, TtExportReport *report, GError **error);
  /* A sink that writes to @out (borrowed) when finished; NULL: this exporter needs a database. */
  TtSink *(*sink) (TtOutput *out, TtNames *names, const TtExportOptions *options, TtExportReport *report);
} TtExporter;

extern const TtExporter tt_exporter_chrome;

extern const TtExporter *const tt_exporters[];
const TtExporter *tt_exporter_by_name (const char *name, GError **error);
