/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/probe.h"
#include "formats/trace-event/rows.h"

#include <string.h>

/* Trace-event JSON as such: everything is kept as it stands there. */

static guint
probe_clues (const TtClues *clues)
{
  return clues->n_events + clues->n_metadata > 0 ? 10 : 1;
}

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  import->is_in_order = tt_trace_event_expect_order (import);
  return NULL;
}

static gboolean
starts_with_total (TtSlice name)
{
  static const char total[] = "Total ";

  return name.len > strlen (total) && memcmp (name.bytes, total, strlen (total)) == 0;
}

/* "Total Frontend" with its count and mean: clang's -ftime-trace lays the sum of all spans of a kind on a thread of its
 * own, from the begin of the file (llvm/lib/Support/TimeProfiler.cpp). */
static gboolean
is_total (const TtTraceEvent *event)
{
  return event->ph == 'X' && (event->has & TT_EVENT_HAS_NO_ARGS) == 0 && event->args.kind == TT_JSON_OBJECT &&
         starts_with_total (event->name.raw) && tt_json_get (event->args.raw, "avg ms").kind == TT_JSON_NUMBER &&
         tt_json_get (event->args.raw, "count").kind == TT_JSON_NUMBER;
}

static gboolean
put (TtTraceEventImport *import, const TtTraceEvent *event, gpointer state, GError **error)
{
  guint32 name = tt_trace_event_is_row (event->ph) ? tt_trace_event_name (import, event) : TT_NO_ID;

  if (G_UNLIKELY (is_total (event)))
    {
      TtTraceRecord total = {
        .name = name, .flags = TT_FLAG_WINDOW, .step = TT_NO_STEP, .args = tt_trace_event_args (import, event)
      };

      tt_trace_event_add_as (import, event, &total);
    }
  else
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
  .group = tt_group_by_file,
  .import = import_plain,
};
