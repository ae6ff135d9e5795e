/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The export of a run as Chrome trace JSON: from the store (export), or straight from an importer (convert).
 *
 * Both ways write the same bytes, in (time, depth, thread) order. chrome.h describes the file.
 */
#pragma once

#include "src/base/crew.h"
#include "src/base/output.h"
#include "src/select/selection.h"
#include "src/store/store.h"
#include "src/trace/sink.h"

#define TT_CHROME_SUFFIX ".json"
/* How to look at it, for the message after an export. */
#define TT_CHROME_OPENER "open in https://ui.perfetto.dev or chrome://tracing"

typedef struct _ChromeLanguage ChromeLanguage;

/* The seed's uniform template: spans only, pid and tid as text. */
extern const ChromeLanguage tt_chrome_language_template;

/* A span of a line that the exporter adds. */
typedef struct
{
  guint32 thread; /* what it is about */
  gint64 begin_ns, end_ns;
  const char *name, *came_by;
} TtExportPiece;

/* A span that waits for another rank or thread. */
typedef struct
{
  guint64 event;
  gint64 ns;
  const char *kind, *cause; /* "late sender"; the rank that is waited for, NULL: not known */
} TtExportWait;

typedef struct
{
  gboolean absolute;       /* times as in the source instead of from the run's first */
  gboolean original_names; /* events have the names of the source, the standard ones are beside; not in the template */
  guint64 max_bytes;       /* 0: no limit; else shortest spans are dropped first */
  const ChromeLanguage *language; /* NULL: Chrome trace JSON */
  TtSelection *selection;         /* NULL: everything */
  const GArray *highlight;        /* of guint64, ascending event ids to mark (critical path), or NULL */
  const GArray *waits;            /* of TtExportWait, by event: into arguments, not in the template; NULL: none */
  guint slice, n_slices; /* only this slice of so many is written, of JSON without max_bytes; n_slices 0: all */
  const TtCrew
      *crew; /* NULL, or ranks, as many as slices, that share the reading, too; TtExportEnd tells what became of it */
  const GArray *overlay; /* of TtExportPiece: the critical path, on a line of its own in JSON; NULL: none */
} TtExportOptions;

typedef enum
{
  TT_EXPORT_WHOLE,
  TT_EXPORT_ODD, /* the run is not one whose reading can be shared, as all ranks know now: what was written is of no use */
  TT_EXPORT_OVER, /* rank 0 wants no more of it */
} TtExportEnd;

typedef struct
{
  TtExportEnd end; /* with a crew */
  guint64 n_spans, n_instants, n_counters, n_messages, n_flows;
  guint64 n_flows_lost; /* left out: without spans to bind to, or backwards in time */
  guint64 n_dropped;
  guint64 n_aside;         /* events on further lines because viewers show no more of one time, or no deeper, on one */
  guint64 n_unnested;      /* spans shown as asynchronous because they cross too many others of their thread */
  guint64 n_long_args;     /* arguments left out because they are longer than TT_LONG_ARGS */
  TtRepairs repairs;       /* of `convert`: those found after the sources' ends were reported */
  gint64 shortest_kept_ns; /* with max_bytes and drops */
  gboolean mixed_clocks;
} TtExportReport;

/* @report: zeroed. */
gboolean tt_chrome_export (TtStore *store,
                           TtOutput *out,
                           const TtExportOptions *options,
                           TtExportReport *report,
                           GError **error);

/* A sink that writes to @out when it is finished. All but @names are borrowed. */
TtSink *tt_chrome_sink_new (TtOutput *out, TtNames *names, const TtExportOptions *options, TtExportReport *report);
