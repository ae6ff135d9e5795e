/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/rows.h"
#include "formats/xprof/lines.h"
#include "formats/xprof/operators.h"
#include "formats/xprof/steps.h"
#include "src/base/slots.h"
#include "src/trace/flow-join.h"
#include "src/trace/span.h"

#include <string.h>

/*
 * trace.json.gz of XLA's profiler (xprof), as jax.profiler.trace and TensorFlow 2 write it: a process a device
 * ("/device:GPU:0"), one for the host ("/host:CPU").
 */

/* What a span is to the hook: the lower bits of TtTraceRecord.tag; those above are its group of TtXprofSteps. */
#define ROLE_BITS 4u
#define ROLE_MASK ((1u << ROLE_BITS) - 1)

enum
{
  IS_CALL = 1, /* of the host, with a correlation id */
  IS_KERNEL,
  IS_COPY,
  IS_SET,
  IS_ANY,
  IS_HOST_STEP,
  IS_DEVICE_STEP,
  IS_PRODUCER, /* of the host, with a flow that goes out, or comes in */
  IS_CONSUMER,
};

/* Argument "flow": direction in 2 bits (1 in, 2 out, 3 both), id in 56, what kind of flow in 6: class XFlow of
 * xla/tsl/profiler/utils/xplane_schema.h. */
#define FLOW_IN 1u
#define FLOW_OUT 2u
#define FLOW_DIRECTION 3u
/* Beyond so many producers a consumer counts though its producer is not in the trace. */
#define MOST_PRODUCERS (1u << 20)

typedef struct
{
  TtTraceEventImport *import;
  TtXprofLines *lines;
  TtXprofSteps *steps;
  TtXprofOperators *operators;
  GHashTable *produced; /* gint64: flows that go out of a span of the host */
  gboolean has_work;    /* with a correlation id */
  gboolean has_host_steps;
  guint32 host; /* the process of the host; TT_NO_ID: none yet */
} Xprof;

static const TtFlowKind launch_flow = { .text = "correlation_id", .link = TT_LINK_LAUNCH, .is_open = TRUE };
static const TtFlowKind host_flow = { .text = "flow", .is_open = TRUE };

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
  self->operators = tt_xprof_operators_new (import);
  self->produced = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  import->has_own_marks = TRUE;
  tt_trace_event_prefix_pids (import);
  tt_arrange_flow_kind (import->arrange, &launch_flow);
  tt_arrange_flow_kind (import->arrange, &host_flow);
  tt_arrange_set_hook (import->arrange, hook, self);
  return self;
}

static void
release (gpointer data)
{
  Xprof *self = data;

  tt_xprof_lines_free (self->lines);
  tt_xprof_steps_free (self->steps);
  tt_xprof_operators_free (self->operators);
  g_hash_table_unref (self->produced);
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
  guint32 name = line == TT_XPROF_HOST ? tt_xprof_operators_name (self->operators, event) : TT_NO_ID;
  TtTraceEvent named = *event;

  if (name != TT_NO_ID)
    return name;
  named.label = 0;
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
    return has_prefix (event->name.raw, "Memcpy")   ? IS_COPY
           : has_prefix (event->name.raw, "Memset") ? IS_SET
                                                    : IS_KERNEL;
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

/* The root of a group has a "step_name" if the profiler took it for a step. */
static guint32
read_group (Xprof *self, const TtTraceEvent *event, gboolean is_step, gint32 number)
{
  TtJsonValue id = get_arg (event, "group_id");
  gint64 value;
  guint32 group = tt_json_int64 (&id, &value) ? tt_xprof_steps_group (self->steps, value) : 0;

  if (is_step || get_arg (event, "step_name").kind != TT_JSON_NONE)
    tt_xprof_steps_set_group (self->steps, group, number);
  return group;
}

static void
add_step (Xprof *self, const TtTraceEvent *event, TtXprofLine line, TtTraceRecord *row)
{
  TtTraceRecord at = { 0 };

  row->flags |= TT_FLAG_WINDOW;
  row->tag = line == TT_XPROF_STEPS ? IS_DEVICE_STEP : IS_HOST_STEP;
  row->key = 0;
  self->has_host_steps |= row->tag == IS_HOST_STEP && row->step != TT_NO_STEP;
  if (row->step == TT_NO_STEP || (event->has & TT_EVENT_HAS_TS) == 0 || event->dur_ns < 0 ||
      !tt_trace_event_locate (self->import, event, &at))
    return;
  const TtXprofStep step = { at.process, at.thread, at.ts_ns, tt_span_end (at.ts_ns, at.dur_ns), row->step };
  if (!tt_xprof_steps_add (self->steps, &step))
    tt_sink_repair_of (self->import->sink, at.process, TT_REPAIR_TOO_MANY_STEPS, event->offset);
}

/* A span with a correlation id has that alone: the arrow is the same. */
static void
read_flow (Xprof *self, const TtTraceEvent *event, TtTraceRecord *row)
{
  TtJsonValue flow = get_arg (event, "flow");
  guint64 value;

  if (row->tag != IS_ANY || !tt_json_uint64 (&flow, &value) || (value & FLOW_DIRECTION) == 0)
    return;
  row->key = value >> 2;
  row->tag = (value & FLOW_DIRECTION) == FLOW_IN ? IS_CONSUMER : IS_PRODUCER;
  if (row->tag == IS_PRODUCER && g_hash_table_size (self->produced) < MOST_PRODUCERS)
    g_hash_table_add (self->produced, g_memdup2 (&row->key, sizeof row->key));
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
  if (line == TT_XPROF_HOST)
    read_flow (self, event, &row);
  self->has_work |= row.tag >= IS_KERNEL && row.tag <= IS_SET && row.key != 0;
  row.name = name_of (self, event, line);
  if (line == TT_XPROF_HOST && self->host == TT_NO_ID)
    self->host = tt_trace_event_process (self->import, event);
  gboolean has_number = get_arg (event, "step_num").kind != TT_JSON_NONE;
  gboolean is_step = line == TT_XPROF_STEPS || (line == TT_XPROF_HOST && has_number);
  if (is_step)
    {
      row.step = step_number (event);
      add_step (self, event, line, &row);
    }
  if (is_summary)
    row.flags |= TT_FLAG_WINDOW;
  if (row.tag == IS_CALL)
    row.flags |= TT_FLAG_ENQUEUE;
  row.tag |= read_group (self, event, is_step, row.step) << ROLE_BITS;
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

static gboolean
is_produced (const Xprof *self, guint64 flow)
{
  return g_hash_table_size (self->produced) == MOST_PRODUCERS || g_hash_table_contains (self->produced, &flow);
}

static void
tie (Xprof *self, TtTraceRecord *span)
{
  gboolean is_host_flow = span->tag == IS_PRODUCER || span->tag == IS_CONSUMER;

  if (span->key == 0 || !(is_host_flow ? is_produced (self, span->key) : self->has_work))
    return;
  span->own_flow = is_host_flow ? &host_flow : &launch_flow;
  span->flow_key = tt_slots_mix (span->key ^ tt_slots_mix (TT_FLOW_SALT));
  if (is_host_flow)
    span->flow_key = ~span->flow_key;
  span->flow_phase = span->tag == IS_CALL || span->tag == IS_PRODUCER ? TT_FLOW_START : TT_FLOW_CONSUMER;
}

static guint32
hook (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data)
{
  static const TtActivityRole roles[] = { [IS_KERNEL] = TT_ACTIVITY_KERNEL,
                                          [IS_COPY] = TT_ACTIVITY_COPY,
                                          [IS_SET] = TT_ACTIVITY_SET,
                                          [IS_ANY] = TT_ACTIVITY_NONE };
  Xprof *self = data;
  const guint32 group = span->tag >> ROLE_BITS;

  (void) flows;
  span->tag &= ROLE_MASK;
  TtActivityRole role = span->tag < G_N_ELEMENTS (roles) ? roles[span->tag] : TT_ACTIVITY_NONE;
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
    span->step = tt_xprof_steps_at (self->steps, span->process, span->thread, group, span->ts_ns);
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
