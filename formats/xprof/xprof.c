/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/rows.h"
#include "formats/xprof/lines.h"
#include "formats/xprof/steps.h"
#include "src/base/slots.h"

#include <string.h>

/*
 * trace.json.gz of XLA's profiler (xprof), as jax.profiler.trace and TensorFlow 2 write it: a process a device
 * ("/device:GPU:0"), one for the host ("/host:CPU").
 */

/* What a span is to the hook: TtTraceRecord.tag. */
enum
{
  IS_CALL = 1, /* of the host, with a correlation id */
  IS_KERNEL,
  IS_COPY,
  IS_SET,
  IS_ANY,
  IS_HOST_STEP,
  IS_DEVICE_STEP,
};

typedef struct
{
  TtTraceEventImport *import;
  TtXprofLines *lines;
  TtXprofSteps *steps;
  gboolean has_work; /* with a correlation id */
  gboolean has_host_steps;
  guint32 host; /* the process of the host; TT_NO_ID: none yet */
} Xprof;

static const TtFlowKind launch_flow = { .text = "correlation_id", .link = TT_LINK_LAUNCH, .is_open = TRUE };

/* -- recognising ------------------------------------------------------------------------------------- */

static guint
probe (const TtClues *clues)
{
  const char *metadata = g_hash_table_lookup (clues->headers, "metadata");
  gboolean has_process = FALSE, has_xla = FALSE, has_tensorflow = FALSE;
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, clues->process_names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    has_process |= tt_xprof_is_process (name);
  g_hash_table_iter_init (&iter, clues->thread_names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      has_xla |= strcmp (name, "XLA Ops") == 0 || strcmp (name, "XLA Modules") == 0;
      has_tensorflow |= strstr (name, "TensorFlow Ops") != NULL || strstr (name, "TensorFlow Name Scope") != NULL;
    }
  if (!has_process)
    return 0;
  if (has_xla)
    return has_tensorflow ? 80 : 88;
  return !has_tensorflow && metadata != NULL && strstr (metadata, "highres-ticks") != NULL ? 70 : 0;
}

static guint32 hook (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data);

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  Xprof *self = g_new0 (Xprof, 1);

  (void) clues;
  self->import = import;
  self->lines = tt_xprof_lines_new ();
  self->steps = tt_xprof_steps_new ();
  import->has_own_marks = TRUE;
  tt_trace_event_prefix_pids (import);
  tt_arrange_flow_kind (import->arrange, &launch_flow);
  tt_arrange_set_hook (import->arrange, hook, self);
  return self;
}

static void
release (gpointer data)
{
  Xprof *self = data;

  tt_xprof_lines_free (self->lines);
  tt_xprof_steps_free (self->steps);
  g_free (self);
}

/* -- names -------------------------------------------------------------------------------------------- */

static TtJsonValue
get_arg (const TtTraceEvent *event, const char *key)
{
  return event->args.kind == TT_JSON_OBJECT ? tt_json_get (event->args.raw, key) : (TtJsonValue){ 0 };
}

/* The line's kind is the group: the rules tell operations of XLA, kernels, functions and calls by it. */
static const char *
group_of (const TtTraceEvent *event, TtXprofLine line)
{
  switch (line)
    {
    case TT_XPROF_STREAM:
      return "Stream";
    case TT_XPROF_OPS:
      return "XLA Ops";
    case TT_XPROF_STEPS:
      return "Steps";
    case TT_XPROF_SUMMARY:
      return "Summary";
    case TT_XPROF_OTHER:
      return "Device";
    case TT_XPROF_HOST:
    default:
      break;
    }
  if (get_arg (event, "hlo_op").kind == TT_JSON_STRING)
    return "XLA Ops";
  if (event->name.raw.len > 0 && event->name.raw.bytes[0] == '$')
    return "Python";
  return get_arg (event, "step_num").kind != TT_JSON_NONE ? "Steps" : "Host";
}

static guint32
name_of (Xprof *self, const TtTraceEvent *event, TtXprofLine line)
{
  const char *group = group_of (event, line);
  TtTraceEvent named = *event;

  named.cat = (TtJsonValue){ .kind = TT_JSON_STRING, .raw = { group, strlen (group) } };
  return tt_trace_event_name (self->import, &named);
}

/* -- events ------------------------------------------------------------------------------------------- */

static gboolean
has_prefix (TtSlice text, const char *prefix)
{
  gsize len = strlen (prefix);

  return text.len >= len && memcmp (text.bytes, prefix, len) == 0;
}

static guint32
tag_of (const TtTraceEvent *event, TtXprofLine line, guint64 correlation)
{
  if (line == TT_XPROF_STREAM)
    return has_prefix (event->name.raw, "Memcpy") ? IS_COPY : has_prefix (event->name.raw, "Memset") ? IS_SET : IS_KERNEL;
  return line == TT_XPROF_HOST && correlation != 0 ? IS_CALL : IS_ANY;
}

/* Those of the host say their number as an argument, those of a device as their name: "17", "train 17". */
static gint32
step_number (const TtTraceEvent *event)
{
  TtJsonValue number = get_arg (event, "step_num");
  gint64 step;

  if (number.kind == TT_JSON_NONE && event->name.kind == TT_JSON_STRING)
    {
      gsize at = event->name.raw.len;

      while (at > 0 && g_ascii_isdigit (event->name.raw.bytes[at - 1]))
        at--;
      number = event->name;
      number.raw = (TtSlice){ event->name.raw.bytes + at, event->name.raw.len - at };
    }
  return tt_json_int64 (&number, &step) && step >= 0 && step < G_MAXINT32 ? (gint32) step : TT_NO_STEP;
}

static void
add_step (Xprof *self, const TtTraceEvent *event, TtXprofLine line, TtTraceRecord *row)
{
  TtTraceRecord at = { 0 };

  row->step = step_number (event);
  row->flags |= TT_FLAG_WINDOW;
  row->tag = line == TT_XPROF_STEPS ? IS_DEVICE_STEP : IS_HOST_STEP;
  row->key = 0;
  self->has_host_steps |= row->tag == IS_HOST_STEP && row->step != TT_NO_STEP;
  if (row->step == TT_NO_STEP || (event->has & TT_EVENT_HAS_TS) == 0 || event->dur_ns < 0 ||
      !tt_trace_event_locate (self->import, event, &at))
    return;
  if (!tt_xprof_steps_add (self->steps, at.process, row->step, at.ts_ns, at.ts_ns + at.dur_ns))
    tt_sink_repair (self->import->sink, TT_REPAIR_TOO_MANY_STEPS, event->offset);
}

static void
add_span (Xprof *self, const TtTraceEvent *event)
{
  TtTraceRecord row = { .step = TT_NO_STEP };
  TtJsonValue correlation = get_arg (event, "correlation_id");
  gboolean is_summary;
  TtXprofLine line = tt_xprof_lines_find (self->lines, event, &is_summary);

  if (!tt_json_uint64 (&correlation, &row.key) || is_summary)
    row.key = 0;
  row.tag = is_summary ? IS_ANY : tag_of (event, line, row.key);
  if (row.tag == IS_ANY)
    row.key = 0;
  self->has_work |= row.key != 0 && row.tag != IS_CALL;
  row.name = name_of (self, event, line);
  if (line == TT_XPROF_HOST && self->host == TT_NO_ID)
    self->host = tt_trace_event_process (self->import, event);
  if (line == TT_XPROF_STEPS || (line == TT_XPROF_HOST && get_arg (event, "step_num").kind != TT_JSON_NONE))
    add_step (self, event, line, &row);
  if (is_summary)
    row.flags |= TT_FLAG_WINDOW;
  if (row.tag == IS_CALL)
    row.flags |= TT_FLAG_ENQUEUE;
  row.args = tt_trace_event_args (self->import, event);
  tt_trace_event_add_as (self->import, event, &row);
}

static gboolean
take_event (TtTraceEventImport *import, const TtTraceEvent *event, gpointer data, GError **error)
{
  Xprof *self = data;
  gboolean is_summary;

  (void) error;
  if (event->ph == 'M')
    tt_xprof_lines_note (self->lines, event);
  if (event->ph == 'X')
    add_span (self, event);
  else if (tt_trace_event_is_row (event->ph))
    tt_trace_event_add (import, event, name_of (self, event, tt_xprof_lines_find (self->lines, event, &is_summary)),
                        TT_NO_STEP, 0);
  else
    tt_trace_event_add (import, event, TT_NO_ID, TT_NO_STEP, 0);
  return TRUE;
}

/* -- once all is known ---------------------------------------------------------------------------------- */

static void
tie (Xprof *self, TtTraceRecord *span)
{
  if (span->key == 0 || !self->has_work)
    return;
  span->own_flow = &launch_flow;
  span->flow_key = tt_slots_mix (span->key ^ tt_slots_mix (self->import->sink->source));
  span->flow_phase = span->tag == IS_CALL ? TT_FLOW_START : TT_FLOW_CONSUMER;
}

static guint32
hook (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data)
{
  static const TtActivityRole roles[] = {
    [IS_KERNEL] = TT_ACTIVITY_KERNEL, [IS_COPY] = TT_ACTIVITY_COPY, [IS_SET] = TT_ACTIVITY_SET, [IS_ANY] = TT_ACTIVITY_NONE
  };
  Xprof *self = data;
  TtActivityRole role = span->tag < G_N_ELEMENTS (roles) ? roles[span->tag] : TT_ACTIVITY_NONE;

  (void) flows;
  if (role != TT_ACTIVITY_NONE)
    {
      const TtActivity activity = { .role = role, .queue = span->thread, .correlation = span->key };
      span->activity = tt_sink_hold_activity (self->import->sink, &activity);
    }
  tie (self, span);
  /* A step lasts as long as the host says, if it says so. */
  if (span->tag == IS_HOST_STEP || (span->tag == IS_DEVICE_STEP && !self->has_host_steps))
    span->flags |= span->step != TT_NO_STEP ? TT_FLAG_STEP : 0;
  if (span->step == TT_NO_STEP)
    span->step = tt_xprof_steps_at (self->steps, span->process, span->ts_ns);
  return parent;
}

/* A file is of one program, with its devices. */
static gboolean
end (TtTraceEventImport *import, gpointer data, GError **error)
{
  const Xprof *self = data;

  (void) error;
  tt_sink_own_new_processes (import->sink, self->host);
  return TRUE;
}

const TtDialect tt_dialect_xprof = {
  .name = "xprof",
  .probe = probe,
  .begin = begin,
  .event = take_event,
  .header = tt_trace_event_add_header,
  .end = end,
  .release = release,
};

TT_DIALECT_FORMAT (xprof, "XLA's profiler: trace.json.gz of JAX and TensorFlow 2");
