/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/span-extras.h"

#include <xxhash.h>

#define US_DECIMALS 3
/* Flows that spans name have numbers of their own, in the whole file. */
#define BINDING_SALT 0x62696e645f6964

static gboolean
may_have_extras (const TtTraceEvent *event)
{
  return event->ph == 'X' || event->ph == 'B' || event->ph == 'E';
}

static gboolean
is_there (TtJsonValue value)
{
  return value.kind != TT_JSON_NONE && value.kind != TT_JSON_NULL;
}

static void
lose (TtTraceEventImport *self, const TtTraceEvent *event)
{
  tt_trace_event_repair (self, event, TT_REPAIR_SPAN_EXTRA);
}

void
tt_trace_event_end_extras (TtTraceEventImport *self, const TtTraceEvent *event)
{
  gboolean is_lost = !self->took_extras && may_have_extras (event) &&
                     (is_there (tt_json_get (event->record, "tts")) || is_there (tt_json_get (event->record, "tdur")) ||
                      is_there (tt_json_get (event->record, "bind_id")));

  self->took_extras = FALSE;
  if (is_lost)
    lose (self, event);
}

/* A whole span has what it took (tdur), its begin and end what the clock was (tts). */
static void
add_cpu_time (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row)
{
  TtJsonValue value = tt_json_get (event->record, event->ph == 'X' ? "tdur" : "tts");
  gboolean is_inexact = FALSE;
  gint64 ns;

  if (!is_there (value))
    return;
  if (self->has_own_marks || !tt_json_decimal (&value, US_DECIMALS, &ns, &is_inexact) || (event->ph == 'X' && ns < 0))
    {
      lose (self, event);
      return;
    }
  if (is_inexact)
    tt_sink_repair_of (self->sink, row->process, TT_REPAIR_INEXACT_TIME, event->offset);
  if (self->cpu_time == TT_NO_ID)
    {
      self->cpu_time = tt_sink_series (self->sink, "cpu_time", "ns", TRUE);
      tt_arrange_set_metric (self->arrange, self->cpu_time);
    }
  row->flags |= TT_ARRANGE_METRIC;
  row->key = (guint64) ns;
}

static gboolean
is_set (const TtTraceEvent *event, const char *key)
{
  TtJsonValue value = tt_json_get (event->record, key);

  return is_there (value) && !TT_SLICE_IS (value.raw, "false") && !TT_SLICE_IS (value.raw, "0");
}

static void
add_flow (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row)
{
  TtJsonValue id = tt_json_get (event->record, "bind_id");
  gboolean consumes = is_set (event, "flow_in"), produces = is_set (event, "flow_out");

  if (!is_there (id) || (event->ph != 'X' && event->ph != 'B'))
    return;
  if (!self->has_own_marks && (consumes || produces))
    row->tag = tt_arrange_span_flow (self->arrange, tt_trace_event_flow_kind (self, event),
                                     XXH3_64bits_withSeed (id.raw.bytes, id.raw.len, BINDING_SALT),
                                     !consumes  ? TT_FLOW_START
                                     : produces ? TT_FLOW_STEP
                                                : TT_FLOW_CONSUMER);
  if (row->tag == 0 || self->has_own_marks)
    lose (self, event);
  else
    row->flags |= TT_ARRANGE_FLOW;
}

void
tt_trace_event_add_extras (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row)
{
  self->took_extras = TRUE;
  if (!may_have_extras (event))
    return;
  if (event->has & TT_EVENT_HAS_CPU_TIME)
    add_cpu_time (self, event, row);
  if (event->has & TT_EVENT_HAS_BINDING)
    add_flow (self, event, row);
}
