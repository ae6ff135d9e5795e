/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/look-ahead.h"
#include "formats/trace-event/probe.h"
#include "formats/trace-event/rows.h"

/* Trace-event JSON as such: everything is kept as it stands there. */

static guint
probe_clues (const TtClues *clues)
{
  return clues->n_events + clues->n_metadata > 0 ? 10 : 1;
}

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  import->is_in_order = tt_trace_event_is_in_order (import->path);
  return NULL;
}

static gboolean
put (TtTraceEventImport *import, const TtTraceEvent *event, gpointer state, GError **error)
{
  guint32 name = tt_trace_event_is_row (event->ph) ? tt_trace_event_name (import, event) : TT_NO_ID;

  tt_trace_event_add (import, event, name, TT_NO_STEP, 0);
  return TRUE;
}

const TtDialect tt_dialect_chrome = {
  .name = "chrome",
  .probe = probe_clues,
  .begin = begin,
  .event = put,
  .header = tt_trace_event_add_header,
};

/* -- the format "plain": this dialect, whatever wrote the file ------------------------------------------ */

static gboolean
import_plain (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  static const TtDialect *const only[] = { &tt_dialect_chrome, NULL };

  return tt_trace_event_import_set (input, only, options, sink, error);
}

const TtFormat tt_format_plain = {
  .name = "plain",
  .summary = "the same, kept as it stands there whatever wrote it",
  .probe = tt_trace_event_probe_forced,
  .group = tt_trace_event_group,
  .import = import_plain,
};
